"""Curves over training: rows, label noise, times; and predicted against actual numbers."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.curves.rows import Record, part_of
from heliast.measures import Measure, get
from heliast.predictions import Predictions, Split

Varied = Literal["training rows", "label noise"]
BINS, FEWEST = 10, 20  # bins along the prediction, and the rows that each should hold
MOST_POINTS = 1500
INNER = (0.05, 0.95)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Learning(Record):
    """The mean of a measure over the splits at each value `x` of what was varied.

    `spread` is the standard deviation over the splits: it shows how much single splits differ, and
    is no interval, as splits share training rows.

    Parameters
    ----------
    varied : {'training rows', 'label noise'}
        What was varied.
    x : array
        The values of what was varied.
    value : array
        The mean of the measure there.
    spread : array
        The standard deviation over the splits there, NaN of a single one.
    splits : array
        How many splits there are.
    measure : str
        What was measured.
    better : str
        Whether high or low is better.
    model : str
        The model.
    class_ : None
        Always all classes.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> x, half = np.array([12.0, 120.0]), np.array([0.5, 0.25])
    >>> Learning(varied="training rows", x=x, value=half, spread=half, splits=x, measure="error",
    ...          better="low")
    <Learning: error 0.500 at 12 to 0.250 at 120 training rows>
    """

    varied: Varied
    x: Array
    value: Array
    spread: Array
    splits: Array
    measure: str
    better: str
    model: str = ""
    class_: None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        ends = [f"{self.value[at]:.3f} at {self.x[at]:g}" for at in (0, -1)]
        words = f"{self.measure} {' to '.join(ends)} {self.varied}"
        return self._said(words)


def learning(
    predictions: Predictions, measure: str | Measure = "error", model: str | None = None
) -> Learning:
    """A measure against the number of training rows, from a table run with `LearningCurve`.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    measure : str or Measure
        What is measured.
    model : str, optional
        The model, where the table has several.

    Returns
    -------
    Learning
        The curve.

    Examples
    --------
    >>> import heliast as hl
    >>> from sklearn.naive_bayes import GaussianNB
    >>> plan = hl.LearningCurve(hl.KFold(5), shares=(0.1, 1.0))
    >>> table = hl.run({"bayes": GaussianNB()}, hl.read("sklearn:iris"), plan, progress=False)
    >>> learning(table).x
    array([ 12., 120.])
    """
    return _varied(predictions, measure, model, "training rows", lambda split: split.train_share)


def noise(
    predictions: Predictions, measure: str | Measure = "error", model: str | None = None
) -> Learning:
    """A measure against the share of wrong training labels, from a table run with `LabelNoise`.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    measure : str or Measure
        What is measured.
    model : str, optional
        The model, where the table has several.

    Returns
    -------
    Learning
        The curve.

    Examples
    --------
    >>> import heliast as hl
    >>> from sklearn.naive_bayes import GaussianNB
    >>> plan = hl.LabelNoise(hl.KFold(5), shares=(0.0, 0.2))
    >>> table = hl.run({"bayes": GaussianNB()}, hl.read("sklearn:iris"), plan, progress=False)
    >>> noise(table).x
    array([0. , 0.2])
    """
    return _varied(predictions, measure, model, "label noise", lambda split: split.noise)


def _varied(
    predictions: Predictions,
    measure: str | Measure,
    model: str | None,
    varied: Varied,
    share_of: Callable[[Split], float | None],
) -> Learning:
    chosen = get(measure)
    table = predictions.only(model, role="test", in_train=0)
    if len(table.models) > 1:
        raise InputError(f"several models ({', '.join(table.models[:4])}): give model=")
    name = table.models[0]
    lacking = chosen.lacks(
        table.task, len(table.classes), table.score_kind_of(name), table.meta.ordinal
    )
    if lacking:
        raise InputError(f"measure {chosen.name!r}: {lacking}")
    splits: dict[float, list[Split]] = defaultdict(list)
    for split in table.splits:
        share = share_of(split)
        if share is not None:
            splits[share].append(split)
    if not splits:
        plan = "LearningCurve" if varied == "training rows" else "LabelNoise"
        raise InputError(f"no split varies the {varied}: run with the plan {plan}(...)")
    rows = []
    undefined = 0
    for share, own in sorted(splits.items()):
        values = np.array([chosen.of(table.only(split=split.split)) for split in own])
        known = values[~np.isnan(values)]
        undefined += values.size - known.size
        sizes = [split.n_train for split in own if split.n_train is not None]
        x = float(np.mean(sizes)) if sizes and varied == "training rows" else share
        # The standard deviation over splits; of a single one there is none.
        spread = known.std(ddof=1) if known.size > 1 else np.nan
        rows.append((x, known.mean() if known.size else np.nan, spread, values.size))
    places, value, spreads, count = map(np.array, zip(*rows, strict=True))
    return Learning(
        varied=varied, x=places, value=value, spread=spreads, splits=count, measure=chosen.title,
        better=chosen.better, model=name,
        notes=(f"undefined in {undefined} splits",) if undefined else (),
    )  # fmt: skip


# --- what models cost ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Speed(Record):
    """Median seconds to fit and to predict, and bytes kept, at each number of training rows.

    Parameters
    ----------
    n_train : array
        Numbers of training rows.
    fit_seconds : array
        Median seconds to fit.
    predict_seconds : array
        Median seconds to predict.
    size : array
        Median bytes kept.
    model : str
        The model.
    class_ : None
        Times are those of all classes.

    Examples
    --------
    >>> n = np.array([120.0])
    >>> Speed(n_train=n, fit_seconds=n / 60, predict_seconds=n / 1000, size=n, model="tree")
    <Speed of 'tree': fits 120 rows in 2 s>
    """

    n_train: Array
    fit_seconds: Array
    predict_seconds: Array
    size: Array
    model: str = ""
    class_: None = None

    def __repr__(self) -> str:
        words = f"fits {self.n_train[-1]:g} rows in {self.fit_seconds[-1]:.3g} s"
        return self._said(words)


def speed(predictions: Predictions, model: str | None = None) -> Speed:
    """Times and sizes as `run` recorded them in `cells`; shortcuts have those of one fit.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    model : str, optional
        The model, where the table has several.

    Returns
    -------
    Speed
        Times and sizes.

    Examples
    --------
    >>> import heliast as hl
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> iris = hl.read("sklearn:iris")
    >>> speed(hl.run({"tree": DecisionTreeClassifier()}, iris, 5, progress=False)).n_train
    array([120.])
    """
    owners = list(dict.fromkeys(str(cell["model"]) for cell in predictions.cells))
    if not owners:
        raise InputError("the table has no cells: only tables made by run know their times")
    if model is None and len(owners) > 1:
        raise InputError(f"several models ({', '.join(owners[:4])}): give model=")
    name = model or owners[0]
    if name not in owners:
        raise InputError(f"no model named {name!r}; there are: {', '.join(owners)}")
    by_size: dict[int, list[Any]] = defaultdict(list)
    trained = {split.split: split.n_train for split in predictions.splits}
    for cell in predictions.cells:
        if cell["model"] == name and cell["status"] == "ok":
            by_size[trained[cell["split"]] or 0].append(cell)  # type: ignore[index]
    sizes = sorted(by_size)

    def median(field: str) -> Array:
        values = [[c[field] for c in by_size[size] if c[field] is not None] for size in sizes]
        return np.array([float(np.median(known)) if known else np.nan for known in values])

    return Speed(
        n_train=np.array(sizes, float), fit_seconds=median("fit_seconds"),
        predict_seconds=median("predict_seconds"), size=median("size"), model=name,
    )  # fmt: skip


# --- predicted numbers ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Predicted(Record):
    """Some rows with what was predicted and what was true, and all rows in bins of the prediction.

    Bins hold about equal numbers of rows; rows with equal predictions share a bin. From `low` to
    `high` lie 90% of the residuals of a bin: it is where rows are, and no interval of the mean.

    Parameters
    ----------
    y_pred : array
        The predictions of the rows that are drawn.
    y_true : array
        Their actual numbers.
    n : int
        How many rows there are.
    bias : float
        The mean residual (actual - predicted) of all rows.
    forecast : array
        The mean prediction of each bin.
    residual : array
        The mean residual of each bin.
    low : array
        What 5% of the residuals of each bin are below.
    high : array
        What 5% of the residuals of each bin are above.
    weight : array
        The rows of each bin.
    model : str
        The model.
    class_ : None
        There are no classes.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> predicted(Predictions.of([1.0, 2.5], [1.5, 2.5], task="regression"))
    <Predicted of 'model': 2 rows, mean residual -0.25>
    """

    y_pred: Array
    y_true: Array
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
        return self._said(f"{self.n} rows, mean residual {self.bias:.4g}")


def predicted(
    predictions: Predictions, model: str | None = None, *, split: int | str | None = None
) -> Predicted:
    """Predicted against actual numbers; rows of several splits are taken together.

    Residuals are actual less predicted. Where bins stray from 0 the model could be better by a
    function of its own prediction; where they widen, errors grow with it. Of many rows 1,500 drawn
    at random are kept to be shown.

    Parameters
    ----------
    predictions : Predictions or Rows
        The rows of one model, or of several with `model`.
    model : str, optional
        The model, where the table has several.
    split : int or str, optional
        One split, where the table has several.

    Returns
    -------
    Predicted
        The rows and the bins.

    Examples
    --------
    >>> predicted(Predictions.of([1.0, 2.5], [1.5, 2.5], task="regression")).bias
    -0.25
    """
    if predictions.task != "regression":
        raise InputError("predicted: these are predictions of classes; see Contingency for those")
    part, _ = part_of("predicted", predictions, model, split, pool=True)
    rows = part.rows()
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    y_pred, y_true, weight = (column[weight > 0] for column in (rows.y_pred, rows.y_true, weight))
    if not y_pred.size:
        raise InputError("predicted: every row has weight 0; there is nothing to show")
    inner = np.linspace(0, 1, int(np.clip(y_pred.size // FEWEST, 1, BINS)) + 1)[1:-1]
    codes = np.searchsorted(np.unique(np.quantile(y_pred, inner)), y_pred, side="left")
    bins = []
    for code in np.unique(codes):
        own = codes == code
        forecast, residual, held = y_pred[own], (y_true - y_pred)[own], weight[own]
        order = np.argsort(residual, kind="stable")
        below = np.cumsum(held[order])
        low, high = residual[order[np.searchsorted(below, np.array(INNER) * below[-1])]]
        means = (np.average(values, weights=held) for values in (forecast, residual))
        bins.append((*means, low, high, below[-1]))
    forecast, residual, low, high, held = np.array(bins).T
    shown = np.arange(y_pred.size)
    if y_pred.size > MOST_POINTS:
        shown = np.sort(np.random.default_rng(0).choice(y_pred.size, MOST_POINTS, replace=False))
    return Predicted(
        y_pred=y_pred[shown], y_true=y_true[shown], n=y_pred.size,
        bias=float(np.average(y_true - y_pred, weights=weight)), forecast=forecast,
        residual=residual, low=low, high=high, weight=held, model=part.models[0],
        notes=(part.unfinished,) if part.unfinished else (),
    )  # fmt: skip
