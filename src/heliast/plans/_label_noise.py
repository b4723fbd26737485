"""Label noise: any plan with wrong labels in its training sets."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._piece import Piece, Positions
from heliast.plans._varied import VARYING, Varied

Turns = tuple[Positions, Positions]


@told(VARYING)
@dataclass(frozen=True)
class LabelNoise(Varied[Turns]):
    """Every split of a plan, with the truth of a share of its training rows made wrong.

    Exactly that share of the (distinct) training rows, rounded to the nearest row, gets another
    class, each of the others equally likely; a row drawn several times is wrong every time. Test
    rows keep their truth. Within a split, more noise adds wrong labels to those that less noise
    has. The share is recorded as `noise`. Numbers have no other class: refused.

    Parameters
    ----------
    shares : tuple of float
        Shares of training rows with a wrong class, from 0 to 1, one split each.

    Examples
    --------
    >>> import numpy as np
    >>> from heliast.data import Dataset
    >>> from heliast.plans import Holdout
    >>> data = Dataset((), np.arange(90) % 3, "classes", ("a", "b", "c"))
    >>> clean, noisy = LabelNoise(Holdout(), shares=(0, 0.1)).on(data, seed=1)
    >>> clean.truth is None, int((noisy.truth != data.truth[noisy.train]).sum())
    (True, 6)

    References
    ----------
    T. G. Dietterich (2000), An experimental comparison of three methods for constructing ensembles
    of decision trees, Machine Learning 40.
    """

    shares: tuple[float, ...] = (0, 0.05, 0.1, 0.2)
    _varies: ClassVar[str] = "the classes of {shares} of the training rows made wrong"

    @told(
        VARYING,
        returns="Turns: Rows in that order, and by how many places each class is turned.",
        raises="If the target is a number or has one class, or the plan has label noise already.",
    )
    def choose(self, piece: Piece, data: Dataset, rng: np.random.Generator) -> Turns:
        """The distinct training rows in the order in which they turn wrong, and how far each."""
        if data.task != "classes" or len(data.classes) < 2:
            raise InputError(
                "plan=LabelNoise(...): a label is made wrong by giving another class, and the "
                f"target {data.target!r} has no other class to give"
            )
        if piece.record.noise is not None:
            raise InputError("plan: label noise on label noise has no meaning")
        rows = rng.permutation(np.unique(piece.train))
        return rows, rng.integers(1, len(data.classes), size=rows.size)

    @told(
        VARYING
        | {
            "choice": "Turns: What `choose` decided for this split.",
            "share": "float: The share of wrong labels, 0 to 1.",
        },
        returns="Piece: The split with wrong labels among its training rows.",
    )
    def vary(self, piece: Piece, data: Dataset, choice: Turns, share: float) -> Piece:
        """The piece with the first rows turned to another class; no row, no change."""
        rows, turns = choice
        size = int(share * rows.size + 0.5)
        noisy = piece.but(record=replace(piece.record, noise=float(share)))
        if size == 0:
            return noisy
        turn = np.zeros(piece.n, np.int64)
        turn[rows[:size]] = turns[:size]
        truth = _truth(piece, data)
        turned = (truth.astype(np.int64) + turn[piece.train]) % len(data.classes)
        return noisy.but(truth=turned.astype(truth.dtype))


def _truth(piece: Piece, data: Dataset) -> npt.NDArray[Any]:
    """The training truth before noise, aligned with the training rows."""
    if piece.truth is not None:
        return piece.truth
    whole = data if piece.fresh is None else piece.fresh()
    return whole.truth[piece.train]
