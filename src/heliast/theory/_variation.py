"""How estimates of two classes scatter about their difference: what decides which one is larger."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told
from heliast.predictions import Predictions
from heliast.theory._posteriors import ASKED, at_rows, true_posteriors
from heliast.theory._repeated import out_of_sample, repeated_scores


@told(
    {
        "mean": "array: E(p_i - p_j), one a row.",
        "variance": "array: Var(p_i - p_j), with one less than the training sets below the line.",
        "cv": "array: Standard deviation in units of the mean, with the sign of the mean; infinite "
        "where the mean is 0, NaN where both are.",
        "chance": "array: Phi(1 / cv): the chance that p_i > p_j if the difference is normal.",
        "share": "array: The share of training sets in which p_i > p_j, with half of the ties.",
        "n": "int: Number of training sets.",
    }
)
@dataclass(frozen=True, eq=False, repr=False)
class Variation(Shown):
    """The difference p_i - p_j over training sets: its mean, variance and coefficient of variation.

    Examples
    --------
    >>> found = variation([0.6, 0.8, 0.7], [0.4, 0.2, 0.3])
    >>> round(float(found.cv), 3), round(float(found.chance), 3), float(found.share)
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


@told(
    {
        "p_i": "array-like: Estimates of one class, (training sets, ...).",
        "p_j": "array-like: Those of the other class, in the same shape.",
    },
    returns="Variation: Mean, variance, CV and chance, without the first axis.",
)
def variation(p_i: npt.ArrayLike, p_j: npt.ArrayLike) -> Variation:
    """The coefficient of variation of p_i - p_j over training sets, and Phi(1 / CV).

    A vote goes to class i where p_i - p_j > 0 for every other j, so that the variance of the
    estimates alone decides nothing: halved estimates have a quarter of it and vote the same.
    CV = sqrt(Var(p_i - p_j)) / E(p_i - p_j) has no unit, and Pr(p_i > p_j) = Phi(1 / CV) where
    the difference is normal. The thesis takes the root of a square and so loses the sign, with
    which Phi(1 / CV) also holds where the mean is on the wrong side.

    Raises
    ------
    InputError
        If the shapes differ or a number is not finite.
    NotEnoughData
        If there are fewer than two training sets.

    Examples
    --------
    >>> whole, half = variation([0.9, 0.5], [0.1, 0.5]), variation([0.45, 0.25], [0.05, 0.25])
    >>> bool(half.variance < whole.variance), bool(abs(half.cv - whole.cv) < 1e-12)
    (True, True)

    References
    ----------
    thesis, section 3.4.
    """
    one, other = np.asarray(p_i, np.float64), np.asarray(p_j, np.float64)
    if one.shape != other.shape or one.ndim == 0:
        raise InputError(
            f"p_i has shape {one.shape} and p_j {other.shape}; give both in one shape, with the "
            "training sets along the first axis"
        )
    if len(one) < 2:
        raise NotEnoughData(f"{len(one)} training set: a variance needs at least 2")
    gap = one - other
    if not np.isfinite(gap).all():
        raise InputError("p_i and p_j: every estimate must be a finite number")
    mean, sd = gap.mean(axis=0), gap.std(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        cv = sd / mean
        # Without any scatter the sign of the mean decides, and a tie is nobody's.
        chance = np.where(sd > 0, special.ndtr(mean / sd), np.heaviside(mean, 0.5))
    share = np.heaviside(gap, 0.5).mean(axis=0)
    return Variation(mean, sd**2, cv, chance, share, len(one))


@told(
    ASKED | {"model": "str: Name of a model with scores."},
    returns="Variation: One entry a row, in the order of the rows' names.",
)
def separation(
    predictions: Predictions, model: str, posteriors: npt.ArrayLike | None = None
) -> Variation:
    """`variation` of the most likely class against the second, at every row of a table.

    The two classes are those of the largest true posteriors; where these are not known, the true
    class against the other one of the largest mean estimate. With two classes and known
    posteriors a lower CV is a lower error (thesis, section 3.4).

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
    scores, _, truth, names = repeated_scores(table, model)
    known = true_posteriors(table, posteriors)[0]
    each = np.arange(len(names))
    if known is not None:
        order = np.argsort(-at_rows(known, names), axis=1, kind="stable")
        first, second = order[:, 0], order[:, 1]
    else:
        first, rivals = truth.astype(np.intp), scores.mean(axis=0)
        rivals[each, first] = -np.inf
        second = rivals.argmax(axis=1)
    return variation(scores[:, each, first], scores[:, each, second])
