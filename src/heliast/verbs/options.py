"""Options: what the caller of a verb asks for, checked once, the same record for every verb."""

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
from heliast.verbs.sliced_by import as_by

Measures = str | Measure | Sequence[str | Measure] | None
CORRECTIONS = ("holm", "none")
# What models are ranked by if no measure is named.
USUAL = {"classification": "error", "regression": "mae", "graded": "grade"}


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of a verb; each verb uses some of them.

    Parameters
    ----------
    measures : str, Measure, callable, sequence of these, or None
        What is measured; None is the panel of the task, or its usual measure.
    level : float
        The confidence level of intervals; tests use 1 minus it.
    interval : str or None
        The method of intervals: `auto`, a name from `heliast.estimates`, or `none`.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    margin : float, optional
        The equivalence margin.
    correction : {"holm", "none"}
        How p values and intervals are adjusted for the number of pairs.
    test : str
        The test of differences: `auto`, or a name from `heliast.comparisons`.
    role : str or None
        The role of the splits that count; None is all.
    in_train : int or None
        How often the model was trained on a row that counts; None is any number.
    seed : int
        Random seed.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    by : str or sequence of str
        Columns to slice by; `region*age:3` crosses two, numbers in three parts.

    Examples
    --------
    >>> Options(measures="error", level=0.9).names
    ('error',)
    >>> Options(level=95)
    Traceback (most recent call last):
    heliast._core.errors.InputError: level=95: ... lies between 0 and 1 (did you mean 0.95?)
    """

    measures: Any = None
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
        check_level(self.level)
        if self.correction not in CORRECTIONS:
            raise InputError(f"correction={self.correction!r}: choose 'holm' or 'none'")
        if self.margin is not None and not 0 <= self.margin < inf:
            raise InputError(f"margin must be >= 0, got {self.margin}")
        if self.threshold is not None and not -inf < self.threshold < inf:
            raise InputError(f"threshold must be finite, got {self.threshold}")
        if self.role is not None and self.role not in get_args(Role):
            roles = ", ".join(map(repr, get_args(Role)))
            raise InputError(f"role={self.role!r}: choose {roles}, or None for all")
        object.__setattr__(self, "by", as_by(self.by))
        if self.measures is not None:
            chosen = tuple(self.measure(measure) for measure in _as_sequence(self.measures))
            object.__setattr__(self, "measures", chosen)

    def _check_types(self) -> None:
        for name in ("level", "threshold", "margin"):
            value = getattr(self, name)
            if value is not None and (isinstance(value, bool) or not isinstance(value, Real)):
                raise InputError(f"{name} must be a number, got {value!r}")
        for name in ("seed", "in_train"):
            value = getattr(self, name)
            if value is None and name == "in_train":
                continue
            if not isinstance(value, Integral) or value < 0:
                raise InputError(f"{name} must be a whole number >= 0, got {value!r}")
        if not isinstance(self.stages, bool):
            raise InputError(f"stages must be True or False, got {self.stages!r}")
        if self.prevalences is not None and not isinstance(self.prevalences, Mapping):
            raise InputError(
                f"prevalences must be a mapping of classes to shares, got {self.prevalences!r:.60}"
            )

    @property
    def method(self) -> str:
        """The name of the interval method."""
        return self.interval or "none"

    def but(self, **changes: Any) -> "Options":
        """The same options with some changed."""
        return replace(self, **changes)

    # --- measures --------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The titles of the measures named."""
        return tuple(measure.title for measure in self.measures or ())

    def measure(self, name: Any) -> Measure:
        """A measure, with the cost or threshold that it needs and these options give."""
        measure = registry.get(name)
        known = {"cost": self.cost, "threshold": self.threshold}
        for key, value in known.items():
            own = measure.parameters.get(key)
            if value is not None and own is not None and not _equal(value, own):
                raise InputError(f"{key}: {measure.title} has its own {key}; give one of the two")
        needed = {
            key: known[key]
            for key in measure.required
            if measure.parameters.get(key) is None and known.get(key) is not None
        }
        return measure.with_(**needed) if needed else measure

    def only_measure(self, task: str) -> Measure:
        """The single measure named, or the usual one of the task."""
        if self.measures is None:
            return self.usual(task)
        if len(self.measures) != 1:
            raise InputError(f"one measure is compared at a time, got {', '.join(self.names)}")
        measure: Measure = self.measures[0]
        return measure

    def usual(self, task: str) -> Measure:
        """The measure that models are ranked by unless named: expected cost where costs are set."""
        return self.measure("expected_cost" if self.cost is not None else USUAL[task])

    def on(self, table: Predictions) -> "Options":
        """The same options, their measures with the bounds of a graded table."""
        if self.measures is None or table.task != "graded":
            return self
        return self.but(measures=[measure.on(table) for measure in self.measures])

    def about(self, measure: Measure) -> "Options":
        """The same options for one measure, without a cost or threshold that it does not use."""
        return self.but(
            measures=measure,
            cost=self.cost if "cost" in measure.required else None,
            threshold=self.threshold if _uses_threshold(measure) else None,
        )

    def unused(self, measures: Sequence[Measure]) -> tuple[str, ...]:
        """Which of cost and threshold are set and change none of these measures."""
        used = {
            "threshold": any(map(_uses_threshold, measures)),
            "cost": any("cost" in measure.required for measure in measures),
        }
        return tuple(name for name in used if getattr(self, name) is not None and not used[name])

    def check_used(self, measures: Sequence[Measure]) -> None:
        """Refuse a threshold or costs that change none of these measures."""
        titles, unused = ", ".join(measure.title for measure in measures), self.unused(measures)
        if "threshold" in unused:
            raise InputError(
                f"threshold={self.threshold:g}: {titles} does not use predicted classes"
            )
        if "cost" in unused:
            raise InputError(f"cost: {titles} does not use costs; ask for expected_cost")

    # --- rows ------------------------------------------------------------------------------

    def decided(self, table: Predictions) -> Predictions:
        """The table with classes predicted at the threshold, if there is one."""
        if not isinstance(table, Predictions):
            raise InputError(f"expected Predictions, got {table!r:.60}")
        return table if self.threshold is None else table.decided(self.threshold)

    def choosing(self, table: Predictions) -> "Options":
        """The options that a model is selected with: on validation rows, where there are some.

        >>> table = Predictions.of([0, 1], [0, 1], split=["validation", "test"])
        >>> Options().choosing(table).role, Options(role="inner").choosing(table).role
        ('validation', 'inner')
        """
        validated = self.role in ("test", None) and table.splits.of_role("validation")
        return self.but(role="validation") if validated else self

    def models(self, table: Predictions) -> Predictions:
        """The table without the stages of models that are in it too, unless they are asked for."""
        hidden = () if self.stages else table.stages
        if not hidden:
            return table
        owners = ", ".join(dict.fromkeys(table.meta.stages[model] for model in hidden))
        note = (
            f"{len(hidden)} further outputs of the same fits (stages of {owners}) are left out: "
            "stages=True (--stages) shows them"
        )
        return table.only(model=[name for name in table.models if name not in hidden]).noted(note)

    def rows(self, predictions: Predictions) -> Predictions:
        """The rows that count, with classes as predicted at the threshold.

        Where a plan varied training sizes or label noise: the splits with all training rows and
        without noise.
        """
        table = self.models(self.decided(predictions)).only(role=self.role, in_train=self.in_train)
        if not len(table):
            raise InputError(self._why_empty(predictions))
        for name in ("prevalences", "cost"):
            if getattr(self, name) is not None and table.task != "classification":
                raise InputError(f"{name} is for classification; this is {table.task}")
        kept = [
            split.split
            for split in table.splits
            if split.train_share in (None, 1.0) and split.noise in (None, 0.0)
        ]
        if not kept or len(kept) == len(table.splits):
            return table
        note = "splits with fewer training rows or label noise are in curves.learning and noise"
        return table.only(split=kept).noted(note)

    def _why_empty(self, table: Predictions) -> str:
        empty = f"no row of role {self.role!r} with in_train = {self.in_train}: nothing to judge by"
        others = sorted({split.role for split in table.splits} - {self.role})
        if others:
            role = others[0]
            return f"{empty}; there are rows of role {role!r}: role={role!r} (--role {role})"
        if table.in_train is not None and bool(table.in_train.all()):
            fix = "in_train=None (--in-train any) assesses in-sample rows"
            return f"{empty}: the models were trained on all rows; give new rows, or {fix}"
        return empty


def _as_sequence(measures: Any) -> Sequence[Any]:
    if isinstance(measures, (str, Measure)) or callable(measures):
        return [measures]
    if not isinstance(measures, Sequence):
        raise InputError(
            f"measures must be a name, a Measure, a function or several, got {measures!r:.60}"
        )
    return measures


def _equal(a: object, b: object) -> bool:
    return bool(np.array_equal(np.asarray(a, object), np.asarray(b, object)))


def _uses_threshold(measure: Measure) -> bool:
    return measure.needs == "label" or "threshold" in measure.required
