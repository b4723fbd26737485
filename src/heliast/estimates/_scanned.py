"""The spread of a measure on a scanned table: sums of squared influences, without the rows."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._kernels.streaming import StreamSums
from heliast.measures.forms import Area, Mean, Statistic
from heliast.measures.summaries import Counted
from heliast.measures.summaries._streamed import StreamedRanking
from heliast.predictions import Rows
from heliast.predictions.scan import ScannedRows, refuse

Array = npt.NDArray[Any]
Squares = tuple[float, float]
"""The sums over rows of w psi^2 and w^2 psi^2, psi the influence of a row."""


def squares(form: Mean | Area | Statistic, rows: ScannedRows) -> Squares:
    """The squared influences of all rows, where a pass over chunks or sorted scores gives them."""
    if isinstance(form, Area):
        parts = area_squares(form, rows)
        return sum(part[0] for part in parts), sum(part[1] for part in parts)
    if isinstance(form, Statistic) and form.precision_of is not None:
        return _streamed(rows, form.precision_of).precision
    return rows.once(("squares", form.value, type(form)), lambda: _of_chunks(form, rows))


def area_squares(form: Area, rows: ScannedRows) -> tuple[Squares, Squares]:
    """Of the class and of the rest: (V - AUC)^2, over the squared share of their rows."""
    found = _streamed(rows, form.code)
    sums = found.merge
    total = sums.positive + sums.negative
    own, rest = (total / sums.positive) ** 2, (total / sums.negative) ** 2
    return (
        (own * sums.spread_positive, own * found.place2[0]),
        (rest * sums.spread_negative, rest * found.place2[1]),
    )


def _streamed(rows: ScannedRows, code: int) -> StreamSums:
    ranking = Counted(rows).ranking(code)
    assert isinstance(ranking, StreamedRanking)
    return ranking.streamed


def _of_chunks(form: Mean | Statistic, rows: ScannedRows) -> Squares:
    if rows.design == "classes" or (isinstance(form, Mean) and form.shares is not None):
        refuse()
    if isinstance(form, Statistic) and (form.mix or rows.task != "number"):
        refuse()  # such influences need the order of all rows
    plain = heavy = 0.0
    for chunk in rows.chunks():
        psi = _influence(form, chunk, rows)
        weight = np.ones(chunk.n) if chunk.weight is None else chunk.weight
        plain += float((weight * psi**2).sum())
        heavy += float((weight**2 * psi**2).sum())
    return plain, heavy


def _influence(form: Mean | Statistic, chunk: Rows, rows: ScannedRows) -> Array:
    if isinstance(form, Mean):
        if form.losses is None:
            refuse()
        centred: Array = form.losses(chunk) - form.value
        return centred
    if form.influence is None:
        refuse()
    chunk.memo["whole"] = Counted(rows).residuals  # what the influence is measured against
    return form.influence(chunk)
