"""The penalty of ridge decoding, from honest answers."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.records import as_dict
from heliast.decoders._checks import Array, answers, signs

Rule = Literal["honest", "closed", "gcv"]
GRID: tuple[float, ...] = (*np.logspace(0, 4, 17).tolist(), inf)
"""10^0 to 10^4 in quarters of a decade, and infinity, which is L1."""


@dataclass(frozen=True)
class Penalty:
    """What `choose_lam` chose and from what."""

    lam: float
    rule: Rule
    noise: float
    """Mean squared distance of the answers from the words of the true classes."""
    grid: tuple[float, ...] = ()
    values: tuple[float, ...] = ()
    """The error (`honest`) or the criterion (`gcv`) at each value of the grid."""

    def to_dict(self) -> dict[str, object]:
        """The record as plain values."""
        return as_dict(self)


def choose_lam(p: Any, truth: Any, code: Any, rule: Rule = "honest") -> Penalty:
    """The penalty of ridge decoding from answers for rows that the base has not seen.

    `honest`: of 10^0 to 10^4 and infinity the one with the fewest errors, ties to the larger.
    `closed`: lam = 4 k s2, s2 = mean (p_j - Z_yj)^2. `gcv`: of the same grid the least mean over
    rows of RSS / (1 - tr H / B)^2, H = M'(M M' + lam I)^-1 M. `truth` numbers the class of each
    row. Answers for training rows would be near the words: lam near 0, and decoding by noise.

    >>> rng = np.random.default_rng(0)
    >>> code = rng.integers(0, 2, (4, 12))
    >>> truth = rng.integers(0, 4, 300)
    >>> p = np.clip(code[truth] + rng.normal(0, 0.5, (300, 12)), 0, 1)
    >>> round(choose_lam(p, truth, code, "closed").lam, 2)
    1.85

    References: Hoerl, Kennard and Baldwin (1975), Communications in Statistics 4, 105-123 (the
    closed form); Golub, Heath and Wahba (1979), Technometrics 21, 215-223 (GCV).
    """
    p, code = answers(p, code)
    rows = np.asarray(truth)
    if p.ndim != 2 or rows.shape != p.shape[:1] or rows.size == 0:
        raise InputError(f"p has shape {p.shape}, truth {rows.shape}: give a class for each row")
    if rule not in RULES:
        raise InputError(f"rule={rule!r}: choose one of {', '.join(RULES)}")
    return RULES[rule](p, rows, code)


def _noise(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any]) -> float:
    return float(np.mean((p - code[truth]) ** 2))


def _closed(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any]) -> Penalty:
    noise = _noise(p, truth, code)
    return Penalty(4 * code.shape[0] * noise, "closed", noise)


def _honest(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any]) -> Penalty:
    signed = signs(code)
    size, turn = np.linalg.eigh(signed @ signed.T)
    turned = (2 * (p @ signed.T) - signed.sum(axis=1)) @ turn

    def error(lam: float) -> float:
        scale = np.ones_like(size) if lam == inf else 1 / (size + lam)
        label = ((turned * scale) @ turn.T).argmax(axis=1)
        return float(np.mean(label != truth))

    return _least(error, "honest", _noise(p, truth, code))


def _gcv(p: Array, truth: npt.NDArray[Any], code: npt.NDArray[Any]) -> Penalty:
    signed = signs(code)
    columns = code.shape[1]
    _, size, turn = np.linalg.svd(signed, full_matrices=False)
    f = 2 * p - 1
    inside = ((f @ turn.T) ** 2).mean(axis=0)
    outside = float((f**2).sum(axis=1).mean() - inside.sum())

    def criterion(lam: float) -> float:
        left = np.ones_like(size) if lam == inf else lam / (size**2 + lam)
        freedom = float((1 - left).sum())
        return float((outside + left**2 @ inside) / (1 - freedom / columns) ** 2)

    return _least(criterion, "gcv", _noise(p, truth, code))


def _least(worth: Callable[[float], float], rule: Rule, noise: float) -> Penalty:
    values = tuple(worth(lam) for lam in GRID)
    best = max(at for at, value in enumerate(values) if value == min(values))
    return Penalty(GRID[best], rule, noise, GRID, values)


RULES: dict[str, Callable[[Array, npt.NDArray[Any], npt.NDArray[Any]], Penalty]] = {
    "honest": _honest,
    "closed": _closed,
    "gcv": _gcv,
}
