"""Whether a perfect base gives the perfect vote."""

from typing import Any

from heliast.codes._hamming import between_rows, smallest
from heliast.codes._matrix import as_code


def is_bayes_consistent(code: Any) -> bool:
    """Whether L1 decoding picks the most probable class whenever all columns are answered right.

    True if and only if all pairs of rows differ in the same number of columns, and that number is
    positive. (Theorem 1 of the thesis asks only for equal distances: a code of equal rows has them
    and tells nothing apart.) With p = Z'q the distances are L_i = sum over l of q_l D_il, which
    is D (1 - q_i) when all D_il equal D.

    >>> from heliast.codes import hadamard
    >>> is_bayes_consistent(hadamard(26))
    True
    >>> is_bayes_consistent([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    False

    Reference: James (1998), Majority Vote Classifiers, theorem 1.
    """
    distances = between_rows(as_code(code))
    least = smallest(distances)
    return least > 0 and least == int(distances.max())
