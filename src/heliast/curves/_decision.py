"""The decision curve: what acting on a model is worth, over thresholds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.level import check_level
from heliast._core.told import told
from heliast.curves._chosen import Chosen, Source, choose, part_of
from heliast.curves._decided import Decided
from heliast.curves._record import HELD, Record
from heliast.predictions import Predictions
from heliast.predictions.scan import NEEDS, NeedsRows, ScannedRows

TREAT_ALL = "treat all"
MOST = 200
"""Thresholds that one curve may have."""


@told(
    HELD
    | {
        "threshold": "array: The thresholds.",
        "value": "array: Net benefit, or how far it exceeds that of `against`.",
        "point_low": "array: Lower limits for one threshold chosen beforehand.",
        "point_high": "array: Upper ones.",
        "treat_all": "array: The net benefit of calling every row positive.",
        "share": "float: That of the class.",
        "n": "float: The independent rows that all rows are worth.",
        "critical": "float: The standard errors that the band reaches.",
        "against": "str: The model it is compared with.",
        "reason": "str: Why there is no band.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Decision(Record):
    """Net benefit (`value`) at each threshold, or how far it exceeds that of `against`.

    The true curve lies between `low` and `high` at all thresholds at once with confidence `level`;
    `point_low` and `point_high` hold for one of them alone. Calling no row positive has 0.

    Examples
    --------
    >>> from heliast import Predictions
    >>> decision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1])).share
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
        words = f"net benefit{over} at {self.threshold.size} thresholds; {band}"
        return f"{self._head('Decision', self.class_)}: {words}>"


@told(
    returns="Decision: The curve with its limits.",
    raises="No probabilities, no class named, thresholds beyond (0, 1), or models whose rows do "
    "not pair.",
)
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

    Examples
    --------
    >>> from heliast import Predictions
    >>> found = decision(Predictions.of([1, 0, 1, 0], score=[0.9, 0.8, 0.4, 0.1]),
    ...                  thresholds=[0.2, 0.5])
    >>> found.value, found.treat_all
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
    named = [_class_of(side) for side in (mine, other) if side is not None]
    grid = _grid(thresholds, mine)
    # A curve by itself is set against calling none, where only the model can be alone.
    alone = (1, -1) if other is not None else (1,) if against is None else (-1,)
    decided = Decided.of(mine, other, grid, alone)
    reason, notes = decided.few_groups
    if mine.rows.design == "time":
        reason = "rows are in order of time: no band is known that allows for it"
    critical = decided.critical(level, seed)
    none = np.full(grid.size, np.nan)
    point, band = (
        (none, none) if reason else decided.limits(q) for q in (decided.quantile(level), critical)
    )
    return Decision(
        threshold=grid,
        value=decided.value,
        low=band[0],
        high=band[1],
        point_low=point[0],
        point_high=point[1],
        treat_all=decided.share - (1 - decided.share) * decided.price,
        share=decided.share,
        n=decided.n,
        level=level,
        critical=critical,
        class_=named[0],
        model=mine.model,
        against=against or "",
        reason=reason,
        notes=(*mine.notes, *notes),
    )


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
    others = [name for name in models if name != against]
    model = others[0] if model is None and len(others) == 1 else model
    table = source if model is not None else source.only(others or None)
    sides = [
        _in_order(one, class_, name, split, pool)
        for one, name in ((table, model), (source, against))
    ]
    if not all(map(np.array_equal, sides[0][1], sides[1][1])):
        raise InputError(
            f"decision: the rows of {sides[0][0].model!r} and {against!r} do not pair: both need "
            "predictions of the same rows in the same splits"
        )
    return sides[0][0], sides[1][0]


def _in_order(
    table: Predictions, class_: Label | None, model: str | None, split: int | str | None, pool: bool
) -> tuple[Chosen, list[Array]]:
    """The rows of a model by split and name (or place), and what tells them apart."""
    part, _ = part_of("decision", table, model, split, pool)
    chosen = choose("decision", part, class_, None, split, pool)
    if isinstance(chosen.rows, ScannedRows):
        raise NeedsRows(f"decision: against= {NEEDS}")
    row = np.arange(len(part)) if part.row is None else part.row
    within = np.zeros(len(part), np.int32) if part.split_code is None else part.split_code
    order = np.lexsort((row, within))
    return replace(chosen, rows=chosen.rows.at(order)), [
        column[order] for column in (row, within, part.truth)
    ]


def _class_of(chosen: Chosen) -> Label:
    """The class that calls for action, or a refusal of rows that cannot have a decision curve."""
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
    if rows.design == "classes":
        raise InputError(
            "decision: the number of rows per class was fixed by design, so these rows do not show "
            "how common the class is, on which net benefit depends"
        )
    if not rows.n:
        raise InputError("decision: there are no rows; nothing was decided")
    if isinstance(rows, ScannedRows) and rows.group is not None:
        raise NeedsRows(f"decision: groups {NEEDS}")
    return chosen.class_


def _grid(given: Sequence[float] | None, chosen: Chosen) -> Array:
    if given is None:
        sizes = chosen.rows.class_sizes(weighted=True)
        share = sizes[chosen.code] / sizes.sum()
        return np.arange(1, round(100 * float(np.clip(share, 0.5, 0.99))) + 1) / 100
    found = np.asarray(given, np.float64).ravel()
    if not found.size or not ((found > 0) & (found < 1)).all() or (np.diff(found) <= 0).any():
        raise InputError(f"thresholds={given}: give rising numbers between 0 and 1")
    if found.size > MOST:
        raise InputError(f"thresholds: {found.size} of them; at most {MOST} can be told apart")
    return found


def _stretches(threshold: Array, holds: Array) -> tuple[tuple[float, float], ...]:
    """First and last threshold of each run over which something holds.

    >>> _stretches(np.array([0.1, 0.2, 0.3]), np.array([True, False, True]))
    ((0.1, 0.1), (0.3, 0.3))
    """
    edge = np.flatnonzero(np.diff(np.concatenate([[False], holds, [False]])))
    pairs = zip(threshold[edge[::2]].tolist(), threshold[edge[1::2] - 1].tolist(), strict=True)
    return tuple(pairs)
