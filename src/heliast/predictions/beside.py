"""The columns beside labels and scores: model, split, row, in_train, weight, group."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.places import Places
from heliast._core.syntax import option
from heliast.predictions.aliases import OUT_OF_TRAIN, normalized
from heliast.predictions.records import Split, Splits, WeightKind

TRAIN = {"train", "training", "tr", "in", "in_sample", "insample"}
VALIDATION = {"validation", "valid", "val", "dev"}
TEST = {
    "test", "testing", "te", "holdout", "hold_out", "heldout", "held_out", "unseen", "out",
    "out_of_sample", "oos", "oof", "out_of_fold", "oob", "out_of_bag", "eval", "evaluation",
}  # fmt: skip
WORDS = TRAIN | VALIDATION | TEST
# A split that names its fold and its repeat, such as caret's Fold1.Rep2.
_REPEATED = re.compile(r"(?=.*fold\W?(\d+))(?=.*rep(?:eat)?\W?(\d+)).*", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Beside:
    """The checked columns beside labels and scores, aligned with y_true."""

    model: Column | str
    split: Column | None = None
    repeat: Column | None = None
    row: Column | None = None
    in_train: Column | None = None
    weight: Column | None = None
    group: Column | None = None
    stage_of: Column | None = None
    attempt: Column | None = None

    @classmethod
    def of(
        cls,
        columns: Mapping[str, object],
        n: int,
        places: Places,
        first: str = "y_true",
    ) -> "Beside":
        """Check each column that is given: each needs a value in every row."""
        found: dict[str, Column | str] = {}
        for field in fields(cls):
            values = columns.get(field.name)
            if values is not None and not (field.name == "model" and isinstance(values, str)):
                found[field.name] = _aligned(values, field.name, n, places, first)
        model = columns.get("model")
        if model is None or (isinstance(model, str) and not model):
            raise InputError("model: give the model a name, or one name per row")
        weight, in_train = found.get("weight"), found.get("in_train")
        if isinstance(weight, Column):
            _check_weights(weight, places)
        if isinstance(in_train, Column):
            found["in_train"] = counts(in_train, places)
        return cls(**{"model": model, **found})  # type: ignore[arg-type]

    def at(self, keep: Array) -> "Beside":
        """The columns on some of the rows."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return Beside(**{
            name: value.at(keep) if isinstance(value, Column) else value
            for name, value in values.items()
        })  # fmt: skip


def _aligned(values: object, name: str, n: int, places: Places, first: str) -> Column:
    part = column(values, name)
    if len(part) != n:
        raise InputError(
            f"{first} has {n} rows but {part.name} has {len(part)}; they must be aligned"
        )
    if part.missing.size:
        raise InputError(
            f"{part.name} is missing in {places.some(part.missing)}; every row needs a {name}: "
            "fill it in or leave the column out"
        )
    return part


def _check_weights(weight: Column, places: Places) -> None:
    if weight.kind == "text":
        raise InputError(f"{weight.name}: expected numbers, got text (such as {weight.first()!r})")
    bad = np.flatnonzero(~np.isfinite(weight.values) | (weight.values < 0))
    if bad.size:
        raise InputError(
            f"{weight.name}: {weight.values[bad[0]]} in {places.some(bad)}; weights are finite and "
            "not negative"
        )
    if not weight.values.any():
        raise InputError("weight: all weights are 0, so there is nothing to count")
    if not 1e-100 < weight.values.max() < 1e100:  # their squares must be numbers
        raise InputError(f"{weight.name}: weights up to {weight.values.max():g}; rescale them")


def counts(in_train: Column, places: Places) -> Column:
    """How often rows were trained on, as whole numbers."""
    values = in_train.values
    if in_train.kind == "number" and bool(np.all(values == np.floor(values))):
        with np.errstate(invalid="ignore"):
            values = np.where(np.abs(values) < 2**53, values, -1).astype(np.int64)
    if in_train.kind == "bool":
        values = values.astype(np.int64)
    text = in_train.kind == "text" or values.dtype.kind not in "iu"
    bad = np.empty(0, np.int64) if text else np.flatnonzero(values < 0)
    if text or bad.size:
        where = f" in {places.some(bad)}" if bad.size else ""
        shown = in_train.values[bad[0]] if bad.size else repr(in_train.first())
        raise InputError(
            f"{in_train.name}: {shown}{where}; expected whole numbers >= 0 "
            "(0 = the row was not trained on)"
        )
    return Column("in_train", values, "whole", in_train.missing)


