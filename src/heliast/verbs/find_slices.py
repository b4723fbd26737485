"""find_slices: where a model is weakest, searched in half of the rows, confirmed in the others."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.comparisons import holm
from heliast.estimates import row_influence
from heliast.estimates.resampled import Parts
from heliast.measures import Measure
from heliast.measures.forms import Undefined
from heliast.predictions import Predictions, Role
from heliast.verbs.arguments import read_table
from heliast.verbs.assess import ask_estimate
from heliast.verbs.cuts import Cut, averaged_columns, cuts
from heliast.verbs.options import Options
from heliast.verbs.sliced_by import as_by, to_keep
from heliast.verbs.slices import Slice, Subject, WeakSlices, condition, finding, slice_of

# So many candidates at most are confirmed: each widens the intervals of the others.
MOST = 5
# A candidate has so many of the rows searched, and this share of them.
FEWEST, LEAST = 10, 0.01
# Standard errors by which a candidate is worse than the rest of the rows searched.
SUSPECT = 2.0
# A candidate that shares more of its rows with a worse one (of both together) is left out.
ALIKE = 0.5


def find_slices(
    source: Any = None,
    *arguments: Any,
    columns: str | Sequence[str] = (),
    measure: str | Measure | None = None,
    level: float = 0.95,
    model: str | None = None,
    conditions: int = 2,
    cost: Costs | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    seed: int = 0,
    **options: Any,
) -> WeakSlices:
    """Return the slices in which a model is significantly worse than in the rest.

    Half of the rows, or of the groups, is searched: every value of each column (numbers cut at
    quartiles) and every pair of values of two columns. The worst few that do not overlap much are
    tested on the other half, where nothing was selected, with p Holm-adjusted for their number. So
    if the model is nowhere worse, a slice is reported with probability 1 - level at most.

    Parameters
    ----------
    source : Predictions, path, data frame, mapping or array-like
        The prediction table with the columns to search, or what `as_predictions` makes one of.
    *arguments : str or sequence of str
        `columns`, `measure` and `level` may follow.
    columns : str or sequence of str
        The columns to search; all kept ones if not given. `age:8` cuts numbers finer.
    measure : str or Measure, optional
        What is measured; the error, or the mean absolute error, if not given.
    level : float
        1 minus the family-wise error rate.
    model : str, optional
        Which model, if there are several.
    conditions : {1, 2}
        How many columns may be combined.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    role : str or None
        The role of the splits that count: `test`, `validation`, `full`, `inner`; None is all.
    seed : int
        Which half is searched.
    **options : Any
        Options of the table, as in `assess`.

    Returns
    -------
    WeakSlices
        The slices that were confirmed, and the candidates that were not.

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
    names = ("columns", "measure", "level")
    searched = next((words for words in arguments if _are_names(words)), columns)
    keep = to_keep(searched or ())
    table, positional = read_table("find_slices", (source, *arguments), options, names, keep)
    chosen_options = {"columns": columns, "measure": measure, "level": level, **positional}
    question = Options(
        measures=chosen_options["measure"], level=chosen_options["level"],
        by=chosen_options["columns"] or (), cost=cost,
        threshold=threshold, role=role, seed=seed,
    )  # fmt: skip
    if conditions not in (1, 2):
        raise InputError(f"conditions={conditions!r}: 1 or 2 columns are combined")
    table = _one_model(question.rows(table), model)
    by = question.by or as_by(
        [name for name in table.columns if name not in averaged_columns(table)]
    )
    if not by:
        raise InputError(
            "find_slices: no column to search; keep some when the table is made: "
            "columns={'region': ...}, or keep=['region'] when it is read"
        )
    if len(table.splits) > 1:
        raise InputError(
            f"find_slices: rows of one test set are halved, here are {len(table.splits)} splits; "
            "choose one with only(split=...)"
        )
    chosen = question.only_measure(table.task)
    question.check_used([chosen])
    return _search(table, chosen, cuts(table, by), question, conditions)


def _are_names(words: Any) -> bool:
    """Whether an argument may hold the names of columns."""
    named = isinstance(words, (list, tuple)) and all(isinstance(word, str) for word in words)
    return isinstance(words, str) or named


def _one_model(table: Predictions, model: str | None) -> Predictions:
    if model is None and len(table.models) > 1:
        models = ", ".join(table.models[:8])
        raise InputError(
            f"find_slices: several models ({models}): name one with model= (command line: --of)"
        )
    return table if model is None else table.only(model)


