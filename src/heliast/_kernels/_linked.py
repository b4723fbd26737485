"""Kernels as other kernels call them: linked into their callers, and optimised there alone.

Numba compiles whatever a kernel calls as if it were called from Python as well: it is optimised,
turned into machine code and given wrappers, and then optimised again inside each caller. Here what
is called becomes part of its callers unfinished, which halves the time that trees take to compile.
And a number in a call is a number, not a type of its own, for which all would be compiled again.
"""

from typing import Any, cast

from numba import types
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


def called(made: Any) -> Any:
    """A dispatcher of Numba that is asked by kernels."""
    asked, plain = made.get_call_template, cast(Any, types.unliteral)

    def ask(args: Any, kws: Any) -> Any:
        return asked(tuple(map(plain, args)), {name: plain(one) for name, one in dict(kws).items()})

    made.get_call_template = ask
    return made


class Linked(Compiler):  # type: ignore[misc, unused-ignore]
    """Compiles a function into code that is to be linked into that of others."""

    def compile_extra(self, func: Any) -> Any:
        library = cast(Any, _Unfinished)
        self.state.library = library(self.state.targetctx.codegen(), func.__qualname__)
        return super().compile_extra(func)  # type: ignore[no-untyped-call, unused-ignore]


class _Unfinished(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
    """Code that is never run by itself: functions are made simple, the rest is for the caller."""

    _codegen: Any

    def _optimize_functions(self, ll_module: Any) -> None:
        # As Numba does it, but not for each of the hundred functions that are only declared.
        if not hasattr(self._codegen, "_pass_builder"):  # Numba with LLVM's older passes
            super()._optimize_functions(ll_module)  # type: ignore[no-untyped-call, unused-ignore]
            return
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call, unused-ignore]
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """There is none to run."""
        return 0

    @property
    def codegen(self) -> Any:
        """Itself: what is set here concerns code that runs."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Whoever is linked with it has its own."""
