"""Votes as they come beside scikit-learn's as they come, on sets made to break them.

Each set has something that the sets of `defaults` lack: hardly any rows of a class, more inputs
than rows, flags of nominal inputs, counts, heavy tails, rows that are there several times, wrong
labels, many classes, inputs that say nothing, missing values. Half of the rows are learned from,
the others judge, ten times anew. Printed are mean errors in per cent and how many joint standard
errors a vote is above its namesake: by the binomial noise of one test half, as three of them are
what a default may lose at most, and by the paired differences of the repeats.

    python -m benchmarks.studies.doubts [--repeats 10] [names of sets]
"""

import argparse
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import heliast as hl

Rows = tuple[NDArray[np.float64], NDArray[np.int64]]
PAIRS = (
    ("bagging", "Bagging"),
    ("bagging", "Bagging of 100"),
    ("forest", "RandomForest"),
    ("boosting", "AdaBoost"),
)


def rare(rng: Any) -> Rows:
    """One row in fifty is of the class that matters."""
    y = (np.arange(3000) % 50 == 0).astype(np.int64)
    X = rng.normal(size=(3000, 10))
    X[:, :3] += 1.2 * y[:, None]
    return X, y


def wide(rng: Any) -> Rows:
    """200 rows of 100 inputs, ten of which tell a little."""
    y = rng.integers(2, size=200)
    X = rng.normal(size=(200, 100))
    X[:, :10] += 0.6 * y[:, None]
    return X, y


def nominal(rng: Any) -> Rows:
    """Twelve nominal inputs of eight values, as flags; pairs of them decide."""
    values = rng.integers(8, size=(1500, 12))
    score = np.random.default_rng(3).normal(size=(4, 8, 8))
    total = sum(score[at, values[:, 2 * at], values[:, 2 * at + 1]] for at in range(4))
    y = np.digitize(total + rng.normal(0, 0.5, 1500), [-1.0, 1.0])
    return np.eye(8)[values].reshape(1500, 96), y


def counted(rng: Any) -> Rows:
    """Counts of words, mostly zero, in four kinds of text."""
    rates = np.random.default_rng(4).gamma(0.3, 1.5, size=(4, 40))
    y = rng.integers(4, size=1500)
    return rng.poisson(rates[y] * rng.gamma(2, 0.25, (1500, 1))).astype(float), y


def tails(rng: Any) -> Rows:
    """Inputs of Cauchy's distribution; three of fifteen are shifted."""
    y = rng.integers(3, size=1500)
    X = rng.standard_cauchy((1500, 15))
    X[:, :3] += 2.0 * (y[:, None] == np.arange(3))
    return X, y


def again(rng: Any) -> Rows:
    """300 rows, each there one to nine times, so that halves share rows."""
    y = rng.integers(3, size=300)
    X = rng.normal(size=(300, 8)) + 0.7 * y[:, None] * (np.arange(8) < 3)
    rows = rng.permutation(np.repeat(np.arange(300), rng.integers(1, 10, 300)))
    return X[rows], y[rows]


def wrong(rng: Any) -> Rows:
    """One label in five is wrong."""
    X = rng.normal(size=(1500, 10))
    y = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(np.int64)
    return X, np.where(rng.random(1500) < 0.2, 1 - y, y)


def additive(rng: Any) -> Rows:
    """A sum of inputs decides, and one label in five is wrong: what stumps are made for."""
    X = rng.normal(size=(1500, 10))
    y = (X[:, :5].sum(axis=1) > 0).astype(np.int64)
    return X, np.where(rng.random(1500) < 0.2, 1 - y, y)


def step(rng: Any) -> Rows:
    """One threshold of one input decides, and three labels in ten are wrong: a stump would do."""
    X = rng.normal(size=(2000, 10))
    y = (X[:, 0] > 0).astype(np.int64)
    return X, np.where(rng.random(2000) < 0.3, 1 - y, y)


