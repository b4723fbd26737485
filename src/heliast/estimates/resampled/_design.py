"""One model's rows in parts (splits, repeats), and which design the splits show."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any, Literal, TypeVar

import numpy as np

from heliast._core.distinct import distinct as count_distinct
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import FAILED, MIXED, Note, key_of
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Split, failures

Names = tuple[int | str, ...]
S = TypeVar("S")
Kind = Literal["folds", "leave_one_out", "subsampling", "bootstrap", "fresh", "in_order", "unknown"]
UNDECLARED = (
    "n_train is unknown, and the rows do not show disjoint folds; give a row column if these are "
    "folds, or a splits table with n_train (as Parquet files written by heliast have)"
)
UNEQUAL = (
    "training sets of {least} to {most} rows: their mean speaks of no recipe with one n_train (if "
    "windows grow with time, say when rows were with time=)"
)
TORN = "rows of one group are in several folds, so tests are not independent of training"
PARTED = "some split tests a part of a group only, so tests are not independent of training"
SCATTERED = (
    "rows are in order of time, but some split tests rows between those of others, so models were "
    "trained on rows later than those they predict"
)
INFERRED = "n_train is taken from the splits, which are disjoint folds"


class Parts:
    """One model's rows and the splits they belong to; each part is cut and counted once.

    `missing` counts the splits that hold no row of the model: it failed there.

    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], split=[0, 0, 1, 1])
    >>> parts = Parts(table, "model")
    >>> len(parts.splits), parts.single is None, len(parts.pieces("rows"))
    (2, True, 1)
    """

    def __init__(
        self,
        table: Predictions,
        model: str,
        prevalences: Mapping[Label, float] | None = None,
    ) -> None:
        self.model = model
        self.whole = table.only(model)
        self.alone = dict(self.whole.per_split(model))
        self.splits: list[Split] = [table.splits[name] for name in self.alone]
        self.missing = len(table.splits) - len(self.splits)
        self.prevalences = prevalences
        self._tables: dict[Names, Predictions] = {}
        self._counted: dict[Names, Counted] = {}
        self._memo: dict[str, Any] = {}

    @property
    def failed(self) -> str:
        """Why there is nothing to assess: the model failed wherever it was tried."""
        if self.splits:
            return ""
        why = failures(self.whole.cells).get(self.model, "the model failed in every split")
        return self.unfinished or Note(why, FAILED)

    @property
    def unfinished(self) -> str:
        """What the table says of cells that are still to come, if this model lacks any, or may."""
        # Of a table without its plan nobody knows which splits have no row yet.
        sure = self.whole.meta.plan_fingerprint is not None and not self.missing
        return "" if sure else self.whole.unfinished

    @property
    def single(self) -> Counted | None:
        return self.pooled if len(self.splits) == 1 else None

    @property
    def pooled(self) -> Counted:
        return self.counted(tuple(self.alone))

    def table(self, names: Names) -> Predictions:
        """The rows of some splits; `split_code` then counts in the order of `names`."""
        if len(names) == 1:
            return self.alone[names[0]]
        if names not in self._tables:
            self._tables[names] = self.whole.only(split=names)
        return self._tables[names]

    def counted(self, names: Names) -> Counted:
        if names not in self._counted:
            self._counted[names] = Counted(self.table(names).rows(), self.prevalences)
        return self._counted[names]

    def once(self, key: str, make: Callable[[], S]) -> S:
        """What was found from these parts, kept for the next measure that asks."""
        if key not in self._memo:
            self._memo[key] = make()
        found: S = self._memo[key]
        return found

    @cached_property
    def repeats(self) -> list[Names]:
        """The names of the splits of each repeat, as said or as the rows show."""
        ordered = sorted(self.splits, key=lambda split: split.repeat)
        repeats = groupby(ordered, key=lambda split: split.repeat)
        said = [tuple(split.split for split in group) for _, group in repeats]
        unsaid = len(said) == 1 and all(split.n_train is None for split in self.splits)
        return (self._dealt() if unsaid else None) or said

    def _dealt(self) -> list[Names] | None:
        """Splits in their order, cut wherever every row has been tested once; None if they cannot.

        So arrays of repeated folds need no word on which split belongs to which repeat.
        """
        if self.whole.row is None or len(self.alone) < 4:
            return None
        rows = np.asarray(self.whole.row)
        times, rest = divmod(rows.size, count_distinct(rows))
        if times < 2 or rest:
            return None
        place = np.unique(rows, return_inverse=True)[1]
        code = np.asarray(self.whole.split_code)
        found, repeat = list[Names](), list[int | str]()
        tested = np.zeros(rows.size // times, bool)
        for name in self.alone:
            here = place[code == self.whole.splits.places[name]]
            if tested[here].any():
                return None
            tested[here] = True
            repeat.append(name)
            if tested.all():
                found, repeat = [*found, tuple(repeat)], []
                tested[:] = False
        return found if min(map(len, found)) > 1 else None  # else each split tests all rows

    @cached_property
    def pools(self) -> list[Names]:
        """The splits whose rows are counted together: those of a repeat; single splits all.

        Splits drawn at random are small samples each: a ratio such as precision or kappa is biased
        in each of them, and so in their mean, more than in all rows together.
        """
        alone = all(len(names) == 1 for names in self.repeats)
        return [tuple(self.alone)] if alone else self.repeats

    def pieces(self, over: str) -> list[Counted]:
        """Each split on its own, or the splits of each pool together."""
        if over == "splits":
            return [self.counted((name,)) for name in self.alone]
        return [self.counted(names) for names in self.pools]

    @cached_property
    def one_row_each(self) -> bool:
        """Whether this is leave-one-out, where no split has rows to be put in order."""
        return all(len(part) == 1 for part in self.alone.values())


@dataclass(frozen=True)
class Design:
    """What the splits table and the rows show of how the data were split.

    `n` counts the rows of the data (by weight, if weights are counts), `rows` what they are worth
    at most. `ratio` is n_test / n_train; `reason` says why there is none. `torn` says that rows
    of one group are on both sides of a split.
    """

    kind: Kind
    splits: int
    repeats: int
    n: float
    rows: float
    n_test: float
    n_train: float | None = None
    grouped: bool = False
    reason: str = ""
    notes: tuple[str, ...] = ()
    torn: str = ""

    @property
    def ratio(self) -> float:
        """Of resamples by the different rows trained on."""
        trained = self.n - self.n_test if self.kind == "bootstrap" else self.n_train
        return self.n_test / trained if trained else float("nan")

    @property
    def folds(self) -> bool:
        """Whether every row is tested once a repeat."""
        return self.kind in ("folds", "leave_one_out")


def design_of(parts: Parts, full: bool = False) -> Design:
    """The design that splits and rows show; `full` says that there is a fit on all rows too."""
    table = parts.whole
    if not parts.splits:
        return Design("unknown", 0, 0, 0.0, 0.0, 0.0, reason="no rows")
    sizes = np.array([len(part) for part in parts.alone.values()], np.float64)
    trained = [one.n_train for one in parts.splits]
    known = None if None in trained else np.array(trained, np.float64)
    distinct = None if table.row is None else count_distinct(np.asarray(table.row))
    if table.meta.design == "time":
        kind, reason = _in_order(parts)
    else:
        kind, reason = _kind(parts, sizes, known, distinct, full)
    total = float(sizes.sum()) / len(parts.repeats)
    n = total
    if kind not in ("folds", "leave_one_out"):
        whole = None if known is None or kind != "subsampling" else float((known + sizes).max())
        n = float(whole or distinct or total)
    per_row = n / max(1.0, float(sizes.sum()))
    weighed, worth = _weights(table, n, per_row)
    n_test = float(sizes.mean())
    notes: tuple[str, ...] = ()
    n_train = None if known is None else float(known.mean())
    if n_train is None and kind in ("folds", "leave_one_out"):
        n_train, notes = n - n_test, (INFERRED,)
    grouped = table.group is not None
    torn = _torn(parts, kind) if grouped else ""
    return Design(
        kind,
        len(parts.splits),
        len(parts.repeats),
        weighed,
        worth,
        n_test,
        n_train,
        grouped,
        torn or reason,
        notes,
        torn,
    )


def _kind(
    parts: Parts, sizes: Array, known: Array | None, distinct: int | None, full: bool
) -> tuple[Kind, str]:
    one_each = len(parts.repeats) == len(parts.splits)
    if one_each and (full or _redrawn(sizes, known, distinct)):
        return "bootstrap", ""
    if distinct is not None and (sizes == distinct).all():
        return "fresh", ""
    reason = ""
    if known is not None and np.ptp(known + sizes) and np.ptp(known):
        reason = UNEQUAL.format(least=int(known.min()), most=int(known.max()))
    if _disjoint(parts, sizes, known, distinct):
        lone = parts.one_row_each and len(parts.repeats) == 1
        return "leave_one_out" if lone else "folds", reason
    return ("unknown", UNDECLARED) if known is None else ("subsampling", reason)


def _in_order(parts: Parts) -> tuple[Kind, str]:
    """Splits that go forward in time, or why not: the plan says so, or the times tested do."""
    mixed = next((note for note in parts.whole.notes if key_of(note) == MIXED), "")
    rank = np.unique(np.asarray(parts.whole.group), return_inverse=True)[1]
    code = parts.whole.codes("split")
    for at in np.unique(code):
        times = np.unique(rank[code == at])
        if times[-1] - times[0] >= times.size:
            return "unknown", mixed or SCATTERED
    return ("unknown", mixed) if mixed and len(parts.splits) > 1 else ("in_order", "")


def _redrawn(sizes: Array, known: Array | None, distinct: int | None) -> bool:
    """Training samples as large as the data, whatever they leave out: drawn with replacement."""
    if known is None or np.ptp(known) or np.ptp(sizes) <= 1:
        return False
    return distinct is None or bool((known >= distinct).all())


def _disjoint(parts: Parts, sizes: Array, known: Array | None, distinct: int | None) -> bool:
    """Whether each repeat has several splits that together test every row once."""
    places = {name: at for at, name in enumerate(parts.alone)}
    for names in parts.repeats:
        here = [places[name] for name in names]
        tested = float(sizes[here].sum())
        if len(names) < 2:
            return False
        if known is not None and (known + sizes)[here].max() != tested:
            return False
        if distinct is None and known is None:
            return False
        if distinct is not None:
            row = parts.table(names).row
            if row is None or tested != distinct or count_distinct(row) != distinct:
                return False
    return True


def _weights(table: Predictions, n: float, per_row: float) -> tuple[float, float]:
    """n by weight where weights are counts, and the rows that these are worth at most."""
    if table.weight is None:
        return n, n
    total = float(table.weight.sum()) * per_row
    if table.meta.weight_kind == "sampling":
        return n, total**2 / (float((table.weight**2).sum()) * per_row)
    return total, total


def _torn(parts: Parts, kind: Kind) -> str:
    """Whether rows of one group are on both sides of a split, in words."""
    if kind in ("folds", "leave_one_out"):
        return TORN if any(_spread(parts.table(names)) for names in parts.repeats) else ""
    return PARTED if kind in ("subsampling", "bootstrap") and _parted(parts.whole) else ""


def _spread(table: Predictions) -> bool:
    """Whether some group is tested in several folds of one repeat."""
    group = np.asarray(table.group)
    pairs = np.stack([group, np.asarray(table.split_code)])
    return bool(np.unique(pairs, axis=1).shape[1] > np.unique(group).size)


def _parted(table: Predictions) -> bool:
    """Whether some split tests a part of a group.

    A group has as many rows as the whole table shows of it or, without a row column, as the split
    that shows most of it.
    """
    names, group = np.unique(np.asarray(table.group), return_inverse=True)
    code = np.zeros(len(table), np.int64) if table.split_code is None else table.split_code
    splits = int(code.max()) + 1
    key = code.astype(np.int64) * names.size + group
    shown = np.bincount(key, minlength=splits * names.size).reshape(splits, names.size)
    size = shown.max(axis=0)
    if table.row is not None:
        size = np.bincount(group[np.unique(table.row, return_index=True)[1]])
    return bool(((shown > 0) & (shown < size)).any())
