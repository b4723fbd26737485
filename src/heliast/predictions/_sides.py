"""The columns beside truth, label and score: model, split, row, seen, weight, group."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.places import Places
from heliast.predictions._records import Split, Splits, WeightKind

_TRAIN = {"train", "training", "tr", "trn", "in", "in sample", "insample"}
_VALIDATION = {"validation", "valid", "val", "dev"}
_TEST = {
    "test", "testing", "te", "tst", "holdout", "hold out", "heldout", "held out", "unseen",
    "out", "out of sample", "oos", "oof", "out of fold", "oob", "out of bag", "eval", "evaluation",
}  # fmt: skip
_SURELY = {"train", "training", "in sample", "insample"}
"""Words that mean training whatever stands beside them."""
_YES, _NO = {"1", "1.0", "true", "t", "yes", "y"}, {"0", "0.0", "false", "f", "no", "n"}
_PARTS = _TRAIN | _VALIDATION | _TEST
_OF_ROWS = re.compile("sample|split|fold|set|part", re.IGNORECASE)
"""Names of columns in which `in` and `out` are said of a sample."""
_REPEATED = re.compile(r"(?=.*fold\W?(\d+))(?=.*rep(?:eat)?\W?(\d+)).*", re.IGNORECASE)
"""A split that names its fold and its repeat, such as caret's Fold1.Rep2."""


@dataclass(frozen=True, eq=False)
class Sides:
    """The side columns, checked and aligned with truth."""

    model: Column | str
    split: Column | None = None
    repeat: Column | None = None
    row: Column | None = None
    in_train: Column | None = None
    weight: Column | None = None
    group: Column | None = None
    stage_of: Column | None = None
    attempt: Column | None = None

    def at(self, keep: Array) -> "Sides":
        picked = {
            field.name: value.at(keep) if isinstance(value, Column) else value
            for field in fields(self)
            for value in [getattr(self, field.name)]
        }
        return Sides(**picked)


def sides(
    n: int, model: object, places: Places, given: Mapping[str, object], first: str = "y_true"
) -> Sides:
    """Check each side column that is given; every one needs a value in every row of the first."""
    found = {
        name: None if values is None else _aligned(values, name, n, places, first)
        for name, values in given.items()
    }
    if model is None:
        raise InputError("model: give one name, or one name a row")
    one = model if isinstance(model, str) else _aligned(model, "model", n, places, first)
    if one == "":
        raise InputError("model: an empty name; give the model a name")
    if found["weight"] is not None:
        _check_weights(found["weight"], places)
    if found["in_train"] is not None:
        found["in_train"] = counts(found["in_train"], places)
    return Sides(one, **found)


def _aligned(values: object, name: str, n: int, places: Places, first: str) -> Column:
    one = column(values, name)
    if len(one) != n:
        raise InputError(
            f"{first} has {n} rows but {one.name} has {len(one)}; they must be aligned"
        )
    if one.missing.size:
        raise InputError(
            f"{one.name} is missing in {places.some(one.missing)}; every row needs a {name}: "
            "fill it in or leave the column out"
        )
    return one


def _check_weights(weight: Column, places: Places) -> None:
    if weight.kind == "text":
        raise InputError(f"{weight.name}: expected numbers, got text (such as {weight.first()!r})")
    bad = np.flatnonzero(~np.isfinite(weight.values) | (weight.values < 0))
    if bad.size:
        raise InputError(
            f"{weight.name}: {weight.values[bad[0]]} in {places.some(bad)}; "
            "weights are finite and not negative"
        )
    if not weight.values.any():
        raise InputError("weight: all weights are 0, so there is nothing to count")


def counts(seen: Column, places: Places) -> Column:
    """How often rows were trained on, as whole numbers."""
    values = seen.values
    if seen.kind == "number" and bool(np.all(values == np.floor(values))):
        with np.errstate(invalid="ignore"):
            values = np.where(np.abs(values) < 2**53, values, -1).astype(np.int64)
    if seen.kind == "text" or values.dtype.kind not in "iub" or (values.size and values.min() < 0):
        bad = np.flatnonzero(values < 0) if values.dtype.kind in "iu" else np.empty(0, np.int64)
        where = f" in {places.some(bad)}" if bad.size and seen.kind != "text" else ""
        shown = seen.values[bad[0]] if where else repr(seen.first())
        raise InputError(
            f"{seen.name}: {shown}{where}; expected whole numbers >= 0 "
            "(0 = the row was not trained on)"
        )
    return Column("in_train", values, "whole", seen.missing)


# --- coded for the table -----------------------------------------------------------------------


