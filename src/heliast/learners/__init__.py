"""Learners: only what scikit-learn lacks, as scikit-learn estimators. One folder or file each.

The names stand in `__init__.pyi` and are imported on first use.
"""

from heliast._lazy import attach

__getattr__ = attach(__name__, __file__)
