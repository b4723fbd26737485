"""What every vote offers, from shares of votes and scores; and what ensembles of numbers do."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score

from heliast._core.kinds import Array
from heliast._core.told import TO_PREDICT, told
from heliast.ensembles._averages import average, staged_averages
from heliast.ensembles._ballots import Ballots, codes_of, grid, margins_of
from heliast.ensembles._members import Members


class Voting(ClassifierMixin):  # type: ignore[misc]
    """Predictions, votes, margins, stages and outputs of a fitted vote with `classes_`.

    A vote gives `_shares` (the votes of each class) and `_scores` (what decides the label: the same
    shares, averaged or coupled probabilities), and both stage by stage.
    """

    classes_: Array

    def _shares(self, X: Any) -> Array:
        raise NotImplementedError

    def _staged_shares(self, X: Any) -> Iterator[Array]:
        raise NotImplementedError

    def _scores(self, X: Any) -> Array:
        return self._shares(X)

    def _staged_scores(self, X: Any) -> Iterator[Array]:
        return self._staged_shares(X)

    def _stages(self) -> int:
        raise NotImplementedError

    def _decided(self, scores: Array) -> Array:
        """The class of the largest score; ties go to the first."""
        return np.asarray(self.classes_[scores.argmax(axis=1)])

    @told(TO_PREDICT, returns="array: A label a row, (n,).")
    def predict(self, X: Any) -> Array:
        """The class that wins the vote in each row; ties go to the first class."""
        return self._decided(self._scores(X))

    @told(TO_PREDICT, returns="array: Scores, (n, k), in the order of `classes_`.")
    def predict_proba(self, X: Any) -> Array:
        """One number a class, rows summing to 1: what the label is decided by."""
        return self._scores(X)

    @told(TO_PREDICT, returns="array: Shares of votes, (n, k), in the order of `classes_`.")
    def votes(self, X: Any) -> Array:
        """Each class's weighted share of the members' votes, rows summing to 1."""
        return self._shares(X)

    @told(TO_PREDICT, returns="array: Margins, (n,), from -1 to 1.")
    def margins(self, X: Any, y: Any) -> Array:
        """Share of votes of the true class less the largest share of another, from -1 to 1."""
        return margins_of(self._shares(X), codes_of(y, self.classes_))

    @told(TO_PREDICT, yields="array: Labels, (n,), of one stage.")
    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The labels after the first stage, the second, ..."""
        for scores in self._staged_scores(X):
            yield self._decided(scores)

    @told(TO_PREDICT, yields="array: Scores, (n, k), of one stage.")
    def staged_predict_proba(self, X: Any) -> Iterator[Array]:
        """What `predict_proba` gives after the first stage, the second, ..."""
        yield from self._staged_scores(X)

    @told(TO_PREDICT, yields="array: Shares of votes, (n, k), of one stage.")
    def staged_votes(self, X: Any) -> Iterator[Array]:
        """The shares of votes after the first stage, the second, ..."""
        yield from self._staged_shares(X)

    @told(TO_PREDICT, yields="array: Margins, (n,), of one stage.")
    def staged_margins(self, X: Any, y: Any) -> Iterator[Array]:
        """The margins after the first stage, the second, ..."""
        truth = codes_of(y, self.classes_)
        for shares in self._staged_shares(X):
            yield margins_of(shares, truth)

    @told(TO_PREDICT, yields="float: The accuracy of one stage, 0 to 1.")
    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """The accuracy after the first stage, the second, ..."""
        truth = np.asarray(y)
        for label in self.staged_predict(X):
            yield float(np.average(label == truth, weights=sample_weight))

    @told(
        TO_PREDICT,
        yields="tuple[str, array, array or None]: The suffix `B=stage`, labels (n,), and scores "
        "(n, k) if there are any.",
    )
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array | None]]:
        """(suffix, labels, scores) of the stages 1, 2, 5, 10, 20, ... and the last."""
        yield from self._at_stages(self._staged_scores(X))

    def _at_stages(
        self, staged: Iterator[Array], prefix: str = ""
    ) -> Iterator[tuple[str, Array, Array]]:
        wanted = grid(self._stages())
        for stage, scores in enumerate(staged, 1):
            if stage in wanted:
                yield f"{prefix}B={stage}", self._decided(scores), scores
        for late in wanted:  # a vote that ended early stays as it is
            if late > stage:
                yield f"{prefix}B={late}", self._decided(scores), scores


