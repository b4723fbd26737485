"""The sections of the report, in the order a reader meets them."""

from heliast.views.report.contents import Section
from heliast.views.report.sections import closing, decisions, fits, graded, models
from heliast.views.report.sections.closing import stamp as stamp

SECTIONS: tuple[Section, ...] = (
    Section("models", "Models side by side", models.side_by_side, "Models"),
    Section("items", "Items by the models that solve them", graded.items, "Items"),
    Section("spending", "Cost against grade", graded.spending, "Cost"),
    Section("confusion", "Confusion matrix", models.confusion, "Confusion matrix"),
    Section("residuals", "Predicted against actual", models.residuals, "Residuals"),
    Section(
        "decisions", "Thresholds, costs and prevalence", decisions.thresholds, "Thresholds",
        "decisions.html",
    ),
    Section("classes", "Recall and precision by class", models.classes, "Classes"),
    Section("slices", "Slices", models.slices, "Slices"),
    Section("regions", "Decision regions", models.regions, "Regions"),
    Section("splits", "Variation between splits", fits.splits, "Splits"),
    Section("varied", "Learning curves", fits.varied, "Learning curves"),
    Section("ensembles", "Ensemble size and margins", fits.ensembles, "Ensembles"),
    Section("bias", "Bias and variance", fits.bias_variance, "Bias and variance"),
    Section("speed", "Speed and size", fits.speed, "Speed"),
    Section("warnings", "Warnings", closing.warnings, "Warnings", "warnings.html"),
    Section("methods", "Methods", closing.methods, "Methods"),
    Section("stamp", "How to reproduce this report", closing.reproduce, "Reproduce", "stamp.html"),
)  # fmt: skip
