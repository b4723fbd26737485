"""From the answers of fitted columns to scores, for every decoder and every number of columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from heliast import decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.decoders.least_squares import linear, weights_of
from heliast.decoders.words import d_bar, mean_loss, signs
from heliast.ensembles._coded_needs import Needs

DECIMALS = 12
"""Scores that agree to so many decimals may be equal but for rounding."""


@dataclass(eq=False)
class Decoding:
    """What decoders need of one fitted code, beside the answers for the rows in question."""

    code: Array
    loss: str
    needs: Needs
    _weights: dict[tuple[str, int, float], Array] = field(default_factory=dict)

    def lam(self, decoder: str, columns: int, lam: float | None) -> float:
        """The penalty that is used: what was asked for, or what was chosen."""
        how = decoders.find(decoder)
        if how.needs != "lam":
            return inf if how.penalty is None else how.penalty
        return self.needs.lam(decoder, columns) if lam is None else lam

    def scores(self, said: "Said", decoder: str, columns: int, lam: float | None = None) -> Array:
        """(n, k): one score a class from the first so many columns."""
        found = self._raw(said, decoder, columns, lam)
        return self._settled(found, said, decoder, columns, lam)

    def _settled(
        self, scores: Array, said: "Said", decoder: str, columns: int, lam: float | None = None
    ) -> Array:
        """Scores on a grid of 1e-12; a tie there is broken by the answers as they were given.

        Equal words must tie although rounding errors differ, so scores are rounded. But where
        answers saturate, as those of naive Bayes do, 1e-20 and 1e-30 are no tie: the class that
        the unrounded answers favour gets one unit of the grid more.
        """
        found: Array = np.round(scores, DECIMALS)
        best = found.max(axis=1, keepdims=True)
        rows = np.flatnonzero((found == best).sum(axis=1) > 1)
        weights = self._favour(decoder, columns, lam) if rows.size else None
        if weights is not None:
            tied = found[rows] == best[rows]
            more = favoured(said.answers()[rows, :columns], tied, *weights)
            found[rows, more] += np.where(more == tied.argmax(axis=1), 0.0, 10.0**-DECIMALS)
        return found

    def _favour(self, decoder: str, columns: int, lam: float | None) -> tuple[Array, Array] | None:
        """(W, w): a linear decoder's order of classes is that of p W - w; None for the others.

        What a column adds to all classes alike is taken away, so that with the identity W has
        one entry a column and the order is that of p itself.
        """
        coding = decoders.find(decoder).coding
        if coding is None:
            return None
        weights = self._linear_weights(decoder, columns, lam)
        weights = np.round(weights - weights.min(axis=1, keepdims=True), DECIMALS)
        start = weights.sum(axis=0) / 2 * (coding == "signs")
        return weights.astype(np.longdouble), (start - start.min()).astype(np.longdouble)

    def _raw(self, said: "Said", decoder: str, columns: int, lam: float | None) -> Array:
        if decoder == "substitution":
            return decoders.substitution(said.leaves()[:, :columns], self.needs.shares()[:columns])
        p, code = said.answers()[:, :columns], self.code[:, :columns]
        if decoder == "hamming":
            return np.asarray((1 + d_bar((1 + np.sign(p - 0.5)) / 2, signs(code))) / 2)
        if decoder == "loss_based":
            return mean_loss(p, code, self.loss)
        if decoder == "centroid":
            return decoders.centroid(p, self.needs.centroids()[:, :columns])
        coding = decoders.find(decoder).coding
        assert coding is not None  # the decoders that are left are linear
        return linear(p, self._linear_weights(decoder, columns, lam), coding)

    def _linear_weights(self, decoder: str, columns: int, lam: float | None) -> Array:
        how, penalty = decoders.find(decoder), self.lam(decoder, columns, lam)
        key = (decoder, columns, penalty)
        if key not in self._weights:
            assert how.coding is not None
            self._weights[key] = weights_of(self.code[:, :columns], penalty, how.coding)
        return self._weights[key]

    def staged(self, said: "Said", decoder: str, stages: Sequence[int]) -> Iterator[Array]:
        """The scores after so many columns, for each of the rising stages: sums are carried on."""
        if decoder == "l1":
            sums = decoders.staged_l1(said.answers(), self.code, stages)
            for stage, found in zip(stages, sums, strict=True):
                yield self._settled(found, said, decoder, stage)
        elif decoder == "substitution":
            total, done = np.zeros(()), 0
            for stage in stages:
                part = decoders.substitution(
                    said.leaves()[:, done:stage], self.needs.shares()[done:stage]
                )
                total, done = total + part * (stage - done), stage
                yield self._settled(total / stage, said, decoder, stage)
        else:
            for stage in stages:
                yield self.scores(said, decoder, stage)


def favoured(p: Array, tied: Array, weights: Array, start: Array) -> Array:
    """Of the tied classes of each row the one with the largest p W - w, else the first one.

    Extended numbers are summed in one order, whatever rows come together. A sum of several answers
    is only known but for the rounding of its terms; a comparison of two answers is exact.
    """
    exact = np.where(tied, p.astype(np.longdouble) @ weights - start, -np.inf)
    first, best = tied.argmax(axis=1), exact.argmax(axis=1)
    apart = (weights[:, best] - weights[:, first]).T
    terms, shift = p * apart, start[best] - start[first]
    several = np.maximum((apart != 0).sum(axis=1) - 2, 0)
    rounding = np.finfo(np.float64).eps * several * (np.abs(terms).sum(axis=1) + np.abs(shift))
    return np.asarray(np.where(terms.sum(axis=1) - shift > rounding, best, first))


class Said:
    """What the columns say of some rows: answers and leaves, each asked for once."""

    def __init__(self, columns: Any, X: Any) -> None:
        self._columns, self._X = columns, X
        self._answers: Array | None = None
        self._leaves: Array | None = None

    def answers(self) -> Array:
        """(n, B), float64."""
        if self._answers is None:
            self._answers = np.asarray(self._columns.answers(self._X), np.float64)
        return self._answers

    def leaves(self) -> Array:
        """(n, B)."""
        if self._leaves is None:
            self._leaves = self._columns.leaves(self._X)
        return self._leaves


def check_upto(columns: Any, there: int) -> int:
    """How many columns to decode with: all if not said."""
    if columns is None:
        return there
    if isinstance(columns, bool) or columns != int(columns) or not 1 <= columns <= there:
        raise InputError(f"columns={columns!r}: the fit has {there} columns; ask for 1 to {there}")
    return int(columns)
