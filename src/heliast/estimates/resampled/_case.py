"""What a method for several splits may look at, the registry of such methods, and their needs."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heliast import measures as registry
from heliast._core.clusters import few, sizes, too_few
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level, quantile
from heliast._core.notes import NOT_ASKED, Note
from heliast.estimates._estimate import NARROW
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped
from heliast.estimates.resampled._design import Design, Parts, design_of
from heliast.measures import Measure
from heliast.measures.forms import ALL, Form, Mean, Rate, Undefined
from heliast.predictions import Predictions, Rows

Losses = Callable[[Rows], Array]
ONE_ROW = "each split tests one row, and scores of different fits are not comparable"
NO_SPREAD = "all splits say the same, which tells nothing about how much they vary"


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
        table, model = self.table, self.table.models[0]
        return self.parts.once(
            "inner",
            lambda: Parts(table.only(role="inner", in_train=0), model, self.parts.prevalences),
        )

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
            "target": "algorithm",
            "n": self.design.n,
            "n_train": self.design.n_train,
            "model": self.table.models[0],
            "measure": self.measure.title,
            "class_": self.class_,
        }
        return Estimate(value, **{**stated, **fields})

    def around(
        self, value: float, se: float, method: str, df: float | None = None, **fields: Any
    ) -> Estimate:
        """The Estimate value +- q se, cut at the measure's bounds; without spread no interval."""
        half = quantile(self.level, df) * se
        low, high = clipped(value - half, value + half, self.measure.bounds)
        estimate = self.found(value, method, low=low, high=high, se=se, **fields)
        return estimate if se > 0 else without(estimate, NO_SPREAD)


Answer = Callable[[Case], Estimate]
_METHODS: dict[str, Answer] = {}
OF_ONE_SPLIT = ("holdout", "out_of_bag")


def resampled(name: str) -> Callable[[Answer], Answer]:
    """Register the decorated function as the method `name` for tables with several splits."""

    def register(method: Answer) -> Answer:
        _METHODS[name] = method
        return method

    return register


def resampled_methods() -> tuple[str, ...]:
    """The names of the methods for several splits.

    Returns
    -------
    tuple of str
        What `interval=` takes for tables of several splits, besides `auto` and `none`.

    Examples
    --------
    >>> "nested_cv" in resampled_methods()
    True
    """
    return tuple(_METHODS)


def answer(name: str, case: Case) -> Estimate:
    """The estimate by the method of that name; it raises `Refused` where it is not valid."""
    need_all_splits(case)
    return replace(_METHODS[name](case), key=name)


def on_a_table(name: str) -> Callable[[Answer], Callable[..., Estimate]]:
    """Register the decorated function as `resampled` does; its name calls it on a table."""

    def register(method: Answer) -> Callable[..., Estimate]:
        resampled(name)(method)

        def on_table(
            predictions: Predictions,
            measure: str | Measure = "error",
            level: float = 0.95,
            *,
            class_: Label | None = None,
        ) -> Estimate:
            return alone(name, predictions, measure, level, class_)

        for attribute in ("__name__", "__qualname__", "__module__", "__doc__"):
            setattr(on_table, attribute, getattr(method, attribute))
        return on_table

    return register


def alone(
    name: str,
    predictions: Predictions,
    measure: str | Measure,
    level: float,
    class_: Label | None = None,
    point: str | None = None,
) -> Estimate:
    """The method by itself on a table of one model."""
    check_level(level)
    if len(predictions.models) > 1:
        names = ", ".join(predictions.models)
        raise InputError(f"{name}: several models ({names}); choose one by predictions.only(model)")
    chosen, model = registry.get(measure), predictions.models[0]
    check_measure(chosen, predictions, model)
    parts = Parts(predictions.only(role="test", in_train=0), model)
    return answer(name, Case(parts, predictions.only(model), chosen, class_, level, point))


