"""Margins and edges: how sure a vote was of the right class."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast._core.drawn import Drawn
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.told import told
from heliast._kernels import margins as kernel
from heliast.predictions import Predictions
from heliast.theory._vote_shares import ROUNDING, VoteShares, member_labels, vote_shares


@told(
    {
        "value": "array: A margin (or edge) a row.",
        "truth": "array: True class of each row.",
        "row": "array, optional: Names of the rows, if known.",
        "weight": "array, optional: Weights of the rows; None is 1 each.",
        "classes": "tuple of Label: The classes in order.",
        "model": "str, default '': Name of the model.",
        "notes": "tuple of str: What to know of the figures.",
        "class_": "None, optional: Always None: margins are about all classes.",
    }
)
@dataclass(frozen=True, eq=False, repr=False)
class Margins(Drawn):
    """The margin of every row, from -1 (all votes on one wrong class) to 1 (all right).

    Examples
    --------
    >>> from heliast.theory import margins
    >>> margins([0, 0], votes=[[3, 1], [1, 3]], classes=[0, 1]).value.tolist()
    [0.5, -0.5]
    """

    word: ClassVar[str] = "margin"
    low: ClassVar[float] = -1.0

    value: Array
    truth: Array
    row: Array | None = None
    weight: Array | None = None
    classes: tuple[Label, ...] = ()
    model: str = ""
    notes: tuple[str, ...] = ()
    class_: None = None

    @property
    def n(self) -> int:
        return int(self.value.size)

    @property
    def mean(self) -> float:
        return float(np.average(self.value, weights=self.weight))

    @property
    def least(self) -> float:
        """The smallest of all rows."""
        return float(self.value.min())

    @told(
        {"theta": "array-like: One margin or several."},
        returns="float or array: Shares, 0 to 1, in the shape of `theta`.",
    )
    def at_most(self, theta: npt.ArrayLike) -> float | Array:
        """P(M <= theta): the share of rows whose margin is at most theta.

        Examples
        --------
        >>> margins([0, 0], votes=[[3, 1], [1, 3]], classes=[0, 1]).at_most([-0.5, 0.5])
        array([0.5, 1. ])
        """
        order = np.argsort(self.value, kind="stable")
        weight = np.ones(self.n) if self.weight is None else self.weight
        below = np.concatenate([[0.0], np.cumsum(weight[order])])
        place = np.searchsorted(self.value[order], np.asarray(theta, float) + ROUNDING, "right")
        shares = below[place] / below[-1]
        return float(shares) if np.ndim(theta) == 0 else shares

    @property
    def ties(self) -> int:
        """Rows where the right class and another share the most votes."""
        return int((self.value == 0).sum())

    @property
    def error(self) -> float:
        """P(M <= 0): the error of the vote if every tie counts as an error."""
        return float(self.at_most(0.0))

    def __repr__(self) -> str:
        model = f" of {self.model!r}" if self.model else ""
        return (
            f"<{type(self).__name__}{model}: {self.n} rows, mean {self.mean:.3f}, "
            f"least {self.least:.3f}, {self.error:.1%} at most 0>"
        )


@told(Margins)
@dataclass(frozen=True, eq=False, repr=False)
class Edges(Margins):
    """The edge of every row: the share of votes that are wrong. For two classes M = 1 - 2 edge.

    Examples
    --------
    >>> from heliast.theory import edge
    >>> edge([0, 0], votes=[[3, 1], [1, 3]], classes=[0, 1]).value.tolist()
    [0.25, 0.75]
    """

    word: ClassVar[str] = "edge"
    low: ClassVar[float] = 0.0

    @property
    def top(self) -> float:
        """The largest of all rows: Breiman's top edge."""
        return float(self.value.max())

    @property
    def ties(self) -> int:
        """Rows where half of the votes are wrong."""
        return int((self.value == 0.5).sum())

    @property
    def error(self) -> float:
        """The share of rows where at least half of the votes are wrong."""
        weight = np.ones(self.n) if self.weight is None else self.weight
        return float(weight[self.value >= 0.5 - ROUNDING].sum() / weight.sum())

    def __repr__(self) -> str:
        model = f" of {self.model!r}" if self.model else ""
        return (
            f"<Edges{model}: {self.n} rows, mean {self.mean:.3f}, top {self.top:.3f}, "
            f"{self.error:.1%} at least 1/2>"
        )


