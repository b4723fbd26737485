"""The error of a recipe at a number of training rows: many training sets, many test rows each."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled._learners import Job, Learner
from benchmarks.coverage.resampled._tasks import Population

Array = npt.NDArray[Any]
SETS = 2000
TEST = 500
"""Test rows a training set: a million in all, each with its expected loss."""


def risks(
    task: Population, learners: Mapping[str, Learner], n_train: int, seed: int, sets: int = SETS
) -> dict[str, tuple[float, float]]:
    """By learner: mean error over training sets of n_train rows, and its standard error."""
    rng = np.random.default_rng([seed, n_train, sum(map(ord, task.name)), 77])
    test = TEST if task.posteriors is not None else 4 * TEST
    found = {name: np.empty(sets) for name in learners}
    weight = np.zeros((1, n_train + test))
    weight[0, :n_train] = 1
    row, split = np.arange(n_train, n_train + test), np.zeros(test, int)
    for at in range(sets):
        X, y, _ = task.draw(n_train, rng)
        Z, z, _ = task.draw(test, rng)
        both, truth = np.concatenate([X, Z]), np.concatenate([y, z])
        job = Job(both, truth, task.k, weight, split, row)
        loss = _loss_table(task, Z, z)
        for name, learner in learners.items():
            found[name][at] = loss[np.arange(test), learner(job)].mean()
    return {
        name: (float(one.mean()), float(one.std(ddof=1) / np.sqrt(sets)))
        for name, one in found.items()
    }


def _loss_table(task: Population, X: Array, y: Array) -> Array:
    """The loss of every label at every row."""
    if task.posteriors is None:
        return 1.0 - np.eye(task.k)[y]
    chance = task.posteriors(X)
    return task.bayes + chance.max(axis=1, keepdims=True) - chance


def risk_of_models(
    task: Population, learner: Learner, job: Job, rng: np.random.Generator, test: int = 2000
) -> float:
    """The mean error of the very models of a job: what Wald over folds speaks of."""
    Z, z, _ = task.draw(test, rng)
    splits, n = job.weight.shape
    weight = np.concatenate([job.weight, np.zeros((splits, test))], axis=1)
    row = np.tile(np.arange(n, n + test), splits)
    split = np.repeat(np.arange(splits), test)
    X, y = np.concatenate([job.X, Z]), np.concatenate([job.y, z])
    label = learner(Job(X, y, job.k, weight, split, row))
    return float(_loss_table(task, Z, z)[row - n, label].mean())
