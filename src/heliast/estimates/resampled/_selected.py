"""The best of several models, corrected for its having been selected."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast._core.notes import VALIDATED, Note
from heliast.estimates._record import Estimate
from heliast.estimates._scales import clipped
from heliast.estimates.resampled._auto import over_one, over_splits
from heliast.estimates.resampled._case import Case, Refused, by_group, check_measure, row_losses
from heliast.estimates.resampled._design import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions

FEWEST_ROWS, LEAST = 10, 40
MOST, MOST_COPIES = 2000, 2_000_000  # more units are dealt at random into so many packs
BLOCK = 2_000_000  # numbers drawn at a time: 16 MB
ALONE = "selected needs several models: there is no choice among one"


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
    about 63% of the rows. Choosing only flatters, so of an error
    the chosen model's own lower limit stays and the upper one rises by corrected less observed
    value; of a gain the other way round. (The authors take percentiles of the scores, which have
    no width where the best model errs nowhere.) Nothing is fitted again: a row's loss is its mean
    over the splits that predict it.

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
        The class, for a measure by class.

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
    >>> estimate = selected(table)  # eight coin tossers
    >>> estimate.model, round(estimate.value, 2), estimate.notes[0]
    ('h', 0.49, 'uncorrected 0.42')

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the
    out-of-sample predictions for efficient and accurate cross-validation, Machine Learning 107.
    """
    chosen = registry.get(measure)
    table = predictions.only(role="test", in_train=0)
    if len(table.models) < 2:
        raise Refused(ALONE)
    for model in table.models:
        check_measure(chosen, table, model)
    parts = {model: Parts(table, model) for model in table.models}
    if not predictions.splits.of_role("validation"):
        return selected_of(parts, chosen, class_, level, seed, times)
    checked = predictions.only(role="validation", in_train=0)
    best, why = chosen_on(checked, table, chosen, class_)
    own = _default(Case(parts[best], parts[best].whole, chosen, class_, level))
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
    for what in ("row", "group"):
        here, also = getattr(checked, what, None), getattr(tested, what, None)
        if here is not None and also is not None and np.intersect1d(here, also).size:
            raise Refused(f"the same {what}s are to validate and to test: the choice would be seen")
    lacking = checked.incomplete()
    values = {}
    for model in tested.models:
        if model not in checked.models or lacking.get(model):
            continue
        case = Case(Parts(checked, model, prevalences), checked.only(model), measure, class_)
        if case.parts.failed:
            continue
        single = case.parts.single
        pooled = over_splits(case, "none") if single is None else measure.form(single, class_)
        value = pooled.value
        if not np.isnan(value):
            values[model] = value
    if len(values) < 2:
        raise Refused("fewer than two models have a value on all validation rows")
    best = (min if measure.better == "low" else max)(values, key=values.__getitem__)
    rows = f"{len(checked.only(best)):,} validation rows"
    words = f"chosen among {len(values)} on {rows} ({measure.title} {values[best]:.4g} there)"
    return best, Note(f"{words}; the test rows had no part in the choice", VALIDATED)


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
    cases = {name: Case(part, part.whole, measure, class_, level) for name, part in parts.items()}
    names = tuple(cases)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0x73656C,)))
    units, notes = _units(cases, rng)
    sign = 1.0 if measure.better == "low" else -1.0
    means = units.sums.sum(axis=0) / units.weight.sum()
    best = int(np.argmin(sign * means))
    correction = float(_outside(units, sign, times, rng).mean()) - float(means[best])
    chosen = names.index(of) if of else best
    raw = float(means[chosen])
    estimate = (own or _default)(cases[names[chosen]])
    # Choosing only flatters: of an error the lower limit stays, of a gain the upper one.
    low, high = estimate.low, estimate.high
    if measure.better == "low":
        high += max(0.0, correction)
    else:
        low += min(0.0, correction)
    value = raw + correction
    low, high = clipped(min(low, value), max(high, value), measure.bounds)
    return replace(
        estimate,
        value=value,
        low=low,
        high=high,
        method=f"selected, best of {len(names)}, BBC-CV, {times} resamples; {estimate.method}",
        model=names[chosen],
        key="selected",
        notes=tuple(dict.fromkeys((f"uncorrected {raw:.4g}", *notes, *estimate.notes))),
    )


