"""What a method for several splits may look at, and the registry of such methods."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._design import Design, design_of
from heliast.estimates.resampled._parts import Parts
from heliast.measures import Measure
from heliast.measures.forms import Form
from heliast.predictions import Predictions

Array = npt.NDArray[Any]


class Refused(InputError):  # noqa: N818 - it names the finding, not a fault
    """The method is not valid for this design or measure; the message says why."""


@dataclass(frozen=True, eq=False)
class Case:
    """One measure of one model: the rows to assess, and all rows of every role.

    `point` names the value that a bootstrap interval is put around.
    """

    parts: Parts
    table: Predictions
    measure: Measure
    class_: Label | None = None
    level: float = 0.95
    point: str | None = None
    seed: int = 0

    @property
    def design(self) -> Design:
        full = bool(self.table.splits.of_role("full"))
        return self.parts.once("design", lambda: design_of(self.parts, full))

    @property
    def inner(self) -> Parts:
        """The splits of role `inner`, where a plan has them."""
        return self.parts.once("inner", self._inner)

    def _inner(self) -> Parts:
        model = self.table.models[0]
        return Parts(self.table.only(role="inner", seen=0), model, self.parts.prevalences)

    def form(self, *names: int | str, parts: Parts | None = None) -> Form:
        """The measure's form on some splits pooled."""
        return self.measure.form((parts or self.parts).counted(names), self.class_)

    def values(self, parts: Parts | None = None) -> Array:
        """The measure on each split alone; NaN where it is undefined."""
        chosen = parts or self.parts
        return np.array([self.form(name, parts=chosen).value for name in chosen.alone])

    def found(self, value: float, method: str, **fields: Any) -> Estimate:
        """The Estimate, with all that the design says of it."""
        stated: dict[str, Any] = {
            "level": self.level,
            "method": method,
            "target": "procedure",
            "n": self.design.n,
            "n_train": self.design.n_train,
            "model": self.table.models[0],
            "measure": self.measure.title,
            "class_": self.class_,
        }
        return Estimate(value, **{**stated, **fields})


Answer = Callable[[Case], Estimate]
_METHODS: dict[str, Answer] = {}
_OF_ONE: set[str] = set()


def resampled(
    name: str, splits: Literal["several", "one"] = "several"
) -> Callable[[Answer], Answer]:
    """Register the decorated function as the method `name` for tables with several splits.

    `splits="one"` says that it is for one split, and refuses several by itself.
    """

    def register(answer: Answer) -> Answer:
        _METHODS[name] = answer
        if splits == "one":
            _OF_ONE.add(name)
        return answer

    return register


def resampled_methods() -> tuple[str, ...]:
    """The names of the methods for several splits.

    >>> "nested_cv" in resampled_methods()
    True
    """
    return tuple(_METHODS)


def of_one_split(name: str) -> bool:
    """Whether the method is for one split."""
    return name in _OF_ONE


def answer(name: str, case: Case) -> Estimate:
    """What the method of that name says; it raises `Refused` where it is not valid."""
    need_all_splits(case)
    return _METHODS[name](case)


def alone(
    name: str,
    predictions: Predictions,
    measure: str | Measure,
    level: float,
    class_: Label | None = None,
    prevalences: Mapping[Label, float] | None = None,
    point: str | None = None,
) -> Estimate:
    """The method called by itself on a table of one model."""
    check_level(level)
    if len(predictions.models) > 1:
        names = ", ".join(predictions.models)
        raise InputError(f"{name}: several models ({names}); choose one by predictions.only(model)")
    asked = registry.get(measure) if isinstance(measure, str) else measure
    model = predictions.models[0]
    kind = predictions.score_kind_of(model)
    lacking = asked.lacks(predictions.task, len(predictions.classes), kind)
    if lacking:
        raise InputError(f"measure {asked.name!r}: {lacking}")
    parts = Parts(predictions.only(role="test", seen=0), model, prevalences)
    return answer(name, Case(parts, predictions.only(model), asked, class_, level, point))


def need_splits(name: str, case: Case) -> None:
    """Refuse one split: its interval is that of one test set."""
    if len(case.parts.splits) < 2:
        raise Refused(f"{name} needs several splits, here is {len(case.parts.splits)}")


def need_all_splits(case: Case) -> None:
    """Refuse an incomplete design: what failed might have been the hard part."""
    missing, there = case.parts.missing, len(case.parts.splits)
    if missing and there:
        raise Refused(f"incomplete: the model failed in {missing} of {missing + there} splits")


def without(one: Estimate, reason: str) -> Estimate:
    """The estimate without an interval, and why."""
    nothing = float("nan")
    return replace(one, low=nothing, high=nothing, se=nothing, reason=reason)
