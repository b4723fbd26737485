"""How many members a vote of probabilities needs to beat one model (theorem 8)."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.theory._posteriors import ASKED, at_rows, true_posteriors
from heliast.theory._repeated import out_of_sample, repeated_scores

METHOD = "jackknife over rows and splits"


@told(
    {
        "rho": "Estimate: Correlation of two members.",
        "gamma": "Estimate: Variance of the one model, in units of a member's, both at the same "
        "signal.",
        "members": "Estimate: B, the number of members above which the vote is better; infinite if "
        "none is.",
        "alpha_vote": "float: Slope of the vote's estimates on the posteriors.",
        "alpha_one": "float: Slope of the one model's estimates.",
        "variance_member": "float: Variance of one member at a row and class.",
        "variance_one": "float: Variance of the one model at a row and class.",
        "splits": "int: Number of splits.",
        "rows": "int: Number of rows.",
    }
)
@dataclass(frozen=True)
class NeededMembers(Shown):
    """rho, gamma and the number of members B above which the vote has the better signal.

    B is infinite where rho >= gamma: no number helps.

    Examples
    --------
    >>> rho, gamma, members = Estimate(0.1), Estimate(0.4), Estimate(3.0, 2.0, 5.5)
    >>> NeededMembers(rho, gamma, members, 0.4, 0.8, 0.05, 0.06, splits=10, rows=50).sentence
    'more than 3.0 members are needed (2.0 to 5.5)'
    """

    rho: Estimate
    gamma: Estimate
    members: Estimate
    alpha_vote: float
    alpha_one: float
    variance_member: float
    variance_one: float
    splits: int
    rows: int

    @property
    def sentence(self) -> str:
        """The answer in words."""
        b = self.members
        if math.isinf(b.value):
            return "members are too much alike: no number of them beats the one model"
        above = "any number" if math.isinf(b.high) else f"{b.high:.1f}"
        return f"more than {b.value:.1f} members are needed ({b.low:.1f} to {above})"


@told(
    ASKED
    | {
        "member": "str: Name of the model of a single member.",
        "vote": "str: Name of the model of the mean of `size` members.",
        "size": "int: Number of members in the vote, at least 2.",
        "one": "str: Name of the single model.",
        "at_least": "float, default 0.01: Only classes with a posterior above this count.",
    },
    returns="NeededMembers: rho, gamma and B with their intervals.",
    raises="If `size` is below 2, or the posteriors are not known.",
)
def needed_members(
    predictions: Predictions,
    member: str,
    vote: str,
    size: int,
    one: str,
    posteriors: npt.ArrayLike | None = None,
    *,
    at_least: float = 0.01,
    level: float = 0.95,
) -> NeededMembers:
    """From which number of members on a mean of probabilities beats one model, by theorem 8.

    `member` is the model of a single member, `vote` that of the mean of `size` of them (outputs
    like `coded/substitution/B=1` and `coded/substitution/B=100`), `one` the single model. Over
    training sets, at a row and class, Var(vote) = Var(member) (1 + (size - 1) rho) / size gives
    rho; gamma = (Var(one) / alpha_one²) / (Var(member) / alpha_vote²), where alpha is the slope of
    the estimates on the true posteriors; and the vote has the lower coefficient of variation if and
    only if B > (1 - rho) / (gamma - rho). Variances are means over rows and classes whose
    posterior is above `at_least`. Intervals by jackknife over rows and splits; for B from 1 / B.

    Examples
    --------
    >>> import heliast as hl
    >>> data = hl.data.simulate.two_gaussians(bayes_error=0.15).sample(50, seed=1)
    >>> tree = hl.Tree(limits="s-plus")
    >>> models = {"bag": hl.BaggedVote(tree, 10, random_state=1), "tree": tree}
    >>> table = hl.run(models, data, hl.Fresh(10, n_train=40), progress=False)
    >>> names = ("bag/soft/B=1", "bag/soft/B=10", 10, "tree")
    >>> found = hl.theory.needed_members(table, *names, data.posteriors)
    >>> round(found.members.value, 2)
    3.31

    References
    ----------
    thesis, section 3.4 (which prints >=; equality gives equal coefficients).
    """
    if size < 2:
        raise InputError(f"size={size!r}: the vote is a mean of at least 2 members")
    table = out_of_sample(predictions)
    known = true_posteriors(table, posteriors)[0]
    if known is None:
        raise InputError("posteriors: the true ones are needed; give them, or a model 'bayes'")
    parts = [repeated_scores(table, name) for name in (member, vote, one)]
    splits = len(parts[0][0])
    if splits < 3:
        raise NotEnoughData(f"{splits} splits: variances over training sets need at least 3")
    truth = at_rows(known, parts[0][3])
    moments = [_Moments.of(part[0], truth, truth > at_least) for part in parts]

    def answer(v: Array, alpha: Array) -> Array:
        rho = (size * v[1] / v[0] - 1) / (size - 1)
        gamma = (v[2] / alpha[2] ** 2) / (v[0] / alpha[1] ** 2)
        return np.array([rho, gamma, (gamma - rho) / max(1 - rho, 1e-12)])

    v, alpha = np.array([one.whole() for one in moments]).T
    value = answer(v, alpha)
    used = np.flatnonzero((truth > at_least).any(axis=1))
    by_split = [[one.without_split(t) for one in moments] for t in range(splits)]
    by_row = [[one.without_row(int(i)) for one in moments] for i in used]
    left_out = [[answer(*np.array(pairs).T) for pairs in some] for some in (by_split, by_row)]
    variance = _jackknife(left_out[0]) + _jackknife(left_out[1])
    estimates = [_estimate(value[at], variance[at], splits, level) for at in range(3)]
    return NeededMembers(
        rho=estimates[0],
        gamma=estimates[1],
        members=_inverted(estimates[2]),
        alpha_vote=float(alpha[1]),
        alpha_one=float(alpha[2]),
        variance_member=float(v[0]),
        variance_one=float(v[2]),
        splits=splits,
        rows=len(truth),
    )


@dataclass(frozen=True, eq=False)
class _Moments:
    """What is left of one model's scores: sums over cells, by row and by split."""

    spread: Array
    """(rows,) sums over cells of the variance over splits."""
    far: Array
    """(splits,) sums over cells of squared distances from the mean over splits."""
    cells: Array
    """(rows,) how many cells a row has."""
    line: Array
    """(rows, 4) sums of q, q², p and pq over cells, p the mean over splits."""
    by_split: Array
    """(splits, 2) sums of p and pq over all cells."""

    @classmethod
    def of(cls, scores: Array, truth: Array, keep: Array) -> "_Moments":
        mean = scores.mean(axis=0)
        far = (scores - mean) ** 2 * keep
        q, p = truth * keep, mean * keep
        line = np.stack([q.sum(1), (q * q).sum(1), p.sum(1), (p * q).sum(1)], axis=1)
        every = scores * keep
        return cls(
            spread=far.sum(axis=(0, 2)) / (len(scores) - 1),
            far=far.sum(axis=(1, 2)),
            cells=keep.sum(axis=1).astype(float),
            line=line,
            by_split=np.stack([every.sum(axis=(1, 2)), (every * q).sum(axis=(1, 2))], axis=1),
        )

    def whole(self) -> tuple[float, float]:
        """Mean variance, and slope on the posteriors."""
        cells = self.cells.sum()
        return float(self.spread.sum() / cells), _slope(self.line.sum(axis=0), cells)

    def without_split(self, t: int) -> tuple[float, float]:
        T = self.far.size
        spread = (self.far.sum() - T / (T - 1) * self.far[t]) / (T - 2)
        cells, line = self.cells.sum(), self.line.sum(axis=0)
        line[2:] = (self.by_split.sum(axis=0) - self.by_split[t]) / (T - 1)
        return float(spread / cells), _slope(line, cells)

    def without_row(self, i: int) -> tuple[float, float]:
        cells = self.cells.sum() - self.cells[i]
        spread = self.spread.sum() - self.spread[i]
        return float(spread / cells), _slope(self.line.sum(axis=0) - self.line[i], cells)


def _slope(line: Array, cells: float) -> float:
    q, qq, p, pq = line / cells
    return float((pq - p * q) / (qq - q * q))


def _jackknife(again: list[Array]) -> Array:
    """The variance of each entry, from its values with one unit left out."""
    values = np.array(again)
    spread: Array = ((values - values.mean(axis=0)) ** 2).sum(axis=0)
    return spread * (len(values) - 1) / len(values)


def _estimate(value: float, variance: float, splits: int, level: float) -> Estimate:
    se = math.sqrt(variance)
    far = float(stats.t.ppf((1 + level) / 2, splits - 1)) * se
    return Estimate(
        float(value), float(value - far), float(value + far), se, level, METHOD, "procedure",
        n=float(splits),
    )  # fmt: skip


def _inverted(one: Estimate) -> Estimate:
    """The estimate of B from that of 1 / B."""
    value, low, high = (1 / x if x > 0 else math.inf for x in (one.value, one.high, one.low))
    return Estimate(value, low, high, level=one.level, method=METHOD, target="procedure", n=one.n)
