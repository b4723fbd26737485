"""bootstrap: replicates by every path, and the limits made from them."""

import os
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from tests.estimates.twins import classes, group_freedom, leave_one_out, numbers, of_table

from heliast import InputError, Predictions, measures
from heliast.estimates import Case, acceleration, bootstrap, ends, estimate
from heliast.estimates._bootstrap import bootstrap_limits
from heliast.estimates._drawn import acceleration_of, again_draws, draws, left_out
from heliast.measures.scores import precision_influence
from heliast.measures.summaries import Counted, Ranking

KINDS = pytest.mark.parametrize("kind", ["bca", "percentile", "basic"])


def two_classes(n=150, seed=0, **rest):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(int)
    score = 1 / (1 + np.exp(-(rng.normal(1.5 * truth - 0.7)).round(2)))
    return classes(truth, score > 0.5, score, score_kind="probability", **rest)


def three_classes(n=150, seed=0, **rest):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 3, n)
    score = rng.dirichlet(np.ones(3), n) * 0.7 + 0.3 * np.eye(3)[truth]
    return classes(truth, score.argmax(axis=1), score, score_kind="probability", **rest)


def regression(n=120, seed=0, **rest):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return numbers(truth, truth + rng.normal(size=n) * 0.5, **rest)


def case_of(name, rows, **parameters):
    measure = measures.get(name, **parameters)
    return Case(measure.form(Counted(rows)), 0.95, rows, measure)


CASES = {
    "accuracy": case_of("accuracy", two_classes()),
    "f1": case_of("f1", two_classes()),
    "macro f": case_of("f1.macro", three_classes()),
    "f beta 2": case_of("fbeta", two_classes(), beta=2),
    "kappa": case_of("kappa", three_classes()),
    "balanced accuracy": case_of("balanced_accuracy", three_classes()),
    "auc": case_of("auc", two_classes()),
    "mean auc": case_of("auc", three_classes()),
    "average precision": case_of("average_precision", two_classes()),
    "mean average precision": case_of("average_precision", three_classes()),
    "log loss": case_of("log_loss", two_classes()),
    "mae": case_of("mae", regression()),
    "rmse": case_of("rmse", regression()),
    "r2": case_of("r2", regression()),
    "rae": case_of("rae", regression()),
    "ece": case_of("ece", two_classes()),
}
EVERY = pytest.mark.parametrize("name", CASES)


def again(case):
    """The measure, computed anew."""
    return lambda rows: float(case.measure.form(Counted(rows)).value)


# --- limits from replicates ----------------------------------------------------------------------


@KINDS
def test_limits_agree_with_scipy_on_the_same_replicates(kind):
    rng = np.random.default_rng(0)
    sample = rng.exponential(size=60)
    method = {"bca": "BCa"}.get(kind, kind)
    theirs = stats.bootstrap((sample,), np.mean, n_resamples=999, method=method, rng=1)
    jack = np.array([np.delete(sample, i).mean() for i in range(60)])
    found = ends(
        theirs.bootstrap_distribution,
        sample.mean(),
        0.95,
        kind,
        acceleration(jack.mean() - jack),
    )
    assert found == pytest.approx(tuple(theirs.confidence_interval))


def test_no_bias_and_no_acceleration_is_percentile():
    values = np.random.default_rng(1).normal(size=2001)
    middle = float(np.median(values))
    assert ends(values, middle, 0.9, "bca") == pytest.approx(
        ends(values, middle, 0.9, "percentile"), abs=0.01
    )


def test_all_on_one_side_has_no_bca():
    assert np.isnan(ends(np.arange(10.0), -1.0, 0.95, "bca")).all()


# --- every fast path against drawing rows again --------------------------------------------------


@EVERY
def test_fast_replicates_have_the_law_of_drawing_rows(name):
    case = replace(CASES[name], replicates=1500)
    fast = draws(case)
    slow = again_draws(case.rows, again(case), 400, seed=1)
    assert fast.std() == pytest.approx(slow.std(), rel=0.13)
    tolerance = 4 * slow.std() / 20
    assert fast.mean() == pytest.approx(slow.mean(), abs=tolerance)
    slowly = acceleration(left_out(case.rows, again(case)))
    assert acceleration_of(case) == pytest.approx(slowly, abs=0.02)


