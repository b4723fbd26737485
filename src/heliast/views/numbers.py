"""How values are written for people: one place for percent, points, intervals, p values, names."""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.numbers import Figures, number, points, shorten, written
from heliast._core.numbers import Write as Write
from heliast._core.numbers import count as count
from heliast._core.numbers import percent as _percent

Unit = Literal["number", "percent", "points", "signed"]
"""How a value is written: plain, in percent, as a difference of percents, as a difference."""
ROUNDING = 1e-12  # a value nearer to 0 than this is 0 but for rounding
NAMES = {
    "error": "error rate", "auc": "ROC AUC", "f1": "F1", "fbeta": "F", "brier": "Brier score",
    "mcc": "MCC", "kappa": "Cohen's kappa", "kappa_linear": "linear-weighted kappa",
    "kappa_quadratic": "quadratic-weighted kappa", "fpr": "false positive rate",
    "fnr": "false negative rate", "npv": "negative predictive value", "rmse": "RMSE",
    "mae": "mean absolute error", "mse": "mean squared error", "mape": "MAPE",
    "median_ae": "median absolute error", "rae": "relative absolute error",
    "rse": "relative squared error", "rrse": "root relative squared error", "r2": "R²",
    "class_mae": "mean absolute class error", "partial_auc": "partial ROC AUC",
    "hand_till": "multiclass AUC (Hand and Till)", "ece": "expected calibration error",
    "grade": "mean grade", "informedness": "Youden's J",
}  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A value with its confidence limits, as one cell of a table.

    Parameters
    ----------
    value, low, high : float
        The value and its limits; NaN where there is none.
    unit : {'number', 'percent', 'points', 'signed'}
        How the three are written.
    reason : str
        Why there is no value or no interval: a footnote.
    mark : {'', 'best', 'unbeaten'}
        In printed tables: bold, or a dagger (not significantly different from the best).
    se : float
        The standard error.
    word : str
        What follows the value, such as 'substantial' after a kappa.

    Examples
    --------
    >>> Measured(0.063, 0.036, 0.107, "percent").figures.inside
    '6.3% [3.6%, 10.7%]'
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    unit: Unit = "number"
    reason: str = ""
    mark: str = ""
    se: float = math.nan
    word: str = ""

    @classmethod
    def of(cls, estimate: Any, mark: str = "", word: str = "") -> "Measured":
        """An estimate, or any record with measure, value, low and high."""
        return cls(
            estimate.value, estimate.low, estimate.high, unit_of_measure(estimate.measure),
            estimate.reason, mark, getattr(estimate, "se", math.nan), word,
        )  # fmt: skip

    @classmethod
    def difference(cls, difference: Any, mark: str = "") -> "Measured":
        """A difference of two models: percentage points where the measure is in percent."""
        unit = unit_of_difference(difference.measure)
        ends = difference.value, difference.low, difference.high
        return cls(*ends, unit, getattr(difference, "reason", ""), mark)

    @property
    def figures(self) -> Figures:
        """The three numbers as text, with digits enough to tell the limits from the value."""
        if math.isnan(self.value):
            return Figures("-")
        value, low, high = map(_exact, (self.value, self.low, self.high))
        return written(value, low, high, WRITERS[self.unit])


def _exact(value: float) -> float:
    return 0.0 if abs(value) < ROUNDING else value


def _signed(value: float, more: int = 0) -> str:
    return number(value, more) if value <= 0 else f"+{number(value, more)}"


def _points(value: float, more: int = 0) -> str:
    text = points(value, more)
    return f"+{text}" if value > 0 and any(digit in text for digit in "123456789") else text


WRITERS: dict[str, Write] = {
    "number": number, "percent": _percent, "points": _points, "signed": _signed,
}  # fmt: skip


# --- values in sentences -------------------------------------------------------------------------


def percent(value: float) -> str:
    """A share in percent.

    >>> percent(0.0667), percent(-1e-18)
    ('6.7%', '0.0%')
    """
    return "undefined" if math.isnan(value) else _percent(_exact(value))


def value_text(value: float, measure: str) -> str:
    """A value of a measure, in percent where people read it so.

    >>> value_text(0.063, "error"), value_text(0.984, "auc")
    ('6.3%', '0.984')
    """
    return Measured(value, unit=unit_of_measure(measure)).figures.value


def interval(measured: Measured, level: float = 0.95) -> str:
    """The confidence interval in words; empty where there is none.

    >>> interval(Measured(0.067, 0.037, 0.117, "percent"))
    '95% CI 3.7% to 11.7%'
    """
    shown = measured.figures
    return f"{ci(level)} {shown.low} to {shown.high}" if shown.known else ""


def ci(level: float) -> str:
    """The heading of intervals.

    >>> ci(0.95)
    '95% CI'
    """
    return f"{100 * level:.4g}% CI"


