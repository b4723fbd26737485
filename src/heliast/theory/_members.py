"""Votes of probabilities: what they vary more than substitution, and how many members they need."""

import math
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike
from heliast._core.records import Shown
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.theory._agreement import pair_over_training_sets
from heliast.theory._repeated import out_of_sample, repeated_scores, true_posteriors

# --- coded votes and substitution ------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class ExtraVariance(Shown):
    """epsilon = Var(D_i1) - Var(p_i1), over training sets and columns.

    Parameters
    ----------
    coded : array
        Var(D_i1), that of D-bar with one column.
    substituted : array
        Var(p_i1), that of substitution with one column.
    n : int
        Number of draws.

    Examples
    --------
    >>> result = extra_variance([1.0, -1.0, 1.0, -1.0], [0.5, 0.3, 0.4, 0.4])
    >>> round(float(result.epsilon), 3), round(float(result.at(10)), 4)
    (1.327, 0.1327)
    """

    coded: Array
    substituted: Array
    n: int

    @property
    def epsilon(self) -> Array:
        """Var(D_i1) - Var(p_i1)."""
        return np.asarray(self.coded - self.substituted)

    def at(self, columns: ArrayLike) -> Array:
        """Return epsilon / B: by how much D-bar varies more than substitution with B columns.

        Parameters
        ----------
        columns : array-like
            Number of columns B, in the shape of `epsilon` or a single one.

        Returns
        -------
        array
            The difference of the two variances.

        Raises
        ------
        InputError
            If a number is below 1.
        """
        number = np.asarray(columns, np.float64)
        if not (number >= 1).all():
            raise InputError(f"columns={columns!r}: give numbers of columns, 1 or more")
        return np.asarray(self.epsilon / number)

    def __repr__(self) -> str:
        return (
            f"<ExtraVariance over {self.n} draws: epsilon {np.mean(self.epsilon):.3g} on average>"
        )


def extra_variance(d: ArrayLike, p: ArrayLike) -> ExtraVariance:
    """Return why substitution is better with few columns: Var(D-bar) = Var(p^S) + epsilon / B.

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

    Returns
    -------
    ExtraVariance
        Both variances and epsilon, without the first axis.

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
    ...     vote = hl.CodedVote(hl.Tree(), code_length=3, random_state=seed)
    ...     vote = vote.fit(train.matrix, train.y)
    ...     drawn.append([vote.scores(data.matrix, name, 1) for name in ("l1", "substitution")])
    >>> result = extra_variance(*zip(*drawn, strict=True))
    >>> result.epsilon.shape, bool(result.epsilon.mean() > 0)
    ((40, 6), True)

    References
    ----------
    thesis, section 2.4.3.
    """
    coded, substituted = pair_over_training_sets(d, p, "d", "p")
    if not (np.abs(coded) <= 1 + 1e-9).all():
        raise InputError("d: D = 1 - 2 |p - Z| lies between -1 and 1")
    if not ((substituted >= -1e-9) & (substituted <= 1 + 1e-9)).all():
        raise InputError("p: probabilities lie between 0 and 1")
    return ExtraVariance(coded.var(axis=0, ddof=1), substituted.var(axis=0, ddof=1), len(coded))


# --- how many members a vote needs (theorem 8) -----------------------------------------------

METHOD = "jackknife over rows and splits"


@dataclass(frozen=True)
class NeededMembers(Shown):
    """rho, gamma and the number of members B above which the vote has the better signal.

    Parameters
    ----------
    rho : Estimate
        Correlation of two members.
    gamma : Estimate
        Variance of the one model, in units of a member's, both at the same signal.
    members : Estimate
        B, the number of members above which the vote is better; infinite if rho >= gamma.
    alpha_vote : float
        Slope of the vote's estimates on the posteriors.
    alpha_one : float
        Slope of the one model's estimates.
    variance_member : float
        Variance of one member at a row and class.
    variance_one : float
        Variance of the one model at a row and class.
    splits : int
        Number of splits.
    rows : int
        Number of rows.

    Examples
    --------
    >>> rho, gamma, members = Estimate(0.1), Estimate(0.4), Estimate(3.0, 2.0, 5.5)
    >>> NeededMembers(rho, gamma, members, 0.4, 0.8, 0.05, 0.06, splits=10, rows=50).sentence
    'more than 3.0 members are needed (2.0 to 5.5)'
    """

    rho: Estimate
    gamma: Estimate
    members: Estimate
    alpha_vote: float
    alpha_one: float
    variance_member: float
    variance_one: float
    splits: int
    rows: int

    @property
    def sentence(self) -> str:
        """How many members are needed, with limits."""
        value, low, high = self.members.value, self.members.low, self.members.high
        if math.isinf(value):
            return "members are too much alike: no number of them beats the one model"
        above = "any number" if math.isinf(high) else f"{high:.1f}"
        return f"more than {value:.1f} members are needed ({low:.1f} to {above})"


