"""The data sets that defaults are chosen by, and others that they are shown on.

Simulated ones are continuous. Of sets with more rows than are asked for, so many are drawn once.
"""

import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import heliast as hl
from heliast.data import simulate

Rows = tuple[NDArray[np.float64], NDArray[np.int64]]


def blobs(n: int, d: int, k: int, seed: int, **settings: float) -> Rows:
    """scikit-learn's `make_classification`: k classes of two clusters each, 60% of inputs tell."""
    from sklearn.datasets import make_classification

    given = {"n_informative": int(0.6 * d), "n_redundant": d // 5, **settings}
    found: Rows = make_classification(n, d, n_classes=k, random_state=seed, **given)
    return found


def waveform(n: int, seed: int) -> Rows:
    """Breiman's: each class mixes two of three triangles over 21 points, with noise."""
    rng = np.random.default_rng(seed)
    at = np.arange(1, 22)
    triangles = np.array([np.maximum(6 - np.abs(at - top), 0) for top in (11, 15, 7)])
    y = rng.integers(3, size=n)
    share = rng.random((n, 1))
    first, second = triangles[np.array([0, 0, 1])[y]], triangles[np.array([1, 2, 2])[y]]
    return share * first + (1 - share) * second + rng.normal(size=(n, 21)), y


def norms(n: int, seed: int, kind: str, d: int = 20) -> Rows:
    """Breiman's twonorm, threenorm and ringnorm: normals in d inputs that trees find hard."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    side = np.where(y == 1, 1.0, -1.0)[:, None]
    X = rng.normal(size=(n, d))
    if kind == "two":
        return X + side * 2 / np.sqrt(d), y
    if kind == "three":
        turns = np.where(np.arange(d) % 2 == 0, 1.0, -1.0)
        either = np.where(rng.random((n, 1)) < 0.5, 1.0, -1.0)
        return X + np.where(side > 0, either, turns * np.ones((n, 1))) * 2 / np.sqrt(d), y
    return np.where(side > 0, 2 * X, X + 1 / np.sqrt(d)), y


def hastie(n: int, seed: int) -> Rows:
    """Whether ten squared normals sum to more than their median."""
    from sklearn.datasets import make_hastie_10_2

    found: Rows = make_hastie_10_2(n, random_state=seed)
    return found


def checkers(n: int, seed: int) -> Rows:
    """A board of four by four fields in two inputs, four more of noise, one label in ten wrong."""
    rng = np.random.default_rng(seed)
    X = rng.random((n, 6))
    y = (np.floor(4 * X[:, 0]) + np.floor(4 * X[:, 1])).astype(np.int64) % 2
    return X, np.where(rng.random(n) < 0.1, 1 - y, y)


def bands(n: int, seed: int) -> Rows:
    """As of a satellite: six kinds of ground, four bands of nine neighbours that resemble."""
    rng = np.random.default_rng(seed)
    y = rng.choice(6, size=n, p=[0.24, 0.11, 0.21, 0.1, 0.11, 0.23])
    ground = np.random.default_rng(7).normal(size=(6, 2, 4)) * 9 + 70
    patch = ground[y, rng.integers(2, size=n)] + rng.normal(size=(n, 4)) * 5
    return (patch[:, None, :] + rng.normal(size=(n, 9, 4)) * 5).reshape(n, 36).round(), y


def led(n: int, seed: int) -> Rows:
    """Digits shown by seven segments, each wrong one time in ten, and ten inputs of noise."""
    rng = np.random.default_rng(seed)
    words = (0b1110111, 0b0010010, 0b1011101, 0b1011011, 0b0111010, 0b1101011, 0b1101111,
             0b1010010, 0b1111111, 0b1111011)  # fmt: skip
    lit = (np.array(words)[:, None] >> np.arange(7)[::-1]) & 1
    y = rng.integers(10, size=n)
    shown = np.where(rng.random((n, 7)) < 0.1, 1 - lit[y], lit[y])
    return np.hstack([shown, rng.integers(2, size=(n, 10))]).astype(float), y


def moons(n: int, seed: int) -> Rows:
    """Two half moons, with noise."""
    from sklearn.datasets import make_moons

    found: Rows = make_moons(n, noise=0.3, random_state=seed)
    return found


def parts(name: str, count: int) -> hl.Dataset:
    """A number, cut into classes of equally many rows."""
    if name.startswith("sklearn:"):
        data = hl.read(name)
    else:
        data = hl.read(Path(os.environ["HELIAST_DATA"]) / f"{name}.csv", target="target")
    data = data if data.task == "regression" else hl.Dataset.of(data.matrix, data.y.astype(float))
    cuts = np.quantile(data.y.astype(float), np.arange(1, count) / count)
    return hl.Dataset.of(data.matrix, np.searchsorted(cuts, data.y.astype(float)))


def elections() -> Rows:
    """The American election of 1996: seven degrees of party, in three, from nine answers."""
    import statsmodels.api as sm

    table = sm.datasets.anes96.load_pandas().data
    party = table["PID"].to_numpy()
    y = np.digitize(party, [2.5, 3.5])
    return table.drop(columns=["PID", "vote"]).to_numpy(float), y


def affairs() -> Rows:
    """Fair's: whether a woman reports an affair."""
    import statsmodels.api as sm

    table = sm.datasets.fair.load_pandas().data
    y = (table["affairs"].to_numpy() > 0).astype(int)
    return table.drop(columns="affairs").to_numpy(float), y


def simulated(task: simulate.Task, n: int) -> Callable[[], hl.Dataset]:
    return lambda: task.sample(n, seed=1)


Maker = Callable[[], "hl.Dataset | Rows"]
TO_CHOOSE: dict[str, Maker | str] = {
    **{name: name for name in ("iris", "glass", "pima", "sonar", "vowel", "spam", "letter")},
    **{name: f"sklearn:{name}" for name in ("wine", "breast_cancer", "digits")},
    "blobs 50 x 10": lambda: blobs(10_000, 50, 10, 0),
    "blobs 20 x 10": lambda: blobs(2_000, 20, 10, 1),
    "blobs 20 x 2": lambda: blobs(2_000, 20, 2, 2),
    "noisy blobs": lambda: blobs(1_000, 20, 2, 3, flip_y=0.2, n_informative=5),
    "waveform": lambda: waveform(1_000, 1),
    "twonorm": lambda: norms(1_000, 1, "two"),
    "threenorm": lambda: norms(1_000, 2, "three"),
    "ringnorm": lambda: norms(1_000, 3, "ring"),
    "hastie": lambda: hastie(2_000, 1),
    "concentric": simulated(simulate.concentric(0.15), 600),
    "ten gaussians": simulated(simulate.ten_gaussians(), 1_000),
    "interaction": simulated(simulate.interaction(), 800),
}
TO_SHOW: dict[str, Maker | str] = {
    **{name: name for name in ("housevotes84", "zoo", "musk", "promotergene", "shuttle")},
    "breastcancer": "breastcancer",
    "boston in thirds": lambda: parts("boston", 3),
    "ozone in thirds": lambda: parts("ozone", 3),
    "diabetes in halves": lambda: parts("sklearn:diabetes", 2),
    "elections": elections,
    "affairs": affairs,
    "bands": lambda: bands(2_000, 1),
    "checkers": lambda: checkers(1_500, 1),
    "led": lambda: led(1_000, 1),
    "moons": lambda: moons(600, 1),
    "blobs 30 x 5": lambda: blobs(2_000, 30, 5, 11, class_sep=0.7, n_clusters_per_class=3),
    "few of many": lambda: blobs(400, 60, 3, 12, n_informative=6, n_redundant=0),
    "26 gaussians": simulated(simulate.gaussian_classes(26, 11.0, seed=5), 1_500),
    "rare": simulated(simulate.rare_class(0.1), 1_500),
    "two gaussians": simulated(simulate.two_gaussians(0.2, 10), 500),
}


def numbers() -> dict[str, hl.Dataset]:
    """Seven tasks whose target is a number."""
    from sklearn import datasets as made

    drawn = {
        "friedman 1": made.make_friedman1(300, noise=1, random_state=1),
        "friedman 2": made.make_friedman2(300, noise=50, random_state=1),
        "friedman 3": made.make_friedman3(300, noise=0.1, random_state=1),
        "linear": made.make_regression(300, 10, noise=20, random_state=1),
        "diabetes": made.load_diabetes(return_X_y=True),
    }
    folder = Path(os.environ["HELIAST_DATA"])
    real = {name: hl.read(folder / f"{name}.csv", target="target", task="regression")
            for name in ("boston", "ozone")}  # fmt: skip
    return {name: hl.Dataset.of(X, y.astype(float)) for name, (X, y) in drawn.items()} | real


def read(name: str, most: int) -> hl.Dataset:
    """The data set of this name, with so many rows at most."""
    made = {**TO_CHOOSE, **TO_SHOW}[name]
    if callable(made):
        found = made()
        data = found if isinstance(found, hl.Dataset) else hl.Dataset.of(*found)
    elif made.startswith("sklearn:"):
        data = hl.read(made)
    else:
        data = hl.read(Path(os.environ["HELIAST_DATA"]) / f"{made}.csv", target="class")
    if data.n <= most:
        return data
    rows = np.random.default_rng(0).permutation(data.n)[:most]
    return data.subset(np.sort(rows))
