"""The training model: test error is training error plus a constant."""

import numpy as np
import numpy.typing as npt

from heliast.theory._error_models import Array, ErrorModel, at_most, one_matrix, stages


class TrainingModel(ErrorModel):
    """E(test error) = P(M <= 0) + C: the null model, with one parameter.

    Examples
    --------
    >>> model = TrainingModel().fit([[-0.5, 0.5], [0.2, 0.5]], [0.7, 0.2])
    >>> round(model.constant_, 3), model.predict([[-1.0, -1.0]]).round(3).tolist()
    (0.2, [1.2])

    References
    ----------
    thesis, section 4.2.2.
    """

    constant_: float

    def fit(self, margins: npt.ArrayLike, test_error: npt.ArrayLike) -> "TrainingModel":
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
        share = at_most(found, np.zeros(1))[:, 0]
        self.constant_ = float((error - share).mean())
        self._keep(share + self.constant_, error)
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
        return np.asarray(at_most(one_matrix(margins), np.zeros(1))[:, 0] + self.constant_)
