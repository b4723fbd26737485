from heliast.plans._bootstrap import Bootstrap as Bootstrap
from heliast.plans._five_by_two import FiveByTwo as FiveByTwo
from heliast.plans._fresh import Fresh as Fresh
from heliast.plans._from_sklearn import FromSklearn as FromSklearn
from heliast.plans._from_sklearn import as_plan as as_plan
from heliast.plans._holdout import Holdout as Holdout
from heliast.plans._kfold import KFold as KFold
from heliast.plans._label_noise import LabelNoise as LabelNoise
from heliast.plans._learning_curve import LearningCurve as LearningCurve
from heliast.plans._leave_one_out import LeaveOneOut as LeaveOneOut
from heliast.plans._nested_folds import NestedFolds as NestedFolds
from heliast.plans._paired_subsampling import PairedSubsampling as PairedSubsampling
from heliast.plans._piece import Piece as Piece
from heliast.plans._plan import FrozenPlan as FrozenPlan
from heliast.plans._plan import Plan as Plan
from heliast.plans._replace_one import ReplaceOne as ReplaceOne
from heliast.plans._representative import Representativeness as Representativeness
from heliast.plans._subsampling import Subsampling as Subsampling
from heliast.plans._three_way import ThreeWay as ThreeWay
from heliast.plans._windows import Expanding as Expanding
from heliast.plans._windows import Rolling as Rolling

__all__: list[str]
