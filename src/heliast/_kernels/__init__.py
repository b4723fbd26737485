"""Compiled loops. The only package that imports Numba."""


def threads() -> int:
    """How many threads kernels use."""
    from heliast._kernels._jit import threads as of_kernels

    return of_kernels()
