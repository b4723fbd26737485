"""Predicted numbers against actual ones: the rows, and how far off they are along the way."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.curves._chosen import part_of
from heliast.curves._record import ASKED, HELD, REFUSED, Record
from heliast.predictions import Predictions

BINS, FEWEST = 10, 20
"""Bins along the prediction, and the rows that each should hold."""
MOST_POINTS = 1500
INNER = (0.05, 0.95)


@told(
    HELD
    | {
        "label": "array: The predictions of the rows that are drawn.",
        "truth": "array: Their actual numbers.",
        "n": "int: How many rows there are.",
        "bias": "float: The mean residual (actual - predicted) of all rows.",
        "forecast": "array: The mean prediction of each bin.",
        "residual": "array: The mean residual of each bin.",
        "low": "array: What 5% of the residuals of each bin are below.",
        "high": "array: What 5% of the residuals of each bin are above.",
        "weight": "array: The rows of each bin.",
        "class_": "None: There are no classes.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Predicted(Record):
    """Some rows with what was predicted and what was true, and all rows in bins of the prediction.

    Bins hold about equal numbers of rows; rows with equal predictions share a bin. From `low` to
    `high` lie 90% of the residuals of a bin: it is where rows are, and no interval of the mean.

    Examples
    --------
    >>> predicted(Predictions.of([1.0, 2.5], [1.5, 2.5], task="number"))
    <Predicted of 'model': 2 rows, mean residual -0.25>
    """

    label: Array
    truth: Array
    n: int
    bias: float
    forecast: Array
    residual: Array
    low: Array
    high: Array
    weight: Array
    model: str = ""
    class_: None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"{self._head('Predicted', None)}: {self.n} rows, mean residual {self.bias:.4g}>"


@told(ASKED, returns="Predicted: The rows and the bins.", raises=REFUSED)
def predicted(
    predictions: Predictions, model: str | None = None, *, split: int | str | None = None
) -> Predicted:
    """Predicted against actual numbers; rows of several splits are taken together.

    Residuals are actual less predicted. Where bins stray from 0 the model could be better by a
    function of its own prediction; where they widen, errors grow with it. Of many rows 1,500 drawn
    at random are kept to be shown.

    Examples
    --------
    >>> predicted(Predictions.of([1.0, 2.5], [1.5, 2.5], task="number")).bias
    -0.25
    """
    if predictions.task != "number":
        raise InputError("predicted: these are predictions of classes; see Contingency for those")
    part, _ = part_of("predicted", predictions, model, split, pool=True)
    rows = part.rows()
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    label, truth, weight = (one[weight > 0] for one in (rows.label, rows.truth, weight))
    if not label.size:
        raise InputError("predicted: every row has weight 0; there is nothing to show")
    bins = [_bin(label[at], (truth - label)[at], weight[at]) for at in _binned(label)]
    chosen = np.arange(label.size)
    if label.size > MOST_POINTS:
        chosen = np.sort(np.random.default_rng(0).choice(label.size, MOST_POINTS, replace=False))
    forecast, residual, low, high, held = np.array(bins).T
    return Predicted(
        label=label[chosen], truth=truth[chosen], n=label.size,
        bias=float(np.average(truth - label, weights=weight)), forecast=forecast,
        residual=residual, low=low, high=high, weight=held, model=part.models[0],
        notes=(part.unfinished,) if part.unfinished else (),
    )  # fmt: skip


def _binned(label: Array) -> list[Array]:
    """The places of the rows in each bin of the prediction."""
    count = int(np.clip(label.size // FEWEST, 1, BINS))
    inner = np.linspace(0, 1, count + 1)[1:-1]
    codes = np.searchsorted(np.unique(np.quantile(label, inner)), label, side="left")
    return [np.flatnonzero(codes == code) for code in np.unique(codes)]


def _bin(label: Array, residual: Array, weight: Array) -> tuple[float, ...]:
    order = np.argsort(residual, kind="stable")
    below = np.cumsum(weight[order])
    ends = residual[order[np.searchsorted(below, np.array(INNER) * below[-1])]].tolist()
    means = (float(np.average(one, weights=weight)) for one in (label, residual))
    return (*means, *ends, float(below[-1]))
