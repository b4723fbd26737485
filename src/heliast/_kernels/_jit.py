"""The decorators that own Numba's flags, and the two ways in which one definition runs.

A kernel is compiled when it is first called, or read from disk (`kept`); only then is Numba
imported, which takes half a second. Where a kernel passes once over little data it runs as it is
written instead: the same function, the same bits. Kernels release the GIL; `crew` spreads their
work.
"""

import os
import threading
from collections.abc import Callable
from functools import cached_property, update_wrapper
from time import perf_counter
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
"""Whether kernels are left as they are written, for a debugger: NUMBA_DISABLE_JIT=1."""
LIGHT = 1 << 14
"""Values in the arrays of a light kernel up to which it runs as it is written: milliseconds."""
BUDGET = 0.2
"""Seconds of such runs after which Numba is worth its import."""

_making = threading.RLock()


class Kernel:
    """A function that is compiled when first called; what it calls of ours is compiled with it."""

    def __init__(self, function: Callable[..., Any], light: bool = False, **options: Any) -> None:
        update_wrapper(self, function)
        self.py_func, self._light, self._options = function, light, options

    def __call__(self, *given: Any) -> Any:
        if PLAIN:
            return self.plain(*given)
        if self._light and "compiled" not in self.__dict__ and _is_little(given):
            return _timed(self.plain, given)
        return self.compiled(*given)

    def __getattr__(self, name: str) -> Any:
        """Whatever else is asked of it is what Numba knows: `signatures`, `stats`, ..."""
        if PLAIN or name.startswith("__") or name in vars(Kernel):
            raise AttributeError(name)
        return getattr(self.compiled, name)

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    @cached_property
    def plain(self) -> Callable[..., Any]:
        """The function as it is written, calling others as they are written."""
        run = self._calling("plain")  # numbers overflow as quietly as when compiled
        return run if self._is_part else np.errstate(all="ignore")(run)

    @cached_property
    def compiled(self) -> Any:
        """What Numba makes of it, for Python to call; the same for whoever asks."""
        return self._made("compiled", no_cfunc_wrapper=True)

    @cached_property
    def called(self) -> Any:
        """The same for other kernels to call: without what turns Python's objects into arrays.

        That is a good part of what there is to compile, and from Python it cannot be called.
        """
        return self._made("called", no_cfunc_wrapper=True, no_cpython_wrapper=True)

    def _made(self, form: str, **options: Any) -> Any:
        with _making:
            if form not in self.__dict__:  # another thread may have been first
                import numba

                from .kept import Kept, aim

                aim()
                made = numba.njit(**self._options, **options)(self._calling("called"))
                if not self._is_part:
                    # Numba has no public way to give it another.
                    made._cache = Kept(self.py_func, form)
                self.__dict__[form] = made
            return self.__dict__[form]

    @property
    def _is_part(self) -> bool:
        return "inline" in self._options

    def _calling(self, form: str) -> Callable[..., Any]:
        """A copy of the function in which the names of kernels mean this form of them."""
        function = cast(FunctionType, self.py_func)
        names = {**function.__globals__}
        made = FunctionType(
            function.__code__,
            names,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        made.__qualname__, made.__doc__ = function.__qualname__, function.__doc__
        for name in function.__code__.co_names:
            if isinstance(names.get(name), Kernel):
                names[name] = getattr(names[name], form)
        return made


def kernel(function: F) -> F:
    """Compile on first call; cached on disk; no GIL; NaN and infinity behave as IEEE says."""
    return _kernel(function)


def light_kernel(function: F) -> F:
    """A kernel that passes over its arrays once, in an order that compiling does not change.

    Up to `LIGHT` values it runs as it is written while Numba is not there. So its arithmetic must
    be the same in both forms: no powers, no `np.log` and the like, whose last bits differ; no sums
    of integers narrower than 64 bits, which NumPy does not widen.
    """
    return _kernel(function, light=True)


def summing_kernel(function: F) -> F:
    """A kernel whose float sums may be taken in another order, so that they run in SIMD lanes.

    The order is fixed when the kernel is compiled: results do not vary from run to run. NaN and
    infinity still behave as IEEE says; only reassociation, fused products and the sign of zero
    are released.
    """
    return _kernel(function, fastmath={"reassoc", "contract", "nsz"})


def fusing_kernel(function: F) -> F:
    """A kernel in which a product and a sum may be one step, rounded once; the rest as in IEEE."""
    return _kernel(function, fastmath={"contract"})


def _kernel(function: F, **options: Any) -> F:
    return cast(F, Kernel(function, nogil=True, error_model="numpy", **options))


def part(function: F) -> F:
    """A piece of a kernel that is put into its callers before they are compiled.

    A call hands over every array with two counts of its owners, each an atomic step: too dear
    where the work is tiny.
    """
    return cast(F, Kernel(function, inline="always", error_model="numpy"))


def plainly(meaning: Any) -> Any:
    """A decorator for what LLVM is told directly; left as written it is its plain `meaning`.

    Untyped: what it makes is called without the typing context that its function takes.
    """
    if PLAIN:
        return lambda _: meaning
    from numba.extending import intrinsic

    return intrinsic


_spent = 0.0
"""Seconds in which kernels have run as they are written."""


def _is_little(given: tuple[Any, ...]) -> bool:
    values = sum(one.size for one in given if isinstance(one, np.ndarray))
    return values <= LIGHT and _spent < BUDGET


def _timed(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    global _spent
    began = perf_counter()
    found = function(*given)
    _spent += perf_counter() - began
    return _unboxed(found)


def _unboxed(found: Any) -> Any:
    """Numbers of Python in place of NumPy's, as compiled code gives them."""
    if isinstance(found, tuple):
        return tuple(map(_unboxed, found))
    return found.item() if isinstance(found, np.generic) else found
