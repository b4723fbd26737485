"""Grades to a checked table: one row for each model and item, attempts side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import ROWS, Places
from heliast.predictions._kept import differing, kept_columns
from heliast.predictions._names import REPEATS
from heliast.predictions._records import Options
from heliast.predictions._sides import Sides, coded_models, sides, weight_kind
from heliast.predictions._table import Meta, Predictions
from heliast.tables.about import HUMAN, OF_ANSWERS, SPENT
from heliast.tables.readings import is_number

WORDS = {
    "c": 1.0, "correct": 1.0, "right": 1.0, "true": 1.0, "yes": 1.0, "pass": 1.0, "passed": 1.0,
    "i": 0.0, "incorrect": 0.0, "wrong": 0.0, "false": 0.0, "no": 0.0, "fail": 0.0, "failed": 0.0,
    "y": 1.0, "n": 0.0, "1": 1.0, "0": 0.0, "p": 0.5,
}  # fmt: skip
"""Words for grades; `N` (no answer, or no) and `P` (partly right) as Inspect counts them."""
SCALES = ((1, 5), (1, 7), (1, 10), (0, 10), (0, 100))
"""Bounds that grades often have, in the order in which they are offered."""
UNIT = (0.0, 1.0)
OTHER_MODELS = (
    "slices are of items, which these do not tell apart: to compare them, name them as models of "
    "their own, or leave the column out"
)
ROOM = 20
"""Attempts are kept side by side in no more than so many times the places that they fill."""


def build_graded(
    cls: type[Predictions],
    columns: Mapping[str, object],
    options: Options,
    places: Places = ROWS,
    notes: Sequence[str] = (),
) -> Predictions:
    """The table of these columns, by role: grade, model, row (the item), attempt and the rest.

    `places` says how messages name rows, `notes` what was said before.
    """
    said = list(notes)
    options.refuse_classes("these are grades")
    grade = column(columns["grade"], "grade")
    if not len(grade):
        raise InputError("the table is empty: there is no grade to assess")
    repeats = isinstance(columns.get("attempt"), str)
    given = {name: columns.get(name) for name in ("row", "weight", "group", "attempt")}
    if repeats:
        _check_repeats(given.pop("attempt"))
    given["in_train"] = None
    beside = sides(len(grade), columns["model"], places, given, grade.name)
    kept = kept_columns(columns.get("columns"), len(grade), places, said, grade.name)
    values = _values(grade, places, said)
    if grade.missing.size:
        keep = _complete(grade, options.missing, places, said)
        values, beside, places = values[keep], beside.at(keep), places.at(keep)
        kept = {name: one.at(keep) for name, one in kept.items()}
    bounds = _bounds(values, options, grade.name, places, said)
    if HUMAN in kept:
        kept[HUMAN] = _human(kept[HUMAN], replace(options, bounds=bounds), places, said)
    if "task" in kept and beside.row is not None:
        beside = replace(beside, row=_of_task(beside.row, kept["task"], said))
    answers = _Answers.of(beside, len(values), repeats, places)
    each = {name: answers.kept(one) for name, one in kept.items()}
    said += answers.unlike(each)
    for name in (name for name in SPENT if name in kept and kept[name].is_number):
        below = np.flatnonzero(kept[name].values < 0)
        said += [f"column {name!r} is below 0 in {places.some(below)}: check it"] * bool(below.size)
    return replace(_assembled(cls, values, answers, bounds, options, said), columns=each)


def _check_repeats(word: object) -> None:
    if word != REPEATS:
        raise InputError(
            f"attempt={word!r:.60}: a column of attempts, or {REPEATS!r} where each further answer "
            "to an item is another attempt"
        )


# --- what a grade is ---------------------------------------------------------------------------


def _values(grade: Column, places: Places, notes: list[str]) -> Array:
    """Grades as numbers; words as what they are worth, which is stated."""
    if grade.kind != "text":
        return grade.values.astype(np.float64)
    worth = {text: WORDS.get(text.strip().lower()) for text in grade.distinct()}
    strange = [text for text, value in worth.items() if value is None]
    if strange:  # where a word stands among numbers, the word
        _refuse_word(grade, min(strange, key=lambda text: (is_number(text), text)), places)
    said = {text.strip().lower() for text in worth}
    if "p" in said and not said & {"c", "i"}:
        raise InputError(
            f"{grade.name}: 'P' is partly right beside 'C' and 'I', as Inspect writes them, but "
            f"here is only {', '.join(map(repr, sorted(worth)))}: write numbers, such as 1 for "
            "passed and 0 for not"
        )
    known = {text: float(value or 0.0) for text, value in worth.items()}
    shown = ", ".join(f"{text!r} {value:g}" for text, value in sorted(known.items()))
    notes.append(f"{grade.name}: words read as grades: {shown}")
    table = np.array([*(known.get(text, np.nan) for text in grade.texts), np.nan])
    found: Array = table[grade.values]
    return found


def _refuse_word(grade: Column, word: str, places: Places) -> None:
    """Refuse a word that is worth nothing known, and say where it stands."""
    where = places.some(np.flatnonzero(grade.values == grade.texts.index(word)))
    advice = "grades are 0 and 1, true and false, C and I, or numbers with bounds="
    if is_number(word):
        advice = "it is text: write it without quotes"
    elif word.endswith("%"):
        advice += " (write 0.45 for 45%)"
    elif any(text.strip().lower() in WORDS or is_number(text) for text in grade.distinct()):
        advice += "; an answer that failed is mostly worth 0, one that was not asked for has no row"
    raise InputError(f"{grade.name}: {word[:60]!r} is no grade, in {where}; {advice}")


def _complete(grade: Column, missing: str, places: Places, notes: list[str]) -> Array:
    """Where there is a grade, or a refusal that says where there is none."""
    what = f"{grade.name} is missing in {places.some(grade.missing)}"
    if missing == "refuse":
        raise InputError(
            f"{what}. Grade them (an answer that failed is mostly worth 0), or drop them with "
            "missing='drop' (command line: --drop-missing)"
        )
    keep = np.ones(len(grade), bool)
    keep[grade.missing] = False
    if not keep.any():
        raise InputError(f"{what}: no grade is left; check the column")
    count = grade.missing.size
    notes.append(f"dropped {count} of {len(grade)} answers without a grade")
    return keep


def _bounds(
    values: Array, options: Options, name: str, places: Places, notes: list[str]
) -> tuple[float, float]:
    """The bounds as stated; 0 and 1 if no grade lies outside, which is stated then."""
    if not np.isfinite(values).all():
        bad = np.flatnonzero(~np.isfinite(values))
        raise InputError(f"{name}: {values[bad[0]]} in {places.some(bad)}; grades are finite")
    low, high = options.bounds or UNIT
    outside = np.flatnonzero((values < low) | (values > high))
    if not outside.size:
        if options.bounds is None and not np.isin(values, UNIT).all():
            notes.append("grades are taken to lie between 0 and 1 (say bounds= otherwise)")
        if low <= 0 and values.size and values.max() <= 1 < high:
            notes.append(
                f"no grade is above 1, though they may reach {high:g}: if 1 is the best that can "
                "be given, bounds= are 0 and 1"
            )
        return low, high
    where = f"{name}: {values[outside[0]]:g} in {places.some(outside)}"
    if options.bounds is not None:
        raise InputError(
            f"{where} lies outside the bounds {low:g} to {high:g}: correct the grade, or state "
            "other bounds with bounds= (command line: --bounds LOW:HIGH)"
        )
    least, most = values.min(), values.max()
    scales = SCALES if (values == np.floor(values)).all() else SCALES[-2:]
    fitting = (one for one in scales if one[0] <= least and most <= one[1])
    first, last = next(fitting, ("LOW", "HIGH"))
    raise InputError(
        f"{where} is not between 0 and 1, and what the least and the largest possible grade are is "
        f"not known: if it is right, say them, such as bounds=({first}, {last}) (command line: "
        f"--bounds {first}:{last}): not those that were seen ({least:g} to {most:g}), but those "
        "that could be given"
    )


def _human(one: Column, options: Options, places: Places, notes: list[str]) -> Column:
    """What people say of some answers: grades as those of the judge are."""
    values = _values(one, places, notes)
    known = ~np.isnan(values)
    _bounds(values[known], options, one.name, places.at(known), notes)
    return Column(one.name, values, "number", one.missing)


def _of_task(row: Column, task: Column, notes: list[str]) -> Column:
    """The items, named after their tasks where one name stands for items of several."""
    (names, items), (tasks, of) = row.coded(ordered=False), task.coded(ordered=False)
    first = np.empty(len(names), np.int64)
    first[items[::-1]] = of[::-1]
    if (first[items] == of).all():
        return row
    key, place = np.unique(of.astype(np.int64) * len(names) + items, return_inverse=True)
    texts = tuple(f"{tasks[one // len(names)]}/{names[one % len(names)]}" for one in key.tolist())
    notes.append(f"items of {len(tasks)} tasks have the same names: they are named {texts[0]!r}")
    return Column(row.name, place.astype(np.int32), "text", np.empty(0, np.int64), texts)


# --- attempts at items -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Answers:
    """Answers put in order: by model, item and attempt, each where it belongs."""

    beside: Sides
    models: tuple[str, ...]
    order: Array
    """Positions of the answers, those of one model and item together."""
    start: Array
    """Where those of each model and item start in this order."""
    model: Array
    """The model of each start."""

    @classmethod
    def of(cls, beside: Sides, n: int, repeats: bool, places: Places) -> "_Answers":
        models, code = coded_models(beside.model)
        if beside.row is None:
            if len(models) > 1 or repeats or beside.attempt is not None:
                raise InputError(
                    "which item each answer is for is not known, so models and attempts cannot be "
                    "paired: name the column of items with row= (in Python: item=; command line: "
                    "--row COLUMN)"
                )
            each = np.arange(n)
            return cls(beside, models, each, each, np.zeros(n, np.int32))
        names, items = beside.row.coded(ordered=False)
        mine = np.zeros(n, np.int64) if code is None else code.astype(np.int64)
        key = mine * len(names) + items
        order = _ordered(key, beside.attempt)
        rising = key[order]
        first = np.flatnonzero(np.diff(rising, prepend=-1))
        found = cls(beside, models, order, first, (rising[first] // len(names)).astype(np.int32))
        if not repeats:
            found._refuse_twice(rising, names, items, places)
        return found

    def _refuse_twice(
        self, rising: Array, names: Sequence[object], items: Array, places: Places
    ) -> None:
        """One grade for each attempt; without attempts one for each item."""
        same = rising[1:] == rising[:-1]
        attempt = self.beside.attempt
        if attempt is not None:
            which = attempt.values[self.order]
            same &= which[1:] == which[:-1]
        twice = np.flatnonzero(same)
        if not twice.size:
            return
        first, second = (int(self.order[at]) for at in (twice[0], twice[0] + 1))
        model = self.models[self.model[np.searchsorted(self.start, twice[0], "right") - 1]]
        about = f"item {names[items[second]]!r} of model {model!r}"
        where = f"({places.one(first)} and {places.one(second)}; {twice.size} such)"
        if attempt is not None:
            raise InputError(
                f"{about} has two grades for the same {attempt.name} {where}: remove one of them, "
                "or number the attempts apart, in a column that is named with attempt= (command "
                "line: --attempt COLUMN)"
            )
        models = "if they are of different models, name the column of these with model= (--model); "
        raise InputError(
            f"{about} is graded twice {where}: {models * isinstance(self.beside.model, str)}if "
            "these are attempts at it, name the column that numbers them with attempt= (command "
            "line: --attempt COLUMN), or say attempt='repeats' (--attempt repeats) if each further "
            "answer is another attempt; if different items have the same name, as in two tasks, "
            "call the column of tasks 'task', or name the items apart; else remove the repeats"
        )

    @property
    def counts(self) -> Array:
        """How many attempts there are at each item of each model."""
        return np.diff(self.start, append=self.order.size)

    def kept(self, one: Column) -> Column:
        """A kept column, one value for each model and item; what belongs to answers as its mean."""
        if one.name not in OF_ANSWERS or not one.is_number:
            return self.beside_each(one, "value", OTHER_MODELS)
        values = one.values[self.order].astype(np.float64)
        there = ~np.isnan(values)
        counts = np.add.reduceat(there, self.start, dtype=np.int64)
        sums = np.add.reduceat(np.where(there, values, 0.0), self.start)
        with np.errstate(invalid="ignore"):
            return Column(one.name, sums / counts, "number", np.flatnonzero(counts == 0))

    def unlike(self, columns: Mapping[str, Column]) -> list[str]:
        """What to say of columns in which models differ at one item."""
        if self.beside.row is None or len(self.models) < 2:
            return []
        names, codes = self.beside.row.at(self.order[self.start]).coded(ordered=False)
        first = np.empty(len(names), np.int64)
        first[codes[::-1]] = np.arange(codes.size)[::-1]
        found = []
        for name, one in columns.items():
            differs = differing(one, one.at(first[codes])) & (name not in OF_ANSWERS)
            if count := np.unique(codes[differs]).size:
                found.append(
                    f"column {name!r} differs between models at {count:,} of {len(names):,} items: "
                    "a slice by it holds other items for one model than for another, so that they "
                    "are not compared in it"
                )
        return found

    def beside_each(self, one: Column, what: str, hint: str = "it belongs to the item") -> Column:
        """A value for each model and item, which all its attempts must have."""
        first = self.order[self.start]
        differs = np.flatnonzero(
            differing(one.at(np.repeat(first, self.counts)), one.at(self.order))
        )
        if differs.size:
            at = np.searchsorted(self.start, differs[0], "right") - 1
            pair = (one.at(self.order[[self.start[at], differs[0]]])).plain().tolist()
            item = "" if self.beside.row is None else self.beside.row.at(first[[at]]).first()
            raise InputError(
                f"{one.name}: attempts at one item have different {what}s (item {item!r} of model "
                f"{self.models[self.model[at]]!r}: {pair[0]!r} and {pair[1]!r}); {hint}"
            )
        return one.at(first)


def _ordered(key: Array, attempt: Column | None) -> Array:
    if attempt is None:
        return np.argsort(key, kind="stable")
    which = attempt.coded()[1] if attempt.kind == "text" else attempt.values
    return np.lexsort([which, key])


def _assembled(
    cls: type[Predictions],
    values: Array,
    answers: _Answers,
    bounds: tuple[float, float],
    options: Options,
    notes: list[str],
) -> Predictions:
    counts, beside = answers.counts, answers.beside
    ordered = values[answers.order]
    n, most = counts.size, int(counts.max())
    grades = None
    mean = ordered
    if most > 1:
        grades = _side_by_side(ordered, counts, answers.start)
        mean = np.add.reduceat(ordered, answers.start) / counts
        least = int(counts.min())
        notes.append(
            f"{most} attempts at each item, which are averaged"
            if least == most
            else f"{least} to {most} attempts at an item: each item counts once, as their mean"
        )
    kept = None if beside.weight is None else answers.beside_each(beside.weight, "weight")
    weight, kind = weight_kind(kept, options.weights, ROWS, notes)
    meta = Meta("graded", bounds=bounds, weight_kind=kind, notes=tuple(dict.fromkeys(notes)))
    group = None if beside.group is None else answers.beside_each(beside.group, "group").coded()[1]
    row = None if beside.row is None else beside.row.plain()[answers.order[answers.start]]
    return cls(
        y_true=np.zeros(n),
        y_pred=np.clip(mean, *bounds),
        meta=meta,
        models=answers.models,
        scores=grades,
        model_code=answers.model if len(answers.models) > 1 else None,
        row=row,
        weight=weight,
        group=group,
    )


def _side_by_side(ordered: Array, counts: Array, start: Array) -> Array:
    """A row for each item, a column for each attempt; NaN where an item has fewer."""
    n, most = counts.size, int(counts.max())
    if n * most > ROOM * ordered.size + 1_000_000:
        raise InputError(
            f"one item has {most:,} attempts, and {n:,} items have {ordered.size / n:.1f} on "
            "average: leave out attempts, so that items have about equally many"
        )
    if n * most == ordered.size:
        return ordered.reshape(n, most)
    grades: Array = np.full((n, most), np.nan)
    place = np.arange(ordered.size) - np.repeat(start, counts)
    grades[np.repeat(np.arange(n), counts), place] = ordered
    return grades
