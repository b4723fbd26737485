"""The best of several models: what it is worth once the choosing is taken into account."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level, quantile
from heliast._core.notes import VALIDATED, Note
from heliast._core.proportions import wilson_limits
from heliast.estimates._estimate import FEW_GROUPS, FEWEST_GROUPS
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped
from heliast.estimates.resampled._auto import over_one, over_splits
from heliast.estimates.resampled._case import Case, Refused, row_losses
from heliast.estimates.resampled._design import Parts
from heliast.measures import Measure
from heliast.measures.forms import Rate
from heliast.predictions import Predictions
from heliast.predictions.scan import Scanned

FEWEST_ROWS, LEAST = 10, 40
MOST, MOST_COPIES = 2000, 2_000_000
"""More rows than this are dealt at random into so many packs, which are drawn as one."""
BLOCK = 2_000_000
"""Numbers drawn at a time: 16 MB."""
ALONE = "selected needs several models: there is no choice among one"
CHOICE = 1.1
"""How much longer the interval is for the choice. Measured: docs/coverage.md."""


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
    about 63% of the rows. The interval is the chosen model's own, moved to the corrected value and
    1.1 times as long: for rates Wilson's at that value. (The authors take percentiles of the
    scores, which have no width where the best model errs nowhere, and covered .61 of error rates
    of .01.) Nothing is fitted again: a row's loss is its mean over the splits that predict it.

    Where there are validation rows, they choose, by any measure, and the estimate is the chosen
    model's own on the test rows: these had no part in the choice, so nothing is corrected.

    Parameters
    ----------
    predictions : Predictions
        A table of several models with the same rows.
    measure : str or Measure
        A mean of row losses; with validation rows, any.
    seed : int
        Seed of the draws.
    times : int
        How many resamples are drawn.
    level : float
        The confidence level.
    class_ : object, optional
        The class it is asked of.

    Returns
    -------
    Estimate
        The corrected value of the best model, `model`, and its interval; with validation rows
        that of the test rows as it is.

    Raises
    ------
    InputError
        If there is one model only, models differ in rows, or the measure is no mean of losses.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> truth, row = np.tile(rng.integers(0, 2, 100), 8), np.tile(np.arange(100), 8)
    >>> coins = rng.integers(0, 2, 800)
    >>> table = Predictions.of(truth, coins, model=np.repeat(list("abcdefgh"), 100), row=row)
    >>> found = selected(table)  # eight coin tossers
    >>> found.model, round(found.value, 2), found.notes[0]
    ('h', 0.49, 'uncorrected 0.42')

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the
    out-of-sample predictions for efficient and accurate cross-validation, Machine Learning 107.
    """
    asked = registry.get(measure)
    table = predictions.only(role="test", in_train=0)
    if len(table.models) < 2:
        raise Refused(ALONE)
    for model in table.models:
        kind = table.score_kind_of(model)
        lacking = asked.lacks(table.task, len(table.classes), kind, table.meta.ordinal)
        if lacking:
            raise InputError(f"measure {asked.name!r} of {model}: {lacking}")
    parts = {model: Parts(table, model) for model in table.models}
    if not predictions.splits.of_role("validation"):
        return selected_of(parts, asked, class_, level, seed, times)
    checked = predictions.only(role="validation", in_train=0)
    best, why = chosen_on(checked, table, asked, class_)
    own = _usual(Case(parts[best], parts[best].whole, asked, class_, level))
    return replace(own, model=best, notes=(why, *own.notes))


def chosen_on(
    checked: Predictions,
    tested: Predictions,
    measure: Measure,
    class_: Label | None = None,
    prevalences: Mapping[Label, float] | None = None,
) -> tuple[str, Note]:
    """Which model is best on validation rows, and how it was chosen; test rows have no say.

    Refused where rows, or groups, are on both sides: the test rows would have had a part in it.
    """
    for what in () if isinstance(tested, Scanned) else ("row", "group"):
        one, other = getattr(checked, what), getattr(tested, what)
        if one is not None and other is not None and np.intersect1d(one, other).size:
            raise Refused(f"the same {what}s are to validate and to test: the choice would be seen")
    lacking = checked.incomplete()
    values = {}
    for model in tested.models:
        if model in checked.models and not lacking.get(model):
            case = Case(Parts(checked, model, prevalences), checked.only(model), measure, class_)
            value = np.nan if case.parts.failed else _value(case)
            if not np.isnan(value):
                values[model] = value
    if len(values) < 2:
        raise Refused("fewer than two models have a value on all validation rows")
    best = (min if measure.better == "low" else max)(values, key=values.__getitem__)
    rows = f"{len(checked.only(best)):,} validation rows"
    words = f"chosen among {len(values)} on {rows} ({measure.title} {values[best]:.4g} there)"
    return best, Note(f"{words}; the test rows had no part in the choice", VALIDATED)


