"""Do 256 bins of an input cost accuracy? Votes of trees on 20 data sets, binned and exact.

    HELIAST_DATA=folder python -m benchmarks.studies.bins

Two thirds of the rows train, the rest is judged, three times. Both votes draw the same bootstrap
samples. The difference of the errors is paired by rows; its standard error is that of the rows on
which one of the two is wrong and the other is not, so that of about 20 differences one may be
beyond two of them. Sets whose inputs have at most 256 values are left out: bins are exact there.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn import datasets

import heliast as hl

FILES = ("glass", "musk", "pima", "sonar", "spam", "vowel")
MEMBERS, TIMES = 50, 3
DEEP = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0)
SIX = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_depth=6)
VOTES = {
    "bagging": lambda bins: hl.BaggedVote(DEEP, MEMBERS, bins=bins, random_state=1),
    "forest": lambda bins: hl.BaggedVote(
        DEEP, MEMBERS, features="sqrt", bins=bins, random_state=1
    ),
    "boosting": lambda bins: hl.BoostedVote(
        SIX, MEMBERS, draw="weights", on_weak="stop", multiclass="samme", bins=bins, random_state=1
    ),
}  # fmt: skip


def sets() -> Iterator[tuple[str, Any, Any]]:
    """Name, inputs and classes."""
    folder = Path(os.environ.get("HELIAST_DATA", ""))
    for name in FILES:
        if (folder / f"{name}.csv").is_file():
            data = hl.read(str(folder / f"{name}.csv"), target="class")
            kept = [f for f in range(data.matrix.shape[1]) if f not in data.nominal]
            yield name, data.matrix[:, kept], np.asarray(data.y_true)
    yield "breast cancer", *datasets.load_breast_cancer(return_X_y=True)
    yield "hastie", *datasets.make_hastie_10_2(3_000, random_state=1)
    yield "moons", *datasets.make_moons(2_000, noise=0.3, random_state=1)
    yield "circles", *datasets.make_circles(2_000, noise=0.2, factor=0.6, random_state=1)
    for d, k in ((2, 3), (5, 4), (10, 3)):
        X, y = datasets.make_gaussian_quantiles(
            n_samples=2_000, n_features=d, n_classes=k, random_state=d
        )
        yield f"shells of {d}", X, y
    for at, (n, d, k) in enumerate(
        ((1_000, 10, 2), (2_000, 20, 10), (3_000, 20, 2), (3_000, 50, 5), (4_000, 8, 4))
    ):
        X, y = datasets.make_classification(
            n, d, n_informative=max(d // 2, 4), n_classes=k, random_state=at
        )
        yield f"corners {n} x {d}, {k}", X, y
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 2_000)
    yield "twonorm", rng.normal(size=(2_000, 20)) + np.where(y, 1, -1)[:, None] * 0.4472, y
    X = rng.normal(size=(2_000, 20))
    yield "ringnorm", np.where(y[:, None], 2 * X, X + 0.4472), y
    yield "heavy tails", *_heavy(rng)


def _heavy(rng: Any) -> tuple[Any, Any]:
    X = np.exp(rng.standard_t(2, (2_000, 8)))
    return X, (X[:, 0] * X[:, 1] > X[:, 2] + rng.exponential(size=2_000)).astype(int)


def compared(X: Any, y: Any, make: Any) -> tuple[float, float, float]:
    """Error of exact splits, of bins, and their difference in standard errors."""
    exact, binned = [], []
    for time in range(TIMES):
        order = np.random.default_rng(time).permutation(len(y))
        train, test = order[: len(y) * 2 // 3], order[len(y) * 2 // 3 :]
        for wrong, bins in ((exact, None), (binned, 256)):
            wrong.append(make(bins).fit(X[train], y[train]).predict(X[test]) != y[test])
    one, two = np.concatenate(exact), np.concatenate(binned)
    apart = max(int((one != two).sum()), 1)
    return one.mean(), two.mean(), (int(two.sum()) - int(one.sum())) / apart**0.5


def main() -> None:
    print(f"{'set':<24}" + "".join(f"{name:>26}" for name in VOTES))
    distances = []
    for name, X, y in sets():
        X, y = np.asarray(X, float), np.unique(y, return_inverse=True)[1]
        most = max(np.unique(column).size for column in X.T)
        if most * 2 / 3 <= 256:
            continue
        found = [compared(X, y, make) for make in VOTES.values()]
        distances.append([distance for *_, distance in found])
        cells = "".join(f"{a:>9.4f} {b:>7.4f} {z:>+7.1f} z" for a, b, z in found)
        print(f"{name:<24}{cells}", flush=True)
    mean = np.mean(distances, axis=0) * len(distances) ** 0.5
    print(f"{'all':<24}" + "".join(f"{z:>+24.1f} z" for z in mean))


if __name__ == "__main__":
    main()
