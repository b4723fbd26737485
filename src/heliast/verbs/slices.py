"""Slices: what is found in each slice of a table, against the rest, all held together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import inf, isnan, nan
from typing import ClassVar, Protocol

import numpy as np

from heliast._core import numbers
from heliast._core.clusters import equal_groups, sizes
from heliast._core.frames import Listing
from heliast._core.kinds import Array
from heliast._core.records import Says, Shown, Spoken, named
from heliast.comparisons import apart, differ, holm
from heliast.estimates import of_slices
from heliast.estimates.resampled import Case, Parts, influences
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.question import Question
from heliast.verbs.slicing import Cut, cuts, part
from heliast.views.slicing import slices_html, slices_sentence, slices_text

FEWEST_ROWS = {"classification": 10, "regression": 30}
"""A slice of fewer rows has a value and no interval: below, intervals held too little together."""


EXACT = ("clopper_pearson",)
SEEN = 0.9
"""Where intervals held together less often in some cell of the map, it is said."""
UNSEEN = "whether its intervals hold together over slices was not measured"


@dataclass(frozen=True)
class Slice(Shown):
    """One measure of one model in one slice, and how it differs from all other rows.

    Parameters
    ----------
    subject : str
        The model, or of a comparison the difference `a - b`.
    measure : str
        What is measured.
    column, name : str
        What the table was sliced by, and which slice this is.
    n, share : float
        The rows of the slice, and their share of all (by weight).
    value, low, high : float
        The measure in the slice; its interval holds together with those of all slices.
    level : float
        With which level all intervals hold together; `each_level` is that of one.
    each_level : float
        The level of this interval by itself.
    method : str
        The method of the interval.
    rest : float
        The measure in all other rows.
    difference, difference_low, difference_high : float
        The slice less the rest, with an interval that holds together with the others.
    p : float
        Of "as in the rest", corrected for the number of slices (Holm).
    finding : {"worse", "better", ""}
        What may be said of the slice against the rest: p and interval agree, or nothing.
    reason : str
        Why something is missing.
    exact : bool
        Whether the interval covers at least as it says, whatever the rate is.

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
    """Whether the slices of one column differ at all in one measure of one model.

    Parameters
    ----------
    subject, measure, column : str
        Of which slices.
    p, statistic : float
        Of "all slices are alike".
    slices : int
        How many have an interval, and so were compared.
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


@dataclass(frozen=True, repr=False)
class Slices(Spoken, Listing[Slice]):
    """All slices that were asked for; `slices[subject, measure, column]` gives those of a column.

    Parameters
    ----------
    slices : tuple of Slice
        One for each subject, measure, column and slice.
    alike : tuple of Alike
        For each subject, measure and column: whether its slices differ at all.
    level : float
        With which level the intervals of one subject and measure hold together.
    better : str
        `low` or `high`: which values of the measure are better.
    notes : tuple of str
        Where numbers were cut, and what to be careful about.

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["a", "b"] * 40, ["a", "b"] * 20 + ["a", "a"] * 20
    >>> half = ["old"] * 40 + ["new"] * 40
    >>> found = hl.assess(truth, label, columns={"age": half}, by="age").slices
    >>> [(one.name, one.value, one.finding) for one in found]
    [('new', 0.5, 'worse'), ('old', 0.0, 'better')]
    """

    _says: ClassVar[Says] = slices_sentence, slices_text, slices_html
    _listed: ClassVar[str] = "slices"
    slices: tuple[Slice, ...]
    alike: tuple[Alike, ...] = ()
    level: float = 0.95
    better: str = "low"
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: tuple[str, str, str]) -> tuple[Slice, ...]:
        found = tuple(one for one in self if (one.subject, one.measure, one.column) == key)
        if not found:
            there = dict.fromkeys((one.subject, one.measure, one.column) for one in self)
            raise KeyError(f"no slices of {key}; there are {list(there)[:8]}")
        return found

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The sentence, the slices, the tests and the notes.
        """
        return named(self, "sentence level better slices alike notes")


class Limited(numbers.Limited, Protocol):
    """A value with its interval, and how that was found: an estimate, or a difference of models."""

    @property
    def method(self) -> str: ...
    @property
    def reason(self) -> str: ...


Ask = Callable[[Predictions, float], Limited]
"""What is found in some rows at a level."""


