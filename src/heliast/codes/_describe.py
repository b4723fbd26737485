"""What a code is worth: distances, consistency, how fast more columns settle the vote."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.records import as_dict
from heliast._core.told import told
from heliast.codes._random import random
from heliast.codes.matrix import Code, as_code, wasted_columns


@told(
    {"code": "array-like: The code, (k, B), or its transpose for distances between columns."},
    returns="array: Distances, (k, k), with zeros on the diagonal.",
    raises="If `code` holds anything but 0 and 1.",
)
def hamming(code: npt.ArrayLike) -> Code:
    """In how many columns two classes differ: the (k, k) distances between the rows.

    D_il = sum over j of |Z_ij - Z_lj|. The smallest says how many wrong columns can be corrected;
    `hamming(code.T)` gives the distances between columns, where k means the same question asked
    the other way round.

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
    words = np.atleast_2d(np.asarray(code))
    return between_rows(as_code(words) if words.shape[0] > 1 else words)


def between_rows(code: npt.ArrayLike) -> Code:
    """The same, unchecked."""
    signs = 1.0 - 2.0 * np.asarray(code, np.float64)  # in floats: a product of BLAS, exact
    return np.asarray(np.rint((signs.shape[1] - signs @ signs.T) / 2).astype(np.int64))


def between_columns(code: npt.ArrayLike) -> Code:
    """(B, B): how far two columns are from asking the same question, min(d, k - d)."""
    distances = between_rows(np.asarray(code).T)
    return np.asarray(np.minimum(distances, np.asarray(code).shape[0] - distances))


def smallest(distances: Code) -> int:
    """The smallest distance between two different words; of a single word, 0."""
    n = distances.shape[0]
    return int(distances[~np.eye(n, dtype=bool)].min()) if n > 1 else 0


@told(
    {"code": "array-like: The code, (k, B): 0 and 1, a row a class and a column a question."},
    returns="bool: Whether all rows are equally far apart, and not equal.",
    raises="If `code` is not a matrix of 0 and 1 with two or more rows.",
)
def is_bayes_consistent(code: npt.ArrayLike) -> bool:
    """Whether L1 decoding picks the most probable class whenever all columns are answered right.

    True if and only if all pairs of rows differ in the same number of columns, and that number is
    positive. (Theorem 1 of the thesis asks only for equal distances: a code of equal rows has them
    and tells nothing apart.) With p = Z'q the distances are L_i = sum over l of q_l D_il, which
    is D (1 - q_i) when all D_il equal D.

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
    distances = between_rows(as_code(code))
    least = smallest(distances)
    return least > 0 and least == int(distances.max())


@told(
    random,
    returns="float or array: The bound, in the common shape of `gap` and `columns`.",
    raises="If `gap` is outside 0 to 2, `k` is below 2, or `columns` is negative.",
)
def convergence_bound(
    k: int, gap: npt.ArrayLike, columns: npt.ArrayLike, printed: bool = False
) -> npt.NDArray[np.float64]:
    """How far the error with B columns can be from its limit: (k - 1) exp(-B gap^2 / 8), at most 1.

    For a code of independent fair bits. `gap` is the difference between the two largest limits
    of D-bar at the point in question. The bound is Hoeffding's: a difference of two D-bars is a
    mean of B terms in [-2, 2]. The thesis prints the exponent gap / 8, which does not hold;
    `printed=True` computes it (rows 0.2 and 0.5 of its table 2.2 follow gap^2, row 0.9 gap).

    Parameters
    ----------
    gap : array-like
        Difference between the two largest limits of D-bar, 0 to 2.
    columns : array-like
        Number of columns B, 0 or more.
    printed : bool, default False
        Whether to take the exponent as the thesis prints it.

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
    if not ((gap >= 0) & (gap <= 2)).all():
        raise InputError(f"gap={gap!s}: a difference of two D-bars lies between 0 and 2")
    if k < 2 or not (columns >= 0).all():
        raise InputError(f"k={k!r}, columns={columns!s}: two or more classes, no negative columns")
    exponent = (gap if printed else gap**2) / 8
    found: npt.NDArray[np.float64] = np.minimum(1.0, (k - 1) * np.exp(-exponent * columns))
    return found


