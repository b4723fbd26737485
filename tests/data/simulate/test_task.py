"""What holds for every simulated task."""

import numpy as np
import pytest

from heliast._core.errors import InputError
from heliast.data import simulate
from heliast.data.simulate import Task

TASKS = [
    simulate.gaussian_classes(seed=3),
    simulate.ten_gaussians(seed=1),
    simulate.concentric(),
    simulate.concentric(bayes_error=0.0, radius=2.0),
    simulate.two_gaussians(0.15),
    simulate.two_gaussians(0.5, d=1),
    simulate.rare_class(0.05),
    simulate.interaction(),
    simulate.label_noise(simulate.concentric(), 0.2),
    simulate.label_noise(simulate.ten_gaussians(), 0.3),
]
each = pytest.mark.parametrize("task", TASKS, ids=repr)
N = 20_000


@each
def test_posteriors_are_probabilities_that_average_to_the_shares(task: Task) -> None:
    data = task.sample(N, seed=5)
    found = data.posteriors
    assert found is not None
    assert found.shape == (N, len(task.classes))
    assert found.min() >= 0.0
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    spread = np.sqrt(task.shares * (1 - task.shares) / N)
    counts = np.bincount(data.y_true, minlength=len(task.classes)) / N
    assert np.all(np.abs(found.mean(axis=0) - task.shares) < 4.5 * spread)
    assert np.all(np.abs(counts - task.shares) < 4.5 * spread)
    assert task.shares.sum() == pytest.approx(1.0)


@each
def test_posteriors_are_calibrated(task: Task) -> None:
    """Where the posterior says p, a share p of the rows is of that class."""
    data = task.sample(N, seed=6)
    assert data.posteriors is not None
    for code in range(min(3, len(task.classes))):
        said = data.posteriors[:, code]
        bins = np.minimum((10 * said).astype(int), 9)
        for one in np.unique(bins):
            here = bins == one
            hits = (data.y_true[here] == code).sum()
            spread = np.sqrt((said[here] * (1 - said[here])).sum())
            assert abs(hits - said[here].sum()) <= 4.5 * spread + 1e-9


@each
def test_the_bayes_classifier_errs_as_often_as_said(task: Task) -> None:
    value, se = task.bayes_error(n=50_000)
    data = task.sample(50_000, seed=7)
    wrong = (task.bayes_labels(data.matrix) != data.y).mean()
    spread = np.sqrt(max(wrong * (1 - wrong), 1e-12) / data.n + se**2)
    assert abs(wrong - value) < 4 * spread + 1e-9


@each
def test_formula_and_average_agree(task: Task) -> None:
    exact = task.bayes_error(n=60_000)
    mean, se = Task.bayes_error(task, seed=8, n=60_000)
    assert abs(exact.value - mean) < 4 * np.hypot(se, exact.se) + 1e-12


@each
def test_no_model_beats_it(task: Task) -> None:
    from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
    from sklearn.tree import DecisionTreeClassifier

    train, test = task.sample(N, seed=9), task.sample(N, seed=10)
    bayes = task.bayes_labels(test.matrix) != test.y
    for model in (QuadraticDiscriminantAnalysis(), DecisionTreeClassifier(max_leaf_nodes=100)):
        wrong = model.fit(train.matrix, train.y).predict(test.matrix) != test.y
        gap = wrong.astype(float) - bayes
        assert gap.mean() > -4 * gap.std() / np.sqrt(N) - 1e-12


@each
def test_the_seed_decides_everything(task: Task) -> None:
    first, again, other = task.sample(50, 1), task.sample(50, 1), task.sample(50, 2)
    assert first.fingerprint == again.fingerprint != other.fingerprint
    assert task.bayes_error(seed=1, n=1000) == task.bayes_error(seed=1, n=1000)


@each
def test_counts_of_each_class(task: Task) -> None:
    if type(task).draw_counts is Task.draw_counts:
        return
    counts = [3 + code % 4 for code in range(len(task.classes))]
    data = task.sample(counts, seed=11)
    assert np.bincount(data.y_true).tolist() == counts
    assert (data.classes, data.simulated, data.name) == (task.classes, task, task.name)
    assert data.names == task.inputs


@each
def test_classes_are_in_order(task: Task) -> None:
    assert list(task.classes) == sorted(task.classes)


@pytest.mark.parametrize("n", [0, -1, 2.5, [1], [1, 2, 3], [0, 0], [1, -1], "ab"])
def test_odd_sizes_are_refused(n: object) -> None:
    with pytest.raises(InputError, match="n="):
        simulate.two_gaussians().sample(n)  # type: ignore[arg-type]


def test_odd_arguments_are_refused() -> None:
    task = simulate.two_gaussians()
    for call in (
        lambda: task.sample(5, seed=-1),
        lambda: task.posteriors([[1.0]]),
        lambda: task.posteriors([1.0, 2.0]),
        lambda: simulate.two_gaussians(0.6),
        lambda: simulate.two_gaussians(0.0),
        lambda: simulate.two_gaussians(d=0),
        lambda: simulate.gaussian_classes(k=1),
        lambda: simulate.gaussian_classes(spread=-1.0),
        lambda: simulate.concentric(0.4),
        lambda: simulate.concentric(0.5),
        lambda: simulate.concentric(radius=1.0),
        lambda: simulate.rare_class(0.0),
        lambda: simulate.rare_class(0.9),
        lambda: simulate.interaction(d=2),
        lambda: simulate.label_noise(task, 0.6),
        lambda: simulate.friedman_like(d=4),
        lambda: simulate.friedman_like(noise=-1.0),
    ):
        with pytest.raises(InputError):
            call()


def test_classes_that_cannot_be_drawn_apart_are_refused() -> None:
    for task in (simulate.interaction(), simulate.label_noise(simulate.two_gaussians())):
        with pytest.raises(InputError, match="rows are not drawn by class"):
            task.sample([5, 5])
