"""find_slices: where a model is weakest, searched on half of the rows, confirmed on the others."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, cast

import numpy as np

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.kinds import Array
from heliast._core.records import Says, Spoken, named
from heliast.comparisons import apart, holm
from heliast.estimates import row_influence
from heliast.estimates.resampled import Parts
from heliast.measures import Measure
from heliast.measures.forms import Undefined
from heliast.predictions import Predictions, Role
from heliast.verbs.assess import in_slice
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.question import Question, refuse
from heliast.verbs.sliced_by import as_by, to_keep
from heliast.verbs.slices import Slice
from heliast.verbs.slicing import Cut, cuts, means_of, part
from heliast.views.slicing import weak_html, weak_sentence, weak_text

MOST = 5
"""So many suspects at most are confirmed: each costs the others some certainty."""
FEWEST, LEAST = 10, 0.01
"""A suspect has so many of the rows that are searched, and this share of them."""
SUSPECT = 2.0
"""How many standard errors a suspect is worse than the rest of the rows that are searched."""
ALIKE = 0.5
"""A suspect with more of its rows in common with a worse one (as a share of both) is left out."""


@dataclass(frozen=True, repr=False)
class WeakSlices(Spoken, Listing[Slice]):
    """The slices in which a model was found, and confirmed, to be worse than in the rest.

    All numbers come from rows that were not searched.

    Parameters
    ----------
    slices : tuple of Slice
        Those confirmed, worst first.
    others : tuple of Slice
        Suspects of the search that the other rows did not confirm.
    searched : int
        How many slices were looked at.
    n_search, n_confirm : float
        The rows that were searched, and those that confirmed.
    level : float
        1 minus the probability that any slice is reported where none is worse.
    better : str
        `low` or `high`: which values of the measure are better.
    notes : tuple of str
        Where numbers were cut, and what to be careful about.

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["a", "b"] * 200, ["a", "b"] * 150 + ["a", "a"] * 50
    >>> age = ["old"] * 300 + ["new"] * 100
    >>> found = hl.find_slices(hl.Predictions.of(truth, label, columns={"age": age}))
    >>> [one.name for one in found]
    ['age = new']
    """

    _says: ClassVar[Says] = weak_sentence, weak_text, weak_html
    _listed: ClassVar[str] = "slices"
    slices: tuple[Slice, ...]
    others: tuple[Slice, ...] = ()
    searched: int = 0
    n_search: float = 0.0
    n_confirm: float = 0.0
    level: float = 0.95
    better: str = "low"
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The sentence, the slices confirmed and not, and how they were searched.
        """
        return named(self, "sentence level better searched n_search n_confirm slices others notes")


