"""At which rate an error falls with the number of members: curves a + c B^power."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told


@told(
    {
        "power": "float: -1/2 for a fall as 1/sqrt(B), -1 for one as 1/B.",
        "limit": "float: Where the curve ends as B grows.",
        "slope": "float: How far above the limit it is at B = 1.",
        "r_squared": "float: Share of the variance that the curve explains; the squared "
        "correlation with B^power.",
        "n": "int: Number of points.",
    }
)
@dataclass(frozen=True)
class PowerFit(Shown):
    """The curve limit + slope * B^power by least squares.

    Examples
    --------
    >>> fit = power_fit([1, 4, 16], [0.5, 0.3, 0.2], power=-0.5)
    >>> round(fit.limit, 3), round(fit.slope, 3), round(fit.r_squared, 6)
    (0.1, 0.4, 1.0)
    """

    power: float
    limit: float
    slope: float
    r_squared: float
    n: int

    @told(
        {"members": "array-like: Numbers of members B, above 0."},
        returns="array: limit + slope * B^power.",
    )
    def at(self, members: npt.ArrayLike) -> Array:
        """The curve at some numbers of members."""
        return np.asarray(self.limit + self.slope * _numbers(members) ** self.power)


@told(
    {
        "members": "array-like: Numbers of members B, above 0, one an error.",
        "error": "array-like: The error with so many members, in any unit.",
        "power": "float, default -0.5: The power of B, below 0.",
    },
    returns="PowerFit: The curve, and how much of the variance it explains.",
)
def power_fit(members: npt.ArrayLike, error: npt.ArrayLike, power: float = -0.5) -> PowerFit:
    """The least-squares curve a + c B^power through errors at numbers of members.

    The chance that a vote with B random columns is not that of the limit is about
    0.5 - m sqrt(B) while m sqrt(B) is small and falls exponentially in the end, so that the error
    moves through the powers of B: 1/sqrt(B) first, then 1/B. Figure 2.3 of the thesis fits
    power -1/2 to the first four numbers of columns and power -1 to the last four.

    Raises
    ------
    InputError
        If shapes differ, a number is not finite or the power is not below 0.
    NotEnoughData
        If there are fewer than three points or two numbers of members.

    Examples
    --------
    >>> error = [30.0, 25.0, 22.5, 21.25]
    >>> power_fit([10, 20, 40, 80], error, power=-1).at([160]).round(3).tolist()
    [20.625]

    References
    ----------
    thesis, section 2.2.2 (rates of convergence), figures 2.3 and 2.4.
    """
    number, value = _numbers(members), np.asarray(error, np.float64)
    if number.ndim != 1 or number.shape != value.shape:
        raise InputError(
            f"members has shape {number.shape} and error {value.shape}; give one number of members "
            "for each error"
        )
    if not np.isfinite(value).all():
        raise InputError("error: every error must be a finite number")
    if not -np.inf < power < 0:
        raise InputError(f"power={power!r}: choose a number below 0, such as -0.5 or -1")
    if number.size < 3 or np.unique(number).size < 2:
        raise NotEnoughData(
            f"{number.size} points at {np.unique(number).size} numbers of members: a curve needs "
            "at least 3 points and 2 numbers"
        )
    x = number**power
    slope, limit = np.polyfit(x, value, 1)
    left = ((value - limit - slope * x) ** 2).sum()
    total = ((value - value.mean()) ** 2).sum()
    r_squared = 1 - left / total if total > 0 else np.nan
    return PowerFit(float(power), float(limit), float(slope), float(r_squared), number.size)


def _numbers(members: npt.ArrayLike) -> Array:
    number = np.asarray(members, np.float64)
    if not (np.isfinite(number) & (number > 0)).all():
        raise InputError("members: numbers of members are above 0")
    return number
