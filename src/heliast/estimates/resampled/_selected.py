"""The best of several models: what it is worth once the choosing is taken into account."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.estimates._estimate import FEW_GROUPS, FEWEST_GROUPS
from heliast.estimates._proportion import check_level
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._losses import row_losses
from heliast.estimates.resampled._parts import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
FEWEST_ROWS = 10
MOST = 2000
"""More rows than this are dealt at random into so many packs, which are drawn as one."""
BLOCK = 2_000_000
"""Numbers drawn at a time: 16 MB."""
WIDE = "percentiles of the scores outside the bags, each from about 37% of the rows, so rather wide"


def selected(
    predictions: Predictions,
    measure: str | Measure = "error",
    seed: int = 0,
    times: int = 1000,
    *,
    level: float = 0.95,
    class_: Label | None = None,
) -> Estimate:
    """The value of the best of several models, corrected for its having been chosen (BBC-CV).

    The best of m models looks better than it is: it was chosen by the same rows. So the choice is
    repeated: draw rows with replacement (whole groups where given), take the model that is best on
    the drawn rows, and score it on the rows not drawn. The mean of these scores is the value, and
    `model` says which is best on all rows. It errs a little on the safe side, as each choice sees
    about 63% of the rows. The interval runs between percentiles of the scores, as the authors have
    it. Nothing is fitted again: a row's loss is its mean over the splits that predict it.

    For measures that are means of row losses. Every model must have the same rows.

    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> truth, row = np.tile(rng.integers(0, 2, 100), 8), np.tile(np.arange(100), 8)
    >>> coins = rng.integers(0, 2, 800)
    >>> table = Predictions.of(truth, coins, model=np.repeat(list("abcdefgh"), 100), row=row)
    >>> found = selected(table)  # eight coin tossers
    >>> found.model, round(found.value, 2), found.notes[0]
    ('h', 0.49, 'uncorrected 0.42')

    Reference: I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the
    out-of-sample predictions for efficient and accurate cross-validation, Machine Learning 107.
    """
    asked = registry.get(measure) if isinstance(measure, str) else measure
    table = predictions.only(role="test", seen=0)
    for model in table.models:
        kind = table.score_kind_of(model)
        lacking = asked.lacks(table.task, len(table.classes), kind)
        if lacking:
            raise InputError(f"measure {asked.name!r} of {model}: {lacking}")
    parts = {model: Parts(table, model) for model in table.models}
    return selected_of(parts, asked, class_, level, seed, times)


def selected_of(
    parts: Mapping[str, Parts],
    measure: Measure,
    class_: Label | None = None,
    level: float = 0.95,
    seed: int = 0,
    times: int = 1000,
) -> Estimate:
    """The same from rows that were cut into parts already."""
    check_level(level)
    tail = (1 - level) / 2
    if not isinstance(times, int) or times * tail < 1 - 1e-9:
        least = ceil(1 / tail - 1e-9)
        raise InputError(f"times={times!r}: percentiles at level {level:g} need at least {least}")
    if len(parts) < 2:
        raise Refused("selected needs several models: there is no choice among one")
    cases = {name: Case(one, one.whole, measure, class_, level) for name, one in parts.items()}
    rows = {name: _rows(name, case) for name, case in cases.items()}
    _same_rows(rows)
    names, few = tuple(rows), _groups(next(iter(cases.values())))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x73656C,)))
    units = _units(list(rows.values()), rng)
    sign = 1.0 if measure.better == "low" else -1.0
    best = int(np.argmin(sign * units.sums.sum(axis=0)))
    raw = float(units.sums[:, best].sum() / units.weight.sum())
    scores = _outside(units, sign, times, rng)
    low, high = np.quantile(scores, (tail, 1 - tail))
    design = cases[names[best]].design
    first = parts[names[best]].splits[0]
    single = len(parts[names[best]].splits) == 1
    return Estimate(
        float(scores.mean()),
        float(low),
        float(high),
        float(scores.std(ddof=1)),
        level,
        f"selected, best of {len(names)}, BBC-CV, {times} resamples",
        "model" if single else "procedure",
        n=design.n,
        n_train=(None if first.n_train is None else float(first.n_train))
        if single
        else design.n_train,
        model=names[best],
        measure=measure.title,
        class_=class_,
        notes=(f"uncorrected {raw:.4g}", WIDE, *few),
    )


# --- rows and what is drawn ----------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Rows:
    """One model's rows in order: their mean losses, weights and groups."""

    row: Array
    loss: Array
    weight: Array | None
    frequency: bool
    group: Array | None


