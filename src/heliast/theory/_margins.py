"""Margins and edges: how clearly a vote is for the right class."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label, classes_of, column, encode
from heliast._core.plotted import Plotted
from heliast.predictions import Predictions
from heliast.theory._repeated import class_scores

# Margins nearer to a tie than this are one but for rounding.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class Margins(Plotted):
    """The margin of every row, from -1 (all votes on one wrong class) to 1 (all right).

    Parameters
    ----------
    value : array
        A margin (or edge) a row.
    truth : array
        True class of each row.
    row : array, optional
        Names of the rows, if known.
    weight : array, optional
        Weights of the rows; None is 1 each.
    classes : tuple of Label
        The classes in order.
    model : str, default ''
        Name of the model.
    notes : tuple of str
        Remarks.
    class_ : None, optional
        Always None: margins are about all classes.

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

    def at_most(self, theta: ArrayLike) -> float | Array:
        """Return P(M <= theta): the share of rows whose margin is at most theta.

        Parameters
        ----------
        theta : array-like
            One margin or several.

        Returns
        -------
        float or array
            Shares, 0 to 1, in the shape of `theta`.

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

    @property
    def _summary(self) -> str:
        return f"mean {self.mean:.3f}, least {self.least:.3f}, {self.error:.1%} at most 0"

    def __repr__(self) -> str:
        model = f" of {self.model!r}" if self.model else ""
        return f"<{type(self).__name__}{model}: {self.n} rows, {self._summary}>"


@dataclass(frozen=True, eq=False, repr=False)
class Edges(Margins):
    """The edge of every row: the share of votes that are wrong. For two classes M = 1 - 2 edge.

    Parameters
    ----------
    value : array
        A margin (or edge) a row.
    truth : array
        True class of each row.
    row : array, optional
        Names of the rows, if known.
    weight : array, optional
        Weights of the rows; None is 1 each.
    classes : tuple of Label
        The classes in order.
    model : str, default ''
        Name of the model.
    notes : tuple of str
        Remarks.
    class_ : None, optional
        Always None: edges are about all classes.

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
        return float(np.average(self.value >= 0.5 - ROUNDING, weights=self.weight))

    @property
    def _summary(self) -> str:
        return f"mean {self.mean:.3f}, top {self.top:.3f}, {self.error:.1%} at least 1/2"


def margins(
    source: Predictions | ArrayLike,
    members: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    *,
    votes: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    model: str | None = None,
    seen: str = "test",
) -> Margins:
    """Return the share of votes for the right class less the largest share of any other, by row.

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
        The model of the table whose scores are the votes (probabilities are read as shares); None
        is the only one.
    seen : str, default 'test'
        Rows of a table: `test` (not trained on), `train` or `all`.

    Returns
    -------
    Margins
        A margin a row, -1 to 1.

    Raises
    ------
    InputError
        If there are no votes.

    Examples
    --------
    >>> margins(["a", "b", "c"], votes=[[50, 30, 20]] * 3).value.round(12).tolist()
    [0.2, -0.2, -0.3]

    References
    ----------
    thesis, section 4.1.1; R. E. Schapire, Y. Freund, P. Bartlett and W. S. Lee (1998), Boosting the
    margin, Annals of Statistics 26.
    """
    shares, about = _vote_shares(source, members, weights, votes, classes, model, seen)
    truth = about["truth"][:, None]
    right = np.take_along_axis(shares, truth, axis=1)[:, 0]
    np.put_along_axis(shares, truth, -np.inf, axis=1)
    return Margins(_rounded(right - shares.max(axis=1), 0.0), **about)


def edge(
    source: Predictions | ArrayLike,
    members: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    *,
    votes: ArrayLike | None = None,
    classes: ArrayLike | None = None,
    model: str | None = None,
    seen: str = "test",
) -> Edges:
    """Return the share of the votes that are wrong, by row.

    For two classes the margin is 1 - 2 edge; for more the margin is at least that, as wrong votes
    need not agree.

    Parameters
    ----------
    source : Predictions or array-like
        A table, or the true classes.
    members, weights, votes, classes, model, seen
        As in `margins`.

    Returns
    -------
    Edges
        An edge a row, 0 to 1.

    Raises
    ------
    InputError
        If there are no votes.

    Examples
    --------
    >>> edge(["a", "b", "c"], votes=[[50, 30, 20]] * 3).value.round(12).tolist()
    [0.5, 0.7, 0.8]

    References
    ----------
    L. Breiman (1997), Arcing the edge, Technical Report 486, University of California, Berkeley.
    """
    shares, about = _vote_shares(source, members, weights, votes, classes, model, seen)
    wrong = 1 - np.take_along_axis(shares, about["truth"][:, None], axis=1)[:, 0]
    return Edges(_rounded(wrong, 0.5), **about)


def staged_margins(
    truth: ArrayLike,
    members: ArrayLike,
    weights: ArrayLike | None = None,
    *,
    classes: ArrayLike | None = None,
) -> Array:
    """Return the margins of the votes of the first 1, 2, ..., B members.

    Parameters
    ----------
    truth : array-like
        True class of each row.
    members : array-like
        Labels, (rows, members).
    weights : array-like, optional
        Weights of the members; None is even.
    classes : sequence, optional
        The classes in order; None is sorted.

    Returns
    -------
    array
        Margins, (members, rows), from -1 to 1.

    Raises
    ------
    InputError
        If shapes do not fit.

    Examples
    --------
    >>> staged_margins(["a", "a"], [["a", "b", "a"], ["b", "b", "a"]]).round(3).tolist()
    [[1.0, -1.0], [0.0, -1.0], [0.333, -0.333]]
    """
    y_pred, y_true, known = _coded(truth, members, classes)
    weight = _member_weights(weights, len(y_pred))
    rows, total = np.arange(y_true.size), np.cumsum(weight)
    votes, other = np.zeros((y_true.size, len(known))), np.zeros(y_true.size)
    values = np.empty(y_pred.shape)
    for b, answers in enumerate(y_pred):
        votes[rows, answers] += weight[b]
        # Votes only grow, so the largest of the others is known without looking again.
        other = np.where(answers == y_true, other, np.maximum(other, votes[rows, answers]))
        values[b] = (votes[rows, y_true] - other) / (total[b] or 1.0)
    return _rounded(values, 0.0)


