"""What compiling takes: `python -m benchmarks.kernels` grows every kind of tree and resamples once.

Two processes do the same work, the first with an empty cache of Numba; the difference of their
processor seconds is what compiling all kernels takes.
"""

import os
import resource
import subprocess
import sys
import tempfile
import warnings


def use_every_kernel() -> None:
    """Trees and ensembles of every kind, replicates of measures of scores, a large table."""
    import numpy as np

    import heliast as hl

    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y, number = np.arange(90) % 3, X[:, 0] + rng.normal(size=90)
    holes = np.where(rng.random(X.shape) < 0.1, np.nan, X)
    many = rng.normal(size=(90, 300)).round(2)
    ensembles = (
        hl.BaggedVote(hl.Tree(), 3), hl.BoostedVote(hl.Tree(max_depth=2), 3),
        hl.BoostedVote(hl.Tree(max_depth=2), 3, draw="weights"), hl.PairwiseVote(hl.Tree()),
        hl.CodedVote(), hl.CodedVote(code="trained"), hl.Tree(), hl.Tree("gini", max_leaf_nodes=4),
    )  # fmt: skip
    for model in ensembles:
        for inputs in (X, holes, many):
            model.fit(inputs, y).predict_proba(inputs)
    for model in (hl.BaggedMean(n_estimators=3), hl.BoostedMedian(n_estimators=3)):
        model.fit(X, number).predict(X)
    for n, k in ((20_000, 2), (300_000, 2), (300_000, 4)):
        y_true, y_score = rng.integers(0, k, n), rng.dirichlet([1.0] * k, n)
        table = hl.Predictions.of(
            y_true, y_score=y_score, classes=[*range(k)], scores="probability"
        )
        hl.assess(table)
        if k == 2:
            hl.assess(table, ["auc", "error"], interval="bootstrap")


def processor_seconds(cache: str) -> float:
    """What a process takes that uses every kernel, with this folder as the cache of Numba."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = "from benchmarks.kernels import use_every_kernel; use_every_kernel()"
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = processor_seconds(cache), processor_seconds(cache)
    print(f"empty cache {cold:.1f} s, full cache {warm:.1f} s: compiling takes {cold - warm:.1f} s")
