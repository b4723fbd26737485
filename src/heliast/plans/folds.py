"""Cross-validation: every row is tested by a model that was trained on the others."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast._core.notes import Note
from heliast.data import Dataset
from heliast.plans.dealing import Rows, Stratify, unit_codes
from heliast.plans.piece import Piece
from heliast.plans.plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class KFold(Plan):
    """The rows in k folds; each is tested once by a model trained on the others.

    With `repeats` = M and classes this is M times stratified k-fold cross-validation: folds are
    drawn anew M times, and in each the rows of a class are spread so that counts differ by at most
    one between folds, as do the sizes of the folds. A number target is not stratified unless asked
    (`stratify=True`, or a number of quantile bins). Groups stay whole, spread by class as evenly as
    they allow.

    Parameters
    ----------
    k : int, default 10
        Number of folds, at least 2.
    repeats : int, default 1
        How often folds are drawn anew, at least 1.
    stratify : Stratify, default 'auto'
        Whether folds are stratified: `auto` does so for classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(30) % 3, "classification", ("a", "b", "c"))
    >>> frozen = KFold(5, repeats=2).on(data, seed=1)
    >>> len(frozen), np.bincount(data.y_true[frozen.pieces[0].test])
    (10, array([2, 2, 2]))

    References
    ----------
    R. Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and model
    selection, IJCAI.
    """

    k: int = 10
    repeats: int = 1
    stratify: Stratify = "auto"
    _words = "{plan.repeats} x {plan.k}-fold cross-validation{how}"

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        rows = Rows.of(data, self.stratify, self._sampled)
        for repeat in range(self.repeats):
            for fold, test in enumerate(rows.folds(self.k, rng)):
                yield Piece.leaving(data.n, test, record=Split(0, repeat=repeat, fold=fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        if data.task != "classification":
            return
        counts = np.bincount(data.y_true, minlength=len(data.classes))
        small = np.flatnonzero((counts > 0) & (counts < self.k))
        if small.size:
            names = ", ".join(f"{data.classes[code]!r} ({counts[code]})" for code in small)
            yield Note(
                f"fewer rows than the {self.k} folds: class {names}; some folds have no row of it "
                "to test, so measures by class are undefined there",
                "few",
            )


@dataclass(frozen=True)
class FiveByTwo(KFold):
    """The rows halved five times; each half trains a model that the other half tests.

    The design of Dietterich's 5 x 2 t-test and Alpaydin's F-test: the two training sets of a
    repeat have no row in common. Models learn from half the rows only. With more than two classes
    the halves are drawn at random, as Dietterich's are; `stratify=True` stratifies them.

    Parameters
    ----------
    stratify : Stratify, default 'auto'
        Whether halves are stratified: `auto` does so for two classes; a number is so many
        quantile bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classification", ("a", "b"))
    >>> frozen = FiveByTwo().on(data, seed=1)
    >>> len(frozen), {split.n_train for split in frozen.splits}
    (10, {10})

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10.
    """

    k: int = field(default=2, init=False, repr=False)
    repeats: int = field(default=5, init=False, repr=False)
    _sampled = True


@dataclass(frozen=True)
class LeaveOneOut(Plan):
    """Each row tested by a model trained on all the others: n fits, no randomness.

    With groups it leaves out one group at a time. Its interval holds for stable learners only, and
    measures that need several rows at once (AUC) are undefined in a fold of one row.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.array([0, 1, 0]), "classification", ("a", "b"))
    >>> [piece.train.tolist() for piece in LeaveOneOut().on(data)]
    [[1, 2], [0, 2], [0, 1]]

    References
    ----------
    M. Stone (1974), Cross-validatory choice and assessment of statistical predictions, Journal of
    the Royal Statistical Society B 36.
    """

    _words = "leave-one-out cross-validation"

    judged = False  # one row, or one group, represents nothing, and nothing can be redrawn

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        unit = unit_codes(data)
        ends = np.cumsum(np.bincount(unit))[:-1]
        for fold, test in enumerate(np.split(np.argsort(unit, kind="stable"), ends)):
            yield Piece.leaving(data.n, test, record=Split(0, fold=fold))


@dataclass(frozen=True)
class NestedFolds(KFold):
    """K folds, and for each of them a cross-validation over the other K - 1, many times over.

    For every repeat and fold `o`: one split of role `test` (train on all folds but `o`, predict
    `o`) and K - 1 splits of role `inner` with `outer` = o (train on all folds but `o` and `fold`,
    predict `fold`). Comparing the inner estimate with the outer loss shows by how much
    cross-validation misses the error it aims at; the nested interval is built on that.

    The fit without folds a and b serves as inner fit of both, so a repeat costs K + K(K - 1)/2
    fits. The estimate of the spread is noisy: the authors use hundreds of repeats.

    This is an interval method. To choose hyperparameters inside folds, let the model be a search
    and the plan any plan.

    Parameters
    ----------
    k : int, default 10
        Number of folds, at least 3.
    repeats : int, default 50
        How often folds are drawn anew, at least 1.
    stratify : Stratify, default 'auto'
        Whether folds are stratified: `auto` does so for classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classification", ("a", "b"))
    >>> frozen = NestedFolds(5, repeats=1).on(data, seed=1)
    >>> len(frozen), len(frozen.splits.of_role("inner")), len({piece.fit for piece in frozen})
    (25, 20, 15)

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2021), Cross-validation: what does it estimate and how
    well does it do it?, arXiv 2104.00673.
    """

    repeats: int = 50
    _words = "{plan.repeats} x nested {plan.k}-fold cross-validation{how}"

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        n, rows = data.n, Rows.of(data, self.stratify)
        for repeat in range(self.repeats):
            folds = rows.folds(self.k, rng)
            # One piece per pair of folds, so that both inner splits of a pair share its rows.
            pairs = {
                (a, b): Piece.leaving(n, np.concatenate([folds[a], folds[b]]), fit=(repeat, a, b))
                for a, b in combinations(range(self.k), 2)
            }
            for outer, test in enumerate(folds):
                yield Piece.leaving(n, test, record=Split(0, repeat=repeat, fold=outer))
                for fold in range(self.k):
                    if fold != outer:
                        pair = pairs[min(fold, outer), max(fold, outer)]
                        record = Split(0, role="inner", repeat=repeat, fold=fold, outer=outer)
                        yield pair.but(test=folds[fold], record=record)


@dataclass(frozen=True)
class ReplaceOne(KFold):
    """K folds, and cross-validations of half the rows in which one row after another is exchanged.

    Role `test`: the k folds of all rows. Role `inner`: a random half of the rows in k plain folds,
    `outer` = 0; then for each of its rows i = 1, 2, ... the same folds with that row exchanged for
    a row of the other half, `outer` = i. How much the result changes when one row does shows its
    variance.

    Costs 2k + (k - 1) floor(n/2) fits (the fold that tests the exchanged row needs none) and
    n^2/4 predictions: for small data, or quick models. Data with groups are refused.

    Parameters
    ----------
    k : int, default 5
        Number of folds, at least 2.
    stratify : Stratify, default 'auto'
        Whether folds are stratified: `auto` does so for classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classification", ("a", "b"))
    >>> frozen = ReplaceOne(4).on(data, seed=1)
    >>> len(frozen), len({piece.fit for piece in frozen})
    (48, 38)

    References
    ----------
    M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111.
    """

    k: int = 5
    repeats: int = field(default=1, init=False, repr=False)

    _words = (
        "{plan.k}-fold cross-validation{how}, and of half the rows with one exchanged at a time"
    )

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        n, half = data.n, data.n // 2
        if unit_codes(data).max() + 1 < n:
            raise InputError("ReplaceOne exchanges single rows, but these come in groups")
        yield from super().pieces(data, rng)
        order = rng.permutation(n)
        part = rng.permutation(np.arange(half) % self.k)
        for outer in range(half + 1):
            rows = order[:half].copy()
            if outer:
                rows[outer - 1] = order[half + outer - 1]
            for fold in range(self.k):
                # The fold that tests the exchanged row trains on the rows that it had at first.
                same = outer == 0 or part[outer - 1] == fold
                record = Split(0, role="inner", fold=fold, outer=outer)
                train, test = np.sort(rows[part != fold]), rows[part == fold]
                piece = Piece.using(n, train, test, record)
                yield piece.but(fit=("half" if same else outer, fold))