@dataclass(frozen=True)
class Subject:
    """What is asked of every slice: by name, in which rows, how, and from which models' rows."""

    name: str
    measure: Measure
    table: Predictions
    ask: Ask
    models: tuple[tuple[str, float], ...]
    """The models whose values are added up, each with its sign."""


def sliced(subjects: Sequence[Subject], question: Question) -> Slices:
    """Each subject in each slice: simultaneous intervals, differences to the rest, tests.

    The intervals of all slices of one subject and measure have level 1 - (1 - level)/m, so that
    they hold together (Bonferroni), as do those of the differences; p is Holm's.
    """
    slices: list[Slice] = []
    alike: list[Alike] = []
    notes: dict[str, None] = {}
    for subject in subjects:
        found = cuts(subject.table, question.by)
        notes |= dict.fromkeys(note for cut in found for note in cut.notes)
        made, tests = _of_subject(subject, found, question)
        slices += made
        alike += tests
    better = subjects[0].measure.better if subjects else "low"
    notes |= dict.fromkeys(_unmeasured(subjects, slices))
    said = (
        "intervals of the slices of one model and measure hold together (Bonferroni), p of their "
        "differences to the rest is corrected for their number (Holm)"
    )
    return Slices(tuple(slices), tuple(alike), question.level, better, (*notes, said))


def _unmeasured(subjects: Sequence[Subject], slices: Sequence[Slice]) -> list[str]:
    """What to say of measures whose intervals were not seen to hold together over slices."""
    said = []
    for subject in subjects:
        title, group = subject.measure.title, subject.table.group is not None
        shown = [one for one in slices if one.measure == title and one.low <= one.high]
        doubted = len(subject.models) == 1 and not all(one.exact for one in shown)
        seen = of_slices(title, group) if doubted else None
        if doubted and seen is None:
            said.append(f"{title}: {UNSEEN}")
        elif seen is not None and seen.lowest < SEEN:
            least = f"{seen.lowest:.0%} of the simulated tables of some kind"
            said.append(f"{title}: its intervals held together over slices in only {least}")
    return said


def _of_subject(
    subject: Subject, found: Sequence[Cut], question: Question
) -> tuple[list[Slice], list[Alike]]:
    level, table = question.level, subject.table
    enough = [_enough(table, keep) for cut in found for _, keep in cut]
    joint = 1 - (1 - level) / max(1, sum(not why for why in enough))
    made, tests, at = [], [], 0
    for cut in found:
        together, shared = _together(subject, cut, question)
        plain = []
        for code, (name, keep) in enumerate(cut):
            why = enough[at]
            made.append(_slice(subject, cut, (name, keep), (level, joint), why, shared[code]))
            one = subject.ask(part(table, keep), level) if not why else None
            plain.append((nan, nan) if one is None else (one.low, one.high))
            at += 1
        tests.append(_alike(subject, cut, np.array(plain), question, together))
    known = [nan if isnan(one.p) else one.p for one in made]
    adjusted = holm(known, level).p
    better = subject.measure.better
    judged = [
        _judged(one, p, level, better, difference=len(subject.models) > 1)
        for one, p in zip(made, adjusted, strict=True)
    ]
    return judged, tests


def _enough(table: Predictions, keep: Array) -> str:
    """Why a slice is too small for an interval; nothing if it is not."""
    rows = int(np.count_nonzero(keep)) // max(1, len(table.models))
    # Grades of right or wrong have exact limits, as labels do.
    exact = table.task == "classification" or (
        table.meta.bounds is not None and bool(np.isin(table.y_pred, table.meta.bounds).all())
    )
    least = FEWEST_ROWS["classification" if exact else "regression"]
    return f"only {rows} rows: an interval of a slice needs {least}" if rows < least else ""


def _slice(
    subject: Subject,
    cut: Cut,
    rows: tuple[str, Array],
    levels: tuple[float, float],
    few: str,
    shared: float,
) -> Slice:
    name, keep = rows
    table, (level, joint) = subject.table, levels
    weight = np.ones(len(table)) if table.weight is None else table.weight
    n, share = keep.sum() / len(table.models), float(weight[keep].sum() / weight.sum())
    here = subject.ask(part(table, keep), joint)
    one = Slice(
        subject.name, subject.measure.title, cut.column, name, float(n), share, here.value,
        level=level, each_level=joint, method=here.method, reason=few or here.reason,
        exact=getattr(here, "key", "") in EXACT and table.group is None and table.weight is None,
    )  # fmt: skip
    if keep.all():
        return one if few else replace(one, low=here.low, high=here.high)
    rest = subject.ask(part(table, ~keep), joint)
    one = replace(one, rest=rest.value, difference=here.value - rest.value)
    if few:
        return one
    one = replace(one, low=here.low, high=here.high)
    if isnan(shared):
        return one
    both = (here.value, here.low, here.high), (rest.value, rest.low, rest.high)
    gap = apart(*both, joint, shared)
    return replace(one, difference_low=gap.low, difference_high=gap.high, p=gap.p)


