"""Tables of predictions that the browser tests look at."""

import numpy as np

import heliast as hl


def binary(n: int = 600, models: int = 2, share: float = 0.3, seed: int = 3) -> hl.Predictions:
    """Probabilities of two classes, rounded so that ties occur."""
    draw = np.random.default_rng(seed)
    truth = (draw.random(n) < share).astype(int)
    found = None
    for place in range(models):
        raw = draw.normal(1.6 * truth - 0.8 - 0.4, 1.0 + 0.25 * place)
        score = np.round(1 / (1 + np.exp(-raw)), 3)
        names = np.where(truth == 1, "sick", "well")
        one = hl.Predictions.of(
            names, y_score=score, positive="sick", model=f"model {place + 1}", row=np.arange(n)
        )
        found = one if found is None else found.join(one)
    assert found is not None
    return found


def several(n: int, names: list[str], models: list[str], seed: int = 5) -> hl.Predictions:
    """Probabilities of several classes for several models."""
    draw = np.random.default_rng(seed)
    k = len(names)
    truth = draw.integers(0, k, n)
    found = None
    for place, model in enumerate(models):
        raw = draw.normal(0, 1, (n, k)) + (2.5 - 0.05 * place) * np.eye(k)[truth]
        share = np.exp(raw) / np.exp(raw).sum(axis=1, keepdims=True)
        one = hl.Predictions.of(
            np.array(names, object)[truth], y_score=share, classes=names, model=model,
            row=np.arange(n),
        )  # fmt: skip
        found = one if found is None else found.join(one)
    assert found is not None
    return found
