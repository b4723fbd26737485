"""Ensembles: the family of majority votes, as scikit-learn estimators. One file each.

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
