"""What a coded vote varies more than substitution does, and how this goes away with columns."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told


@told(
    {
        "coded": "array: Var(D_i1), that of D-bar with one column.",
        "substituted": "array: Var(p_i1), that of substitution with one column.",
        "n": "int: Number of draws.",
    }
)
@dataclass(frozen=True, eq=False, repr=False)
class ExtraVariance(Shown):
    """epsilon = Var(D_i1) - Var(p_i1), over training sets and columns.

    Examples
    --------
    >>> found = extra_variance([1.0, -1.0, 1.0, -1.0], [0.5, 0.3, 0.4, 0.4])
    >>> round(float(found.epsilon), 3), round(float(found.at(10)), 4)
    (1.327, 0.1327)
    """

    coded: Array
    substituted: Array
    n: int

    @property
    def epsilon(self) -> Array:
        """Var(D_i1) - Var(p_i1)."""
        return np.asarray(self.coded - self.substituted)

    @told(returns="array: The difference of the two variances.", raises="If a number is below 1.")
    def at(self, columns: npt.ArrayLike) -> Array:
        """epsilon / B: by how much D-bar varies more than substitution with B columns.

        Parameters
        ----------
        columns : array-like
            Number of columns B, in the shape of `epsilon` or a single one.
        """
        number = np.asarray(columns, np.float64)
        if not (number >= 1).all():
            raise InputError(f"columns={columns!r}: give numbers of columns, 1 or more")
        return np.asarray(self.epsilon / number)

    def __repr__(self) -> str:
        return (
            f"<ExtraVariance over {self.n} draws: epsilon {np.mean(self.epsilon):.3g} on average>"
        )


@told(returns="ExtraVariance: Both variances and epsilon, without the first axis.")
def extra_variance(d: npt.ArrayLike, p: npt.ArrayLike) -> ExtraVariance:
    """Why substitution is better with few columns: Var(D-bar) = Var(p^S) + epsilon / B.

    D-bar is a mean over columns of D_ij = 1 - 2 |p_j - Z_ij|, and p^S one of p_ij; where both have
    the same mean over codes (theorem 7: p_ij independent of column j), their variances over
    training sets and codes differ by epsilon / B. Give both with a single column, drawn anew with
    each training set: `CodedVote.scores(X, "l1", 1)` and `CodedVote.scores(X, "substitution", 1)`.

    Parameters
    ----------
    d : array-like
        D_i1, (draws, ...), from -1 to 1.
    p : array-like
        p_i1 in the same shape, from 0 to 1.

    Raises
    ------
    InputError
        If the shapes differ or a number is out of its range.
    NotEnoughData
        If there are fewer than two draws.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> task = simulate.gaussian_classes(6, spread=3.0)
    >>> data, drawn = task.sample(40, seed=0), []
    >>> for seed in range(30):
    ...     train = task.sample(60, seed=seed + 1)
    ...     vote = hl.CodedVote(hl.Tree(), columns=3, random_state=seed).fit(train.matrix, train.y)
    ...     drawn.append([vote.scores(data.matrix, name, 1) for name in ("l1", "substitution")])
    >>> found = extra_variance(*zip(*drawn, strict=True))
    >>> found.epsilon.shape, bool(found.epsilon.mean() > 0)
    ((40, 6), True)

    References
    ----------
    thesis, section 2.4.3.
    """
    coded, substituted = np.asarray(d, np.float64), np.asarray(p, np.float64)
    if coded.shape != substituted.shape or coded.ndim == 0:
        raise InputError(
            f"d has shape {coded.shape} and p {substituted.shape}; give both in one shape, with "
            "the draws along the first axis"
        )
    if len(coded) < 2:
        raise NotEnoughData(f"{len(coded)} draw: a variance needs at least 2")
    if not (np.abs(coded) <= 1 + 1e-9).all():
        raise InputError("d: D = 1 - 2 |p - Z| lies between -1 and 1")
    if not ((substituted >= -1e-9) & (substituted <= 1 + 1e-9)).all():
        raise InputError("p: probabilities lie between 0 and 1")
    return ExtraVariance(coded.var(axis=0, ddof=1), substituted.var(axis=0, ddof=1), len(coded))
