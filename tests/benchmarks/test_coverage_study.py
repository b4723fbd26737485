"""The coverage study itself: learners against scikit-learn, formulas against the library."""

import numpy as np
import pytest
from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._covered import Covered, misses
from benchmarks.coverage.resampled._intervals import check
from benchmarks.coverage.resampled._learners import FRESH_LEARNERS, LEARNERS
from benchmarks.coverage.resampled._study import _summaries
from benchmarks.coverage.resampled._tasks import FRESH, TASKS, Population
from benchmarks.coverage.sizes import _splits
from benchmarks.coverage.sizes._size import Size, size
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

PEERS = {
    "LDA": LinearDiscriminantAnalysis(),
    "1-NN": KNeighborsClassifier(1),
    "logistic": LogisticRegression(tol=1e-8),
    "naive Bayes": GaussianNB(var_smoothing=0),
    "5-NN": KNeighborsClassifier(5),
}
TWO_CLASSES = [task for task in (*TASKS, *FRESH) if task.k == 2]


def cut(task, plan: str, n: int = 80, seed: int = 1) -> tables.Cut:
    rng = np.random.default_rng(seed)
    X, y, group = task.draw(n, rng)
    return tables.Cut.of(tables.PLANS[plan], tables.dataset(X, y, task.k, group), X, rng)


@pytest.mark.parametrize("name", PEERS)
def test_learners_agree_with_scikit_learn(name: str) -> None:
    learner = {**LEARNERS, **FRESH_LEARNERS}[name]
    for task in TWO_CLASSES[:1] + TWO_CLASSES[3:5]:
        job = cut(task, "Subsampling()").job({})
        label = learner(job)
        for split in range(3):
            train, test = job.weight[split] > 0, job.row[job.split == split]
            peer = PEERS[name].fit(job.X[train], job.y[train]).predict(job.X[test])
            assert (label[job.split == split] == peer).mean() > 0.96  # one row on the border


def test_trees_are_as_good_as_those_of_scikit_learn_and_differ_by_ties_alone() -> None:
    wrong, peers, same = [], [], []
    for seed in range(8):
        job = cut(TASKS[0], "KFold(10)", 300, seed).job()
        label = LEARNERS["tree"](job)
        for split in range(10):
            train, test = job.weight[split] > 0, job.row[job.split == split]
            peer = DecisionTreeClassifier(random_state=seed).fit(job.X[train], job.y[train])
            peer = peer.predict(job.X[test])
            wrong.append((label[job.split == split] != job.y[test]).mean())
            peers.append((peer != job.y[test]).mean())
            same.append((peer == label[job.split == split]).mean())
    assert np.mean(wrong) == pytest.approx(np.mean(peers), abs=0.01)
    assert np.mean(same) > 0.93


def test_weights_of_two_are_rows_drawn_twice() -> None:
    job = cut(TASKS[0], "Bootstrap(50)").job()
    drawn = np.repeat(np.arange(80), job.weight[0].astype(int))
    test = job.row[job.split == 0]
    for name in ("LDA", "1-NN"):
        peer = PEERS[name].fit(job.X[drawn], job.y[drawn]).predict(job.X[test])
        assert (LEARNERS[name](job)[job.split == 0] == peer).all()


@pytest.mark.parametrize("task", [TASKS[0], TASKS[5], TASKS[6]], ids=lambda task: task.name)
def test_the_formulas_of_the_study_are_those_of_the_library(task) -> None:
    for plan in ("KFold(10, repeats=5)", "Subsampling()", "FiveByTwo()", "LeaveOneOut()"):
        here = cut(task, plan, 120)
        job = here.job()
        label = LEARNERS["tree"](job)
        check(plan, here, job, label)  # raises if they differ


def test_left_out_error_of_the_study_is_that_of_the_library() -> None:
    from heliast.estimates import bootstrap_632_plus, left_out
    from heliast.estimates.resampled._bootstraps import plus

    here = cut(TASKS[3], "Bootstrap(50)")
    job = here.job()
    label = LEARNERS["LDA"](job)
    ((_, found),) = _summaries("Bootstrap(50)", here, job, label)
    table = here.table(job, label)
    at = tables.NAMES.index
    assert found[at("p")] == pytest.approx(left_out(table).value)
    value = plus(found[at("own")], found[at("p")], found[at("n_train")])
    assert value == pytest.approx(bootstrap_632_plus(table).value)


@pytest.mark.parametrize("task", [TASKS[0], TASKS[6]], ids=lambda task: task.name)
def test_comparisons_of_the_study_are_those_of_the_library(task: Population) -> None:
    found = _splits.simulated(task, 50, 2, 2)  # raises if p differs from compare's
    assert found["LDA/FiveByTwo()"].shape == (2, 10)
    assert (found["groups/Subsampling()"] <= (50 / task.each if task.each else np.inf)).all()


def test_a_cell_fails_only_beyond_monte_carlo_error() -> None:
    def cell(coverage: float, times: int) -> Covered:
        return Covered(
            "t", "l", "p", "auto", True, "", 200, times, 0.1, 0.0, coverage, 0.0, 0.0, 0.0, 0.1
        )

    assert cell(0.92, 300).outside == ""
    assert cell(0.88, 1000).outside == "low"
    assert cell(0.99, 1000).outside == ""
    assert cell(1.0, 3000).outside == "high"
    assert not Size("w", "c", "t", True, 200, 500, 0.075, 0.0).fails
    assert Size("w", "c", "t", True, 200, 5000, 0.09, 0.0).fails
    assert size("w", "c", "t", True, 9, [0.01, 0.5, float("nan"), 0.2]).rejected == 0.25


def test_a_miss_is_excused_only_if_it_is_said_and_nothing_else_holds() -> None:
    def cell(method: str, coverage: float, warned: float = 0.0) -> Covered:
        return Covered(
            "t", "l", "p", method, method == "auto", "", 200, 1000, 0.1, 0.0, coverage, 0.0, 0.0,
            0.0, 0.1, warned=warned,
        )  # fmt: skip

    said, silent = cell("auto", 0.85, 1.0), cell("auto", 0.85, 0.5)
    helps, fails, apart = (
        cell("corrected_t", 0.95), cell("corrected_t", 0.9), cell("wald_cv, own target", 0.95)
    )  # fmt: skip
    excused = {
        "said, and nothing holds": ([said, fails, apart], [True]),
        "another method holds": ([said, helps], [False]),
        "not said": ([silent, fails], [False]),
        "within": ([cell("auto", 0.95), fails], []),
    }
    for name, (cells, wanted) in excused.items():
        assert [miss.excused for miss in misses(cells)] == wanted, name
    assert misses([said, helps])[0].known == "corrected_t 0.950"
