"""Bagged and boosted trees against scikit-learn's, equal settings: Letter and continuous inputs.

Rows of Letter are those of `coded`, if HELIAST_DATA names its folder. Bagging: deep trees by Gini;
the faster of BaggingClassifier (one job, all jobs) and RandomForestClassifier without sampling of
inputs. Boosting: trees of 160 leaves grown best first, by weights, with SAMME's correction. Errors
are printed; ours may not be above the peer's by more than noise.

Continuous inputs (`_tasks`), HELIAST_MEMBERS members, 100 unless it says otherwise: deep trees on
all inputs, forests and boosting of depth 6, by the wall and by processor time. LightGBM and XGBoost
as forests are printed beside, where they are installed.
"""

import importlib.util
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
from benchmarks.speed import _tasks
from benchmarks.speed._measure import Result, by_both_clocks, clocks, seconds
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


def compared(
    what: str, name: str, ours: Any, peer: Any, floor: float, aim: float
) -> Iterator[Result]:
    """Fits on one of the continuous tasks; `ours` and `peer` are fitted after."""
    X, y, test, truth = _tasks.task(name)
    time_ = clocks(lambda: ours.fit(X, y))
    repeats = 1 if len(y) > 10_000 else 3
    peer_time = once(peer, X, y, repeats)
    same_error(error(ours, test, truth), error(peer, test, truth), len(truth))
    label = f"{what}, {name}"
    yield by_both_clocks(label, time_, peer_time, type(peer).__name__, floor, aim)


def once(model: Any, X: Any, y: Any, repeats: int) -> tuple[float, float]:
    """Median seconds of some fits by the wall and of all processors, with no fit before."""
    times = []
    for _ in range(repeats):
        wall, processors = time.perf_counter(), time.process_time()
        model.fit(X, y)
        times.append((time.perf_counter() - wall, time.process_time() - processors))
    wall, processors = np.median(times, axis=0)
    return float(wall), float(processors)


def other_forests() -> Iterator[tuple[str, Any]]:
    """Forests of all inputs by other libraries, as far as they are installed."""
    members = _tasks.MEMBERS
    if importlib.util.find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        yield "LightGBM (rf)", LGBMClassifier(
            boosting_type="rf", n_estimators=members, subsample=0.632, subsample_freq=1,
            num_leaves=4096, min_child_samples=1, n_jobs=JOBS, verbose=-1,
        )  # fmt: skip
    if importlib.util.find_spec("xgboost"):
        from xgboost import XGBRFClassifier

        yield "XGBoost (rf)", XGBRFClassifier(
            n_estimators=members, subsample=0.632, colsample_bynode=1.0, max_depth=0,
            grow_policy="lossguide", tree_method="hist", n_jobs=JOBS,
        )  # fmt: skip


def continuous() -> Iterator[Result]:
    members = _tasks.MEMBERS
    stump = DecisionTreeClassifier(max_depth=6)
    six = hl.Tree("gini", min_cut=1, min_size=2, min_deviance=0, max_depth=6)
    for name in _tasks.SHAPES:
        X, y, test, truth = _tasks.task(name)
        whole = RandomForestClassifier(members, max_features=None, n_jobs=JOBS, random_state=1)
        bag = hl.BaggedVote(DEEP, members, kind="soft", random_state=1)
        yield from compared(f"BaggedVote, {members}", name, bag, whole, 10, 25)
        rows = np.tile(X, (-(-100_000 // len(X)), 1))[:100_000]
        yield by_both_clocks(
            f"its prediction of 100,000 rows, {name}", clocks(lambda: bag.predict(rows)),  # noqa: B023
            clocks(lambda: whole.predict(rows)), "RandomForestClassifier", 1.5, 4,  # noqa: B023
        )  # fmt: skip
        forest = hl.BaggedVote(DEEP, members, kind="soft", features="sqrt", random_state=1)
        drawn = RandomForestClassifier(members, n_jobs=JOBS, random_state=1)
        yield from compared(f"forest, {members}", name, forest, drawn, 3, 8)
        for title, other in other_forests() if len(X) == 50_000 else ():
            time_ = clocks(lambda: bag.fit(X, y))  # noqa: B023
            print(f"  {title} errs {error(other.fit(X, y), test, truth):.4f}", flush=True)
            yield by_both_clocks(
                f"BaggedVote, {members}, {name}", time_, once(other, X, y, 1), title, 0
            )
        if len(X) <= 50_000:
            boost = hl.BoostedVote(
                six, members, draw="reweight", on_weak="stop", multiclass="samme", random_state=1
            )
            ada = AdaBoostClassifier(stump, n_estimators=members, random_state=1)
            yield from compared(f"BoostedVote, {members}", name, boost, ada, 8, 20)


def run() -> Iterator[Result]:
    yield from continuous()
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
