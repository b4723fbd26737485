"""Parts: one model's rows as one test set, split by split, or repeat by repeat."""

from collections.abc import Callable, Mapping
from functools import cached_property
from itertools import groupby
from typing import Any, TypeVar

from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Split

Names = tuple[int | str, ...]
S = TypeVar("S")


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
        failed = self.unfinished or Note("the model failed in every split: see cells", "incomplete")
        return "" if self.splits else failed

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
        """The names of the splits of each repeat."""
        ordered = sorted(self.splits, key=lambda split: split.repeat)
        repeats = groupby(ordered, key=lambda split: split.repeat)
        return [tuple(split.split for split in group) for _, group in repeats]

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
