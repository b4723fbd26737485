"""From the answers of fitted columns to scores, for every decoder and every number of columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from heliast import decoders
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.decoders.least_squares import linear, regression_weights, ridge_weights
from heliast.decoders.words import d_bar, mean_loss, signs
from heliast.ensembles._coded_needs import Needs


@dataclass(eq=False)
class Decoding:
    """What decoders need of one fitted code, beside the answers for the rows in question."""

    code: Array
    loss: str
    needs: Needs
    _weights: dict[tuple[str, int, float], Array] = field(default_factory=dict)

    def lam(self, decoder: str, columns: int, lam: float | None) -> float:
        """The penalty that is used: what was asked for, or what was chosen."""
        if decoder != "ridge":
            return inf
        return self.needs.lam(columns) if lam is None else lam

    def scores(self, said: "Said", decoder: str, columns: int, lam: float | None = None) -> Array:
        """(n, k): one score a class from the first so many columns."""
        return settled(self._raw(said, decoder, columns, lam))

    def _raw(self, said: "Said", decoder: str, columns: int, lam: float | None) -> Array:
        if decoder == "substitution":
            return decoders.substitution(said.leaves()[:, :columns], self.needs.shares()[:columns])
        p, code = said.answers()[:, :columns], self.code[:, :columns]
        if decoder == "l1":
            return d_bar(p, signs(code))
        if decoder == "hamming":
            return np.asarray((1 + d_bar((1 + np.sign(p - 0.5)) / 2, signs(code))) / 2)
        if decoder == "loss_based":
            return mean_loss(p, code, self.loss)
        if decoder == "centroid":
            return decoders.centroid(p, self.needs.centroids()[:, :columns])
        return self._linear(p, decoder, columns, self.lam(decoder, columns, lam))

    def _linear(self, p: Array, decoder: str, columns: int, lam: float) -> Array:
        code = self.code[:, :columns]
        if decoder == "ridge" and lam == inf:
            return d_bar(p, signs(code))
        key = (decoder, columns, lam)
        if key not in self._weights:
            plain = decoder == "regression"
            self._weights[key] = (
                regression_weights(code) if plain else ridge_weights(signs(code), lam)
            )
        weights = self._weights[key]
        return p @ weights if decoder == "regression" else linear(p, weights)

    def staged(self, said: "Said", decoder: str, stages: Sequence[int]) -> Iterator[Array]:
        """The scores after so many columns, for each of the rising stages: sums are carried on."""
        if decoder == "l1":
            yield from map(settled, decoders.staged_l1(said.answers(), self.code, stages))
        elif decoder == "substitution":
            total, done = np.zeros(()), 0
            for stage in stages:
                part = decoders.substitution(
                    said.leaves()[:, done:stage], self.needs.shares()[done:stage]
                )
                total, done = total + part * (stage - done), stage
                yield settled(total / stage)
        else:
            for stage in stages:
                yield self.scores(said, decoder, stage)


def settled(scores: Array) -> Array:
    """Scores to 12 decimals, so that ties are ties: words may be equal, rounding errors differ."""
    return np.round(scores, 12)


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
