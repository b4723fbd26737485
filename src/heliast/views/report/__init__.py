"""The report: what was computed as a plain dict, and the dict as one HTML file."""

from heliast.views.report.contents import Material
from heliast.views.report.page import framed, page
from heliast.views.report.sets import Sets, summarise_sets
from heliast.views.report.summary import summarise, summarise_record

__all__ = [
    "Material",
    "Sets",
    "framed",
    "page",
    "summarise",
    "summarise_record",
    "summarise_sets",
]
