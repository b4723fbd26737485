"""The training model: test error is training error plus a constant."""

from typing import Any

import numpy as np

from heliast.theory._error_models import Array, ErrorModel, at_most, one_matrix, stages


class TrainingModel(ErrorModel):
    """E(test error) = P(M <= 0) + C: the null model, with one parameter.

    >>> model = TrainingModel().fit([[-0.5, 0.5], [0.2, 0.5]], [0.7, 0.2])
    >>> round(model.constant_, 3), model.predict([[-1.0, -1.0]]).round(3).tolist()
    (0.2, [1.2])

    Reference: thesis, section 4.2.2.
    """

    constant_: float

    def fit(self, margins: Any, test_error: Any) -> "TrainingModel":
        """`margins` (numbers of members x training rows) and the test error at each number."""
        found, error = stages(margins, test_error)
        share = at_most(found, np.zeros(1))[:, 0]
        self.constant_ = float((error - share).mean())
        self._keep(share + self.constant_, error)
        return self

    def predict(self, margins: Any) -> Array:
        """The test error for each line of training margins."""
        self._fitted()
        return np.asarray(at_most(one_matrix(margins), np.zeros(1))[:, 0] + self.constant_)
