"""The vote of binary problems about the classes: output codes with any decoder."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.parallel import Parallel, delayed

from heliast import codes, decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike, RandomState
from heliast.decoders.least_squares import check_lam
from heliast.ensembles._base import (
    LIMIT,
    Ensemble,
    check_count,
    fit_copy,
    generator,
    root_seed,
)
from heliast.ensembles._voting import (
    GrownMembers,
    Members,
    Output,
    Voting,
    class_codes,
    shown_stages,
)
from heliast.learners.tree import TreeGrower

Form = Literal["raw", "corrected", "clipped"]
# The decoders of the thesis: what `outputs` yields, as far as the fit has what they need.
OFFERED = ("l1", "regression", "ridge", "centroid", "substitution")
# The penalty that is best or nearly so at all code lengths (docs/codes.md), and rules that choose.
USUAL, RULES = "2k", ("honest", "closed", "gcv")
# Scores that agree to so many decimals may be equal but for rounding.
DECIMALS = 12
# Branches of the random numbers: what each use draws does not depend on the others.
CODE, COLUMNS, FOLDS = range(3)


class CodedVote(Voting, Ensemble):
    """Error-correcting output codes (ECOC): many classes by binary problems, decoded to one class.

    Each column of a code puts every class on side 0 or 1; a copy of `estimator` learns to tell the
    sides apart; a decoder turns the columns' answers p to one score a class. One fit serves all
    decoders and all code lengths: `decode(X, decoder=, code_length=)`.

    After `fit`: `classes_`, `code_` (k, B), `estimators_`, whose [b] is a fitted classifier; with a
    rule `penalty_`, and with honest answers `honest_answers_` (n, B). A copy of the training rows
    is kept for decoders that are asked for later, but not stored with the model.

    In `votes` a column votes for all classes on the side that it decides for. As every class has
    about half of the columns that are wrong for it, the share is corrected for that (1 - L/h, see
    `heliast.decoders.l1_probabilities`) and clipped; for two classes it is the plain share.

    Parameters
    ----------
    estimator : estimator, optional
        Any scikit-learn classifier; None is `Tree()`, whose columns all grow from one binned copy
        of the rows. A `Tree` of whose size nothing is said grows until its leaves are pure.
    code : str or array-like, default 'random'
        `random` (or `ecoc`), `identity` (or `ovr`: one against the rest), `exhaustive`, `hadamard`,
        `designed`, `trained`, or an array (k, B) of 0 and 1 with rows in the order of `classes_`.
    code_length : int, optional
        Number of columns B; None is what the code has, or 200 where that is open, but no more than
        there are different binary problems.
    decoder : str, default 'l1'
        `l1`, `regression`, `ridge` (in signs), `ridge_binary` (in 0 and 1, equation 2.10 of the
        thesis), `centroid`, `substitution` (trees only), `hamming` or `loss_based`.
    lam : float or str, default '2k'
        The penalty of `ridge`: `2k`, twice the number of classes (`ridge_binary` takes a quarter
        of that, the same in its units); a number (in signs infinity is L1); or a rule that
        chooses it from honest answers, `honest`, `closed` or `gcv`; see
        `heliast.decoders.choose_lam`.
    honest : {'folds'}, optional
        Whether centroids come from answers for rows that the columns were not trained on, by
        internal folds. `ridge` with a rule takes folds by itself.
    folds : int, default 5
        Number of internal folds, at least 2.
    centre : {'mean', 'median'}, default 'mean'
        The centre of a class, for `centroid`.
    loss : str, default 'exponential'
        For `loss_based`, see `heliast.decoders.loss_based`.
    bins : int, default 256
        Where the estimator is a `Tree`: a feature with more distinct values than this, 2 to 256, is
        put into so many bins of equally many rows and split between them, which is many times
        faster. None tries every split.
    stages : sequence of int, optional
        Code lengths that `outputs` offers; None is 1, 2, 5, 10, 20, ... and all.
    n_jobs : int, optional
        Processes, as in scikit-learn; results are the same for any number.
    random_state : int, RandomState, optional
        Seed of what is drawn; None differs from fit to fit.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> vote = CodedVote(random_state=1).fit(X, y)
    >>> vote.code_.shape
    (3, 3)
    >>> float((vote.decode(X, decoder="substitution") == y).mean()) > 0.95
    True

    References
    ----------
    Dietterich and Bakiri (1995), *Journal of Artificial Intelligence Research* 2, 263-286; James
    (1998), *Majority Vote Classifiers*, chapter 2.
    """

    estimators_: Members

    def __init__(
        self,
        estimator: Any = None,
        code: str | ArrayLike = "random",
        code_length: int | None = None,
        decoder: str = "l1",
        *,
        lam: float | str = USUAL,
        honest: Literal["folds"] | None = None,
        folds: int = 5,
        centre: Literal["mean", "median"] = "mean",
        loss: str = "exponential",
        bins: int | None = 256,
        stages: Sequence[int] | None = None,
        n_jobs: int | None = None,
        random_state: RandomState = None,
    ) -> None:
        self.estimator = estimator
        self.code = code
        self.code_length = code_length
        self.decoder = decoder
        self.lam = lam
        self.honest = honest
        self.folds = folds
        self.centre = centre
        self.loss = loss
        self.bins = bins
        self.stages = stages
        self.n_jobs = n_jobs
        self.random_state = random_state

    # --- fitting ---------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Make the code, and fit a copy of the estimator for each of its columns.

        Parameters
        ----------
        X : array-like or frame
            Training rows, (n, features).
        y : array-like
            True class of each row.
        sample_weight : array-like, optional
            Weight of each row, handed to every column and to what decoders read from the rows;
            None is 1 each.

        Returns
        -------
        Self
            The fitted model.

        Raises
        ------
        InputError
            If `y` holds one class, a setting is unknown or out of range, or weights are given to an
            estimator, or a rule of decoding, that does not take them.
        """
        self._check_settings(sample_weight is not None)
        _, X, y, weight = self._check_training(X, y, sample_weight)
        k, how = self.classes_.size, decoders.find(self.decoder)
        if k < 2:
            raise InputError("y holds one class: a code tells two or more classes apart")
        self._rows, self._y, self._weight = X.copy(), class_codes(y, self.classes_), weight
        self._prepared: dict[str, Any] = {}
        self._seed = root_seed(self.random_state)
        rng = generator(self._seed, CODE)
        self.code_ = codes.make(self.code, k, self.code_length, rng, self._confusion)
        self.estimators_ = self._fit_columns(np.ones(y.size, bool))
        chooses = how.needs == "lam" and self.lam in RULES
        self.honest_answers_: Any = self._honest() if self.honest or chooses else None
        self.penalty_ = self._choose_lam(self.decoder, self.code_.shape[1]) if chooses else None
        if how.needs in ("centroids", "leaves"):
            self._needed(how.needs)
        return self

    def _check_settings(self, weighed: bool) -> None:
        check_count("folds", self.folds, 2)
        if self.lam not in (USUAL, *RULES):
            check_lam(self.lam)
        if weighed and (self.centre == "median" or self.lam in RULES):
            raise InputError(
                f"sample_weight: centre={self.centre!r} with lam={self.lam!r} does not weigh rows; "
                "use centre='mean' and a number for lam"
            )

    def _fit_columns(self, train: Array, number: int = 0) -> Members:
        """All columns, on the rows of a mask; `number` tells one set of columns from another."""
        X, y, weight = self._rows, self._y, self._weight
        base, size = self._base(), self.code_.shape[1]
        if self._grows(base):
            seed = int(generator(self._seed, COLUMNS).integers(LIMIT))
            grower = TreeGrower(base, X, self._inputs.nominal, seed, self.bins, weight=weight)
            if number:
                weight = train * (1 if weight is None else weight)
            trees = grower.grow_columns(y, self.code_, weight, number * size)
            return GrownMembers(trees, np.arange(2))
        path = (COLUMNS, number - 1) if number else (COLUMNS,)
        X, sides = X[train], self.code_[y[train]].T
        weight = None if weight is None else weight[train]
        models = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_copy)(base, X, side, generator(self._seed, *path, column), weight)
            for column, side in enumerate(sides)
        )
        return Members(models, np.arange(2), self.n_jobs)

    def _test_folds(self) -> list[Array]:
        """The internal folds as masks: each class is dealt out in turn."""
        n = self._y.size
        order, fold = generator(self._seed, FOLDS).permutation(n), np.empty(n, np.int64)
        fold[order[np.argsort(self._y[order], kind="stable")]] = np.arange(n) % self.folds
        return [fold == number for number in range(min(self.folds, n))]

    def _honest(self) -> Array:
        """(n, B): answers for each row from columns that were fitted without its fold."""
        answers = np.empty((self._y.size, self.code_.shape[1]))
        for number, test in enumerate(self._test_folds(), 1):
            answers[test] = self._fit_columns(~test, number).second_class(self._rows[test])
        return answers

    def _confusion(self) -> Array:
        """(k, k) counts: how the estimator itself confuses the classes, out of the folds."""
        X, y, k, base = self._rows, self._y, self.classes_.size, self._base()
        if self._inputs is not None:
            base = clone(base).set_params(nominal=self._inputs.nominal)
        labels = np.empty_like(y)
        for test in self._test_folds():
            weight = None if self._weight is None else self._weight[~test]
            labels[test] = fit_copy(base, X[~test], y[~test], None, weight).predict(X[test])
        return np.bincount(y * k + labels, self._weight, k**2).reshape(k, k)

    # --- what decoders need of the training rows ---------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """The model without its training rows."""
        return {**super().__getstate__(), "_rows": None}

    def _needed(self, need: str) -> Any:
        """The `centroids` of the classes (k, B), or class shares in all `leaves`; kept."""
        if need not in self._prepared:
            X, k, columns = self._rows, self.classes_.size, self.estimators_
            if X is None:
                raise InputError(
                    f"the training rows were not stored with this model, and the decoder needs "
                    f"their {need}: fit it with that decoder=, or decode once before storing it"
                )
            if need == "leaves":
                self._prepared[need] = [
                    decoders.shares_of(leaf, self._y, k, int(leaf.max()) + 1, self._weight)
                    for leaf in columns.leaves(X).T
                ]
            else:
                p = self.honest_answers_ if self.honest else columns.second_class(X)
                self._prepared[need] = decoders.centroids_of(
                    p, self._y, k, self.centre, self._weight
                )
        return self._prepared[need]

    def _can(self, decoder: str) -> bool:
        """Whether what this decoder needs is there, or can be computed."""
        need, base = decoders.find(decoder).needs, self._base()
        if need == "lam":
            return self.lam not in RULES or self.honest_answers_ is not None
        if need == "leaves" and (not hasattr(base, "apply") or hasattr(base, "n_estimators")):
            return False  # a row falls in no leaf, or in one of each tree of a forest
        return need is None or need in self._prepared or self._rows is not None

    def _choose_lam(self, decoder: str, columns: int) -> decoders.Penalty:
        """What the rule chooses for so many columns."""
        if self.honest_answers_ is None:
            raise InputError(
                f"decoder={decoder!r}, lam={self.lam!r} needs honest answers: fit with "
                f"decoder={decoder!r} or honest='folds', or give lam a number"
            )
        honest, code = self.honest_answers_[:, :columns], self.code_[:, :columns]
        rule: Any = self.lam
        coding: Any = decoders.find(decoder).coding
        return decoders.choose_lam(honest, self._y, code, rule, coding)

    def _lam(self, decoder: str, columns: int) -> float:
        """The penalty of a linear decoder: its own, or the model's."""
        how = decoders.find(decoder)
        if how.penalty is not None:
            return how.penalty
        if self.lam in RULES:
            return float(self._choose_lam(decoder, columns).lam)
        if self.lam == USUAL:  # in 0 and 1 all squares are a quarter of those in signs
            return self.classes_.size * (0.5 if how.coding == "binary" else 2.0)
        return check_lam(self.lam)

    # --- what the vote says ----------------------------------------------------------------

    def answers(self, X: Any) -> Array:
        """(n, B): the probability of side 1 that each column gives each row.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Returns
        -------
        array
            Probabilities of side 1, (n, B).
        """
        return self.estimators_.second_class(self._check_rows(X))

    def scores(
        self,
        X: Any,
        decoder: str | None = None,
        code_length: int | None = None,
        form: Form = "raw",
    ) -> Array:
        """(n, k): one score a class, largest wins; `form` as in `decoders.probabilities`.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        decoder : str, optional
            Which decoder; None is the model's own.
        code_length : int, optional
            So many of the first columns; None is all.
        form : {'raw', 'corrected', 'clipped'}, default 'raw'
            `raw` scores, `corrected`, or `clipped` to probabilities.

        Returns
        -------
        array
            Scores, (n, k), in the order of `classes_`.

        Raises
        ------
        InputError
            If there is no such decoder or form, or not so many columns.
        """
        size = self._last_stage()
        columns = size if code_length is None else code_length
        if columns not in range(1, size + 1):
            raise InputError(f"code_length={columns}: the fit has {size}; ask for 1 to {size}")
        decoder = decoder or self.decoder
        answers = self._answers_for(decoder, self._check_rows(X))
        return next(self._decoded(answers, decoder, [columns], form))

    def decode(self, X: Any, decoder: str | None = None, code_length: int | None = None) -> Array:
        """The labels by any decoder, from the first so many columns; ties go to the first class.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).
        decoder : str, optional
            Which decoder; None is the model's own.
        code_length : int, optional
            So many of the first columns; None is all.

        Returns
        -------
        array
            A label a row, (n,).

        Raises
        ------
        InputError
            If there is no such decoder, or not so many columns.
        """
        return self._decided(self.scores(X, decoder, code_length))

    def _staged(self, X: Any, stages: Sequence[int], kind: str | None = None) -> Iterator[Array]:
        decoder = "hamming" if kind == "hard" else self.decoder
        return self._decoded(self._answers_for(decoder, self._check_rows(X)), decoder, stages)

    def outputs(self, X: Any) -> Iterator[Output]:
        """(suffix, labels, probabilities) of each decoder at each stage, such as `l1/B=20`.

        Parameters
        ----------
        X : array-like or frame
            Rows to predict, (n, features).

        Yields
        ------
        tuple[str, array, array]
            The suffix `decoder/B=columns`, labels (n,) and probabilities (n, k).
        """
        stages = shown_stages(len(self.estimators_))
        if self.stages is not None:
            stages = sorted(set(self.stages).intersection(range(1, stages[-1] + 1)))
        X = self._check_rows(X)
        p = self._answers_for("l1", X)
        for name in dict.fromkeys((self.decoder, *OFFERED)):
            if self._can(name):
                answers = self._answers_for(name, X) if name == "substitution" else p
                staged = self._decoded(answers, name, stages)
                for stage, scores in zip(stages, staged, strict=True):
                    yield f"{name}/B={stage}", self._decided(scores), scores

    # --- decoding --------------------------------------------------------------------------

    def _answers_for(self, decoder: str, X: Any) -> Array:
        """What a decoder reads of the columns: their answers, or the leaves of the rows."""
        columns = self.estimators_
        return (
            columns.leaves(X)
            if decoders.find(decoder).needs == "leaves"
            else columns.second_class(X)
        )

    def _decoded(
        self, answers: Array, decoder: str, stages: Sequence[int], form: Form = "clipped"
    ) -> Iterator[Array]:
        """The scores after so many columns, for each of the rising stages."""
        if decoder == "l1":
            staged = decoders.staged_l1(answers, self.code_, stages)
        elif decoder == "substitution":
            staged = self._staged_substitution(answers, stages)
        else:
            staged = (self._raw(answers[:, :stage], decoder) for stage in stages)
        for stage, raw in zip(stages, staged, strict=True):
            code, coding, lam = self.code_[:, :stage], decoders.find(decoder).coding, inf
            scores = np.round(raw, DECIMALS)
            if coding is not None:
                settle_ties(scores, answers[:, :stage], code, coding == "signs")
                lam = self._lam(decoder, stage)
            yield decoders.probabilities(scores, code, decoder, form, lam)

    def _staged_substitution(self, leaves: Array, stages: Sequence[int]) -> Iterator[Array]:
        total, done = np.zeros(()), 0
        shares = self._needed("leaves")
        for stage in stages:
            part = decoders.substitution(leaves[:, done:stage], shares[done:stage])
            total, done = total + part * (stage - done), stage
            yield total / stage

    def _raw(self, p: Array, decoder: str) -> Array:
        """The scores of any other decoder."""
        columns = p.shape[1]
        code, coding = self.code_[:, :columns], decoders.find(decoder).coding
        if decoder == "regression":
            return decoders.regression(p, code)
        if coding is not None:
            return decoders.ridge(p, code, self._lam(decoder, columns), coding)
        if decoder == "centroid":
            return decoders.centroid(p, self._needed("centroids")[:, :columns])
        if decoder == "hamming":
            return decoders.hamming(p, code)
        return decoders.loss_based(p, code, self.loss)


