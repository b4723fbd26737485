"""Facts of each row from which every definition of bias and variance is computed."""

from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Votes:
    """Zero-one loss at each row: posteriors PY of the classes, shares PC of the votes.

    y* is the class of largest posterior, m the class of most votes.
    """

    best_posterior: Array
    """PY(y*)."""
    main_posterior: Array
    """PY(m)."""
    main: Array
    """PC(m)."""
    best: Array
    """PC(y*)."""
    hit: Array
    """Σ PY PC: how often vote and class agree."""
    posterior_squares: Array
    """Σ PY²."""
    squares: Array
    """Σ PC²."""
    agrees: Array
    """Whether m = y*."""


@dataclass(frozen=True, eq=False)
class Facts:
    """What a loss L makes of the class or number Y at each row and of its predictions C.

    S denotes the systematic part of either: the fixed answer of least expected loss.
    """

    count: Array
    """How many predictions the row has (NaN elsewhere if none)."""
    loss: Array
    """E L(Y, C), with Y and C independent."""
    noise: Array
    """E L(Y, SY): what the best possible answer loses."""
    systematic: Array
    """E L(Y, SC): what the systematic part of the predictions loses."""
    bias: Array
    """L(SY, SC)."""
    variance: Array
    """E L(C, SC)."""
    votes: Votes | None = None
    unbiased: bool = True
    """Whether definitions that can are to undo what a finite number of splits adds to the bias."""
