"""The sections of the report, in the order a reader meets them. One file each, one line here."""

from heliast.views.report.material import Section
from heliast.views.report.sections import (
    bias_variance,
    by_class,
    by_split,
    contingency,
    decisions,
    margins,
    members,
    methods,
    models,
    net_benefit,
    speed,
    stamp,
    varied,
    warnings,
)

SECTIONS: tuple[Section, ...] = (
    models.SECTION,
    contingency.SECTION,
    decisions.SECTION,
    net_benefit.SECTION,
    by_class.SECTION,
    by_split.SECTION,
    varied.SECTION,
    members.SECTION,
    margins.SECTION,
    bias_variance.SECTION,
    speed.SECTION,
    warnings.SECTION,
    methods.SECTION,
    stamp.SECTION,
)
