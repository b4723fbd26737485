"""heliast assesses, compares and combines classifiers, and says how sure it is.

>>> import heliast as hl
>>> preds = hl.Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
>>> hl.assess(preds)["model", "error"].value
0.25
"""

from heliast._lazy import attach

__version__ = "0.1.0"
__getattr__ = attach(__name__, __file__)


def __dir__() -> list[str]:
    return [*__getattr__("__all__"), "__version__"]
