"""Import on first use: `import heliast` costs milliseconds, a name costs what it needs."""

import ast
import importlib
from collections.abc import Callable
from pathlib import Path


def attach(package: str, file: str) -> tuple[Callable[[str], object], list[str]]:
    """Serve the names that the stub beside `file` imports, each imported when first asked for.

    The stub (`__init__.pyi`) is the only list of public names: type checkers read it, and so do we.
    """
    home: dict[str, tuple[str, str | None]] = {}
    for node in ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom):
            module = ("." * node.level) + (node.module or "")
            for name in node.names:
                is_module = module in (".", package)
                target = f"{package}.{name.name}" if is_module else module
                home[name.asname or name.name] = (target, None if is_module else name.name)

    def __getattr__(name: str) -> object:  # noqa: N807
        if name not in home:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, attribute = home[name]
        loaded = importlib.import_module(module, package)
        return loaded if attribute is None else getattr(loaded, attribute)

    return __getattr__, sorted(home)
