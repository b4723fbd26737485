"""Bagged and boosted trees against scikit-learn's, equal settings: Letter and continuous inputs.

Rows of Letter are those of `coded`, if HELIAST_DATA names its folder. Bagging: deep trees by Gini;
the faster of BaggingClassifier (one job, all jobs) and RandomForestClassifier without sampling of
inputs. Boosting: trees of 160 leaves grown best first, by weights, with SAMME's correction. Errors
are printed; ours may not be above the peer's by more than noise.

Continuous inputs (`_tasks`), HELIAST_MEMBERS members, 100 unless it says otherwise: deep trees on
all inputs, forests and boosting of depth 6, by the wall and by processor time. LightGBM, XGBoost
and scikit-learn-intelex as forests are printed beside, where they are installed. HELIAST_PEERS=10
is quicker: peers on 50,000 rows and more are fitted with 10 members, the time of all is told as so
many times theirs, errors are those of 10; everything is timed once.
`python -m benchmarks.speed.votes 50,000` takes tasks by the beginning of their names, `letter`
those of Letter.
"""

import importlib.util
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from benchmarks.speed import _tasks
from benchmarks.speed._measure import Result, by_both_clocks, clocks, seconds
from benchmarks.speed.coded import TEST, letters

MEMBERS, LEAVES = 200, 160
DEEP = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0)
SHORT = hl.Tree(
    "gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_leaf_nodes=LEAVES
)
JOBS = os.cpu_count() or 1


def bagged() -> Any:
    return hl.BaggedVote(DEEP, MEMBERS, kind="soft", random_state=1)


def boosted() -> Any:
    return hl.BoostedVote(SHORT, MEMBERS, draw="weights", multiclass="samme", random_state=1)


def bagging(jobs: int) -> Any:
    return BaggingClassifier(
        DecisionTreeClassifier(), n_estimators=MEMBERS, n_jobs=jobs, random_state=1
    )


def forest() -> Any:
    return RandomForestClassifier(MEMBERS, max_features=None, n_jobs=JOBS, random_state=1)


def adaboost() -> Any:
    base = DecisionTreeClassifier(max_leaf_nodes=LEAVES)
    return AdaBoostClassifier(base, n_estimators=MEMBERS, random_state=1)


def timed(
    make: Callable[[], Any], X: Any, y: Any, times: int = 1
) -> tuple[tuple[float, float], Any]:
    """The median of so many fits by both clocks, and the model."""
    model = make()
    return clocks(lambda: model.fit(X, y), times, warm=False), model


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
    ours = clocks(lambda: bagged().fit(*train), 5)
    alone, model = timed(lambda: bagging(1), *train)
    (wall, _), _ = timed(lambda: bagging(JOBS), *train)
    # Its jobs are processes, whose time is not ours to read: that of one job stands for it.
    peers = {"BaggingClassifier": ((min(wall, alone[0]), alone[1]), model)}
    peers["RandomForest, all inputs"] = timed(forest, *train)
    name = min(peers, key=lambda peer: peers[peer][0][0])
    vote = bagged().fit(*train)
    same_error(error(vote, *test), error(peers[name][1], *test), TEST)
    what = f"BaggedVote, {MEMBERS} trees, {n:,} rows"
    yield by_both_clocks(what, ours, peers[name][0], name, floor, aim)
    predict = seconds(lambda: vote.predict(test[0]), repeats=5)
    what = f"its prediction of {TEST:,} rows"
    for peer, floor_ in (("BaggingClassifier", 2.0), ("RandomForest, all inputs", 0.0)):
        other = seconds(lambda: peers[peer][1].predict(test[0]), repeats=3)  # noqa: B023
        yield Result(what, predict, other, peer, floor=floor_)


