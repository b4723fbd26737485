"""Plots by name, as the command line asks for them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heliast import curves, estimates, theory
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.verbs.assess import assess_table
from heliast.verbs.benchmarked import Benchmark
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models
from heliast.views import plots

# Curves over the scores of one class, which may take several splits together.
OVER_SCORES = ("roc", "precision_recall", "gain", "lift", "cost", "calibration", "decision")
OF_BENCHMARKS = ("critical_difference", "data_sets")
ALIASES = {"lift_chart": "lift", "contingency": "confusion_matrix"}


@dataclass(frozen=True)
class Selection:
    """What a plot shows: models (none is all), class, measure, level, splits pooled or not."""

    models: tuple[str, ...] = ()
    class_: Label | None = None
    measure: str | None = None
    level: float = 0.95
    pool: bool = False


Records = Callable[[Any, Selection], Any]


def _curve(kind: str) -> Records:
    def records(table: Predictions, chosen: Selection) -> list[Any]:
        pool = {"pool": True} if chosen.pool and kind in OVER_SCORES else {}
        curve = getattr(curves, kind)
        return [curve(table, chosen.class_, model, **pool) for model in table.models]

    return records


def _learning(table: Predictions, chosen: Selection) -> list[Any]:
    measure = chosen.measure or "error"
    return [curves.learning(table, measure, model) for model in table.models]


def _forest(table: Predictions, chosen: Selection) -> list[Any]:
    return [*assess_table(table, _options(chosen, chosen.measure or "error")).overall]


def _options(chosen: Selection, measure: str | None) -> Options:
    return Options(measures=measure, level=chosen.level)


def _confusion_matrix(table: Predictions, chosen: Selection) -> Any:
    if len(table.models) > 1:
        raise InputError(f"one model is plotted: name one of {', '.join(table.models)} with --of")
    return table.summary(Contingency)


def _ranks(benchmark: Benchmark, chosen: Selection) -> Any:
    if benchmark.nemenyi is None:
        reason = benchmark.reason or "fewer than three models"
        raise InputError(f"no critical difference: {reason}")
    return benchmark


# The plots that can be made of files; others need models or theory (docs/gallery.md).
KINDS: dict[str, Records] = {
    **{kind: _curve(kind) for kind in (*OVER_SCORES, "averaged_roc", "f_surface")},
    "learning": _learning,
    "predicted": lambda table, _: [curves.predicted(table, model) for model in table.models],
    "confusion_matrix": _confusion_matrix,
    "forest": _forest,
    "per_split": lambda table, chosen: estimates.per_split(
        table, chosen.measure or "error", level=chosen.level
    ),
    "comparison_matrix": lambda table, chosen: compare_models(
        table, _options(chosen, chosen.measure)
    ),
    "margins": lambda table, _: [theory.margins(table, model=model) for model in table.models],
    "bias_variance": lambda table, _: theory.bias_variance(table),
    "critical_difference": _ranks,
    "data_sets": lambda benchmark, _: benchmark,
}


def plot_by_name(
    kind: str, source: Predictions | Benchmark, chosen: Selection, title: str = ""
) -> plots.Plot:
    """The plot of this kind of predictions or of a benchmark."""
    kind = kind.replace("-", "_")
    kind = ALIASES.get(kind, kind)
    if kind not in KINDS:
        raise InputError(f"no plot {kind!r}; choose from {', '.join(KINDS)}")
    if (kind in OF_BENCHMARKS) != isinstance(source, Benchmark):
        saved = "what `heliast benchmark DIR -o FILE.json` wrote"
        raise InputError(f"{kind} needs {saved if kind in OF_BENCHMARKS else 'predictions'}")
    records = KINDS[kind](_selected(source, chosen.models), chosen)
    options = {"title": title} if title else {}
    plot: plots.Plot = getattr(plots, kind)(records, **options)
    return plot


def _selected(source: Any, models: tuple[str, ...]) -> Any:
    """The models named, in their order; all if none is."""
    unknown = [model for model in models if model not in source.models]
    if unknown:
        raise InputError(f"no model {unknown[0]!r}; there are {', '.join(source.models)}")
    if not models:
        return source
    if isinstance(source, Benchmark):
        return source.without(*(model for model in source.models if model not in models))
    return source.only(model=list(models))
