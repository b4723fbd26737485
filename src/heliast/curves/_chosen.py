"""Which rows a curve is about: one model, out of sample, one class against the rest."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.measures.summaries import Counted, Ranking, StreamedRanking
from heliast.predictions import Predictions, Rows
from heliast.predictions.scan import NEEDS, NeedsRows

Source = Predictions | Rows
REST = "rest"
FIXED = (
    "{curve}: the number of rows per class was fixed by design, so the class shares of these rows "
    "say nothing about the population: give prevalence= (the share of class {class_!r} there)"
)


@dataclass(frozen=True, eq=False)
class Chosen:
    """Rows of one model and the class they are read for.

    `worth` is the number of distinct data rows per row: below 1 when repeats were pooled.
    """

    rows: Rows
    class_: Label | None
    model: str
    worth: float = 1.0
    notes: tuple[str, ...] = ()

    @property
    def code(self) -> int | None:
        return None if self.class_ is None else self.rows.classes.index(self.class_)

    @property
    def pair(self) -> tuple[Label, ...]:
        """The class and what it is set against, in the order of a 2 x 2 cost matrix."""
        if len(self.rows.classes) == 2:
            return self.rows.classes
        return (REST if self.class_ != REST else f"({REST})", self.class_ or "")


def choose(
    curve: str,
    source: Source,
    class_: Label | None,
    model: str | None,
    split: int | str | None,
    pool: bool,
) -> Chosen:
    """The rows that `source` holds about one model and class, or a refusal that says what to do."""
    worth = 1.0
    notes: tuple[str, ...] = ()
    if isinstance(source, Rows):
        rows, name = source, model or ""
    elif isinstance(source, Predictions):
        part, notes = part_of(curve, source, model, split, pool)
        rows, name = part.rows(), part.models[0]
        if notes and part.row is not None:
            worth = np.unique(part.row).size / len(part)
        if part.unfinished:
            notes += (part.unfinished,)
    else:
        raise InputError(
            f"{curve}: expected Predictions or Rows, got {type(source).__name__}; "
            "build a table with Predictions.of(truth, score=...)"
        )
    if rows.task != "classes":
        raise InputError(f"{curve}: these are predictions of numbers; a curve needs classes")
    if not rows.scored:
        raise InputError(
            f"{curve}: model {name!r} has labels but no scores, and a curve needs scores to put "
            "rows in order; give score="
        )
    return Chosen(rows, _class(curve, rows, class_), name, worth, notes)


def part_of(
    curve: str, table: Predictions, model: str | None, split: int | str | None, pool: bool
) -> tuple[Predictions, tuple[str, ...]]:
    part = table.only(model=model)
    if len(part.models) > 1:
        raise InputError(
            f"{curve}: several models ({_listed(part.models)}): name one with model=, "
            "or draw one curve each"
        )
    part = part.only(role="test", seen=0) if split is None else part.only(split=split, seen=0)
    if not len(part):
        raise InputError(
            f"{curve}: model {part.models[0]!r} has no test row that its training left out; "
            "name another split=, or pass predictions.rows(...) to draw seen rows all the same"
        )
    count = 1 if part.split_code is None else np.unique(part.split_code).size
    if count == 1:
        return part, ()
    if not pool:
        raise InputError(
            f"{curve}: the rows come from {count} splits, each fitted anew, and scores of "
            "different fits need not be comparable: name one with split=, or pool=True to take "
            "all together"
        )
    return part, (f"{count} splits pooled: scores of different fits are taken as comparable",)


def _class(curve: str, rows: Rows, class_: Label | None) -> Label | None:
    if class_ is None:
        return None if rows.positive is None else rows.classes[rows.positive]
    if class_ not in rows.classes:
        raise InputError(
            f"{curve}: no class {class_!r}; the classes are {_listed(rows.classes)}; "
            "choose one with class_="
        )
    return class_


def _listed(names: Sequence[object], most: int = 8) -> str:
    return ", ".join(map(str, names[:most])) + (", ..." if len(names) > most else "")


@dataclass(frozen=True, eq=False)
class Ranked:
    """A chosen class against the rest, in order of the score; both have rows."""

    chosen: Chosen
    class_: Label
    ranking: Ranking

    @property
    def scanned(self) -> bool:
        """Whether the points are only those that a picture needs."""
        return isinstance(self.ranking, StreamedRanking)

    def need_points(self, curve: str, thin: bool) -> None:
        """Refuse every point of a scanned table: they could be as many as its rows."""
        if not thin:
            self.need_rows(f"{curve}: thin=False")

    def need_rows(self, what: str) -> None:
        """Refuse a scanned table what the points of a picture cannot give."""
        if self.scanned:
            raise NeedsRows(f"{what} {NEEDS}")

    @property
    def by_class(self) -> bool:
        return self.chosen.rows.design == "classes"

    @property
    def effective(self) -> tuple[float, float]:
        """Independent rows that the positives and the negatives are worth."""
        counts = self.ranking.weights
        if self.ranking.sampling:
            sums = self.ranking.sums
            counts = sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
        return counts[0] * self.chosen.worth, counts[1] * self.chosen.worth

    def points(self, curve: str, prevalence: float | None) -> tuple[Array, Array, Array]:
        """Thresholds, true and false positives, as if positives were this share of all rows."""
        threshold, tp, fp = self.ranking.drawn
        if prevalence is None:
            if self.by_class:
                raise InputError(FIXED.format(curve=curve, class_=self.class_))
            return threshold, tp, fp
        check_prevalence(curve, prevalence)
        n = tp[-1] + fp[-1]
        return threshold, tp * (prevalence * n / tp[-1]), fp * ((1 - prevalence) * n / fp[-1])

    def kept(self, points: tuple[Array, Array, Array], keep: Array) -> dict[str, Any]:
        """The fields that every record over thresholds has, from the points it keeps."""
        threshold, tp, fp = points
        return {
            "threshold": threshold[keep],
            "tp": tp[keep],
            "fp": fp[keep],
            "positives": float(tp[-1]),
            "negatives": float(fp[-1]),
            "class_": self.class_,
            "model": self.chosen.model,
            "thinned": keep.size < threshold.size or self.scanned,
            "notes": self.chosen.notes,
        }


def check_prevalence(curve: str, prevalence: float) -> None:
    if not 0 < prevalence < 1:
        hint = f" (did you mean {prevalence / 100:g}?)" if 1 < prevalence < 100 else ""
        raise InputError(f"{curve}: prevalence={prevalence} must lie between 0 and 1{hint}")


def rank(
    curve: str,
    source: Source,
    class_: Label | None,
    model: str | None,
    split: int | str | None,
    pool: bool,
) -> Ranked:
    """The rows in order of the score for one class, which and the rest of which both occur."""
    chosen = choose(curve, source, class_, model, split, pool)
    if chosen.class_ is None or chosen.code is None:
        raise InputError(
            f"{curve}: {len(chosen.rows.classes)} classes and none is positive: say which one "
            f"with class_= ({_listed(chosen.rows.classes)}); it is set against the rest"
        )
    ranking = Counted(chosen.rows).ranking(chosen.code)
    for weight, what in zip(ranking.weights, ("of", "outside"), strict=True):
        if not weight:
            raise InputError(
                f"{curve}: no row {what} class {chosen.class_!r} among {chosen.rows.n} rows of "
                f"model {chosen.model!r}, so there is nothing to tell apart; use rows of both kinds"
            )
    return Ranked(chosen, chosen.class_, ranking)
