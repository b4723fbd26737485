"""The bins of the features: every distinct value its own, or groups of equally many rows."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._kernels.binning import encode
from heliast._kernels.ranking import first_of_equals
from heliast._kernels.threads import spread

MOST = 65_533  # bins of a feature: two bytes number them, with those of missing and unseen values
FEW = 256  # bins that one byte numbers
GROUPS = 254  # bins of a feature with more than MOST values


@dataclass(frozen=True)
class Bins:
    """The smallest and largest value of each bin, one feature after the other.

    Bin b of feature f is at first[f] + b. The bin after the last is for missing values, the next
    for nominal values that were not there.
    """

    lower: Array
    upper: Array
    first: Array
    nominal: Array
    missing: Array  # which features have missing values

    @property
    def count(self) -> Array:
        """Bins of each feature, without that of the missing values."""
        return np.diff(self.first)

    @property
    def nominal_values(self) -> tuple[Array | None, ...]:
        """The values of each nominal feature; None for numeric ones."""
        return tuple(
            self.upper[self.first[f] : self.first[f + 1]] if nominal else None
            for f, nominal in enumerate(self.nominal)
        )

    def encode(self, X: Array) -> Array:
        """The bin of each value, (n, d) uint16."""
        codes = np.empty(X.shape, np.uint16)
        return encode(X, self.upper, self.first, self.nominal, codes)


def check_bins(bins: int | None) -> None:
    """Refuse numbers of bins that one byte cannot number."""
    is_whole = isinstance(bins, (int, np.integer)) and not isinstance(bins, bool)
    if bins is not None and not (is_whole and 2 <= bins <= FEW):
        raise InputError(f"bins must be between 2 and {FEW}, or None for every split; got {bins!r}")


def bins_of(X: Array, nominal: Array, most: int | None = None, weight: Array | None = None) -> Bins:
    """Bins of features (n, d); `nominal` says which have values without order.

    A numeric feature with more than `most` distinct values (None: 65,533) gets so many bins (254)
    of equally many rows, or of equal weight.
    """
    missing = np.asarray(np.isnan(X).any(axis=0))

    def bins_of_feature(f: int) -> tuple[Array, Array]:
        values = np.sort(X[:, f])
        values = values[: np.searchsorted(values, np.nan)].astype(np.float64)  # NaN is last
        distinct = values[first_of_equals(values)]
        groups = GROUPS if most is None else most - int(missing[f])
        if distinct.size <= (MOST if most is None or nominal[f] else groups):
            return distinct, distinct
        if nominal[f]:
            raise InputError(
                f"column {f} is nominal and has {distinct.size} values, at most {MOST} are "
                "possible; leave it out or group its values"
            )
        if weight is None:
            ends = np.arange(1, groups + 1) * values.size // groups - 1
        else:
            ends = _equal_weights(weight[np.argsort(X[:, f], kind="stable")[: values.size]], groups)
        upper = np.unique(values[ends])
        begins = np.append(0, np.searchsorted(values, upper[:-1], side="right"))
        return values[begins], upper

    parts = spread(bins_of_feature, [(f,) for f in range(X.shape[1])])
    sizes = [lower.size for lower, _ in parts]
    return Bins(
        lower=np.concatenate([lower for lower, _ in parts] or [np.empty(0)]),
        upper=np.concatenate([upper for _, upper in parts] or [np.empty(0)]),
        first=np.append(0, np.cumsum(sizes)).astype(np.int64),
        nominal=np.asarray(nominal, np.bool_),
        missing=missing,
    )


def _equal_weights(weight: Array, groups: int) -> Array:
    """The last row of each of so many groups of equal weight; a weight of two is the row twice.

    >>> _equal_weights(np.array([2.0, 1.0, 1.0, 4.0]), 2)
    array([2, 3])
    """
    sums = np.cumsum(weight)
    borders = np.arange(1, groups + 1) * sums[-1] / groups
    is_whole = bool((weight == np.floor(weight)).all())
    places: Array = np.searchsorted(sums, np.floor(borders) if is_whole else borders * (1 - 1e-12))
    return places
