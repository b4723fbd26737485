"""Coordinates in which a covariance is the identity, and bounds on eigenvalues near it."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from heliast._core.kinds import Floats

ROUNDING = float(np.finfo(np.float64).eps)
NULL = 1e-12
"""Eigenvalues of a correlation matrix below this are rounding: the direction does not exist."""
SMALL = 1e-6
"""Statistics that keep less than this share of some direction are not to be trusted."""


class Whitening(NamedTuple):
    """T with T'(aC + rI)T = I and r T'T diagonal, for the covariance C of centred rows."""

    turn: Floats
    ridge: Floats
    """The diagonal of r T'T."""
    smallest: float
    """The smallest eigenvalue of the correlation matrix (of what is not null)."""
    null: Floats
    """Directions (of inputs divided by their deviations) in which nothing varies."""
    deviation: Floats


def whiten(centred: Floats, size: Floats, divisor: float, ridge: float = 0.0) -> Whitening | None:
    """Twice: the first turn is as good as the condition allows, the second works near identity.

    None if the deviation of some input is no more than the rounding of numbers of its `size`.
    So the error of the result grows with the root of the condition number, as it does in a
    singular value decomposition of the rows, at the cost of two products.
    """
    share = 1.0 - ridge
    matrix = share * (centred.T @ centred) / divisor + ridge * np.eye(centred.shape[1])
    deviation = np.sqrt(np.diag(matrix))
    if not (deviation > 1e3 * ROUNDING * size).all() or not np.isfinite(deviation).all():
        return None
    values, vectors = np.linalg.eigh(matrix / np.outer(deviation, deviation))
    kept = values > NULL
    first = vectors[:, kept] / np.sqrt(values[kept]) / deviation[:, None]
    near = centred @ first
    again = share * (near.T @ near) / divisor + ridge * (first.T @ first)
    spread, _ = extremes(again[None])
    if not kept.any() or spread[0] < 0.5:
        return None
    back = np.linalg.inv(np.linalg.cholesky(again)).T
    turn = first @ back
    diagonal = np.zeros(turn.shape[1])
    if ridge > 0:
        diagonal, rotation = np.linalg.eigh(ridge * (turn.T @ turn))
        turn = turn @ rotation
    return Whitening(turn, diagonal, float(values[kept][0]), vectors[:, ~kept], deviation)


def extremes(matrices: Floats) -> tuple[Floats, Floats]:
    """Bounds below and above on the eigenvalues of symmetric matrices near the identity.

    With F = ‖M - I‖ (Frobenius) they lie in 1 ± F; where that says little they are computed.
    """
    away = matrices - np.eye(matrices.shape[-1])
    norm = np.sqrt(np.einsum("pij,pij->p", away, away))
    low, high = 1.0 - norm, 1.0 + norm
    for p in np.flatnonzero(~(norm < 0.9)):
        if not np.isfinite(matrices[p]).all():
            low[p], high[p] = -np.inf, np.inf
            continue
        values = np.linalg.eigvalsh(matrices[p])
        low[p], high[p] = values[0], values[-1]
    return low, high


def is_short(values: Floats, n: int) -> npt.NDArray[np.bool_]:
    """Whether sums of up to n copies of a number are exact, so that its mean is the number."""
    digits = 52 - int(n).bit_length()
    mantissa, _ = np.frexp(values)
    scaled = mantissa * 2.0**digits
    return np.asarray(scaled == np.round(scaled))
