"""Which penalty for ridge decoding? Letter and Vowel, over the number of columns.

The thesis leaves the choice open. For each training set one code and one fit; from the same answers
all penalties and all numbers of columns are decoded. `oracle` is the best penalty of the grid in
hindsight, over all training sets.

    HELIAST_DATA=... python -m benchmarks.studies.ridge [repetitions [letter] [vowel]]
"""

import os
import sys
import warnings
from collections import defaultdict
from collections.abc import Iterator
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

import heliast as hl

DATA = Path(os.environ.get("HELIAST_DATA", "."))
STAGES = (5, 10, 15, 20, 26, 30, 40, 60, 100, 200)
GRID = (*np.logspace(0, 4, 17), inf)
RULES = ("honest", "closed", "gcv")
FIXED = {"lam = k/2": 0.5, "lam = k": 1, "lam = 2k": 2, "lam = 4k": 4}
DEEP = hl.Tree(limits="s-plus", min_deviance=0)


def letter(repetitions: int) -> Iterator[tuple[Any, ...]]:
    """50 training rows a class, 2,600 others for test."""
    data = hl.read(str(DATA / "letter.csv"), target="class")
    X, y = data.matrix, np.asarray(data.y)
    for seed in range(repetitions):
        order = np.random.default_rng(seed).permutation(len(y))
        train = of_each_class(order, y, 50)
        test = np.setdiff1d(order, train)[: len(order)]
        test = np.random.default_rng(seed).permutation(test)[:2600]
        yield X[train], y[train], X[test], y[test], seed


def vowel(repetitions: int) -> Iterator[tuple[Any, ...]]:
    """40 rows a class of the training speakers, all 462 rows of the others for test."""
    frame = np.genfromtxt(DATA / "vowel.csv", delimiter=",", dtype=str, skip_header=1)
    X, y = frame[:, 3:13].astype(float), frame[:, 13]
    first, test = (np.flatnonzero(frame[:, 0] == part) for part in ("Train", "Test"))
    for seed in range(repetitions):
        order = np.random.default_rng(seed).permutation(first)
        train = of_each_class(order, y, 40)
        yield X[train], y[train], X[test], y[test], seed


def of_each_class(order: Any, y: Any, size: int) -> Any:
    """The first so many rows of each class."""
    return np.concatenate([order[y[order] == label][:size] for label in np.unique(y)])


def errors(X: Any, y: Any, new: Any, truth: Any, seed: int) -> dict[tuple[str, int], Any]:
    """The error of every method at every stage; for `grid`, one for each penalty."""
    vote = hl.CodedVote(DEEP, code_length=max(STAGES), honest="folds", random_state=seed).fit(X, y)
    p, honest = vote.answers(new), vote.honest_answers_
    codes_of = {label: at for at, label in enumerate(vote.classes_)}
    there, here = (np.array([codes_of[label] for label in some]) for some in (truth, y))
    k = len(vote.classes_)
    found: dict[tuple[str, int], Any] = {}

    def wrong(scores: Any) -> float:
        return float(np.mean(scores.argmax(axis=1) != there))

    for stage in STAGES:
        code, part = vote.code_[:, :stage], p[:, :stage]
        found["l1", stage] = wrong(hl.decoders.l1(part, code))
        found["regression", stage] = wrong(hl.decoders.regression(part, code))
        for rule in RULES:
            lam = hl.decoders.choose_lam(honest[:, :stage], here, code, rule).lam
            found[rule, stage] = wrong(hl.decoders.ridge(part, code, lam))
            found[f"lam {rule}", stage] = lam
        for name, times in FIXED.items():
            found[name, stage] = wrong(hl.decoders.ridge(part, code, times * k))
        found["grid", stage] = [wrong(hl.decoders.ridge(part, code, lam)) for lam in GRID]
    return found


def study(name: str, sets: Iterator[tuple[Any, ...]]) -> None:
    """Print one table."""
    all_: dict[tuple[str, int], list[Any]] = defaultdict(list)
    for one in sets:
        for key, value in errors(*one).items():
            all_[key].append(value)
    print(f"\n{name}: error in percent, mean over {len(all_['l1', STAGES[0]])} training sets")
    print(f"{'':12}" + "".join(f"{f'B={stage}':>8}" for stage in STAGES))
    for method in ("regression", *FIXED, *RULES, "l1"):
        values = [100 * np.mean(all_[method, stage]) for stage in STAGES]
        print(f"{method:12}" + "".join(f"{value:8.1f}" for value in values))
    best = [100 * np.mean(all_["grid", stage], axis=0).min() for stage in STAGES]
    print(f"{'oracle':12}" + "".join(f"{value:8.1f}" for value in best))
    at = [GRID[int(np.mean(all_["grid", stage], axis=0).argmin())] for stage in STAGES]
    print(f"{'  at lam':12}" + "".join(f"{value:8.0f}" for value in at))
    for rule in RULES:
        values = [np.median(all_[f"lam {rule}", stage]) for stage in STAGES]
        print(f"{'  ' + rule:12}" + "".join(f"{value:8.0f}" for value in values))
    for one, other in (
        ("lam = 2k", "l1"),
        ("lam = 2k", "honest"),
        ("lam = 2k", "closed"),
        ("honest", "l1"),
    ):
        paired(one, other, all_)


def paired(one: str, other: str, all_: dict[tuple[str, int], list[Any]]) -> None:
    """The difference of two methods with its standard error over training sets."""
    words = []
    for stage in STAGES:
        gap = 100 * (np.array(all_[one, stage]) - np.array(all_[other, stage]))
        words.append(f"{gap.mean():+.1f}±{gap.std(ddof=1) / len(gap) ** 0.5:.1f}".rjust(9))
    print(f"{one} less {other}:".ljust(22) + "".join(words))


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    wanted = sys.argv[2:] or ["letter", "vowel"]
    warnings.filterwarnings("ignore", message="least squares with")
    if "letter" in wanted:
        study("Letter, 50 a class", letter(times))
    if "vowel" in wanted:
        study("Vowel, 40 a class", vowel(times))
