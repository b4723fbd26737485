"""PRISM: classification rules for nominal inputs, grown one perfect rule at a time."""

from heliast.learners.prism._growing import Condition, Rule
from heliast.learners.prism._prism import Prism

__all__ = ["Condition", "Prism", "Rule"]
