"""Learners that scikit-learn lacks, as scikit-learn estimators, and three that it names otherwise.

`Calibrated` makes the probabilities of any model honest (Platt's sigmoid, or isotonic regression),
`FullBayes` is one normal density a class, each with its own covariance matrix, and `Majority` is
the most frequent class, whatever the features.
"""

from sklearn.calibration import CalibratedClassifierCV as Calibrated
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as FullBayes
from sklearn.dummy import DummyClassifier as Majority

from heliast.learners._neighbours import Neighbours
from heliast.learners._posteriors import threshold_of, to_crisp
from heliast.learners.prism import Prism
from heliast.learners.tree import Tree

__all__ = [
    "Calibrated",
    "FullBayes",
    "Majority",
    "Neighbours",
    "Prism",
    "Tree",
    "threshold_of",
    "to_crisp",
]
