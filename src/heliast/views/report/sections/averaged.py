"""The ROC curve of each split and their mean, where scores of splits need not be comparable."""

from heliast import curves
from heliast.views import plots
from heliast.views.report.live import shown_class
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import drawn

MOST_MODELS = 6
MOST_SPLITS = 1000
FEWEST = 10
"""Rows a split, on average, from which on it has a curve worth the name."""


def build(material: Material) -> Part | None:
    """The best model with its splits, and the means of several models."""
    if material.found.task != "classification" or not material.scored:
        return None
    each = len(material.table) / len(material.found.models) / material.splits
    if not 1 < material.splits <= MOST_SPLITS or each < FEWEST:
        return None
    class_ = shown_class(material)
    shown = material.scored[:MOST_MODELS]
    found = [curves.averaged_roc(material.table, class_, model) for model in shown]
    names = [material.model_names[model] for model in shown]
    figures = [drawn(plots.averaged_roc(found[0], names[:1]))]
    if len(found) > 1:
        figures.append(drawn(plots.averaged_roc(found, names)))
    return {
        "lead": (
            "Scores of different fits need not be comparable: here each split has a curve of its "
            "own, and the mean is taken at each false positive rate."
        ),
        "figures": figures,
        "tables": [],
    }


SECTION = Section("averaged", "ROC curves, split by split", build, short="ROC by split")
