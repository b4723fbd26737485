"""Slices: an answer in each slice of a table, against the other rows, all simultaneous."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isnan, nan
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, sizes
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast.comparisons import apart, differ, holm
from heliast.estimates import of_slices
from heliast.estimates.resampled import Case, Parts, influences
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.cuts import Cut, cuts, rows_of
from heliast.verbs.options import Options
from heliast.views.numbers import (
    Measured,
    capital,
    measure_name,
    p_value,
    plural,
    unit_of_difference,
    unit_of_measure,
    value_text,
)
from heliast.views.record import Column, Record, Table

# A slice of fewer rows has a value and no interval: below, simultaneous coverage fell short.
FEWEST_EXACT, FEWEST = 10, 30
EXACT = ("clopper_pearson",)
# Where simultaneous coverage in the coverage map is less than this, a note says so.
LEAST_COVERAGE = 0.9
UNMEASURED = "the simultaneous coverage of its intervals over slices was not measured"
UNKNOWN = "groups have rows in several slices, and how a row moves this measure is not known"


@dataclass(frozen=True)
class Slice(Shown):
    """One measure of one model in one slice, and how it differs from all other rows.

    Parameters
    ----------
    subject : str
        The model, or the difference `a - b`.
    measure : str
        What is measured.
    column, name : str
        What the table was sliced by, and which slice this is.
    n, share : float
        Rows of the slice, and their share of all, by weight.
    value, low, high : float
        The measure in the slice, with its simultaneous interval.
    level : float
        The simultaneous level of all intervals; `each_level` is that of one.
    each_level : float
        The level of this interval by itself.
    method : str
        The method of the interval.
    rest : float
        The measure in all other rows.
    difference, difference_low, difference_high : float
        The slice minus the rest, with its simultaneous interval.
    p : float
        Holm-adjusted p value of no difference from the rest.
    finding : {"worse", "better", "larger", "smaller", ""}
        The significant finding, if p and interval agree on one.
    reason : str
        Why something is missing.
    exact : bool
        Whether the interval is exact.

    Examples
    --------
    >>> Slice("tree", "error", "region", "north", 120.0, 0.3, 0.2, 0.13, 0.29).name
    'north'
    """

    subject: str
    measure: str
    column: str
    name: str
    n: float
    share: float
    value: float = nan
    low: float = nan
    high: float = nan
    level: float = 0.95
    each_level: float = 0.95
    method: str = ""
    rest: float = nan
    difference: float = nan
    difference_low: float = nan
    difference_high: float = nan
    p: float = nan
    finding: str = ""
    reason: str = ""
    exact: bool = field(default=False, compare=False, repr=False)


@dataclass(frozen=True)
class Alike(Shown):
    """The test whether the slices of one column differ at all.

    Parameters
    ----------
    subject, measure, column : str
        Of which slices.
    p, statistic : float
        Of "all slices are equal".
    slices : int
        How many were compared.
    method : str
        The test in words.
    reason : str
        Why there is none.

    Examples
    --------
    >>> Alike("tree", "error", "region", 0.01).p
    0.01
    """

    subject: str
    measure: str
    column: str
    p: float = nan
    statistic: float = nan
    slices: int = 0
    method: str = ""
    reason: str = ""

    @property
    def words(self) -> str:
        """Whether the slices differ, in words."""
        if isnan(self.p):
            return f"whether they differ is not known: {self.reason}"
        verb = "differ" if self.p < 0.05 else "do not differ significantly"
        return f"the {self.slices} slices {verb} ({p_value(self.p)})"


def slice_table(name: str, title: str, slices: Sequence[Slice]) -> Table:
    """The slices as a table."""
    measure = slices[0].measure
    single = " - " not in slices[0].subject
    unit = unit_of_measure(measure) if single else unit_of_difference(measure)
    columns = (
        Column("slice", kind="name"),
        Column("n", "rows", "count"),
        Column("share", kind="share"),
        Column("value", measure_name(measure), "measured", True),
        Column("difference", "vs the rest", "measured"),
        Column("p", kind="p", never_cut=True),
        Column("finding", "verdict", "verdict", True),
    )
    rows = [
        (
            entry.name, entry.n, entry.share,
            Measured(entry.value, entry.low, entry.high, unit, entry.reason),
            Measured(
                entry.difference, entry.difference_low, entry.difference_high,
                unit_of_difference(measure),
            ),
            entry.p, entry.finding or ("" if entry.reason else "inconclusive"),
        )
        for entry in slices
    ]  # fmt: skip
    return Table(name, title, columns, rows, most_rows=40)


@dataclass(frozen=True, repr=False)
class Slices(Record):
    """All slices asked for; `slices[subject, measure, column]` gives those of a column.

    Parameters
    ----------
    slices : tuple of Slice
        One for each subject, measure, column and slice.
    alike : tuple of Alike
        For each subject, measure and column: whether its slices differ.
    level : float
        The simultaneous level of the intervals of one subject and measure.
    better : str
        `low` or `high`: which values of the measure are better.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["a", "b"] * 40, ["a", "b"] * 20 + ["a", "a"] * 20
    >>> half = ["old"] * 40 + ["new"] * 40
    >>> found = hl.assess(truth, label, columns={"age": half}, by="age").slices
    >>> [(one.name, one.value, one.finding) for one in found]
    [('new', 0.5, 'worse'), ('old', 0.0, 'better')]
    """

    slices: tuple[Slice, ...]
    alike: tuple[Alike, ...] = ()
    level: float = 0.95
    better: str = "low"
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    def __getitem__(self, key: tuple[str, str, str]) -> tuple[Slice, ...]:
        keys = {(entry.subject, entry.measure, entry.column): None for entry in self.slices}
        if key not in keys:
            raise KeyError(f"no slices of {key}; there are {list(keys)[:8]}")
        return tuple(entry for entry in self if (entry.subject, entry.measure, entry.column) == key)

    @property
    def summary(self) -> str:
        """Which slices differ from the rest of the rows."""
        different = [entry for entry in self if entry.finding]
        if not different:
            return "No slice differs significantly from the rest of the rows."
        worst = max(
            different,
            key=lambda entry: (entry.finding in ("worse", "larger"), abs(entry.difference)),
        )
        many = "s differ" if len(different) > 1 else " differs"
        return (
            f"{len(different)} slice{many} significantly from the rest of the rows. Largest: "
            f"{condition(worst.column, worst.name)}, {_against_rest(worst)}."
        )

    def tables(self) -> tuple[Table, ...]:
        """A table for each subject, measure and column.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        return tuple(
            slice_table(
                f"{entry.subject} {entry.measure} by {entry.column}",
                f"{capital(measure_name(entry.measure))} of {entry.subject} by {entry.column}: "
                f"{entry.words}",
                self[entry.subject, entry.measure, entry.column],
            )
            for entry in self.alike
        )

    def records(self) -> list[dict[str, object]]:
        """A row for each slice.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [entry.to_dict() for entry in self.slices]


def _against_rest(entry: Slice) -> str:
    value, rest = (value_text(number, entry.measure) for number in (entry.value, entry.rest))
    return f"{measure_name(entry.measure)} of {entry.subject} {value} ({rest} elsewhere)"


def condition(column: str, name: str) -> str:
    """A slice as a condition; that of numbers names its column already.

    >>> condition("age", "age > 30"), condition("region", "north")
    ('age > 30', 'region = north')
    """
    ranged = column in name and any(mark in name for mark in "<>")
    return name if ranged or not column else f"{column} = {name}"


@dataclass(frozen=True, repr=False)
class WeakSlices(Record):
    """Slices in which a model is significantly worse than in the rest, searched and confirmed.

    All numbers come from rows that were not searched.

    Parameters
    ----------
    slices : tuple of Slice
        Those confirmed, worst first.
    others : tuple of Slice
        Candidates of the search that the other rows did not confirm.
    searched : int
        How many slices were searched.
    n_search, n_confirm : float
        Rows that were searched, and that confirmed.
    level : float
        1 minus the family-wise error rate.
    better : str
        `low` or `high`: which values of the measure are better.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["a", "b"] * 200, ["a", "b"] * 150 + ["a", "a"] * 50
    >>> age = ["old"] * 300 + ["new"] * 100
    >>> found = hl.find_slices(hl.Predictions.of(truth, label, columns={"age": age}))
    >>> [one.name for one in found]
    ['age = new']
    """

    slices: tuple[Slice, ...]
    others: tuple[Slice, ...] = ()
    searched: int = 0
    n_search: float = 0.0
    n_confirm: float = 0.0
    level: float = 0.95
    better: str = "low"
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Slice]:
        return iter(self.slices)

    def __len__(self) -> int:
        return len(self.slices)

    @property
    def summary(self) -> str:
        """How many slices are confirmed to be worse, and which most."""
        where = (
            f"{self.searched:,} slices searched in {self.n_search:,.0f} rows, confirmed in "
            f"{self.n_confirm:,.0f} others"
        )
        if not self.slices:
            tried = (
                f"; {plural(len(self.others), 'candidate')} not confirmed" if self.others else ""
            )
            return f"No slice is significantly worse than the rest ({where}{tried})."
        worst = self.slices[0]
        head = plural(len(self.slices), "slice")
        verb = "is" if len(self.slices) == 1 else "are"
        return (
            f"{head} {verb} significantly worse than the rest ({where}). Worst: {worst.name}, "
            f"{_against_rest(worst)}."
        )

    def tables(self) -> tuple[Table, ...]:
        """The slices confirmed, and those that were not.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        parts = ("confirmed", "Confirmed", self.slices), ("others", "Not confirmed", self.others)
        return tuple(slice_table(name, title, part) for name, title, part in parts if part)

    def records(self) -> list[dict[str, object]]:
        """A row for each slice confirmed.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [entry.to_dict() for entry in self.slices]


# --- computed ------------------------------------------------------------------------------


# What gives the value of some rows with its interval at a level: an Estimate or a Difference.
Ask = Callable[[Predictions, float], Any]


@dataclass(frozen=True)
class Subject:
    """What is asked of every slice; `models` are those it is computed from, each with its sign."""

    name: str
    measure: Measure
    table: Predictions
    ask: Ask
    models: tuple[tuple[str, float], ...]


def slice_subjects(subjects: Sequence[Subject], options: Options) -> Slices:
    """Each subject in each slice: simultaneous intervals, differences from the rest, tests.

    The intervals of the m slices of one subject and measure have level 1 - (1 - level)/m
    (Bonferroni), as do those of the differences; p is Holm's.
    """
    slices: list[Slice] = []
    alike: list[Alike] = []
    notes: dict[str, None] = {}
    for subject in subjects:
        divided = cuts(subject.table, options.by)
        notes |= dict.fromkeys(note for cut in divided for note in cut.notes)
        computed, tests = _slices_of(subject, divided, options)
        slices += computed
        alike += tests
    better = subjects[0].measure.better if subjects else "low"
    notes |= dict.fromkeys(_coverage_notes(subjects, slices))
    method = "intervals of slices are simultaneous (Bonferroni), p values Holm-adjusted"
    return Slices(tuple(slices), tuple(alike), options.level, better, (*notes, method))


def _coverage_notes(subjects: Sequence[Subject], slices: Sequence[Slice]) -> list[str]:
    notes = []
    for subject in subjects:
        title = subject.measure.title
        shown = [entry for entry in slices if entry.measure == title and entry.low <= entry.high]
        if len(subject.models) > 1 or all(entry.exact for entry in shown):
            continue
        measured = of_slices(title, subject.table.group is not None)
        if measured is None:
            notes.append(f"{title}: {UNMEASURED}")
        elif measured.lowest < LEAST_COVERAGE:
            notes.append(
                f"{title}: in simulations simultaneous coverage over slices was as low as "
                f"{measured.lowest:.0%}"
            )
    return notes


def _slices_of(
    subject: Subject, divided: Sequence[Cut], options: Options
) -> tuple[list[Slice], list[Alike]]:
    level, table = options.level, subject.table
    few = [_too_few(table, keep) for cut in divided for _, keep in cut]
    joint = 1 - (1 - level) / max(1, sum(not why for why in few))
    slices, tests, reasons = [], [], iter(few)
    for cut in divided:
        correlation, with_rest = _correlations(subject, cut, options)
        limits = []
        for (name, keep), shared in zip(cut, with_rest, strict=True):
            why = next(reasons)
            slices.append(slice_of(subject, cut.column, name, keep, (level, joint), why, shared))
            own = None if why else subject.ask(rows_of(table, keep), level)
            limits.append((nan, nan) if own is None else (own.low, own.high))
        tests.append(_test_alike(subject, cut, np.array(limits), options, correlation))
    adjusted = holm([entry.p for entry in slices], level).p
    words = ("larger", "smaller") if len(subject.models) > 1 else ("worse", "better")
    sign = -1 if len(subject.models) == 1 and subject.measure.better == "high" else 1
    judged = [
        replace(entry, p=p, finding=finding(entry, p, level, sign, words))
        for entry, p in zip(slices, adjusted, strict=True)
    ]
    return judged, tests


def finding(entry: Slice, p: float, level: float, sign: int, words: tuple[str, str]) -> str:
    """The significant finding of a slice, the first of two words where the difference is worse."""
    outside = entry.difference_low > 0 or entry.difference_high < 0
    if not (p < 1 - level and outside):
        return ""
    return words[0] if sign * entry.difference > 0 else words[1]


def _too_few(table: Predictions, keep: Array) -> str:
    """Why a slice is too small for an interval; empty if it is not."""
    rows = int(np.count_nonzero(keep)) // max(1, len(table.models))
    # Grades of right or wrong have exact limits, as predicted classes do.
    exact = table.task == "classification" or (
        table.meta.bounds is not None and bool(np.isin(table.y_pred, table.meta.bounds).all())
    )
    least = FEWEST_EXACT if exact else FEWEST
    return f"only {rows} rows: an interval of a slice needs {least}" if rows < least else ""


def slice_of(
    subject: Subject, column: str, name: str, keep: Array, levels: tuple[float, float], few: str,
    shared: float = 0.0,
) -> Slice:  # fmt: skip
    """One slice against the rest of the rows, whose values are correlated by `shared`."""
    table, (level, joint) = subject.table, levels
    weight = np.ones(len(table)) if table.weight is None else table.weight
    share = float(weight[keep].sum() / weight.sum())
    here = subject.ask(rows_of(table, keep), joint)
    exact = getattr(here, "key", "") in EXACT and table.group is None and table.weight is None
    entry = Slice(
        subject.name, subject.measure.title, column, name, float(keep.sum() / len(table.models)),
        share, here.value, level=level, each_level=joint, method=here.method,
        reason=few or here.reason, exact=exact,
    )  # fmt: skip
    if not few:
        entry = replace(entry, low=here.low, high=here.high)
    if keep.all():
        return entry
    rest = subject.ask(rows_of(table, ~keep), joint)
    entry = replace(entry, rest=rest.value, difference=here.value - rest.value)
    if few or isnan(shared):
        return entry
    both = (here.value, here.low, here.high), (rest.value, rest.low, rest.high)
    gap = apart(*both, joint, shared)
    return replace(entry, difference_low=gap.low, difference_high=gap.high, p=gap.p)


def _test_alike(
    subject: Subject, cut: Cut, limits: Array, options: Options, correlation: Array | None
) -> Alike:
    table, count = subject.table, int(np.isfinite(limits).all(axis=1).sum())
    df = inf
    if correlation is not None and table.group is not None:
        df = equal_groups(sizes(table.group, table.weight)) - 1
    test = Alike(subject.name, subject.measure.title, cut.column, slices=count)
    if correlation is not None and np.isnan(correlation).any():
        return replace(test, reason=UNKNOWN)
    result = differ(limits[:, 0], limits[:, 1], options.level, together=correlation, df=df)
    return replace(
        test, p=result.p, statistic=result.statistic, method=result.method, reason=result.reason
    )


# --- groups with rows in several slices ----------------------------------------------------


def _correlations(subject: Subject, cut: Cut, options: Options) -> tuple[Array | None, Array]:
    """How slices are correlated with each other and with the rest, where groups span them.

    From the sums over groups of the influences of rows; NaN where these are not known.
    """
    table, k = subject.table, len(cut.names)
    if table.group is None or not _spanning(table.group, cut.codes):
        return None, np.zeros(k)
    group = np.unique(table.group, return_inverse=True)[1]
    parts = [keep for _, keep in cut]
    own = [_group_sums(subject, keep, group, options) for keep in parts]
    rest = [None if keep.all() else _group_sums(subject, ~keep, group, options) for keep in parts]
    if any(sums is None for sums in own):
        return np.full((k, k), np.nan), np.full(k, np.nan)
    with_rest = [
        nan if a is None or b is None else float(_correlation(np.stack([a, b]))[0, 1])
        for a, b in zip(own, rest, strict=True)
    ]
    return _correlation(np.stack([sums for sums in own if sums is not None])), np.array(with_rest)


def _spanning(group: Array, codes: Array) -> bool:
    """Whether some group has rows in several slices."""
    pairs = np.unique(np.stack([group, codes]), axis=1)
    return bool(pairs.shape[1] > np.unique(group).size)


def _correlation(sums: Array) -> Array:
    scale = np.sqrt((sums**2).sum(axis=1))
    scale = np.where(scale > 0, scale, inf)
    correlation: Array = (sums @ sums.T) / np.outer(scale, scale)
    np.fill_diagonal(correlation, 1.0)
    return correlation


def _group_sums(subject: Subject, keep: Array, group: Array, options: Options) -> Array | None:
    """What each group adds to the value in some rows; None where that is not known."""
    total, table = np.zeros(int(group.max()) + 1), subject.table
    for model, sign in subject.models:
        of_model = table.codes("model") == table.models.index(model)
        chosen = rows_of(table.only(model), keep[of_model])
        case = Case(Parts(chosen, model, options.prevalences), chosen, subject.measure)
        psi = influences(case, fixed=True)
        if psi is None or not np.isfinite(psi).all():
            return None
        weight = np.ones(psi.size) if chosen.weight is None else chosen.weight
        rows = group[keep & of_model]
        total += sign * np.bincount(rows, weight * psi / weight.sum(), total.size)
    return total
