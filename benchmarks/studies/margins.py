"""Does the normal model predict the error of bagged trees without a single test label?

`HELIAST_DATA=... python -m benchmarks.studies.margins [repetitions]`: Letter, 50 training rows a
letter; the model fitted to out-of-bag margins against the out-of-bag error itself, by their
distance from the test error. Boosting and figures 4.1 to 4.4: `python -m reproduction`.
"""

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats

import heliast as hl
from benchmarks.studies.ridge import of_each_class
from heliast.theory import NormalModel

DATA = Path(os.environ.get("HELIAST_DATA", "."))
ROUNDS = 100
NUMBERS = (10, 20, 50, 100)


def samples(repetitions: int) -> Any:
    """(X, y, new X, new y, seed): 50 rows a letter, and 4,000 others."""
    data = hl.read(str(DATA / "letter.csv"), target="class")
    X, y = data.matrix, np.asarray(data.y)
    for seed in range(repetitions):
        order = np.random.default_rng(2000 + seed).permutation(len(y))
        train = of_each_class(order, y, 50)
        test = order[~np.isin(order, train)][:4000]
        yield X[train], y[train], X[test], y[test], seed


def between(values: Any) -> str:
    """Mean and 95% t interval."""
    values = np.asarray(values)
    far = stats.t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / len(values) ** 0.5
    return f"{values.mean():.5f} [{values.mean() - far:.5f}, {values.mean() + far:.5f}]"


def out_of_bag(repetitions: int) -> None:
    away: dict[str, dict[int, list[float]]] = {
        name: {number: [] for number in NUMBERS} for name in ("out of bag", "normal model")
    }
    for X, y, new, truth, seed in samples(repetitions):
        bag = hl.BaggedVote(hl.Tree(limits="s-plus"), ROUNDS, random_state=seed).fit(X, y)
        error = np.array([np.mean(label != truth) for label in bag.staged_predict(new)])
        margin, count = left_out(bag, X, y)
        model = NormalModel().fit_out_of_bag(margin, count)
        last = np.nan_to_num(margin[-1:])
        for number in NUMBERS:
            there = count[number - 1] > 0
            said = (margin[number - 1][there] <= 0).mean()
            away["out of bag"][number].append(said - error[number - 1])
            guess = model.predict(last, members=[number])[0]
            away["normal model"][number].append(guess - error[number - 1])
    print(
        f"\nBagged trees on Letter, no test labels, {repetitions} repetitions: error of the guess"
    )
    for number in NUMBERS:
        one, other = (np.array(away[name][number]) for name in away)
        print(
            f"  B={number:<4} out of bag {between(one)}   normal model {between(other)}\n"
            f"        squared error, out of bag less normal model: {between(one**2 - other**2)}"
        )


def left_out(bag: Any, X: Any, y: Any) -> tuple[Any, Any]:
    """Margins and numbers of votes of the members that did not see a row, stage by stage."""
    code = {label: at for at, label in enumerate(bag.classes_)}
    truth = np.array([code[label] for label in y])
    votes = np.zeros((len(y), len(code)))
    margins, counts = [], []
    everyone = np.arange(len(y))
    for at in range(len(bag.estimators_)):
        out = bag.drawn(at) == 0
        label = np.array([code[one] for one in bag.estimators_[at].predict(X[out])])
        votes[np.flatnonzero(out), label] += 1
        total = votes.sum(axis=1)
        others = votes.copy()
        others[everyone, truth] = -1
        with np.errstate(invalid="ignore"):
            margins.append((votes[everyone, truth] - others.max(axis=1)) / total)
        counts.append(total)
    return np.array(margins), np.array(counts)


if __name__ == "__main__":
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    out_of_bag(times)