def _rounded(values: Array, tie: float) -> Array:
    return np.where(np.abs(values - tie) <= ROUNDING, tie, values)


# --- votes of each class ---------------------------------------------------------------------


def _vote_shares(
    source: Any, members: Any, weights: Any, votes: Any, classes: Any, model: str | None, seen: str
) -> tuple[Array, dict[str, Any]]:
    """The share of the votes of each class at each row, and the other fields of the record."""
    about: dict[str, Any] = {}
    if isinstance(source, Predictions) and members is None:
        part = _part(source, model, seen)
        name = part.models[0]
        kind = part.score_kind_of(name)
        if kind not in ("votes", "probability"):
            raise InputError(
                f"model {name!r} has {kind or 'no'} scores, but margins need votes; declare them "
                "with scores='votes', or name member models with members="
            )
        array, y_true, known = class_scores(part), part.y_true, part.classes
        notes = ("probabilities are read as shares of the votes",) if kind == "probability" else ()
        about = {"row": part.row, "weight": part.weight, "model": name, "notes": notes}
    elif votes is not None:
        array, true = np.asarray(votes, np.float64), column(source, "y_true")
        known = tuple(classes) if classes is not None else classes_of([true])
        if array.shape != (len(true), len(known)):
            raise InputError(
                f"votes has shape {array.shape}; give one row for each of the {len(true)} true "
                f"classes and one column a class ({', '.join(map(repr, known[:5]))}); give "
                "classes= in the order of the columns"
            )
        y_true = encode(true, known)
    elif members is None:
        raise InputError("margins: give members= (a label a row and member) or votes=")
    else:
        if isinstance(source, Predictions):
            y_pred, y_true, known, about = _of_models(source, members, seen)
        else:
            y_pred, y_true, known = _coded(source, members, classes)
        array = np.zeros((y_true.size, len(known)))
        for answers, weight in zip(y_pred, _member_weights(weights, len(y_pred)), strict=True):
            array[np.arange(y_true.size), answers] += weight
    total = array.sum(axis=1, keepdims=True)
    if not np.isfinite(array).all() or (array < -ROUNDING).any() or not (total > 0).all():
        raise InputError("votes must be finite, not negative, and some cast at every row")
    return array / total, {"truth": y_true.astype(np.int64), "classes": known, **about}


def _coded(truth: Any, members: Any, classes: Any) -> tuple[Array, Array, tuple[Label, ...]]:
    """Labels as codes (members x rows), true classes as codes, and the classes."""
    array, true = np.asarray(members), column(truth, "y_true")
    if array.ndim != 2 or len(array) != len(true):
        raise InputError(
            f"members has shape {array.shape}; give one row for each of the {len(true)} true "
            "classes and one column a member"
        )
    labels = column(array.ravel().tolist() if array.dtype == object else array.ravel(), "members")
    known = classes_of([true, labels]) if classes is None else tuple(classes)
    return encode(labels, known).reshape(array.shape).T, encode(true, known), known


def _member_weights(weights: Any, members: int) -> Array:
    weight = np.ones(members) if weights is None else np.asarray(weights, np.float64)
    if weight.shape != (members,):
        raise InputError(f"weights has shape {weight.shape}; give one a member, {members} in all")
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.sum() > 0):
        raise InputError("weights must be finite, not negative and not all 0")
    return weight


def _of_models(
    table: Predictions, members: Sequence[str], seen: str
) -> tuple[Array, Array, tuple[Label, ...], dict[str, Any]]:
    """Labels of models (members x rows) on the rows that all of them predict."""
    labels: list[Array] = []
    keys: list[tuple[list[Any], ...]] = []
    for name in members:
        part = _part(table, str(name), seen)
        if part.row is not None:
            part = part._at(np.lexsort((column(part.row, "row").coded()[1], part.codes("split"))))
        labels.append(part.y_pred)
        keys.append((part.y_true.tolist(), [] if part.row is None else part.row.tolist()))
        if keys[-1] != keys[0]:
            raise InputError(f"members: {name!r} and {members[0]!r} do not predict the same rows")
    about = {"row": part.row, "weight": part.weight, "model": f"{len(labels)} members"}
    return np.stack(labels), part.y_true, part.classes, about


def _part(table: Predictions, model: str | None, seen: str) -> Predictions:
    """One model's rows: trained on, not trained on, or all."""
    part = table.only(model)
    if len(part.models) > 1:
        raise InputError(f"several models ({', '.join(part.models[:4])}): give model=")
    if part.task != "classification":
        raise InputError("margins are for classes, not for numbers")
    if seen == "train":
        part = part.where(np.zeros(len(part), bool) if part.in_train is None else part.in_train > 0)
    elif seen == "test":
        part = part.only(role="test", in_train=0)
    elif seen != "all":
        raise InputError(f"seen={seen!r}: choose 'test', 'train' or 'all'")
    if not len(part):
        hint = "; run(..., in_sample=True) also predicts training rows" if seen == "train" else ""
        raise NotEnoughData(f"no row is left with seen={seen!r}{hint}")
    return part
