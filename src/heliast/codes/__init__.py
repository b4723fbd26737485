"""Codes: matrices of 0 and 1, a row a class and a column a question. One file each."""

from heliast.codes._convergence_bound import convergence_bound
from heliast.codes._describe import Description, describe
from heliast.codes._designed import designed
from heliast.codes._exhaustive import exhaustive
from heliast.codes._hadamard import hadamard
from heliast.codes._hamming import hamming
from heliast.codes._identity import identity
from heliast.codes._is_bayes_consistent import is_bayes_consistent
from heliast.codes._make import make, names
from heliast.codes._matrix import as_code
from heliast.codes._random import random
from heliast.codes._trained import trained

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
