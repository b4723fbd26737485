"""What trees and votes do if nothing is said: how that was chosen, and beside other libraries.

`trees` and `boosting` compare the candidates on the sets to choose by: the geometric mean of the
error relative to that of the first candidate, mean ranks, and time; `numbers` does so for the trees
of `BoostedMedian` and root mean squared errors. `peers` compares heliast as it
comes with scikit-learn and LightGBM on the same sets, `others` on sets that chose nothing: errors,
differences from the namesake with 95% intervals (each by itself, paired, corrected for the shared
training rows), mean ranks, and tests over the data sets (Holm). Trees: five folds, 1,000 rows at
most; votes: 50 members, three folds, 600 rows at most. Finished fits are kept, so that a second
call goes on.

    python -m benchmarks.studies.defaults trees
    python -m benchmarks.studies.defaults boosting
    python -m benchmarks.studies.defaults numbers
    python -m benchmarks.studies.defaults peers [--store build/defaults]
    python -m benchmarks.studies.defaults others [--folds 5]
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, clone

import heliast as hl
from benchmarks.studies.sets import TO_CHOOSE, TO_SHOW, numbers, read

MEMBERS = 50
FOLDS, ROWS, SEED = 3, 600, 1
NAMESAKES = {
    "heliast tree": ("DecisionTree",),
    "heliast bagging": ("Bagging",),
    "heliast forest": ("RandomForest",),
    "heliast boosting": ("AdaBoost", "AdaBoost depth 6"),
}


class Labels(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A model that offers labels only: what it says at every stage is not wanted."""

    def __init__(self, model: Any = None, random_state: Any = None) -> None:
        self.model = model
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        self.model_ = clone(self.model).set_params(random_state=self.random_state).fit(X, y)
        self.classes_ = self.model_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)


def trees() -> dict[str, Any]:
    """Ways to keep a tree small that stands alone."""
    from sklearn.tree import DecisionTreeClassifier

    def pruned(confidence: float, rows: int) -> hl.Tree:
        return hl.Tree(pruning="pessimistic", confidence=confidence, min_samples_leaf=rows)

    return {
        "S-Plus limits": hl.Tree(limits="s-plus"),
        "pure leaves": hl.Tree(limits="pure"),
        "pure leaves, Gini": hl.Tree("gini", limits="pure"),
        "2 rows a leaf": hl.Tree(min_samples_leaf=2),
        "5 rows a leaf": hl.Tree(min_samples_leaf=5),
        **{
            f"pessimistic {level:g}" + ", 2 rows a leaf" * (rows == 2): pruned(level, rows)
            for level in (0.25, 0.1, 0.05, 0.01)
            for rows in (1, 2)
        },
        "scikit-learn's tree": DecisionTreeClassifier(),
    }


def boosting() -> dict[str, Any]:
    """Ways to boost trees."""
    weights = {"draw": "weights", "multiclass": "samme"}
    drawn = {"draw": "resample", "multiclass": "samme"}
    m1 = {"draw": "resample", "multiclass": "m1"}
    few, pure = hl.Tree(min_samples_leaf=5), hl.Tree(limits="pure")
    given = {
        "M1, drawn, S-Plus limits": (hl.Tree(limits="s-plus"), m1),
        "M1, drawn, pure leaves": (pure, m1),
        "SAMME, drawn, depth 6": (hl.Tree(max_depth=6), drawn),
        "SAMME, drawn, pure leaves": (pure, drawn),
        "SAMME, weights, depth 3": (hl.Tree(max_depth=3), weights),
        "SAMME, weights, depth 6": (hl.Tree(max_depth=6), weights),
        "SAMME, weights, 3 rows a leaf": (hl.Tree(min_samples_leaf=3), weights),
        "SAMME, weights, 5 rows a leaf": (few, weights),
        "SAMME, weights, 8 rows a leaf": (hl.Tree(min_samples_leaf=8), weights),
        "SAMME, weights, 5 rows a leaf, rate 0.5": (few, {**weights, "learning_rate": 0.5}),
    }
    return {
        name: Labels(hl.BoostedVote(tree, MEMBERS, **rule)) for name, (tree, rule) in given.items()
    }


def boosting_numbers() -> dict[str, Any]:
    """Depths of the trees of `BoostedMedian`."""
    from sklearn.tree import DecisionTreeRegressor

    depths = {"depth 3": 3, "depth 4": 4, "depth 6": 6, "depth 8": 8, "any depth": None}
    trees = {name: DecisionTreeRegressor(max_depth=depth) for name, depth in depths.items()}
    return {name: hl.BoostedMedian(tree) for name, tree in trees.items()}


