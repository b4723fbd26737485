"""Theory: why a model errs. Bias and variance, margins, bounds, consistency. One line a thing."""

from heliast.theory._agreement import Agreement, agreement
from heliast.theory._bias_variance import bias_variance, every_definition
from heliast.theory._convergence import Convergence, convergence, limits
from heliast.theory._counterexample import Consistency, consistency
from heliast.theory._decomposition import Decomposition, RowParts
from heliast.theory._definitions import definitions
from heliast.theory._error_models import SchapireModel, TrainingModel
from heliast.theory._margin_bound import Bound, margin_bound, schapire_bound, simple_margin_bound
from heliast.theory._margins import Edges, Margins, edge, margins, staged_margins
from heliast.theory._needed_members import NeededMembers, needed_members
from heliast.theory._normal_model import NormalModel, nearest_rows

__all__ = [
    "Agreement",
    "Bound",
    "Consistency",
    "Convergence",
    "Decomposition",
    "Edges",
    "Margins",
    "NeededMembers",
    "NormalModel",
    "RowParts",
    "SchapireModel",
    "TrainingModel",
    "agreement",
    "bias_variance",
    "consistency",
    "convergence",
    "definitions",
    "edge",
    "every_definition",
    "limits",
    "margin_bound",
    "margins",
    "nearest_rows",
    "needed_members",
    "schapire_bound",
    "simple_margin_bound",
    "staged_margins",
]
