"""The majority rule: the most frequent class, whatever the inputs."""

from sklearn.dummy import DummyClassifier as Majority

__all__ = ["Majority"]
