"""Plans: how rows are split into training and test rows. One file a plan.

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
