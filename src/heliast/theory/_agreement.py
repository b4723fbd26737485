"""How two votes estimate the same probabilities: a line through one against the other."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told
from heliast.predictions import Predictions
from heliast.theory._posteriors import ASKED, at_rows, true_posteriors
from heliast.theory._repeated import out_of_sample, repeated_scores


@told(
    {
        "x": "str: Name of one model.",
        "y": "str: Name of the other.",
        "slope": "float: Slope of the line.",
        "intercept": "float: Where the line starts.",
        "r_squared": "float: Share of the variance of y that the line explains.",
        "points": "int: Number of pairs of a row and a class.",
        "discordant": "float: Share of predictions that one model gets right and the other wrong.",
        "at": "array: (points, 2): the estimates themselves.",
    }
)
@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Shown):
    """y = intercept + slope x by least squares, over pairs of a row and a class.

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


@told(
    ASKED,
    returns="Agreement: The line, and how well it fits.",
    raises="If a model is not in the table, or splits did not predict the same rows.",
)
def agreement(
    predictions: Predictions,
    x: str,
    y: str,
    posteriors: npt.ArrayLike | None = None,
    at_least: float = 0.01,
) -> Agreement:
    """The estimates of model `y` against those of model `x`, averaged over the splits.

    Figure 2.6 of the thesis: substitution against L1 decoding. Scores are taken as they are. With
    known posteriors only classes whose posterior is above `at_least` count: others hardly matter.
    Slope below 1: `y` shrinks the estimates. Needs a table of `Fresh`, in which every split
    predicts every row.

    Parameters
    ----------
    predictions : Predictions
        A table in which rows are predicted by several splits.
    x : str
        Name of the model on the horizontal axis.
    y : str
        Name of the model on the vertical axis.
    at_least : float, default 0.01
        Classes with a posterior at most this do not count, if posteriors are known.

    Examples
    --------
    >>> import heliast as hl
    >>> scores = [[0.8, 0.2], [0.4, 0.6]]
    >>> tables = [hl.Predictions.of([0, 1] * 2, score=scores * 2, model=m, row=[0, 1] * 2,
    ...           split=[0, 0, 1, 1]) for m in "ab"]
    >>> round(agreement(tables[0].join(tables[1]), "a", "b").slope, 6)
    1.0

    References
    ----------
    thesis, section 2.4.2.
    """
    table = out_of_sample(predictions)
    scores = {name: repeated_scores(table, name) for name in (x, y)}
    known = true_posteriors(table, posteriors)[0]
    mean = {name: one[0].mean(axis=0) for name, one in scores.items()}
    keep = np.ones(mean[x].shape, bool)
    if known is not None:
        keep = at_rows(known, scores[x][3]) > at_least
    if keep.sum() < 3:
        raise NotEnoughData(f"only {int(keep.sum())} points above {at_least}: too few for a line")
    right = {name: one[1] == one[2] for name, one in scores.items()}
    a, b = mean[x][keep], mean[y][keep]
    slope, intercept = np.polyfit(a, b, 1)
    return Agreement(
        x=x,
        y=y,
        slope=float(slope),
        intercept=float(intercept),
        r_squared=float(np.corrcoef(a, b)[0, 1] ** 2),
        points=int(keep.sum()),
        discordant=float((right[x] != right[y]).mean()),
        at=np.stack([a, b], axis=1),
    )
