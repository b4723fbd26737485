"""Import on first use: `import heliast` costs milliseconds, a name costs what it needs."""

import ast
import importlib
import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType


def attach(package: str, file: str) -> tuple[Callable[[str], object], list[str]]:
    """Serve the names that the stub beside `file` imports, each imported when first asked for.

    The stub (`__init__.pyi`) is the only list of public names: type checkers read it, and so do we;
    `dir` knows them as well.
    A module that it imports from a room further in can be imported by its short name as well:
    `heliast.drawings` is `heliast.views.drawings`.
    """
    home: dict[str, tuple[str, str]] = {}
    for node in ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            for name in node.names:
                home[name.asname or name.name] = (node.module or package, name.name)
    folder = Path(file).parent
    moved = {
        f"{package}.{name}": f"{module}.{name}"
        for name, (module, _) in home.items()
        if module != package and folder.joinpath(*module.split(".")[1:], name).is_dir()
    }
    sys.meta_path.append(_Moved(moved))

    def __getattr__(name: str) -> object:  # noqa: N807
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = home[name]
        if module == package or f"{package}.{name}" in moved:
            return importlib.import_module(f"{module}.{attribute}")
        return getattr(importlib.import_module(module), attribute)

    there = vars(sys.modules[package])
    there["__dir__"] = lambda: sorted({*there, *home})
    return __getattr__, sorted(home)


class _Moved(MetaPathFinder, Loader):
    """Modules under a second, shorter name: one module each, whichever name is imported first."""

    def __init__(self, moved: dict[str, str]) -> None:
        self._moved = moved

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name in self._moved else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._moved[spec.name])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It was imported under its own name already, and keeps it."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state
