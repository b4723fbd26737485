"""Codes: matrices of 0 and 1, a row a class and a column a question. One file a family."""

from heliast.codes._describe import (
    Description,
    convergence_bound,
    describe,
    hamming,
    is_bayes_consistent,
)
from heliast.codes._designed import designed
from heliast.codes._fixed import exhaustive, hadamard, identity
from heliast.codes._make import make, names
from heliast.codes._random import random
from heliast.codes._trained import trained
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