def _search(
    table: Predictions, measure: Measure, divided: list[Cut], options: Options, conditions: int
) -> WeakSlices:
    first = _half(table, options.seed)
    losses = _row_losses(table.where(first), measure)
    candidates, searched = _candidates(losses, table.weight, first, divided, conditions)
    rest = [(name, keep[~first]) for name, keep in candidates]
    slices = _confirm(table.where(~first), measure, rest, options)
    models = max(1, len(table.models))
    return WeakSlices(
        tuple(entry for entry in slices if entry.finding == "worse"),
        tuple(entry for entry in slices if entry.finding != "worse"),
        searched, float(first.sum()) / models, float((~first).sum()) / models, options.level,
        measure.better, tuple(note for cut in divided for note in cut.notes),
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


def _row_losses(table: Predictions, measure: Measure) -> Array:
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


def _candidates(
    losses: Array, weight: Array | None, first: Array, divided: list[Cut], conditions: int
) -> tuple[list[tuple[str, Array]], int]:
    """The worst slices of the rows searched, as names and masks of all rows, and how many."""
    weights = np.ones(losses.size) if weight is None else weight[first]
    least = max(FEWEST, LEAST * losses.size)
    scored = []
    for names, codes in _every_slice(divided, conditions):
        z, size = _z_scores(losses, weights, codes[first], len(names))
        scored += [(z[at], names[at], codes, at) for at in np.flatnonzero(size >= least)]
    ranked = sorted((part for part in scored if part[0] >= SUSPECT), key=lambda part: -part[0])
    chosen: list[tuple[str, Array]] = []
    for _, name, codes, at in ranked:
        keep = codes == at
        overlaps = any(_overlap(keep, other) > ALIKE for _, other in chosen)
        if len(chosen) < MOST and not overlaps:
            chosen.append((name, keep))
    return chosen, len(scored)


def _every_slice(divided: list[Cut], conditions: int) -> Iterator[tuple[list[str], Array]]:
    """The slices of each column, and of each two, with their codes."""
    titles = [[condition(cut.column, name) for name in cut.names] for cut in divided]
    for cut, names in zip(divided, titles, strict=True):
        yield names, cut.codes
    for a, b in combinations(range(len(divided)), 2) if conditions == 2 else ():
        names = [f"{entry} and {other}" for entry in titles[a] for other in titles[b]]
        yield names, divided[a].codes * len(titles[b]) + divided[b].codes


def _z_scores(losses: Array, weights: Array, codes: Array, count: int) -> tuple[Array, Array]:
    """By how many standard errors each slice is worse than the rest, and how many rows it has."""
    n = np.bincount(codes, minlength=count).astype(float)
    w = np.bincount(codes, weights, count)
    s1, s2 = (np.bincount(codes, weights * losses**power, count) for power in (1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        mean, rest = s1 / w, (s1.sum() - s1) / (w.sum() - w)
        spread = np.maximum(s2 / w - mean**2, 0.0)
        overall = s2.sum() / w.sum() - (s1.sum() / w.sum()) ** 2
        # The variance of few rows is shrunk to that of all.
        spread = (n * spread + FEWEST * overall) / (n + FEWEST)
        z = (mean - rest) / np.sqrt(spread / n + overall / (n.sum() - n))
    return np.nan_to_num(z, nan=-np.inf, posinf=-np.inf, neginf=-np.inf), n


def _overlap(a: Array, b: Array) -> float:
    return int(np.count_nonzero(a & b)) / max(1, int(np.count_nonzero(a | b)))


def _confirm(
    table: Predictions, measure: Measure, chosen: Sequence[tuple[str, Array]], options: Options
) -> list[Slice]:
    """Each candidate against the rest, in rows that did not select it."""
    model = table.models[0]
    subject = Subject(model, measure, table, ask_estimate(measure, options), ((model, 1.0),))
    present = [(name, keep) for name, keep in chosen if FEWEST <= keep.sum() < keep.size]
    joint = 1 - (1 - options.level) / max(1, len(present))
    slices = [
        slice_of(subject, "", name, keep, (options.level, joint), "") for name, keep in present
    ]
    adjusted = holm([entry.p for entry in slices], options.level).p if slices else ()
    sign = 1 if measure.better == "low" else -1
    judged = [
        replace(entry, p=p, finding=finding(entry, p, options.level, sign, ("worse", "better")))
        for entry, p in zip(slices, adjusted, strict=True)
    ]
    return sorted(judged, key=lambda entry: -sign * entry.difference)
