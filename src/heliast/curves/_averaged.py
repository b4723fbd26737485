"""The ROC curve averaged over splits, at equal false positive rates or at equal thresholds."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast.curves._chosen import part_of
from heliast.curves._record import ASKED, HELD, Record
from heliast.curves._roc import Roc, roc
from heliast.predictions import Predictions

By = Literal["fpr", "threshold"]
PLACES = 101
COMPARABLE = "scores of different fits are taken as comparable"


@told(
    HELD
    | {
        "by": "{'fpr', 'threshold'}: What the curves of the splits have in common where they are "
        "averaged.",
        "fpr": "array: False positive rates: given ones, or means over the splits.",
        "tpr": "array: Means of the true positive rate over the splits.",
        "fpr_spread": "array: Standard deviations of the false positive rate over the splits.",
        "tpr_spread": "array: Those of the true positive rate.",
        "threshold": "array, optional: The thresholds, where these are in common.",
        "auc": "float: The mean of the areas of the splits.",
        "auc_spread": "float: Their standard deviation.",
        "curves": "tuple of Roc: The curve of each split.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AveragedRoc(Record):
    """Means of the rates over the ROC curves of several splits, and how much these differ.

    The spreads show how much single splits differ; they are no interval, as splits share training
    rows.

    Examples
    --------
    >>> truth, score = [1, 0, 1, 0] * 2, [0.9, 0.2, 0.8, 0.1, 0.9, 0.8, 0.4, 0.1]
    >>> averaged_roc(Predictions.of(truth, score=score, split=[0] * 4 + [1] * 4))
    <AveragedRoc of 'model', class 1: mean AUC 0.875 of 2 splits, averaged by fpr>
    """

    by: By
    fpr: Array
    tpr: Array
    fpr_spread: Array
    tpr_spread: Array
    auc: float
    auc_spread: float
    curves: tuple[Roc, ...]
    class_: Label
    threshold: Array | None = None
    model: str = ""
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        words = f"mean AUC {self.auc:.4g} of {len(self.curves)} splits, averaged by {self.by}"
        return f"{self._head('AveragedRoc', self.class_)}: {words}>"

    @property
    def edges(self) -> tuple[Array, Array, Array, Array]:
        """The band of one spread: fpr and tpr of its upper edge, then of its lower edge."""
        return (
            np.maximum(self.fpr - self.fpr_spread, 0.0),
            np.minimum(self.tpr + self.tpr_spread, 1.0),
            np.minimum(self.fpr + self.fpr_spread, 1.0),
            np.maximum(self.tpr - self.tpr_spread, 0.0),
        )


@told(
    ASKED
    | {
        "by": "{'fpr', 'threshold'}: Whether to average at equal false positive rates or at equal "
        "thresholds.",
        "places": "int: At how many rates or thresholds.",
    },
    returns="AveragedRoc: The mean curve, its spread, and the curve of each split.",
    raises="If fewer than two splits have rows of both kinds, or several models are meant.",
)
def averaged_roc(
    predictions: Predictions,
    class_: Label | None = None,
    model: str | None = None,
    *,
    by: By = "fpr",
    places: int = PLACES,
) -> AveragedRoc:
    """The mean of the ROC curves of the splits, where pooling their scores would mix scales.

    `by="fpr"` (vertical averaging) takes the mean true positive rate at each false positive rate
    and never compares scores of different fits; its area is the mean of the areas.
    `by="threshold"` takes the mean of both rates at each threshold, as whoever uses one threshold
    for all fits will meet them. A curve between two of its points is a straight line; where it
    rises straight up, the upper end counts. Splits without rows of both kinds are left out and
    counted in `notes`.

    Examples
    --------
    >>> truth, score = [1, 0, 1, 0] * 2, [0.9, 0.2, 0.8, 0.1, 0.9, 0.8, 0.4, 0.1]
    >>> table = Predictions.of(truth, score=score, split=[0] * 4 + [1] * 4)
    >>> averaged_roc(table, places=3).tpr
    array([0.75, 1.  , 1.  ])

    References
    ----------
    T. Fawcett (2006), An introduction to ROC analysis, Pattern Recognition Letters 27, section 8
    (algorithms 3 and 4).
    """
    if by not in ("fpr", "threshold") or places < 2:
        raise InputError(f"averaged_roc: by={by!r}, places={places}: fpr or threshold, 2 or more")
    found, lost = _curves(predictions, class_, model)
    first = found[0]
    few = f"left out for want of rows of both kinds: {lost} of {lost + len(found)} splits"
    said: tuple[str, ...] = (few,) if lost else ()
    threshold = None if by == "fpr" else _thresholds(found, places)
    if threshold is None:
        fpr = np.linspace(0.0, 1.0, places)
        fpr_spread = np.zeros(places)
        tpr, tpr_spread = _mean([_upper(one, fpr) for one in found])
    else:
        at = [_reached(one, threshold) for one in found]
        fpr, fpr_spread = _mean([one.fpr[rows] for one, rows in zip(found, at, strict=True)])
        tpr, tpr_spread = _mean([one.tpr[rows] for one, rows in zip(found, at, strict=True)])
        said = (*said, COMPARABLE)
    areas = np.array([one.auc for one in found])
    return AveragedRoc(
        by=by, fpr=fpr, tpr=tpr, fpr_spread=fpr_spread, tpr_spread=tpr_spread,
        auc=float(areas.mean()), auc_spread=float(areas.std(ddof=1)), curves=tuple(found),
        class_=first.class_, threshold=threshold, model=first.model, notes=said,
    )  # fmt: skip


def _curves(
    predictions: Predictions, class_: Label | None, model: str | None
) -> tuple[list[Roc], int]:
    """The curve of each split that has one, and how many have none."""
    part, _ = part_of("averaged_roc", predictions, model, None, pool=True)
    found, why, lost = [], "", 0
    for _, alone in part.per_split(part.models[0]):
        try:
            found.append(roc(alone, class_))
        except InputError as error:
            why, lost = why or str(error), lost + 1
    if len(found) < 2:
        raise InputError(
            f"averaged_roc: {len(found)} splits have a ROC curve, and a mean needs two"
            + (f"; elsewhere: {why}" if why else "")
        )
    return found, lost


def _mean(rates: list[Array]) -> tuple[Array, Array]:
    """Mean and standard deviation over the splits."""
    return np.mean(rates, axis=0), np.std(rates, axis=0, ddof=1)


def _reached(curve: Roc, threshold: Array) -> Array:
    """The last point of the curve whose threshold is not below, for each of these thresholds."""
    found: Array = curve.threshold.size - np.searchsorted(curve.threshold[::-1], threshold) - 1
    return np.maximum(found, 0)


def _upper(curve: Roc, grid: Array) -> Array:
    """The true positive rate at these false positive rates; the upper end of an upright piece."""
    # Rounding must not decide which end: 3 of 30 is 0.1.
    before = np.searchsorted(curve.fpr, grid + 1e-12, "right") - 1
    after = np.minimum(before + 1, curve.fpr.size - 1)
    run = curve.fpr[after] - curve.fpr[before]
    part = np.divide(grid - curve.fpr[before], run, out=np.zeros_like(grid), where=run > 0)
    return np.asarray(curve.tpr[before] + part * (curve.tpr[after] - curve.tpr[before]))


def _thresholds(found: list[Roc], places: int) -> Array:
    """Some of all thresholds, from +inf to the least, about as many rows between each."""
    every = np.unique(np.concatenate([one.threshold for one in found]))[::-1]
    return np.asarray(every[np.unique(np.linspace(0, every.size - 1, places).round().astype(int))])
