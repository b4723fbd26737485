"""Learning curve: any plan with smaller and smaller training sets."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._dealing import group_codes
from heliast.plans._piece import Piece, Positions
from heliast.plans._varied import VARYING, Varied

_TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@told(
    VARYING
    | {"shares": "tuple of float: Shares of the training rows, above 0 up to 1, one split each."}
)
@dataclass(frozen=True)
class LearningCurve(Varied[Positions]):
    """Every split of a plan, trained on each share of its training rows; the test rows stay.

    Within a split the training sets are nested: a smaller share is a subset of a larger one, so
    the curve's points differ by added rows only. Classes keep their shares, to within about a row.
    With groups, whole groups are added in random order and only the last may be cut. The share is
    recorded as `train_share`. A `full` split goes on predicting the rows it was trained on.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> from heliast.plans import Holdout
    >>> data = Dataset((), np.arange(90) % 2, "classes", ("a", "b"))
    >>> splits = LearningCurve(Holdout(), shares=(0.5, 1.0)).on(data, seed=1).splits
    >>> [(one.train_share, one.n_train, one.n_test) for one in splits]
    [(0.5, 30, 30), (1.0, 60, 30)]

    References
    ----------
    T. Hastie, R. Tibshirani and J. Friedman (2009), The Elements of Statistical Learning, section
    7.10.
    """

    shares: tuple[float, ...] = _TENTHS
    _varies: ClassVar[str] = "models trained on {shares} of the training rows"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shares[0] == 0:
            raise InputError(f"shares={self.shares!r}: a model needs some rows to train on")

    @told(
        VARYING,
        returns="Positions: Places among the training rows, (n_train,).",
        raises="If the plan is a learning curve already.",
    )
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Positions:
        """The places of the training rows in the order in which they are added."""
        if piece.record.train_share is not None:
            raise InputError("plan: a learning curve of a learning curve has no meaning")
        return _order(piece, data, rng)

    @told(
        VARYING
        | {
            "choice": "Positions: What `choose` decided for this split.",
            "share": "float: The share of training rows, above 0 up to 1.",
        },
        returns="Piece: The split with fewer training rows.",
        raises="If the share is less than one row.",
    )
    def vary(self, piece: Piece, data: Dataset, choice: Positions, share: float) -> Piece:
        """The piece with a share of its training rows, kept in their order."""
        size = int(share * choice.size + 0.5)
        if size == 0:
            raise InputError(
                f"shares: {share:g} of {choice.size} training rows is none; give larger shares"
            )
        chosen = np.sort(choice[:size])
        train = piece.train[chosen]
        test = np.unique(train) if piece.record.role == "full" else piece.test
        record = replace(piece.record, train_share=float(share))
        truth = None if piece.truth is None else piece.truth[chosen]
        fewer = Piece.using(piece.n, train, test, record)
        return fewer.but(truth=truth, fresh=piece.fresh)


def _order(piece: Piece, data: Dataset, rng: np.random.Generator) -> Positions:
    """An order of the training rows of which every beginning has the classes' shares."""
    train = piece.train
    whole = data if piece.fresh is None else piece.fresh()
    group = group_codes(whole)
    shuffled = rng.permutation(train.size)
    if group is not None:
        rank = rng.permutation(int(group.max()) + 1)
        return shuffled[np.argsort(rank[group[train[shuffled]]], kind="stable")]
    if whole.task != "classes":
        return shuffled
    # The i-th of the n_c rows of a class stands at (i + 1/2) / n_c along the line.
    codes = whole.truth[train[shuffled]].astype(np.int64)
    by_class = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    starts = np.cumsum(sizes) - sizes
    place = np.empty(train.size)
    ordered = codes[by_class]
    place[by_class] = (np.arange(train.size) - starts[ordered] + 0.5) / sizes[ordered]
    return shuffled[np.argsort(place, kind="stable")]
