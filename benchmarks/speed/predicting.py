"""100,000 rows through votes of 100 trees, against scikit-learn's with as many threads.

Continuous inputs (`_tasks`) and Letter (if HELIAST_DATA names its folder); bags by hard and soft
votes and forests against RandomForestClassifier, boosting of depth 6 against AdaBoost, which knows
no threads; labels with one thread and two, probabilities with one. A peer asks its trees one after
the other: it is fitted with HELIAST_PEERS of them, 10 unless it says otherwise, and these are asked
several times, so that its fit does not take the hour.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed import _tasks
from benchmarks.speed._measure import Result, by_both_clocks, clocks
from benchmarks.speed.coded import letters

ROWS, MEMBERS = 100_000, 100
PEERS = int(os.environ.get("HELIAST_PEERS", "10"))
"""Trees that a peer is fitted with; asked MEMBERS / PEERS times each."""
DEEP = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0)
SIX = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_depth=6)
NAMES = ("Letter", *(name for name in _tasks.SHAPES if not name.startswith("200")))


def rows_of(name: str) -> tuple[Any, Any]:
    X, y = letters() if name == "Letter" else _tasks.task(name)[:2]
    return X[:50_000], y[:50_000]


def bag(kind: str, **more: Any) -> Any:
    return hl.BaggedVote(DEEP, MEMBERS, kind=kind, random_state=1, **more)  # type: ignore[arg-type]


def boost() -> Any:
    return hl.BoostedVote(
        SIX, MEMBERS, draw="weights", on_weak="stop", multiclass="samme", random_state=1
    )


def forest(inputs: str | None) -> Any:
    return RandomForestClassifier(PEERS, max_features=inputs, n_jobs=os.cpu_count(), random_state=1)


def ada() -> Any:
    base = DecisionTreeClassifier(max_depth=6)
    return AdaBoostClassifier(base, n_estimators=PEERS, random_state=1)


VOTES: dict[str, tuple[Callable[[], Any], str]] = {
    "bag, hard": (lambda: bag("hard"), "RandomForest, all inputs"),
    "bag, soft": (lambda: bag("soft"), "RandomForest, all inputs"),
    "forest": (lambda: bag("soft", features="sqrt"), "RandomForest"),
    "boosting": (boost, "AdaBoost"),
}
MAKERS: dict[str, Callable[[], Any]] = {
    "RandomForest, all inputs": lambda: forest(None),
    "RandomForest": lambda: forest("sqrt"),
    "AdaBoost": ada,
}


@cache
def peer(name: str, title: str) -> Any:
    """Fitted with few trees, each of them there several times."""
    model = MAKERS[title]().fit(*rows_of(name))
    times = MEMBERS // PEERS
    model.estimators_ = model.estimators_[:PEERS] * times
    if title == "AdaBoost":
        model.estimator_weights_ = np.tile(model.estimator_weights_[:PEERS], times)
    return model


def asked(model: Any, rows: Any, what: str, jobs: int, warm: bool = True) -> tuple[float, float]:
    """Seconds of both clocks with so many threads."""
    if hasattr(model, "n_jobs"):
        model.n_jobs = jobs
    before = os.environ.get("HELIAST_THREADS")
    os.environ["HELIAST_THREADS"] = str(jobs)
    ask = model.predict if what == "labels" else model.predict_proba
    try:
        return clocks(lambda: ask(rows), warm=warm)
    finally:
        os.environ.pop("HELIAST_THREADS")
        if before is not None:
            os.environ["HELIAST_THREADS"] = before


@cache
def peer_asked(name: str, title: str, what: str, jobs: int) -> tuple[float, float]:
    return asked(peer(name, title), asked_rows(name), what, jobs, warm=False)


def asked_rows(name: str) -> Any:
    X, _ = rows_of(name)
    return X[np.random.default_rng(3).integers(0, len(X), ROWS)]


def one(name: str, title: str) -> Iterator[Result]:
    make, other = VOTES[title]
    vote, rows = make().fit(*rows_of(name)), asked_rows(name)
    for what, jobs in (("labels", 1), ("probabilities", 1), ("labels", 2)):
        theirs = peer_asked(name, other, what, 1 if other == "AdaBoost" else jobs)
        label = f"{title}: {what}, {name}, {jobs} thread{'s'[: jobs - 1]}"
        yield by_both_clocks(label, asked(vote, rows, what, jobs), theirs, other, 1.5, 4)


def run(names: Sequence[str] = NAMES) -> Iterator[Result]:
    for name in names:
        for title in VOTES:
            yield from one(name, title)


if __name__ == "__main__":  # with the beginning of names of tasks, only those
    import sys

    from benchmarks.speed.__main__ import line

    asked_names = [name for name in NAMES if name.startswith(tuple(sys.argv[1:]) or "")]
    for result in run(asked_names):
        print(line(result), flush=True)