def many(rng: Any) -> Rows:
    """Thirty classes."""
    centres = np.random.default_rng(5).normal(size=(30, 12)) * 1.3
    y = rng.integers(30, size=2400)
    return centres[y] + rng.normal(size=(2400, 12)), y


def empty(rng: Any) -> Rows:
    """Of 30 inputs, 20 are constant and 5 copies of others."""
    X = np.zeros((1000, 30))
    X[:, :5] = rng.normal(size=(1000, 5))
    X[:, 5:10] = X[:, :5]
    y = (X[:, 0] ** 2 + X[:, 1] + rng.normal(0, 0.4, 1000) > 0.8).astype(np.int64)
    return X, y


def missing(rng: Any) -> Rows:
    """A fifth of all values is missing, more often where they are large."""
    y = rng.integers(3, size=1500)
    X = rng.normal(size=(1500, 10)) + 0.8 * y[:, None] * (np.arange(10) < 4)
    X[rng.random(X.shape) < 0.2 + 0.1 * np.sign(X)] = np.nan
    return X, y


SETS: dict[str, Callable[[Any], Rows]] = {
    made.__name__: made
    for made in (
        rare, wide, nominal, counted, tails, again, wrong, additive, step, many, empty, missing,
    )
}  # fmt: skip


def models(seed: int, gaps: bool) -> dict[str, Any]:
    """All as they come; scikit-learn's AdaBoost takes no missing values."""
    from sklearn.ensemble import AdaBoostClassifier as Ada
    from sklearn.ensemble import BaggingClassifier as Bag
    from sklearn.ensemble import RandomForestClassifier as Forest

    found = {
        "bagging": hl.BaggedVote(random_state=seed),
        "forest": hl.BaggedVote(features="sqrt", random_state=seed),
        "boosting": hl.BoostedVote(random_state=seed),
        "Bagging": Bag(random_state=seed),
        "Bagging of 100": Bag(n_estimators=100, random_state=seed),
        "RandomForest": Forest(random_state=seed),
        "AdaBoost": Ada(random_state=seed),
    }
    return {name: model for name, model in found.items() if not (gaps and name == "AdaBoost")}


def errors(make: Callable[[Any], Rows], repeats: int) -> tuple[dict[str, NDArray[Any]], int]:
    """Errors on the other half, one a repeat, by model; rows of a half."""
    found: dict[str, list[float]] = {}
    for seed in range(repeats):
        rng = np.random.default_rng(100 + seed)
        X, y = make(rng)
        half = rng.permutation(len(y))
        train, test = half[::2], half[1::2]
        for name, model in models(seed, bool(np.isnan(X).any())).items():
            wrong = model.fit(X[train], y[train]).predict(X[test]) != y[test]
            found.setdefault(name, []).append(float(wrong.mean()))
    return {name: np.array(each) for name, each in found.items()}, len(test)


def above(ours: NDArray[Any], its: NDArray[Any], n: int) -> str:
    """Joint standard errors of one test half, and those of the paired differences."""
    a, b = ours.mean(), its.mean()
    joint = np.sqrt((a * (1 - a) + b * (1 - b)) / n) or np.inf
    paired = (ours - its).std(ddof=1) / np.sqrt(ours.size) or np.inf
    return f"{(a - b) / joint:+.1f} ({(a - b) / paired:+.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--repeats", type=int, default=10)
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # inputs of one value, classes of few rows
    names = list(models(0, False))
    head = ["data", *names, *(f"{ours} - {its}" for ours, its in PAIRS)]
    print("|", " | ".join(head), "|\n" + "| --- " * len(head) + "|", flush=True)
    for name in asked.sets:
        found, n = errors(SETS[name], asked.repeats)
        means = [f"{100 * found[one].mean():.1f}" if one in found else "" for one in names]
        pairs = [above(found[a], found[b], n) if b in found else "" for a, b in PAIRS]
        print("|", " | ".join([name, *means, *pairs]), "|", flush=True)


if __name__ == "__main__":
    main()
