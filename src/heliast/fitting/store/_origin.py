"""Where code comes from: Python itself, a distribution with a version, or the user's own files."""

import hashlib
import json
import re
import sys
import sysconfig
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType

_INFO = re.compile(r"(?P<name>[^-]+)-(?P<version>\d[^-]*)(-py[\d.]+)?\.(dist|egg)-info")
_OTHER_NAMES = {"sklearn": "scikit_learn"}
"""Packages met in every run whose distribution has another name; others are searched for."""


def version_of(module: str) -> str | None:
    """What fixes the code of a module, loaded or not; None for the user's own, which may change.

    >>> version_of("json").startswith("python 3")
    True
    >>> version_of("__main__") is None
    True
    """
    loaded = sys.modules.get(module)
    if loaded is not None:
        return _version(module, file_of(loaded))
    top = module.partition(".")[0]
    return _version(top, file_of(sys.modules[top]) if top in sys.modules else _searched(top))


def file_of(module: ModuleType) -> str | None:
    """The file that a module was loaded from; None if it is built in, or typed."""
    file = vars(module).get("__file__")
    if isinstance(file, str):
        return file
    places = list(getattr(module, "__path__", ()))  # a package without an __init__.py
    return str(Path(places[0]) / "__init__.py") if places else None


def fixed_by(module: str, file: str | None) -> str | None:
    """The same as `version_of`, for code that says of itself where it is from."""
    return _version(module, file)


@cache
def content_of(file: str, changed: int) -> str:
    """A hash of a file's bytes, read again when it has changed since."""
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


def _searched(top: str) -> str | None:
    """Where a module that is not loaded would come from; nothing is run to find out."""
    spec = None if top in sys.builtin_module_names else PathFinder.find_spec(top)
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    return spec.origin or (str(Path(places[0]) / "__init__.py") if places else None)


@cache
def _version(module: str, file: str | None) -> str | None:
    top = module.partition(".")[0]
    if top in ("__main__", "__mp_main__"):
        return None
    if top.startswith("_frozen_importlib"):
        return _python()
    if file is None or not Path(file).is_absolute():
        return _python() if top in sys.stdlib_module_names else None
    if top == "heliast":
        return _heliast()
    depth = module.count(".") + Path(file).name.startswith("__init__.")
    if depth >= len(Path(file).parents):
        return None
    root = Path(file).parents[depth]
    if top in sys.stdlib_module_names and root in _stdlib():
        return _python()
    return _distribution(root, top)


def _python() -> str:
    return "python {}.{}".format(*sys.version_info[:2])


@cache
def _stdlib() -> frozenset[Path]:
    paths = sysconfig.get_paths()
    roots = {Path(paths[kind]) for kind in ("stdlib", "platstdlib")}
    return frozenset(roots | {root / "lib-dynload" for root in roots})


@cache
def _heliast() -> str:
    """This package: its version, or its text where it is worked on.

    What prepares the inputs, fits and predicts is reached by every model.
    """
    import heliast

    folder = Path(heliast.__file__).parent
    said = _distribution(folder.parent, "heliast")
    if said is not None:
        return said
    content = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        content.update(str(path.relative_to(folder)).encode())
        content.update(path.read_bytes())
    return f"heliast {content.hexdigest()}"


@cache
def _distribution(root: Path, top: str) -> str | None:
    """Name and version of the distribution that put this package into this folder, if one did.

    One that was installed from a folder of sources is the user's own: the same version may be
    installed again with other code.
    """
    listed = _distributions(root)
    name = _normal(_OTHER_NAMES.get(top, top))
    info = listed.get(name) or listed.get(_tops(root).get(top, ""))
    if info is None:
        return None
    matched = _INFO.fullmatch(info.name)
    assert matched is not None
    said = f"{matched['name']} {matched['version']}"
    url = _json(info / "direct_url.json")
    if "dir_info" in url and _text(info / "INSTALLER").strip() != "conda":
        return None
    exact = url.get("vcs_info") or url.get("archive_info")
    return said if not exact else f"{said} {json.dumps(exact, sort_keys=True)}"


@cache
def _distributions(root: Path) -> dict[str, Path]:
    try:
        there = [path for path in root.iterdir() if _INFO.fullmatch(path.name)]
    except OSError:
        return {}
    return {_normal(path.name.partition("-")[0]): path for path in sorted(there)}


@cache
def _tops(root: Path) -> dict[str, str]:
    """The distribution of each package and module in a folder, as their own lists say."""
    owners: dict[str, str] = {}
    for name, info in _distributions(root).items():
        lines = _text(info / "top_level.txt").split() or _text(info / "RECORD").splitlines()
        for line in lines:
            first = line.partition(",")[0].partition("/")[0]
            owners.setdefault(first.partition(".")[0], name)
    return owners


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "_", name).lower()


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _json(path: Path) -> dict[str, object]:
    try:
        said = json.loads(_text(path) or "{}")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
