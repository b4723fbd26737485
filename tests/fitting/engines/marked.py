"""Models and data that leave marks in a folder: who fitted, who unpickled. Workers import it."""

import ctypes
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier


class Marked:
    """Goes with a data set and leaves the process's id whenever it is unpickled."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ = state
        mark(self.folder, "unpickled")


def mark(folder: str, what: str) -> None:
    with open(Path(folder) / what, "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")


def marks(folder: Path, what: str) -> list[int]:
    path = folder / what
    return [int(line) for line in path.read_text().split()] if path.exists() else []


class Fitting(DecisionTreeClassifier):
    """A tree that draws its inputs, says which process fits it, and takes its time."""

    vouched = "what it notes changes nothing"

    def __init__(self, folder: str = "", seconds: float = 0.0, random_state: Any = None) -> None:
        super().__init__(max_features=2, random_state=random_state)
        self.folder = folder
        self.seconds = seconds

    def fit(self, X: Any, y: Any) -> "Fitting":
        mark(self.folder, "fitted")
        time.sleep(self.seconds)
        super().fit(X, y)
        return self


class Misfit(GaussianNB):
    """Goes wrong where iris's first row is held out, in ways that no exception tells of."""

    vouched = "it reads nothing"

    def __init__(self, how: str = "hang") -> None:
        super().__init__()
        self.how = how

    def fit(self, X: Any, y: Any) -> "Misfit":
        if X[0, 0] != 5.1:
            print("about to", self.how)  # must not be taken for an answer
            if self.how == "hang":
                ctypes.PyDLL(None).sleep(600)  # in C, without letting other threads run
            if self.how == "grow":
                np.ones(10**9)
            if self.how == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.how == "abort":
                os.abort()
        super().fit(X, y)
        return self
