"""Arrays to a checked table: every refusal says what, where, why and what to do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Column, Label, classes_of, column, encode
from heliast.predictions._rows import Design, ScoreKind, Task, WeightKind
from heliast.predictions._scores import check_scores, decide, score_matrix
from heliast.predictions._splits import Split, Splits
from heliast.predictions._table import Meta, Predictions

Array = npt.NDArray[Any]

_MOST_WHOLE_CLASSES = 50


def build(
    cls: type[Predictions],
    *,
    truth: object,
    label: object,
    score: object,
    classes: Sequence[Label] | None,
    positive: Label | None,
    task: Task | None,
    scores: ScoreKind | None,
    model: object,
    split: object,
    row: object,
    seen: object,
    weight: object,
    group: object,
    weights: WeightKind | None,
    design: Design,
    missing: str,
) -> Predictions:
    """See `Predictions.of`."""
    if missing not in ("refuse", "drop"):
        raise InputError(f"missing={missing!r}: choose 'refuse' or 'drop'")
    if label is None and score is None:
        raise InputError("give label= (decided classes or numbers), score=, or both")
    notes: list[str] = []
    true = column(truth, "truth")
    decided = None if label is None else column(label, "label")
    names, matrix = score_matrix(score, true.values.size)
    sides = _sides(true.values.size, model, split, row, seen, weight, group)
    if true.values.size == 0:
        raise InputError("the table is empty: there is no row to assess")
    if decided is not None and decided.values.size != true.values.size:
        raise InputError(
            f"truth has {true.values.size} rows but label has {decided.values.size}; "
            "they must be aligned, one value a row"
        )
    true, decided, matrix, sides = _without_missing(
        true, decided, matrix, sides, missing, notes, whole=task == "number"
    )
    task = _task(task, true, decided, matrix, classes or names, notes)
    if task == "number":
        return _number_table(cls, true, decided, matrix, sides, weights, design, notes)

    known = _classes(true, decided, classes, names, notes)
    truth_code = encode(true, known)
    positive = _positive(positive, known, notes)
    place = None if positive is None else known.index(positive)
    kept, kind = check_scores(matrix, names, known, place, scores, sides.row, notes)
    if decided is None:
        label_code = decide(kept, kind, place, len(known), notes)
    else:
        label_code = encode(decided, known)
    meta = Meta("classes", known, positive, kind, None, _design(design), notes=())
    return _assemble(cls, truth_code, label_code, kept, meta, sides, weights, notes)


# --- the columns beside truth, label and score ---------------------------------------------


@dataclass(eq=False)
class _Sides:
    model: Column | str
    split: Array | None
    row: Array | None
    seen: Array | None
    weight: Array | None
    group: Array | None

    def at(self, keep: Array) -> "_Sides":
        def pick(array: Array | None) -> Array | None:
            return None if array is None else array[keep]

        model = self.model if isinstance(self.model, str) else self.model.at(keep)
        return _Sides(
            model,
            pick(self.split),
            pick(self.row),
            pick(self.seen),
            pick(self.weight),
            pick(self.group),
        )


def _sides(
    n: int,
    model: object,
    split: object,
    row: object,
    seen: object,
    weight: object,
    group: object,
) -> _Sides:
    def aligned(values: object, name: str) -> Array | None:
        if values is None:
            return None
        one = column(values, name)
        if one.values.size != n:
            raise InputError(
                f"truth has {n} rows but {name} has {one.values.size}; they must be aligned"
            )
        if one.missing.size:
            raise InputError(
                f"{name} is missing in {one.missing.size} "
                f"{'row' if one.missing.size == 1 else 'rows'} (first: row {one.missing[0]}); "
                f"every row needs a {name}"
            )
        return one.values

    if isinstance(model, str):
        named: Column | str = model
    else:
        values = aligned(model, "model")
        if values is None:
            raise InputError("model: give one name, or one name a row")
        named = Column("model", values.astype(object), "text", np.empty(0, np.int64))
    weights = aligned(weight, "weight")
    if weights is not None:
        _check_weights(weights)
    counts = aligned(seen, "seen")
    if counts is not None and (counts.dtype.kind not in "iub" or (counts < 0).any()):
        raise InputError("seen: expected whole numbers >= 0 (0 = the row was not trained on)")
    return _Sides(
        named,
        aligned(split, "split"),
        aligned(row, "row"),
        counts,
        weights,
        aligned(group, "group"),
    )


def _check_weights(weights: Array) -> None:
    if weights.dtype.kind not in "iufb":
        raise InputError(f"weight: expected numbers, got {weights[0]!r}")
    bad = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if bad.size:
        raise InputError(
            f"weight: {weights[bad[0]]} in row {bad[0]} ({bad.size} such); "
            "weights are finite and not negative"
        )
    if not weights.any():
        raise InputError("weight: all weights are 0, so there is nothing to count")


# --- missing values --------------------------------------------------------------------------


def _without_missing(
    true: Column,
    decided: Column | None,
    matrix: Array | None,
    sides: _Sides,
    missing: str,
    notes: list[str],
    whole: bool,
) -> tuple[Column, Column | None, Array | None, _Sides]:
    gone = np.zeros(true.values.size, bool)
    found: list[str] = []
    for one in (true, decided):
        if one is not None and one.missing.size:
            gone[one.missing] = True
            found.append(f"{one.name} is missing in {_some_rows(one.missing)}")
    if matrix is not None and np.isnan(matrix.sum()):
        rows = np.isnan(matrix) if matrix.ndim == 1 else np.isnan(matrix).any(axis=1)
        if rows.any():
            gone |= rows
            found.append(f"score is missing (NaN) in {_some_rows(np.flatnonzero(rows))}")
    if not found:
        return true, decided, matrix, sides
    if missing == "refuse":
        raise InputError(
            f"{'; '.join(found)}. Complete them, or drop these rows with missing='drop' "
            "(command line: --drop-missing)"
        )
    keep = ~gone
    if not keep.any():
        raise InputError(f"{'; '.join(found)}: no complete row is left")
    notes.append(f"dropped {_plural(int(gone.sum()), 'row')} with missing values of {gone.size}")
    matrix = None if matrix is None else matrix[keep]
    return true.at(keep), None if decided is None else decided.at(keep), matrix, sides.at(keep)


def _some_rows(rows: Array, most: int = 5) -> str:
    shown = ", ".join(map(str, rows[:most].tolist())) + (", ..." if rows.size > most else "")
    return f"{_plural(int(rows.size), 'row')} ({'row' if rows.size == 1 else 'rows'} {shown})"


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


# --- what the table is about -----------------------------------------------------------------


def _task(
    task: Task | None,
    true: Column,
    decided: Column | None,
    matrix: Array | None,
    classes: Sequence[Label] | None,
    notes: list[str],
) -> Task:
    if task is not None:
        if task not in ("classes", "number"):
            raise InputError(f"task={task!r}: choose 'classes' or 'number'")
        return task
    if matrix is not None or classes is not None or true.kind in ("text", "bool"):
        return "classes"
    if decided is not None and decided.kind in ("text", "bool"):
        return "classes"
    pair = [one.values for one in (true, decided) if one is not None]
    whole = all(_is_whole(values) for values in pair)
    if whole and len(classes_of([one for one in (true, decided) if one])) <= _MOST_WHOLE_CLASSES:
        notes.append("truth holds few whole numbers, read as classes (say task='number' otherwise)")
        return "classes"
    notes.append("truth holds numbers, read as a task of predicting numbers")
    return "number"


def _is_whole(values: Array) -> bool:
    if values.dtype.kind in "iu":
        return True
    head = values[:1000]  # most numbers show their fraction at once
    return bool(np.all(head == np.floor(head))) and bool(np.all(values == np.floor(values)))


def _classes(
    true: Column,
    decided: Column | None,
    given: Sequence[Label] | None,
    names: tuple[Label, ...] | None,
    notes: list[str],
) -> tuple[Label, ...]:
    if given is not None:
        known = tuple(given)
        if len(set(known)) != len(known):
            raise InputError(f"classes: {list(known)} names a class twice")
    elif names is not None:
        known = names
    else:
        known = classes_of([one for one in (true, decided) if one is not None])
    if len(known) < 2:
        raise InputError(
            f"only one class ({known[0]!r}) in truth and label: there is nothing to tell apart; "
            "check the columns, or declare all classes with classes= (command line: --classes)"
        )
    return known


def _positive(positive: Label | None, known: tuple[Label, ...], notes: list[str]) -> Label | None:
    if positive is not None and positive not in known:
        raise InputError(
            f"positive={positive!r} is not a class; the classes are "
            f"{', '.join(map(repr, known[:8]))}"
        )
    if len(known) != 2:
        return positive
    if positive is None:
        notes.append(f"positive class: {known[-1]!r}, the last in order (say positive= otherwise)")
        return known[-1]
    return known[known.index(positive)]


def _design(design: Design) -> Design:
    if design not in ("rows", "classes"):
        raise InputError(
            f"design={design!r}: choose 'rows' (rows drawn at random) or 'classes' "
            "(the number of rows per class was fixed)"
        )
    return design


def _number_table(
    cls: type[Predictions],
    true: Column,
    decided: Column | None,
    matrix: Array | None,
    sides: _Sides,
    weights: WeightKind | None,
    design: Design,
    notes: list[str],
) -> Predictions:
    if decided is None:
        raise InputError("a task of numbers needs label= (the predicted numbers)")
    for one in (true, decided):
        if one.kind == "text":
            raise InputError(
                f"{one.name} holds text (such as {one.values[0]!r}), not numbers; "
                "for classes leave out task='number'"
            )
        bad = np.flatnonzero(~np.isfinite(one.values.astype(np.float64)))
        if bad.size:
            raise InputError(f"{one.name}: {one.values[bad[0]]} in {_some_rows(bad)} is not finite")
    meta = Meta("number", design=_design(design))
    numbers = [one.values.astype(np.float64) for one in (true, decided)]
    return _assemble(cls, numbers[0], numbers[1], None, meta, sides, weights, notes)


# --- assembled -------------------------------------------------------------------------------


def _assemble(
    cls: type[Predictions],
    truth: Array,
    label: Array,
    scores: Array | None,
    meta: Meta,
    sides: _Sides,
    weights: WeightKind | None,
    notes: list[str],
) -> Predictions:
    models, model_code = _coded_models(sides.model)
    splits, split_code = _coded_splits(sides.split)
    weight, weight_kind = _weight_kind(sides.weight, weights, notes)
    _refuse_duplicates(sides.row, model_code, split_code, models, splits)
    group = None
    if sides.group is not None:
        group = np.unique(sides.group, return_inverse=True)[1].astype(np.int32)
    meta = Meta(
        meta.task,
        meta.classes,
        meta.positive,
        meta.score_kind,
        weight_kind,
        meta.design,
        notes=tuple(notes),
    )
    return cls(
        truth=truth,
        label=label,
        meta=meta,
        models=models,
        splits=splits,
        scores=scores,
        model_code=model_code,
        split_code=split_code,
        row=sides.row,
        seen=sides.seen,
        weight=weight,
        group=group,
    )


def _coded_models(model: Column | str) -> tuple[tuple[str, ...], Array | None]:
    if isinstance(model, str):
        return (model,), None
    names = np.array([str(name) for name in model.values], dtype=object)
    order = tuple(dict.fromkeys(names.tolist()))
    if len(order) == 1:
        return order, None
    place = {name: code for code, name in enumerate(order)}
    return order, np.fromiter((place[name] for name in names), np.int32, names.size)


def _coded_splits(split: Array | None) -> tuple[Splits, Array | None]:
    if split is None:
        return Splits(), None
    names, codes = np.unique(split, return_inverse=True)
    records = tuple(Split(name, fold=at) for at, name in enumerate(names.tolist()))
    return Splits(records), None if len(records) == 1 else codes.astype(np.int32)


def _weight_kind(
    weight: Array | None, kind: WeightKind | None, notes: list[str]
) -> tuple[Array | None, WeightKind | None]:
    if weight is None:
        return None, None
    whole = weight.dtype.kind in "iub" or bool(np.all(weight == np.floor(weight)))
    if kind is None:
        kind = "frequency" if whole else "sampling"
        notes.append(f"weights read as {kind} weights (say weights= otherwise)")
    if kind == "frequency" and not whole:
        at = int(np.argmax(weight != np.floor(weight)))
        raise InputError(
            f"weight {weight[at]} in row {at} is not a whole number, so it cannot be a count; "
            "say weights='sampling'"
        )
    return weight.astype(np.float64), kind


def _refuse_duplicates(
    row: Array | None,
    model_code: Array | None,
    split_code: Array | None,
    models: tuple[str, ...],
    splits: Splits,
) -> None:
    if row is None:
        return
    keys = [np.unique(row, return_inverse=True)[1]]
    keys += [codes for codes in (split_code, model_code) if codes is not None]
    order = np.lexsort(keys)
    same = np.ones(order.size - 1, bool)
    for key in keys:
        same &= key[order[1:]] == key[order[:-1]]
    if not same.any():
        return
    at = int(np.flatnonzero(same)[0])
    first, second = sorted((int(order[at]), int(order[at + 1])))
    model = models[0 if model_code is None else model_code[second]]
    split = splits.names[0 if split_code is None else split_code[second]]
    raise InputError(
        f"row {row[second].item() if hasattr(row[second], 'item') else row[second]!r} occurs twice for model {model!r} in split {split!r} (positions "
        f"{first} and {second}; {int(same.sum())} such): one prediction a row, so remove the "
        "repeats, or name a split column if they come from different splits"
    )
