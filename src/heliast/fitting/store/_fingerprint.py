"""A name for a model that changes whenever its results could: class, source, parameters."""

import hashlib
import inspect
import sys
import sysconfig
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.errors import InputError


def fingerprint(model: Any) -> str:
    """A hash of the model's class (and its source, if it is the user's own) and parameters.

    Parameters
    ----------
    model : estimator
        A scikit-learn estimator.

    Returns
    -------
    str
        16 hexadecimal digits.

    Raises
    ------
    InputError
        If a parameter cannot be fingerprinted, such as a lambda.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> fingerprint(GaussianNB()) == fingerprint(GaussianNB(var_smoothing=1e-9))
    True
    """
    return hashlib.sha256(describe(model, type(model).__name__).encode()).hexdigest()[:16]


def describe(value: Any, where: str) -> str:
    """The value in words that fix it; refused when no words can (a lambda, a generator)."""
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return repr(value)
    if isinstance(value, (np.ndarray, np.generic)):
        return _array(value, where)
    if isinstance(value, (list, tuple)):
        return f"({','.join(describe(item, where) for item in value)})"
    if isinstance(value, (set, frozenset)):
        return f"{{{','.join(sorted(describe(item, where) for item in value))}}}"
    if isinstance(value, Mapping):
        pairs = sorted(
            f"{describe(key, where)}:{describe(item, where)}" for key, item in value.items()
        )
        return f"{{{','.join(pairs)}}}"
    if isinstance(value, type) or inspect.isroutine(value):
        return _named(value, where)
    if hasattr(value, "get_params") and not isinstance(value, type):
        return _estimator(value, where)
    raise InputError(
        f"{where}: {type(value).__name__} cannot be fingerprinted, so the store could not tell "
        "when to redo the work; use plain values, a named function or class, or leave out store="
    )


def _array(value: Any, where: str) -> str:
    array = np.asarray(value)
    if array.dtype.hasobject:
        return describe(array.tolist(), where)
    content = hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest()
    return f"array{array.shape}{array.dtype}{content}"


def _named(value: Any, where: str) -> str:
    name = getattr(value, "__qualname__", "")
    if "<lambda>" in name or "<locals>" in name or not name:
        raise InputError(
            f"{where}: {name or value!r} has no name that another process could find, so the store "
            "cannot tell when it changes; use a named function of a module, or run without store="
        )
    return f"{value.__module__}.{name}{_source(value)}"


def _estimator(value: Any, where: str) -> str:
    kind = type(value)
    parameters = sorted(value.get_params(deep=False).items())
    told = ",".join(f"{name}={describe(item, f'{where}.{name}')}" for name, item in parameters)
    source = _source(kind)  # type: ignore[arg-type]
    return f"{kind.__module__}.{kind.__qualname__}{_version(kind)}{source}({told})"


def _version(kind: type) -> str:
    package = sys.modules.get(kind.__module__.partition(".")[0])
    return f"@{getattr(package, '__version__', '')}"


@lru_cache(maxsize=1000)
def _source(value: Any) -> str:
    """A hash of the source of what is not installed: the user may edit it between two runs."""
    module = sys.modules.get(value.__module__)
    file = getattr(module, "__file__", None)
    if file is None and value.__module__ != "__main__":
        return ""
    if file is not None and _is_installed(Path(file)):
        return ""
    try:
        return "#" + hashlib.sha256(inspect.getsource(value).encode()).hexdigest()[:16]
    except (OSError, TypeError):  # typed at a prompt: no source to be had
        return "#?"


def _is_installed(file: Path) -> bool:
    return any(file.is_relative_to(root) for root in _installed())


@cache
def _installed() -> tuple[Path, ...]:
    kinds = ("stdlib", "platstdlib", "purelib", "platlib")
    return (*(Path(sysconfig.get_paths()[kind]) for kind in kinds), Path(__file__).parents[2])
