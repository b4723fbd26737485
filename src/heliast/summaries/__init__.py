"""What measures are computed from: counted once, mergeable with `+`."""

from heliast.summaries._cells import Cells
from heliast.summaries._clusters import Clusters
from heliast.summaries._contingency import Contingency
from heliast.summaries._counted import Counted
from heliast.summaries._influence import Influence, together
from heliast.summaries._moments import GroupSums, Moments
from heliast.summaries._probabilities import Probabilities, row_losses
from heliast.summaries._ranking import Ranking
from heliast.summaries._reliability import Reliability, forecasts
from heliast.summaries._residuals import Residuals
from heliast.summaries._streamed import StreamedRanking

__all__ = [
    "Cells",
    "Clusters",
    "Contingency",
    "Counted",
    "GroupSums",
    "Influence",
    "Moments",
    "Probabilities",
    "Ranking",
    "Reliability",
    "Residuals",
    "StreamedRanking",
    "forecasts",
    "row_losses",
    "together",
]
