"""A store that heliast 0.1.0 wrote before its modules moved (commit 6c55c08), killed half-way.

Usage, with PYTHONPATH naming the src of that commit: python make.py FOLDER

Writes FOLDER/store, where a process was killed when it had finished 14 of 24 cells (its claim, that
names the machine, is not kept here). `../test_before.py` does the same work with the present code.
"""

import os
import signal
import sys
from pathlib import Path

import numpy as np

import heliast as hl

TREE = hl.Tree(max_depth=2)
MODELS = {
    "tree": hl.Tree(),
    "prism": hl.Prism(),
    "bag": hl.BaggedVote(TREE, 3, random_state=1),
    "boost": hl.BoostedVote(TREE, 3, random_state=2),
    "majority": hl.MajorityVote([("two", TREE), ("deep", hl.Tree())]),
    "pairs": hl.PairwiseVote(TREE, random_state=3),
    "cost": hl.CostSensitive(TREE, [[0, 1, 1], [2, 0, 1], [1, 3, 0]]),
    "coded": hl.CodedVote(TREE, columns=4, random_state=4),
}
FINISHED = 14  # of 24 cells


def data() -> hl.Dataset:
    """Whole numbers, so that no rounding enters."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 30, (24, 3)).astype(float)
    return hl.Dataset.of(X, np.array(["a", "b", "c"])[((X[:, 0] + X[:, 1]) // 20).astype(int) % 3])


def work(store: Path | None) -> hl.Predictions:
    return hl.run(MODELS, data(), hl.KFold(3), seed=3, store=store, jobs=1, progress=False)


def killed(store: Path) -> None:
    """Before the first cell after those that are to be finished is claimed."""

    def hook(event: str, arguments: tuple) -> None:
        begins = event == "open" and str(arguments[0]).endswith(".claim")
        if begins and len(list(store.glob("??/*.parquet"))) == FINISHED:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)
    work(store)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    if os.fork() == 0:
        killed(folder / "store")
    assert os.waitstatus_to_exitcode(os.wait()[1]) == -signal.SIGKILL
