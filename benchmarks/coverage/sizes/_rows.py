"""Null world of fixed rules: two models of equal law on the rows of one test set."""

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

import heliast as hl
from benchmarks.coverage.sizes._size import Size, size
from heliast import comparisons as tests

Array = npt.NDArray[Any]
Rng = np.random.Generator
WORLD = "model: fixed rules on one test set"
SIZES = (50, 200, 1000)


def sizes(repetitions: int, seed: int) -> list[Size]:
    rng = np.random.default_rng([seed, 1])
    found = []
    for n in SIZES:
        found += list(_right_or_wrong(n, repetitions, rng))
        found += list(_areas(n, repetitions, rng))
        found += list(_losses(n, repetitions if n < 1000 else repetitions // 2, rng))
    found += list(_grouped(200, repetitions // 2, rng))
    found += list(_any_measure(200, repetitions // 10, rng))
    return found


def _wrong(n: int, rate: float, share: float, models: int, rng: Rng, extra: float = 0.0) -> Array:
    """Errors of several models: a latent hardness shared by all, cut so that all err at `rate`."""
    from scipy.special import ndtri

    latent = np.sqrt(share) * rng.normal(size=(n, 1))
    latent = latent + np.sqrt(1 - share) * rng.normal(size=(n, models))
    cuts = np.full(models, ndtri(rate))
    cuts[0] = ndtri(rate + extra)
    return latent < cuts


def _right_or_wrong(n: int, times: int, rng: Rng) -> Iterator[Size]:
    for rate, share in ((0.02, 0.5), (0.1, 0.5), (0.3, 0.5), (0.1, 0.95), (0.3, 0.95)):
        case = f"error {rate:g}, shared {share:g}"
        null = [_wrong(n, rate, share, 3, rng) for _ in range(times)]
        other = [_wrong(n, rate, share, 3, rng, 0.08) for _ in range(times // 4)]
        for test, default, p in (
            ("mcnemar, mid-p", True, lambda w: _mcnemar(w)),
            ("mcnemar, exact", False, lambda w: _mcnemar(w, exact=True)),
            ("mcnemar, chi-square", False, lambda w: _mcnemar(w, chi_square="plain")),
            ("mcnemar, corrected", False, lambda w: _mcnemar(w, chi_square="corrected")),
            ("cochran_q (3 models)", True, lambda w: tests.cochran_q(~w).p),
            ("mcnemar + Holm, any of 3", True, _any_pair),
        ):
            yield size(WORLD, case, test, default, n, map(p, null), map(p, other))


def _mcnemar(wrong: Array, **how: Any) -> float:
    a, b = wrong[:, 0], wrong[:, 1]
    return tests.mcnemar(int((a & ~b).sum()), int((b & ~a).sum()), **how).p


def _any_pair(wrong: Array) -> float:
    pairs = [_mcnemar(wrong[:, list(pair)]) for pair in combinations(range(3), 2)]
    return min(tests.holm(pairs))


def _areas(n: int, times: int, rng: Rng) -> Iterator[Size]:
    for positives, gap, share in (
        (0.5, 1.0, 0.5),
        (0.1, 1.0, 0.5),
        (0.5, 2.5, 0.5),
        (0.1, 2.5, 0.9),
    ):
        truth = np.arange(n) < round(positives * n)

        def p(loss: float, truth: Array = truth, gap: float = gap, share: float = share) -> float:
            shared = np.sqrt(share) * rng.normal(size=n)
            scores = shared + np.sqrt(1 - share) * rng.normal(size=(2, n))
            scores[0] += gap * truth
            scores[1] += gap * (1 - loss) * truth
            return tests.delong_paired(truth, *scores).p

        case = f"positives {positives:g}, gap {gap:g}, shared {share:g}"
        null, other = (p(0.0) for _ in range(times)), (p(0.3) for _ in range(times // 4))
        yield size(WORLD, case, "delong_paired", True, n, null, other)


def _loss_pairs(kind: str, n: int, rng: Rng, worse: float = 0.0) -> tuple[Array, Array]:
    """Losses of two models, equal in law: squared, logarithmic (heavy), or right or wrong."""
    shared = rng.normal(size=n)
    a, b = shared + rng.normal(size=(2, n))
    a = a + worse
    if kind == "log loss":
        return np.log1p(np.exp(2 * a)), np.log1p(np.exp(2 * b))
    if kind == "squared":
        return a**2, b**2
    return (a > 1).astype(float), (b > 1).astype(float)


def _losses(n: int, times: int, rng: Rng) -> Iterator[Size]:
    for kind in ("log loss", "squared", "right or wrong"):

        def p(worse: float, at: int, kind: str = kind) -> float:
            return tests.permutation(*_loss_pairs(kind, n, rng, worse), seed=at).p

        null, other = (p(0.0, at) for at in range(times)), (p(0.3, at) for at in range(times // 4))
        yield size(WORLD, kind, "permutation", kind != "right or wrong", n, null, other)


def _grouped(n: int, times: int, rng: Rng) -> Iterator[Size]:
    """Rows of a group are hard for the same model: `compare` flips whole groups."""
    for each in (5, 10):

        def p(worse: float, seed: int, each: int = each) -> float:
            group = np.arange(n) // each
            lean = rng.normal(size=(2, n // each))[:, group]
            wrong = lean + rng.normal(size=(2, n)) > 1.2 - np.array([[worse], [0.0]])
            truth = rng.integers(0, 2, n)
            table = _joined(truth, [np.where(w, 1 - truth, truth) for w in wrong], group=group)
            return hl.compare(table, "error", seed=seed)["a", "b"].p

        null, other = (p(0.0, at) for at in range(times)), (p(0.5, at) for at in range(times // 4))
        yield size(WORLD, f"groups of {each}", "auto: permutation by group", True, n, null, other)


def _any_measure(n: int, times: int, rng: Rng) -> Iterator[Size]:
    """Measures that are no mean of row losses: `compare` draws rows again."""
    for name in ("kappa", "f1.macro"):

        def p(extra: float, seed: int, name: str = name) -> float:
            truth = (rng.random(n) < 0.3).astype(int)
            wrong = _wrong(n, 0.15, 0.5, 2, rng, extra).T
            table = _joined(truth, [np.where(w, 1 - truth, truth) for w in wrong])
            return hl.compare(table, name, seed=seed)["a", "b"].p

        null = (p(0.0, at) for at in range(times))
        yield size(WORLD, name, "auto: bootstrap", True, n, null)


def _joined(truth: Array, labels: list[Array], **fields: Any) -> hl.Predictions:
    parts = [
        hl.Predictions.of(truth, label, model=name, row=np.arange(truth.size), positive=1, **fields)
        for name, label in zip("ab", labels, strict=True)
    ]
    return parts[0].join(parts[1])


Draw = Callable[[], Array]
