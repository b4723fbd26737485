"""Fingerprints: what decides the predictions of a model, as a hash of code, parameters, versions.

Code of an installed package counts by its version. Your own classes and functions count by the
file, or notebook cell, that they stand in. Parameters count by their values.
"""

import functools
import hashlib
import importlib.metadata
import linecache
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from pickle import PicklingError
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import joblib
from sklearn.base import BaseEstimator

import heliast
from heliast._core.errors import InputError

_TYPED = ("__main__", "__mp_main__")  # scripts, notebooks and shells
_PACKAGES = ("numpy", "scipy", "scikit-learn", "numba", "duckdb")


@functools.cache
def environment() -> dict[str, str]:
    """The versions of Python and of the packages under every model.

    >>> list(environment())[:3]
    ['python', 'heliast', 'numpy']
    """
    versions = {name: importlib.metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), "heliast": heliast.__version__, **versions}


@dataclass(frozen=True)
class Fingerprint:
    """The hash of a model; `files` are the user's modules in it, by name, each with its hash.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> fingerprint = Fingerprint.of(GaussianNB(var_smoothing=1e-9), "bayes")
    >>> fingerprint == Fingerprint.of(GaussianNB(), "bayes"), fingerprint.files
    (True, {})
    """

    digest: str
    files: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Any, name: str) -> "Fingerprint":
        """The fingerprint of a model; InputError names a part that cannot be recognised again."""
        files: dict[str, str] = {}
        try:
            description = repr(_describe(model, files))
            return cls(hashlib.sha256(description.encode()).hexdigest(), files)
        except _NotRecognised as error:
            parameter = "__".join(error.parameters)
            where = f"model {name!r}" + (f", parameter {parameter!r}" if parameter else "")
            raise InputError(
                f"{where}: {error}, so finished work cannot be recognised: define it in a file or "
                "a notebook, or leave out store="
            ) from None


def changed_module(files: Mapping[str, str]) -> str | None:
    """The first of these modules whose file has another hash in this process."""
    for name in files:
        if name in sys.modules and file_hash(sys.modules[name]) != files[name]:
            return name
    return None


def file_hash(module: ModuleType) -> str | None:
    """The hash of a module's file; None for one that was typed."""
    file = getattr(module, "__file__", None)
    if module.__name__ in _TYPED or file is None or not Path(file).is_file():
        return None
    return hashlib.sha256(Path(file).read_bytes()).hexdigest()


class _NotRecognised(Exception):  # noqa: N818
    """A value without source code or without a state, and the parameters that lead to it."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.parameters: tuple[str, ...] = ()


def _describe(value: Any, files: dict[str, str]) -> Any:
    """Nested lists of text, equal for values that act alike; notes the user's `files`."""
    if isinstance(value, type):
        return "class", [_describe_class(base, files) for base in value.__mro__]
    if isinstance(value, FunctionType):
        return _describe_function(value, files)
    if isinstance(value, MethodType):
        return "method", value.__name__, _describe(value.__self__, files)
    if isinstance(value, functools.partial):
        return "partial", _describe([value.func, value.args, value.keywords], files)
    if isinstance(value, list | tuple):
        return type(value).__name__, [_describe(item, files) for item in value]
    if isinstance(value, dict):
        return "dict", [_describe([*pair], files) for pair in value.items()]
    if hasattr(value, "get_params"):
        clone = getattr(type(value), "__sklearn_clone__", None)
        if clone in (None, BaseEstimator.__sklearn_clone__):
            return _describe_object(value, value.get_params(deep=False), files)
    elif hasattr(value, "__dict__") and _installed_version(type(value).__module__) is None:
        return _describe_object(value, vars(value), files)
    try:
        return "value", _describe(type(value), files), joblib.hash(value)
    except (PicklingError, TypeError, AttributeError) as error:
        raise _NotRecognised(f"a {type(value).__name__} cannot be hashed ({error})") from None


def _describe_object(value: Any, parameters: Mapping[str, Any], files: dict[str, str]) -> Any:
    parts = []
    for name, parameter in sorted(parameters.items()):
        try:
            parts.append((name, _describe(parameter, files)))
        except _NotRecognised as error:
            error.parameters = (name, *error.parameters)
            raise
    return "object", _describe(type(value), files), parts


def _describe_class(cls: type, files: dict[str, str]) -> Any:
    functions = [_function_of(member) for member in vars(cls).values()]
    source = _source(cls.__module__, [f for f in functions if f is not None], files)
    return f"{cls.__module__}.{cls.__qualname__}", source


def _describe_function(function: FunctionType, files: dict[str, str]) -> Any:
    source = _source(function.__module__ or "", [function], files)
    if not source:
        raise _NotRecognised(f"the function {function.__qualname__} has no source code")
    variables = [cell.cell_contents for cell in function.__closure__ or ()]
    values = [function.__defaults__, function.__kwdefaults__, variables]
    return "function", function.__qualname__, source, _describe(values, files)


def _function_of(member: Any) -> FunctionType | None:
    """The function in a method, property, static or class method; None for other members."""
    for name in ("fget", "__wrapped__", "__func__"):
        member = getattr(member, name, None) or member
    return member if isinstance(member, FunctionType) else None


def _source(module: str, functions: list[FunctionType], files: dict[str, str]) -> Any:
    """The version of an installed package, else the text of the file or cell; '' without any.

    The compiled code counts beside it: a file that was edited after its import has another text
    than the code that runs.
    """
    version = _installed_version(module)
    if version is not None:
        return version
    content = file_hash(sys.modules[module]) if module in sys.modules else None
    if content is not None:
        files[module] = content
        return content, [[*_instructions(function.__code__)] for function in functions]
    cells = {function.__code__.co_filename for function in functions}
    return "".join(line for cell in sorted(cells) for line in linecache.getlines(cell))


def _instructions(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield " ".join(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _instructions(constant)
        else:  # the order of a set differs between processes
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


@functools.cache
def _installed_version(module: str) -> str | None:
    """The version of the installed package that a module is of; None for the user's own code."""
    package = module.partition(".")[0]
    if package in sys.stdlib_module_names or package == "heliast":
        return package
    loaded = sys.modules.get(package)
    file = getattr(loaded, "__file__", None) or next(iter(getattr(loaded, "__path__", ())), "")
    if package in _TYPED or not {"site-packages", "dist-packages"} & set(Path(file).parts):
        return None
    version = getattr(loaded, "__version__", None)
    if not isinstance(version, str):
        names = importlib.metadata.packages_distributions().get(package, ())
        version = " ".join(importlib.metadata.version(name) for name in names)
    return f"{package} {version}"