def _value(case: Case) -> float:
    if case.parts.single is None:
        return over_splits(case, "none").value
    return case.measure.form(case.parts.single, case.class_).value


def selected_of(
    parts: Mapping[str, Parts],
    measure: Measure,
    class_: Label | None = None,
    level: float = 0.95,
    seed: int = 0,
    times: int = 1000,
    own: Callable[[Case], Estimate] | None = None,
    of: str = "",
) -> Estimate:
    """The same from rows that were cut into parts already; `own` gives the interval of a model.

    Where not the best is taken but another, `of`, its value is corrected by as much.
    """
    check_level(level)
    if not isinstance(times, int) or times < LEAST:
        raise InputError(f"times={times!r}: draw at least {LEAST} resamples")
    if len(parts) < 2:
        raise Refused(ALONE)
    cases = {name: Case(one, one.whole, measure, class_, level) for name, one in parts.items()}
    rows = {name: _rows(name, case) for name, case in cases.items()}
    _same_rows(rows)
    names, few = tuple(rows), _groups(next(iter(cases.values())))
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x73656C,)))
    units = _units(list(rows.values()), rng)
    sign = 1.0 if measure.better == "low" else -1.0
    means = units.sums.sum(axis=0) / units.weight.sum()
    best = int(np.argmin(sign * means))
    value = float(_outside(units, sign, times, rng).mean())
    if of and names[best] != of:
        other = names.index(of)
        best, value = other, float(means[other]) + value - float(means[best])
    raw = float(means[best])
    chosen = cases[names[best]]
    found = (own or _usual)(chosen)
    low, high = _moved(chosen, found, value)
    return replace(
        found,
        value=value,
        low=low,
        high=high,
        se=CHOICE * found.se,
        method=f"selected, best of {len(names)}, BBC-CV, {times} resamples; {found.method}",
        model=names[best],
        key="selected",
        notes=tuple(dict.fromkeys((f"uncorrected {raw:.4g}", *few, *found.notes))),
    )


def _usual(case: Case) -> Estimate:
    return over_one(case, "auto") if case.parts.single is not None else over_splits(case)


def _moved(case: Case, own: Estimate, value: float) -> tuple[float, float]:
    """The model's own limits around the corrected value, and longer for the choice."""
    rate = isinstance(case.measure.form(case.parts.pooled, case.class_), Rate)
    if rate and own.key == "wilson" and own.high < 1:
        # Wilson's limits tell n / q^2, whatever q was.
        rows = own.high * (1 - own.high) / (own.high - own.value) ** 2
        return wilson_limits(value, rows * (quantile(case.level) / CHOICE) ** 2, case.level)
    below, above = own.value - own.low, own.high - own.value
    return clipped(value - CHOICE * below, value + CHOICE * above, case.measure.bounds)


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
    if case.parts.whole.meta.design == "time":
        raise Refused("selected draws rows as independent, but these are in order of time")
    if group is None:
        if case.design.n < FEWEST_ROWS:
            raise Refused(f"only {case.design.n:g} rows: selected needs at least {FEWEST_ROWS}")
        return ()
    groups = int(np.unique(group).size)
    if groups < FEWEST_GROUPS:
        raise Refused(f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}")
    few = Note(f"only {groups} groups: the interval may be too narrow", "groups")
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
            at, weight = _copies(weight.astype(np.int64), rng)
            losses = losses[at]
        unit = np.arange(len(losses))
    count = int(unit.max()) + 1
    if count > MOST:
        unit, count = (rng.permutation(count) % MOST)[unit], MOST
    sums = [np.bincount(unit, weights=weight * loss, minlength=count) for loss in losses.T]
    return _Units(np.column_stack(sums), np.bincount(unit, weights=weight, minlength=count))


def _copies(times: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Rows as often as they count, each copy with weight 1.

    Of very many, shares of each row stand in packs, as their copies would when dealt at random.
    """
    if times.sum() <= MOST_COPIES:
        at = np.repeat(np.arange(times.size), times)
        return at, np.ones(at.size)
    packs = min(MOST, max(1, MOST_COPIES // times.size))
    dealt = rng.multinomial(times, np.full(packs, 1 / packs))
    at, pack = np.nonzero(dealt)
    return at, dealt[at, pack].astype(np.float64)


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
