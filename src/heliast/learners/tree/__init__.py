"""Classification trees, and the engine that grows many from one binned copy of the inputs."""

from heliast.learners.tree._grower import TreeGrower
from heliast.learners.tree._inputs import Inputs
from heliast.learners.tree._nodes import Nodes
from heliast.learners.tree._pruning import Path
from heliast.learners.tree._settings import is_open
from heliast.learners.tree._tree import Tree
from heliast.learners.tree._trees import Refit, Trees, each_probabilities, joined

__all__ = [
    "Inputs",
    "Nodes",
    "Path",
    "Refit",
    "Tree",
    "TreeGrower",
    "Trees",
    "each_probabilities",
    "is_open",
    "joined",
]  # fmt: skip