@told(
    {
        "k": "int: Number of classes.",
        "columns": "int: Number of columns B.",
        "row_distances": "array: (k, k): in how many columns two classes differ.",
        "column_distances": "array: (B, B): how far two columns are from asking the same, min(d, k "
        "- d).",
        "row_smallest": "int: Smallest distance between two rows.",
        "row_largest": "int: Largest distance between two rows.",
        "row_mean": "float: Mean distance between two rows.",
        "column_smallest": "int: Smallest separation of two columns.",
        "correctable": "int: So many wrong columns cannot change a hard vote: (smallest row "
        "distance - 1) / 2, floored.",
        "bayes_consistent": "bool: Whether L1 decoding is right whenever all columns are (theorem "
        "1).",
        "rank": "int: Rank of the code as a matrix of numbers.",
        "regression_consistent": "bool: Whether least-squares decoding is (theorem 6): the rank is "
        "k.",
        "constant_columns": "int: Columns that have all classes on one side.",
        "repeated_columns": "int: Columns that repeat or complement another.",
        "notes": "tuple of str: What to know of the code, in words.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Description:
    """What `describe` found.

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

    @told(
        {"gap": "array-like: Difference between the two largest limits of D-bar, 0 to 2."},
        returns="np.float64 or array: The bound of `convergence_bound`, 0 to 1.",
    )
    def bound(self, gap: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """How far the error can be from its limit in B, for a code of fair independent bits."""
        return convergence_bound(self.k, gap, self.columns)

    @told({}, returns="dict: Field names and plain values.")
    def to_dict(self) -> dict[str, object]:
        """The record as plain values, with the bound at three gaps."""
        gaps = {str(gap): float(self.bound(gap)) for gap in (0.2, 0.5, 0.9)}
        return {**as_dict(self), "bound": gaps}

    def __repr__(self) -> str:
        return f"<Code: {self.k} classes, {self.columns} columns; {'; '.join(self._words())}>"

    def _words(self) -> list[str]:
        apart = f"{self.row_smallest} to {self.row_largest}"
        if self.row_smallest == self.row_largest:
            apart = str(self.row_smallest)
        consistent = "Bayes consistent" if self.bayes_consistent else "not Bayes consistent"
        rows = f"rows differ in {apart} columns"
        corrects = f"corrects {self.correctable} wrong"
        columns = f"columns differ in {self.column_smallest} classes or more"
        return [rows, corrects, columns, consistent, *self.notes]


@told(
    {"code": "array-like: The code, (k, B): 0 and 1, a row a class and a column a question."},
    returns="Description: Distances, rank, consistency and notes.",
    raises="If `code` is not a matrix of 0 and 1 with two or more rows.",
)
def describe(code: npt.ArrayLike) -> Description:
    """Distances between rows and columns, what can be corrected, consistency, waste.

    Examples
    --------
    >>> from heliast.codes import hadamard, identity
    >>> describe(identity(4))
    <Code: 4 classes, 4 columns; rows differ in 2 columns; corrects 0 wrong; columns differ in 2
    classes or more; Bayes consistent>
    >>> found = describe(hadamard(26))
    >>> found.row_smallest, found.correctable, found.bayes_consistent
    (16, 7, True)
    """
    code = as_code(code)
    k, columns = code.shape
    rows, between = between_rows(code), between_columns(code)
    off = rows[~np.eye(k, dtype=bool)]
    constant, repeated = wasted_columns(code)
    rank = int(np.linalg.matrix_rank(code.astype(np.float64)))
    least, most = int(off.min()), int(off.max())
    return Description(
        k=k, columns=columns, row_distances=rows, column_distances=between,
        row_smallest=least, row_largest=most, row_mean=float(off.mean()),
        column_smallest=smallest(between), correctable=max(0, (least - 1) // 2),
        bayes_consistent=least == most > 0, rank=rank, regression_consistent=rank == k,
        constant_columns=constant, repeated_columns=repeated,
        notes=_notes(least, rank, k, constant, repeated),
    )  # fmt: skip


def _notes(least: int, rank: int, k: int, constant: int, repeated: int) -> tuple[str, ...]:
    found = []
    if least == 0:
        found.append("some classes share a word and cannot be told apart")
    if constant:
        found.append(f"{constant} constant columns ask nothing")
    if repeated:
        found.append(f"{repeated} columns repeat or complement another")
    if rank < k:
        found.append(f"rank {rank} below {k}: least squares gives scores of minimum norm")
    return tuple(found)
