"""The narrow waist: one table of predictions, from our models or from any other tool."""

from heliast.predictions.columns import telling_of
from heliast.predictions.evaluations import evaluations
from heliast.predictions.failures import failures
from heliast.predictions.join import name_models
from heliast.predictions.read import data_files
from heliast.predictions.records import Meta, Role, Rows, Split, Splits
from heliast.predictions.source import as_predictions, as_tables, split_arguments
from heliast.predictions.table import Predictions

__all__ = [
    "Meta",
    "Predictions",
    "Role",
    "Rows",
    "Split",
    "Splits",
    "as_predictions",
    "as_tables",
    "data_files",
    "evaluations",
    "failures",
    "name_models",
    "split_arguments",
    "telling_of",
]
