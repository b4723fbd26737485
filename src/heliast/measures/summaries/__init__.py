"""What measures are computed from, counted once per model."""

from heliast.measures.summaries.contingency import Contingency
from heliast.measures.summaries.counted import Counted
from heliast.measures.summaries.losses import Moments, Probabilities, Residuals, row_losses
from heliast.measures.summaries.ranking import Ranking
from heliast.measures.summaries.reliability import Reliability, forecasts

__all__ = [
    "Contingency",
    "Counted",
    "Moments",
    "Probabilities",
    "Ranking",
    "Reliability",
    "Residuals",
    "forecasts",
    "row_losses",
]
