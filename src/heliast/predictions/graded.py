"""Grades of responses to a checked table: one row per model and item, attempts side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import ROWS, Places
from heliast._core.syntax import option
from heliast.predictions.beside import Beside, coded_models, weight_kind
from heliast.predictions.kept import differing, kept_columns
from heliast.predictions.records import Meta, Options
from heliast.tables.about import HUMAN, OF_ANSWERS

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions

# Words for grades; `N` (no answer) and `P` (partly right) as Inspect counts them.
WORDS = {
    "c": 1.0, "correct": 1.0, "right": 1.0, "true": 1.0, "yes": 1.0, "pass": 1.0, "passed": 1.0,
    "i": 0.0, "incorrect": 0.0, "wrong": 0.0, "false": 0.0, "no": 0.0, "fail": 0.0, "failed": 0.0,
    "y": 1.0, "n": 0.0, "1": 1.0, "0": 0.0, "p": 0.5,
}  # fmt: skip
UNIT = (0.0, 1.0)
# Attempts are kept side by side in no more than so many times the places that they fill.
MOST_PLACES = 20


def build_graded(
    cls: "type[Predictions]",
    columns: Mapping[str, object],
    options: Options,
    places: Places = ROWS,
    notes: Sequence[str] = (),
) -> "Predictions":
    """Build the table of these columns by role: grade, model, row (the item), attempt and others.

    `places` says how messages name rows; `notes` is what was stated before.
    """
    noted = list(notes)
    options.refuse_classes("graded")
    grade = column(columns["grade"], "grade")
    if not len(grade):
        raise InputError("the table is empty: there is no grade to assess")
    repeats = columns.get("attempt") == "repeats" if isinstance(columns.get("attempt"), str) else 0
    aligned = {name: columns.get(name) for name in ("model", "row", "weight", "group")}
    aligned["attempt"] = None if repeats else columns.get("attempt")
    beside = Beside.of(aligned, len(grade), places, grade.name)
    kept = kept_columns(columns.get("columns"), len(grade), places, noted, grade.name)
    values = grade_values(grade, places, noted)
    if grade.missing.size:
        keep = _complete(grade, options.missing, places, noted)
        values, beside, places = values[keep], beside.at(keep), places.at(keep)
        kept = {name: part.at(keep) for name, part in kept.items()}
    bounds = _bounds(values, options.bounds, grade.name, places, noted)
    if HUMAN in kept:
        human = grade_values(kept[HUMAN], places, noted)
        known = ~np.isnan(human)
        _bounds(human[known], bounds, HUMAN, places.at(known), noted)
        kept[HUMAN] = Column(HUMAN, human, "number", kept[HUMAN].missing)
    if "task" in kept and beside.row is not None:
        beside = replace(beside, row=_row_of_task(beside.row, kept["task"], noted))
    answers = _Answers.of(beside, len(values), bool(repeats), places)
    by_item = {name: answers.of_item(part) for name, part in kept.items()}
    table = _assemble(cls, values, answers, bounds, options, noted)
    return replace(table, columns=by_item)


def grade_values(grade: Column, places: Places, notes: list[str]) -> Array:
    """Grades as numbers; words as `WORDS` has them, which is stated."""
    if grade.kind != "text":
        return grade.values.astype(np.float64)
    worth = {text: WORDS.get(text.strip().lower()) for text in grade.distinct()}
    strange = [text for text, value in worth.items() if value is None]
    if strange:
        word = min(strange)
        rows = np.flatnonzero(grade.values == grade.texts.index(word))
        raise InputError(
            f"{grade.name}: {word[:60]!r} is no grade, in {places.some(rows)}; grades are 0 and 1, "
            "true and false, C and I, or numbers (a response that failed is mostly worth 0)"
        )
    words = {text.strip().lower() for text in worth}
    if "p" in words and not words & {"c", "i"}:
        raise InputError(
            f"{grade.name}: 'P' is partly right beside 'C' and 'I', as Inspect writes them; write "
            "numbers, such as 1 for passed and 0 for not"
        )
    known = {text: float(value or 0.0) for text, value in worth.items()}
    shown = ", ".join(f"{text!r} {value:g}" for text, value in sorted(known.items()))
    notes.append(f"{grade.name}: words read as grades: {shown}")
    table = np.array([*(known.get(text, np.nan) for text in grade.texts), np.nan])
    values: Array = table[grade.values]
    return values


def _complete(grade: Column, missing: str, places: Places, notes: list[str]) -> Array:
    """Where there is a grade, or an error that says where there is none."""
    where = f"{grade.name} is missing in {places.some(grade.missing)}"
    count = grade.missing.size
    if missing == "refuse" or count == len(grade):
        raise InputError(
            f"{where}. Grade them (a response that failed is mostly worth 0), or drop them with "
            f"{option('missing', 'drop')}"
        )
    keep = np.ones(len(grade), bool)
    keep[grade.missing] = False
    notes.append(f"dropped {count} of {len(grade)} answers without a grade")
    return keep


def _bounds(
    values: Array,
    declared: tuple[float, float] | None,
    name: str,
    places: Places,
    notes: list[str],
) -> tuple[float, float]:
    """The bounds as declared; 0 and 1 if no grade lies outside, which is stated then."""
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise InputError(f"{name}: {values[bad[0]]} in {places.some(bad)}; grades are finite")
    low, high = declared or UNIT
    outside = np.flatnonzero((values < low) | (values > high))
    if not outside.size:
        if declared is None and not np.isin(values, UNIT).all():
            notes.append("grades are taken to lie between 0 and 1 (say bounds= otherwise)")
        return low, high
    raise InputError(
        f"{name}: {values[outside[0]]:g} in {places.some(outside)} lies outside {low:g} to "
        f"{high:g}: give the least and the largest grade that can be given, such as "
        f"{option('bounds')}(1, 5) (command line: --bounds 1:5); grades reach from "
        f"{values.min():g} to {values.max():g}"
    )


def _row_of_task(row: Column, task: Column, notes: list[str]) -> Column:
    """The items, named after their tasks where one name stands for items of several."""
    (names, items), (tasks, of_task) = row.coded(ordered=False), task.coded(ordered=False)
    first = np.empty(len(names), np.int64)
    first[items[::-1]] = of_task[::-1]
    if (first[items] == of_task).all():
        return row
    key = of_task.astype(np.int64) * len(names) + items
    pairs, place = np.unique(key, return_inverse=True)
    texts = tuple(f"{tasks[at // len(names)]}/{names[at % len(names)]}" for at in pairs.tolist())
    notes.append(f"items of {len(tasks)} tasks have the same names: they are named {texts[0]!r}")
    return Column(row.name, place.astype(np.int32), "text", np.empty(0, np.int64), texts)


# --- attempts at items ---------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Answers:
    """Responses ordered by model, item and attempt.

    `order` are their positions, `start` where those of each model and item begin in this order,
    `model` the model of each start.
    """

    beside: Beside
    models: tuple[str, ...]
    order: Array
    start: Array
    model: Array

    @classmethod
    def of(cls, beside: Beside, n: int, repeats: bool, places: Places) -> "_Answers":
        models, code = coded_models(beside.model)
        if beside.row is None:
            if len(models) > 1 or repeats or beside.attempt is not None:
                raise InputError(
                    "which item each response is for is not known, so models and attempts cannot "
                    f"be paired: name the column of items with {option('row', 'COLUMN')}"
                )
            rows = np.arange(n)
            return cls(beside, models, rows, rows, np.zeros(n, np.int32))
        names, items = beside.row.coded(ordered=False)
        key = items.astype(np.int64)
        key = key if code is None else code.astype(np.int64) * len(names) + key
        order = np.argsort(key, kind="stable")
        if beside.attempt is not None:
            attempt = beside.attempt
            order = np.lexsort(
                [attempt.coded()[1] if attempt.kind == "text" else attempt.values, key]
            )
        rising = key[order]
        start = np.flatnonzero(np.diff(rising, prepend=-1))
        model = (rising[start] // len(names)).astype(np.int32)
        answers = cls(beside, models, order, start, model)
        if not repeats:
            answers._refuse_twice(rising, places)
        return answers

    def _refuse_twice(self, rising: Array, places: Places) -> None:
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
        item = "" if self.beside.row is None else self.beside.row.at(np.array([second])).first()
        where = f"({places.one(first)} and {places.one(second)}; {twice.size} such)"
        same_attempt = "" if attempt is None else f" for the same {attempt.name}"
        raise InputError(
            f"item {item!r} of model {model!r} is graded twice{same_attempt} {where}: if these are "
            f"attempts, name the column that numbers them with {option('attempt', 'COLUMN')}, or "
            f"say {option('attempt', 'repeats')} if each further response is another attempt; if "
            f"they are of different models or prompts, {option('model_column', 'COLUMN')} (of "
            "several columns a model each); else name the items apart, or remove the repeats"
        )

    @property
    def counts(self) -> Array:
        """How many attempts there are at each item of each model."""
        return np.diff(self.start, append=self.order.size)

    def of_item(self, part: Column) -> Column:
        """One value per model and item; what belongs to responses as its mean."""
        if part.name in OF_ANSWERS and part.is_number:
            values = part.values[self.order].astype(np.float64)
            known = ~np.isnan(values)
            counts = np.add.reduceat(known, self.start, dtype=np.int64)
            sums = np.add.reduceat(np.where(known, values, 0.0), self.start)
            with np.errstate(invalid="ignore"):
                return Column(part.name, sums / counts, "number", np.flatnonzero(counts == 0))
        first = self.order[self.start]
        unlike = differing(part.at(np.repeat(first, self.counts)), part.at(self.order))
        differs = np.flatnonzero(unlike)
        if differs.size:
            at = np.searchsorted(self.start, differs[0], "right") - 1
            pair = part.at(self.order[[self.start[at], differs[0]]]).plain().tolist()
            item = "" if self.beside.row is None else self.beside.row.at(first[[at]]).first()
            raise InputError(
                f"{part.name}: attempts at one item have different values (item {item!r} of model "
                f"{self.models[self.model[at]]!r}: {pair[0]!r} and {pair[1]!r}); it belongs to the "
                f"item: name models apart with {option('model_column')}, or leave it out"
            )
        return part.at(first)


def _assemble(
    cls: "type[Predictions]",
    values: Array,
    answers: _Answers,
    bounds: tuple[float, float],
    options: Options,
    notes: list[str],
) -> "Predictions":
    counts, beside = answers.counts, answers.beside
    ordered = values[answers.order]
    grades, mean = None, ordered
    most, least = int(counts.max()), int(counts.min())
    if most > 1:
        grades = _attempts(ordered, counts, answers.start)
        mean = np.add.reduceat(ordered, answers.start) / counts
        notes.append(
            f"{most} attempts at each item, which are averaged"
            if least == most
            else f"{least} to {most} attempts at an item: each item counts once, as their mean"
        )
    of_item = {
        name: None if part is None else answers.of_item(part)
        for name, part in (("weight", beside.weight), ("group", beside.group), ("row", beside.row))
    }
    weight, kind = weight_kind(of_item["weight"], options.weights, ROWS, notes)
    meta = Meta("graded", bounds=bounds, weight_kind=kind, notes=tuple(dict.fromkeys(notes)))
    return cls(
        y_true=np.zeros(counts.size),
        y_pred=np.clip(mean, *bounds),
        meta=meta,
        models=answers.models,
        scores=grades,
        model_code=answers.model if len(answers.models) > 1 else None,
        row=None if of_item["row"] is None else of_item["row"].plain(),
        weight=weight,
        group=None if of_item["group"] is None else of_item["group"].coded()[1],
    )


def _attempts(ordered: Array, counts: Array, start: Array) -> Array:
    """A row for each item, a column for each attempt; NaN where an item has fewer."""
    n, most = counts.size, int(counts.max())
    if n * most > MOST_PLACES * ordered.size + 1_000_000:
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
