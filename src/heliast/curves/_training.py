"""Curves over training: a measure against rows or label noise; what fits cost in time and size."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.curves._record import ASKED, HELD, Record
from heliast.measures import Measure, get
from heliast.predictions import Predictions, Split

Varied = Literal["training rows", "label noise"]
VARYING = told(
    ASKED | {"measure": "str or Measure: What is measured."},
    returns="Learning: The curve.",
    raises="If no split varies it, or several models are meant.",
)


@told(
    HELD
    | {
        "varied": "{'training rows', 'label noise'}: What was varied.",
        "x": "array: The values of what was varied.",
        "value": "array: The mean of the measure there.",
        "spread": "array: The standard deviation over the splits there, NaN of a single one.",
        "splits": "array: How many splits there are.",
        "measure": "str: What was measured.",
        "better": "str: Whether high or low is better.",
        "class_": "None: Always all classes.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Learning(Record):
    """The mean of a measure over the splits at each value `x` of what was varied.

    `spread` is the standard deviation over the splits: it shows how much single splits differ, and
    is no interval, as splits share training rows.

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
        return f"{self._head('Learning', None)}: {words}>"


@VARYING
def learning(
    predictions: Predictions, measure: str | Measure = "error", model: str | None = None
) -> Learning:
    """A measure against the number of training rows, from a table run with `LearningCurve`.

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


@VARYING
def noise(
    predictions: Predictions, measure: str | Measure = "error", model: str | None = None
) -> Learning:
    """A measure against the share of wrong training labels, from a table run with `LabelNoise`.

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
    asked = get(measure) if isinstance(measure, str) else measure
    table = predictions.only(model, role="test", seen=0)
    if len(table.models) > 1:
        raise InputError(f"several models ({', '.join(table.models[:4])}): give model=")
    name = table.models[0]
    about = table.task, len(table.classes), table.score_kind_of(name), table.meta.ordinal
    lacking = asked.lacks(*about)
    if lacking:
        raise InputError(f"measure {asked.name!r}: {lacking}")
    shares = sorted({share for split in table.splits if (share := share_of(split)) is not None})
    if not shares:
        plan = "LearningCurve" if varied == "training rows" else "LabelNoise"
        raise InputError(f"no split varies the {varied}: run with the plan {plan}(...)")
    found = {share: _values(table, asked, share_of, share) for share in shares}
    x = [_place(table, share_of, share, varied) for share in shares]
    undefined = sum(int(np.isnan(values).sum()) for values in found.values())
    return Learning(
        varied=varied,
        x=np.array(x),
        value=np.array([_mean(values) for values in found.values()]),
        spread=np.array([_spread(values) for values in found.values()]),
        splits=np.array([values.size for values in found.values()]),
        measure=asked.title,
        better=asked.better,
        model=name,
        notes=(f"undefined in {undefined} splits",) if undefined else (),
    )


def _values(
    table: Predictions, measure: Measure, share_of: Callable[[Split], float | None], share: float
) -> Array:
    names = [split.split for split in table.splits if share_of(split) == share]
    return np.array([measure.of(table.only(split=name)) for name in names])


def _mean(values: Array) -> float:
    known = values[~np.isnan(values)]
    return float(known.mean()) if known.size else np.nan


def _spread(values: Array) -> float:
    """The standard deviation over splits; of a single one there is none."""
    known = values[~np.isnan(values)]
    return float(known.std(ddof=1)) if known.size > 1 else np.nan


def _place(
    table: Predictions, share_of: Callable[[Split], float | None], share: float, varied: Varied
) -> float:
    if varied == "label noise":
        return share
    sizes = [split.n_train for split in table.splits if share_of(split) == share]
    known = [size for size in sizes if size is not None]
    return float(np.mean(known)) if known else share


# --- what models cost ---------------------------------------------------------------------------


@told(
    HELD
    | {
        "n_train": "array: Numbers of training rows.",
        "fit_seconds": "array: Median seconds to fit.",
        "predict_seconds": "array: Median seconds to predict.",
        "size": "array: Median bytes kept.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Speed(Record):
    """Median seconds to fit and to predict, and bytes kept, at each number of training rows.

    Examples
    --------
    >>> one = np.array([120.0])
    >>> Speed(n_train=one, fit_seconds=one / 60, predict_seconds=one / 1000, size=one, model="tree")
    <Speed of 'tree': fits 120 rows in 2 s>
    """

    n_train: Array
    fit_seconds: Array
    predict_seconds: Array
    size: Array
    model: str = ""

    def __repr__(self) -> str:
        words = f"fits {self.n_train[-1]:g} rows in {self.fit_seconds[-1]:.3g} s"
        return f"{self._head('Speed', None)}: {words}>"


@told(ASKED, returns="Speed: Times and sizes.", raises="If the table has no cells.")
def speed(predictions: Predictions, model: str | None = None) -> Speed:
    """Times and sizes as `run` recorded them in `cells`; a cell answered by a shortcut has no fit.

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
        return np.array([_median([cell[field] for cell in by_size[size]]) for size in sizes])

    return Speed(
        n_train=np.array(sizes, float),
        fit_seconds=median("fit_seconds"),
        predict_seconds=median("predict_seconds"),
        size=median("size"),
        model=name,
    )


def _median(values: list[Any]) -> float:
    known = [value for value in values if value is not None]
    return float(np.median(known)) if known else float("nan")