@takes_a_table(keeps=lambda given, said: to_keep(said.get("columns")))
def find_slices(
    predictions: Given,
    columns: str | Sequence[str] | Given = (),
    measure: str | Measure | None = None,
    level: float = 0.95,
    *,
    model: str | None = None,
    conditions: int = 2,
    cost: Costs | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    seed: int = 0,
    **more: object,
) -> WeakSlices:
    """The slices in which a model does worst, confirmed on rows that were not searched.

    Half of the rows, or of the groups, is searched: every value of each column (numbers are cut at
    quartiles) and every pair of values of two columns. The worst few that do not overlap much are
    then tested on the other half, where nothing was chosen: p is corrected for their number only
    (Holm). So if the model does nowhere worse, a slice is reported with probability 1 - level at
    most.

    Parameters
    ----------
    predictions : Predictions, or what can become a table
        The table with the model, with the columns kept that are searched.
    columns : str or sequence of str
        The columns to search; all that were kept, if not given. `age:8` cuts numbers finer.
    measure : str or Measure, optional
        What is measured; the error, or the mean absolute error of numbers, if not given.
    level : float
        1 minus the probability that any slice is reported wrongly.
    model : str, optional
        Which model, if there are several.
    conditions : {1, 2}
        How many columns may be combined.
    cost : array-like, optional
        What each decision costs: slices of high expected cost are looked for.
    threshold : float, optional
        Of two classes: labels are decided again, positive where the score is at least this.
    role : str or None
        The rows that count: those of `test` splits, `validation`, `full`, `inner`; None is all.
    seed : int
        Which half is searched.
    **more : object
        How frames or files become a table (`keep`, `y_score` and others of `Predictions.read`).
        What is not part of this question is refused by name.

    Returns
    -------
    WeakSlices
        The slices that were confirmed, and the suspects that were not.

    Raises
    ------
    InputError
        If there is no such column or model, or rows come from several splits.

    Examples
    --------
    >>> truth, label = ["a", "b"] * 200, ["a", "b"] * 150 + ["a", "a"] * 50
    >>> table = Predictions.of(truth, label, columns={"age": ["old"] * 300 + ["new"] * 100})
    >>> worst = find_slices(table, "age").slices[0]
    >>> worst.name, worst.rest
    ('age = new', 0.0)

    References
    ----------
    Y. Chung and others (2019), Slice Finder: automated data slicing for model validation, ICDE.
    D. R. Cox (1975), A note on data-splitting for the evaluation of significance levels,
    Biometrika 62.
    """
    refuse("find_slices", more)
    question = Question(
        measures=measure, level=level, cost=cost, threshold=threshold, role=role, seed=seed,
        by=columns or (),
    )  # fmt: skip
    if conditions not in (1, 2):
        raise InputError(f"conditions={conditions!r}: 1 or 2 columns are combined")
    table = _one_model(question.rows(cast("Predictions", predictions)), model)
    asked = question.by or as_by([name for name in table.columns if name not in means_of(table)])
    if not asked:
        raise InputError(
            "find_slices: no column to search; keep some when the table is made: "
            "columns={'region': ...}, or keep=['region'] when it is read"
        )
    if len(table.splits) > 1:
        raise InputError(
            f"find_slices: rows of one test set are halved, here are {len(table.splits)} splits; "
            "choose one with only(split=...)"
        )
    measure = question.only_measure(table.task)
    question.check_used([measure])
    return _found(table, measure, cuts(table, asked), question, conditions)


def _one_model(table: Predictions, model: str | None) -> Predictions:
    if model is None and len(table.models) > 1:
        listed = ", ".join(table.models[:8])
        raise InputError(
            f"find_slices: several models ({listed}): name one with model= (command line: --of)"
        )
    return table if model is None else table.only(model)


def _found(
    table: Predictions, measure: Measure, made: list[Cut], question: Question, conditions: int
) -> WeakSlices:
    first = _half(table, question.seed)
    worse = _losses(table.where(first), measure)
    chosen, searched = _suspects(worse, table.weight, first, made, conditions)
    rest = table.where(~first)
    slices = _confirmed(rest, measure, [(name, keep[~first]) for name, keep in chosen], question)
    models = max(1, len(table.models))
    told = tuple(one for one in slices if one.finding == "worse")
    return WeakSlices(
        told, tuple(one for one in slices if one.finding != "worse"), searched,
        float(first.sum()) / models, float((~first).sum()) / models, question.level,
        measure.better, tuple(note for cut in made for note in cut.notes),
    )  # fmt: skip