def needed_members(
    predictions: Predictions,
    member: str,
    vote: str,
    size: int,
    one: str,
    posteriors: ArrayLike | None = None,
    *,
    at_least: float = 0.01,
    level: float = 0.95,
) -> NeededMembers:
    """Estimate from which number of members on a mean of probabilities beats one model.

    Over training sets, at a row and class, Var(vote) = Var(member) (1 + (size - 1) rho) / size
    gives rho; gamma = (Var(one) / alpha_one²) / (Var(member) / alpha_vote²), where alpha is the
    slope of the estimates on the true posteriors; the vote has the lower coefficient of variation
    if and only if B > (1 - rho) / (gamma - rho). Variances are means over rows and classes whose
    posterior is above `at_least`. Intervals by jackknife over rows and splits; for B from 1 / B.

    Parameters
    ----------
    predictions : Predictions
        A table of `Fresh`: every split predicts every row.
    member : str
        Name of the model of a single member, such as `coded/substitution/B=1`.
    vote : str
        Name of the model of the mean of `size` members.
    size : int
        Number of members in the vote, at least 2.
    one : str
        Name of the single model.
    posteriors : array-like or str, optional
        The true posteriors, as in `bias_variance`.
    at_least : float, default 0.01
        Only classes with a posterior above this count.
    level : float, default 0.95
        Confidence level of the intervals.

    Returns
    -------
    NeededMembers
        rho, gamma and B with their intervals.

    Raises
    ------
    InputError
        If `size` is below 2, or the posteriors are not known.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(50, seed=1)
    >>> tree = hl.Tree(limits="s-plus")
    >>> models = {"bag": hl.BaggedVote(tree, 10, random_state=1), "tree": tree}
    >>> table = hl.run(models, data, hl.Fresh(10, n_train=40), progress=False)
    >>> names = ("bag/soft/B=1", "bag/soft/B=10", 10, "tree")
    >>> round(needed_members(table, *names, data.posteriors).members.value, 2)
    3.31

    References
    ----------
    thesis, theorem 8 in section 3.4 (which prints >=; equality gives equal coefficients).
    """
    from scipy import stats

    if size < 2:
        raise InputError(f"size={size!r}: the vote is a mean of at least 2 members")
    table = out_of_sample(predictions)
    known = true_posteriors(table, posteriors)[0]
    if known is None:
        raise InputError("posteriors: the true ones are needed; give them, or a model 'bayes'")
    models = [repeated_scores(table, name) for name in (member, vote, one)]
    splits = len(models[0].scores)
    if splits < 3:
        raise NotEnoughData(f"{splits} splits: variances over training sets need at least 3")
    q = known.at(models[0].row)
    moments = [_moments(model.scores, q, q > at_least) for model in models]
    full, by_split, by_row = (np.array(part) for part in zip(*moments, strict=True))

    def answers(parts: Array) -> Array:
        """rho, gamma and 1 / B from the variances and slopes, (models, 2, ...)."""
        variance, alpha = parts[:, 0], parts[:, 1]
        rho = (size * variance[1] / variance[0] - 1) / (size - 1)
        gamma = (variance[2] / alpha[2] ** 2) / (variance[0] / alpha[1] ** 2)
        return np.array([rho, gamma, (gamma - rho) / np.maximum(1 - rho, 1e-12)])

    values = answers(full)[:, 0]
    left_out = [answers(parts) for parts in (by_split, by_row)]
    se = np.sqrt(sum((part.shape[1] - 1) * part.var(axis=1) for part in left_out))
    far = stats.t.ppf((1 + level) / 2, splits - 1) * se
    low, high = values - far, values + far

    def estimate(value: float, low: float, high: float, se: float = math.nan) -> Estimate:
        return Estimate(value, low, high, se, level, METHOD, "algorithm", n=float(splits))

    rho, gamma, inverse = np.array([values, low, high, se]).T.tolist()
    members = estimate(*(1 / x if x > 0 else math.inf for x in (inverse[0], *inverse[2:0:-1])))
    (variance_member, _), (_, alpha_vote), (variance_one, alpha_one) = full[:, :, 0].tolist()
    return NeededMembers(
        estimate(*rho),
        estimate(*gamma),
        members,
        alpha_vote,
        alpha_one,
        variance_member,
        variance_one,
        splits,
        len(q),
    )


def _moments(scores: Array, q: Array, keep: Array) -> tuple[Array, Array, Array]:
    """Mean variance over splits and slope on the posteriors, each (2, ...).

    Of all cells (rows and classes to keep), without each split, without each row.
    """
    rows = keep.any(axis=1)
    scores, q, keep = scores[:, rows], q[rows], keep[rows]
    T, mean = len(scores), scores.mean(axis=0)
    squares = (scores - mean) ** 2 * keep
    cells, total = keep.sum(axis=1), keep.sum()
    sums = np.array([(x * keep).sum(axis=1) for x in (q, q * q, mean, mean * q)])
    totals = sums.sum(axis=1, keepdims=True)
    by_split = np.array([(x * keep).sum(axis=(1, 2)) for x in (scores, scores * q)])
    without_split = np.broadcast_to(totals, (4, T)).copy()
    without_split[2:] = (by_split.sum(axis=1, keepdims=True) - by_split) / (T - 1)
    of_split, of_row = squares.sum(axis=(1, 2)), squares.sum(axis=(0, 2)) / (T - 1)
    spread = (of_split.sum() - T / (T - 1) * of_split) / (T - 2)

    def slope(sums: Array, cells: Array) -> Array:
        q, qq, p, pq = sums / cells
        return np.asarray((pq - p * q) / (qq - q * q))

    return (
        np.array([[of_row.sum() / total], slope(totals, total)]),
        np.array([spread / total, slope(without_split, total)]),
        np.array([(of_row.sum() - of_row) / (total - cells), slope(totals - sums, total - cells)]),
    )
