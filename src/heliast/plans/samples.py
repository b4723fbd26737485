"""Parts drawn at random: one part to train on, the rest to predict, once or repeatedly."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans.dealing import Rows, Stratify
from heliast.plans.piece import Piece, Positions
from heliast.plans.plan import Plan
from heliast.predictions import Split


@dataclass(frozen=True)
class Subsampling(Plan):
    """The holdout repeated with new parts each time; results are averaged.

    Parts are drawn as those of `Holdout`: stratified with two classes, at random with more.
    Test parts of different times overlap, and so do training parts, so the results are dependent:
    a plain t interval over them is far too short (Nadeau and Bengio 2003).

    Parameters
    ----------
    times : int, default 10
        Number of splits, at least 1.
    train : float, default 0.6666666666666666
        Share of the rows to train on, above 0 and below 1.
    stratify : Stratify, default 'auto'
        Whether parts are stratified: `auto` does so for two classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(30) % 2, "classification", ("a", "b"))
    >>> [(split.repeat, split.n_train) for split in Subsampling(3).on(data, seed=1).splits]
    [(0, 20), (1, 20), (2, 20)]

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """

    times: int = 10
    train: float = 2 / 3
    stratify: Stratify = "auto"

    _words = "{plan.times} x holdout, {plan.train:.0%} of the rows to train on{how}"
    _sampled = True

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        rows = Rows.of(data, self.stratify, sampled=True)
        sizes = rows.sizes(self.train)
        for repeat in range(self.times):
            _, test = rows.parts(sizes, rng)
            yield Piece.leaving(rows.n, test.positions, record=Split(0, repeat=repeat))


@dataclass(frozen=True)
class Holdout(Subsampling):
    """Train on two thirds of the rows, test on the others (Leung 2007, section 2.1).

    The training part has the share `train` of the rows, rounded to the nearest row. With two
    classes, or `stratify=True`: of every class its share, rounded up or down. More classes are
    drawn at random, because stratified parts would show too small an error. Groups stay whole.

    What it estimates is the error of this one fitted model, so its interval is that of a test set;
    its weakness is that rows used for testing are lost to training, which matters for small data.

    Parameters
    ----------
    train : float, default 0.6666666666666666
        Share of the rows to train on, above 0 and below 1.
    stratify : Stratify, default 'auto'
        Whether parts are stratified: `auto` does so for two classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(150) % 3, "classification", ("a", "b", "c"))
    >>> split, = Holdout().on(data, seed=1).splits
    >>> split.n_train, split.n_test
    (100, 50)

    References
    ----------
    K. M. Leung (2007), Estimating and Reducing the Error of a Classifier or Predictor.
    """

    times: int = field(default=1, init=False, repr=False)


@dataclass(frozen=True)
class PairedSubsampling(Plan):
    """Subsampling for the estimate, and pairs of subsamplings on disjoint halves for its spread.

    1. Role `test`: `times` (J) subsamplings of all n rows, n_train = train * n rows to train on
       and n_test = n - n_train to test on. Their mean is the estimate.
    2. Role `inner`: `pairs` (M) times, the rows are cut into two disjoint halves of floor(n/2)
       rows, and in each half (`outer` = 0 or 1, `repeat` = the pair) J subsamplings (`fold`) test
       the same n_test rows a time and train on the floor(n/2) - n_test that remain.

    The means m0 and m1 of the two halves of a pair share no row, so (m0 - m1)^2 / 2, averaged over
    pairs, estimates without bias the variance of a subsampling mean with fewer training rows. That
    is larger than the variance wanted: the z interval built on it is conservative.

    Costs J (1 + 2M) fits. Test rows must be fewer than half of all rows, so `train` > 1/2.

    Parameters
    ----------
    times : int, default 15
        Subsamplings J of all rows and of each half, at least 1.
    pairs : int, default 10
        Pairs of halves M, at least 1.
    train : float, default 0.9
        Share of the rows to train on, above 1/2 and below 1.
    stratify : Stratify, default 'auto'
        Whether parts are stratified: `auto` does so for two classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classification", ("a", "b"))
    >>> splits = PairedSubsampling(times=2, pairs=1).on(data, seed=1).splits
    >>> [(split.role, split.outer, split.n_train, split.n_test) for split in splits][1:3]
    [('test', None, 90, 10), ('inner', 0, 40, 10)]

    References
    ----------
    C. Nadeau and Y. Bengio (2003), Inference for the generalization error, Machine Learning 52.
    """

    times: int = 15
    pairs: int = 10
    train: float = 0.9
    stratify: Stratify = "auto"

    _words = "{plan.times} x holdout, {plan.train:.0%} to train{how}, {plan.pairs} pairs of halves"
    _sampled = True

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        yield from Subsampling(self.times, self.train, self.stratify).pieces(data, rng)
        rows = Rows.of(data, self.stratify, sampled=True)
        _, away = rows.sizes(self.train)
        for pair in range(self.pairs):
            # Two halves of floor(n/2) rows; an odd row is left out at random.
            first, rest = rows.parts([rows.n // 2, rows.n - rows.n // 2], rng)
            if rest.n > first.n and not rows.grouped:
                rest, _ = rest.parts([first.n, 1], rng)
            for outer, half in enumerate((first, rest)):
                sizes = half.sizes((half.n - away) / half.n)
                for fold in range(self.times):
                    train, test = half.parts(sizes, rng)
                    record = Split(0, role="inner", repeat=pair, fold=fold, outer=outer)
                    yield Piece.using(data.n, train.positions, test.positions, record)


@dataclass(frozen=True)
class ThreeWay(Plan):
    """One part to train on, one to choose between models, one to test the choice.

    Two splits with the same training rows, so one fit serves both: role `validation` first, then
    role `test` with what `train` and `validation` leave. The winner on validation rows is selected,
    so its validation error is too good; the untouched test rows give an unbiased one.

    Parameters
    ----------
    train : float, default 0.6
        Share of the rows to train on, above 0 and below 1.
    validation : float, default 0.2
        Share of the rows to choose by; the remaining rows are to test.
    stratify : Stratify, default 'auto'
        Whether parts are stratified: `auto` does so for two classes; a number is so many quantile
        bins of a number target.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classification", ("a", "b"))
    >>> splits = ThreeWay().on(data, seed=1).splits
    >>> [(split.role, split.n_train, split.n_test) for split in splits]
    [('validation', 60, 20), ('test', 60, 20)]

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.2.
    """

    train: float = 0.6
    validation: float = 0.2
    stratify: Stratify = "auto"

    _words = "{plan.train:.0%} training, {plan.validation:.0%} validation and other test rows{how}"
    _sampled = True

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        rows = Rows.of(data, self.stratify, sampled=True)
        sizes = rows.sizes(self.train, self.validation)
        _, chosen_by, test = rows.parts(sizes, rng)
        away = np.concatenate([chosen_by.positions, test.positions])
        record = Split(0, role="validation")
        piece = Piece.leaving(data.n, away, chosen_by.positions, record, fit="both")
        yield piece
        yield piece.but(test=test.positions, record=Split(0))


@dataclass(frozen=True)
class Bootstrap(Plan):
    """Resamples of n rows drawn with replacement; each predicts the rows it did not draw.

    A row is left out with probability (1 - 1/n)^n, about 0.368. One more split of role `full` is
    the fit on all rows predicting all rows: the training error that .632 and .632+ weigh against
    the left-out error. With groups, whole groups are drawn, as many as there are. A resample that
    leaves nothing out, which happens only with a handful of rows, is drawn again. Training rows
    are kept in the order of the data.

    `inner` resamples every resample so many times more: splits of role `inner` with `outer` = the
    repeat they were drawn from, which predict those of its rows that they did not draw. The
    two-stage interval reads them, and the predictions of training rows (`run(in_sample=True)`). It
    costs times * inner fits more; the resamples themselves are the same with and without.

    Parameters
    ----------
    times : int, default 100
        Number of resamples, at least 1.
    inner : int, default 0
        Resamples of each resample, for the two-stage interval; 0 is none.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.arange(100) % 2, "classification", ("a", "b"))
    >>> frozen = Bootstrap(50).on(data, seed=1)
    >>> len(frozen), frozen.splits.records[-1].role
    (51, 'full')
    >>> int(frozen.pieces[0].in_train(100).sum())
    100
    >>> Bootstrap(50, inner=2).on(data, seed=1).splits.records[51].role
    'inner'

    References
    ----------
    B. Efron and R. Tibshirani (1997), Improvements on cross-validation: the .632+ bootstrap method,
    Journal of the American Statistical Association 92.
    """

    times: int = 100
    inner: int = 0

    _words = "{plan.times} bootstrap samples, each tested on its out-of-bag rows"

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        rows = Rows.of(data, False)
        if rows.units < (3 if self.inner else 2):
            raise InputError(f"resamples of {rows} leave nothing out; 3 are needed")
        once = np.ones(rows.units, np.int64)
        resamples = []
        for repeat in range(self.times):
            counts = _resample(once, rng, distinct=2 if self.inner else 1)
            yield _out_of_bag(rows, counts, once, Split(0, repeat=repeat))
            resamples.append(counts)
        yield Piece.using(data.n, rows.positions, rows.positions, Split(0, role="full"))
        for outer, counts in enumerate(resamples):
            for repeat in range(self.inner):
                record = Split(0, role="inner", repeat=repeat, outer=outer)
                yield _out_of_bag(rows, _resample(counts, rng), counts, record)


def _resample(counts: Positions, rng: Generator, distinct: int = 1) -> Positions:
    """How often units are drawn out of these counts: some never, at least `distinct` at all."""
    copies = np.repeat(np.arange(counts.size), counts)
    while True:
        chosen = copies[rng.integers(copies.size, size=copies.size)]
        resample = np.bincount(chosen, minlength=counts.size)
        if distinct <= np.count_nonzero(resample) < np.count_nonzero(counts):
            return resample


def _out_of_bag(rows: Rows, resample: Positions, counts: Positions, record: Split) -> Piece:
    """Train on units (rows or groups) as often as they were drawn, predict the others of them."""
    train = np.repeat(rows.positions, resample[rows.unit])
    test = np.flatnonzero(((counts > 0) & (resample == 0))[rows.unit])
    return Piece.using(rows.n, train, test, record)
