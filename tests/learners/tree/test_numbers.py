"""Trees for numbers against scikit-learn's, and what every node shows of its errors."""

import re

import numpy as np
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.datasets import (
    load_diabetes,
    load_iris,
    make_friedman1,
    make_friedman2,
    make_friedman3,
    make_regression,
)
from sklearn.tree import DecisionTreeRegressor

import heliast as hl

SETS = {
    "diabetes": load_diabetes(return_X_y=True),
    "friedman 1": make_friedman1(400, random_state=1),
    "friedman 2": make_friedman2(400, random_state=2),
    "friedman 3": make_friedman3(400, random_state=3),
    "linear": make_regression(400, 8, noise=20, random_state=4),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("limits", [{"max_depth": 3}, {"min_samples_leaf": 7}])
def test_the_same_partition_as_scikit_learns(name: str, limits: dict[str, int]) -> None:
    X, y = SETS[name]
    X = X.astype(np.float32)  # as scikit-learn takes them
    tree = hl.Tree("squared_error", **limits).fit(X[:300], y[:300])
    peer = DecisionTreeRegressor(**limits, random_state=0).fit(X[:300], y[:300])
    np.testing.assert_allclose(tree.predict(X[:300]), peer.predict(X[:300]), rtol=1e-9)
    assert tree.score(X[300:], y[300:]) == pytest.approx(peer.score(X[300:], y[300:]), abs=0.02)
    assert tree.n_leaves_ == peer.get_n_leaves()


def test_the_criterion_decides_what_it_is() -> None:
    assert is_regressor(hl.Tree("squared_error"))
    assert is_classifier(hl.Tree("gini"))
    assert not hasattr(hl.Tree("squared_error"), "predict_proba")
    with pytest.raises(hl.InputError, match="pruning is for classes"):
        hl.Tree("squared_error", pruning="pessimistic").fit([[0.0], [1.0]], [1.0, 2.0])


def test_weights_of_numbers_are_copies() -> None:
    X, y = SETS["friedman 1"]
    copies = np.random.default_rng(0).integers(1, 4, y.size)
    weighted = hl.Tree("squared_error", min_samples_leaf=9).fit(X, y, copies)
    repeated = hl.Tree("squared_error", min_samples_leaf=9).fit(
        np.repeat(X, copies, axis=0), np.repeat(y, copies)
    )
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


def test_every_node_shows_its_errors_before_and_after_pruning() -> None:
    """Slides, pruning: N, f, and the upper end e of f's interval at confidence 25% (z = 0.674)."""
    X, y = load_iris(return_X_y=True)
    tree = hl.Tree(pruning="pessimistic", errors="wilson").fit(X[:, :2], y)
    before, after = (tree.text(errors=True, pruned=pruned) for pruned in (False, True))
    assert len(before.splitlines()) > len(after.splitlines())
    z = 0.6744897501960817
    for n, f, e in re.findall(r"N=(\d+) f=(\S+) e=([\d.]+)", before):
        size, error = float(n), float(f)
        half = z * np.sqrt(error * (1 - error) / size + z**2 / (4 * size**2))
        assert float(e) == pytest.approx(
            (error + z**2 / (2 * size) + half) / (1 + z**2 / size), abs=2e-3
        )
    assert "N=150" in after
    assert "e=" in tree.plot(errors=True)
