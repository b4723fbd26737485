"""How estimates of class probabilities agree between models, and vary over training sets."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike
from heliast._core.records import Shown
from heliast.predictions import Predictions
from heliast.theory._repeated import out_of_sample, repeated_scores, true_posteriors

# --- how two models agree --------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Shown):
    """y = intercept + slope x by least squares, over pairs of a row and a class.

    Parameters
    ----------
    x : str
        Name of one model.
    y : str
        Name of the other.
    slope : float
        Slope of the line.
    intercept : float
        Where the line starts.
    r_squared : float
        Share of the variance of y that the line explains.
    points : int
        Number of pairs of a row and a class.
    discordant : float
        Share of predictions that one model gets right and the other wrong.
    at : array
        (points, 2): the estimates themselves.

    Examples
    --------
    >>> Agreement("a", "b", 0.9, 0.1, 0.98, 4, 0.02, at=np.zeros((4, 2)))
    <Agreement of 'b' with 'a': slope 0.900, R² 0.980 over 4 points, 2.0% discordant>
    """

    x: str
    y: str
    slope: float
    intercept: float
    r_squared: float
    points: int
    discordant: float
    at: Array

    def __repr__(self) -> str:
        return (
            f"<Agreement of {self.y!r} with {self.x!r}: slope {self.slope:.3f}, R² "
            f"{self.r_squared:.3f} over {self.points} points, {self.discordant:.1%} discordant>"
        )


def agreement(
    predictions: Predictions,
    x: str,
    y: str,
    posteriors: ArrayLike | None = None,
    at_least: float = 0.01,
) -> Agreement:
    """Fit a line to the estimates of model `y` against those of `x`, averaged over the splits.

    A slope below 1 says that `y` shrinks the estimates.

    Parameters
    ----------
    predictions : Predictions
        A table of `Fresh`: every split predicts every row.
    x : str
        Name of the model on the horizontal axis.
    y : str
        Name of the model on the vertical axis.
    posteriors : array-like or str, optional
        The true posteriors, as in `bias_variance`.
    at_least : float, default 0.01
        Classes with a posterior at most this do not count, if posteriors are known.

    Returns
    -------
    Agreement
        The line, and how well it fits.

    Raises
    ------
    InputError
        If a model is not in the table, or splits did not predict the same rows.

    Examples
    --------
    >>> import heliast as hl
    >>> scores = [[0.8, 0.2], [0.4, 0.6]]
    >>> tables = [hl.Predictions.of([0, 1] * 2, y_score=scores * 2, model=m, row=[0, 1] * 2,
    ...           split=[0, 0, 1, 1]) for m in "ab"]
    >>> round(agreement(tables[0].join(tables[1]), "a", "b").slope, 6)
    1.0

    References
    ----------
    thesis, section 2.4.2, figure 2.6.
    """
    table = out_of_sample(predictions)
    of_x, of_y = repeated_scores(table, x), repeated_scores(table, y)
    known = true_posteriors(table, posteriors)[0]
    means = np.stack([of_x.scores.mean(axis=0), of_y.scores.mean(axis=0)], axis=-1)
    keep = np.ones(means.shape[:2], bool) if known is None else known.at(of_x.row) > at_least
    points = means[keep]
    if len(points) < 3:
        raise NotEnoughData(f"only {len(points)} points above {at_least}: too few for a line")
    slope, intercept = np.polyfit(points[:, 0], points[:, 1], 1)
    return Agreement(
        x=x,
        y=y,
        slope=float(slope),
        intercept=float(intercept),
        r_squared=float(np.corrcoef(points.T)[0, 1] ** 2),
        points=len(points),
        discordant=float(((of_x.y_pred == of_x.y_true) != (of_y.y_pred == of_y.y_true)).mean()),
        at=points,
    )


# --- the coefficient of variation ------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class Variation(Shown):
    """The difference p_i - p_j over training sets: its mean, variance and coefficient of variation.

    Parameters
    ----------
    mean : array
        E(p_i - p_j), one a row.
    variance : array
        Var(p_i - p_j), with one less than the training sets below the line.
    cv : array
        Standard deviation in units of the mean, with the sign of the mean; infinite where the mean
        is 0, NaN where both are.
    chance : array
        Phi(1 / cv): the chance that p_i > p_j if the difference is normal.
    share : array
        The share of training sets in which p_i > p_j, with half of the ties.
    n : int
        Number of training sets.

    Examples
    --------
    >>> result = variation([0.6, 0.8, 0.7], [0.4, 0.2, 0.3])
    >>> round(float(result.cv), 3), round(float(result.chance), 3), float(result.share)
    (0.5, 0.977, 1.0)
    """

    mean: Array
    variance: Array
    cv: Array
    chance: Array
    share: Array
    n: int

    def __repr__(self) -> str:
        return (
            f"<Variation over {self.n} training sets: p_i > p_j in {np.mean(self.share):.1%}, by "
            f"Phi(1/CV) in {np.mean(self.chance):.1%}>"
        )


def variation(p_i: ArrayLike, p_j: ArrayLike) -> Variation:
    """Return the coefficient of variation of p_i - p_j over training sets, and Phi(1 / CV).

    A vote goes to class i where p_i - p_j > 0 for every other j, so that the variance of the
    estimates alone decides nothing: halved estimates have a quarter of it and vote the same.
    CV = sqrt(Var(p_i - p_j)) / E(p_i - p_j) has no unit, and Pr(p_i > p_j) = Phi(1 / CV) where
    the difference is normal. Other than in the thesis it keeps the sign of the mean.

    Parameters
    ----------
    p_i : array-like
        Estimates of one class, (training sets, ...).
    p_j : array-like
        Those of the other class, in the same shape.

    Returns
    -------
    Variation
        Mean, variance, CV and chance, without the first axis.

    Raises
    ------
    InputError
        If the shapes differ or a number is not finite.
    NotEnoughData
        If there are fewer than two training sets.

    Examples
    --------
    >>> full, half = variation([0.9, 0.5], [0.1, 0.5]), variation([0.45, 0.25], [0.05, 0.25])
    >>> bool(half.variance < full.variance), bool(abs(half.cv - full.cv) < 1e-12)
    (True, True)

    References
    ----------
    thesis, section 3.4.
    """
    from scipy import special

    one_class, other_class = pair_over_training_sets(p_i, p_j, "p_i", "p_j")
    gap = one_class - other_class
    if not np.isfinite(gap).all():
        raise InputError("p_i and p_j: every estimate must be a finite number")
    mean, sd = gap.mean(axis=0), gap.std(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        cv = sd / mean
        # Without any scatter the sign of the mean decides, and a tie is nobody's.
        chance = np.where(sd > 0, special.ndtr(mean / sd), np.heaviside(mean, 0.5))
    return Variation(mean, sd**2, cv, chance, np.heaviside(gap, 0.5).mean(axis=0), len(gap))


def separation(
    predictions: Predictions, model: str, posteriors: ArrayLike | None = None
) -> Variation:
    """Return the `variation` of the most likely class against the second, at every row of a table.

    The two classes are those of the largest true posteriors; where these are not known, the true
    class against the other one of the largest mean estimate. With two classes and known
    posteriors a lower CV is a lower error.

    Parameters
    ----------
    predictions : Predictions
        A table of `Fresh`: every split predicts every row.
    model : str
        Name of a model with scores.
    posteriors : array-like or str, optional
        The true posteriors, as in `bias_variance`.

    Returns
    -------
    Variation
        One entry a row, in the order of the rows' names.

    Raises
    ------
    InputError
        If the model has no scores.
    NotEnoughData
        If not every split predicts every row.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(50, seed=1)
    >>> models = {"tree": hl.Tree(), "bag": hl.BaggedVote(hl.Tree(), 10, random_state=1)}
    >>> table = hl.run(models, data, hl.Fresh(10, n_train=40), progress=False)
    >>> tree, bag = (separation(table, name, data.posteriors) for name in ("tree", "bag/soft/B=10"))
    >>> bool(bag.share.mean() > tree.share.mean())
    True

    References
    ----------
    thesis, section 3.4, equation 3.4.
    """
    table = out_of_sample(predictions)
    result = repeated_scores(table, model)
    known = true_posteriors(table, posteriors)[0]
    rows = np.arange(result.row.size)
    if known is not None:
        order = np.argsort(-known.at(result.row), axis=1, kind="stable")
        first, second = order[:, 0], order[:, 1]
    else:
        first, rivals = result.y_true.astype(np.intp), result.scores.mean(axis=0)
        rivals[rows, first] = -np.inf
        second = rivals.argmax(axis=1)
    return variation(result.scores[:, rows, first], result.scores[:, rows, second])


def pair_over_training_sets(
    a: ArrayLike, b: ArrayLike, name_a: str, name_b: str
) -> tuple[Array, Array]:
    """Two arrays of one shape, training sets along the first axis."""
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.shape != second.shape or first.ndim == 0:
        raise InputError(
            f"{name_a} has shape {first.shape} and {name_b} {second.shape}; give both in one "
            "shape, with the training sets along the first axis"
        )
    if len(first) < 2:
        raise NotEnoughData(f"{len(first)} training set: a variance needs at least 2")
    return first, second
