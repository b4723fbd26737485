"""The narrow waist: one table of predictions, from our models or from any other tool."""

from heliast.predictions._evaluations import evaluations
from heliast.predictions._failures import failures
from heliast.predictions._names import telling_of
from heliast.predictions._records import Role, Rows, Split, Splits
from heliast.predictions._table import Meta, Predictions

__all__ = [
    "Meta",
    "Predictions",
    "Role",
    "Rows",
    "Split",
    "Splits",
    "evaluations",
    "failures",
    "telling_of",
]
