"""Codes: matrices of 0 and 1, a row a class and a column a question. One file a family.

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
