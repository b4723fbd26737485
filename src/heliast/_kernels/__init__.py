"""Statistics of large arrays in NumPy, and compiled loops: the only package that imports Numba."""
