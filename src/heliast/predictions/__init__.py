"""The narrow waist: one table of predictions, from our models or from any other tool."""

from heliast.predictions._evaluations import evaluations
from heliast.predictions._failures import failures
from heliast.predictions._names import telling_of
from heliast.predictions._records import Role, Rows, Split, Splits
from heliast.predictions._table import Meta, Predictions
from heliast.predictions.source import as_predictions, as_tables, name_models, split_arguments

__all__ = [
    "Meta",
    "Predictions",
    "Role",
    "Rows",
    "Split",
    "Splits",
    "as_predictions",
    "as_tables",
    "evaluations",
    "failures",
    "name_models",
    "split_arguments",
    "telling_of",
]
