"""Plans: how rows are split into training and test rows."""

from heliast.plans.folds import FiveByTwo, KFold, LeaveOneOut, NestedFolds, ReplaceOne
from heliast.plans.piece import Piece
from heliast.plans.plan import FrozenPlan, Plan
from heliast.plans.representative import Representativeness
from heliast.plans.samples import Bootstrap, Holdout, PairedSubsampling, Subsampling, ThreeWay
from heliast.plans.splitters import FromSklearn, as_plan
from heliast.plans.varied import Fresh, LabelNoise, LearningCurve
from heliast.plans.windows import Expanding, Rolling

__all__ = [
    "Bootstrap",
    "Expanding",
    "FiveByTwo",
    "Fresh",
    "FromSklearn",
    "FrozenPlan",
    "Holdout",
    "KFold",
    "LabelNoise",
    "LearningCurve",
    "LeaveOneOut",
    "NestedFolds",
    "PairedSubsampling",
    "Piece",
    "Plan",
    "ReplaceOne",
    "Representativeness",
    "Rolling",
    "Subsampling",
    "ThreeWay",
    "as_plan",
]