def p_text(p: float) -> str:
    """A p value in a table.

    >>> p_text(0.0213), p_text(0.00002)
    ('0.021', '<0.001')
    """
    if math.isnan(p):
        return "-"
    return "<0.001" if p < 0.001 else f"{p:.3f}" if p < 0.1 else f"{p:.2f}"


def p_value(p: float) -> str:
    """A p value in a sentence.

    >>> p_value(0.45), p_value(0.00002)
    ('p = 0.45', 'p < 0.001')
    """
    shown = p_text(p)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def size_of_difference(measured: Measured) -> str:
    """How large a difference is, without its sign.

    >>> size_of_difference(Measured(-0.011, unit="points")), size_of_difference(Measured(0.5))
    ('1.1 percentage points', '0.500')
    """
    shown = measured.figures.value.lstrip("+-")
    if measured.unit != "points":
        return shown
    return f"{shown} percentage point{'' if shown == '1.0' else 's'}"


def join_words(words: Iterable[object], most: int = 0) -> str:
    """Names as in a sentence, each once; of more than `most`, the first and how many more.

    >>> join_words(["a", "b", "c"]), join_words("abcd", most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    names = [str(word) for word in dict.fromkeys(words)]
    if most and len(names) > most:
        names = [*names[:most], f"{len(names) - most:,} more"]
    *first, last = names or [""]
    return f"{', '.join(first)} and {last}" if first else last


def plural(n: float, noun: str) -> str:
    """A count with its noun.

    >>> plural(1, "model"), plural(2000, "row")
    ('1 model', '2,000 rows')
    """
    return f"{count(n)} {noun}{'' if n == 1 else 's'}"


def two_digits(n: float) -> str:
    """A planned number of rows: two figures, as more would claim to know better.

    >>> two_digits(17.2), two_digits(12345), two_digits(3.2e9)
    ('18', '12,000', '3.2e+09')
    """
    if n >= 1e9:
        return f"{n:.2g}"
    return f"{float(f'{n:.2g}'):,.0f}" if n >= 100 else f"{math.ceil(n)}"


def short_name(name: object, most: int = 40) -> str:
    """A name on one line; a long one is cut in its middle, as names differ at their ends.

    >>> short_name("forest of 500 trees with depth 7", 20)
    'forest of 5…depth 7'
    """
    line = shorten(name, 10_000)
    if len(line) <= most:
        return line
    tail = most * 2 // 5
    return f"{line[: most - tail - 1].rstrip()}…{line[len(line) - tail :].lstrip()}"


# --- measures ------------------------------------------------------------------------------------


def measure_name(title: str) -> str:
    """A measure as prose names it.

    >>> measure_name("error"), measure_name("log_loss"), measure_name("fbeta(beta=2)")
    ('error rate', 'log loss', 'F(beta=2)')
    """
    name, *rest = re.split(r"(?=[\[(])", title, maxsplit=1)
    return "".join([NAMES.get(name, name.replace("_", " ")), *rest])


def capital(text: str) -> str:
    """The text with a capital first letter.

    >>> capital(measure_name("error"))
    'Error rate'
    """
    return text[:1].upper() + text[1:]


def in_percent(title: str) -> bool:
    """Whether people read this measure in percent.

    >>> in_percent("error"), in_percent("auc"), in_percent("variance_effect")
    (True, False, False)
    """
    try:
        return measures.titled(title).percent
    except InputError:  # a part of a decomposition, a measure of the user's own
        return False


def unit_of_measure(title: str) -> Unit:
    """The unit in which values of this measure are written."""
    return "percent" if in_percent(title) else "number"


def unit_of_difference(title: str) -> Unit:
    """The unit in which differences of this measure are written."""
    return "points" if in_percent(title) else "signed"


def unit_of(title: str) -> str:
    """What this measure is taken of.

    >>> unit_of("error"), unit_of("pass@3")
    ('rows', 'items')
    """
    try:
        return "items" if measures.titled(title).task == "graded" else "rows"
    except InputError:  # a measure of the user's own
        return "rows"


# --- times and sizes -----------------------------------------------------------------------------


def seconds(value: float) -> str:
    """A time with its unit; a dash where it is not known.

    >>> seconds(2.5), seconds(0.0123), seconds(math.nan)
    ('2.50 s', '12.3 ms', '–')
    """
    if math.isnan(value):
        return "–"
    return f"{value:.2f} s" if value >= 1 else f"{1000 * value:.3g} ms"


def storage(value: float) -> str:
    """A number of bytes with its unit; a dash where it is not known.

    >>> storage(2856), storage(math.nan)
    ('2.86 kB', '–')
    """
    if math.isnan(value):
        return "–"
    for size, unit in ((1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.3g} bytes"


def method_name(words: str) -> str:
    """The first clause of a method's description, without a number of this one case.

    >>> method_name("McNemar (mid-p), interval by Newcombe"), method_name("t (skewness 5.3), Hall")
    ('McNemar (mid-p)', 't')
    """
    return re.sub(r" \([a-z ]*[\d.]+\)$", "", re.split("[,;]", words)[0])
