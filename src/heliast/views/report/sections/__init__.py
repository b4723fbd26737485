"""The sections of the report, in the order a reader meets them. One file a family."""

from heliast.views.report.material import Section
from heliast.views.report.sections import (
    averaged,
    by_class,
    contingency,
    decisions,
    fits,
    grades,
    methods,
    models,
    net_benefit,
    numbers,
    regions,
    slices,
    stamp,
    votes,
    warnings,
)

SECTIONS: tuple[Section, ...] = (
    models.SECTION,
    grades.ITEMS,
    grades.DISAGREEMENT,
    grades.SPENDING,
    contingency.SECTION,
    numbers.SECTION,
    decisions.SECTION,
    net_benefit.SECTION,
    by_class.SECTION,
    slices.SECTION,
    regions.SECTION,
    fits.BY_SPLIT,
    averaged.SECTION,
    fits.VARIED,
    votes.MEMBERS,
    votes.MARGINS,
    votes.BIAS_VARIANCE,
    fits.SPEED,
    warnings.SECTION,
    methods.SECTION,
    stamp.SECTION,
)
