"""Agreement beyond chance: kappa and the Matthews correlation."""

import numpy as np

from heliast._core.derivative import CellFunction, MarginFunction
from heliast._core.kinds import Array
from heliast.measures._registry import measure
from heliast.measures.forms import FIXED, Form, Smooth, Undefined
from heliast.measures.summaries import Contingency, Counted

ONE_CLASS = "truth and label are all of one class, so chance agrees always"
_SCALE = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))


def kappa_word(value: float) -> str:
    """The word for a kappa: poor, slight, fair, moderate, substantial, almost perfect.

    Parameters
    ----------
    value : float
        A kappa, -1 to 1.

    Returns
    -------
    str
        The word; `undefined` for NaN.

    Examples
    --------
    >>> kappa_word(0.492)
    'moderate'

    References
    ----------
    Landis and Koch (1977), Biometrics 33, 159-174.
    """
    if np.isnan(value):
        return "undefined"
    return next((word for top, word in _SCALE if value <= top), "almost perfect")


@measure("kappa", better="high", bounds=(-1.0, 1.0), panel=True)
def kappa(counted: Counted) -> Form:
    """Agreement beyond chance: (observed - expected) / (1 - expected), Cohen 1960.

    Expected is the agreement of a random classifier with the same margins. Undefined when that is
    1, that is when truth and label are all of one and the same class.
    """
    return agreement(counted.contingency, _KAPPA, ONE_CLASS)


def _kappa_of(hits: Array, total: Array, chance: Array) -> Array:
    observed, expected = hits / total, chance / total**2
    value: Array = (observed - expected) / (1 - expected)
    return value


_KAPPA = MarginFunction(
    lambda hits, actual, decided, _: (hits, actual, actual * decided), _kappa_of
)


@measure("mcc", better="high", bounds=(-1.0, 1.0), panel=True)
def mcc(counted: Counted) -> Form:
    """Matthews correlation between truth and label; for k classes Gorodkin's R_k (2004).

    Undefined when truth or label is all of one class.
    """
    return agreement(counted.contingency, _MCC, "truth or label is all of one class")


def _mcc_of(hits: Array, total: Array, chance: Array, actual2: Array, decided2: Array) -> Array:
    spread = (total**2 - actual2) * (total**2 - decided2)
    value: Array = (total * hits - chance) / np.sqrt(spread)
    return value


_MCC = MarginFunction(
    lambda hits, actual, decided, _: (hits, actual, actual * decided, actual**2, decided**2),
    _mcc_of,
)


def agreement(table: Contingency, function: MarginFunction | CellFunction, reason: str) -> Form:
    """The form of a measure of agreement; `reason` says when it is undefined."""
    if table.by_class and table.prevalence is None:
        return Undefined(FIXED)
    if table.lacking or not table.n:
        return Undefined("a class of the given prevalences has no rows")
    form = Smooth(function, table, agreement=True)
    # A constant margin gives 0/0, or rounding noise over rounding noise: both mean undefined.
    one_actual, one_decided = (int((margin > 0).sum()) == 1 for margin in _margins(table))
    degenerate = (one_actual and one_decided) or (function is _MCC and (one_actual or one_decided))
    if degenerate and function is not _MCC and (table.hits.sum() == 0):
        degenerate = False  # two different constant classes: chance never agrees, kappa is 0
    return Undefined(reason) if degenerate or not np.isfinite(form.value) else form


def _margins(table: Contingency) -> tuple[Array, Array]:
    return table.actual, table.decided
