"""What measures are computed from: counted once, mergeable with `+`."""

from heliast.measures.summaries._cells import Cells
from heliast.measures.summaries._clusters import Clusters
from heliast.measures.summaries._contingency import Contingency
from heliast.measures.summaries._counted import Counted
from heliast.measures.summaries._influence import Covariance, Influence, tiny, together
from heliast.measures.summaries._moments import GroupSums, Moments
from heliast.measures.summaries._places import Places
from heliast.measures.summaries._probabilities import Probabilities, row_losses
from heliast.measures.summaries._ranking import Ranking
from heliast.measures.summaries._reliability import Reliability, forecasts
from heliast.measures.summaries._residuals import Residuals
from heliast.measures.summaries._streamed import StreamedRanking

__all__ = [
    "Cells",
    "Clusters",
    "Contingency",
    "Counted",
    "Covariance",
    "GroupSums",
    "Influence",
    "Moments",
    "Places",
    "Probabilities",
    "Ranking",
    "Reliability",
    "Residuals",
    "StreamedRanking",
    "forecasts",
    "row_losses",
    "tiny",
    "together",
]
