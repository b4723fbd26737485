"""Import on first use: `import heliast` costs a millisecond, a name costs what it needs.

What is imported here is imported by everyone, and before the command line can heed a signal.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType


def attach(package: str, file: str) -> "Callable[[str], object]":
    """Serve the names that the stub beside `file` imports, each imported when first asked for.

    The stub (`__init__.pyi`) is the only list of public names: type checkers read it, and so do we,
    when a name is asked for; `dir` and `__all__` know them as well.
    A module that it imports from a room further in can be imported by its short name as well:
    `heliast.drawings` is `heliast.views.drawings`.
    """
    stub = _Stub(package, file)
    sys.meta_path.append(_Moved(stub))
    there = vars(sys.modules[package])

    def __getattr__(name: str) -> object:  # noqa: N807
        from importlib import import_module

        if name == "__all__":
            return sorted(stub.home)
        if name.startswith("__") or name not in stub.home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = stub.home[name]
        if module == package or f"{package}.{name}" in stub.moved:
            return import_module(f"{module}.{attribute}")
        return getattr(import_module(module), attribute)

    there["__dir__"] = lambda: sorted({*there, *stub.home, "__all__"})
    return __getattr__


class _Stub:
    """Where each name of a package is, read from its stub when first asked."""

    def __init__(self, package: str, file: str) -> None:
        self.package, self.file = package, file

    def __getattr__(self, name: str) -> object:
        import ast
        from pathlib import Path

        folder, package = Path(self.file).parent, self.package
        stub = Path(self.file).with_suffix(".pyi").read_text(encoding="utf-8")
        home = {
            one.asname or one.name: (node.module or package, one.name)
            for node in ast.parse(stub).body
            if isinstance(node, ast.ImportFrom)
            for one in node.names
        }
        self.home = home
        self.moved = {
            f"{package}.{short}": f"{module}.{short}"
            for short, (module, _) in home.items()
            if module != package and folder.joinpath(*module.split(".")[1:], short).is_dir()
        }
        return object.__getattribute__(self, name)


class _Moved:
    """Modules under a second, shorter name: one module each, whichever name is imported first."""

    def __init__(self, stub: _Stub) -> None:
        self._stub = stub

    def find_spec(
        self, name: str, path: "Sequence[str] | None", target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        if not name.startswith(f"{self._stub.package}.") or name not in self._stub.moved:
            return None
        from importlib.machinery import ModuleSpec

        return ModuleSpec(name, self)  # type: ignore[arg-type]

    def create_module(self, spec: "ModuleSpec") -> "ModuleType":
        from importlib import import_module

        module = import_module(self._stub.moved[spec.name])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: "ModuleType") -> None:
        """It was imported under its own name already, and keeps it."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state