def peers() -> dict[str, Any]:
    """heliast as it comes, and its peers."""
    from lightgbm import LGBMClassifier
    from sklearn.ensemble import AdaBoostClassifier as Ada
    from sklearn.ensemble import BaggingClassifier as Bag
    from sklearn.ensemble import ExtraTreesClassifier as Extra
    from sklearn.ensemble import HistGradientBoostingClassifier as Hist
    from sklearn.ensemble import RandomForestClassifier as Forest
    from sklearn.tree import DecisionTreeClassifier as One

    return {
        "heliast tree": hl.Tree(),
        "heliast bagging": Labels(hl.BaggedVote(n_estimators=MEMBERS)),
        "heliast forest": Labels(hl.BaggedVote(n_estimators=MEMBERS, features="sqrt")),
        "heliast boosting": Labels(hl.BoostedVote(n_estimators=MEMBERS)),
        "heliast coding": Labels(hl.CodedVote(code_length=MEMBERS)),
        "DecisionTree": One(),
        "Bagging": Bag(n_estimators=MEMBERS),
        "RandomForest": Forest(MEMBERS),
        "ExtraTrees": Extra(MEMBERS),
        "AdaBoost": Ada(n_estimators=MEMBERS),
        "AdaBoost depth 6": Ada(One(max_depth=6), n_estimators=MEMBERS),
        "HistGradientBoosting": Hist(max_iter=MEMBERS),
        "LightGBM": LGBMClassifier(n_estimators=MEMBERS, n_jobs=1, verbose=-1),
    }


def tried(
    names: Iterable[str],
    models: dict[str, Any],
    store: str,
    folds: int = FOLDS,
    rows: int = ROWS,
) -> hl.Benchmark:
    """Every model on every set."""
    return on_all({name: read(name, rows) for name in names}, models, store, folds)


def on_all(
    data: dict[str, hl.Dataset], models: dict[str, Any], store: str, folds: int, **how: Any
) -> hl.Benchmark:
    how = {"store": store, "jobs": 1, "progress": False, "told": say, **how}
    return hl.benchmark(data, models, hl.KFold(folds), SEED, **how)


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def candidates(found: hl.Benchmark) -> Iterator[list[str]]:
    """A line a candidate, best mean rank first."""
    errors = found.values
    relative = np.exp(np.log(errors / errors[:, :1]).mean(axis=0))
    seconds = {name: sum(one.seconds[name] for one in found.sets) for name in found.models}
    whole = found.measure == "error"  # numbers of unlike sets have no mean
    yield ["", "mean rank", "error relative to the first", "mean error", "seconds"]
    for name in found.order:
        at = found.models.index(name)
        yield [name, f"{found.ranks[name]:.1f}", f"{relative[at]:.3f}",
               f"{100 * errors[:, at].mean():.1f}" * whole, f"{seconds[name]:.0f}"]  # fmt: skip


def beside(names: Iterable[str], store: str, folds: int) -> Iterator[list[str]]:
    """A line a data set with all errors; then differences from namesakes; then over the sets."""
    models = peers()
    found = tried(names, models, store, folds)
    yield ["data", "n", "inputs", "classes", *models]
    for one in found.sets:
        errors = [f"{100 * one.estimates[name].value:.1f}" for name in models]
        yield [one.name, f"{one.n}", f"{one.inputs}", f"{one.classes}", *errors]
    ranks = [f"{found.ranks[name]:.1f}" for name in models]
    yield ["mean rank", "", "", "", *ranks]
    pairs = [(ours, its) for ours, all_ in NAMESAKES.items() for its in all_ if ours in models]
    yield []
    yield ["data", *(f"{ours.removeprefix('heliast ')} - {its}" for ours, its in pairs)]
    above: dict[tuple[str, str], list[str]] = {pair: [] for pair in pairs}
    for one in found.sets:
        how = {"store": store, "jobs": 1, "progress": False}
        table = hl.run(models, read(one.name, ROWS), hl.KFold(folds), SEED, **how)
        by = hl.compare(table, "error", correction="none")
        for pair in pairs:
            a, b = (one.estimates[name].value for name in pair)
            if a - b > 3 * np.sqrt((a * (1 - a) + b * (1 - b)) / one.n):
                above[pair].append(one.name)
        yield [one.name, *(difference(by[pair]) for pair in pairs)]
    over = found.comparison
    assert over is not None
    yield ["over the sets", *(f"{difference(over[pair])}, p {over[pair].p:.2g}" for pair in pairs)]
    yield [
        "more than 3 joint standard errors above on",
        *(", ".join(above[pair]) or "none" for pair in pairs),
    ]


def difference(one: hl.Difference) -> str:
    if one.identical:
        return "the same"
    if not np.isfinite(one.low):  # other labels, the same error in every fold
        return f"{100 * one.value:+.1f}"
    return f"{100 * one.value:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["trees", "boosting", "numbers", "peers", "others"])
    parser.add_argument("--store", default="build/defaults", help="where finished fits are kept")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of peers and others")
    asked = parser.parse_args()
    if asked.part == "trees":
        lines = candidates(tried(TO_CHOOSE, trees(), asked.store, 5, 1000))
    elif asked.part == "numbers":
        found = on_all(numbers(), boosting_numbers(), asked.store, 5, measure="rmse")
        lines = candidates(found)
    elif asked.part == "boosting":
        lines = candidates(tried(TO_CHOOSE, boosting(), asked.store))
    else:
        lines = beside(TO_CHOOSE if asked.part == "peers" else TO_SHOW, asked.store, asked.folds)
    head = True
    for line in lines:
        print("|", " | ".join(line), "|" if line else "", flush=True)
        if head:
            print("| --- " * len(line) + "|", flush=True)
        head = not line


if __name__ == "__main__":
    main()