@pytest.mark.parametrize("name", ["accuracy", "f beta 2", "auc", "average precision", "log loss"])
@pytest.mark.parametrize("design", ["groups", "sampling", "classes"])
def test_designs_have_the_law_of_drawing_rows(name, design):
    rng = np.random.default_rng(3)
    rows, measure = CASES[name].rows, CASES[name].measure
    prevalences = None
    if design == "groups":
        rows = replace(rows, group=np.sort(rng.integers(0, 30, rows.n)))
    elif design == "sampling":
        rows = replace(rows, weight=rng.uniform(0.3, 3, rows.n), weight_kind="sampling")
    else:
        rows, prevalences = replace(rows, design="classes"), {0: 0.8, 1: 0.2}
        if name == "average precision":
            return
    counted = Counted(rows, prevalences)
    case = Case(measure.form(counted), 0.95, counted.rows, measure, replicates=1500)

    def value(drawn):
        return float(measure.form(Counted(drawn, prevalences)).value)

    fast = draws(case)
    slow = again_draws(case.rows, value, 400, seed=1)
    assert fast.std() == pytest.approx(slow.std(), rel=0.15)
    assert fast.mean() == pytest.approx(slow.mean(), abs=4 * slow.std() / 20)
    slowly = acceleration(left_out(case.rows, value))
    assert acceleration_of(case) == pytest.approx(slowly, abs=0.03)


@pytest.mark.parametrize("weighted", [False, True])
def test_influence_of_average_precision_is_the_jackknife(weighted):
    rng = np.random.default_rng(4)
    own = (rng.random(400) < 0.3).astype(np.uint8)
    score = rng.normal(own * 1.2).round(1)
    weight = rng.integers(1, 3, 400).astype(float) if weighted else None
    influence = precision_influence(own, score, weight)
    assert np.average(influence, weights=weight) == pytest.approx(0, abs=1e-12)

    def value(keep):
        rows = classes(own[keep], score=score[keep])
        if weighted:
            rows = replace(rows, weight=weight[keep], weight_kind="frequency")
        return Ranking.of(rows, 1).sums.average_precision

    by_jackknife = leave_one_out(value, 400)
    expected = influence if weight is None else influence * weight * 400 / weight.sum()
    assert np.corrcoef(by_jackknife, expected)[0, 1] > 0.999
    assert by_jackknife.std() == pytest.approx(expected.std(), rel=0.05)


# --- invariances ---------------------------------------------------------------------------------


@EVERY
def test_order_of_rows_does_not_matter(name):
    case = replace(CASES[name], replicates=200)
    order = np.random.default_rng(5).permutation(case.rows.n)
    one = estimate(case.measure, Counted(case.rows), interval="bootstrap", replicates=200)
    rows = case.rows.at(order)
    other = estimate(case.measure, Counted(rows), interval="bootstrap", replicates=200)
    assert (one.low, one.high) == pytest.approx((other.low, other.high), rel=1e-9)


@EVERY
def test_weight_two_is_the_row_twice(name):
    case = CASES[name]
    weight = np.random.default_rng(6).integers(1, 3, case.rows.n)
    counted = replace(case.rows, weight=weight.astype(float), weight_kind="frequency")
    twice = case.rows.at(np.repeat(np.arange(case.rows.n), weight))
    a, b = (
        estimate(case.measure, Counted(rows), interval="bootstrap", replicates=200)
        for rows in (counted, twice)
    )
    assert (a.value, a.low, a.high) == pytest.approx((b.value, b.low, b.high), rel=1e-9)


@pytest.mark.parametrize("name", ["kappa", "auc", "average precision", "log loss", "r2"])
def test_same_seed_same_limits_on_any_number_of_threads(name, monkeypatch):
    found = []
    for threads in ("1", "3"):
        monkeypatch.setitem(os.environ, "HELIAST_THREADS", threads)
        found.append(bootstrap_limits(CASES[name], "bca"))
    assert found[0] == found[1]
    assert bootstrap_limits(replace(CASES[name], seed=1), "bca") != found[0]


def test_few_groups_widen_the_level():
    rows = replace(two_classes(), group=np.arange(150) % 8)
    found = estimate(measures.get("kappa"), Counted(rows), interval="bootstrap_percentile")
    case = Case(measures.get("kappa").form(Counted(rows)), 0.95, rows, measures.get("kappa"))
    equal = group_freedom(rows.group) + 1
    wide = np.sqrt(equal / (equal - 1)) * stats.t.ppf(0.975, equal - 1)
    tails = stats.norm.cdf([-wide, wide])
    assert (found.low, found.high) == pytest.approx(np.quantile(draws(case), tails))


# --- alone ---------------------------------------------------------------------------------------


