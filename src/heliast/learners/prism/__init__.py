"""PRISM: classification rules for nominal inputs, grown one perfect rule at a time."""

from heliast.learners.prism._prism import Prism
from heliast.learners.prism._rule import Condition, Rule

__all__ = ["Condition", "Prism", "Rule"]
