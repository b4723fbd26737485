"""Plans: how rows are split into training and test rows. One file a plan, one line here."""

from heliast.plans._plan import FrozenPlan, Piece, Plan

__all__ = ["FrozenPlan", "Piece", "Plan"]
