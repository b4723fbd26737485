"""From probabilities to decisions: thresholds that costs ask for, and crisp classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.costs import Costs, cheapest, cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told


@told(
    returns="float: The threshold, 0 to 1.",
    raises="If there are not two classes, or an error costs less than the right decision.",
)
def threshold_of(cost: Costs, classes: Sequence[Any] = (0, 1)) -> float:
    """The probability of the second class from which on deciding for it costs no more.

    With costs C[true, decided]: t = (C01 - C00) / (C01 - C00 + C10 - C11), so that a row with
    P(second) = t costs the same either way. Equal costs of errors give 1/2.

    Parameters
    ----------
    cost : array-like
        Costs, (2, 2), rows = true class, columns = label; or a mapping, see `expected_cost`.
    classes : sequence of labels
        The two classes in order.

    Examples
    --------
    >>> threshold_of([[0, 1], [9, 0]])
    0.1

    References
    ----------
    C. Elkan (2001), The foundations of cost-sensitive learning.
    """
    lost = cost_matrix(cost, list(classes))
    if lost.shape != (2, 2):
        raise InputError("cost: a threshold belongs to two classes; for more use to_crisp(cost=)")
    alarm, miss = lost[0, 1] - lost[0, 0], lost[1, 0] - lost[1, 1]
    if alarm < 0 or miss < 0 or alarm + miss == 0:
        raise InputError("cost: an error must not cost less than the right decision")
    return float(alarm / (alarm + miss))


@told(
    {
        "probabilities": "array-like: Probabilities, (n, k), or (n,) of the second of two classes.",
        "classes": "sequence of labels: The classes in order.",
        "threshold": "float, optional: Of two classes: the second from this probability on.",
        "cost": "array-like, optional: Costs of decisions, rows = true class, columns = label.",
    },
    returns="array: A class a row, (n,).",
    raises="If shapes do not fit, or both `threshold` and `cost` are given.",
)
def to_crisp(
    probabilities: npt.ArrayLike,
    classes: Sequence[Any],
    *,
    threshold: float | None = None,
    cost: Costs | None = None,
) -> Array:
    """Classes from probabilities, one column a class (or, for two, those of the second alone).

    Without options the largest probability decides, ties go to the first class. `threshold` is for
    two classes: the second from there on. `cost` takes the decision of least expected cost.

    Examples
    --------
    >>> to_crisp([[0.6, 0.4], [0.2, 0.8]], ["no", "yes"]).tolist()
    ['no', 'yes']
    >>> to_crisp([0.2, 0.05], ["no", "yes"], threshold=0.1).tolist()
    ['yes', 'no']
    >>> to_crisp([[0.6, 0.4]], ["no", "yes"], cost=[[0, 1], [9, 0]]).tolist()
    ['yes']
    """
    shares = np.asarray(probabilities, float)
    if shares.ndim == 1:
        shares = np.column_stack([1 - shares, shares])
    if shares.ndim != 2 or shares.shape[1] != len(classes):
        raise InputError(
            f"probabilities of shape {shares.shape} do not fit {len(classes)} classes: give one "
            "column a class"
        )
    if threshold is not None and cost is not None:
        raise InputError("give threshold or cost, not both: costs are a threshold of their own")
    if threshold is not None and len(classes) != 2:
        raise InputError(f"threshold={threshold:g} is for two classes, not {len(classes)}")
    names = np.array(list(classes))
    if threshold is not None:
        found: Array = names[(shares[:, 1] >= threshold).astype(int)]
    elif cost is not None:
        found = names[cheapest(shares, cost_matrix(cost, list(classes)))]
    else:
        found = names[shares.argmax(axis=1)]
    return found
