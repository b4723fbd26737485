"""Exact predictions of refitted scikit-learn models, without refitting them.

`find(model, X, truth, classes)` gives a `Shortcut`, or None when these settings have none.
"""

from heliast.fitting.shortcuts._find import find
from heliast.fitting.shortcuts._shortcut import Guess, Shortcut

__all__ = ["Guess", "Shortcut", "find"]