def training_rows(name: str, part: Column) -> Array | None:
    """Which rows a column of words or marks says were trained on; None if it says nothing.

    >>> training_rows("set", column(["train", "test"], "set")).tolist()
    [True, False]
    """
    if part.missing.size:
        return None
    values, codes = part.coded()
    words = [normalized(str(value)) for value in values]
    if normalized(name) in OUT_OF_TRAIN and {*words} <= {"0", "1", "true", "false"}:
        return np.array([word in ("0", "false") for word in words])[codes]
    _refuse_unknown(words, name)
    told = {*words} <= WORDS and not (TRAIN | VALIDATION).isdisjoint(words)
    return np.array([word in TRAIN for word in words])[codes] if told else None


def names_parts(part: Column) -> bool:
    """Whether the values are words for training, validation and test."""
    return {normalized(str(value)) for value in part.distinct()} <= WORDS


def _refuse_unknown(words: Sequence[str], name: str) -> None:
    """Refuse a word beside `train` whose meaning is not known."""
    train = next((word for word in words if word in ("train", "training")), None)
    strange = next((word for word in words if word not in WORDS), None)
    if train is not None and strange is not None:
        raise InputError(
            f"column {name!r}: {train!r} means rows that were trained on, but what {strange!r} "
            "means is not known: write 'train', 'validation' and 'test'"
        )


# --- coded for the table -------------------------------------------------------------------------


def coded_models(model: Column | str) -> tuple[tuple[str, ...], Array | None]:
    """Model names in the order in which they first occur, and each row's place in them."""
    if isinstance(model, str):
        return (model,), None
    values, codes = model.coded()
    names = [str(value) for value in values]
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


