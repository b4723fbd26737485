"""The two-stage bootstrap interval of Noma and others."""

from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label
from heliast.estimates._record import Estimate
from heliast.estimates._scale import clipped
from heliast.estimates.resampled._apparent import Apparent, apparent
from heliast.estimates.resampled._case import Case, Refused, alone, resampled, without
from heliast.estimates.resampled._location_shifted import percentiles, spread, value_of
from heliast.estimates.resampled._losses import Losses, row_losses
from heliast.estimates.resampled._points import Point, chosen, no_information_by, point_of
from heliast.measures import Measure
from heliast.predictions import Predictions

Array = npt.NDArray[Any]
NO_SPREAD = "the corrected values of all resamples are the same, which tells nothing of the spread"


def two_stage(
    predictions: Predictions,
    measure: str | Measure = "error",
    level: float = 0.95,
    *,
    point: Point | None = None,
    class_: Label | None = None,
) -> Estimate:
    """Percentiles of the corrected value over resamples, each resampled again and refitted.

    Every resample is treated as if it were the data: e_b is the loss of its model on its own rows
    (as often as drawn), E1_b the left-out loss of the inner resamples drawn from it (a row counts
    as often as the resample drew it), g_b the loss without information, and v_b the value that
    `point` makes of them (left_out, bootstrap_632 or bootstrap_632_plus, the default for
    classes). The interval runs between percentiles of the v_b; the value is that of the data.
    Other than `location_shifted` this holds for models that learn their rows by heart.

    A row is left out only if no copy of it is trained on; the authors' program tests copies whose
    twins were trained on, which flatters a model that learns by heart. Resamples repeat rows, so
    their models have learnt from fewer different ones and v_b lies a little above v.

    Needs resamples of resamples with training rows predicted too,
    `run(..., Bootstrap(200, inner=50), in_sample=True)`: times * (inner + 1) fits. Row losses;
    groups if they were drawn whole.

    >>> from heliast import Bootstrap, run
    >>> from heliast.data import simulate
    >>> from sklearn.naive_bayes import GaussianNB
    >>> data = simulate.two_gaussians(0.2).sample(60, seed=1)
    >>> table = run(GaussianNB(), data, Bootstrap(40, inner=5), seed=1, in_sample=True)
    >>> found = two_stage(table)
    >>> found.low < found.value < found.high, found.method
    (True, '.632+ bootstrap, two-stage, 40 resamples')

    Reference: H. Noma, T. Shinozaki, K. Iba, S. Teramukai and T. A. Furukawa (2021), Confidence
    intervals of prediction accuracy measures for multivariable prediction models based on the
    bootstrap-based optimism correction methods, Statistics in Medicine 40, algorithm 2.
    """
    return alone("two_stage", predictions, measure, level, class_, point=point)


@resampled("two_stage")
def of_case(case: Case) -> Estimate:
    _, _, one = value_of("two_stage", case)
    losses = row_losses(case, "two_stage")
    found = corrected_values(case, losses)
    low, high = percentiles("two_stage", found, case.level)
    if not high - low > 1e-12:
        return without(one, NO_SPREAD)
    return spread(case, one, clipped(low, high, case.measure.bounds), found, "two-stage")


def corrected_values(case: Case, losses: Losses) -> Array:
    """The corrected value of every resample, as if it were the data."""
    own = apparent("two_stage", case, losses)
    e, out = own.values, _left_out(case, own, losses)
    name = chosen(case.point, case.table.task)
    none = np.full(e.size, np.nan)
    if name == "bootstrap_632_plus":
        none = no_information_by(own.code, own.rows, own.weight, losses)
    each = zip(e.tolist(), out.tolist(), none.tolist(), strict=True)
    return np.array([point_of(case, name, *three) for three in each])


def _left_out(case: Case, own: Apparent, losses: Losses) -> Array:
    """E1 of each resample: each of its rows' mean loss over inner resamples that left it out."""
    inner = case.inner.whole
    outer = np.array([-1 if one.outer is None else one.outer for one in case.inner.splits])
    repeats = own.repeats
    if not outer.size or set(outer.tolist()) != set(repeats.tolist()):
        raise Refused(
            "two_stage needs resamples of every resample, in splits of role inner: "
            "run(..., Bootstrap(200, inner=50), in_sample=True)"
        )
    if case.inner.missing:
        raise Refused(f"incomplete: the model failed in {case.inner.missing} inner splits")
    place = np.full(int(repeats.max()) + 1, -1)
    place[repeats] = np.arange(repeats.size)
    which = place[outer][_codes(inner)]
    rows, both = np.unique(np.concatenate([own.row, np.asarray(inner.row)]), return_inverse=True)
    mine = own.code * rows.size + both[: own.row.size]
    key = which * rows.size + both[own.row.size :]
    pairs, back = np.unique(key, return_inverse=True)
    mean = np.bincount(back, weights=losses(inner.rows())) / np.bincount(back)
    order = np.argsort(mine)
    at = order[np.minimum(np.searchsorted(mine[order], pairs), mine.size - 1)]
    if (mine[at] != pairs).any():
        raise Refused("two_stage: an inner resample predicts rows that its resample did not draw")
    resample, weight = pairs // rows.size, own.weight[at]
    size = np.bincount(resample, weights=weight, minlength=repeats.size)
    found: Array = np.bincount(resample, weights=weight * mean, minlength=repeats.size) / size
    return found


def _codes(table: Predictions) -> Array:
    code = table.split_code
    return np.zeros(len(table), np.int64) if code is None else np.asarray(code, np.int64)