@told(
    returns="Margins: A margin a row, -1 to 1.",
    raises="If the votes cannot be told from what is given.",
)
def margins(
    source: Predictions | npt.ArrayLike,
    members: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    *,
    votes: npt.ArrayLike | None = None,
    classes: npt.ArrayLike | None = None,
    model: str | None = None,
    seen: str = "test",
) -> Margins:
    """Share of the votes for the right class less the largest share of any other, row by row.

    From a table: the scores of `model` if they are votes (or probabilities, read as shares), or
    `members`, the names of models that vote. From arrays: `source` is the truth, with `members`
    (a label a row and member) or `votes` (a column a class). `weights` are those of the members.
    `seen` says which rows of a table: `test` (not trained on), `train` or `all`.

    A vote is right if its margin is above 0; at 0 it ties, and who wins is up to the class order.

    Parameters
    ----------
    source : Predictions or array-like
        A table, or the true classes.
    members : sequence or array-like, optional
        Names of models in the table, or labels (rows, members).
    weights : array-like, optional
        Weights of the members; None is even.
    votes : array-like, optional
        Votes or shares, (rows, classes).
    classes : sequence, optional
        The classes in the order of the columns; None is sorted.
    model : str, optional
        The model whose scores are the votes; None is the only one.
    seen : str, default 'test'
        Rows of a table: `test` (not trained on), `train` or `all`.

    Examples
    --------
    >>> margins(["a", "b", "c"], votes=[[50, 30, 20]] * 3).value.round(12).tolist()
    [0.2, -0.2, -0.3]

    References
    ----------
    thesis, section 4.1.1; R. E. Schapire, Y. Freund, P. Bartlett and W. S. Lee (1998), Boosting the
    margin, Annals of Statistics 26.
    """
    found = vote_shares(source, members, weights, votes, classes, model, seen)
    right, other = _right_and_other(found)
    value = right - other
    value[np.abs(value) <= ROUNDING] = 0.0
    return Margins(value=value, **_about(found))


@told(
    margins,
    returns="Edges: An edge a row, 0 to 1.",
    raises="If the votes cannot be told from what is given.",
)
def edge(
    source: Predictions | npt.ArrayLike,
    members: npt.ArrayLike | None = None,
    weights: npt.ArrayLike | None = None,
    *,
    votes: npt.ArrayLike | None = None,
    classes: npt.ArrayLike | None = None,
    model: str | None = None,
    seen: str = "test",
) -> Edges:
    """Share of the votes that are wrong, row by row; arguments as in `margins`.

    For two classes the margin is 1 - 2 edge; for more the margin is at least that, as wrong votes
    need not agree.

    Examples
    --------
    >>> edge(["a", "b", "c"], votes=[[50, 30, 20]] * 3).value.round(12).tolist()
    [0.5, 0.7, 0.8]

    References
    ----------
    L. Breiman (1997), Arcing the edge, Technical Report 486, University of California, Berkeley.
    """
    found = vote_shares(source, members, weights, votes, classes, model, seen)
    value = 1 - _right_and_other(found)[0]
    value[np.abs(value - 0.5) <= ROUNDING] = 0.5
    return Edges(value=value, **_about(found))


@told(
    margins,
    returns="array: Margins, (members, rows), from -1 to 1.",
    raises="If shapes do not fit.",
)
def staged_margins(
    truth: npt.ArrayLike,
    members: npt.ArrayLike,
    weights: npt.ArrayLike | None = None,
    *,
    classes: npt.ArrayLike | None = None,
) -> Array:
    """(B, rows): the margins of the votes of the first 1, 2, ..., B members.

    Parameters
    ----------
    truth : array-like
        True class of each row.
    members : array-like
        Labels, (rows, members).
    classes : sequence, optional
        The classes in order; None is sorted.

    Examples
    --------
    >>> staged_margins(["a", "a"], [["a", "b", "a"], ["b", "b", "a"]]).round(3).tolist()
    [[1.0, -1.0], [0.0, -1.0], [0.333, -0.333]]
    """
    found = member_labels(truth, members, weights, classes)
    value = kernel.staged_margins(found.label, found.weight, found.truth, len(found.classes))
    value[np.abs(value) <= ROUNDING] = 0.0
    return value


def _right_and_other(found: VoteShares) -> tuple[Array, Array]:
    everyone = np.arange(found.truth.size)
    right = found.shares[everyone, found.truth]
    others = found.shares.copy()
    others[everyone, found.truth] = -np.inf
    return right, others.max(axis=1)


def _about(found: VoteShares) -> dict[str, Any]:
    return {
        "truth": found.truth,
        "row": found.row,
        "weight": found.weight,
        "classes": found.classes,
        "model": found.model,
        "notes": found.notes,
    }
