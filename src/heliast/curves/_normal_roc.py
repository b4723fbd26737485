"""The ROC curve that theory gives: scores of both classes are normal."""

from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.told import told
from heliast.curves._record import HELD, Point, Record
from heliast.predictions import Predictions

PLACES, FAR = 401, 6.0


@told(
    HELD
    | {
        "distance": "float: The mean score of positives; that of negatives is 0.",
        "spread": "float: The standard deviation of their scores; that of negatives is 1.",
        "threshold": "array: Thresholds, falling.",
        "auc": "float: The area under the curve.",
        "class_": "None: The curve is of no table.",
    }
)
@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class NormalRoc(Record):
    """The exact ROC curve of scores that are N(distance, spread^2) for positives, else N(0, 1).

    Examples
    --------
    >>> normal_roc(1.5)
    <NormalRoc of 'two normals': distance 1.5, spread 1: AUC 0.8556>
    """

    distance: float
    spread: float
    threshold: Array
    fpr: Array
    tpr: Array
    auc: float
    model: str = "two normals"
    class_: None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        words = f"distance {self.distance:g}, spread {self.spread:g}: AUC {self.auc:.4g}"
        return f"{self._head('NormalRoc', None)}: {words}>"

    @told({"threshold": "float: The least score that counts."}, returns="Point: Its rates.")
    def at(self, threshold: float) -> Point:
        """What the rule `score >= threshold` does; `tp` and `fp` are shares of their classes."""
        fpr, tpr = _rates(np.array([threshold]), self.distance, self.spread)
        rates = float(tpr[0]), float(fpr[0])
        return Point(float(threshold), *rates, *rates)

    @told(
        {
            "positives": "int: Rows of the class 1.",
            "negatives": "int: Rows of the class 0.",
            "seed": "int: Seed of the draw.",
            "model": "str: What the table calls it.",
        },
        returns="Predictions: Rows with drawn scores; their numbers per class are fixed.",
        raises="If there is not at least one row of each.",
    )
    def sample(
        self, positives: int, negatives: int, seed: int = 0, model: str = "sampled"
    ) -> Predictions:
        """Rows whose scores are drawn from the two normals, to set beside the theory."""
        if positives < 1 or negatives < 1:
            raise InputError(
                f"positives={positives}, negatives={negatives}: give 1 or more of each"
            )
        rng = np.random.default_rng(seed)
        score = rng.standard_normal(positives + negatives)
        score[:positives] = self.distance + self.spread * score[:positives]
        truth = [1] * positives + [0] * negatives
        return Predictions.of(truth, score=score, positive=1, scores="decision", model=model)


@told(
    {
        "distance": "float: How far the mean score of positives lies above that of negatives, in "
        "standard deviations of negatives.",
        "spread": "float: The standard deviation of positives, in the same unit.",
    },
    returns="NormalRoc: The curve.",
    raises="If they are not finite, or the spread is not above 0.",
)
def normal_roc(distance: float, spread: float = 1.0) -> NormalRoc:
    """The ROC curve of a signal in normal noise: what a threshold on two Gaussians does.

    TPR = Phi((distance - t) / spread) and FPR = Phi(-t), so TPR = Phi(a + b Phi^-1(FPR)) with
    a = distance / spread and b = 1 / spread, and AUC = Phi(a / sqrt(1 + b^2)). Less noise, a larger
    distance, a larger area; moving the threshold to the right lowers both rates. With unequal
    spreads the curve crosses the diagonal near a corner.

    Examples
    --------
    >>> found = normal_roc(2.0)
    >>> round(found.auc, 4), round(found.at(1.0).tpr, 4), round(found.at(1.0).fpr, 4)
    (0.9214, 0.8413, 0.1587)

    References
    ----------
    slides-c, 'ROC Curve' (the radar signal; there moving the threshold right raises both rates,
    which is a slip). D. Green and J. Swets (1966), Signal Detection Theory and Psychophysics.
    """
    from scipy.special import ndtr

    if not (np.isfinite(distance) and np.isfinite(spread) and spread > 0):
        raise InputError(
            f"normal_roc: distance={distance}, spread={spread}: finite, spread above 0"
        )
    ends = min(-FAR, distance - FAR * spread), max(FAR, distance + FAR * spread)
    threshold = np.concatenate([[np.inf], np.linspace(*ends, PLACES)[::-1], [-np.inf]])
    fpr, tpr = _rates(threshold, distance, spread)
    auc = float(ndtr(distance / np.hypot(1.0, spread)))
    return NormalRoc(
        distance=float(distance), spread=float(spread), threshold=threshold, fpr=fpr, tpr=tpr,
        auc=auc,
    )  # fmt: skip


def _rates(threshold: Array, distance: float, spread: float) -> tuple[Array, Array]:
    from scipy.special import ndtr

    return ndtr(-threshold), ndtr((distance - threshold) / spread)
