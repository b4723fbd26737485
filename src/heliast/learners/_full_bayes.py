"""The full Bayes classifier: one normal density a class, each with its own covariance matrix."""

from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis as FullBayes

__all__ = ["FullBayes"]
