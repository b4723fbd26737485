"""Properties of a code: distances, Bayes consistency, and the rate of convergence in B."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import ArrayLike, Floats
from heliast._core.records import Shown
from heliast.codes.matrix import Code, as_bits, as_code, row_distances, wasted_columns


def hamming(code: ArrayLike) -> Code:
    """Hamming distances between the code words of the classes.

    D_il = sum over j of |Z_ij - Z_lj|. The smallest says how many wrong columns can be corrected;
    `hamming(code.T)` gives the distances between columns, where k means the same binary problem
    with its sides swapped.

    Parameters
    ----------
    code : array-like
        Matrix of 0 and 1, (k, B): a row a class and a column a binary problem; or its transpose.

    Returns
    -------
    array
        Distances, (k, k), with zeros on the diagonal.

    Raises
    ------
    InputError
        If `code` holds anything but 0 and 1.

    Examples
    --------
    >>> hamming([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    array([[0, 2, 2, 3],
           [2, 0, 2, 1],
           [2, 2, 0, 1],
           [3, 1, 1, 0]])

    References
    ----------
    Hamming (1950), Bell System Technical Journal 29, 147-160.
    """
    return row_distances(as_bits(np.atleast_2d(np.asarray(code))))


def column_separations(code: Code) -> Code:
    """Return how far two columns are from the same binary problem, min(d, k - d), (B, B)."""
    distances = row_distances(code.T)
    return np.minimum(distances, len(code) - distances)


def pairs(distances: Code) -> Code:
    """Return the distances between two different rows, each pair once."""
    return distances[np.triu_indices(len(distances), 1)]


def is_bayes_consistent(code: ArrayLike) -> bool:
    """Whether L1 decoding picks the most probable class whenever all columns are answered right.

    True if and only if all pairs of rows differ in the same number of columns, and that number is
    positive. (Theorem 1 of the thesis asks only for equal distances, which a code of equal rows
    has too.) With p = Z'q the distances are L_i = sum over l of q_l D_il, which is D (1 - q_i)
    when all D_il equal D.

    Parameters
    ----------
    code : array-like
        Matrix of 0 and 1, (k, B): a row a class and a column a binary problem.

    Returns
    -------
    bool
        Whether all rows are equally far apart, and not equal.

    Raises
    ------
    InputError
        If `code` is not a matrix of 0 and 1 with two or more rows.

    Examples
    --------
    >>> from heliast.codes import hadamard
    >>> is_bayes_consistent(hadamard(26))
    True
    >>> is_bayes_consistent([[0, 1, 1], [0, 0, 0], [1, 1, 0], [1, 0, 0]])
    False

    References
    ----------
    James (1998), Majority Vote Classifiers, theorem 1.
    """
    return describe(code).bayes_consistent


def convergence_bound(k: int, gap: ArrayLike, columns: ArrayLike, printed: bool = False) -> Floats:
    """Bound of how far the error rate with B columns is from its limit: (k - 1) exp(-B gap^2 / 8).

    For a code of independent fair bits; at most 1. `gap` is the difference between the two largest
    limits of D-bar at the point in question. The bound is Hoeffding's: a difference of two D-bars
    is a mean of B terms in [-2, 2]. The thesis prints the exponent gap / 8, which does not hold;
    `printed=True` computes it (rows 0.2 and 0.5 of its table 2.2 follow gap^2, row 0.9 gap).

    Parameters
    ----------
    k : int
        Number of classes, at least 2.
    gap : array-like
        Difference between the two largest limits of D-bar, 0 to 2.
    columns : array-like
        Number of columns B, 0 or more.
    printed : bool, default False
        Whether to take the exponent as the thesis prints it.

    Returns
    -------
    float or array
        The bound, in the common shape of `gap` and `columns`.

    Raises
    ------
    InputError
        If `gap` is outside 0 to 2, `k` is below 2, or `columns` is negative.

    Examples
    --------
    >>> convergence_bound(10, 0.5, 100).round(3)
    np.float64(0.395)
    >>> convergence_bound(10, 0.9, [50, 100]).round(4)
    array([0.057 , 0.0004])

    References
    ----------
    James (1998), Majority Vote Classifiers, theorem 5; Hoeffding (1963), Journal of the American
    Statistical Association 58, 13-30.
    """
    gap, columns = np.asarray(gap, np.float64), np.asarray(columns, np.float64)
    if k < 2 or not ((gap >= 0) & (gap <= 2) & (columns >= 0)).all():
        raise InputError(
            f"k={k!r}, gap={gap!s}, columns={columns!s}: give two or more classes, a difference of "
            "two D-bars, which is 0 to 2, and columns >= 0"
        )
    rate = (gap if printed else gap**2) / 8
    bound: Floats = np.minimum(1.0, (k - 1) * np.exp(-rate * columns))
    return bound


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Description(Shown):
    """Properties of a code, as `describe` finds them.

    Parameters
    ----------
    k : int
        Number of classes.
    columns : int
        Number of columns B.
    row_distances : array
        (k, k): in how many columns two classes differ.
    column_distances : array
        (B, B): how far two columns are from the same binary problem, min(d, k - d).
    row_smallest : int
        Smallest distance between two rows.
    row_largest : int
        Largest distance between two rows.
    row_mean : float
        Mean distance between two rows.
    column_smallest : int
        Smallest separation of two columns.
    correctable : int
        So many wrong columns cannot change a hard vote: (smallest row distance - 1) / 2, floored.
    bayes_consistent : bool
        Whether L1 decoding is right whenever all columns are (theorem 1).
    rank : int
        Rank of the code as a matrix of numbers.
    regression_consistent : bool
        Whether least-squares decoding is (theorem 6): the rank is k.
    constant_columns : int
        Columns that have all classes on one side.
    repeated_columns : int
        Columns that repeat or complement another.
    notes : tuple of str
        Weaknesses of the code, in words.

    Examples
    --------
    >>> from heliast.codes import describe, identity
    >>> describe(identity(4)).correctable
    0
    """

    k: int
    columns: int
    row_distances: Code
    column_distances: Code
    row_smallest: int
    row_largest: int
    row_mean: float
    column_smallest: int
    correctable: int
    bayes_consistent: bool
    rank: int
    regression_consistent: bool
    constant_columns: int
    repeated_columns: int
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        apart = f"{self.row_smallest} to {self.row_largest}"
        if self.row_smallest == self.row_largest:
            apart = str(self.row_smallest)
        parts = [
            f"rows differ in {apart} columns",
            f"corrects {self.correctable} wrong",
            f"columns differ in {self.column_smallest} classes or more",
            "Bayes consistent" if self.bayes_consistent else "not Bayes consistent",
            *self.notes,
        ]
        return f"<Code: {self.k} classes, {self.columns} columns; {'; '.join(parts)}>"


def describe(code: ArrayLike) -> Description:
    """Distances, Bayes consistency, rank and wasted columns of a code.

    Parameters
    ----------
    code : array-like
        Matrix of 0 and 1, (k, B): a row a class and a column a binary problem.

    Returns
    -------
    Description
        Distances, rank, consistency and notes.

    Raises
    ------
    InputError
        If `code` is not a matrix of 0 and 1 with two or more rows.

    Examples
    --------
    >>> from heliast.codes import hadamard, identity
    >>> describe(identity(4))
    <Code: 4 classes, 4 columns; rows differ in 2 columns; corrects 0 wrong; columns differ in 2
    classes or more; Bayes consistent>
    >>> description = describe(hadamard(26))
    >>> description.row_smallest, description.correctable, description.bayes_consistent
    (16, 7, True)
    """
    code = as_code(code)
    k, columns = code.shape
    rows, separations = row_distances(code), column_separations(code)
    distances = pairs(rows)
    least, most = int(distances.min()), int(distances.max())
    constant, repeated = wasted_columns(code)
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    notes = {
        "some classes share a word and cannot be told apart": least == 0,
        f"{constant} constant columns ask nothing": constant > 0,
        f"{repeated} columns repeat or complement another": repeated > 0,
        f"rank {rank} below {k}: least squares gives scores of minimum norm": rank < k,
    }
    return Description(
        k=k,
        columns=columns,
        row_distances=rows,
        column_distances=separations,
        row_smallest=least,
        row_largest=most,
        row_mean=float(distances.mean()),
        column_smallest=int(pairs(separations).min()) if columns > 1 else 0,
        correctable=max(0, (least - 1) // 2),
        bayes_consistent=least == most > 0,
        rank=rank,
        regression_consistent=rank == k,
        constant_columns=constant,
        repeated_columns=repeated,
        notes=tuple(note for note, holds in notes.items() if holds),
    )
