"""From probabilities to decisions: thresholds from costs, and predicted classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from heliast._core.costs import Costs, cheapest, cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike


def threshold_of(cost: Costs, classes: Sequence[Any] = (0, 1)) -> float:
    """Probability of the second class from which on deciding for it costs no more.

    With costs C[true, predicted]: t = (C01 - C00) / (C01 - C00 + C10 - C11), so that a row with
    P(second) = t costs the same either way. Equal costs of errors give 1/2.

    Parameters
    ----------
    cost : array-like
        Costs, (2, 2), rows = true class, columns = predicted; or a mapping, see `expected_cost`.
    classes : sequence of labels
        The two classes in order.

    Returns
    -------
    float
        The threshold, 0 to 1.

    Raises
    ------
    InputError
        If there are not two classes, or an error costs less than the right decision.

    Examples
    --------
    >>> threshold_of([[0, 1], [9, 0]])
    0.1

    References
    ----------
    C. Elkan (2001), The foundations of cost-sensitive learning.
    """
    matrix = cost_matrix(cost, list(classes))
    if len(matrix) != 2:
        raise InputError("cost: a threshold belongs to two classes; for more use to_crisp(cost=)")
    false_positive, false_negative = matrix[0, 1] - matrix[0, 0], matrix[1, 0] - matrix[1, 1]
    if min(false_positive, false_negative) < 0 or false_positive + false_negative == 0:
        raise InputError("cost: an error must not cost less than the right decision")
    return float(false_positive / (false_positive + false_negative))


def to_crisp(
    probabilities: ArrayLike,
    classes: Sequence[Any],
    *,
    threshold: float | None = None,
    cost: Costs | None = None,
) -> Array:
    """Predicted classes from probabilities.

    Without options the largest probability decides, ties go to the first class.

    Parameters
    ----------
    probabilities : array-like
        Probabilities, (n, k), or (n,) of the second of two classes.
    classes : sequence of labels
        The classes in order.
    threshold : float, optional
        Of two classes: the second from this probability on.
    cost : array-like, optional
        Costs, rows = true class, columns = predicted: the least expected cost decides.

    Returns
    -------
    array
        Predicted class of each row, (n,).

    Raises
    ------
    InputError
        If shapes do not fit, or both `threshold` and `cost` are set.

    Examples
    --------
    >>> to_crisp([[0.6, 0.4], [0.2, 0.8]], ["no", "yes"]).tolist()
    ['no', 'yes']
    >>> to_crisp([0.2, 0.05], ["no", "yes"], threshold=0.1).tolist()
    ['yes', 'no']
    >>> to_crisp([[0.6, 0.4]], ["no", "yes"], cost=[[0, 1], [9, 0]]).tolist()
    ['yes']
    """
    shares, labels = np.asarray(probabilities, float), np.array(list(classes))
    if shares.ndim == 1:
        shares = np.column_stack([1 - shares, shares])
    if shares.ndim != 2 or shares.shape[1] != len(labels):
        raise InputError(
            f"probabilities of shape {shares.shape} do not fit {len(labels)} classes: give one "
            "column per class"
        )
    if threshold is not None:
        if cost is not None:
            raise InputError("give threshold or cost, not both: costs imply a threshold")
        if len(labels) != 2:
            raise InputError(f"threshold={threshold:g} is for two classes, not {len(labels)}")
        return np.asarray(labels[(shares[:, 1] >= threshold).astype(int)])
    if cost is not None:
        return np.asarray(labels[cheapest(shares, cost_matrix(cost, list(classes)))])
    return np.asarray(labels[shares.argmax(axis=1)])
