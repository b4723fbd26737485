"""What ensembles of numbers offer beside their prediction."""

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score

from heliast.ensembles._ballots import grid

Array = npt.NDArray[Any]


class Averaging(RegressorMixin):  # type: ignore[misc]
    """Stages and outputs of an ensemble with `members_` and `staged_predict`."""

    members_: Any

    def staged_predict(self, X: Any) -> Iterator[Array]:
        raise NotImplementedError

    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """R² after the first member, the first two, ...

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).
        y : array-like
            True number of each row.
        sample_weight : array-like, optional
            Weight of each row; None is 1 each.

        Yields
        ------
        float
            R² of one stage, at most 1.
        """
        for number in self.staged_predict(X):
            yield float(r2_score(y, number, sample_weight=sample_weight))

    def outputs(self, X: Any) -> Iterator[tuple[str, Array, None]]:
        """(suffix, numbers, None) of the stages 1, 2, 5, 10, 20, ... and the last.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, inputs).

        Yields
        ------
        tuple[str, array, None]
            The suffix `B=stage`, numbers (n,), and None in the place of scores.
        """
        wanted = set(grid(len(self.members_)))
        for stage, number in enumerate(self.staged_predict(X), 1):
            if stage in wanted:
                yield f"B={stage}", number, None