def boosts(n: int, floor: float, aim: float | None) -> Iterator[Result]:
    X, y = letters()
    train, test = (X[:n], y[:n]), (X[-TEST:], y[-TEST:])
    ours = clocks(lambda: boosted().fit(*train), 5)
    peer, other = timed(adaboost, *train, times=3)
    vote = boosted().fit(*train)
    same_error(error(vote, *test), error(other, *test), TEST)
    what = f"BoostedVote, {MEMBERS} rounds, {n:,} rows"
    yield by_both_clocks(what, ours, peer, "AdaBoostClassifier", floor, aim)
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
    what: str, name: str, ours: Any, peer: Callable[[int], Any], floor: float, aim: float | None,
    title: str = "",
) -> Iterator[Result]:  # fmt: skip
    """Fits on one of the continuous tasks, ours and that of a peer of so many members."""
    X, y, test, truth = _tasks.task(name)
    ours.fit(X[:500], y[:500])  # compiled, or read
    small = len(y) <= _tasks.FEW
    members = _tasks.MEMBERS if small else min(_tasks.PEERS, _tasks.MEMBERS)
    whole, quick = members == _tasks.MEMBERS, _tasks.PEERS < _tasks.MEMBERS
    time_ = clocks(lambda: ours.fit(X, y), 1 if quick else 3, warm=False)
    other = peer(members)
    peer_time = clocks(lambda: other.fit(X, y), 3 if small and not quick else 1, warm=False)
    errors = error(ours, test, truth), error(other, test, truth)
    if title or not whole:
        print(f"  errors: ours {errors[0]:.4f}, peer with {members} members {errors[1]:.4f}")
    else:
        same_error(*errors, len(truth))
    times = _tasks.MEMBERS / members
    yield by_both_clocks(
        f"{what} {_tasks.MEMBERS}, {name}", time_, (peer_time[0] * times, peer_time[1] * times),
        title or type(other).__name__, floor, aim,
    )  # fmt: skip


def other_forests() -> Iterator[tuple[str, Callable[[int], Any]]]:
    """Forests of all inputs by other libraries, as far as they are installed."""
    if importlib.util.find_spec("lightgbm"):
        from lightgbm import LGBMClassifier

        yield "LightGBM (rf)", lambda members: LGBMClassifier(
            boosting_type="rf", n_estimators=members, subsample=0.632, subsample_freq=1,
            num_leaves=4096, min_child_samples=1, n_jobs=JOBS, verbose=-1,
        )  # fmt: skip
    if importlib.util.find_spec("xgboost"):
        from xgboost import XGBRFClassifier

        yield "XGBoost (rf)", lambda members: XGBRFClassifier(
            n_estimators=members, subsample=0.632, colsample_bynode=1.0, max_depth=0,
            grow_policy="lossguide", tree_method="hist", n_jobs=JOBS,
        )  # fmt: skip
    if importlib.util.find_spec("sklearnex"):
        from sklearnex.ensemble import RandomForestClassifier as Intelex

        yield (
            "scikit-learn-intelex",
            lambda members: Intelex(members, max_features=None, n_jobs=JOBS, random_state=1),
        )


def continuous(names: Sequence[str] = tuple(_tasks.SHAPES)) -> Iterator[Result]:
    six = hl.Tree("gini", min_samples_leaf=1, min_samples_split=2, min_deviance=0, max_depth=6)
    members = _tasks.MEMBERS
    for name in names:
        bag = hl.BaggedVote(DEEP, members, kind="soft", random_state=1)
        yield from compared("BaggedVote", name, bag, lambda b: trees(b, None), 10, 25)
        forest = hl.BaggedVote(DEEP, members, kind="soft", features="sqrt", random_state=1)
        yield from compared("forest", name, forest, lambda b: trees(b, "sqrt"), 3, 8)
        if _tasks.SHAPES[name][0] > 50_000:
            continue
        boost = hl.BoostedVote(
            six, members, draw="weights", on_weak="stop", multiclass="samme", random_state=1
        )
        yield from compared("BoostedVote", name, boost, rounds, 8, 20)
        for title, other in other_forests():
            yield from compared("BaggedVote", name, bag, other, 0, None, title)


def trees(members: int, inputs: str | None) -> Any:
    return RandomForestClassifier(members, max_features=inputs, n_jobs=JOBS, random_state=1)


def rounds(members: int) -> Any:
    base = DecisionTreeClassifier(max_depth=6)
    return AdaBoostClassifier(base, n_estimators=members, random_state=1)


def letter() -> Iterator[Result]:
    yield from bags(16_000, floor=8, aim=25)
    yield from boosts(16_000, floor=15, aim=35)
    yield from bags(1_300, floor=4, aim=None)
    yield from boosts(1_300, floor=6, aim=None)
    yield from memory(16_000)


def run(names: Sequence[str] = (*_tasks.SHAPES, "letter")) -> Iterator[Result]:
    yield from continuous([name for name in names if name in _tasks.SHAPES])
    if "letter" in names:
        yield from letter()


if __name__ == "__main__":
    from benchmarks.speed.__main__ import line

    asked = [
        name for name in (*_tasks.SHAPES, "letter") if name.startswith(tuple(sys.argv[1:]) or "")
    ]
    missed = 0
    for result in run(asked):
        print(line(result), flush=True)
        missed += not result.passed
    sys.exit(missed > 0)
