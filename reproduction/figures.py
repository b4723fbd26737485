"""Figures of the documents, drawn by matplotlib: lines with bars of two standard errors."""

import io

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure as Canvas

from reproduction.study import Figure, error_of_mean

MOST_POINTS = 300


def mean_line(x, values_at_each):
    """(x, means, bars): the mean of the repetitions at each x, two standard errors as its bar."""
    means = np.array([values.mean() for values in values_at_each])
    bars = [2 * np.nan_to_num(error_of_mean(np.asarray(values))) for values in values_at_each]
    return np.asarray(x, float), means, np.array(bars)


def line_chart(name, title, x_label, y_label, lines) -> Figure:
    """Lines by name, each (x, y, bar); a bar of 0 is not drawn."""
    canvas, axes = start_chart(title, x_label, y_label)
    for style, (label, (x, y, bar)) in enumerate(lines.items()):
        dashes = ("-", "--", "-.", ":")[style % 4]
        (line,) = axes.plot(x, y, dashes, label=f"{label}: {y[-1]:.3g} at {x[-1]:.3g}")
        shown = bar > 0
        axes.errorbar(x[shown], y[shown], bar[shown], fmt="none", ecolor=line.get_color())
    axes.legend()
    return save(canvas, name, title)


def members_chart(name, title, errors, rows, stages) -> Figure:
    """Error against the number of members, a line per classifier."""
    lines = {row: mean_line(stages, [errors[row, b] for b in stages]) for row in rows}
    return line_chart(name, title, "members B", "test error, per cent", lines)


def roc_chart(name, title, roc) -> Figure:
    """A ROC curve with the diagonal."""
    canvas, axes = start_chart(title, "false positive rate", "true positive rate")
    axes.plot(roc.fpr, roc.tpr, label=f"AUC {roc.auc:.3f}")
    axes.plot([0, 1], [0, 1], color="grey", linestyle=":")
    axes.legend()
    return save(canvas, name, title)


def histogram(name, title, x_label, values) -> Figure:
    """How many values lie in each of ten bins."""
    canvas, axes = start_chart(title, x_label, "number")
    axes.hist(values, 10, histtype="step")
    return save(canvas, name, title)


def scatter_chart(name, title, x_label, y_label, points, intercept, slope) -> Figure:
    """Points with the least squares line and the diagonal; at most MOST_POINTS are drawn."""
    canvas, axes = start_chart(title, x_label, y_label)
    ends = np.array([min(0.0, points.min()), points.max()])
    axes.plot(*points[:: max(1, len(points) // MOST_POINTS)].T, ".", markersize=2, alpha=0.5)
    axes.plot(ends, ends, color="grey", linestyle=":")
    fitted = f"least squares: {intercept:.3f} + {slope:.3f} x"
    axes.plot(ends, intercept + slope * ends, label=fitted)
    axes.legend()
    return save(canvas, name, title)


def start_chart(title, x_label, y_label):
    """An empty chart."""
    canvas = Canvas(figsize=(6.0, 4.5), layout="constrained")
    axes = canvas.add_subplot(title=title, xlabel=x_label, ylabel=y_label)
    axes.grid(alpha=0.3)
    return canvas, axes


def save(canvas, name, title) -> Figure:
    """The chart as SVG: text stays text, and the same data give the same bytes."""
    buffer = io.StringIO()
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        canvas.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    text = buffer.getvalue()
    return Figure(name, title, text[text.index("<svg") :])