def stages(models: tuple[str, ...], codes: Array | None, stage_of: Column | None) -> dict[str, str]:
    """Which models are stages of which; `stage_of` names the model itself where it is none."""
    if stage_of is None or codes is None:
        return {}
    names, others = stage_of.coded()
    pairs = np.unique(codes.astype(np.int64) * len(names) + others)
    named = [(models[int(at) // len(names)], str(names[int(at) % len(names)])) for at in pairs]
    return {model: other for model, other in named if model != other}


def coded_splits(
    split: Column | None, in_train: Array | None, notes: list[str], repeat: Column | None = None
) -> tuple[Splits, Array | None, Array | None]:
    """The splits, each row's place in them, and how often each row was trained on."""
    if split is None:
        return Splits(), None, in_train
    names, codes = split.coded()
    if repeat is not None:
        repeats, of_repeat = repeat.coded()
        key = of_repeat.astype(np.int64) * len(names) + codes
        cells, place = np.unique(key, return_inverse=True)
        pairs = [divmod(int(cell), len(names)) for cell in cells]
        records = tuple(Split(f"{repeats[a]}/{names[b]}", repeat=a, fold=b) for a, b in pairs)
        return Splits(records), place.astype(np.int32), in_train
    words = [normalized(str(name)) for name in names]
    _refuse_unknown(words, split.name)
    if {*words} <= WORDS and not (TRAIN | VALIDATION).isdisjoint(words):
        return _parts(names, words, codes, in_train, notes)
    matches = [_REPEATED.fullmatch(str(name)) for name in names]
    records = tuple(
        Split(name, fold=at) if match is None or len(names) == 1
        else Split(name, repeat=int(match[2]), fold=int(match[1]))
        for at, (name, match) in enumerate(zip(names, matches, strict=True))
    )  # fmt: skip
    return Splits(records), None if len(records) == 1 else codes, in_train


def _parts(
    names: Sequence[Label],
    words: Sequence[str],
    codes: Array,
    in_train: Array | None,
    notes: list[str],
) -> tuple[Splits, Array | None, Array | None]:
    """Train, validation and test are parts of one plan; training rows stand beside the test."""
    train = [at for at, word in enumerate(words) if word in TRAIN]
    rest = [at for at in range(len(names)) if at not in train]
    if train:
        if in_train is None:
            in_train = np.isin(codes, train).astype(np.uint8)
            notes.append(f"split {names[train[0]]!r} read as training rows (in_train = 1)")
        tests = [at for at in rest if words[at] not in VALIDATION]
        home = [*tests, *rest, train[0]][0]
        codes = np.where(np.isin(codes, train), home, codes)
        rest = rest or [home]
    records = tuple(
        Split(names[at], role="validation" if words[at] in VALIDATION else "test")  # type: ignore[arg-type]
        for at in rest
    )
    place = np.zeros(len(names), np.int32)
    place[rest] = np.arange(len(rest), dtype=np.int32)
    return Splits(records), None if len(rest) == 1 else place[codes], in_train


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
    sampling = option("weights", "sampling")
    if kind == "frequency" and broken.size:
        raise InputError(
            f"{weight.name}: {values[broken[0]]:g} in {places.some(broken)} is no whole number, so "
            f"it cannot be a count; say {sampling}"
        )
    if kind == "frequency" and values.sum() >= 2**53:
        raise InputError(
            f"{weight.name}: counts up to {values.max():g} are more than can be counted exactly; "
            f"say {sampling} if they are no counts"
        )
    return values, kind


# --- rows ----------------------------------------------------------------------------------------


def row_keys(row: Column, codes: Sequence[tuple[Array | None, int]]) -> tuple[Array, int]:
    """A number for each combination of row and codes, and how many there can be."""
    names, key = row.coded(ordered=False)
    key, size = key.astype(np.int64), len(names)
    for part, count in codes:
        if part is not None:
            key, size = key * count + part, size * count
    return key, size


def is_unique(row: Column, codes: Sequence[tuple[Array | None, int]]) -> bool:
    """Whether a row occurs once for each model and split."""
    key, size = row_keys(row, codes)
    if size <= 8 * key.size + 1024:  # a table of what occurred, without sorting
        seen = np.zeros(size, bool)
        seen[key] = True
        return int(np.count_nonzero(seen)) == key.size
    ordered = np.sort(key)
    return not bool((ordered[1:] == ordered[:-1]).any())


def refuse_duplicates(
    row: Column | None,
    model_code: Array | None,
    split_code: Array | None,
    models: tuple[str, ...],
    splits: Splits,
    places: Places,
) -> None:
    """One prediction for each (model, split, row)."""
    codes = [(split_code, len(splits)), (model_code, len(models))]
    if row is None or is_unique(row, codes):
        return
    key, _ = row_keys(row, codes)
    order = np.argsort(key, kind="stable")
    same = np.flatnonzero(key[order[1:]] == key[order[:-1]])
    first, second = int(order[same[0]]), int(order[same[0] + 1])
    model = models[0 if model_code is None else model_code[second]]
    split = splits.names[0 if split_code is None else split_code[second]]
    name = row.at(np.array([second])).first()
    where = f"{places.one(first)} and {places.one(second)}; {same.size} such"
    raise InputError(
        f"row {name!r} occurs twice for model {model!r} in split {split!r} ({where}): remove the "
        f"repeats, or name the column of models with {option('model')}, of splits with "
        f"{option('split')}, or of groups of rows with {option('group')}"
    )


def refuse_other_truth(
    row: Column | None,
    truth: Array,
    model_code: Array | None,
    split_code: Array | None,
    splits: Splits,
    places: Places,
) -> None:
    """A row of the data has one true value, whichever model predicts it."""
    if row is None or model_code is None:
        return
    key, size = row_keys(row, [(split_code, len(splits))])
    if size > 8 * key.size + 1024:
        key = np.unique(key, return_inverse=True)[1]
    first = np.zeros(int(key.max(initial=0)) + 1, np.int64)
    first[key[::-1]] = np.arange(key.size)[::-1]  # the last write wins: the first occurrence
    differs = np.flatnonzero(truth[first[key]] != truth)
    if differs.size:
        at = int(differs[0])
        raise InputError(
            f"row {row.at(np.array([at])).first()!r} has different y_true "
            f"({places.one(int(first[key[at]]))} and {places.one(at)}; {differs.size} such): all "
            "models predict the same data, so check that row names the same thing for each"
        )
