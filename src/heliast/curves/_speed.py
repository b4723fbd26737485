"""What a model costs to fit, to ask and to keep, against the rows it was trained on."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.curves._record import ASKED, HELD, Record
from heliast.predictions import Predictions

Array = npt.NDArray[Any]


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
