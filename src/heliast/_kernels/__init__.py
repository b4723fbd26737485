"""Compiled loops. The only package that imports Numba."""
