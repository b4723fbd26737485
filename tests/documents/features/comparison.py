"""Is the difference real? Comparison (rows 45 to 47)."""

import matplotlib as mpl
import numpy as np
from scipy import stats
from sklearn import metrics
from tests.documents.features.registry import Compared, compared, feature

from heliast import Predictions, comparisons, curves, plots

NAIVE_BAYES = np.array([7, 8, 3, 12, 9]) / 30
FULL_BAYES = np.array([6, 6, 5, 10, 7]) / 30
"""Example 22.11: printed 0.233, 0.267, 0.1, 0.4, 0.3 and 0.2, 0.2, 0.167, 0.333, 0.233."""


@feature(
    45,
    "paired t-test over identical folds",
    where="chapter, section 22.2.4, example 22.11; notes 3.1",
    call="comparisons.paired_t(a, b)",
    oracle="printed: mean 0.033, t 1.29 with 4 degrees of freedom; p by scipy's ttest_rel",
)
def paired_t() -> Compared:
    found = comparisons.paired_t(NAIVE_BAYES, FULL_BAYES)
    theirs = stats.ttest_rel(NAIVE_BAYES, FULL_BAYES)
    return compared(
        [found.value, found.statistic, found.df, found.p], [0.033, 1.29, 4, theirs.pvalue], 0.002
    )


@feature(
    46,
    "an interval for the difference, and a verdict in words",
    where="chapter, section 22.2.4, example 22.11; notes 3.1",
    call="comparisons.paired_t(a, b).low, .high, comparisons.verdict(...)",
    oracle="0.0333 +- 2.776 x 0.0577/sqrt 5, by hand; it holds 0, so nothing is decided",
)
def difference() -> Compared:
    found, narrow = (comparisons.paired_t(NAIVE_BAYES, FULL_BAYES, level) for level in (0.95, 0.9))
    said = comparisons.verdict(
        found.value, found.low, found.high, narrow.low, narrow.high, 0.01, "low", p=found.p
    )
    told = comparisons.verdict(0.05, 0.02, 0.08, 0.025, 0.075, 0.01, "low")
    alike = comparisons.verdict(0.001, -0.004, 0.006, -0.003, 0.005, 0.01, "low")
    half = 2.776 * 0.0577 / np.sqrt(5)
    words = [said, told, alike.split()[0]]
    return compared(
        [found.low, found.high, words],
        [1 / 30 - half, 1 / 30 + half, "inconclusive", "worse", "equivalent"],
        2e-4,
    )


@feature(
    47,
    "ROC curves of several models in one plot",
    where="notes 3.2; slides-r, 'Area under the ROC curve'",
    call="plots.plot([curves.roc(preds, model=name) ...]), .to_axes(ax)",
    oracle="the lines on the axes against scikit-learn's roc_curve; names in the SVG",
)
def several_curves() -> Compared:
    mpl.use("Agg")
    from matplotlib.figure import Figure

    rng = np.random.default_rng(4)
    truth = rng.integers(0, 2, 60)
    scores = {"first": truth + rng.normal(size=60), "second": truth + 2 * rng.normal(size=60)}
    curved = [
        curves.roc(Predictions.of(truth, y_score=score, scores="decision", model=name), thin=False)
        for name, score in scores.items()
    ]
    ax = Figure().subplots()
    plot = plots.plot(curved)
    by_label = {line.get_label().partition(":")[0]: line for line in plot.to_axes(ax).lines}
    lines = [by_label[name] for name in scores]
    theirs = [metrics.roc_curve(truth, s, drop_intermediate=False)[:2] for s in scores.values()]
    svg = plot.to_svg()
    named = ["named" if name in svg else "missing" for name in scores]
    areas = [float(np.trapezoid(line.get_ydata(), line.get_xdata())) for line in lines]
    return compared(
        [areas, named, [line.get_xydata().T for line in lines]],
        [[metrics.auc(*one) for one in theirs], "named", "named", theirs],
    )
