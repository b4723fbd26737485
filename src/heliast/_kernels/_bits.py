"""The lowest one in a word."""

from typing import Any

from numba.core import cgutils, types

from ._jit import plainly


@plainly(lambda bits: (int(bits) & -int(bits)).bit_length() - 1)
def lowest(typing: Any, bits: Any) -> Any:
    """How many zeros stand below the lowest one of a uint64; int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate
