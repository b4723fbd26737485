"""Theory: why a model errs. Bias and variance, margins, bounds, consistency.

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