class MemberVoting(Voting):
    """A vote of fitted `members_`, each with its weight: of their classes, or of kind `soft`."""

    members_: Members
    weights_: Array
    kind: str | None = "hard"

    if TYPE_CHECKING:

        def _testing(self, X: Any) -> Any: ...

    def _member_weights(self) -> Array:
        return self.weights_

    def _stages(self) -> int:
        return len(self.members_)

    def _ballots(self, X: Any) -> Ballots:
        X = self._testing(X)
        label, weight = self.members_.labels(X), self._member_weights()
        # A negative weight is a vote for the other of two classes.
        label = np.where(weight < 0, 1 - label, label) if (weight < 0).any() else label
        return Ballots(label, np.abs(weight), self.classes_.size)

    def _shares(self, X: Any) -> Array:
        checked = self._testing(X)
        if (self._member_weights() < 0).any():
            return self._ballots(X).shares()
        return self.members_.shares(checked, self._member_weights())

    def _staged_shares(self, X: Any) -> Iterator[Array]:
        return self._ballots(X).staged()

    def _kind(self) -> str:
        return self.kind or "hard"

    def _scores(self, X: Any) -> Array:
        return self._shares(X) if self._kind() == "hard" else self._mean(X)

    def _staged_scores(self, X: Any) -> Iterator[Array]:
        return self._staged_shares(X) if self._kind() == "hard" else self._staged_mean(X)

    def _averaged(self, X: Any) -> Iterator[Array]:
        """What each member says, if it is averaged."""
        X = self._testing(X)
        return self.members_.probabilities(X)

    def _mean(self, X: Any) -> Array:
        return average(self._averaged(X), self._member_weights(), self._kind())

    def _staged_mean(self, X: Any) -> Iterator[Array]:
        return staged_averages(self._averaged(X), self._member_weights(), self._kind())


class Averaging(RegressorMixin):  # type: ignore[misc]
    """Numbers, stages and outputs of an ensemble that averages `members_`, as `combine` says."""

    members_: Any
    combine = "mean"
    _offered: tuple[str, ...] = ()
    """Averages that `outputs` has beside the one asked for."""

    if TYPE_CHECKING:

        def _testing(self, X: Any) -> Any: ...

    def _member_weights(self) -> Array:
        return np.ones(len(self.members_))

    def _stages(self) -> int:
        return len(self.members_)

    def _said(self, X: Any) -> Iterator[Array]:
        X = self._testing(X)
        said: Iterator[Array] = self.members_.numbers(X)
        return said

    @told(TO_PREDICT, returns="array: A number a row, (n,).")
    def predict(self, X: Any) -> Array:
        """The average of the members' numbers."""
        return average(self._said(X), self._member_weights(), self.combine)

    @told(TO_PREDICT, yields="array: Numbers, (n,), of one stage.")
    def staged_predict(self, X: Any) -> Iterator[Array]:
        """The average of the first member, the first two, ..."""
        yield from staged_averages(self._said(X), self._member_weights(), self.combine)

    @told(
        TO_PREDICT | {"y": "array-like: True number of each row."},
        yields="float: R² of one stage, at most 1.",
    )
    def staged_score(self, X: Any, y: Any, sample_weight: Any = None) -> Iterator[float]:
        """R² after the first member, the first two, ..."""
        for number in self.staged_predict(X):
            yield float(r2_score(y, number, sample_weight=sample_weight))

    @told(
        TO_PREDICT,
        yields="tuple[str, array, None]: The suffix `B=stage`, numbers (n,), and None in the place "
        "of scores.",
    )
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, None]]:
        """(suffix, numbers, None) of the stages 1, 2, 5, 10, 20, ... and the last."""
        said, weights = list(self._said(X)), self._member_weights()
        for how in dict.fromkeys((self.combine, *self._offered)):
            prefix = "" if how == self.combine else f"{how}/"
            for stage in grid(self._stages()):  # later ones of few members are all of them
                yield f"{prefix}B={stage}", average(said[:stage], weights[:stage], how), None
