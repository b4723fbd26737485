"""Bagging for classes."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import TO_PREDICT, told
from heliast.ensembles._bagging import Bagging
from heliast.ensembles._ballots import codes_of
from heliast.ensembles._draws import drawn_for_nodes
from heliast.ensembles._ensemble import SETTINGS
from heliast.ensembles._grown import bagged_trees, grows
from heliast.ensembles._voting import MemberVoting


@told(SETTINGS)
class BaggedVote(MemberVoting, Bagging):
    """The vote of copies of one classifier, each trained on a bootstrap sample of the rows.

    C(x) = argmax_c Σ_b I(h_b(x) = c), h_b fitted to n rows drawn with replacement. Less variance,
    hardly less bias: for unstable bases, such as deep trees.

    After `fit`: `classes_`; `members_`, whose [b] is a fitted base; `drawn(b)`, how often each row
    was in its sample.

    Parameters
    ----------
    base : estimator, optional
        Any scikit-learn classifier; None is `Tree()`. A `Tree` of whose size nothing is said grows
        until its leaves are pure.
    kind : {'hard', 'soft'}, default 'hard'
        `hard` counts each member's chosen class, `soft` averages their probabilities. One fit
        serves both: see `outputs`.
    features : float or str, default 1.0
        Inputs that a member sees, as a count, or as a share if it is a float. "sqrt" or "log2" is
        a random forest: every node of every tree draws so many inputs of its own to split on, the
        root of their number or its logarithm (Breiman 2001); the base must be a `Tree`.
    out_of_bag : bool, default False
        Whether to keep, for every training row, the vote of the members that did not see it, as
        `out_of_bag_votes_` (NaN where all saw it), and its error, `out_of_bag_error_`.
    random_state : int, RandomState, optional
        Seed of the samples. That of a member depends on its number and this only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> bag = BaggedVote(DecisionTreeClassifier(), 25, random_state=1, out_of_bag=True).fit(X, y)
    >>> bag.votes(X[70:71])
    array([[0.  , 0.56, 0.44]])
    >>> round(bag.out_of_bag_error_, 3)
    0.033

    References
    ----------
    Breiman (1996), *Machine Learning* 24, 123-140; Breiman (2001), *Machine Learning* 45, 5-32.
    """

    def __init__(
        self,
        base: Any = None,
        members: int = 100,
        *,
        kind: Literal["hard", "soft"] = "hard",
        rows: float = 1.0,
        features: float | Literal["sqrt", "log2"] = 1.0,
        replace: bool = True,
        replace_features: bool = False,
        bins: int | None = 256,
        out_of_bag: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        super().__init__(
            base, members, rows=rows, features=features, replace=replace,
            replace_features=replace_features, out_of_bag=out_of_bag, warm_start=warm_start,
            n_jobs=n_jobs, random_state=random_state,
        )  # fmt: skip
        self.kind = kind
        self.bins = bins

    def _grow(self, X: Any, y: Array, which: range) -> Any:
        if self.kind not in ("hard", "soft"):
            raise InputError(f"kind={self.kind!r}: choose 'hard' or 'soft'")
        base, draws = self._base(), self.draws_
        drawn = drawn_for_nodes(self.features, X.shape[1])
        if grows(base) and draws.all_inputs:
            return bagged_trees(base, X, y, self.classes_, draws, which, self.bins, drawn)
        return super()._grow(X, y, which)

    # --- what the members say --------------------------------------------------------------

    def _member_weights(self) -> Array:
        return np.ones(len(self.members_))

    def _mean(self, X: Any) -> Array:
        X = self._testing(X)
        return self.members_.mean(X)

    @told(TO_PREDICT, yields="tuple[str, array, array]: Suffix, labels (n,) and scores (n, k).")
    def outputs(self, X: Any) -> Iterator[tuple[str, Array, Array]]:
        """(suffix, labels, scores): `hard/B=...` and, if there are probabilities, `soft/B=...`."""
        yield from self._at_stages(self._staged_shares(X), "hard/")
        if self.members_.has_probabilities():
            yield from self._at_stages(self._staged_mean(X), "soft/")

    # --- out of bag ------------------------------------------------------------------------

    @told(
        {"X": "array-like or frame: The training rows in their order."},
        returns="array: Shares of votes, (n, k), NaN where every member saw the row.",
    )
    def left_out_votes(self, X: Any) -> Array:
        """For each training row, the vote of the members that did not see it; NaN if all did.

        `X` must be the training rows in their order. Of kind `soft`, averaged probabilities.
        """
        return self._left_out(self._of_training(X))

    def _left_out(self, X: Any) -> Array:
        total = self.members_.left_out(X, self.draws_, self.kind == "soft")
        with np.errstate(invalid="ignore"):
            return np.asarray(total / total.sum(axis=1, keepdims=True))

    def _note_out_of_bag(self, X: Any, y: Array) -> None:
        self.out_of_bag_votes_ = self.left_out_votes(X)
        wrong = self._wrong(self.out_of_bag_votes_, y)
        there = np.isfinite(wrong)
        self.out_of_bag_error_ = float(wrong[there].mean()) if there.any() else float("nan")

    def _left_out_losses(self, X: Any, y: Array) -> Array:
        return self._wrong(self._left_out(X), y)

    def _wrong(self, votes: Array, y: Array) -> Array:
        """1 where the vote is wrong, NaN where there is none."""
        wrong = votes.argmax(axis=1) != codes_of(y, self.classes_)
        return np.where(np.isfinite(votes[:, 0]), wrong, np.nan)
