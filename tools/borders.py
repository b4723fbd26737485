"""Borders: no package of heliast imports another's underscore module. `make check` runs this.

A module's package is the folder that it lies in. It may use what lies in its own package and,
where packages are nested, the private modules of those around it and of those inside it; all
others are used by the names that their `__init__` or their public modules give. `_core` and
`_kernels` are for everyone within, so their public modules (without a further underscore) count as
public.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
OPEN = {"_core", "_kernels"}


def crossings(source: Path = SOURCE) -> Iterator[str]:
    """Every import that crosses a border, as file, line and what is imported."""
    for file in sorted(source.rglob("*.py")):
        here = file.relative_to(source).with_suffix("").parts[:-1]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for module in _imported(node, source):
                if _is_private(module.split("."), here):
                    yield f"{file.relative_to(source.parent)}:{node.lineno}: {module}"


def _imported(node: ast.AST, source: Path) -> Iterator[str]:
    """The modules that a statement imports; a name may be a module as well."""
    if isinstance(node, ast.Import):
        yield from (name.name for name in node.names)
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        yield node.module
        folder = source.joinpath(*node.module.split("."))
        for name in node.names:
            if (folder / f"{name.name}.py").is_file():
                yield f"{node.module}.{name.name}"
            elif name.name.startswith("_") and not name.name.startswith("__"):
                yield f"{node.module}:{name.name}"


def _is_private(module: list[str], here: tuple[str, ...]) -> bool:
    if module[0] != "heliast":
        return False
    last, _, name = module[-1].partition(":")
    module[-1] = last
    if name:
        return True  # a private name of another file
    for at, part in enumerate(module):
        if part.startswith("_") and not (at == 1 and part in OPEN):
            owner = tuple(module[:at])
            inside = len(here) > 1 and owner[: len(here)] == here
            return here[: len(owner)] != owner and not inside
    return False


if __name__ == "__main__":
    found = list(crossings())
    print("\n".join(found) or "no package imports another's underscore module")
    sys.exit(bool(found))
