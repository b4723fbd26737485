"""Learners that give probabilities (or numbers), fitted to all splits of a data set at once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial import cKDTree
from scipy.special import softmax

from benchmarks.coverage.resampled._learners import Job

Array = npt.NDArray[Any]
Learner = Callable[[Job], Array]
"""Probabilities (asked, class) or numbers (asked,), in the order of the job's splits and rows."""
LEAF, NEAREST, LOOKED_AT = 4, 11, 72


def linear(job: Job) -> Array:
    """Linear discriminant analysis; least squares for numbers."""
    return _squares(job) if job.k == 0 else np.asarray(softmax(_discriminants(job), axis=1))


def overconfident(job: Job) -> Array:
    """The same with log odds three times too large; for numbers, predictions too far out."""
    if job.k == 0:
        return 1.3 * _squares(job)
    return np.asarray(softmax(3 * _discriminants(job), axis=1))


def balanced(job: Job) -> Array:
    """The same trained to weigh classes alike, so that a rare class is said far too often."""
    return np.asarray(softmax(_discriminants(job, even=True), axis=1))


def _discriminants(job: Job, even: bool = False) -> Array:
    X, k, d = job.X, job.k, job.X.shape[1]
    hot = np.eye(k)[job.y]
    count = job.weight @ hot
    size = np.maximum(count, 1)[:, :, None]
    sums = job.weight @ (hot[:, :, None] * X[:, None, :]).reshape(len(X), -1)
    mean = sums.reshape(-1, k, d) / size
    square = (job.weight @ (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)).reshape(-1, d, d)
    n = count.sum(axis=1)
    between = np.einsum("jc,jcp,jcq->jpq", count, mean, mean)
    within = (square - between) / np.maximum(n - k, 1)[:, None, None]
    # A little of the identity: few rows, or counts of coarse inputs, leave no inverse.
    coef = np.linalg.solve(within + 0.01 * np.eye(d), mean.transpose(0, 2, 1))
    share = np.ones((1, k)) if even else (count + 0.5) / (n + 0.5 * k)[:, None]
    offset = np.log(share) - 0.5 * np.einsum("jcp,jpc->jc", mean, coef)
    return np.einsum("tp,tpc->tc", X[job.row], coef[job.split]) + offset[job.split]


def _squares(job: Job) -> Array:
    A = np.column_stack([np.ones(len(job.X)), job.X])
    p = A.shape[1]
    left = job.weight @ (A[:, :, None] * A[:, None, :]).reshape(len(A), -1)
    coef = np.linalg.solve(
        left.reshape(-1, p, p) + 0.01 * np.eye(p), (job.weight @ (A * job.y[:, None]))[:, :, None]
    )[:, :, 0]
    return np.einsum("tp,tp->t", A[job.row], coef[job.split])


def tree(job: Job) -> Array:
    """A tree with leaves of four rows or more; shares of a leaf with one more row a class."""
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

    X = job.X.astype(np.float32)
    found = np.zeros((job.row.size, max(job.k, 1)))
    bounds = np.searchsorted(job.split, np.arange(len(job.weight) + 1))
    for j, weight in enumerate(job.weight):
        used, asked = np.flatnonzero(weight), slice(bounds[j], bounds[j + 1])
        kind = DecisionTreeClassifier if job.k else DecisionTreeRegressor
        model = kind(min_samples_leaf=LEAF, random_state=0)
        model.fit(X[used], job.y[used], check_input=False)
        leaf = model.tree_.apply(X[job.row[asked]])
        value = model.tree_.value[leaf, 0]
        if job.k:
            size = model.tree_.n_node_samples[leaf][:, None]
            found[asked, model.classes_] = value * size
            found[asked] = (found[asked] + 1) / (size + job.k)
        else:
            found[asked] = value
    return found if job.k else found[:, 0]


def neighbours(job: Job) -> Array:
    """Shares (with one more row of each class) or mean of the eleven nearest training rows."""
    used = np.flatnonzero(job.weight.any(axis=0))
    most = min(LOOKED_AT if len(job.weight) > 1 else NEAREST, used.size)
    asked, place = np.unique(job.row, return_inverse=True)
    near = used[cKDTree(job.X[used]).query(job.X[asked], most)[1].reshape(asked.size, most)]
    near = near[place]
    trained = job.weight[job.split[:, None], near] > 0
    votes = trained & (np.cumsum(trained, axis=1) <= NEAREST)
    if job.k == 0:
        return (votes * job.y[near]).sum(axis=1) / np.maximum(votes.sum(axis=1), 1)
    each = [(votes & (job.y[near] == c)).sum(axis=1) for c in range(job.k)]
    found = np.column_stack(each) + 1.0
    return found / found.sum(axis=1, keepdims=True)


LEARNERS: dict[str, Learner | None] = {
    "fixed rule": None,
    "linear": linear,
    "tree": tree,
    "neighbours": neighbours,
    "overconfident": overconfident,
    "balanced": balanced,
}
"""The fixed rule is the world's own: it is not trained."""
