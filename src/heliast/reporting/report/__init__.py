"""The report: what was found as a plain dict, and the dict as one HTML file."""

from heliast.reporting.report.benchmark import summarise_benchmark
from heliast.reporting.report.material import Material
from heliast.reporting.report.page import page
from heliast.reporting.report.sets import Sets, summarise_sets
from heliast.reporting.report.summary import summarise

__all__ = ["Material", "Sets", "page", "summarise", "summarise_benchmark", "summarise_sets"]
