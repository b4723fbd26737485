"""Bagging, whatever is bagged: a sample for each member, its fit, and what it left out."""

from typing import Any, Self

import numpy as np
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import column_or_1d

from heliast._core.errors import InputError
from heliast._core.kinds import Array, RandomState
from heliast._core.told import FITTED, TO_FIT, told
from heliast.ensembles._draws import Clones, Draws, amount, drawn_for_nodes, repeated, root_seed
from heliast.ensembles._ensemble import Ensemble
from heliast.ensembles._fitting import fit_rows
from heliast.ensembles._importance import Importances, importances
from heliast.ensembles._members import Refitted


class Bagging(Ensemble):
    """Members on resamples of the rows (and inputs). `_gather` turns samples into members."""

    classes_: Array
    draws_: Draws
    members_: Any

    def __init__(
        self,
        base: Any = None,
        members: int = 100,
        *,
        rows: float = 1.0,
        features: float | str = 1.0,
        replace: bool = True,
        replace_features: bool = False,
        out_of_bag: bool = False,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.base = base
        self.members = members
        self.rows = rows
        self.features = features
        self.replace = replace
        self.replace_features = replace_features
        self.out_of_bag = out_of_bag
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state

    @told(
        TO_FIT | {"y": "array-like: True class, or number, of each row."},
        returns=FITTED,
        raises="If `members` is below 1, or rows and targets do not fit.",
    )
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the members; with `warm_start`, only those that are not there yet.

        Rows are drawn with probability in proportion to `sample_weight`.
        """
        if not isinstance(self.members, (int, np.integer)) or self.members < 1:
            raise InputError(f"members={self.members!r}: give a whole number of at least 1")
        X, y = self._training(X, y)
        start = self._kept(X)
        if start == 0:
            self.draws_ = self._draws(X, self._row_weights(sample_weight, X))
        if start < self.members:
            grown = self._grow(X, y, range(start, self.members))
            self.members_ = self.members_.joined(grown) if start else grown
        if self.out_of_bag:
            self._note_out_of_bag(X, y)
        return self

    @told(
        {"member": "int: Number of the member, from 0."},
        returns="array: Counts, one a training row.",
    )
    def drawn(self, member: int) -> Array:
        """How often each training row is in the sample of one member."""
        return self.draws_.counts(member)

    def _kept(self, X: Any) -> int:
        """How many members of an earlier fit stay."""
        if not self.warm_start or not hasattr(self, "members_"):
            return 0
        there = len(self.members_)
        if self.draws_.n != X.shape[0]:
            raise InputError(
                f"warm_start: the members there were grown from {self.draws_.n} rows, these are "
                f"{X.shape[0]}: give the same rows, or set warm_start=False"
            )
        if self.members < there:
            raise InputError(
                f"members={self.members} but {there} are there: warm_start only adds; "
                "set warm_start=False to begin anew"
            )
        return there

    def _draws(self, X: Any, shares: Array | None) -> Draws:
        n, inputs = X.shape
        able = n if shares is None else int((shares > 0).sum())
        size = amount(self.rows, able, "rows")
        if isinstance(self.features, str):
            chosen = inputs if drawn_for_nodes(self.features, inputs) else 0
        else:
            chosen = amount(self.features, inputs, "features")
        if chosen > inputs and not self.replace_features:
            raise InputError(f"features={self.features}: there are only {inputs} inputs")
        if size > able and not self.replace:
            raise InputError(
                f"rows={self.rows}: only {able} rows can be drawn; with replace=False ask for fewer"
            )
        return Draws(
            root_seed(self.random_state), n, size, self.replace, shares,
            inputs, chosen, self.replace_features,
        )  # fmt: skip

    def _grow(self, X: Any, y: Array, which: range) -> Any:
        if isinstance(self.features, str):
            raise InputError(
                f"features={self.features!r} draws inputs for every node, which only BaggedVote "
                "does, of a Tree without prune, class_weight and cost; give the base its own "
                "setting, such as max_features, or a count or share of inputs for each member"
            )
        return self._refit(X, y, which)

    def _refit(self, X: Any, y: Array, which: range) -> Refitted:
        """Any base: each member is fitted on its rows, repeats repeated."""
        clones = Clones(self._base())
        several = not self._numbers and self.classes_.size > 1
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_fitted)(clones, X, y, self.draws_, member, several) for member in which
        )
        columns = [self.draws_.columns(member) for member in which]
        return Refitted(found, getattr(self, "classes_", None), columns, self.n_jobs)

    def _of_training(self, X: Any) -> Any:
        X = self._testing(X)
        if X.shape[0] != self.draws_.n:
            raise InputError(
                f"out of bag: give the {self.draws_.n} training rows, in their order; these are "
                f"{X.shape[0]} rows"
            )
        return X

    def _note_out_of_bag(self, X: Any, y: Array) -> None:
        raise NotImplementedError

    @told(
        returns="Importances: An `Importance` for each input: `input, value, low, high`.",
        raises="If these are not the training rows, or hardly any row was left out.",
    )
    def importance(
        self, X: Any, y: Any, *, repeats: int = 5, level: float = 0.95, seed: int = 0
    ) -> Importances:
        """How much the out-of-bag error rises when the values of one input go to other rows.

        Every row is predicted by the members that did not see it, as it is and with another row's
        value of the input; 0 is an input that does not matter, given the others. Of inputs that
        say the same, none need matter alone. An interval allows for other rows and other donors,
        not for another fit.

        Parameters
        ----------
        X : array-like or frame
            The training rows in their order.
        y : array-like
            Their true classes, or numbers.
        repeats : int
            How often values are exchanged; more make intervals a little narrower.
        level : float
            The confidence level of each interval, for one input.
        seed : int
            Seed of the exchange.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from heliast.ensembles import BaggedVote
        >>> X, y = load_iris(return_X_y=True)
        >>> found = BaggedVote(members=20, random_state=1).fit(X, y).importance(X, y)
        >>> found.most_first[0].input in ("x2", "x3"), found["x0"].low < 0.1
        (True, True)

        References
        ----------
        L. Breiman (2001), Random forests, Machine Learning 45, section 10; there the error of
        members is taken, here that of their vote.
        """
        X, y = self._of_training(X), column_or_1d(y)
        if y.size != self.draws_.n:
            raise InputError(f"y: {y.size} values for the {self.draws_.n} training rows")
        names = [str(name) for name in getattr(self, "feature_names_in_", ())]
        return importances(
            lambda rows: self._left_out_losses(rows, y), X,
            names or [f"x{at}" for at in range(X.shape[1])], self.draws_.shares,
            repeats=repeats, level=level, rng=np.random.default_rng(seed),
        )  # fmt: skip

    def _left_out_losses(self, X: Any, y: Array) -> Array:
        """What each training row loses by the members that did not see it; NaN if all did."""
        raise NotImplementedError


def _fitted(clones: Clones, X: Any, y: Array, draws: Draws, member: int, several: bool) -> Any:
    rows = repeated(draws.counts(member))
    columns = draws.columns(member)
    inputs = X if columns is None else X[:, columns]
    return fit_rows(clones, inputs, y, rows, draws.rng(member), several)
