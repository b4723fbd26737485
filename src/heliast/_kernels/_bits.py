"""The lowest one in a word. This file must not change: kernels elsewhere are cached with it."""

from typing import Any

from numba.core import cgutils, types
from numba.extending import intrinsic


def _lowest(typing: Any, bits: Any) -> Any:
    """How many zeros stand below the lowest one of a uint64; int64."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], cgutils.true_bit)

    return types.int64(types.uint64), generate


lowest: Any = intrinsic(_lowest)
