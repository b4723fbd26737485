"""Decision trees, and the engine that grows many from one binned copy of the features."""

from heliast.learners.tree._grower import TreeGrower
from heliast.learners.tree._inputs import Inputs
from heliast.learners.tree._nodes import Nodes
from heliast.learners.tree._settings import is_open
from heliast.learners.tree._tree import Tree
from heliast.learners.tree._trees import Trees, joined

__all__ = ["Inputs", "Nodes", "Tree", "TreeGrower", "Trees", "is_open", "joined"]
