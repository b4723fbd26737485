"""Schapire's model: test error is the share of small margins plus a constant."""

import numpy as np
import numpy.typing as npt

from heliast.theory._error_models import Array, ErrorModel, at_most, one_matrix, stages

GRID = 2001
"""Values of theta tried, from 0 to 1."""


class SchapireModel(ErrorModel):
    """E(test error) = P(M <= theta) + C, theta and C chosen by least squares.

    What the bound of theorem 9 suggests if its second term is the same for all numbers of members.
    theta is searched from 0 to 1 in steps of 0.0005 (the smallest of equally good ones); 0 is the
    training model, which can fit no better.

    Examples
    --------
    >>> model = SchapireModel().fit([[0.1, 0.5], [0.4, 0.6]], [0.6, 0.1])
    >>> round(model.theta_, 2), round(model.constant_, 3)
    (0.1, 0.1)

    References
    ----------
    thesis, section 4.2.1.
    """

    theta_: float
    constant_: float

    def fit(self, margins: npt.ArrayLike, test_error: npt.ArrayLike) -> "SchapireModel":
        """`margins` (numbers of members x training rows) and the test error at each number.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.
        test_error : array-like
            The test error at each number of members, 0 to 1.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If shapes do not fit.
        """
        found, error = stages(margins, test_error)
        theta = np.linspace(0.0, 1.0, GRID)
        far = error[:, None] - at_most(found, theta)
        left = ((far - far.mean(axis=0)) ** 2).sum(axis=0)
        best = int((left <= left.min() + 1e-12).argmax())
        self.theta_, self.constant_ = float(theta[best]), float(far[:, best].mean())
        self._keep(error - far[:, best] + self.constant_, error)
        return self

    def predict(self, margins: npt.ArrayLike) -> Array:
        """The test error for each line of training margins.

        Parameters
        ----------
        margins : array-like
            Training margins, (numbers of members, training rows), from -1 to 1.

        Returns
        -------
        array
            The test error, one a line.

        Raises
        ------
        InputError
            If the model is not fitted.
        """
        self._fitted()
        share = at_most(one_matrix(margins), np.array([self.theta_]))[:, 0]
        return np.asarray(share + self.constant_)