@KINDS
def test_alone(kind):
    table = Predictions.of([0, 1, 0, 1] * 20, y_score=list(np.linspace(0, 1, 80)))
    found = bootstrap(table, "auc", kind=kind, replicates=500, seed=3)
    assert found.low < found.value < found.high
    assert "500 replicates" in found.method
    rows = table.rows()
    assert bootstrap(rows, measures.get("auc"), kind=kind, replicates=500, seed=3) == found


def test_refused_arguments():
    table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1])
    with pytest.raises(InputError, match="kind='bcb'"):
        bootstrap(table, "error", kind="bcb")
    with pytest.raises(InputError, match="replicates=0"):
        bootstrap(table, "error", replicates=0)
    with pytest.raises(InputError, match="needs scores"):
        bootstrap(table, "auc")


# --- undefined, blind, few -----------------------------------------------------------------------


def test_undefined_replicates_are_counted_and_above_one_percent_refused():
    rows = of_table([[40, 3], [2, 2]])
    found = estimate(measures.get("fbeta", beta=2), Counted(rows), interval="bootstrap")
    assert np.isfinite(found.low)
    rare = of_table([[40, 2], [1, 0]])
    refused = estimate(measures.get("mcc"), Counted(rare), interval="bootstrap")
    assert "% of the bootstrap replicates are undefined" in refused.reason
    assert np.isnan(refused.low)


def test_no_spread_is_refused_not_shown_as_certainty():
    perfect = Counted(of_table([[30, 0], [0, 30]]))
    found = estimate(measures.get("fbeta", beta=2), perfect, interval="bootstrap")
    assert "same value" in found.reason
    default = estimate(measures.get("fbeta", beta=2), perfect)
    assert default.low < default.high == 1.0
    assert any("not the bootstrap" in note for note in default.notes)


def test_warns_of_a_small_class():
    found = estimate(measures.get("fbeta", beta=2), Counted(of_table([[60, 9], [4, 15]])))
    assert found.notes == ("the smallest class has 19 rows: the interval may be too short",)
    assert not estimate(measures.get("fbeta", beta=2), Counted(of_table([[60, 9], [4, 16]]))).notes


# --- many rows -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["average_precision", "f1.weighted"])
def test_many_weighted_rows_take_the_delta_method(name):
    weight = np.random.default_rng(0).uniform(0.5, 2, 20_100)
    rows = replace(two_classes(20_100), weight=weight, weight_kind="sampling")
    found = estimate(measures.get(name), Counted(rows))
    assert found.method.startswith("delta on")
    assert found.low < found.value < found.high


def test_many_rows_take_the_delta_method():
    average_precision = measures.get("average_precision")
    rows = two_classes(200_100)
    found = estimate(average_precision, Counted(rows))
    assert found.method.startswith("delta on the lo")
    few = Counted(rows.at(np.arange(1000)))
    by_delta = estimate(average_precision, few, interval="delta_scaled")
    by_draws = estimate(average_precision, few)
    assert "BCa" in by_draws.method
    assert by_delta.se == pytest.approx(by_draws.se, rel=0.1)
    assert found.se == pytest.approx(by_delta.se / np.sqrt(200.1), rel=0.25)


@pytest.mark.parametrize("name", ["r2", "rse", "rae"])
def test_ratios_of_errors_have_the_spread_of_the_bootstrap(name):
    counted = Counted(regression(1000))
    found = estimate(measures.get(name), counted)
    by_draws = estimate(measures.get(name), counted, interval="bootstrap_percentile")
    assert found.key == "delta_skewed"
    assert found.se == pytest.approx(by_draws.se, rel=0.1)
    assert (found.low, found.high) == pytest.approx((by_draws.low, by_draws.high), abs=found.se / 2)


def test_tables_of_very_many_classes_are_not_drawn():
    k, rng = 80, np.random.default_rng(2)
    counts = rng.integers(0, 2, (k, k)) + 20 * np.eye(k, dtype=int)
    counted = Counted(of_table(counts))
    weighted = measures.get("f1.weighted")
    refused = estimate(weighted, counted, interval="bootstrap")
    assert np.isnan(refused.low)
    assert refused.reason == "tables of 80 classes are too large to draw thousands of"
    found = estimate(weighted, counted)
    assert found.low < found.value < found.high
    assert any("not the bootstrap: tables of 80 classes" in note for note in found.notes)
    # The delta method on the table itself, straight from the rows' influence.
    plain = estimate(weighted, counted, interval="delta")
    assert found.se == pytest.approx(plain.se, rel=0.05)
