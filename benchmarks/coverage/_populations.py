"""Populations of a million predicted rows, whose own values are the truth."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.predictions import Rows

Array = npt.NDArray[Any]

SIZE = 1_000_000


def two_classes(share: float, area: float, seed: int, sharpness: float = 1.0) -> Rows:
    """Normal scores of both classes with the given AUC; as many labelled positive as are.

    Probabilities are the posteriors, made too bold by `sharpness` above 1.
    """
    from scipy.special import expit, ndtri

    rng = np.random.default_rng(seed)
    gap = float(np.sqrt(2) * ndtri(area))
    truth = (rng.random(SIZE) < share).astype(np.uint8)
    score = rng.normal(size=SIZE) + gap * truth
    cut = np.quantile(score, 1 - share)
    odds = np.log(share / (1 - share)) + gap * score - gap**2 / 2
    return Rows(
        "classification",
        truth,
        (score > cut).astype(np.uint8),
        expit(sharpness * odds),
        "probability",
        classes=(0, 1),
        positive=1,
    )


def labels_only(rows: Rows) -> Rows:
    """The same rows without scores."""
    return Rows(
        "classification", rows.y_true, rows.y_pred, classes=rows.classes, positive=rows.positive
    )


def several_classes(shares: tuple[float, ...], gap: float, seed: int) -> Rows:
    """Classes at the corners of a simplex, `gap` standard deviations out; labels by posterior."""
    rng = np.random.default_rng(seed)
    k = len(shares)
    truth = rng.choice(k, size=SIZE, p=shares).astype(np.uint8)
    score = gap * (rng.normal(size=(SIZE, k)) + gap * np.eye(k)[truth]) + np.log(shares)
    score -= score.max(axis=1, keepdims=True)
    weight = np.exp(score)
    probability = weight / weight.sum(axis=1, keepdims=True)
    return Rows(
        "classification",
        truth,
        probability.argmax(axis=1).astype(np.uint8),
        probability,
        "probability",
        classes=tuple(range(k)),
    )


def numbers(kind: str, seed: int) -> Rows:
    """Predicted numbers with normal errors, heavy-tailed errors, or errors that grow with size."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=SIZE)
    if kind == "normal":
        label = truth + rng.normal(scale=0.5, size=SIZE)
    elif kind == "heavy tails":
        label = truth + 0.3 * rng.standard_t(5, size=SIZE)
    else:
        truth = np.exp(truth)
        label = truth * np.exp(rng.normal(scale=0.25, size=SIZE))
    return Rows("regression", truth, label)