@dataclass(frozen=True, eq=False)
class _Units:
    """What is drawn (rows, groups or packs of them): sums of losses a model, sums of weights."""

    sums: Array
    weight: Array


def _rows(name: str, case: Case) -> _Rows:
    table = case.parts.whole
    if case.parts.missing:
        raise Refused(f"selected: {name} failed in {case.parts.missing} splits")
    losses = row_losses(case, "selected")(table.rows())
    if not np.isfinite(losses).all():
        raise Refused(f"selected: {name} has rows of infinite loss")
    row = table.row
    if row is None and len(case.parts.splits) > 1:
        raise Refused("selected needs a row column, to find each row in every split")
    place = np.arange(len(table)) if row is None else row
    names, first, back = np.unique(place, return_index=True, return_inverse=True)
    return _Rows(
        names,
        np.bincount(back, weights=losses) / np.bincount(back),
        None if table.weight is None else table.weight[first],
        table.meta.weight_kind == "frequency",
        None if table.group is None else table.group[first],
    )


def _same_rows(rows: Mapping[str, _Rows]) -> None:
    (name, one), *others = rows.items()
    for other, found in others:
        if not np.array_equal(one.row, found.row):
            raise Refused(f"selected: {name} and {other} were not tested on the same rows")


def _groups(case: Case) -> tuple[str, ...]:
    """Refuse torn groups and too few, rows too few; what to say of groups."""
    group = case.parts.whole.group
    if case.design.torn:
        raise Refused(case.design.torn)
    if group is None:
        if case.design.n < FEWEST_ROWS:
            raise Refused(f"only {case.design.n:g} rows: selected needs at least {FEWEST_ROWS}")
        return ()
    groups = int(np.unique(group).size)
    if groups < FEWEST_GROUPS:
        raise Refused(f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}")
    few = f"only {groups} groups: the interval may be too narrow"
    return (few,) if groups < FEW_GROUPS else ()


def _units(rows: list[_Rows], rng: np.random.Generator) -> _Units:
    """Rows, or whole groups; a row of frequency weight 2 is two rows, drawn apart."""
    first = rows[0]
    losses = np.column_stack([one.loss for one in rows])
    weight = np.ones(len(losses)) if first.weight is None else first.weight
    if first.group is not None:
        unit = np.unique(first.group, return_inverse=True)[1]
    else:
        if first.weight is not None and first.frequency:
            losses = np.repeat(losses, weight.astype(np.int64), axis=0)
            weight = np.ones(len(losses))
        unit = np.arange(len(losses))
    count = int(unit.max()) + 1
    if count > MOST:
        unit, count = (rng.permutation(count) % MOST)[unit], MOST
    sums = [np.bincount(unit, weights=weight * loss, minlength=count) for loss in losses.T]
    return _Units(np.column_stack(sums), np.bincount(unit, weights=weight, minlength=count))


def _outside(units: _Units, sign: float, times: int, rng: np.random.Generator) -> Array:
    """The score outside each bag of the model that is best inside it."""
    n = units.weight.size
    block = max(1, BLOCK // n)
    found: list[Array] = []
    left = times
    while left > 0:
        many = min(block, left)
        drawn = rng.integers(n, size=(many, n)) + n * np.arange(many)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=many * n).reshape(many, n).astype(np.float64)
        best = np.argmin(sign * (counts @ units.sums), axis=1)
        out = (counts == 0).astype(np.float64)
        size = out @ units.weight
        there = size > 0  # a bag that holds everything is drawn again
        sums = (out @ units.sums)[np.arange(many), best]
        found.append(sums[there] / size[there])
        left -= int(there.sum())
    return np.concatenate(found)
