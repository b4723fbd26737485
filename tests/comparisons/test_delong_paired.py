"""delong_paired: a slow twin, the stored answers of pROC, ties, classes too small."""

import csv
import json
from math import isnan, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from heliast import InputError
from heliast.comparisons import delong_paired
from heliast.comparisons._areas import PairedAreas

REFERENCE = Path(__file__).parents[1] / "reference"
ANSWERS = json.loads((REFERENCE / "answers.json").read_text(encoding="utf-8"))


def slow(truth, a, b):
    """(difference, its variance) by comparing every pair of rows."""

    def components(score):
        pos, neg = score[truth], score[~truth]
        wins = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
        return wins.mean(axis=1), wins.mean(axis=0)

    (a1, a0), (b1, b0) = components(a), components(b)
    d1, d0 = a1 - b1, a0 - b0
    return d1.mean(), d1.var(ddof=1) / d1.size + d0.var(ddof=1) / d0.size


@given(st.integers(8, 60), st.integers(0, 10**6), st.integers(0, 2))
def test_slow_twin(n, seed, digits):
    rng = np.random.default_rng(seed)
    truth = np.arange(n) < rng.integers(2, n - 1)
    a, b = rng.normal(size=(2, n)).round(digits) + truth * [[1], [0.5]]
    value, variance = slow(truth, a, b)
    found = delong_paired(truth, a, b)
    assert found.value == pytest.approx(value, abs=1e-12)
    if variance > 1e-10:
        z = value / sqrt(variance)
        assert found.statistic == pytest.approx(z, abs=1e-9)
        assert found.p == pytest.approx(2 * stats.norm.sf(abs(z)))
        half = stats.norm.ppf(0.975) * sqrt(variance)
        limits = max(-1, value - half), min(1, value + half)
        plain = delong_paired(truth, a, b, scale="plain")
        assert (plain.low, plain.high) == pytest.approx(limits)
        assert (plain.p, plain.value) == (found.p, found.value)
        assert found.low <= plain.low < plain.high <= found.high


@pytest.mark.parametrize("name", ["plain", "ties", "rare"])
def test_proc(name):
    with (REFERENCE / "data" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    truth = np.array([row["truth"] == "1" for row in rows])
    score, other = (np.array([float(row[key]) for row in rows]) for key in ("score", "other"))
    found, answer = delong_paired(truth, score, other), ANSWERS[name]
    assert found.value == pytest.approx(answer["auc"] - answer["other_auc"], abs=1e-12)
    assert (found.statistic, found.p) == pytest.approx(
        (answer["paired_z"], answer["paired_p"]), rel=1e-8
    )


@pytest.mark.parametrize("other", [lambda s: s, lambda s: np.exp(3 * s), lambda s: s - 7])
def test_the_same_order_is_no_difference(other):
    rng = np.random.default_rng(0)
    truth, score = rng.random(50) < 0.4, rng.normal(size=50)
    found = delong_paired(truth, score, other(score))
    assert (found.p, found.value, found.notes) == (1, 0, ("identical predictions",))


def test_nothing_varies_yet_they_differ():
    truth, score = np.repeat([False, True], 5), np.arange(10.0)
    found = delong_paired(truth, score, -score)
    assert found.value == 1
    assert isnan(found.p)
    assert found.reason


def test_classes_too_small():
    found = delong_paired([0, 0, 0], [1, 2, 3], [3, 2, 1])
    assert found.reason == "no positive rows: DeLong needs two in each class"
    assert isnan(found.p)
    assert "1 negative row:" in delong_paired([1, 1, 0], [1, 2, 3], [3, 2, 1]).reason


def pairs_near_one(times: int):
    """(truth, two scores) with 20 positives, true areas .975 and .995."""
    shift = np.sqrt(2) * stats.norm.ppf([[0.975], [0.995]])
    truth = np.arange(220) < 20
    for seed in range(times):
        shared, own = np.random.default_rng(seed).normal(size=(2, 2, 220))
        yield truth, *(np.sqrt(0.8) * shared[0] + np.sqrt(0.2) * own + shift * truth)


def test_near_one_the_interval_holds_what_the_plain_one_loses():
    found = [delong_paired(*one) for one in pairs_near_one(150)]
    plain = [delong_paired(*one, scale="plain") for one in pairs_near_one(150)]
    above = [sum(one.low > -0.02 for one in some) / 150 for some in (found, plain)]
    assert above[0] <= 0.04  # 2.5% are promised
    assert above[1] >= 0.1
    wide = np.median([one.high - one.low for one in found])
    assert wide < 0.12  # less than square-and-add of limits that know nothing of the rows


def test_p_of_the_interval_is_where_it_meets_zero():
    for truth, a, b in pairs_near_one(6):
        p = PairedAreas.of(truth, (a, b)).p
        if 1e-6 < p < 1:
            edge = delong_paired(truth, a, b, level=1 - p)
            assert min(abs(edge.low), abs(edge.high)) == pytest.approx(0, abs=1e-4)
        assert p >= delong_paired(truth, a, b).p


def test_two_perfect_scores_may_still_differ():
    truth = np.repeat([False, True], 20)
    score = np.arange(40.0)
    found = delong_paired(truth, score, np.r_[score[:20][::-1], score[20:]])
    assert found.value == 0
    assert found.notes == ()
    assert -0.2 < found.low == -found.high < -0.05


def test_groups_of_one_row_are_rows_with_students_t():
    rng = np.random.default_rng(3)
    truth, noise = np.arange(60) < 25, rng.normal(size=(2, 60))
    a, b = noise + truth * [[1.5], [0.8]]
    found = delong_paired(truth, a, b, group=np.arange(60))
    rows = delong_paired(truth, a, b)
    assert found.df == pytest.approx(59)
    # S^2 / (n - 1) in each class against one factor for all rows.
    assert found.statistic == pytest.approx(rows.statistic, rel=0.03)
    copies = delong_paired(*(np.repeat(one, 4) for one in (truth, a, b)), group=np.arange(240) // 4)
    assert copies.statistic == pytest.approx(found.statistic)


def test_refused():
    with pytest.raises(InputError, match="score_b: shape"):
        delong_paired([0, 1, 1], [1, 2, 3], [1, 2])
    with pytest.raises(InputError, match="score_a: row 1 is NaN"):
        delong_paired([0, 1, 1], [1, float("nan"), 3], [1, 2, 3])
    with pytest.raises(InputError, match="y_true: expected true"):
        delong_paired([0, 1, 2], [1, 2, 3], [1, 2, 3])
    with pytest.raises(InputError, match="at least two groups"):
        delong_paired([0, 1, 1], [1, 2, 3], [1, 2, 3], group=[1, 1, 1])
