"""The dispatcher: which method, what is said, what is refused; and that intervals cover."""

import sys
from subprocess import run

import numpy as np
import pytest
from scipy.stats import norm
from tests.estimates.twins import classes, numbers, of_table

from heliast import InputError, estimates, measures
from heliast.estimates import estimate, method, methods
from heliast.measures.summaries import Counted


def test_names_of_the_design_are_callable():
    for name in [
        "wilson",
        "clopper_pearson",
        "agresti_coull",
        "jeffreys",
        "normal",
        "student_t",
        "delong",
        "delta",
        "bootstrap",
    ]:
        assert callable(getattr(estimates, name))
        assert callable(getattr(estimates, name)), "a second use must not give the module"


def test_every_method_has_a_title_and_says_what_it_is_valid_for():
    assert len(methods()) == len(set(methods()))
    for name in methods():
        assert method(name).title
        assert method(name).forms
        assert method(name).limits.__doc__ or name in (
            "wilson",
            "clopper_pearson",
            "agresti_coull",
            "jeffreys",
        )


def test_unknown_method_lists_the_others():
    with pytest.raises(InputError, match="there are: auto, none"):
        estimate(measures.get("error"), Counted(of_table([[3, 1], [1, 3]])), interval="wald")


def test_importing_estimates_leaves_scipy_stats_alone():
    code = "import sys, heliast.estimates; sys.exit('scipy.stats' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["error", "kappa", "balanced_accuracy", "log_loss", "auc"])
def test_few_groups_are_refused_some_are_noted(name):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 90)
    score = np.clip(rng.normal(0.3 + 0.4 * truth, 0.2), 0.01, 0.99)
    for groups, words in ((4, "only 4 groups"), (12, "too narrow"), (30, "")):
        rows = classes(
            truth, score > 0.5, score, score_kind="probability", group=np.arange(90) % groups
        )
        found = estimate(measures.get(name), Counted(rows))
        if groups == 4:
            assert words in found.reason
            assert np.isnan(found.low)
        else:
            assert np.isfinite(found.low)
            assert any(words in note for note in found.notes) or not words


def test_undefined_value_has_a_reason_and_no_interval():
    found = estimate(measures.get("precision"), Counted(of_table([[9, 0], [3, 0]])))
    assert np.isnan(found.value)
    assert "never predicted" in found.reason


# --- do they cover? small, fixed seeds; the full study is in benchmarks/coverage -----------------


def coverage(tables, truth, name, interval="auto", **parameters):
    measure = measures.get(name, **parameters)
    unique, times = np.unique(tables, axis=0, return_counts=True)
    k = round(np.sqrt(tables.shape[1]))
    hits = 0
    for counts, count in zip(unique, times, strict=True):
        found = estimate(measure, Counted(of_table(counts.reshape(k, k))), interval=interval)
        hits += count * (found.low <= truth <= found.high)
    return hits / len(tables)


@pytest.mark.parametrize(
    ("name", "parameters", "truth"),
    [
        ("error", {}, 0.1),
        ("f1", {}, 2 * 0.16 / (0.2 + 0.22)),
        ("balanced_accuracy", {}, (0.16 / 0.2 + 0.74 / 0.8) / 2),
        ("kappa", {}, (0.9 - 0.2 * 0.22 - 0.8 * 0.78) / (1 - 0.2 * 0.22 - 0.8 * 0.78)),
        ("expected_cost", {"cost": [[0, 1], [5, 0]]}, 0.06 + 5 * 0.04),
    ],
)
def test_table_measures_cover(name, parameters, truth):
    tables = np.random.default_rng(1).multinomial(100, [0.74, 0.06, 0.04, 0.16], size=600)
    assert 0.915 <= coverage(tables, truth, name, **parameters) <= 0.985


def test_auc_covers_with_ten_positives():
    rng = np.random.default_rng(2)
    truth = np.repeat([True, False], [10, 90])
    hits = 0
    for _ in range(500):
        score = rng.normal(truth * np.sqrt(2) * norm.ppf(0.9))
        found = estimate(measures.get("auc"), Counted(classes(truth, score=score)))
        hits += found.low <= 0.9 <= found.high
    assert 0.925 <= hits / 500 <= 0.99


def test_grouped_error_covers():
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(500):
        rate = rng.beta(1, 9, 40)  # mean 0.1, ICC 1/11
        wrong = rng.random((40, 8)) < rate[:, None]
        rows = classes(np.zeros(320, int), wrong.ravel(), group=np.repeat(np.arange(40), 8))
        found = estimate(measures.get("error"), Counted(rows))
        hits += found.low <= 0.1 <= found.high
    assert 0.92 <= hits / 500 <= 0.985


def test_mean_absolute_error_covers():
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(500):
        found = estimate(measures.get("mae"), Counted(numbers(np.zeros(60), rng.normal(size=60))))
        hits += found.low <= np.sqrt(2 / np.pi) <= found.high
    assert 0.92 <= hits / 500 <= 0.98
