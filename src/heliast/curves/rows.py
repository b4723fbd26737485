"""Which rows a curve is about (one model, one class against the rest), and its record."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from heliast._core.costs import cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.plotted import Plotted
from heliast._core.records import Shown, named
from heliast._kernels.ranking import Curve, thin
from heliast.measures.summaries import Counted, Ranking
from heliast.predictions import Predictions, Rows

Source = Predictions | Rows
REST = "rest"
GRID = 2048
FEW = 4096  # a curve with no more vertices than this is kept whole
EQUAL_COSTS = ((0.0, 1.0), (1.0, 0.0))


# --- records -------------------------------------------------------------------------------------


class Record(Plotted):
    """A frozen result that can be put into JSON, a notebook and the terminal."""

    model: str
    class_: Label | None

    def _said(self, words: str) -> str:
        model = f" of {self.model!r}" if self.model else ""
        class_ = "" if self.class_ is None else f", class {self.class_!r}"
        return f"<{type(self).__name__}{model}{class_}: {words}>"


@dataclass(frozen=True)
class Point(Shown):
    """What one threshold does: a row is called positive if its score is at least `threshold`.

    Parameters
    ----------
    threshold : float
        Rows with a score of at least this are called positive.
    tp, fp : float
        The weight of positives and of negatives among them.
    tpr, fpr : float
        The share of positives found, and of negatives called positive.
    cost : float, optional
        The expected cost a row, where it was chosen by cost.
    slope : float, optional
        The slope of the iso-cost line through it.

    Examples
    --------
    >>> Point(0.5, 8.0, 2.0, 0.8, 0.1).tpr
    0.8
    """

    threshold: float
    tp: float
    fp: float
    tpr: float
    fpr: float
    cost: float | None = None
    slope: float | None = None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Thresholds(Record):
    """A curve over the threshold: what lies at or above each distinct score, from +inf down.

    `tp` and `fp` are weights of positives and negatives with score >= threshold (counts, without
    weights); `thinned` says whether vertices that no plot shows were left out.
    """

    _derived: ClassVar[str] = ""
    threshold: Array
    tp: Array
    fp: Array
    positives: float
    negatives: float
    class_: Label
    model: str = ""
    thinned: bool = False
    notes: tuple[str, ...] = ()

    @cached_property
    def tpr(self) -> Array:
        """Share of the positives at or above each threshold: recall."""
        return np.asarray(self.tp / self.positives)

    @cached_property
    def fpr(self) -> Array:
        """Share of the negatives at or above each threshold."""
        return np.asarray(self.fp / self.negatives)

    def at(self, threshold: float) -> Point:
        """What the rule `score >= threshold` does; on a thinned curve right to a pixel.

        Parameters
        ----------
        threshold : float
            The least score that counts.

        Returns
        -------
        Point
            Its rates.
        """
        return self._point(int(self._reached(np.asarray(threshold))), float(threshold))

    def _reached(self, threshold: Array) -> Array:
        """The last point whose threshold is not below, for each of these thresholds."""
        above = self.threshold.size - np.searchsorted(self.threshold[::-1], threshold)
        return np.maximum(above - 1, 0)

    def to_dict(self) -> dict[str, object]:
        """The fields and what follows from them as plain values; what is not finite is None.

        Returns
        -------
        dict
            A value a field.
        """
        return {**super().to_dict(), **named(self, self._derived)}

    def _point(self, place: int, threshold: float | None = None) -> Point:
        arrays = self.threshold, self.tp, self.fp, self.tpr, self.fpr
        own, *rates = (float(values[place]) for values in arrays)
        return Point(own if threshold is None else threshold, *rates)

    def _rows(self) -> str:
        return f"{self.positives:g} positives, {self.negatives:g} negatives"


def kept(x: Array, y: Array, thinning: bool, always: Array | None = None) -> Array:
    """Positions of the vertices to keep; one left out lies within a pixel of one kept before it.

    >>> kept(np.linspace(0, 1, 10), np.linspace(0, 1, 10), True).size
    10
    """
    if not thinning or x.size <= FEW:
        return np.arange(x.size)
    grid = GRID
    keep = thin(x, y, grid)
    # Only a curve that goes up and down, such as precision, can need more than 2 grid + 2.
    while keep.size > 4 * FEW:
        grid //= 2
        keep = thin(x, y, grid)
    return keep if always is None else np.union1d(keep, always)


# --- which rows ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Chosen:
    """Rows of one model and the class they are read for.

    `distinct` is the number of distinct data rows per row: below 1 when repeats were pooled.
    """

    curve: str
    rows: Rows
    class_: Label | None
    model: str
    distinct: float = 1.0
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

    @property
    def by_class(self) -> bool:
        return self.rows.design == "classes"

    def check_share(self, prevalence: float | None) -> None:
        class_ = self.rows.classes[-1] if self.class_ is None else self.class_
        check_share(self.curve, prevalence, class_, self.by_class)


def choose(
    curve: str,
    source: Source,
    class_: Label | None,
    model: str | None,
    split: int | str | None,
    pool: bool,
) -> Chosen:
    """The rows that `source` holds about one model and class, or a refusal that says what to do."""
    distinct = 1.0
    notes: tuple[str, ...] = ()
    if isinstance(source, Rows):
        rows, name = source, model or ""
    elif isinstance(source, Predictions):
        part, notes = part_of(curve, source, model, split, pool)
        rows, name = part.rows(), part.models[0]
        if notes and part.row is not None:
            distinct = np.unique(part.row).size / len(part)
        if part.unfinished:
            notes += (part.unfinished,)
    else:
        raise InputError(
            f"{curve}: expected Predictions or Rows, got {type(source).__name__}; "
            "build a table with Predictions.of(y_true, y_score=...)"
        )
    if rows.task != "classification":
        raise InputError(f"{curve}: these are predictions of numbers; a curve needs classes")
    if not rows.scored:
        raise InputError(
            f"{curve}: model {name!r} has labels but no scores, and a curve needs scores to put "
            "rows in order; give y_score="
        )
    if class_ is None and rows.positive is not None:
        class_ = rows.classes[rows.positive]
    if class_ is not None and class_ not in rows.classes:
        raise InputError(
            f"{curve}: no class {class_!r}; the classes are {_listed(rows.classes)}; "
            "choose one with class_="
        )
    return Chosen(curve, rows, class_, name, distinct, notes)


def part_of(
    curve: str, table: Predictions, model: str | None, split: int | str | None, pool: bool
) -> tuple[Predictions, tuple[str, ...]]:
    """The rows of one model and split that its training left out, and what is to be noted."""
    part = table.only(model=model)
    if len(part.models) > 1:
        raise InputError(
            f"{curve}: several models ({_listed(part.models)}): name one with model=, "
            "or draw one curve each"
        )
    part = part.only(in_train=0, **({"role": "test"} if split is None else {"split": split}))
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


def check_share(curve: str, prevalence: float | None, class_: Label, by_class: bool) -> None:
    """Refuse a share beyond 0 and 1, or none where the rows do not tell it."""
    if prevalence is None and by_class:
        raise InputError(
            f"{curve}: the number of rows per class was fixed by design, so the class shares of "
            "these rows say nothing about the population: give prevalence= (the share of class "
            f"{class_!r} there)"
        )
    if prevalence is not None and not 0 < prevalence < 1:
        hint = f" (did you mean {prevalence / 100:g}?)" if 1 < prevalence < 100 else ""
        raise InputError(f"{curve}: prevalence={prevalence} must lie between 0 and 1{hint}")


def _listed(names: Sequence[object], most: int = 8) -> str:
    return ", ".join(map(str, names[:most])) + (", ..." if len(names) > most else "")


# --- in the order of scores ----------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranked(Chosen):
    """A chosen class against the rest, in order of the score; both have rows."""

    class_: Label
    ranking: Ranking

    @property
    def scanned(self) -> bool:
        """Whether the points are only those that a plot needs."""
        return self.rows.scanned

    @property
    def effective(self) -> tuple[float, float]:
        """Independent rows that the positives and the negatives are worth."""
        counts = self.ranking.weights
        if self.ranking.sampling:
            sums = self.ranking.sums
            counts = sums.positive**2 / sums.positive2, sums.negative**2 / sums.negative2
        return counts[0] * self.distinct, counts[1] * self.distinct

    def points(self, prevalence: float | None, thin: bool = True) -> Curve:
        """Thresholds, true and false positives, as if positives were this share of all rows."""
        self.check_share(prevalence)
        threshold, tp, fp = self.ranking.drawn if thin else self.ranking.points
        if prevalence is None:
            return threshold, tp, fp
        n = tp[-1] + fp[-1]
        return threshold, tp * (prevalence * n / tp[-1]), fp * ((1 - prevalence) * n / fp[-1])

    def kept(self, points: Curve, keep: Array) -> dict[str, Any]:
        """The fields that every record over thresholds has, from the points it keeps."""
        threshold, tp, fp = points
        return {
            "threshold": threshold[keep],
            "tp": tp[keep],
            "fp": fp[keep],
            "positives": float(tp[-1]),
            "negatives": float(fp[-1]),
            "class_": self.class_,
            "model": self.model,
            "thinned": keep.size < threshold.size or self.scanned,
            "notes": self.notes,
        }


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
    return Ranked(**vars(chosen), ranking=ranking)


def error_costs(
    cost: object | None, pair: tuple[Label, ...], class_: Label
) -> tuple[float, float, float, float]:
    """What a false alarm and a miss cost beyond the right decision, and what right ones cost.

    The matrix has rows = true class, columns = predicted, in the order of `pair`; right decisions
    are of the class, then of the rest.

    >>> error_costs([[0, 1], [5, -2]], ("well", "sick"), "sick")
    (1.0, 7.0, -2.0, 0.0)
    """
    matrix = cost_matrix(EQUAL_COSTS if cost is None else cost, pair)
    own = pair.index(class_)
    (tn, fp), (fn, tp) = matrix[np.ix_([1 - own, own], [1 - own, own])].tolist()
    if fp <= tn and fn <= tp:
        raise InputError(
            "cost: errors cost nothing more than right decisions, so no threshold is best; "
            f"rows are the true class, columns the label, in the order {pair[0]}, {pair[1]}"
        )
    return fp - tn, fn - tp, tp, tn
