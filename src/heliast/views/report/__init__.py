"""The report: what was found as a plain dict, and the dict as one HTML file."""

from heliast.views.report.benchmark import summarise_benchmark
from heliast.views.report.material import Material
from heliast.views.report.page import framed, page
from heliast.views.report.sets import Sets, summarise_sets
from heliast.views.report.summary import summarise

__all__ = [
    "Material",
    "Sets",
    "framed",
    "page",
    "summarise",
    "summarise_benchmark",
    "summarise_sets",
]
