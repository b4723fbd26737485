"""Question: what the user asks, checked once, the same for every verb."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from numbers import Integral, Real
from typing import Any, get_args

import numpy as np

from heliast import measures as registry
from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.verbs.honoured import HONOURED as HONOURED
from heliast.verbs.honoured import REFUSED as REFUSED
from heliast.verbs.honoured import refuse as refuse
from heliast.verbs.sliced_by import as_by

Measures = str | Measure | Sequence[str | Measure] | None
CORRECTIONS = ("holm", "none")
USUAL = {"classification": "error", "regression": "mae", "graded": "grade"}
"""What models are judged by if nobody says."""


@dataclass(frozen=True, kw_only=True)
class Question:
    """What is asked of a table of predictions; every verb takes these as keywords.

    Parameters
    ----------
    measures : str, Measure, sequence of these, or None
        What is measured; None is every measure of the panel, or the usual one of the task.
    level : float
        The confidence level of intervals; 1 minus it is the level of tests.
    interval : str
        The method of intervals: `auto`, a name from `heliast.estimates`, or `none`.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: labels are decided again, positive where the score is at least this.
    margin : float, optional
        The largest difference that does not matter.
    correction : str
        `holm` corrects for the number of pairs, `none` does not.
    test : str
        The test of differences: `auto`, or a name from `heliast.comparisons`.
    role : str or None
        The rows that count: those of `test` splits, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on the row: 0 is not at all; None is any number.
    seed : int
        Seed of whatever is drawn.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models of their own.
    by : str or sequence
        Columns that the table is sliced by, each by itself; several in a tuple, or joined by `*`,
        are crossed. Numbers are cut at quartiles, `age:3` into three parts.

    Examples
    --------
    >>> Question(measures="error", level=0.9).names
    ('error',)
    >>> Question(level=95)
    Traceback (most recent call last):
    heliast._core.errors.InputError: level=95: ... lies between 0 and 1 (did you mean 0.95?)
    """

    measures: Measures = None
    level: float = 0.95
    interval: str | None = "auto"
    cost: Costs | None = None
    prevalences: Mapping[Label, float] | None = None
    threshold: float | None = None
    margin: float | None = None
    correction: str = "holm"
    test: str = "auto"
    role: Role | None = "test"
    in_train: int | None = 0
    seed: int = 0
    stages: bool = False
    by: Any = ()

    def __post_init__(self) -> None:
        self._check_types()
        object.__setattr__(self, "by", as_by(self.by))
        check_level(self.level)
        if self.correction not in CORRECTIONS:
            raise InputError(f"correction={self.correction!r}: choose 'holm' or 'none'")
        if self.margin is not None and not 0 <= self.margin < inf:
            raise InputError(
                f"margin={self.margin}: the largest difference of no matter, 0 or more"
            )
        if self.threshold is not None and not -inf < self.threshold < inf:
            raise InputError(f"threshold={self.threshold}: the least score of the positive class")
        if self.prevalences is not None and not isinstance(self.prevalences, Mapping):
            raise InputError(
                f"prevalences={self.prevalences!r:.60}: a share for each class by name"
            )
        if self.measures is not None:
            object.__setattr__(self, "measures", tuple(map(self.measure, _listed(self.measures))))

    def _check_types(self) -> None:
        for name in ("level", "threshold", "margin"):
            value: object = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
                raise InputError(f"{name}={value!r}: a number")
        for name in ("seed", "in_train"):
            value = getattr(self, name)
            none = value is None and name == "in_train"
            if not none and (not isinstance(value, Integral) or value < 0):
                also = ", or None for any" if name == "in_train" else ""
                raise InputError(f"{name}={value!r}: a whole number, 0 or more{also}")
        if not isinstance(self.stages, bool):
            raise InputError(f"stages={self.stages!r}: True or False")
        if self.role is not None and self.role not in get_args(Role):
            listed = ", ".join(map(repr, get_args(Role)))
            raise InputError(f"role={self.role!r}: choose {listed}, or None for all")

    @property
    def method(self) -> str:
        """The method of intervals by name."""
        return self.interval or "none"

    def but(self, **changes: Any) -> "Question":
        """The same question with some parts changed."""
        return replace(self, **changes)

    # --- which measures ------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[Measure, ...] | None:
        """The measures asked for; None where nothing was said."""
        return self.measures  # type: ignore[return-value]

    @property
    def names(self) -> tuple[str, ...]:
        """Their titles."""
        return tuple(one.title for one in self.chosen or ())

    def measure(self, one: str | Measure) -> Measure:
        """A measure with the parameters that it lacks and that the question gives."""
        found = registry.get(one)
        known = {"cost": self.cost, "threshold": self.threshold}
        for name, value in known.items():
            own = found.parameters.get(name)
            if value is not None and own is not None and not _same(value, own):
                raise InputError(f"{name}: {found.title} has its own {name}; give one of the two")
        lacks = [name for name in found.required if found.parameters.get(name) is None]
        given = {name: known[name] for name in lacks if known.get(name) is not None}
        return found.with_(**given) if given else found

    def only_measure(self, task: str) -> Measure:
        """The one measure asked for, or the usual one of the task."""
        if self.chosen is None:
            return self.usual(task)
        if len(self.chosen) != 1:
            raise InputError(f"one measure is compared at a time, got {', '.join(self.names)}")
        return self.chosen[0]

    def usual(self, task: str) -> Measure:
        """What models are judged by if nobody says: the error, the mean absolute error of numbers,
        the mean grade; where costs are given, the expected cost.
        """
        if self.cost is not None:
            return self.measure("expected_cost")
        return registry.get(USUAL[task])

    def on(self, table: Predictions) -> "Question":
        """The same question, its measures with what a graded table tells of them."""
        if self.chosen is None or table.task != "graded":
            return self
        return self.but(measures=[one.on(table) for one in self.chosen])

    def about(self, measure: Measure) -> "Question":
        """The same question about one measure, without costs or threshold of no use to it."""
        return self.but(
            measures=measure,
            cost=self.cost if "cost" in measure.required else None,
            threshold=self.threshold if _decides(measure) else None,
        )

    def check_used(self, measures: Sequence[Measure]) -> None:
        """Refuse a threshold or costs that change none of these measures."""
        names, unused = ", ".join(one.title for one in measures), self.unused(measures)
        if "threshold" in unused:
            raise InputError(f"threshold={self.threshold:g}: it decides labels; {names} has none")
        if "cost" in unused:
            raise InputError(f"cost: {names} has no use for it; ask for expected_cost")

    def unused(self, measures: Sequence[Measure]) -> tuple[str, ...]:
        """Which of threshold and costs are given and change none of these measures."""
        used = {
            "threshold": any(map(_decides, measures)),
            "cost": any("cost" in one.required for one in measures),
        }
        return tuple(name for name in used if getattr(self, name) is not None and not used[name])

    # --- which rows ----------------------------------------------------------------------------

    def decided(self, predictions: Predictions) -> Predictions:
        """The whole table with its labels decided at the threshold, if one is given."""
        if not isinstance(predictions, Predictions):
            raise InputError(f"expected Predictions, got {predictions!r:.60}")
        return predictions if self.threshold is None else predictions.decided(self.threshold)

    def choosing(self, predictions: Predictions) -> "Question":
        """The question that a model is chosen by: about validation rows, where there are some.

        >>> table = Predictions.of([0, 1], [0, 1], split=["validation", "test"])
        >>> Question().choosing(table).role, Question(role="inner").choosing(table).role
        ('validation', 'inner')
        """
        asked = self.role in ("test", None) and predictions.splits.of_role("validation")
        return self.but(role="validation") if asked else self

    def models(self, table: Predictions) -> Predictions:
        """The table without the stages of models that stand beside them, unless asked for."""
        apart = () if self.stages else table.stages
        if not apart:
            return table
        of = ", ".join(dict.fromkeys(table.meta.stages[one] for one in apart))
        note = (
            f"{len(apart)} further outputs of the same fits (stages of {of}) are left out: "
            "stages=True (--stages) shows them"
        )
        return table.only(model=[one for one in table.models if one not in apart]).noted(note)

    def rows(self, predictions: Predictions) -> Predictions:
        """The rows asked about: of one role, not trained on, with labels as they are decided.

        Where a plan varied training sizes or noise: those on all training rows without noise.
        """
        table = self.models(self.decided(predictions)).only(role=self.role, in_train=self.in_train)
        if not len(table):
            other = sorted({one.role for one in predictions.splits} - {self.role})
            more = f"; there are rows of role {other[0]!r}: say role={other[0]!r}" if other else ""
            trained = predictions.in_train is not None and bool(predictions.in_train.all())
            if trained and not other:
                more = (
                    ": all were trained on; give new rows, or say in_train=None to judge by these"
                )
            elsewhere = f"--role {other[0]}" if other else "--in-train any" if trained else ""
            raise InputError(
                f"no row of role {self.role!r} with in_train = {self.in_train}: nothing to judge "
                f"by{more}" + (f" (command line: {elsewhere})" if elsewhere else "")
            )
        if self.prevalences is not None and table.task != "classification":
            raise InputError("prevalences: these are shares of classes, but here are none")
        if self.cost is not None and table.task != "classification":
            raise InputError("cost: it weighs decisions between classes, but here are none")
        return _main_condition(table)


def _listed(measures: Measures) -> Sequence[str | Measure]:
    if isinstance(measures, (str, Measure)) or callable(measures):
        return [measures]
    if not isinstance(measures, Sequence):
        raise InputError(
            f"measures={measures!r:.60}: a name, a Measure, a function, or several of these"
        )
    return measures


def _same(one: object, other: object) -> bool:
    """Whether two costs or thresholds say the same, however they are written."""
    return bool(np.array_equal(np.asarray(one, object), np.asarray(other, object)))


def _decides(measure: Measure) -> bool:
    """Whether labels, or the threshold itself, change the measure."""
    return measure.needs == "label" or "threshold" in measure.required


def _main_condition(table: Predictions) -> Predictions:
    kept = [
        split.split
        for split in table.splits
        if split.train_share in (None, 1.0) and split.noise in (None, 0.0)
    ]
    if not kept or len(kept) == len(table.splits):
        return table
    note = "splits with fewer training rows or noisy labels are left to curves.learning and noise"
    return table.only(split=kept).noted(note)
