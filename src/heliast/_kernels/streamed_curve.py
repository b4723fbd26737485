"""The ROC curve of a stream of scores, highest first: the vertices that a picture needs, the hull.

What is held does not grow with the rows: points that no picture shows are let go as they come, and
the hull of the hulls of pieces is the hull of all.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from .ranking import Curve, hull, thin
from .streaming import Batch, by_score

Points = npt.NDArray[np.float64]
# So many points all stay.
FEW = 4096


def stream_outline(
    batches: Iterable[Batch], totals: tuple[float, float]
) -> tuple[Curve, Curve, Curve]:
    """(vertices, corners of the upper hull, corners of the lower hull), each as `curve` gives them.

    A vertex left out lies within one pixel of one kept before it; up to FEW vertices all stay.
    """
    # Rows: the score, and the weight of the class and of the rest at or above it.
    start = np.array([[np.inf], [0.0], [0.0]])
    end = np.array([[-np.inf], [totals[0]], [totals[1]]])
    kept, upper, lower = start, start, start
    seen, above = 1, start[1:]
    for score, cells in by_score(batches):
        sums = above + np.cumsum(cells[:2], axis=1)
        above = sums[:, -1:]
        points = np.vstack([score, sums])
        seen += score.size
        kept, upper, lower = (np.hstack([line, points]) for line in (kept, upper, lower))
        upper, lower = upper[:, hull(upper[2], upper[1])], lower[:, hull(lower[1], lower[2])]
        if seen > FEW:
            scaled = np.hstack([kept, end])  # pixels are those of the whole curve
            shown = thin(scaled[2], scaled[1])[:-1]
            kept = kept[:, np.union1d(shown, kept.shape[1] - 1)]
    return _curve(kept), _curve(upper), _curve(lower)


def _curve(points: Points) -> Curve:
    return points[0].copy(), points[1].copy(), points[2].copy()