def _half(table: Predictions, seed: int) -> Array:
    """Half of the rows, whole groups where there are some."""
    unit = np.arange(len(table)) if table.group is None else table.group
    names, place = np.unique(unit, return_inverse=True)
    if names.size < 4:
        raise InputError(f"find_slices: {names.size} rows or groups are too few to be halved")
    picked = np.zeros(names.size, bool)
    order = np.random.default_rng(seed).permutation(names.size)
    picked[order[: names.size // 2]] = True
    half: Array = picked[place]
    return half


def _losses(table: Predictions, measure: Measure) -> Array:
    """How much each row makes the measure worse: its loss, or its first-order influence."""
    rows = Parts(table, table.models[0]).pooled
    form = measure.form(rows)
    psi = None if isinstance(form, Undefined) else row_influence(form, rows.rows)
    if psi is None or not np.isfinite(psi).all():
        raise InputError(
            f"find_slices: how a row moves {measure.title} is not known here, so slices cannot be "
            "searched by it; ask for another measure, such as error"
        )
    return psi if measure.better == "low" else -psi


# --- searched ------------------------------------------------------------------------------------


def _suspects(
    worse: Array, weight: Array | None, first: Array, made: list[Cut], conditions: int
) -> tuple[list[tuple[str, Array]], int]:
    """The worst slices of the rows that are searched, as names and masks of all rows."""
    heavy = np.ones(worse.size) if weight is None else weight[first]
    least = max(FEWEST, LEAST * worse.size)
    scored = []
    for names, codes in _candidates(made, conditions):
        z, size = _scores(worse, heavy, codes[first], len(names))
        scored += [(z[at], names[at], codes, at) for at in np.flatnonzero(size >= least)]
    ranked = sorted((one for one in scored if one[0] >= SUSPECT), key=lambda one: -one[0])
    chosen: list[tuple[str, Array]] = []
    for _, name, codes, at in ranked:
        keep = codes == at
        if len(chosen) < MOST and not any(_overlap(keep, other) > ALIKE for _, other in chosen):
            chosen.append((name, keep))
    return chosen, len(scored)


def _candidates(made: list[Cut], conditions: int) -> Iterator[tuple[list[str], Array]]:
    """The slices of each column, and of each two, with their codes."""
    told = [[_condition(cut.column, name) for name in cut.names] for cut in made]
    for cut, names in zip(made, told, strict=True):
        yield names, cut.codes
    for a, b in combinations(range(len(made)), 2) if conditions == 2 else ():
        width = len(told[b])
        names = [f"{one} and {other}" for one in told[a] for other in told[b]]
        yield names, made[a].codes * width + made[b].codes


def _condition(column: str, name: str) -> str:
    """A slice as a condition; that of numbers names its column already.

    >>> _condition("age", "age > 30"), _condition("region", "north")
    ('age > 30', 'region = north')
    """
    ranged = column in name and any(mark in name for mark in "<>")
    return name if ranged else f"{column} = {name}"


def _scores(worse: Array, heavy: Array, codes: Array, count: int) -> tuple[Array, Array]:
    """By how many standard errors each slice is worse than the rest, and how many rows it has."""
    n = np.bincount(codes, minlength=count).astype(float)
    w = np.bincount(codes, heavy, count)
    s1, s2 = (np.bincount(codes, heavy * worse**power, count) for power in (1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, rest = s1 / w, (s1.sum() - s1) / (w.sum() - w)
        spread = np.maximum(s2 / w - mean**2, 0.0)
        overall = s2.sum() / w.sum() - (s1.sum() / w.sum()) ** 2
        # Few rows say little of their spread: it is drawn to that of all.
        spread = (n * spread + FEWEST * overall) / (n + FEWEST)
        z = (mean - rest) / np.sqrt(spread / n + overall / (n.sum() - n))
    return np.nan_to_num(z, nan=-np.inf, posinf=-np.inf, neginf=-np.inf), n


def _overlap(one: Array, other: Array) -> float:
    either = int(np.count_nonzero(one | other))
    return int(np.count_nonzero(one & other)) / max(1, either)


# --- confirmed -----------------------------------------------------------------------------------


def _confirmed(
    table: Predictions, measure: Measure, chosen: list[tuple[str, Array]], question: Question
) -> list[Slice]:
    """Each suspect against the rest, in rows that it was not chosen by."""
    ask = in_slice(measure, question)
    weight = np.ones(len(table)) if table.weight is None else table.weight
    there = [(name, keep) for name, keep in chosen if FEWEST <= keep.sum() < keep.size]
    joint = 1 - (1 - question.level) / max(1, len(there))
    found = []
    for name, keep in there:
        here, rest = ask(part(table, keep), joint), ask(part(table, ~keep), joint)
        own, other = ((one.value, one.low, one.high) for one in (here, rest))
        gap = apart(own, other, joint)
        one = Slice(
            table.models[0], measure.title, "", name, float(keep.sum()),
            float(weight[keep].sum() / weight.sum()), here.value, here.low, here.high,
            question.level, joint, here.method, rest.value, gap.value, gap.low, gap.high,
            gap.p, "", gap.reason,
        )  # fmt: skip
        found.append(one)
    p = holm([one.p for one in found], question.level).p if found else ()
    sign = 1 if measure.better == "low" else -1
    told = [
        replace(one, p=each, finding=_finding(one, each, question.level, sign))
        for one, each in zip(found, p, strict=True)
    ]
    return sorted(told, key=lambda one: -sign * one.difference)


def _finding(one: Slice, p: float, level: float, sign: int) -> str:
    outside = one.difference_low > 0 or one.difference_high < 0
    if not (p < 1 - level and outside):
        return ""
    return "worse" if sign * one.difference > 0 else "better"