def coded_models(model: Column | str) -> tuple[tuple[str, ...], Array | None]:
    """Model names in the order they first occur, and each row's place in them."""
    if isinstance(model, str):
        return (model,), None
    values, codes = model.coded()
    names = [str(value) for value in values]
    if len(set(names)) < len(names):  # cannot happen for text; 1.0 and 1 are one number
        raise InputError("model: two names are the same text; name the models apart")
    if "" in names:
        raise InputError("model: an empty name; give every model a name")
    if len(names) == 1:
        return tuple(names), None
    first = np.empty(len(names), np.int64)
    first[codes[::-1]] = np.arange(codes.size)[::-1]  # the last write wins: the first occurrence
    order = np.argsort(first)
    place = np.empty(order.size, np.int32)
    place[order] = np.arange(order.size, dtype=np.int32)
    return tuple(names[at] for at in order.tolist()), place[codes]


def names_parts(part: Column) -> bool:
    """Whether the values are words for training, validation and test."""
    return set(map(_word, part.distinct())) <= _PARTS


def _word(value: object) -> str:
    """A word as it is looked up: `In-Sample` is `in sample`."""
    return re.sub("[ _-]+", " ", str(value).strip().lower())


def _refuse_unknown(words: Collection[str], name: str) -> None:
    """Refuse words of which one means training, where another is not known."""
    train = next((word for word in words if word in _SURELY), None)
    strange = next((word for word in words if word not in _PARTS), None)
    if train is not None and strange is not None:
        raise InputError(
            f"{name}: {train!r} means rows that were trained on, but what {strange!r} means is not "
            "known: write 'train', 'validation' and 'test', or leave the training rows out"
        )


def training_rows(name: str, part: Column) -> Array | None:
    """Which rows a column says were trained on; None if its values say nothing of it.

    >>> training_rows("set", column(["train", "test"], "set")).tolist()
    [True, False]
    """
    if part.missing.size:
        return None
    values, codes = part.coded()
    words = [_word(value) for value in values]
    if not {"in", "out"}.isdisjoint(words) and not _OF_ROWS.search(name):
        return None  # patients, doors
    about = name.strip().lower().removeprefix("is").removeprefix("in").removeprefix("_")
    if {*words} <= _PARTS:
        told = not _TRAIN.isdisjoint(words) or not _VALIDATION.isdisjoint(words)
        trained = [word in _TRAIN for word in words]
    else:
        if len(words) == 2:
            _refuse_unknown(words, f"column {name!r}")
        told = {*words} <= _YES | _NO and about in _TRAIN | _TEST
        trained = [(word in _YES) == (about in _TRAIN) for word in words]
    return np.array(trained)[codes] if told else None


