"""One class is rare: where accuracy misleads and thresholds matter."""

from heliast.data.simulate._task import at_least, within
from heliast.data.simulate._two_gaussians import Pair, pair


def rare_class(share: float = 0.02, distance: float = 2.0, d: int = 5) -> Pair:
    """Two normals, `distance` apart in d inputs; the class `rare` has the given share.

    Bayes error and `.auc` are exact.

    >>> task = rare_class(share=0.05)
    >>> round(task.bayes_error().value, 4), round(task.auc, 4)
    (0.0405, 0.9214)
    """
    share = within(share, 0.0, 0.5, "share", open_=True)
    distance = within(distance, 0.0, 40.0, "distance")
    name = f"rare_class(share={share:g}, distance={distance:g}, d={d})"
    return pair(name, ("common", "rare"), distance, at_least(d, 1, "d"), share)
