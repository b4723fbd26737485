"""The sections of the report, in the order a reader meets them. One file each, one line here."""

from heliast.reporting.report.registry import Section
from heliast.reporting.report.sections import (
    contingency,
    decisions,
    methods,
    models,
    stamp,
    warnings,
)

SECTIONS: tuple[Section, ...] = (
    models.SECTION,
    contingency.SECTION,
    decisions.SECTION,
    warnings.SECTION,
    methods.SECTION,
    stamp.SECTION,
)
