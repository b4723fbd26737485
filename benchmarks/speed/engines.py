"""What engines cost: 1,000 tiny cells here, in worker processes and on Dask.

`python -m benchmarks.speed.engines` prints seconds and milliseconds a cell, second run of each: the
first one starts workers, which is paid once.
"""

import time
from collections.abc import Callable
from typing import Any

from distributed import Client, LocalCluster
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import heliast as hl

MODELS, FOLDS, REPEATS = 10, 10, 10
CELLS = MODELS * FOLDS * REPEATS
WORKERS = 2


def work(**options: Any) -> hl.Predictions:
    models = {f"tree{at}": DecisionTreeClassifier(max_depth=2) for at in range(MODELS)}
    plan = hl.KFold(FOLDS, repeats=REPEATS)
    return hl.run(models, load_iris(return_X_y=True), plan, progress=False, **options)


def show(what: str, job: Callable[[], hl.Predictions], here: float | None = None) -> float:
    job()
    start = time.perf_counter()
    job()
    spent = time.perf_counter() - start
    more = "" if here is None else f"{(spent - here) / CELLS * 1e3:+8.2f} ms a cell against here"
    print(f"{what:<36} {spent:7.2f} s {spent / CELLS * 1e3:7.2f} ms a cell {more}", flush=True)
    return spent


def main() -> None:
    here = show(f"{CELLS:,} tiny cells in this process", lambda: work(jobs=1))
    show(f"{WORKERS} worker processes", lambda: work(jobs=WORKERS), here)
    options = {"n_workers": WORKERS, "threads_per_worker": 1, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster):
        show(f"Dask, {WORKERS} worker processes", lambda: work(engine="dask"), here)


if __name__ == "__main__":
    main()