def _judged(one: Slice, p: float, level: float, better: str, difference: bool) -> Slice:
    """With the corrected p, and what p and interval agree on."""
    outside = one.difference_low > 0 or one.difference_high < 0
    if not (p < 1 - level and outside):
        return replace(one, p=p)
    if difference:
        return replace(one, p=p, finding="larger" if one.difference > 0 else "smaller")
    worse = (one.difference > 0) == (better == "low")
    return replace(one, p=p, finding="worse" if worse else "better")


def _alike(
    subject: Subject, cut: Cut, limits: Array, question: Question, together: Array | None
) -> Alike:
    table = subject.table
    df, k = inf, int(np.isfinite(limits).all(axis=1).sum())
    if together is not None and table.group is not None:
        df = equal_groups(sizes(table.group, table.weight)) - 1
    made = Alike(subject.name, subject.measure.title, cut.column, slices=k)
    if together is not None and np.isnan(together).any():
        return replace(made, reason=UNKNOWN)
    found = differ(limits[:, 0], limits[:, 1], question.level, together=together, df=df)
    return replace(
        made, p=found.p, statistic=found.statistic, method=found.method, reason=found.reason
    )


# --- groups with rows in several slices ----------------------------------------------------------

UNKNOWN = "groups have rows in several slices, and how a row moves this measure is not known"


def _together(subject: Subject, cut: Cut, question: Question) -> tuple[Array | None, Array]:
    """How the slices are correlated, and each with the rest: not at all unless groups span them.

    From the sums over groups of the influences of rows; NaN where these are not known.
    """
    table, k = subject.table, len(cut.names)
    if table.group is None or not _spanning(table.group, cut.codes):
        return None, np.zeros(k)
    group = np.unique(table.group, return_inverse=True)[1]
    parts = [keep for _, keep in cut]
    own = [_sums(subject, keep, group, question) for keep in parts]
    rest = [_sums(subject, ~keep, group, question) if not keep.all() else None for keep in parts]
    if any(one is None for one in own):
        return np.full((k, k), np.nan), np.full(k, np.nan)
    found = _correlated(np.stack([one for one in own if one is not None]))
    shared = [
        nan if a is None or b is None else float(_correlated(np.stack([a, b]))[0, 1])
        for a, b in zip(own, rest, strict=True)
    ]
    return found, np.array(shared)


def _spanning(group: Array, codes: Array) -> bool:
    """Whether some group has rows in several slices."""
    pairs = np.unique(np.stack([group, codes]), axis=1)
    return bool(pairs.shape[1] > np.unique(group).size)


def _correlated(sums: Array) -> Array:
    scale = np.sqrt((sums**2).sum(axis=1))
    scale = np.where(scale > 0, scale, inf)
    found: Array = (sums @ sums.T) / np.outer(scale, scale)
    np.fill_diagonal(found, 1.0)
    return found


def _sums(subject: Subject, keep: Array, group: Array, question: Question) -> Array | None:
    """What each group adds to the value in some rows."""
    total = np.zeros(int(group.max()) + 1)
    for model, sign in subject.models:
        mine = keep & (subject.table.codes("model") == subject.table.models.index(model))
        chosen = part(subject.table.only(model), keep[_of(subject.table, model)])
        case = Case(Parts(chosen, model, question.prevalences), chosen, subject.measure)
        psi = influences(case, fixed=True)
        if psi is None or not np.isfinite(psi).all():
            return None
        weight = np.ones(psi.size) if chosen.weight is None else chosen.weight
        total += sign * np.bincount(group[mine], weight * psi / weight.sum(), total.size)
    return total


def _of(table: Predictions, model: str) -> Array:
    found: Array = table.codes("model") == table.models.index(model)
    return found
