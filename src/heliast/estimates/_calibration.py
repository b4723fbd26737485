"""The interval of a calibration error: all sizes that the gaps seen do not reject."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import widened
from heliast.estimates._registry import Case, Limits, interval
from heliast.measures import CalibrationError
from heliast.measures.summaries import Reliability, forecasts

DRAWS = 5_000
BOX = 3.0
"""How many standard errors a gap may lie from the one seen."""
WORDS = "inverted noise of the bins"
BY_GROUP = "the value takes out the noise of independent rows, the limits that of groups"


@interval("calibration", WORDS, (CalibrationError,))
def _calibration(case: Case) -> Limits:
    """Sizes theta = sum over bins of share * |gap|^power at which the one seen is no surprise.

    Gaps are normal around the true ones, which are not known bin by bin, so each limit takes those
    of size theta that make it hardest. Low: the gaps seen, all moved towards 0 by the same number
    of standard errors; few gaps are left and the rest is noise, which adds most to the size (at
    theta = 0 none is left and the test is that of calibration: Bröcker and Smith 2007, Increasing
    the reliability of reliability diagrams). High: the same number of standard errors in every
    bin, where noise adds least, or multiples of the gaps seen, whichever reaches farther, each gap
    within three standard errors of the one seen (Berger and Boos 1994, P values maximized over a
    confidence set for the nuisance parameter). At level 95% the interval of a calibrated model
    leaves 0 out with probability 2.5%.
    """
    form = case.formed(CalibrationError)
    if form.reliability is None:
        return Limits(reason=form.why)
    found = form.reliability
    draws, each, shares, df = _noise(case, form, found)
    sizes = _Sizes(found, form.power, draws, shares, (1 - widened(case.level, df)) / 2)
    # What has not happened yet in a bin may still happen: the high end counts at least one row.
    row = found.moments[0] / found.weight / found.weight.sum()
    low, high = sizes.low(np.where(each > 0, each, row)), sizes.high(np.maximum(each, row))
    seen = sizes.of(sizes.gap)
    shrunk = sizes.gap * (form.value / seen) ** (1 / form.power) if seen else sizes.gap
    worth = float(found.weight.sum() ** 2 / found.moments[0].sum())
    if df is not None:
        worth *= min(1.0, float(found.noise.sum() / (each**2).sum()))
    return Limits(
        min(low, form.value),
        min(1.0, max(high, form.value)),
        float(sizes.drawn(shrunk, each).std()),
        n_effective=worth,
        notes=() if df is None else (BY_GROUP,),
    )


@dataclass(frozen=True, eq=False)
class _Sizes:
    """Sizes of gaps, alone or with noise drawn, and the ends that leave `tail` beyond them."""

    found: Reliability
    power: int
    draws: Array
    shares: Array
    tail: float

    @property
    def gap(self) -> Array:
        """The gaps seen."""
        return np.abs(self.found.gap)

    def of(self, gaps: Array) -> float:
        return float(self.found.size(self.power, gaps))

    def drawn(self, gaps: Array, noise: Array) -> Array:
        """Sizes that would be seen if the true gaps were these."""
        size: Array = self.found.size(self.power, gaps + self.draws * noise) + self.shares
        return size

    def low(self, noise: Array) -> float:
        """The least size whose draws still reach the one seen."""
        seen = self.of(self.gap)

        def nearer(steps: float) -> Array:
            return np.maximum(self.gap - steps * noise, 0.0)

        def reaches(steps: float) -> bool:
            return float(np.mean(self.drawn(nearer(steps), noise) >= seen)) >= self.tail

        # A little farther than the farthest gap, so that rounding leaves none.
        return self.of(nearer(_last(reaches, float((self.gap / noise).max()) * (1 + 1e-9))))

    def high(self, noise: Array) -> float:
        """The largest size whose draws still fall to the one seen.

        A size below what calibrated forecasts would mostly show is luck, and counts as their
        median: else the end could be 0 (Cowan and others 2011, Power-constrained limits).
        """
        usual = float(np.median(self.drawn(np.zeros(noise.size), noise)))
        seen = max(self.of(self.gap), usual)
        nearest, farthest = np.maximum(self.gap - BOX * noise, 0.0), self.gap + BOX * noise

        def end(gaps: Array) -> float:
            def moved(steps: float) -> Array:
                away: Array = np.clip(steps * gaps, nearest, farthest)
                return away

            def falls(steps: float) -> bool:
                return float(np.mean(self.drawn(moved(steps), noise) <= seen)) >= self.tail

            return self.of(moved(_last(falls, float((self.gap / noise).max()) + BOX)))

        return max(end(noise), end(self.gap))


def _noise(
    case: Case, form: CalibrationError, found: Reliability
) -> tuple[Array, Array, Array, float | None]:
    """Standard draws for each gap, the gaps' standard errors, what shares add, the groups' df.

    That shares of bins vary from sample to sample moves the size too: by the mean over rows of the
    |gap|^power of their bins.
    """
    count = found.share.size
    normal = np.random.default_rng(case.seed).standard_normal((DRAWS, count + 1))
    local = np.abs(found.gap / found.share) ** form.power
    away = local - found.size(form.power)
    if case.rows.group is None:
        varied = float((found.moments[0] * away**2).sum()) / found.weight.sum() ** 2
        return normal[:, :-1], np.sqrt(found.noise), normal[:, -1] * np.sqrt(varied), None
    covariance, groups = _by_group(case, form, found, away)
    variance = np.append(found.noise, 0.0)
    lacking = np.maximum(variance - np.diag(covariance), 0.0)
    value, vector = np.linalg.eigh(covariance + np.diag(lacking))
    drawn = normal @ (vector * np.sqrt(np.maximum(value, 0.0))).T
    each = np.sqrt(np.maximum(variance, np.diag(covariance)))[:-1]
    standard = np.divide(drawn[:, :-1], each, out=normal[:, :-1].copy(), where=each > 0)
    return standard, each, drawn[:, -1], groups - 1.0


def _by_group(
    case: Case, form: CalibrationError, found: Reliability, away: Array
) -> tuple[Array, int]:
    """The covariance of gaps and shares from sums over groups, and the number of groups.

    G/(G-1) * sum over groups of s s' / n², s a group's sums of what its rows add to each gap.
    """
    rows = case.rows
    assert rows.group is not None
    place = np.unique(Reliability.places(rows, *form.binned(rows)), return_inverse=True)[1]
    member = np.unique(rows.group, return_inverse=True)[1]
    forecast, outcome = forecasts(rows)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    groups, count = int(member.max()) + 1, found.share.size
    part = weight * (forecast - outcome - (found.gap / found.share)[place])
    sums = np.bincount(member * count + place, weights=part, minlength=groups * count)
    moved = np.bincount(member, weights=weight * away[place], minlength=groups)
    total = np.column_stack([sums.reshape(groups, count), moved])
    return groups / (groups - 1) * (total.T @ total) / weight.sum() ** 2, groups


def _last(holds: Callable[[float], bool], most: float) -> float:
    """The largest number up to `most` for which it holds, given that it holds up to some point."""
    if holds(most):
        return most
    low, high = 0.0, most
    for _ in range(20):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
