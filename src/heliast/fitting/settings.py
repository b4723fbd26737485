"""What decides results beside models, data and plan: versions, settings and variables."""

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast.fitting.store._origin import version_of

VARIABLES: Mapping[str, str] = {
    "SCIPY_ARRAY_API": "SciPy takes other ways through its functions",
    "SCIPY_USE_PROPACK": "another solver of sparse singular values",
    "NPY_PROMOTION_STATE": "numbers of other precision in NumPy",
    "NPY_DISABLE_CPU_FEATURES": "other loops in NumPy, other last digits",
    "NPY_ENABLE_CPU_FEATURES": "other loops in NumPy, other last digits",
    "OPENBLAS_CORETYPE": "other kernels of linear algebra, other last digits",
    "MKL_CBWR": "other kernels of linear algebra, other last digits",
    "MKL_ENABLE_INSTRUCTIONS": "other kernels of linear algebra, other last digits",
    "MKL_DEBUG_CPU_TYPE": "other kernels of linear algebra, other last digits",
    "BLIS_ARCH_TYPE": "other kernels of linear algebra, other last digits",
    "NUMBA_CPU_NAME": "other instructions in compiled loops, other last digits",
    "NUMBA_CPU_FEATURES": "other instructions in compiled loops, other last digits",
    "NUMBA_DISABLE_JIT": "loops that are not compiled, other last digits",
}
"""Variables of the environment that change results, and how.

Those of scikit-learn (SKLEARN_ASSUME_FINITE and its kin) are the first values of its settings,
which count. Those of threads (OMP_NUM_THREADS and its kin) do not: one thread computes a cell.
"""
_PACKAGES = ("heliast", "numpy", "scipy", "sklearn", "numba")
_SHOWN = frozenset({"display", "print_changed_only"})
"""Settings of scikit-learn that change what is shown only."""


@dataclass(frozen=True)
class Settings:
    """What the caller has set in scikit-learn and NumPy; it holds wherever cells are made.

    >>> here = Settings.here()
    >>> with here.applied():
    ...     Settings.here() == here
    True
    """

    sklearn: Mapping[str, Any]
    numpy: Mapping[str, Any]

    @classmethod
    def here(cls) -> "Settings":
        """Those of this thread."""
        from sklearn import get_config

        held = {name: value for name, value in get_config().items() if name not in _SHOWN}
        return cls(held, {**np.geterr()})

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Have them hold here, in a worker, say, which has its own."""
        from sklearn import config_context

        with config_context(**self.sklearn), np.errstate(**self.numpy):
            yield

    def mark(self) -> tuple[object, ...]:
        """All that decides results beside models, data and plan, as plain values."""
        return (
            *versions(),
            sorted(self.sklearn.items()),
            sorted(self.numpy.items()),
            [(name, os.environ[name]) for name in sorted(VARIABLES) if name in os.environ],
        )


def versions() -> tuple[object, ...]:
    """What runs the code of every model here: Python, and the packages under all of them."""
    python = (platform.python_implementation(), *sys.version_info[:2], sys.flags.optimize)
    return (python, *(version_of(name) for name in _PACKAGES))
