"""The experiment behind tables 2.10 to 2.19: nine classifiers on samples of Letter and Vowel."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin, clone

from heliast.data import Dataset
from heliast.ensembles import BaggedVote, BoostedVote, CodedVote
from heliast.learners import Tree
from heliast.predictions import Predictions
from heliast.reproduce._setting import Setting
from heliast.reproduce.studies._boosting import PrintedBoosting

Array = npt.NDArray[Any]
B = (2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200)
DEFAULT = Tree()
DEEP = Tree(min_deviance=0)
"""The trees of S-Plus as they come, and forced to grow deeper."""
CODED = {
    "ECOC": "l1",
    "Regression": "regression",
    "Centroid": "centroid",
    "Substitution": "substitution",
}
SINGLE = ("Tree", "1NN")


@dataclass(frozen=True)
class Samples:
    """Training sets with so many rows of each class, and rows to test on, drawn again and again.

    Letter: 20 rows of each class to test on, from the rest. Vowel: the 462 rows set apart for it,
    training rows from the 528 others. A scikit-learn splitter, so `run` takes it as a plan.
    """

    times: int
    train: int
    seed: int
    test: int | None = 20
    apart: tuple[int, ...] = ()

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        return self.times

    def split(self, X: Any, y: Any, groups: Any = None) -> Iterator[tuple[Array, Array]]:
        y = np.asarray(y)
        for time in range(self.times):
            rng = np.random.default_rng([self.seed, time])
            train, test = [], []
            for class_ in np.unique(y):
                rows = np.setdiff1d(np.flatnonzero(y == class_), self.apart)
                rows = rng.permutation(rows)
                train.append(rows[: self.train])
                if self.test is not None:
                    test.append(rows[self.train : self.train + self.test])
            held = np.concatenate(test) if test else np.array(self.apart)
            yield np.sort(np.concatenate(train)), np.sort(held)


class AtStages(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A vote whose outputs are its labels at chosen numbers of members; fewer members: the last."""

    def __init__(self, vote: Any = None, stages: tuple[int, ...] = B, random_state: Any = None):
        self.vote = vote
        self.stages = stages
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "AtStages":
        self.vote_ = clone(self.vote).set_params(random_state=self.random_state).fit(X, y)
        self.classes_ = self.vote_.classes_
        return self

    def predict(self, X: Any) -> Array:
        label: Array = self.vote_.predict(X)
        return label

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, None]]:
        label: Array | None = None
        wanted = list(self.stages)
        for stage, found in enumerate(self.vote_.staged_predict(X), 1):
            label = found
            if wanted and stage == wanted[0]:
                yield f"B={wanted.pop(0)}", label, None
        for stage in wanted:
            assert label is not None
            yield f"B={stage}", label, None


class Decoded(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A coded vote that offers some decoders only, and scores only where they are asked for.

    Scores of every class at every number of columns would fill a disk.
    """

    def __init__(
        self,
        vote: Any = None,
        decoders: tuple[str, ...] = tuple(CODED.values()),
        scores: tuple[str, ...] = (),
        random_state: Any = None,
    ) -> None:
        self.vote = vote
        self.decoders = decoders
        self.scores = scores
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> "Decoded":
        self.vote_ = clone(self.vote).set_params(random_state=self.random_state).fit(X, y)
        self.classes_ = self.vote_.classes_
        return self

    def predict(self, X: Any) -> Array:
        label: Array = self.vote_.predict(X)
        return label

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        for name, label, scores in self.vote_.outputs(X):
            if name.partition("/")[0] in self.decoders:
                yield name, label, scores if name in self.scores else None


def models(tree: Tree, stages: tuple[int, ...] = B) -> dict[str, Any]:
    """The nine classifiers, as five fits: one serves ECOC, Regression, Centroid, Substitution."""
    from sklearn.neighbors import KNeighborsClassifier

    most = max(stages)
    standard = PrintedBoosting(clone(tree), most)
    adapted = BoostedVote(clone(tree), most, draw="resample", error="resample", on_weak="reset")
    return {
        "coded": Decoded(CodedVote(clone(tree), columns=most, stages=stages)),
        "Bagging": AtStages(BaggedVote(clone(tree), most, kind="soft"), stages),
        "Boosting (St)": AtStages(standard, stages),
        "Boosting (Ad)": AtStages(adapted, stages),
        "Tree": clone(tree),
        "1NN": KNeighborsClassifier(1),
    }


Errors = Mapping[tuple[str, int], Array]
"""Errors in per cent of each (classifier, B), one a repetition."""


def errors(setting: Setting, data: Dataset, plan: Any, tree: Tree) -> Errors:
    """Run all classifiers on all samples; errors in per cent, by classifier and B."""
    found = setting.run(models(tree), data, plan, setting.seed)
    by: dict[tuple[str, int], Array] = {}
    for name, decoder in CODED.items():
        for b in B:
            by[name, b] = by_split(found, f"coded/{decoder}/B={b}")
            if name == "Regression" and b < len(data.classes):
                by[name, b] = np.full_like(by[name, b], 100.0)  # no unique solution: no answer
    for name in ("Bagging", "Boosting (St)", "Boosting (Ad)"):
        for b in B:
            by[name, b] = by_split(found, f"{name}/B={b}")
    for name in SINGLE:
        alone = by_split(found, name)
        by.update({(name, b): alone for b in B})
    return by


def by_split(table: Predictions, model: str) -> Array:
    """The error of a model in each split, in per cent."""
    one = table.only(model=model)
    wrong = one.truth != one.label
    if one.split_code is None:  # a single split
        return np.array([100 * float(wrong.mean())])
    total = np.bincount(one.split_code)
    shares: Array = 100 * np.bincount(one.split_code, wrong)[total > 0] / total[total > 0]
    return shares
