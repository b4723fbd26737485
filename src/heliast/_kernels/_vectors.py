"""Eight numbers at a time, for kernels whose inner loops the compiler does not turn into SIMD.

LLVM runs a loop in SIMD lanes where it is long and alone. Loops over a handful of numbers inside
others are left as they are; there a kernel can say itself that eight neighbours go together:

    total = load(values, at) + load(values, at + 8)      # eight sums
    best = choose(total > best, total, best)             # lane by lane
    store(result, at, best)

LLVM fits eight numbers to the registers that there are. Arrays must be as long as they are read:
the last eight may reach beyond the numbers that count, so leave `PAD` behind them.

With NUMBA_DISABLE_JIT=1, for debugging, eight numbers are a NumPy array of eight: each operation
has its plain meaning beside it.
"""

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, models, register_model, type_callable

from ._jit import part, plainly

EIGHT = 8
PAD = EIGHT
"""Numbers behind an array that `load` may read and `store` may write."""

_ELEMENT = {
    types.float64: ir.DoubleType(), types.float32: ir.FloatType(), types.uint64: ir.IntType(64),
    types.boolean: ir.IntType(1),
}  # fmt: skip


@part
def whole_eights(count: Any) -> Any:
    """So many numbers in whole eights."""
    return (count + EIGHT - 1) // EIGHT * EIGHT


class Eight(types.Type):  # type: ignore[misc, unused-ignore]
    """The type of eight numbers, or of eight truths."""

    def __init__(self, dtype: Any) -> None:
        self.dtype = dtype
        super().__init__(name=f"Eight({dtype})")


@register_model(Eight)  # type: ignore[untyped-decorator, unused-ignore]
class _Model(models.PrimitiveModel):  # type: ignore[misc, unused-ignore]
    def __init__(self, manager: Any, of: Eight) -> None:
        kind = ir.VectorType(_ELEMENT[of.dtype], EIGHT)
        super().__init__(manager, of, kind)  # type: ignore[no-untyped-call, unused-ignore]


def _place(context: Any, builder: Any, kind: Any, array: Any, index: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    eight = ir.VectorType(_ELEMENT[kind.dtype], EIGHT)
    return builder.bitcast(builder.gep(data, [index]), eight.as_pointer())


@plainly(lambda array, index: array[index : index + EIGHT].copy())
def load(_: Any, array: Any, index: Any) -> Any:
    """Eight numbers of a flat array, from an index (uintp) on."""

    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        found = builder.load(_place(context, builder, signature.args[0], *given))
        found.align = array.dtype.bitwidth // 8
        return found

    return Eight(array.dtype)(array, types.uintp), make


@plainly(lambda array, index, value: array.__setitem__(slice(index, index + EIGHT), value))
def store(_: Any, array: Any, index: Any, value: Any) -> Any:
    """Put eight numbers into a flat array, from an index (uintp) on."""

    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        done = builder.store(given[2], _place(context, builder, signature.args[0], *given[:2]))
        done.align = array.dtype.bitwidth // 8
        return context.get_dummy_value()

    return types.none(array, types.uintp, value), make


@plainly(lambda number: np.full(EIGHT, number))
def fill(_: Any, number: Any) -> Any:
    """The same number eight times."""

    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        empty = ir.Constant(ir.VectorType(given[0].type, EIGHT), ir.Undefined)
        first = builder.insert_element(empty, given[0], ir.Constant(ir.IntType(32), 0))
        order = ir.Constant(ir.VectorType(ir.IntType(32), EIGHT), [0] * EIGHT)
        return builder.shuffle_vector(first, empty, order)

    return Eight(number)(number), make


@plainly(lambda value, other: value.astype(other.dtype))
def like(_: Any, value: Any, other: Any) -> Any:
    """Eight numbers in the precision of eight others."""

    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        to = given[1].type
        if signature.args[0] == signature.args[1]:
            return given[0]
        wider = other.dtype.bitwidth > value.dtype.bitwidth
        return (builder.fpext if wider else builder.fptrunc)(given[0], to)

    return other(value, other), make


@plainly(np.where)
def choose(_: Any, truths: Any, yes: Any, no: Any) -> Any:
    """Lane by lane `yes` where it is true, `no` where it is not."""

    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.select(*given)

    return yes(truths, yes, no), make


def _unary(step: Any, meaning: Any) -> Any:
    """A function of eight numbers that gives eight float32."""

    @plainly(meaning)
    def done(_: Any, value: Any) -> Any:
        def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            return step(builder, given[0])

        return Eight(types.float32)(value), make

    return done


_INTS = ir.VectorType(ir.IntType(32), EIGHT)
_SINGLES = ir.VectorType(ir.FloatType(), EIGHT)
_HALF = ir.Constant(ir.VectorType(ir.IntType(64), EIGHT), [32] * EIGHT)

# Halves are read as signed numbers, which registers turn into floats at once: below 2^31.
low_half = _unary(
    lambda to, v: to.sitofp(to.trunc(v, _INTS), _SINGLES),
    lambda v: (v & np.uint64(0xFFFFFFFF)).astype(np.float32),
)
"""The low 32 bits of eight uint64."""
high_half = _unary(
    lambda to, v: to.sitofp(to.trunc(to.lshr(v, _HALF), _INTS), _SINGLES),
    lambda v: (v >> np.uint64(32)).astype(np.float32),
)
"""The high 32 bits of eight uint64."""


def _square_root(to: Any, value: Any) -> Any:
    kind = ir.FunctionType(_SINGLES, [_SINGLES])
    return to.call(to.module.declare_intrinsic(f"llvm.sqrt.v{EIGHT}f32", (), kind), [value])


square_root = _unary(_square_root, np.sqrt)
"""The square roots of eight float32."""


def _lane_by_lane(sign: Any, step: Any, truths: bool = False) -> None:
    """An operation of two times eight numbers; `step` tells LLVM which.

    Said of the sign itself: as a function (`overload`) each would be compiled for each kernel.
    """

    @type_callable(sign)  # type: ignore[untyped-decorator, unused-ignore]
    def typed(_: Any) -> Any:
        def found(a: Any, b: Any) -> Any:
            if isinstance(a, Eight) and a == b:
                return Eight(types.boolean) if truths else a
            return None

        return found

    @lower_builtin(sign, Eight, Eight)  # type: ignore[untyped-decorator, no-untyped-call, unused-ignore]
    def make(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return step(builder, *given)


def _plus(to: Any, a: Any, b: Any) -> Any:
    whole = isinstance(a.type.element, ir.IntType)
    return to.add(a, b) if whole else to.fadd(a, b)


# Comparisons with NaN are false, as everywhere.
_lane_by_lane(operator.add, _plus)
_lane_by_lane(operator.sub, lambda to, a, b: to.fsub(a, b))
_lane_by_lane(operator.mul, lambda to, a, b: to.fmul(a, b))
_lane_by_lane(operator.truediv, lambda to, a, b: to.fdiv(a, b))
_lane_by_lane(operator.gt, lambda to, a, b: to.fcmp_ordered(">", a, b), truths=True)
_lane_by_lane(operator.ge, lambda to, a, b: to.fcmp_ordered(">=", a, b), truths=True)
_lane_by_lane(operator.and_, lambda to, a, b: to.and_(a, b), truths=True)
_lane_by_lane(operator.or_, lambda to, a, b: to.or_(a, b), truths=True)
