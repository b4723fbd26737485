"""The decorators that own Numba's flags.

Compiled kernels are kept on disk (`kept`). Kernels release the GIL; `crew` spreads their work.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.extending import intrinsic

from .kept import Kept

F = TypeVar("F", bound=Callable[..., Any])

PLAIN: bool = numba.config.DISABLE_JIT  # type: ignore[attr-defined, unused-ignore]
"""Whether kernels are left as they are written, for a debugger: NUMBA_DISABLE_JIT=1."""


def kernel(function: F) -> F:
    """Compile on first call; cached on disk; no GIL; NaN and infinity behave as IEEE says."""
    return _compiled(function)


def summing_kernel(function: F) -> F:
    """A kernel whose float sums may be taken in another order, so that they run in SIMD lanes.

    The order is fixed when the kernel is compiled: results do not vary from run to run. NaN and
    infinity still behave as IEEE says; only reassociation, fused products and the sign of zero
    are released.
    """
    return _compiled(function, fastmath={"reassoc", "contract", "nsz"})


def _compiled(function: F, **loose: Any) -> F:
    if PLAIN:  # numbers overflow as quietly as when compiled
        return np.errstate(all="ignore")(function)
    compiled = numba.njit(nogil=True, error_model="numpy", **loose)(function)
    compiled._cache = Kept(function)  # Numba has no public way to give it another cache
    return cast(F, compiled)


def part(function: F) -> F:
    """A piece of a kernel that is put into its callers before they are compiled.

    A call hands over every array with two counts of its owners, each an atomic step: too dear
    where the work is tiny.
    """
    return cast(F, numba.njit(inline="always")(function))


def plainly(meaning: Any) -> Any:
    """A decorator for what LLVM is told directly; left as written it is its plain `meaning`.

    Untyped: what it makes is called without the typing context that its function takes.
    """
    return (lambda _: meaning) if PLAIN else intrinsic
