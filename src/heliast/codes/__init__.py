"""Output codes: matrices of 0 and 1, a row per class and a column per binary problem."""

from heliast.codes._constructed import exhaustive, hadamard, identity, random
from heliast.codes._describe import (
    Description,
    convergence_bound,
    describe,
    hamming,
    is_bayes_consistent,
)
from heliast.codes._make import make, names
from heliast.codes._searched import designed, trained
from heliast.codes.matrix import as_code

__all__ = [
    "Description",
    "as_code",
    "convergence_bound",
    "describe",
    "designed",
    "exhaustive",
    "hadamard",
    "hamming",
    "identity",
    "is_bayes_consistent",
    "make",
    "names",
    "random",
    "trained",
]