def settle_ties(scores: Array, p: Array, code: Array, signs: bool) -> None:
    """Breaks ties of rounded scores by the answers as they were given.

    Equal words must tie although rounding errors differ, so scores are rounded. But where answers
    saturate, as those of naive Bayes do, 1e-20 and 1e-30 are no tie: the class whose word is
    nearest to the unrounded answers gets one unit of the last decimal more.

    Extended numbers are summed in one order, whatever rows come together. A sum of several answers
    is only known but for the rounding of its terms; a comparison of two answers is exact.
    """
    tied = scores == scores.max(axis=1, keepdims=True)
    rows = np.flatnonzero(tied.sum(axis=1) > 1)
    p, tied, ones = p[rows].astype(np.longdouble), tied[rows], code.sum(axis=1) * signs
    nearness = np.where(tied, p @ code.T - (ones - ones.min()) / 2, -np.inf)
    first, best = tied.argmax(axis=1), nearness.argmax(axis=1)
    apart = np.abs(code[best] - code[first])
    several = np.maximum(apart.sum(axis=1) - 2, 0)
    rounding = np.finfo(np.float64).eps * several * (p * apart).sum(axis=1)
    better = nearness.max(axis=1) - nearness[np.arange(rows.size), first] > rounding
    scores[rows[better], best[better]] += 10.0**-DECIMALS
