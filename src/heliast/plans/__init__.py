"""Plans: how rows are split into training and test rows. One file a plan, one line here."""

from heliast.plans._bootstrap import Bootstrap
from heliast.plans._five_by_two import FiveByTwo
from heliast.plans._fresh import Fresh
from heliast.plans._from_sklearn import FromSklearn, as_plan
from heliast.plans._holdout import Holdout
from heliast.plans._kfold import KFold
from heliast.plans._label_noise import LabelNoise
from heliast.plans._learning_curve import LearningCurve
from heliast.plans._leave_one_out import LeaveOneOut
from heliast.plans._nested_folds import NestedFolds
from heliast.plans._paired_subsampling import PairedSubsampling
from heliast.plans._piece import Piece
from heliast.plans._plan import FrozenPlan, Plan
from heliast.plans._replace_one import ReplaceOne
from heliast.plans._representative import Representativeness
from heliast.plans._subsampling import Subsampling
from heliast.plans._three_way import ThreeWay

__all__ = [
    "Bootstrap",
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
    "Subsampling",
    "ThreeWay",
    "as_plan",
]
