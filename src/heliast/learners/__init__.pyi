from heliast.learners._chance import Chance as Chance
from heliast.learners._full_bayes import FullBayes as FullBayes
from heliast.learners._majority import Majority as Majority
from heliast.learners._neighbours import Neighbours as Neighbours
from heliast.learners.prism import Prism as Prism
from heliast.learners.tree import Tree as Tree
