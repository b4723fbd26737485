"""Votes as shares of each class at each row, from whatever holds them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.labels import Label, classes_of, column, encode
from heliast.predictions import Predictions

ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class VoteShares:
    """The weighted share of the votes that each class got at each row, and the true class."""

    shares: Array
    truth: Array
    row: Array | None
    weight: Array | None
    classes: tuple[Label, ...]
    model: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Members:
    """What each member of a vote says of each row: class codes (members x rows), and weights."""

    label: Array
    weight: Array
    truth: Array
    classes: tuple[Label, ...]

    def shares(self) -> Array:
        """(rows, classes): weighted shares of the votes."""
        members, n = self.label.shape
        votes = np.zeros((n, len(self.classes)))
        everyone = np.arange(n)
        for b in range(members):
            votes[everyone, self.label[b]] += self.weight[b]
        return np.asarray(votes / self.weight.sum())


def vote_shares(
    source: Any, members: Any, weights: Any, votes: Any, classes: Any, model: str | None, seen: Any
) -> VoteShares:
    """Shares from a table (scores that are votes, or member models), or from arrays."""
    if isinstance(source, Predictions):
        if members is None:
            return _of_scores(source, model, seen)
        return _of_models(source, members, weights, seen)
    if votes is not None:
        return _of_votes(source, votes, classes)
    if members is None:
        raise InputError("margins: give members= (a label a member and row) or votes= with truth")
    found = member_labels(source, members, weights, classes)
    return VoteShares(found.shares(), found.truth, None, None, found.classes, "")


def member_labels(truth: Any, members: Any, weights: Any, classes: Any) -> Members:
    """Labels of members (rows x members) as codes, with the weight of each."""
    array = np.asarray(members)
    true = column(truth, "truth")
    if array.ndim != 2 or array.shape[0] != len(true):
        raise InputError(
            f"members has shape {array.shape}; give one row a row of truth ({len(true)}) and one "
            "column a member"
        )
    said = column(array.ravel().tolist() if array.dtype == object else array.ravel(), "members")
    known = classes_of([true, said]) if classes is None else tuple(classes)
    label = encode(said, known).reshape(array.shape).T
    weight = member_weights(weights, array.shape[1])
    return Members(np.ascontiguousarray(label), weight, encode(true, known), known)


def member_weights(weights: Any, members: int) -> Array:
    """One weight a member, 1 by default; none negative, not all 0."""
    if weights is None:
        return np.ones(members)
    found = np.asarray(weights, np.float64)
    if found.shape != (members,):
        raise InputError(f"weights has shape {found.shape}; give one a member, {members} in all")
    if not (np.isfinite(found).all() and (found >= 0).all() and found.sum() > 0):
        raise InputError("weights must be finite, not negative and not all 0")
    return found


def _of_scores(table: Predictions, model: str | None, seen: Any) -> VoteShares:
    part = _part(table, model, seen)
    name = part.models[0]
    kind = part.score_kind_of(name)
    if kind not in ("votes", "probability") or part.scores is None:
        raise InputError(
            f"model {name!r} has {kind or 'no'} scores, but margins need votes; declare them with "
            "scores='votes', or name member models with members="
        )
    scores = np.asarray(part.scores, np.float64)
    if scores.ndim == 1:
        scores = np.stack([part.rows().score_of(code) for code in (0, 1)], axis=1)
    total = scores.sum(axis=1, keepdims=True)
    if not (scores >= -ROUNDING).all() or not (total > 0).all():
        raise InputError(f"model {name!r}: votes must not be negative, and some cast at every row")
    notes = ("probabilities are read as shares of the votes",) if kind == "probability" else ()
    truth = part.truth.astype(np.int64)
    return VoteShares(scores / total, truth, part.row, part.weight, part.classes, name, notes)


def _of_models(table: Predictions, members: Sequence[str], weights: Any, seen: Any) -> VoteShares:
    names = [str(name) for name in members]
    if len(names) < 1:
        raise InputError("members: name at least one model")
    weight = member_weights(weights, len(names))
    votes: Array | None = None
    first: Predictions | None = None
    for name, w in zip(names, weight, strict=True):
        part = _ordered(_part(table, name, seen))
        if first is None:
            first, votes = part, np.zeros((len(part), len(part.classes)))
        same = len(part) == len(first) and (part.truth == first.truth).all()
        if not same or not _same_rows(part, first):
            raise InputError(f"members: {name!r} and {names[0]!r} do not predict the same rows")
        assert votes is not None
        votes[np.arange(len(part)), part.label] += w
    assert first is not None
    assert votes is not None
    truth = first.truth.astype(np.int64)
    return VoteShares(
        votes / weight.sum(), truth, first.row, first.weight, first.classes, f"{len(names)} members"
    )


def _part(table: Predictions, model: str | None, seen: Any) -> Predictions:
    part = table.only(model)
    if len(part.models) > 1:
        raise InputError(f"several models ({', '.join(part.models[:4])}): give model=")
    if part.task != "classes":
        raise InputError("margins are for classes, not for numbers")
    if seen == "train":
        part = part.where(np.zeros(len(part), bool) if part.seen is None else part.seen > 0)
    elif seen == "test":
        part = part.only(role="test", seen=0)
    elif seen != "all":
        raise InputError(f"seen={seen!r}: choose 'test', 'train' or 'all'")
    if not len(part):
        raise NotEnoughData(
            f"no row is left with seen={seen!r}"
            + ("; run(..., in_sample=True) also predicts training rows" if seen == "train" else "")
        )
    return part


def _ordered(part: Predictions) -> Predictions:
    if part.row is None:
        return part
    split = np.zeros(len(part), np.int64) if part.split_code is None else part.split_code
    code = column(part.row, "row").coded()[1]
    return part._at(np.lexsort((code, split)))


def _same_rows(one: Predictions, other: Predictions) -> bool:
    if one.row is None or other.row is None:
        return one.row is other.row
    return bool((np.asarray(one.row) == np.asarray(other.row)).all())


def _of_votes(truth: Any, votes: Any, classes: Any) -> VoteShares:
    array = np.asarray(votes, np.float64)
    true = column(truth, "truth")
    if array.ndim != 2 or array.shape[0] != len(true):
        raise InputError(
            f"votes has shape {array.shape}; give one row a row of truth ({len(true)}) and one "
            "column a class"
        )
    known = tuple(classes) if classes is not None else classes_of([true])
    if array.shape[1] != len(known):
        raise InputError(
            f"votes has {array.shape[1]} columns but there are {len(known)} classes "
            f"({', '.join(map(repr, known[:5]))}); give classes= in the order of the columns"
        )
    total = array.sum(axis=1, keepdims=True)
    if not np.isfinite(array).all() or (array < 0).any() or not (total > 0).all():
        raise InputError("votes must be finite, not negative, and some cast at every row")
    return VoteShares(array / total, encode(true, known).astype(np.int64), None, None, known, "")
