"""Thesis table 2.12: Letter, 50 rows a class, 520 test rows, deep trees, errors against B.

Our errors beside those of the thesis, and then what other codes give with few columns.

    HELIAST_DATA=... python -m benchmarks.studies.coded [repetitions [table] [codes]]
"""

import os
import sys
import time
import warnings
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np

import heliast as hl
from benchmarks.studies.ridge import of_each_class

DATA = Path(os.environ.get("HELIAST_DATA", "."))
STAGES = (2, 5, 10, 20, 40, 60, 80, 100, 120, 160, 200)
THESIS = {
    "l1": (89.7, 65.2, 41.8, 29.2, 22.9, 20.2, 19.6, 18.5, 18.1, 17.4, 17.2),
    "regression": (100.0, 100.0, 100.0, 100.0, 27.5, 22.0, 19.5, 19.0, 18.0, 17.2, 17.1),
    "centroid": (87.0, 61.2, 40.4, 28.5, 22.6, 20.2, 19.5, 18.9, 18.3, 17.6, 17.3),
    "substitution": (48.9, 33.3, 26.1, 22.8, 21.0, 20.4, 19.8, 19.6, 19.4, 19.2, 19.2),
}
DEEP = hl.Tree(limits="s-plus", min_deviance=0)
CODES = {"random": 31, "designed": 31, "trained": 31, "hadamard": None, "identity": None}


def samples(repetitions: int) -> Any:
    """(X, y, new X, new y, seed): 50 rows a class, and 520 others."""
    data = hl.read(str(DATA / "letter.csv"), target="class")
    X, y = data.matrix, np.asarray(data.y)
    for seed in range(repetitions):
        order = np.random.default_rng(1000 + seed).permutation(len(y))
        train = of_each_class(order, y, 50)
        test = order[~np.isin(order, train)][:520]
        yield X[train], y[train], X[test], y[test], seed


def table(repetitions: int) -> None:
    """Error of each decoder at each stage, from one fit a training set."""
    found: dict[tuple[str, int], list[float]] = defaultdict(list)
    seconds = 0.0
    for X, y, new, truth, seed in samples(repetitions):
        start = time.perf_counter()
        vote = hl.CodedVote(DEEP, code_length=max(STAGES), stages=STAGES, random_state=seed).fit(
            X, y
        )
        for suffix, label, _ in vote.outputs(new):
            name, columns = suffix.split("/B=")
            found[name, int(columns)].append(float(np.mean(label != truth)))
        seconds += time.perf_counter() - start
    print(f"Letter, 50 a class, 520 test rows, {repetitions} training sets: error in percent")
    print(f"{'':22}" + "".join(f"{f'B={stage}':>7}" for stage in STAGES))
    for name, thesis in THESIS.items():
        ours = [100 * np.mean(found[name, stage]) for stage in STAGES]
        print(f"{name:14}{'thesis':8}" + "".join(f"{value:7.1f}" for value in thesis))
        print(f"{'':14}{'ours':8}" + "".join(f"{value:7.1f}" for value in ours))
        last = np.array(found[name, max(STAGES)])
        error = 100 * last.std(ddof=1) / len(last) ** 0.5
        print(f"{'':14}last less thesis {ours[-1] - thesis[-1]:+.1f} (standard error {error:.1f})")
    print(f"{seconds / repetitions:.2f} s a training set: one fit, four decoders, eleven stages")


def codes(repetitions: int) -> None:
    """L1 errors of codes with about as many columns as classes."""
    found = defaultdict(list)
    for X, y, new, truth, seed in samples(repetitions):
        for code, columns in CODES.items():
            vote = hl.CodedVote(DEEP, code=code, code_length=columns, random_state=seed).fit(X, y)
            found[code].append(100 * np.mean(vote.predict(new) != truth))
    print("\ncodes, L1: error in percent, standard error, and the difference to random")
    for code, errors in found.items():
        gap = np.array(errors) - np.array(found["random"])
        print(
            f"{code:10} B={CODES[code] or ('31' if code == 'hadamard' else '26')}  "
            f"{np.mean(errors):5.1f} ± {np.std(errors, ddof=1) / len(errors) ** 0.5:.1f}   "
            f"{gap.mean():+5.1f} ± {gap.std(ddof=1) / len(gap) ** 0.5:.1f}"
        )


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    warnings.filterwarnings("ignore", message="regression at B")
    wanted = sys.argv[2:] or ["table", "codes"]
    if "table" in wanted:
        table(times)
    if "codes" in wanted:
        codes(times)
