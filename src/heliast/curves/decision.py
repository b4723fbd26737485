"""The decision curve: what acting on a model is worth, over thresholds, with a band."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heliast._core.clusters import equal_groups, few, sizes, too_few
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level, quantile
from heliast.curves.rows import Chosen, Record, Source, choose, part_of
from heliast.predictions import Predictions

TREAT_ALL = "treat all"
MOST = 200  # thresholds that one curve may have
DRAWS = 20_000  # of the largest deviation: its quantile is good to about 1%
ROUNDING = 1e-18


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Decision(Record):
    """Net benefit (`value`) at each threshold, or how far it exceeds that of `against`.

    The true curve lies between `low` and `high` at all thresholds at once with confidence `level`;
    `point_low` and `point_high` hold for one of them alone. Calling no row positive has 0.

    Parameters
    ----------
    threshold : array
        The thresholds.
    value : array
        Net benefit, or how far it exceeds that of `against`.
    low, high : array
        Limits for all thresholds at once.
    point_low, point_high : array
        Limits for one threshold chosen beforehand.
    treat_all : array
        The net benefit of calling every row positive.
    share : float
        That of the class.
    n : float
        The independent rows that all rows are worth.
    level : float
        The confidence level.
    critical : float
        The standard errors that the band reaches.
    class_ : object
        The class against the rest.
    model : str
        The model.
    against : str
        The model it is compared with.
    method : str
        How limits were made.
    reason : str
        Why there is no band.
    notes : tuple of str
        Caveats.

    Examples
    --------
    >>> from heliast import Predictions
    >>> decision(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])).share
    0.5
    """

    threshold: Array
    value: Array
    low: Array
    high: Array
    point_low: Array
    point_high: Array
    treat_all: Array
    share: float
    n: float
    level: float
    critical: float
    class_: Label
    model: str = ""
    against: str = ""
    method: str = "adjusted Wald, simultaneous by the largest deviation of a Gaussian process"
    reason: str = ""
    notes: tuple[str, ...] = ()

    @property
    def standardised(self) -> Array:
        """Net benefit as a part of what perfect forecasts have: value / share of the class."""
        part: Array = self.value / self.share if self.share else np.full(self.value.size, np.nan)
        return part

    @property
    def better(self) -> tuple[tuple[float, float], ...]:
        """Stretches of thresholds over which the whole band is above 0."""
        return _stretches(self.threshold, self.low > 0)

    @property
    def worse(self) -> tuple[tuple[float, float], ...]:
        """Stretches of thresholds over which the whole band is below 0."""
        return _stretches(self.threshold, self.high < 0)

    @property
    def words(self) -> str:
        """Over which thresholds the whole band is above 0, or that there is none."""
        if self.reason:
            return "no band"
        parts = [f"{a:.3g}" if a == b else f"{a:.3g} to {b:.3g}" for a, b in self.better]
        return f"band above 0 at {', '.join(parts)}" if parts else "band nowhere above 0"

    def __repr__(self) -> str:
        over = f" less that of {self.against!r}" if self.against else ""
        band = f"no band: {self.reason}" if self.reason else f"{self.level:.0%} {self.words}"
        return self._said(f"net benefit{over} at {self.threshold.size} thresholds; {band}")


def decision(
    predictions: Source,
    class_: Label | None = None,
    model: str | None = None,
    *,
    thresholds: Sequence[float] | None = None,
    against: str | None = None,
    level: float = 0.95,
    split: int | str | None = None,
    pool: bool = False,
    seed: int = 0,
) -> Decision:
    """Whether acting on a model does more good than harm, whatever an alarm is worth.

    NB(t) = TP/n - FP/n * t/(1-t), where rows with probability >= t are called positive: who acts
    from a risk t on holds one true positive to be worth (1-t)/t false ones. Calling every row
    positive has share - (1 - share) t/(1-t), calling none 0. Higher is better. `against` gives the
    difference to another model, row by row, or to "treat all". Refused without probabilities and
    where class counts were fixed by design. No band below 5 groups.

    The band: NB is a mean of row values +1, -t/(1-t), 0, so the counts are multinomial, and few
    rows are called positive at high thresholds. At each threshold q²/4 rows are added to every
    kind of row that counts (as one row at 95% by Bonett and Price), then the mean -+ q standard
    errors, widened to hold the raw value; a threshold that calls nobody positive thus has limits
    too. Pointwise q is the normal quantile; for the band it is the quantile of the largest
    |deviation| of a Gaussian process with the correlations of the row values over thresholds; with
    G groups these are of group sums, and q is Student's with G - 1.

    Parameters
    ----------
    predictions
        A table with probabilities, or rows of one model.
    class_
        The class that calls for action; the positive one of two by default.
    model
        The model, if the table holds several.
    thresholds
        Probabilities between 0 and 1, at most 200. By default 1%, 2%, ... to 50%, or to the share
        of the class if that is more: from there on calling every row positive does harm.
    against
        A model of the same table, or "treat all".
    level
        Confidence of band and pointwise limits.
    split, pool
        One split, or all of them taken together: the limits then speak of the fitted models.
    seed
        Of the draws behind the band.

    Returns
    -------
    Decision
        The curve with its limits.

    Examples
    --------
    >>> from heliast import Predictions
    >>> curve = decision(Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1]),
    ...                  thresholds=[0.2, 0.5])
    >>> curve.value, curve.treat_all
    (array([0.4375, 0.    ]), array([0.375, 0.   ]))

    References
    ----------
    Vickers and Elkin (2006), Decision curve analysis; Bonett and Price (2012), Adjusted Wald
    confidence interval for a difference of binomial proportions based on paired data; for the
    largest deviation, Chernozhukov, Chetverikov and Kato (2013), Gaussian approximations and
    multiplier bootstrap for maxima of sums.
    """
    check_level(level)
    mine, other = _sides(predictions, class_, model, against, split, pool)
    class_ = _check(mine)
    if other is not None:
        _check(other)
    grid = _grid(thresholds, mine)
    # A curve by itself is set against calling none, where only the model can be alone.
    alone = (1, -1) if other is not None else (1,) if against is None else (-1,)
    decided = _Decided(mine, other, grid, alone)
    groups = mine.rows.group
    reason, notes = "", mine.notes
    if groups is not None:
        size = sizes(groups, mine.rows.weight)
        reason, notes = too_few(size, "a band"), notes + few(size, "the band may be too narrow")
    if mine.rows.design == "time":
        reason = "rows are in order of time: no band is known that allows for it"
    critical = decided.critical(level, seed)
    none = np.full(grid.size, np.nan)
    point, band = (
        (none, none) if reason else decided.limits(q)
        for q in (quantile(level, decided.df), critical)
    )
    share = float(decided.weight[decided.positive].sum() / decided.weight.sum())
    return Decision(
        threshold=grid, value=decided.value, low=band[0], high=band[1], point_low=point[0],
        point_high=point[1], treat_all=share - (1 - share) * decided.price, share=share,
        n=decided.n, level=level, critical=critical, class_=class_, model=mine.model,
        against=against or "", reason=reason, notes=notes,
    )  # fmt: skip


def _stretches(threshold: Array, holds: Array) -> tuple[tuple[float, float], ...]:
    """First and last threshold of each run over which something holds.

    >>> _stretches(np.array([0.1, 0.2, 0.3]), np.array([True, False, True]))
    ((0.1, 0.1), (0.3, 0.3))
    """
    edge = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]])))
    pairs = zip(threshold[edge[::2]].tolist(), threshold[edge[1::2] - 1].tolist(), strict=True)
    return tuple(pairs)


# --- which rows, which thresholds ----------------------------------------------------------------


def _sides(
    source: Source,
    class_: Label | None,
    model: str | None,
    against: str | None,
    split: int | str | None,
    pool: bool,
) -> tuple[Chosen, Chosen | None]:
    """The rows of the model and, in the same order, those of the model it is set against."""
    models = source.models if isinstance(source, Predictions) else ()
    if against is None or (against == TREAT_ALL and against not in models):
        return choose("decision", source, class_, model, split, pool), None
    if not isinstance(source, Predictions):
        raise InputError(f"decision: against={against!r} needs a table that holds that model")
    if model is None:  # the only other one, or a refusal to choose
        others = source.only([name for name in models if name != against] or None)
        model = part_of("decision", others, None, split, pool)[0].models[0]
    sides, names = [], []
    for name in (model, against):
        part, _ = part_of("decision", source, name, split, pool)
        chosen = choose("decision", part, class_, None, split, pool)
        row = np.arange(len(part)) if part.row is None else part.row
        within = np.zeros(len(part), np.int32) if part.split_code is None else part.split_code
        order = np.lexsort((row, within))
        sides.append(replace(chosen, rows=chosen.rows.at(order)))
        names.append([column[order] for column in (row, within, part.y_true)])
    if not all(map(np.array_equal, *names)):
        raise InputError(
            f"decision: the rows of {model!r} and {against!r} do not pair: both need predictions "
            "of the same rows in the same splits"
        )
    return sides[0], sides[1]


def _check(chosen: Chosen) -> Label:
    """The class that calls for action; rows that cannot have a decision curve are refused."""
    rows = chosen.rows
    if rows.score_kind != "probability":
        raise InputError(
            f"decision: the scores of model {chosen.model!r} are {rows.score_kind} scores, and a "
            "threshold is a risk: give probabilities, or say scores='probability' if they are"
        )
    if chosen.class_ is None:
        raise InputError(
            f"decision: {len(rows.classes)} classes and none is positive: say with class_= which "
            "one calls for action"
        )
    if chosen.by_class:
        raise InputError(
            "decision: the number of rows per class was fixed by design, so these rows do not show "
            "how common the class is, on which net benefit depends"
        )
    if not rows.n:
        raise InputError("decision: there are no rows; nothing was decided")
    return chosen.class_


def _grid(thresholds: Sequence[float] | None, chosen: Chosen) -> Array:
    if thresholds is None:
        sizes = chosen.rows.class_sizes(weighted=True)
        share = sizes[chosen.code] / sizes.sum()
        return np.arange(1, round(100 * float(np.clip(share, 0.5, 0.99))) + 1) / 100
    grid = np.asarray(thresholds, np.float64).ravel()
    if not grid.size or not ((grid > 0) & (grid < 1)).all() or (np.diff(grid) <= 0).any():
        raise InputError(f"thresholds={thresholds}: give rising numbers between 0 and 1")
    if grid.size > MOST:
        raise InputError(f"thresholds: {grid.size} of them; at most {MOST} can be told apart")
    return grid


# --- rows counted by what two rules decide, and limits of the net benefit between ----------------


class _Decided:
    """Rows counted by kind: true class, and at how many thresholds either rule calls them positive.

    `alone` says which rule can be alone in calling a row positive: we (1), they (-1). Without
    another model the other rule calls none positive, or all if it is the one that can be alone.
    """

    def __init__(
        self, mine: Chosen, other: Chosen | None, threshold: Array, alone: tuple[int, ...]
    ) -> None:
        side, code = threshold.size + 1, mine.code or 0
        sums = np.zeros((2, 2 * side**2))
        kind = np.empty(0, np.int64)
        for rows in mine.rows.chunks():
            theirs: Any = 0 if 1 in alone else side - 1
            if other is not None:
                theirs = np.searchsorted(threshold, other.rows.score_of(other.code or 0), "right")
            ours = np.searchsorted(threshold, rows.score_of(code), "right")
            kind = 2 * (side * ours + theirs) + rows.is_class(code)
            weight = np.ones(rows.n) if rows.weight is None else rows.weight.astype(np.float64)
            sums += [np.bincount(kind, each, 2 * side**2) for each in (weight, weight**2)]
        kinds = np.flatnonzero(sums[0])
        self.alone, self.price = alone, threshold / (1 - threshold)  # of a false positive
        self.weight, self.positive = sums[0, kinds], kinds % 2 == 1
        # Who alone calls each kind positive at each threshold: we (1), they (-1), neither (0).
        at = np.arange(threshold.size)
        self.sides = (kinds[:, None] // 2 // side > at) * 1.0 - (kinds[:, None] // 2 % side > at)
        gain = self.sides * np.where(self.positive[:, None], 1.0, -self.price)
        total = float(self.weight.sum())
        self.value = self.weight @ gain / total
        influence = gain - self.value
        sampling = mine.rows.weight_kind == "sampling"
        self.n = float(total**2 / sums[1].sum() if sampling else total) * mine.distinct
        self.df, units = None, self.n
        if mine.rows.group is None:
            heavy = sums[1 if sampling else 0, kinds]
            squares = influence.T @ (heavy[:, None] * influence) / mine.distinct
        else:
            place = np.searchsorted(kinds, kind)
            place[place == kinds.size] = 0  # of a kind whose rows all weigh nothing
            member = np.unique(mine.rows.group, return_inverse=True)[1]
            by_group = np.zeros((int(member.max()) + 1, threshold.size))
            np.add.at(by_group, member, weight[:, None] * influence[place])
            squares = by_group.T @ by_group * (len(by_group) / max(len(by_group) - 1, 1))
            units = equal_groups(sizes(mine.rows.group, weight))
            self.df = max(units - 1, 1.0)
        self.covariance = squares / total**2
        # Rows that the value at each threshold rests on; the units where nothing varies.
        variance = np.diagonal(self.covariance)
        effective = np.full(at.size, units)
        within = self.weight @ influence**2 / total
        np.divide(within, variance, out=effective, where=variance > ROUNDING)
        self.effective = np.minimum(effective, self.n)

    def critical(self, level: float, seed: int) -> float:
        """The quantile of the largest |deviation|, in standard errors, over all thresholds."""
        pointwise = quantile(level, self.df)
        spread = np.sqrt(np.diagonal(self.covariance))
        some = spread**2 > ROUNDING
        if np.count_nonzero(some) < 2:
            return pointwise
        related = (self.covariance / np.outer(spread, spread).clip(ROUNDING))[np.ix_(some, some)]
        values, vectors = np.linalg.eigh(related)
        keep = values > 1e-9 * values[-1]
        rng = np.random.default_rng(seed)
        drawn = rng.standard_normal((DRAWS, int(keep.sum())))
        largest = np.abs(drawn @ (vectors[:, keep] * np.sqrt(values[keep])).T).max(axis=1)
        if self.df is not None:
            largest /= np.sqrt(rng.chisquare(self.df, DRAWS) / self.df)
        return max(pointwise, float(np.quantile(largest, level)))

    def limits(self, q: float) -> tuple[Array, Array]:
        """The mean -+ q standard errors after q²/4 rows joined each kind that counts.

        The kinds are true and false positives of ours alone and of theirs alone, as far as these
        can be. The limits are widened to hold the raw value.
        """
        sure = self.positive[:, None]
        kinds = [
            (side * amount, (self.sides == side) & here)
            for side in self.alone
            for amount, here in ((np.ones(self.price.size), sure), (-self.price, ~sure))
        ]
        gain = np.array([amount for amount, _ in kinds])
        share = np.array([self.weight @ here for _, here in kinds]) / self.weight.sum()
        size = self.effective + len(kinds) * q**2 / 4
        share = (share * self.effective + q**2 / 4) / size
        mean = (gain * share).sum(axis=0)
        half = q * np.sqrt(((gain**2 * share).sum(axis=0) - mean**2) / size)
        return np.minimum(mean - half, self.value), np.maximum(mean + half, self.value)
