"""Plans: how rows are split into training and test rows. One file a plan, one line here."""

from heliast.plans._bootstrap import Bootstrap
from heliast.plans._holdout import Holdout
from heliast.plans._kfold import KFold
from heliast.plans._leave_one_out import LeaveOneOut
from heliast.plans._piece import Piece
from heliast.plans._plan import FrozenPlan, Plan

__all__ = ["Bootstrap", "FrozenPlan", "Holdout", "KFold", "LeaveOneOut", "Piece", "Plan"]
