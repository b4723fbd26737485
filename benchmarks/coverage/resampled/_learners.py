"""Learners fitted to many training sets of one data set at once: weights instead of copies.

A job asks for the labels of given rows by the models trained with given weights; rows of weight 0
are not trained on. Each learner is the textbook one; `tests` compare them with scikit-learn.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled._tree import tree_labels, voted

Array = npt.NDArray[Any]
NEAREST = 24


@dataclass(frozen=True)
class Job:
    """Data, a row of training weights for each split, and (split, row) of each label wanted.

    Labels come back in this order; `split` must not decrease. `sorted_` holds what learners made
    of the inputs alone, for the next job with the same data.
    """

    X: Array
    y: Array
    k: int
    weight: Array
    split: Array
    row: Array
    sorted_: dict[str, Array] | None = None

    def once(self, name: str, make: Callable[[], Array]) -> Array:
        if self.sorted_ is None:
            return make()
        if name not in self.sorted_:
            self.sorted_[name] = make()
        return self.sorted_[name]


Learner = Callable[[Job], Array]


def lda(job: Job) -> Array:
    """Linear discriminant analysis with class shares of the training rows."""
    X, k, d = job.X, job.k, job.X.shape[1]
    hot = np.eye(k)[job.y]
    count = job.weight @ hot
    sums = (job.weight @ (hot[:, :, None] * X[:, None, :]).reshape(len(X), -1)).reshape(-1, k, d)
    square = (job.weight @ (X[:, :, None] * X[:, None, :]).reshape(len(X), -1)).reshape(-1, d, d)
    mean = sums / np.maximum(count, 1)[:, :, None]
    between = np.einsum("jc,jcp,jcq->jpq", count, mean, mean)
    n = count.sum(axis=1)
    cov = (square - between) / np.maximum(n - k, 1)[:, None, None] + 1e-9 * np.eye(d)
    coef = np.linalg.solve(cov, mean.transpose(0, 2, 1))
    with np.errstate(divide="ignore"):
        offset = np.log(count / n[:, None]) - 0.5 * np.einsum("jcp,jpc->jc", mean, coef)
    return _linear(job, coef, offset)


def _linear(job: Job, coef: Array, offset: Array) -> Array:
    score = np.einsum("tp,tpc->tc", job.X[job.row], coef[job.split]) + offset[job.split]
    return score.argmax(axis=1)


def logistic(job: Job) -> Array:
    """Logistic regression with a ridge penalty of 1/2; several classes one against the rest."""
    two = job.k == 2
    classes = [1] if two else list(range(job.k))
    A = np.column_stack([np.ones(len(job.X)), job.X])
    found = np.stack([_newton(A, job.y == c, job.weight) for c in classes], axis=2)
    score = np.einsum("tp,tpc->tc", A[job.row], found[job.split])
    return (score[:, 0] > 0).astype(np.int64) if two else score.argmax(axis=1)


def _newton(A: Array, hit: Array, weight: Array) -> Array:
    """Coefficients (split, input) by Newton's method, all splits at once."""
    p = A.shape[1]
    ridge = np.eye(p)
    ridge[0, 0] = 1e-6
    outer = (A[:, :, None] * A[:, None, :]).reshape(len(A), -1)
    # All splits start from the fit to the rows of any: two or three steps are left.
    start = np.zeros((1, p))
    if len(weight) > 1:
        start = _steps(start, A, hit, weight.mean(axis=0, keepdims=True), ridge, outer)
    return _steps(np.repeat(start, len(weight), axis=0), A, hit, weight, ridge, outer)


def _steps(beta: Array, A: Array, hit: Array, weight: Array, ridge: Array, outer: Array) -> Array:
    from scipy.special import expit

    p = A.shape[1]
    for _ in range(25):
        mu = expit(beta @ A.T)
        slope = (weight * (hit - mu)) @ A - beta @ ridge
        mu *= (1 - mu) * weight
        step = np.linalg.solve((mu @ outer).reshape(-1, p, p) + ridge, slope[:, :, None])[:, :, 0]
        beta = beta + step
        if np.abs(step).max() < 1e-5:
            break
    return beta


def tree(job: Job, depth: int = 10_000) -> Array:
    def ordered() -> Array:
        used = np.flatnonzero(job.weight.any(axis=0))
        order = used[np.argsort(job.X[used], axis=0, kind="stable")].T.astype(np.int32)
        return np.ascontiguousarray(order)

    order = job.once("order", ordered)
    starts = np.searchsorted(job.split, np.arange(len(job.weight) + 1))
    return tree_labels(job.X, job.y, job.k, job.weight, order, starts, job.row, depth)


def neighbours(job: Job, near: int = 1) -> Array:
    used = np.flatnonzero(job.weight.any(axis=0))
    asked = np.arange(len(job.X)) if job.sorted_ is not None else np.unique(job.row)
    place = np.searchsorted(asked, job.row)
    gap = job.once(
        "gap", lambda: -2 * job.X[asked] @ job.X[used].T + (job.X[used] ** 2).sum(axis=1)
    )
    order = job.once(f"near {near}", lambda: used[_nearest(gap, min(NEAREST + near, used.size))])
    found = voted(order, job.y, job.k, job.weight, job.split, place, near)
    for at in np.flatnonzero(found < 0):
        whole = used[gap[place[at]].argsort()][None, :]
        one = voted(whole, job.y, job.k, job.weight, job.split[at : at + 1], np.zeros(1, int), near)
        found[at] = one[0]
    return found


def _nearest(gap: Array, few: int) -> Array:
    """The places of the smallest gaps of each row, in order (the row itself among them)."""
    if few == gap.shape[1]:
        return np.asarray(gap.argsort(axis=1))
    part = np.argpartition(gap, few - 1, axis=1)[:, :few]
    inside = np.take_along_axis(gap, part, axis=1).argsort(axis=1)
    return np.asarray(np.take_along_axis(part, inside, axis=1))


def naive_bayes(job: Job) -> Array:
    """Normal inputs, independent within a class, each with its own variance."""
    hot = np.eye(job.k)[job.y]
    count = job.weight @ hot
    size = np.maximum(count, 1)[:, :, None]
    shape = (len(job.weight), job.k, -1)
    mean = (job.weight @ (hot[:, :, None] * job.X[:, None, :]).reshape(len(hot), -1)).reshape(shape)
    mean = mean / size
    second = job.weight @ (hot[:, :, None] * job.X[:, None, :] ** 2).reshape(len(hot), -1)
    var = np.maximum(second.reshape(shape) / size - mean**2, 1e-3)
    with np.errstate(divide="ignore"):
        prior = np.log(count / count.sum(axis=1, keepdims=True))
    away = (job.X[job.row][:, None, :] - mean[job.split]) ** 2 / var[job.split]
    score = prior[job.split] - 0.5 * (away + np.log(var[job.split])).sum(axis=2)
    return score.argmax(axis=1)


LEARNERS: dict[str, Learner] = {"LDA": lda, "1-NN": neighbours, "tree": tree, "logistic": logistic}
FRESH_LEARNERS: dict[str, Learner] = {
    "naive Bayes": naive_bayes,
    "5-NN": lambda job: neighbours(job, 5),
    "tree of depth 3": lambda job: tree(job, 3),
    "stump": lambda job: tree(job, 1),
    "LDA": lda,
    "tree": tree,
}
