"""The cells of slices: whether all intervals of a table's slices hold together.

`assess` cells hold the share of tables in which every slice's interval covers, `compare` cells that
of every difference to the rest, and how often the test that slices are alike rejects where they
are. Family 1: normal scores and errors, all slices of one law. Family 2: scores of beta laws and
Laplace errors, another law in each slice. With groups, every sixth row shares what its group adds,
across slices.
"""

import time
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import nan
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from benchmarks.coverage.map._cell import Cell
from heliast import measures
from heliast.predictions import Predictions
from heliast.verbs.assess import assess_slices
from heliast.verbs.options import Options

Array = npt.NDArray[Any]
SIZES = {"even": (60, 60, 60, 60), "uneven": (30, 60, 150, 360)}
MEASURES = {
    "scores": ("error", "recall", "f1", "kappa", "auc", "brier"),
    "numbers": ("mae", "mse"),
}
MOST, LARGE, SHARE = 2000, 100_000, 0.4


@dataclass(frozen=True)
class Piece:
    """What is predicted, how large slices are, whether rows come in groups, and which family."""

    kind: str
    sizes: str
    grouped: bool
    family: int

    @property
    def name(self) -> str:
        groups = "groups" if self.grouped else "rows"
        return f"slices - {self.kind} - {self.sizes} - {groups} - {self.family}"

    @property
    def design(self) -> str:
        return "slices, groups" if self.grouped else "slices"


def pieces() -> list[Piece]:
    return [Piece(*one) for one in product(MEASURES, SIZES, (False, True), (1, 2))]


def table(piece: Piece, sizes: tuple[int, ...], rng: np.random.Generator) -> Predictions:
    """One model's rows; the column `slice` tells which law each is of."""
    n = sum(sizes)
    part = np.repeat(np.arange(len(sizes)), sizes)
    group = rng.permutation(n) // 6
    added = 0.5 * rng.standard_normal(n)[group] if piece.grouped else np.zeros(n)
    more: dict[str, Any] = {
        "columns": {"slice": [f"s{one}" for one in part]},
        "group": group if piece.grouped else None,
    }
    if piece.kind == "numbers":
        y = rng.normal(0, 2, n)
        scale = 1 + 0.3 * part * (piece.family == 2)
        noise = rng.standard_normal(n) if piece.family == 1 else rng.laplace(0, 0.7, n)
        return Predictions.of(y, y + scale * (noise + added), task="regression", **more)
    y = (rng.random(n) < SHARE).astype(int)
    if piece.family == 1:
        score = expit(1.5 * (1.5 * y + rng.standard_normal(n) + added - 0.75) - 0.4)
    else:
        edge = 0.4 * part
        drawn = np.where(y == 1, rng.beta(3 + edge, 2, n), rng.beta(2, 3 + edge, n))
        score = expit(np.log(drawn / (1 - drawn)) + added)
    return Predictions.of(y, y_score=score, classes=[0, 1], scores="probability", **more)


@cache
def truths(piece: Piece, seed: int) -> dict[str, tuple[Array, Array]]:
    """Of each measure: its value in each slice, and less that in all other rows."""
    sizes = np.array(SIZES[piece.sizes])
    rng = np.random.default_rng([seed, 17])
    many = table(piece, tuple((LARGE * sizes // sizes.sum()).tolist()), rng)
    part = many.columns["slice"].plain()
    found = {}
    for name in MEASURES[piece.kind]:
        one = measures.get(name)
        inside = [one.of(many.where(part == f"s{at}")) for at in range(sizes.size)]
        outside = [one.of(many.where(part != f"s{at}")) for at in range(sizes.size)]
        alike = piece.family == 1  # one law: exactly the same
        value = np.full(sizes.size, one.of(many)) if alike else np.array(inside)
        gap = np.zeros(sizes.size) if alike else np.array(inside) - np.array(outside)
        found[name] = value, gap
    return found


def cells(piece: Piece, seconds: float, sets: int, seed: int) -> list[Cell]:
    """Two cells a measure: of the intervals of slices, and of their differences to the rest."""
    root = crc32(piece.name.encode())
    names = MEASURES[piece.kind]
    made = []
    for name in names:
        seen, start, number = [], time.process_time(), 0
        while time.process_time() - start < seconds and number < MOST:
            rng = np.random.default_rng([seed, root, number])
            drawn = table(piece, SIZES[piece.sizes], rng)
            found = assess_slices(drawn, Options(measures=name, by="slice"))
            seen.append(_looked(found, truths(piece, seed)[name]))
            number += 1
        made += _cells(piece, name, np.array(seen))
    return made


def _looked(found: Any, truth: tuple[Array, Array]) -> list[float]:
    """Whether all cover, some lie below or above the truth, widths; the same of differences; p."""
    value, gap = truth
    looked: list[float] = []
    for ends, true in (
        ([(one.low, one.high) for one in found], value),
        ([(one.difference_low, one.difference_high) for one in found], gap),
    ):
        low, high = np.array(ends).T
        known = ~np.isnan(low)
        below, above = bool((high < true)[known].any()), bool((low > true)[known].any())
        width = float(np.nanmean(high - low)) if known.any() else nan
        looked += [float(known.all()), below, above, width]
    return [*looked, found.alike[0].p]


def _cells(piece: Piece, name: str, seen: Array) -> list[Cell]:
    made = []
    for verb, at in (("assess", 0), ("compare", 4)):
        known = seen[:, at] == 1
        missed = seen[known, at + 1 : at + 3]
        rejected = float((seen[:, 8] < 0.05).mean()) if piece.family == 1 else nan
        cell = Cell(
            verb,
            name,
            ("slices",),
            piece.design,
            "slices",
            piece.kind,
            piece.family,
            SHARE,
            "fixed rule",
            sum(SIZES[piece.sizes]),
            nan,
            seen.shape[0],
            float(1 - missed.any(axis=1).mean()) if known.any() else nan,
            float(missed[:, 0].mean()) if known.any() else nan,
            float(missed[:, 1].mean()) if known.any() else nan,
            float(np.nanmean(seen[:, at + 3])),
            float(1 - known.mean()),
            0.0,
            "",
            0.0,
            0.0,
            rejected if verb == "compare" else nan,
            1,
        )  # fmt: skip
        made.append(cell)
    return made
