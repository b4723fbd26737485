"""Fronts: who is not beaten by another in both of two things."""

import math
from collections.abc import Sequence


def pareto(spent: Sequence[float], worth: Sequence[float], better: str = "high") -> tuple[int, ...]:
    """Who is on the front: nobody else spends no more and is worth no less, one of them strictly.

    Parameters
    ----------
    spent : sequence of float
        What each takes; less is better.
    worth : sequence of float
        What each is worth.
    better : {"high", "low"}
        Which worth is better.

    Returns
    -------
    tuple of int
        Their places, by what they spend; those without both values are not among them.

    Examples
    --------
    >>> pareto([3.0, 1.0, 2.0, 2.5], [0.9, 0.5, 0.7, 0.6])
    (1, 2, 0)
    """
    sign = 1.0 if better == "high" else -1.0
    points = [
        (cost, -sign * value, place)
        for place, (cost, value) in enumerate(zip(spent, worth, strict=True))
        if math.isfinite(cost) and math.isfinite(value)
    ]
    found: list[tuple[float, float, int]] = []
    for one in sorted(points):
        if not found or one[1] < found[-1][1] or one[:2] == found[-1][:2]:
            found.append(one)
    return tuple(place for _, _, place in found)
