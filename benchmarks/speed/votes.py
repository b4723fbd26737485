"""Bagged and boosted trees against scikit-learn's, 200 members, equal settings.

Rows are those of `coded`: Letter, if HELIAST_DATA names its folder. Bagging: deep trees by Gini;
the faster of BaggingClassifier (one job, all jobs) and RandomForestClassifier without sampling of
inputs. Boosting: trees of 160 leaves grown best first, by weights, with SAMME's correction. Errors
are printed; ours may not be above the peer's by more than noise.
"""

import os
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed._measure import Result, seconds
from benchmarks.speed.coded import TEST, letters

MEMBERS, LEAVES = 200, 160
DEEP = hl.Tree("gini", min_cut=1, min_size=2, min_deviance=0)
SHORT = hl.Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_leaves=LEAVES)
JOBS = os.cpu_count() or 1


def bagged() -> Any:
    return hl.BaggedVote(DEEP, MEMBERS, kind="soft", random_state=1)


def boosted() -> Any:
    return hl.BoostedVote(SHORT, MEMBERS, draw="reweight", multiclass="samme", random_state=1)


def bagging(jobs: int) -> Any:
    return BaggingClassifier(
        DecisionTreeClassifier(), n_estimators=MEMBERS, n_jobs=jobs, random_state=1
    )


def forest() -> Any:
    return RandomForestClassifier(MEMBERS, max_features=None, n_jobs=JOBS, random_state=1)


def adaboost() -> Any:
    base = DecisionTreeClassifier(max_leaf_nodes=LEAVES)
    return AdaBoostClassifier(base, n_estimators=MEMBERS, random_state=1)


def timed(make: Callable[[], Any], X: Any, y: Any, times: int = 1) -> tuple[float, Any]:
    """The median of so many fits, and the last of them."""
    found = []
    for _ in range(times):
        model = make()
        start = time.perf_counter()
        model.fit(X, y)
        found.append(time.perf_counter() - start)
    return float(np.median(found)), model


def error(model: Any, X: Any, y: Any) -> float:
    return float(np.mean(model.predict(X) != y))


def same_error(ours: float, peer: float, n: int) -> None:
    """Equal within noise, or the times mean nothing."""
    print(f"  errors: ours {ours:.4f}, peer {peer:.4f}", flush=True)
    noise = ((ours * (1 - ours) + peer * (1 - peer)) / n) ** 0.5
    assert ours - peer < 3 * noise, (ours, peer)


def bags(n: int, floor: float, aim: float | None) -> Iterator[Result]:
    X, y = letters()
    train, test = (X[:n], y[:n]), (X[-TEST:], y[-TEST:])
    ours = seconds(lambda: bagged().fit(*train), repeats=5)
    peers = {"BaggingClassifier": timed(lambda: bagging(1), *train)}
    with_jobs = timed(lambda: bagging(JOBS), *train)
    if with_jobs[0] < peers["BaggingClassifier"][0]:
        peers["BaggingClassifier"] = with_jobs
    peers["RandomForest, all inputs"] = timed(forest, *train)
    name = min(peers, key=lambda peer: peers[peer][0])
    faster = forest if name.startswith("Random") else lambda: bagging(JOBS)
    peers[name] = timed(faster, *train, times=3)
    vote = bagged().fit(*train)
    same_error(error(vote, *test), error(peers[name][1], *test), TEST)
    yield Result(
        f"BaggedVote, {MEMBERS} trees, {n:,} rows", ours, peers[name][0], name, floor=floor, aim=aim
    )
    predict = seconds(lambda: vote.predict(test[0]), repeats=5)
    what = f"its prediction of {TEST:,} rows"
    for peer, floor_ in (("BaggingClassifier", 2.0), ("RandomForest, all inputs", 0.0)):
        other = seconds(lambda: peers[peer][1].predict(test[0]), repeats=3)  # noqa: B023
        yield Result(what, predict, other, peer, floor=floor_)


def boosts(n: int, floor: float, aim: float | None) -> Iterator[Result]:
    X, y = letters()
    train, test = (X[:n], y[:n]), (X[-TEST:], y[-TEST:])
    ours = seconds(lambda: boosted().fit(*train), repeats=5)
    peer, other = timed(adaboost, *train, times=3)
    vote = boosted().fit(*train)
    same_error(error(vote, *test), error(other, *test), TEST)
    what = f"BoostedVote, {MEMBERS} rounds, {n:,} rows"
    yield Result(what, ours, peer, "AdaBoostClassifier", floor=floor, aim=aim)
    predict = seconds(lambda: vote.predict(test[0]), repeats=5)
    peer_predict = seconds(lambda: other.predict(test[0]), repeats=3)
    yield Result(f"its prediction of {TEST:,} rows", predict, peer_predict, "AdaBoostClassifier", 1)


def memory(n: int) -> Iterator[Result]:
    """What a fit needs beyond the model that it leaves behind, in rows and labels as given."""
    X, y = letters()
    X, y = np.repeat(X[:n], 8, axis=0), np.repeat(y[:n], 8)
    X = X + np.random.default_rng(0).normal(size=X.shape).round(1)
    vote = hl.BaggedVote(DEEP, 10, random_state=1)
    vote.fit(X[:100], y[:100])
    tracemalloc.start()
    vote.fit(X, y)
    left, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    given = float(X.nbytes + y.nbytes)
    what = f"BaggedVote, 10 trees, {len(y):,} rows: memory"
    yield Result(what, float(peak - left), given, "the inputs", floor=3, at_most=True, unit="B")


def run() -> Iterator[Result]:
    yield from bags(16_000, floor=8, aim=25)
    yield from boosts(16_000, floor=15, aim=35)
    yield from bags(1_300, floor=4, aim=None)
    yield from boosts(1_300, floor=6, aim=None)
    yield from memory(16_000)


if __name__ == "__main__":
    from benchmarks.speed.__main__ import line

    missed = 0
    for result in run():
        print(line(result), flush=True)
        missed += not result.passed
    sys.exit(missed > 0)
