import numpy as np
import pytest
from scipy.stats import hypergeom
from sklearn.model_selection import KFold as Theirs
from tests.plans.tables import classes, numbers

from heliast import InputError
from heliast.data import Dataset, Input
from heliast.plans import FrozenPlan, Holdout, KFold, LearningCurve, as_plan
from heliast.plans.representative import Samples, compare_splits


def sorted_data(n=100):
    truth = np.repeat([0, 1], n // 2)
    return Dataset((Input("x", np.arange(n) * 1.0),), truth, "classification", ("a", "b"))


def noise(seed, n=120, group=None):
    rng = np.random.default_rng(seed)
    columns = (
        Input("heavy", rng.standard_cauchy(n)),
        Input("gaps", np.where(rng.random(n) < 0.2, np.nan, rng.normal(size=n))),
        Input("kind", rng.integers(-1, 3, n), ("u", "v", "w")),
    )
    truth = (rng.random(n) < 0.1).astype(np.int64)
    return Dataset(columns, truth, "classification", ("a", "b"), group=group)


def test_shares_beside_those_of_the_whole():
    data = classes([60, 40], inputs=2)
    table = KFold(5).on(data, seed=1).representativeness()
    assert table.classes == ("a", "b")
    assert table.whole == (0.6, 0.4)
    assert len(table) == 5
    for one in table:
        assert one.shares == (0.6, 0.4)
        assert one.target_distance == pytest.approx(0)
        assert one.p_target == 1.0
        assert one.input in ("x0", "x1")
    frame = table.to_frame()
    assert frame.column_names[:3] == ["split", "role", "n_test"]
    assert frame.column_names[-2:] == ["share_a", "share_b"]


def test_folds_of_sorted_rows_are_found_out():
    frozen = as_plan(Theirs(5)).on(sorted_data())
    table = frozen.representativeness()
    assert [one.split for one in table.unlike()] == [0, 1, 3, 4]  # the middle one is balanced
    assert table.records[0].target_distance == pytest.approx(0.5)
    assert table.records[0].input_distance == pytest.approx(-1.386, abs=0.001)
    assert "split 0 is not representative" in " ".join(frozen.notes)
    assert "not representative either: 1 more" in frozen.notes[-1]


def test_count_of_a_class_has_its_hypergeometric_chance():
    codes = np.repeat([0, 1], [90, 10])
    samples = Samples([np.arange(85, 95)], np.arange(100))  # 5 of the 10 rows of class 1
    distance, p = samples.compare_codes(codes)
    assert distance[0] == pytest.approx(0.4)
    assert p[0] == pytest.approx(2 * hypergeom.sf(4, 100, 10, 10))


def test_z_of_ranks_is_exact_in_mean_and_variance():
    rng = np.random.default_rng(0)
    values = rng.normal(size=30)
    tests = [rng.choice(30, 10, replace=False) for _ in range(4000)]
    ranks = np.argsort(np.argsort(values)) - 14.5
    samples = Samples(tests, np.arange(30))
    z = samples.z(samples.sums(ranks), ranks)
    assert abs(z.mean()) < 4 / np.sqrt(4000)
    assert abs(z.var() - 1) < 0.1
    _, p = samples.compare_numbers(values)
    assert abs((p < 0.05).mean() - 0.05) < 0.02


def test_constant_and_empty_columns_say_nothing():
    samples = Samples([np.array([0, 1, 2])], np.arange(6))
    for values in (np.ones(6), np.full(6, np.nan)):
        distance, p = samples.compare_numbers(values)
        assert (distance[0], p[0]) == (0, 1)


def test_of_many_categories_the_most_common_are_compared():
    codes = np.concatenate([np.arange(300), np.zeros(60, np.int64)])
    samples = Samples([np.arange(100), np.arange(200, 360)], np.arange(360))
    distance, p = samples.compare_codes(codes)
    assert np.isfinite(distance).all()
    assert p[1] < 1e-6
    assert 0 <= p[0] <= 1


@pytest.mark.parametrize("grouped", [False, True])
def test_random_folds_are_called_unrepresentative_once_in_twenty_at_most(grouped):
    found = 0
    for seed in range(150):
        group = np.random.default_rng(seed).integers(0, 40, 120) if grouped else None
        frozen = KFold(5, stratify=False).on(noise(seed, group=group), seed)
        found += bool(frozen.representativeness().unlike())
    assert found / 150 < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


def test_redraw_selects_representative_folds_and_says_so():
    for seed in range(200):
        data = noise(seed, n=60)
        plan = KFold(5, stratify=False)
        if plan.on(data, seed).representativeness().unlike():
            break
    frozen = plan.on(data, seed, redraw=20)
    assert not frozen.representativeness().unlike()
    assert "splits drawn again 1 time: now representative" in frozen.notes
    assert frozen.fingerprint == plan.on(data, seed, redraw=20).fingerprint
    assert frozen.fingerprint != plan.on(data, seed).fingerprint


def test_redraw_changes_nothing_where_splits_are_representative():
    data = classes([30, 30], inputs=2)
    assert KFold(5).on(data, 1, redraw=20).fingerprint == KFold(5).on(data, 1).fingerprint


def test_redraw_in_vain_is_bounded_and_said():
    frozen = as_plan(Theirs(5)).on(sorted_data(), redraw=3)
    assert "splits drawn again 3 times: the most representative splits are kept" in frozen.notes


def test_a_number_target_is_compared_by_its_mean():
    data = Dataset((), np.arange(100) * 1.0, "regression")
    table = as_plan(Theirs(4)).on(data).representativeness()
    assert table.records[0].shares == ()
    assert table.records[0].target_distance < -1
    assert table.records[0].p_target < 1e-6
    assert "share_a" not in table.to_frame().column_names


def test_a_curve_judges_each_test_set_once():
    frozen = LearningCurve(KFold(3)).on(classes([30, 30]), seed=1)
    assert len(frozen.representativeness()) == 3


def test_wide_data_are_checked_within_a_budget():
    data = classes([50, 50], inputs=40)
    frozen = Holdout().on(data, seed=1)
    table = compare_splits(data, frozen.pieces, budget=10 * 133)
    assert table.records[0].input in {f"x{at}" for at in range(0, 40, 4)}


def test_without_data_there_is_nothing_to_compare():
    frozen = Holdout().on(numbers(9))
    bare = FrozenPlan(frozen.plan, 0, 9, frozen.pieces)
    assert bare.fingerprint == frozen.fingerprint
    with pytest.raises(InputError, match="without their data"):
        bare.representativeness()
