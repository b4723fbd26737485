"""What scikit-learn has under another name.

`Calibrated` makes the probabilities of any model or vote honest (Platt's sigmoid, or isotonic
regression), `FullBayes` is one normal density a class, each with its own covariance matrix, and
`Majority` is the most frequent class, whatever the inputs.
"""

from sklearn.calibration import CalibratedClassifierCV as Calibrated
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as FullBayes
from sklearn.dummy import DummyClassifier as Majority

__all__ = ["Calibrated", "FullBayes", "Majority"]
