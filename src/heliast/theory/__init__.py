"""Theory: why a model errs. Bias and variance, margins, bounds, consistency."""

from heliast.theory._agreement import Agreement, Variation, agreement, separation, variation
from heliast.theory._bias_variance import bias_variance, every_definition
from heliast.theory._bounds import Bound, margin_bound, schapire_bound, simple_margin_bound
from heliast.theory._columns import (
    Consistency,
    Convergence,
    PowerFit,
    consistency,
    convergence,
    limits,
    power_fit,
)
from heliast.theory._decomposition import Decomposition, RowParts
from heliast.theory._definitions import definitions
from heliast.theory._error_models import (
    NormalModel,
    SchapireModel,
    TrainingModel,
    margin_sensitivity,
    nearest_rows,
)
from heliast.theory._margins import Edges, Margins, edge, margins, staged_margins
from heliast.theory._members import ExtraVariance, NeededMembers, extra_variance, needed_members

__all__ = [
    "Agreement",
    "Bound",
    "Consistency",
    "Convergence",
    "Decomposition",
    "Edges",
    "ExtraVariance",
    "Margins",
    "NeededMembers",
    "NormalModel",
    "PowerFit",
    "RowParts",
    "SchapireModel",
    "TrainingModel",
    "Variation",
    "agreement",
    "bias_variance",
    "consistency",
    "convergence",
    "definitions",
    "edge",
    "every_definition",
    "extra_variance",
    "limits",
    "margin_bound",
    "margin_sensitivity",
    "margins",
    "nearest_rows",
    "needed_members",
    "power_fit",
    "schapire_bound",
    "separation",
    "simple_margin_bound",
    "staged_margins",
    "variation",
]
