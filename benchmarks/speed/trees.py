"""The tree engine against scikit-learn's trees: many members from one copy of the inputs.

Letter (20,000 rows of 16 whole numbers from 0 to 15, 26 classes) if HELIAST_DATA names a folder
that holds it, else a drawn set of the same shape.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.multiclass import OutputCodeClassifier
from sklearn.tree import DecisionTreeClassifier

from benchmarks.speed._measure import Result, peak_bytes, seconds
from heliast.learners.tree import Grove, Tree, Trees

MEMBERS, LEAVES, TRAIN, FEW = 200, 160, 16_000, 1_300
DEEP = Tree("gini", min_cut=1, min_size=2, min_deviance=0)
CUT = Tree("gini", min_cut=5, min_size=10, min_deviance=0)


def letters() -> tuple[Any, Any]:
    path = Path(os.environ.get("HELIAST_DATA", "")) / "letter.csv"
    if "HELIAST_DATA" in os.environ and path.exists():
        rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
        X = np.array([row[:-1] for row in rows], float)
        y = np.unique([row[-1].strip('"') for row in rows], return_inverse=True)[1]
    else:
        rng = np.random.default_rng(0)
        y = rng.integers(0, 26, 20_000)
        centre = rng.uniform(2, 13, (26 * 4, 16))
        part = y * 4 + rng.integers(0, 4, y.size)
        X = np.clip(np.round(centre[part] + rng.normal(0, 1.6, (y.size, 16))), 0, 15)
    order = np.random.default_rng(1).permutation(len(X))
    return X[order], y[order]


def copies(n: int) -> Any:
    rng = np.random.default_rng(2)
    drawn = (np.bincount(rng.integers(0, n, n), minlength=n) for _ in range(MEMBERS))
    return np.array(list(drawn), np.uint8)


def coded(X: Any, y: Any) -> tuple[Trees, Any]:
    code = np.random.default_rng(3).integers(0, 2, (26, MEMBERS))
    return Grove(CUT, X, seed=0).dichotomies(y, code), code


def decided(trees: Trees, code: Any, X: Any) -> Any:
    return (code.sum(axis=1) + trees.probabilities(X) @ (1.0 - 2 * code).T).argmin(axis=1)


def bagged(X: Any, y: Any) -> Trees:
    return Grove(DEEP, X, seed=0).classes(y, 26, copies(len(X)))


def boosted(X: Any, y: Any) -> list[tuple[Trees, float]]:
    """SAMME by reweighting, as AdaBoostClassifier does it."""
    settings = Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_leaves=LEAVES)
    grove, weight, stages = Grove(settings, X, seed=0), np.ones(len(X)), []
    for _ in range(MEMBERS):
        trees = grove.classes(y, 26, weight, keep_training=True)
        wrong = trees.labels_on_training()[:, 0] != y
        error = max(weight[wrong].sum() / weight.sum(), 1e-12)
        say = np.log((1 - error) / error) + np.log(25.0)
        weight = np.where(wrong, weight * np.exp(say), weight)
        weight *= len(X) / weight.sum()
        stages.append((trees, say))
        if not wrong.any():
            break
    return stages


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    found = work()
    return time.perf_counter() - start, found


def ensembles(n: int, floors: tuple[float, float, float], aims: Any) -> Iterator[Result]:
    X, y = letters()
    train, test = (X[:n], y[:n]), (X[TRAIN:], y[TRAIN:])
    rows = f"{n:,} rows"
    base = DecisionTreeClassifier(min_samples_leaf=5, min_samples_split=10)
    output_code = OutputCodeClassifier(base, code_size=MEMBERS / 26, random_state=0, n_jobs=-1)
    peer, _ = timed(lambda: output_code.fit(*train))
    trees, code = coded(*train)
    _close(decided(trees, code, test[0]), output_code.predict(test[0]), test[1], "dichotomies")
    ours = seconds(lambda: coded(*train))
    yield Result(f"200 dichotomies, {rows}", ours, peer, "OutputCodeClassifier", floors[0], aims[0])
    if n == TRAIN:
        peer = seconds(lambda: output_code.predict(test[0]), repeats=3)
        ours = seconds(lambda: decided(trees, code, test[0]))
        yield Result("predicting 4,000 rows by them", ours, peer, "OutputCodeClassifier", 2)

    forest = RandomForestClassifier(MEMBERS, max_features=None, random_state=0, n_jobs=-1)
    bagging = BaggingClassifier(DecisionTreeClassifier(), MEMBERS, random_state=0, n_jobs=-1)
    times = {model: timed(lambda m=model: m.fit(*train))[0] for model in (forest, bagging)}
    fastest = min(times, key=times.__getitem__)
    trees = bagged(*train)
    label = trees.mean_probabilities(test[0]).argmax(axis=1)
    _close(label, forest.predict(test[0]), test[1], "bagging")
    ours = seconds(lambda: bagged(*train), repeats=3)
    name = f"{type(fastest).__name__}, faster of 2"
    yield Result(f"200 bagged trees, {rows}", ours, times[fastest], name, floors[1], aims[1])
    if n == TRAIN:
        peer = seconds(lambda: bagging.predict(test[0]), repeats=3)
        ours = seconds(lambda: trees.mean_probabilities(test[0]))
        yield Result("predicting 4,000 rows by them", ours, peer, "BaggingClassifier", 2)

    ada = AdaBoostClassifier(DecisionTreeClassifier(max_leaf_nodes=LEAVES), n_estimators=MEMBERS,
                             random_state=0)  # fmt: skip
    peer, _ = timed(lambda: ada.fit(*train))
    stages = boosted(*train)
    votes = sum(tree.votes(test[0], [say]) for tree, say in stages)
    _close(votes.argmax(axis=1), ada.predict(test[0]), test[1], "boosting")
    ours = seconds(lambda: boosted(*train), repeats=3)
    what = f"{len(stages)} boosted trees, {LEAVES} leaves, {rows}"
    yield Result(what, ours, peer, "AdaBoostClassifier", floors[2], aims[2])


def _close(ours: Any, theirs: Any, truth: Any, what: str) -> None:
    """A fast answer must not be a worse one: errors within noise."""
    own, other = (ours != truth).mean(), (theirs != truth).mean()
    assert own <= other + 0.012, f"{what}: error {own:.4f} against {other:.4f}"


def continuous(n: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(n, 20))
    return X, (X[:, 0] * X[:, 1] + X[:, 2] + rng.normal(0, 0.5, n) > 0).astype(int)


def growth() -> Iterator[Result]:
    """A single tree of continuous inputs: seconds per n log n, and memory beside the inputs."""
    settings = Tree(min_cut=5, min_size=10, min_deviance=0)
    each = {}
    for n in (10_000, 100_000, 1_000_000):
        X, y = continuous(n)
        each[n] = seconds(lambda: settings.fit(X, y), repeats=1, warm=n == 10_000)  # noqa: B023
    small = each[10_000] / (1e4 * np.log(1e4)) * (1e6 * np.log(1e6))
    yield Result("one tree of 1 million x 20 continuous", each[1_000_000], small,
                 "n log n from 10,000 rows", 1.5, at_most=True)  # fmt: skip
    peak = peak_bytes(lambda: settings.fit(X, y))
    what = "memory of fitting it"
    yield Result(what, peak, float(X.nbytes), "the inputs", 3, at_most=True, unit="B")


def run() -> Iterator[Result]:
    yield from ensembles(TRAIN, (40, 8, 15), (100, 25, 35))
    yield from ensembles(FEW, (25, 4, 6), (None, None, None))
    yield from growth()