def _default(case: Case) -> Estimate:
    return over_one(case, "auto") if case.parts.single is not None else over_splits(case)


# --- rows and what is drawn -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Units:
    """What is drawn (rows, groups or packs of them): sums of losses a model, sums of weights."""

    sums: Array
    weight: Array


def _units(cases: Mapping[str, Case], rng: np.random.Generator) -> tuple[_Units, tuple[str, ...]]:
    """The rows of all models, or whole groups; a row that counts twice is drawn as two."""
    case = next(iter(cases.values()))
    table = case.parts.whole
    if table.meta.design == "time":
        raise Refused("selected draws rows as independent, but these are in order of time")
    notes = by_group(case)
    if table.group is None and case.design.n < FEWEST_ROWS:
        raise Refused(f"only {case.design.n:g} rows: selected needs at least {FEWEST_ROWS}")
    rows = {name: _row_means(name, each) for name, each in cases.items()}
    row, first, _ = rows[next(iter(rows))]
    for name, (other, _, _) in rows.items():
        if not np.array_equal(row, other):
            raise Refused(f"selected: {name} was not tested on the same rows as others")
    losses = np.column_stack([loss for _, _, loss in rows.values()])
    weight = np.ones(row.size) if table.weight is None else np.asarray(table.weight)[first]
    unit = np.arange(row.size)
    if table.group is not None:
        unit = np.unique(np.asarray(table.group)[first], return_inverse=True)[1]
    elif table.meta.weight_kind == "frequency":
        at, weight = _copies(weight.astype(np.int64), rng)
        losses, unit = losses[at], np.arange(at.size)
    count = int(unit.max()) + 1
    if count > MOST:
        unit, count = (rng.permutation(count) % MOST)[unit], MOST
    sums = [np.bincount(unit, weights=weight * loss, minlength=count) for loss in losses.T]
    return _Units(np.column_stack(sums), np.bincount(unit, weight, minlength=count)), notes


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


def _row_means(name: str, case: Case) -> tuple[Array, Array, Array]:
    """The rows of a model, where each stands first, and its mean loss."""
    table = case.parts.whole
    if case.parts.missing:
        raise Refused(f"selected: {name} failed in {case.parts.missing} splits")
    losses = row_losses(case, "selected")(table.rows())
    if not np.isfinite(losses).all():
        raise Refused(f"selected: {name} has rows of infinite loss")
    if table.row is None and len(case.parts.splits) > 1:
        raise Refused("selected needs a row column, to find each row in every split")
    place = np.arange(len(table)) if table.row is None else table.row
    names, first, back = np.unique(place, return_index=True, return_inverse=True)
    return names, first, np.bincount(back, weights=losses) / np.bincount(back)


def _outside(units: _Units, sign: float, times: int, rng: np.random.Generator) -> Array:
    """The score outside each bag of the model that is best inside it."""
    n = units.weight.size
    block = max(1, BLOCK // n)
    scores: list[Array] = []
    left = times
    while left > 0:
        many = min(block, left)
        drawn = rng.integers(n, size=(many, n)) + n * np.arange(many)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=many * n).reshape(many, n).astype(np.float64)
        best = np.argmin(sign * (counts @ units.sums), axis=1)
        out = (counts == 0).astype(np.float64)
        size = out @ units.weight
        held = size > 0  # a bag that holds everything is drawn again
        sums = (out @ units.sums)[np.arange(many), best]
        scores.append(sums[held] / size[held])
        left -= int(held.sum())
    return np.concatenate(scores)