def stages(models: tuple[str, ...], codes: Array | None, stage_of: Column | None) -> dict[str, str]:
    """Which models are stages of which: `stage_of` names the model itself where it is none."""
    if stage_of is None or codes is None:
        return {}
    names, others = stage_of.coded()
    pairs = np.unique(codes.astype(np.int64) * len(names) + others)
    told = [(models[int(one) // len(names)], str(names[int(one) % len(names)])) for one in pairs]
    return {model: other for model, other in told if model != other}


def coded_splits(
    split: Column | None, seen: Array | None, notes: list[str], repeat: Column | None = None
) -> tuple[Splits, Array | None, Array | None]:
    """The splits table, each row's place in it, and how often each row was seen."""
    if split is None:
        return Splits(), None, seen
    names, codes = split.coded()
    if repeat is not None:
        return _repeated(names, codes, *repeat.coded(), seen)
    told = [_REPEATED.fullmatch(str(name)) for name in names]
    if len(names) > 1 and all(told):
        records = tuple(
            Split(name, repeat=int(match[2]), fold=int(match[1]))
            for name, match in zip(names, told, strict=True)
            if match is not None
        )
        return Splits(records), codes, seen
    words = {_word(name) for name in names}
    _refuse_unknown(words, split.name)
    if words <= _PARTS and words & (_TRAIN | _VALIDATION):
        return _parts(names, codes, seen, notes)
    records = tuple(Split(name, fold=at) for at, name in enumerate(names))
    return Splits(records), None if len(records) == 1 else codes, seen


def _repeated(
    folds: Sequence[Label], fold: Array, repeats: Sequence[Label], repeat: Array, seen: Array | None
) -> tuple[Splits, Array | None, Array | None]:
    """Folds of several repeats are splits of their own."""
    cells, codes = np.unique(repeat.astype(np.int64) * len(folds) + fold, return_inverse=True)
    pairs = [divmod(int(cell), len(folds)) for cell in cells]
    records = tuple(
        Split(f"{repeats[one]}/{folds[two]}", repeat=one, fold=two) for one, two in pairs
    )
    return Splits(records), codes.astype(np.int32), seen


def _parts(
    names: Sequence[str], codes: Array, seen: Array | None, notes: list[str]
) -> tuple[Splits, Array | None, Array | None]:
    """A split column of train, validation and test names parts of one plan, not folds."""
    train = [at for at, name in enumerate(names) if _word(name) in _TRAIN]
    rest = [at for at in range(len(names)) if at not in train]
    if train:
        if seen is None:
            seen = np.isin(codes, train).astype(np.uint8)
            notes.append(
                f"split {names[train[0]]!r} read as rows the model was trained on (in_train = 1)"
            )
        # Training rows stand beside the rows of the test part, told apart by `in_train`.
        home = next((at for at in rest if _word(names[at]) not in _VALIDATION), None)
        home = home if home is not None else rest[0] if rest else train[0]
        codes = np.where(np.isin(codes, train), home, codes)
        rest = rest or [home]
    records = tuple(
        Split(names[at], role="validation" if _word(names[at]) in _VALIDATION else "test")
        for at in rest
    )
    place = np.zeros(len(names), np.int32)
    place[rest] = np.arange(len(rest), dtype=np.int32)
    return Splits(records), None if len(rest) == 1 else place[codes], seen


def weight_kind(
    weight: Column | None, kind: WeightKind | None, places: Places, notes: list[str]
) -> tuple[Array | None, WeightKind | None]:
    """The weights as float64 and what they mean: counts, or shares of a population."""
    if weight is None:
        return None, None
    values = weight.values.astype(np.float64)
    broken = np.flatnonzero(values != np.floor(values))
    if kind is None:
        kind = "sampling" if broken.size else "frequency"
        notes.append(f"weights read as {kind} weights (say weights= otherwise)")
    if kind == "frequency" and broken.size:
        raise InputError(
            f"{weight.name}: {values[broken[0]]:g} in {places.some(broken)} is not a whole number, "
            "so it cannot be a count; say weights='sampling'"
        )
    if kind == "frequency" and values.sum() >= 2**53:
        raise InputError(
            f"{weight.name}: counts up to {values.max():g} are more than can be counted exactly; "
            "say weights='sampling' if they are not counts"
        )
    return values, kind


def refuse_duplicates(
    row: Column | None,
    model_code: Array | None,
    split_code: Array | None,
    models: tuple[str, ...],
    splits: Splits,
    places: Places,
) -> None:
    """One prediction for each (model, split, row)."""
    if row is None:
        return
    names, codes = row.coded(ordered=False)
    key = codes.astype(np.int64)
    for part, size in ((split_code, len(splits)), (model_code, len(models))):
        if part is not None:
            key = key * size + part
    if not _repeats(key, len(names) * len(splits) * len(models)):
        return
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    first, second = int(order[same[0]]), int(order[same[0] + 1])
    model = models[0 if model_code is None else model_code[second]]
    split = splits.names[0 if split_code is None else split_code[second]]
    raise InputError(
        f"row {names[codes[second]]!r} occurs twice for model {model!r} in split {split!r} "
        f"({places.one(first)} and {places.one(second)}; {same.size} such): one prediction a row, "
        "so remove the repeats, or name a model column (--model) if they come from several models, "
        "a split column (--split) if from different splits, or a group column (--group) if the "
        "name stands for a group of rows"
    )


def refuse_other_truth(
    row: Column | None,
    truth: Array,
    model_code: Array | None,
    split_code: Array | None,
    splits: Splits,
    places: Places,
) -> None:
    """A row of the data has one truth, whichever model predicts it."""
    if row is None or model_code is None:
        return
    names, codes = row.coded(ordered=False)
    key = codes.astype(np.int64)
    if split_code is not None:
        key = key * len(splits) + split_code
    if len(names) * len(splits) > 8 * key.size + 1024:
        key = np.unique(key, return_inverse=True)[1]
    first = np.zeros(int(key.max(initial=0)) + 1, np.int64)
    first[key[::-1]] = np.arange(key.size)[::-1]  # the last write wins: the first occurrence
    differs = np.flatnonzero(truth[first[key]] != truth)
    if differs.size:
        at = int(differs[0])
        raise InputError(
            f"row {names[codes[at]]!r} has different truths ({places.one(int(first[key[at]]))} and "
            f"{places.one(at)}; {differs.size} such): all models predict the same data, so check "
            "that row names the same thing for each"
        )


def _repeats(key: Array, size: int) -> bool:
    if size <= 8 * key.size + 1024:  # a table of what occurred, without sorting
        there = np.zeros(size, bool)
        there[key] = True
        return int(np.count_nonzero(there)) < key.size
    ordered = np.sort(key)
    return bool((ordered[1:] == ordered[:-1]).any())