def check_measure(measure: Measure, table: Predictions, model: str) -> None:
    """Refuse a measure that needs what the table lacks."""
    kind = table.score_kind_of(model)
    lacking = measure.lacks(table.task, len(table.classes), kind, table.meta.ordinal)
    if lacking:
        raise InputError(f"measure {measure.name!r}, model {model!r}: {lacking}")


def need_splits(name: str, case: Case) -> None:
    """Refuse one split: its interval is that of one test set."""
    if len(case.parts.splits) < 2:
        raise Refused(f"{name} needs several splits, here is {len(case.parts.splits)}")


def need_all_splits(case: Case) -> None:
    """Refuse an incomplete design: what failed might have been the hard part."""
    missing, complete = case.parts.missing, len(case.parts.splits)
    if missing and complete:
        raise Refused(f"incomplete: the model failed in {missing} of {missing + complete} splits")


def without(estimate: Estimate, reason: str) -> Estimate:
    """The estimate without an interval, and why."""
    nothing = float("nan")
    return replace(estimate, low=nothing, high=nothing, se=nothing, reason=reason)


def point(case: Case) -> Estimate:
    """The mean over repeats of the pooled folds, or over splits, of what is defined there."""
    over = case.measure.over
    if case.measure.needs == "score" and case.parts.one_row_each:
        return case.found(float("nan"), "", reason=ONE_ROW)
    forms = [case.measure.form(piece, case.class_) for piece in case.parts.pieces(over)]
    values = np.array([form.value for form in forms])
    defined = values[~np.isnan(values)]
    where = "splits" if over == "splits" else "repeats"
    notes = case.design.notes
    reason: str = NOT_ASKED
    if not np.isfinite(defined).all() or defined.size == 0:
        reasons = [form.reason for form in forms if isinstance(form, Undefined)]
        reason = reasons[0] if reasons else "the value is too large for a number"
    elif defined.size < values.size:
        words = f"undefined in {values.size - defined.size} of {values.size} {where}"
        notes += (Note(words, "undefined"),)
    value = float(defined.mean()) if defined.size else float("nan")
    method = f"mean over {defined.size} {where}"
    return case.found(value, method, reason=reason, notes=notes)


# --- what methods need ---------------------------------------------------------------------------


def loss_of(form: Form) -> Losses | None:
    """How to find the row losses whose plain mean the form is; None if it is no such mean."""
    if isinstance(form, Mean):
        return form.losses if form.shares is None else None
    if isinstance(form, Rate) and form.base is ALL and not form.table.by_class:
        hits = form.hits
        return lambda rows: hits.at(rows.y_true, rows.y_pred) + hits.all
    return None


def row_losses(case: Case, name: str, parts: Parts | None = None) -> Losses:
    """The row losses of the measure, or a refusal."""
    if not (parts or case.parts).splits:
        raise Refused(f"{name}: no row of role test with in_train = 0")
    form = case.measure.form((parts or case.parts).pooled, case.class_)
    if isinstance(form, Undefined):
        raise Refused(f"{name}: {case.measure.title} is undefined: {form.reason}")
    losses = loss_of(form)
    if losses is None:
        raise Refused(
            f"{name} needs a mean of row losses (error, accuracy, log loss, ...), which "
            f"{case.measure.title} is not"
        )
    return losses


def independent_rows(name: str, table: Predictions) -> None:
    """Refuse groups and weights, for methods that count every row as one."""
    if table.group is not None:
        raise Refused(f"{name} takes rows as independent, but these come in groups")
    if table.weight is not None:
        raise Refused(f"{name} counts every row as one, but these have weights")


def by_group(case: Case) -> tuple[str, ...]:
    """Refuse torn groups and too few; otherwise what to say of them. Nothing without groups."""
    group = case.parts.whole.group
    if group is None:
        return ()
    if case.design.torn:
        raise Refused(case.design.torn)
    size = sizes(group, case.parts.whole.weight)
    why = too_few(size, "an interval")
    if why:
        raise Refused(why)
    return few(size, NARROW)
