"""Are the folds representative? Class shares and inputs of each test set against all rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from heliast._core.frames import Listing, to_frame
from heliast._core.labels import Label
from heliast._core.records import plain
from heliast._core.told import told
from heliast.data import Dataset, Input
from heliast.plans._chance import Draws, of_codes, of_numbers
from heliast.plans._dealing import group_codes
from heliast.plans._piece import Piece


@dataclass(frozen=True)
class Likeness:
    """How one split's test rows compare with all rows.

    `shares` are its class shares. `target_distance` is half the summed differences of class shares
    (or the difference of means of a number target in standard deviations), `p_target` the chance of
    a random draw to lie as far out. `input` is the input that is furthest out, `input_distance` its
    distance (nominal: of shares) and `p_inputs` its chance, times the number of inputs looked at.
    """

    split: int | str
    role: str
    n_test: int
    shares: tuple[float, ...]
    target_distance: float
    p_target: float
    input: str | None = None
    input_distance: float = float("nan")
    p_inputs: float = 1.0

    @property
    def p(self) -> float:
        """The chance of the odder of the two findings, target and inputs."""
        return min(1.0, 2 * min(self.p_target, self.p_inputs))


@told(
    {
        "records": "tuple of Likeness: Shares, distances and chance of each split.",
        "classes": "tuple of Label: The classes in order; none for a number.",
        "whole": "tuple of float: Class shares of all rows.",
    }
)
@dataclass(frozen=True)
class Representativeness:
    """One record a split: its class shares and inputs beside those of all rows.

    A random split is unrepresentative at 5% once in twenty, so with J splits the smallest chance
    is taken times J: `p` is the chance that random splits of such data show one as odd as the
    oddest here. Stratified splits are closer to the whole than random ones, so it errs on the quiet
    side.

    Examples
    --------
    >>> from heliast.data import simulate
    >>> from heliast.plans import KFold
    >>> data = simulate.two_gaussians().sample(40, seed=1)
    >>> table = KFold(4).on(data, seed=1).representativeness()
    >>> len(table.records), table.unlike()
    (4, ())
    """

    records: tuple[Likeness, ...]
    classes: tuple[Label, ...] = ()
    whole: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Likeness]:
        return iter(self.records)

    @property
    def p(self) -> float:
        """The chance of the oddest split, all splits considered."""
        odd = min((one.p for one in self.records), default=1.0)
        return min(1.0, len(self.records) * odd)

    @told(returns="tuple of Likeness: The splits that are too odd.")
    def unlike(self, level: float = 0.95) -> tuple[Likeness, ...]:
        """The splits that random splitting would give with a chance below 1 - level in all.

        Parameters
        ----------
        level : float, default 0.95
            Confidence level; 1 minus it is shared among the splits.
        """
        return tuple(one for one in self.records if one.p * len(self.records) < 1 - level)

    @told({}, returns="list of dict: A dict a split.")
    def to_dict(self) -> list[dict[str, object]]:
        """One dict a split, class shares as `share_<class>`."""
        names = [field.name for field in fields(Likeness) if field.name != "shares"]
        rows = []
        for one in self.records:
            row = {name: plain(getattr(one, name)) for name in names}
            for label, share in zip(self.classes, one.shares, strict=True):
                row[f"share_{label}"] = share
            rows.append(row)
        return rows

    @told(Listing.to_frame, returns="table: Of the kind asked for.")
    def to_frame(self, backend: str = "pyarrow") -> Any:
        """A table with one row a split: pyarrow, pandas or polars."""
        return to_frame(self.to_dict(), backend)


def judge(data: Dataset, pieces: Sequence[Piece], budget: int | None = None) -> Representativeness:
    """Every test and validation set against the whole; `budget` bounds the values looked at.

    Within a budget not all inputs of wide data are looked at, but evenly spaced ones.
    """
    chosen = _distinct(pieces)
    classes = data.classes if data.task == "classes" else ()
    whole: tuple[float, ...] = ()
    if not chosen:
        return Representativeness((), classes, whole)
    draws = Draws.of(data.n, [piece.test for piece in chosen], group_codes(data))
    if classes:
        whole = tuple((np.bincount(data.truth, minlength=len(classes)) / data.n).tolist())
        distance, p_target = of_codes(data.truth.astype(np.int64), draws)
    else:
        distance, p_target = of_numbers(data.truth.astype(np.float64), draws)
    furthest = _inputs(_within(data.inputs, draws, budget), draws)
    records = []
    for at, piece in enumerate(chosen):
        shares: tuple[float, ...] = ()
        if classes:
            counts = np.bincount(data.truth[piece.test], minlength=len(classes))
            shares = tuple((counts / piece.test.size).tolist())
        record = piece.record
        found = furthest[at] if furthest else ()
        size, own = int(piece.test.size), (float(distance[at]), float(p_target[at]))
        records.append(Likeness(record.split, record.role, size, shares, *own, *found))
    return Representativeness(tuple(records), classes, whole)


def _distinct(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces with test sets of their own: a curve tests the same rows at every share."""
    kept: dict[int, Piece] = {}
    for piece in pieces:
        if piece.record.role in ("test", "validation"):
            kept.setdefault(id(piece.test), piece)
    return list(kept.values())


def _within(inputs: tuple[Input, ...], draws: Draws, budget: int | None) -> tuple[Input, ...]:
    if budget is None or not inputs:
        return inputs
    most = max(1, budget // (draws.n + draws.rows.size))
    step = -(-len(inputs) // most)
    return inputs[::step]


def _inputs(inputs: tuple[Input, ...], draws: Draws) -> list[tuple[str, float, float]]:
    """For each split the input furthest out, its distance, and its chance among so many inputs."""
    if not inputs:
        return []
    distances = np.empty((len(inputs), draws.sizes.size))
    chances = np.empty_like(distances)
    for at, one in enumerate(inputs):
        if one.nominal:
            found = of_codes(one.values.astype(np.int64), draws)
        else:
            found = of_numbers(one.values.astype(np.float64), draws)
        distances[at], chances[at] = found
    out = np.argmin(chances, axis=0)
    return [
        (inputs[i].name, float(distances[i, s]), float(min(1.0, len(inputs) * chances[i, s])))
        for s, i in enumerate(out)
    ]
