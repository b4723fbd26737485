"""Measures of predicted classes: rates, F, agreement beyond chance, distances, costs."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from heliast._core.costs import cost_matrix
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast.measures.forms import (
    ALL,
    FIXED,
    NO_STRATUM,
    Blend,
    Cells,
    Curved,
    Derivative,
    Form,
    Mean,
    Rate,
    Smooth,
    Undefined,
    cells_of_class,
)
from heliast.measures.registry import get, measure
from heliast.measures.summaries import Contingency, Counted, Moments
from heliast.measures.summaries.contingency import Margins
from heliast.measures.summaries.losses import positive_code
from heliast.predictions import Rows

NO_ROW = "there is no row of class {class_}"
NO_OTHER = "there is no row outside class {class_}"
NEVER = "class {class_} is never predicted"
ALWAYS = "class {class_} is always predicted"
BOTH = "y_true and y_pred are all of one class, so chance agrees always"
EITHER = "y_true or y_pred is all of one class"
SCALE = ((0.0, "poor"), (0.2, "slight"), (0.4, "fair"), (0.6, "moderate"), (0.8, "substantial"))
MANY_COSTS = 12


# --- rates ---------------------------------------------------------------------------------------


@measure("error", better="low", panel=True, percent=True)
def error(counted: Counted) -> Form:
    """Share of rows whose predicted class is wrong.

    >>> from heliast import Predictions, measures
    >>> measures.get("error").of(Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    0.25
    """
    return Rate.of(counted.contingency, Cells(hit=-1.0, all=1.0), ALL, "no rows")


@measure("accuracy", better="high", panel=True, percent=True)
def accuracy(counted: Counted) -> Form:
    """Share of rows whose predicted class is right: 1 - error."""
    return Rate.of(counted.contingency, Cells(hit=1.0), ALL, "no rows")


def rate_of_class(counted: Counted, code: int, hits: str, base: str, reason: str) -> Form:
    """One cell of the class's two-by-two table, out of one of its margins."""
    cells, table = cells_of_class(code), counted.contingency
    within_class = base == "actual" or (base == "other" and table.k == 2)
    return Rate.of(table, cells[hits], cells[base], reason, within_class)


@measure("precision", better="high", classwise=True, panel=True)
def precision(counted: Counted, code: int) -> Form:
    """Share of the rows predicted as a class that are of it: TP / (TP + FP).

    Undefined when the class is never predicted.

    >>> from heliast import Predictions, measures
    >>> measures.get("precision").of(Predictions.of([1, 0, 1], [1, 1, 0]))
    0.5
    """
    return rate_of_class(counted, code, "TP", "decided", NEVER)


@measure("recall", better="high", classwise=True, panel=True)
def recall(counted: Counted, code: int) -> Form:
    """Share of a class's rows that are predicted so (sensitivity, coverage): TP / (TP + FN).

    Undefined when the class has no rows.
    """
    return rate_of_class(counted, code, "TP", "actual", NO_ROW)


@measure("specificity", better="high", classwise=True, panel=True)
def specificity(counted: Counted, code: int) -> Form:
    """Share of the other classes' rows that are not predicted as this class: TN / (TN + FP)."""
    return rate_of_class(counted, code, "TN", "other", NO_OTHER)


@measure("fpr", better="low", classwise=True)
def fpr(counted: Counted, code: int) -> Form:
    """False positive rate: FP / (FP + TN) = 1 - specificity."""
    return rate_of_class(counted, code, "FP", "other", NO_OTHER)


@measure("fnr", better="low", classwise=True)
def fnr(counted: Counted, code: int) -> Form:
    """False negative rate: FN / (TP + FN) = 1 - recall."""
    return rate_of_class(counted, code, "FN", "actual", NO_ROW)


@measure("npv", better="high", classwise=True)
def npv(counted: Counted, code: int) -> Form:
    """Negative predictive value, the precision of 'not this class': TN / (TN + FN)."""
    return rate_of_class(counted, code, "TN", "undecided", ALWAYS)


@measure("balanced_accuracy", better="high", panel=True, percent=True)
def balanced_accuracy(counted: Counted) -> Form:
    """Mean over classes of the recall: the accuracy if all classes were equally frequent.

    Undefined when a class has no rows.
    """
    return get("recall.macro").form(counted)


@measure("informedness", better="high", bounds=(-1.0, 1.0), classwise=True)
def informedness(counted: Counted, code: int) -> Form:
    """Youden's J: recall + specificity - 1, the height of the ROC point above the diagonal."""
    parts = recall(counted, code), specificity(counted, code)
    rates = [part for part in parts if isinstance(part, (Rate, Blend))]
    if len(rates) < 2:
        return next(part for part in parts if isinstance(part, Undefined))
    return Blend.of((1.0, 1.0), rates, constant=-1.0)


@measure("f1", better="high", classwise=True, panel=True)
def f1(counted: Counted, code: int) -> Form:
    """Harmonic mean of precision and recall: 2 TP / (2 TP + FP + FN).

    F = 2Q / (1 + Q) with Q = TP / (TP + FP + FN), which is binomial given its denominator, so F
    has the exactness of a rate. Undefined when the class neither occurs nor is predicted.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("f1").of(Predictions.of([1, 0, 1], [1, 1, 0])), 3)
    0.5
    """
    reason = "class {class_} neither occurs nor is predicted"
    rate = rate_of_class(counted, code, "TP", "either", reason)
    return Curved(rate, lambda q: 2 * q / (1 + q)) if isinstance(rate, Rate) else rate


@measure("fbeta", better="high", classwise=True, required=("beta",))
def fbeta(counted: Counted, code: int, beta: float) -> Form:
    """Mean of precision and recall, recall weighed: (1 + b²) TP / ((1 + b²) TP + b² FN + FP).

    With beta = 1 it is `f1`. Undefined when the class neither occurs nor is predicted.

    >>> from heliast import Predictions, measures
    >>> round(measures.get("fbeta", beta=2).of(Predictions.of([1, 0, 1, 1], [1, 1, 0, 0])), 3)
    0.357
    """
    if not 0 < beta < np.inf:
        raise InputError(f"fbeta: beta={beta} must be a number greater than 0")
    plain = f1(counted, code)
    if beta == 1.0 or not isinstance(plain, Curved):
        return plain
    top, bottom = Cells(code, hit=1 + beta**2), Cells(code, row=beta**2, column=1.0)

    def derive(table: Contingency, value: float) -> Derivative:
        size = float(bottom.total(table.margins)) / table.n
        return lambda *cells: (top.at(*cells) - value * bottom.at(*cells)) / size

    rule = lambda margins: top.total(margins) / bottom.total(margins)  # noqa: E731
    return Smooth(counted.contingency, rule, derive)


# --- agreement beyond chance ---------------------------------------------------------------------


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
    return next((word for top, word in SCALE if value <= top), "almost perfect")


def agreement(
    counted: Counted,
    rule: Callable[[Margins], Array],
    derive: Callable[[Contingency, float], Derivative],
    one_sided: bool = False,
) -> Form:
    """The form of a measure of agreement; undefined where y_true and y_pred (one_sided: or one of
    them) are all of one class.
    """
    table = counted.contingency
    if table.by_class and table.prevalence is None:
        return Undefined(FIXED)
    if table.lacking:
        return Undefined(NO_STRATUM)
    # A constant margin gives 0/0, or rounding noise over rounding noise: both mean undefined.
    constant = [np.count_nonzero(margin) == 1 for margin in (table.actual, table.decided)]
    reason = EITHER if one_sided else BOTH
    if any(constant) if one_sided else all(constant) and table.hits.any():
        return Undefined(reason)
    form = Smooth(table, rule, derive, agreement=True)
    return form if np.isfinite(form.value) else Undefined(reason)


@measure("kappa", better="high", bounds=(-1.0, 1.0), panel=True)
def kappa(counted: Counted) -> Form:
    """Agreement beyond chance: (observed - expected) / (1 - expected), Cohen 1960.

    Expected is the agreement of a random classifier with the same margins. Undefined when that is
    1, that is when y_true and y_pred are all of one and the same class.
    """
    return agreement(counted, _kappa, _kappa_derivative)


def _kappa(margins: Margins) -> Array:
    observed = margins.hits.sum(axis=-1) / margins.total
    expected = (margins.actual * margins.decided).sum(axis=-1) / margins.total**2
    value: Array = (observed - expected) / (1 - expected)
    return value


def _kappa_derivative(table: Contingency, value: float) -> Derivative:
    actual, decided = table.margins.actual / table.n, table.margins.decided / table.n
    rest = 1 - float(actual @ decided)
    return lambda i, j: ((i == j) - (1 - value) * (decided[i] + actual[j])) / rest


@measure("mcc", better="high", bounds=(-1.0, 1.0), panel=True)
def mcc(counted: Counted) -> Form:
    """Matthews correlation between y_true and y_pred; for k classes Gorodkin's R_k (2004).

    Undefined when y_true or y_pred is all of one class.
    """
    return agreement(counted, _mcc, _mcc_derivative, one_sided=True)


def _mcc(margins: Margins) -> Array:
    hits, actual, decided, total = margins[:4]
    chance = (actual * decided).sum(axis=-1)
    spreads = [total**2 - (margin**2).sum(axis=-1) for margin in (actual, decided)]
    value: Array = (total * hits.sum(axis=-1) - chance) / np.sqrt(spreads[0] * spreads[1])
    return value


def _mcc_derivative(table: Contingency, value: float) -> Derivative:
    actual, decided = table.margins.actual / table.n, table.margins.decided / table.n
    spread = 1 - float(actual @ actual), 1 - float(decided @ decided)
    root = np.sqrt(spread[0] * spread[1])
    row = value * actual / spread[0] - decided / root
    column = value * decided / spread[1] - actual / root
    return lambda i, j: (i == j) / root + row[i] + column[j]


# --- classes in an order -------------------------------------------------------------------------


def _steps(k: int) -> Array:
    """How many places apart any two of k classes are."""
    return np.abs(np.subtract.outer(np.arange(k), np.arange(k))).astype(np.float64)


@measure("kappa_linear", better="high", bounds=(-1.0, 1.0), ordinal=True, panel=True)
def kappa_linear(counted: Counted) -> Form:
    """Agreement beyond chance where a miss counts by its distance in the order, Cohen 1968.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([1, 1, 2, 3], [1, 2, 2, 2], order=[1, 2, 3])
    >>> round(measures.get("kappa_linear").of(table), 4)
    0.3333
    """
    return _weighted_kappa(counted, 1)


@measure("kappa_quadratic", better="high", bounds=(-1.0, 1.0), ordinal=True, panel=True)
def kappa_quadratic(counted: Counted) -> Form:
    """Agreement beyond chance where a miss counts by its squared distance, Cohen 1968."""
    return _weighted_kappa(counted, 2)


def _weighted_kappa(counted: Counted, power: int) -> Form:
    """1 - distance observed / distance by chance, that of a classifier with the same margins.

    The derivative is that of Fleiss, Cohen and Everitt (1969), Psychological Bulletin 72, 323-327.
    """
    far = _steps(len(counted.classes)) ** power

    def rule(margins: Margins) -> Array:
        observed = (margins.cells() * far).sum(axis=(-2, -1))
        chance = (margins.actual * (margins.decided @ far)).sum(axis=-1)
        value: Array = 1 - margins.total * observed / chance
        return value

    def derive(table: Contingency, value: float) -> Derivative:
        actual, decided = table.margins.actual / table.n, table.margins.decided / table.n
        row, column = far @ decided, far @ actual
        chance = float(actual @ row)
        return lambda i, j: ((1 - value) * (row[i] + column[j]) - far[i, j]) / chance

    return agreement(counted, rule, derive)


@measure(
    "class_mae", better="low", bounds=(0.0, np.inf), ordinal=True, panel=True,
    within=lambda classes: (0.0, len(classes) - 1.0),
)  # fmt: skip
def class_mae(counted: Counted) -> Form:
    """Mean absolute class error: how many places in the order y_pred is from y_true.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of(["low", "high"], ["low", "low"], order=["low", "mid", "high"])
    >>> measures.get("class_mae").of(table)
    1.0
    """
    return mean_cost(counted, _steps(len(counted.classes)))


# --- costs ---------------------------------------------------------------------------------------


def _unlike(cost: object, classes: Sequence[Label]) -> Array:
    """The cost matrix, if decisions differ in what they cost."""
    matrix = cost_matrix(cost, classes)
    if not np.ptp(matrix):
        raise InputError(f"cost: every decision costs {matrix[0, 0]:g}: there is nothing to choose")
    return matrix


def _between_costs(classes: Sequence[Label], cost: object) -> tuple[float, float]:
    matrix = _unlike(cost, classes)
    return float(matrix.min()), float(matrix.max())


@measure(
    "expected_cost", better="low", bounds=(-np.inf, np.inf), within=_between_costs, panel=True,
    required=("cost",),
)  # fmt: skip
def expected_cost(counted: Counted, cost: object = None) -> Form:
    """Mean cost of a decision under a cost matrix, rows = true class, columns = predicted class.

    >>> from heliast import Predictions, measures
    >>> table = Predictions.of([0, 1, 1], [1, 1, 0])
    >>> round(measures.get("expected_cost", cost=[[0, 1], [5, 0]]).of(table), 3)
    2.0
    """
    return mean_cost(counted, _unlike(cost, counted.classes))


def mean_cost(counted: Counted, matrix: Array) -> Form:
    """The mean of what each row costs, rows = true class, columns = predicted class."""
    table = counted.contingency

    def losses(rows: Rows) -> Array:
        cost: Array = matrix[rows.y_true, rows.y_pred]
        return cost

    return mean_of_cells(counted, table, matrix, losses)


def mean_of_cells(
    counted: Counted, table: Contingency, value: Array, losses: Callable[[Rows], Array]
) -> Form:
    """The mean of a row loss that depends on the cell of a table only, also as a mix of rates."""
    moments = Moments.of(value[table.rows, table.columns], table.count)
    if table.squares is not None:
        squares = float(table.squares.sum())
        moments = replace(moments, weight_squares=squares, sampling=True)
    form = Mean.of(counted, losses, moments)
    return replace(form, blend=_mix_of_rates(table, value)) if isinstance(form, Mean) else form


def _mix_of_rates(table: Contingency, cost: Array) -> Blend | None:
    """The mean cost as a mix of rates: how often each cost is paid, but for the usual one.

    With class counts fixed by design: how often in each class. None for a row that costs many
    different amounts, as the limits of that many rates would add up to too much.
    """
    k = table.k
    shares: dict[int | None, float] = {None: 1.0}
    if table.prevalence is not None:
        shares = dict(enumerate(table.prevalence.tolist()))
    weights: list[float] = []
    rates: list[Rate] = []
    constant = 0.0
    for code, share in shares.items():
        among = np.zeros((k, k), bool)
        among[slice(None) if code is None else code] = True
        paid, place = np.unique(cost[among], return_inverse=True)
        usual = paid[np.argmax(np.bincount(place, weights=table.counts[among]))]
        constant += share * usual
        if share == 0 or len(rates) + paid.size - 1 > MANY_COSTS:
            continue
        base = ALL if code is None else cells_of_class(code)["actual"]
        for amount in paid[paid != usual]:
            hits = Cells(flags=among & (cost == amount))
            rate = Rate.of(table, hits, base, "no rows", within_class=code is not None)
            if isinstance(rate, Rate):
                weights.append(share * float(amount - usual))
                rates.append(rate)
    if np.unique(cost).size > MANY_COSTS or len(rates) > MANY_COSTS:
        return None
    return Blend(table, tuple(weights), tuple(rates), constant)


def _price(threshold: object) -> float:
    """What a false positive costs, in true positives."""
    if not isinstance(threshold, (int, float)) or not 0 < threshold < 1:
        raise InputError(f"net_benefit: threshold={threshold} must lie between 0 and 1")
    return threshold / (1 - threshold)


@measure(
    "net_benefit", better="high", bounds=(-np.inf, 1.0), needs="probability", two_classes=True,
    within=lambda classes, threshold: (-_price(threshold), 1.0), mixture="beyond",
    required=("threshold",),
)  # fmt: skip
def net_benefit(counted: Counted, threshold: float | None = None) -> Form:
    """True positives less false positives at the exchange rate the threshold implies, per row.

    NB = TP/n - FP/n * t/(1-t) with positive where p >= t (Vickers and Elkin 2006).
    """
    code, gain = positive_code(counted.rows), np.zeros((2, 2))
    gain[code, code], gain[1 - code, code] = 1.0, -_price(threshold)

    def decide(rows: Rows) -> Array:
        return np.where(rows.score_of(code) >= threshold, code, 1 - code)

    return mean_of_decisions(counted, gain, decide)


@measure("top_k_accuracy", better="high", needs="score", percent=True, more_classes=True)
def top_k_accuracy(counted: Counted, k: int = 2) -> Form:
    """Share of rows whose true class is among the k classes with the highest scores.

    Of equal scores the class that comes first counts as higher, so that k = 1 is the accuracy of
    the class with the highest score.

    >>> from heliast import Predictions, measures
    >>> scores = [[0.5, 0.3, 0.2], [0.4, 0.3, 0.3], [0.5, 0.4, 0.1]]
    >>> table = Predictions.of([0, 1, 2], y_score=scores)
    >>> round(measures.get("top_k_accuracy").of(table), 4)
    0.6667
    """
    classes = len(counted.classes)
    if k != int(k) or k < 1:
        raise InputError(f"top_k_accuracy: k={k} must be a whole number, at least 1")

    if k >= classes:
        return Undefined(f"the true class is always among the first {k} of {classes}")

    def decide(rows: Rows) -> Array:
        """The true class where it is among the first k, else another."""
        scores = np.column_stack([rows.score_of(code) for code in range(classes)])
        own = scores[np.arange(rows.n), rows.y_true][:, None]
        before = (scores == own) & (np.arange(classes) < rows.y_true[:, None])
        rank = ((scores > own) | before).sum(axis=1)
        return np.where(rank < k, rows.y_true, (rows.y_true + 1) % classes)

    return mean_of_decisions(counted, np.eye(classes), decide)


def mean_of_decisions(counted: Counted, gain: Array, decide: Callable[[Rows], Array]) -> Form:
    """The mean gain of classes that are decided from scores, instead of those predicted."""
    rows = replace(counted.rows, y_pred=decide(counted.rows).astype(np.intp))
    table = Contingency.of(rows, counted.prevalences)
    return mean_of_cells(counted, table, gain, lambda rows: gain[rows.y_true, decide(rows)])
