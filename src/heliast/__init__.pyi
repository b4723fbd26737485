# The public names, one line each: type checkers and the lazy importer both read this file.
from heliast import comparisons as comparisons
from heliast import curves as curves
from heliast import data as data
from heliast import drawings as drawings
from heliast import estimates as estimates
from heliast import measures as measures
from heliast import plans as plans
from heliast._assess import assess as assess
from heliast._assessment import Assessment as Assessment
from heliast._compare import compare as compare
from heliast._comparison import Comparison as Comparison
from heliast._comparison import Difference as Difference
from heliast._core.errors import HeliastError as HeliastError
from heliast._core.errors import InputError as InputError
from heliast._core.errors import NotEnoughData as NotEnoughData
from heliast._run import run as run
from heliast.data import Dataset as Dataset
from heliast.data import read as read
from heliast.estimates import Estimate as Estimate
from heliast.plans import Bootstrap as Bootstrap
from heliast.plans import FiveByTwo as FiveByTwo
from heliast.plans import Fresh as Fresh
from heliast.plans import Holdout as Holdout
from heliast.plans import KFold as KFold
from heliast.plans import LabelNoise as LabelNoise
from heliast.plans import LearningCurve as LearningCurve
from heliast.plans import LeaveOneOut as LeaveOneOut
from heliast.plans import NestedFolds as NestedFolds
from heliast.plans import PairedSubsampling as PairedSubsampling
from heliast.plans import Subsampling as Subsampling
from heliast.plans import ThreeWay as ThreeWay
from heliast.predictions import Predictions as Predictions

__version__: str
