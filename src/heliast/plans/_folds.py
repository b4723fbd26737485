"""Plans by folds: K of them, halves five times, single rows, nested, and with a row exchanged."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._checks import check_count, check_folds, check_stratify
from heliast.plans._dealing import Deck, Stratify, unless_many
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan
from heliast.plans._remarks import small_classes
from heliast.predictions import Split


@dataclass(frozen=True)
class KFold(Plan):
    """The rows in k folds; each is tested once by a model trained on the others.

    With `repeats` = M and classes this is M times stratified K-fold cross-validation: folds are
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
        Whether classes are dealt evenly: `auto` does so for classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(30) % 3, "classes", ("a", "b", "c"))
    >>> frozen = KFold(5, repeats=2).on(data, seed=1)
    >>> len(frozen), np.bincount(data.truth[frozen.pieces[0].test])
    (10, array([2, 2, 2]))

    References
    ----------
    R. Kohavi (1995), A study of cross-validation and bootstrap for accuracy estimation and model
    selection, IJCAI.
    """

    k: int = 10
    repeats: int = 1
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 2)
        check_count("repeats", self.repeats)
        check_stratify(self.stratify)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        check_folds(self.k, deck)
        for repeat in range(self.repeats):
            for fold, test in enumerate(deck.folds(self.k, rng)):
                yield Piece.leaving(data.n, test, record=Split(0, repeat=repeat, fold=fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        return small_classes(data, self.k)


@dataclass(frozen=True)
class FiveByTwo(Plan):
    """The rows halved five times; each half trains a model that the other half tests.

    The design of Dietterich's 5 x 2 t-test and Alpaydin's F-test: the two training sets of a
    repeat have no row in common. Models learn from half the rows only. With more than two classes
    the halves are drawn at random, as Dietterich's are; `stratify=True` deals classes evenly.

    Parameters
    ----------
    stratify : Stratify, default 'auto'
        Whether classes are dealt evenly: `auto` does so for two classes; a number is so many
        quantile bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = FiveByTwo().on(data, seed=1)
    >>> len(frozen), {one.n_train for one in frozen.splits}
    (10, {10})

    References
    ----------
    T. G. Dietterich (1998), Approximate statistical tests for comparing supervised classification
    learning algorithms, Neural Computation 10.
    """

    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_stratify(self.stratify)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        return KFold(2, 5, unless_many(self.stratify, data)).pieces(data, rng)

    def remarks(self, data: Dataset) -> Iterator[str]:
        return KFold(2, 5, self.stratify).remarks(data)


@dataclass(frozen=True)
class LeaveOneOut(Plan):
    """Each row tested by a model trained on all the others: n fits, no random choice.

    With groups it leaves out one group at a time. Its interval holds for stable learners only, and
    measures that need several rows at once (AUC) are undefined in a fold of one row.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.array([0, 1, 0]), "classes", ("a", "b"))
    >>> [piece.train.tolist() for piece in LeaveOneOut().on(data)]
    [[1, 2], [0, 2], [0, 1]]

    References
    ----------
    M. Stone (1974), Cross-validatory choice and assessment of statistical predictions, Journal of
    the Royal Statistical Society B 36.
    """

    @property
    def judged(self) -> bool:
        return False  # one row, or one group, represents nothing, and there are no others to draw

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, False)
        if deck.group is None:
            parts = list(np.arange(data.n).reshape(-1, 1))
        else:
            order = np.argsort(deck.group, kind="stable")
            parts = np.split(order, np.cumsum(np.bincount(deck.group))[:-1])
        for fold, test in enumerate(parts):
            yield Piece.leaving(data.n, test, record=Split(0, fold=fold))


@told(KFold)
@dataclass(frozen=True)
class NestedFolds(Plan):
    """K folds, and for each of them a cross-validation over the other K - 1, many times over.

    For every repeat and fold `o`: one split of role `test` (train on all folds but `o`, predict
    `o`) and K - 1 splits of role `inner` with `outer` = o (train on all folds but `o` and `fold`,
    predict `fold`). Comparing the inner estimate with the outer loss shows by how much
    cross-validation misses the error it aims at; the nested interval is built on that.

    The fit without folds a and b serves as inner fit of both, so a repeat costs K + K(K - 1)/2
    fits. The estimate of the spread is noisy: the authors use hundreds of repeats.

    This is an interval method. Choosing parameters inside folds is another thing: there the model
    is a search and the plan any plan.

    Parameters
    ----------
    repeats : int, default 50
        How often folds are drawn anew, at least 1.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = NestedFolds(5, repeats=1).on(data, seed=1)
    >>> len(frozen), len(frozen.splits.of_role("inner")), len({piece.fit for piece in frozen})
    (25, 20, 15)

    References
    ----------
    S. Bates, T. Hastie and R. Tibshirani (2021), Cross-validation: what does it estimate and how
    well does it do it?, arXiv 2104.00673.
    """

    k: int = 10
    repeats: int = 50
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 3)
        check_count("repeats", self.repeats)
        check_stratify(self.stratify)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        check_folds(self.k, deck)
        for repeat in range(self.repeats):
            yield from self._repeat(data.n, repeat, deck.folds(self.k, rng))

    def _repeat(self, n: int, repeat: int, folds: list[Positions]) -> Iterator[Piece]:
        # One piece per pair of folds, so that both inner splits of a pair share its rows.
        pairs = {
            (a, b): Piece.leaving(n, np.concatenate([folds[a], folds[b]]), fit=(repeat, a, b))
            for a in range(self.k)
            for b in range(a + 1, self.k)
        }
        for outer in range(self.k):
            yield Piece.leaving(n, folds[outer], record=Split(0, repeat=repeat, fold=outer))
            for fold in range(self.k):
                if fold != outer:
                    pair = pairs[min(fold, outer), max(fold, outer)]
                    record = Split(0, role="inner", repeat=repeat, fold=fold, outer=outer)
                    yield pair.but(test=folds[fold], record=record)

    def remarks(self, data: Dataset) -> Iterator[str]:
        return small_classes(data, self.k)


@told(KFold)
@dataclass(frozen=True)
class ReplaceOne(Plan):
    """K folds, and cross-validations of half the rows in which one row after another is exchanged.

    Role `test`: the k folds of all rows. Role `inner`: a random half of the rows in k plain folds,
    `outer` = 0; then for each of its rows i = 1, 2, ... the same folds with that row exchanged for
    a row of the other half, `outer` = i. How much the result moves when one row does shows its
    variance.

    Costs 2k + (k - 1) floor(n/2) fits (the fold that tests the exchanged row needs none) and
    n^2/4 predictions: for small data, or quick models. Rows that come in groups are refused.

    Parameters
    ----------
    k : int, default 5
        Number of folds, at least 2.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(20) % 2, "classes", ("a", "b"))
    >>> frozen = ReplaceOne(4).on(data, seed=1)
    >>> len(frozen), len({piece.fit for piece in frozen})
    (48, 38)

    References
    ----------
    M. Austern and W. Zhou (2020), Asymptotics of cross-validation, arXiv 2001.11111.
    """

    k: int = 5
    stratify: Stratify = "auto"

    def __post_init__(self) -> None:
        check_count("k", self.k, 2)
        check_stratify(self.stratify)

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        deck = Deck.of(data, self.stratify)
        if deck.group is not None:
            raise InputError("ReplaceOne exchanges single rows, but these come in groups")
        half = deck.n // 2
        if half < self.k:
            raise InputError(f"k={self.k}: half of the {deck.n} rows must fill the folds")
        yield from KFold(self.k, 1, self.stratify).pieces(data, rng)
        order = rng.permutation(deck.n)
        left, right = order[:half], order[half : 2 * half]
        part = rng.permutation(np.arange(half) % self.k)
        yield from self._folds(deck.n, left, part, 0)
        for at in range(half):
            rows = left.copy()
            rows[at] = right[at]
            yield from self._folds(deck.n, rows, part, at + 1, int(part[at]))

    def _folds(
        self, n: int, rows: Positions, part: Positions, outer: int, same: int | None = None
    ) -> Iterator[Piece]:
        """Folds of some rows; fold `same` trains on the rows that it trained on at first."""
        for fold in range(self.k):
            record = Split(0, role="inner", fold=fold, outer=outer)
            piece = Piece.using(n, np.sort(rows[part != fold]), rows[part == fold], record)
            yield piece.but(fit=("half", fold) if outer == 0 or fold == same else (outer, fold))

    def remarks(self, data: Dataset) -> Iterator[str]:
        return KFold(self.k, 1, self.stratify).remarks(data)
