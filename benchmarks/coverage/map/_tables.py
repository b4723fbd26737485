"""A sample under a plan, predicted: the table that a user would have."""

from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.map._learners import LEARNERS
from benchmarks.coverage.map._worlds import Sample, World
from benchmarks.coverage.resampled._learners import Job
from heliast.data import Dataset
from heliast.plans import Plan
from heliast.plans.plan import number_pieces
from heliast.predictions import Meta, Predictions, Splits

Array = npt.NDArray[Any]
LEAST = 1e-6
"""Probabilities are kept this far from 0 and 1, or one row would make the log loss infinite."""


def scored(world: World, learner: str, job: Job) -> Array:
    """What the learner says of the rows asked for."""
    fit = LEARNERS[learner]
    return clipped(world, world.rule(job.X[job.row]) if fit is None else fit(job))


def clipped(world: World, found: Array) -> Array:
    if world.k == 0:
        return found
    found = np.clip(found, LEAST, 1)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def fitted_once(world: World, learner: str, n_train: int, rng: np.random.Generator) -> Any:
    """One model, fitted to n_train rows, or the world's own rule: rows to scores."""
    if LEARNERS[learner] is None:
        return lambda X: clipped(world, world.rule(X))
    train = world.draw(n_train, rng, None)

    def predict(X: Array) -> Array:
        both = np.concatenate([train.X, X])
        y = np.concatenate([train.y, np.zeros(len(X), train.y.dtype)])
        weight = (np.arange(len(both)) < len(train.X)).astype(float)[None, :]
        row = np.arange(len(train.X), len(both))
        return scored(world, learner, Job(both, y, world.k, weight, np.zeros(len(X), int), row))

    return predict


def cut(plan: Plan, world: World, sample: Sample, rng: np.random.Generator) -> tuple[Job, Splits]:
    """The splits of the plan, as a job for learners."""
    task: Any = "classification" if world.k else "regression"
    data = Dataset((), sample.y, task, tuple(range(world.k)), group=sample.group)
    pieces = number_pieces(plan.pieces(data, rng))
    weight = np.stack([piece.in_train(data.n) for piece in pieces]).astype(np.float64)
    split = np.repeat(np.arange(len(pieces)), [piece.test.size for piece in pieces])
    row = np.concatenate([piece.test for piece in pieces])
    job = Job(sample.X, sample.y, world.k, weight, split, row)
    return job, Splits(tuple(piece.record for piece in pieces))


def table(
    world: World,
    sample: Sample,
    found: Array,
    job: Job | None = None,
    splits: Splits | None = None,
) -> Predictions:
    """Predictions of one model: one test set, or the rows of a job."""
    row = np.arange(sample.y.size) if job is None else job.row
    kind: Any = {"sampling weights": "sampling", "frequency weights": "frequency"}
    side = {
        "split_code": None if job is None else job.split.astype(np.int32),
        "row": row,
        "group": None if sample.group is None else sample.group[row],
        "weight": None if sample.weight is None else sample.weight[row],
        "splits": Splits() if splits is None else splits,
    }
    weighed = kind.get(world.dressing) if sample.weight is not None else None
    if world.k == 0:
        return Predictions(sample.y[row], found, Meta("regression", weight_kind=weighed), **side)
    positive = 1 if world.k == 2 else None
    meta = Meta(
        "classification", tuple(range(world.k)), positive, "probability", weight_kind=weighed,
        ordinal=world.ordinal,
    )  # fmt: skip
    label = found[:, 1] > world.cut if world.k == 2 else found.argmax(axis=1)
    scores = found[:, 1].copy() if world.k == 2 else found
    truth = sample.y[row].astype(np.uint8)
    return Predictions(truth, label.astype(np.uint8), meta, scores=scores, **side)
