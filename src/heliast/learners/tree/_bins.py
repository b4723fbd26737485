"""The bins of the inputs: every distinct value its own, or groups of equally many rows."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode, values_of
from heliast._kernels.crew import spread

MOST = 65_533
"""Bins of a column: two of the numbers that two bytes hold are for missing and unseen values."""
FEW = 256
"""So many bins of a column that one byte numbers them."""
GROUPS = 254
"""Bins of a column with more values than that: few enough for the kernels that count all cuts."""
DRAWN = 1 << 17
"""Rows that borders of groups are taken from where there are more."""


@dataclass(frozen=True)
class Bins:
    """The smallest and largest value of each bin, one column after the other.

    Bin b of column f is at first[f] + b. Where a column has at most as many distinct values as
    bins were asked for, or 65,533, each is a bin; otherwise so many bins, or 254, hold equally many
    rows. The bin after the last is for missing values.
    """

    lower: Array
    upper: Array
    first: Array
    nominal: Array
    missing: Array
    """Which columns have missing values."""

    @property
    def count(self) -> Array:
        """Bins of each column, without that of the missing values."""
        return np.diff(self.first).astype(np.int32)

    @property
    def plain(self) -> bool:
        """Whether all columns are numeric and complete."""
        return not (self.nominal.any() or self.missing.any())

    @property
    def nominal_values(self) -> tuple[Array | None, ...]:
        """The values of each nominal column; None for numeric ones."""
        return tuple(
            self.upper[self.first[f] : self.first[f + 1]] if nominal else None
            for f, nominal in enumerate(self.nominal)
        )

    def encode(self, X: Array, codes: Array, column: Array | None = None) -> Array:
        """The bins of the inputs go to `codes`, (n, d), those of input f to column[f]."""
        count = self.count.astype(np.int64)
        return encode(X, self.upper, self.first, count, self.nominal, codes, column)


def check_bins(bins: int | None) -> None:
    """Refuse what one byte cannot number."""
    whole = isinstance(bins, (int, np.integer)) and not isinstance(bins, bool)
    if bins is not None and not (whole and 2 <= bins <= FEW):
        raise InputError(
            f"bins={bins!r}: give a whole number from 2 to {FEW}, or None, which tries every split"
        )


def bins_of(X: Array, nominal: Array, most: int | None = None, weight: Array | None = None) -> Bins:
    """Bins of inputs (n, d); `nominal` says which columns have values without order.

    A numeric column with more than `most` distinct values gets so many bins of equally many rows,
    or of equal weight; of more than 131,072 rows, so many are drawn to tell.
    """
    values, count, missing = values_of(X)
    rows = _drawn(X.shape[0])

    def of_column(f: int) -> tuple[Array, Array]:
        groups = GROUPS if most is None else most - int(missing[f])
        if count[f] <= (FEW if nominal[f] or most is None else groups):
            few = values[f, : count[f]]
            return few, few
        if nominal[f]:
            return _of_nominal(X[:, f], f)
        return _of_many(X[:, f], groups, most is None, weight, rows)

    parts = spread(of_column, [(f,) for f in range(X.shape[1])])
    sizes = [lower.size for lower, _ in parts]
    return Bins(
        lower=np.concatenate([lower for lower, _ in parts] or [np.empty(0)]),
        upper=np.concatenate([upper for _, upper in parts] or [np.empty(0)]),
        first=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        nominal=np.asarray(nominal, np.uint8),
        missing=missing,
    )


def _drawn(n: int) -> Array | None:
    """Rows from which borders are taken, one of each of equal pieces; None is all."""
    if n <= DRAWN:
        return None
    place = (np.arange(DRAWN) + np.random.default_rng(0).random(DRAWN)) * (n / DRAWN)
    return np.minimum(place.astype(np.int64), n - 1)


def _known(column: Array) -> Array:
    values = np.sort(column)
    # Sorting puts NaN last.
    return np.asarray(values[: np.searchsorted(values, np.nan)])


def _distinct(values: Array) -> Array:
    """Sorted values, each once."""
    again = values[1:] == values[:-1]
    return np.append(values[:1], values[1:][~again]).astype(np.float64)


def _of_nominal(column: Array, f: int) -> tuple[Array, Array]:
    distinct = _distinct(_known(column))
    if distinct.size > MOST:
        raise InputError(
            f"column {f} is nominal and has {distinct.size} values, at most {MOST} are possible; "
            "leave it out or group its values"
        )
    return distinct, distinct


def _of_many(
    column: Array, groups: int, exact: bool, weight: Array | None, rows: Array | None
) -> tuple[Array, Array]:
    """So many groups of a numeric column; where it is `exact`, a bin for each value if they fit."""
    some = column if rows is None else column[rows]
    values = _known(some)
    if exact or not values.size:
        distinct = _distinct(values)
        if rows is not None and distinct.size <= MOST:
            return _of_many(column, groups, exact, weight, None)
        if distinct.size <= MOST:
            return distinct, distinct
    if exact or weight is None:
        ends = (np.arange(1, groups + 1) * values.size) // groups - 1
    else:
        weight = weight if rows is None else weight[rows]
        ends = _ends(weight[np.argsort(some, kind="stable")[: values.size]], groups)
    upper = np.unique(values[ends])
    if rows is not None:
        # Rows that were not drawn lie anywhere: a bin begins right behind the one before it.
        upper = np.append(upper[:-1], np.inf).astype(np.float64)
        return np.append(-np.inf, np.nextafter(upper[:-1], np.inf)), upper
    begins = np.concatenate([[0], np.searchsorted(values, upper[:-1], side="right")])
    return values[begins].astype(np.float64), upper.astype(np.float64)


def _ends(weight: Array, groups: int) -> Array:
    """The last row of each of so many groups of equal weight; a weight of two is the row twice.

    >>> _ends(np.array([2.0, 1.0, 1.0, 4.0]), 2)
    array([2, 3])
    """
    sums = np.cumsum(weight)
    parts = np.arange(1, groups + 1) * sums[-1] / groups
    whole = bool((weight == np.floor(weight)).all())
    return np.asarray(np.searchsorted(sums, np.floor(parts) if whole else parts * (1 - 1e-12)))
