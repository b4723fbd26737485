"""Bagging for numbers."""

from typing import Any

import numpy as np

from heliast._core.kinds import Array
from heliast._core.told import TO_PREDICT, told
from heliast.ensembles._bagging import Bagging
from heliast.ensembles._ensemble import SETTINGS
from heliast.ensembles._members import Refitted
from heliast.ensembles._voting import Averaging


@told(SETTINGS)
class BaggedMean(Averaging, Bagging):
    """The mean of copies of one predictor of numbers, each trained on a bootstrap sample.

    f(x) = (1/B) Σ_b f_b(x). With `out_of_bag`, `out_of_bag_prediction_` (NaN where all members saw
    the row) and the mean squared error `out_of_bag_error_`.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn predictor of numbers; None is scikit-learn's tree.
    features : float, default 1.0
        Inputs that a member sees, as a count, or as a share if it is a float.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the mean of the members that did not see it.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> bag = BaggedMean(members=20, random_state=1, out_of_bag=True).fit(X, y)
    >>> bool(bag.out_of_bag_error_ < np.var(y))
    True

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140.
    """

    _numbers = True
    members_: Refitted

    @told(TO_PREDICT, returns="array: Standard deviations, (n,), at least 0.")
    def spread(self, X: Any) -> Array:
        """The standard deviation of the members' numbers in each row."""
        return np.asarray(np.std(list(self._said(X)), axis=0))

    @told(
        {"X": "array-like or frame: The training rows in their order."},
        returns="array: Numbers, (n,), NaN where every member saw the row.",
    )
    def left_out_prediction(self, X: Any) -> Array:
        """For each training row, the mean of the members that did not see it; NaN if all did."""
        X = self._of_training(X)
        return self.members_.left_out_mean(X, self.draws_)

    def _note_out_of_bag(self, X: Any, y: Array) -> None:
        self.out_of_bag_prediction_ = self.left_out_prediction(X)
        self.out_of_bag_error_ = float(np.nanmean((self.out_of_bag_prediction_ - y) ** 2))

    def _left_out_losses(self, X: Any, y: Array) -> Array:
        return np.asarray((self.members_.left_out_mean(X, self.draws_) - y) ** 2)
