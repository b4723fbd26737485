import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from tests.naive import ranking as naive

from heliast._kernels import ranking


@st.composite
def ranked(draw, least=0):
    """Few distinct scores, so that most are tied; whole weights, some zero."""
    n = draw(st.integers(least, 25))
    truth = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)), np.uint8)
    score = np.array(draw(st.lists(st.integers(-3, 3), min_size=n, max_size=n)), float)
    weight = np.array(draw(st.lists(st.integers(1, 3), min_size=n, max_size=n)), int)
    return truth, score, weight


def both_classes(truth):
    return 0 < truth.sum() < truth.size


def sample(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(np.uint8)
    score = rng.normal(size=n) + truth
    return truth, score if digits is None else score.round(digits), rng.integers(1, 4, n)


@given(ranked())
def test_split_sorted(rows):
    truth, score, weight = rows
    pos, neg, pos_w, neg_w = ranking.split_sorted(truth, score)
    assert pos_w is None and neg_w is None  # noqa: PT018
    assert np.array_equal(pos, np.sort(score[truth == 1]))
    assert np.array_equal(neg, np.sort(score[truth == 0]))
    pos, neg, pos_w, neg_w = ranking.split_sorted(truth, score, weight)
    index = np.argsort(score, kind="stable")
    above = truth[index] == 1
    assert np.array_equal(pos, score[index][above])
    assert np.array_equal(pos_w, weight[index][above])
    assert np.array_equal(neg_w, weight[index][~above])


SPECIAL = [-np.inf, -1e300, -1.0, -5e-324, -0.0, 0.0, 5e-324, 1.0, np.nextafter(1, 2), np.inf]


@given(st.lists(st.sampled_from(SPECIAL) | st.floats(allow_nan=False), max_size=60))
def test_order_is_a_stable_argsort(score):
    score = np.array(score, float)
    assert np.array_equal(ranking.order(score), np.argsort(score, kind="stable"))


@pytest.mark.parametrize(
    "score",
    [
        np.random.default_rng(0).random(200_000),
        np.random.default_rng(0).random(200_000).round(3),
        np.concatenate([[-1e300, 1e300], np.arange(3000)[::-1] * 5e-324]),
    ],
    ids=["plain", "ties", "crowded"],
)
def test_order_of_many(score):
    assert np.array_equal(ranking.order(score), np.argsort(score, kind="stable"))


@given(ranked())
def test_merge_agrees_with_twin(rows):
    truth, score, weight = rows
    for w in (None, weight):
        ones = np.ones(truth.size) if w is None else w
        sums = ranking.merge(*ranking.split_sorted(truth, score, w))
        assert sums.positive == ones[truth == 1].sum()
        assert sums.negative2 == (ones[truth == 0] ** 2).sum()
        assert sums.wins == naive.wins(truth, score, w)
        area = naive.average_precision(truth, score, w)
        assert sums.average_precision == pytest.approx(area, rel=1e-13, nan_ok=True)
        placed = naive.placements(truth, score, ones)
        for name, side in (("positive", truth == 1), ("negative", truth == 0)):
            spread = getattr(sums, f"spread_{name}")
            if not both_classes(truth):
                assert np.isnan(spread)
                continue
            own, v = ones[side], placed[side]
            far = v - (own * v).sum() / own.sum()
            assert spread == pytest.approx((own * far**2).sum(), rel=1e-12, abs=1e-12)


@given(ranked())
def test_whole_weight_is_repeated_row(rows):
    truth, score, weight = rows
    weighted = ranking.merge(*ranking.split_sorted(truth, score, weight))
    repeated = ranking.merge(
        *ranking.split_sorted(np.repeat(truth, weight), np.repeat(score, weight))
    )
    assert weighted.wins == repeated.wins
    assert weighted[:2] == repeated[:2]
    for name in ("average_precision", "spread_positive", "spread_negative"):
        ours, twin = getattr(weighted, name), getattr(repeated, name)
        assert ours == pytest.approx(twin, rel=1e-12, abs=1e-12, nan_ok=True)


@given(ranked(least=2), st.sampled_from([1, 2, 3, 5]))
def test_pieces_change_nothing(rows, cells):
    truth, score, weight = rows
    for w in (None, weight):
        streams = ranking.split_sorted(truth, score, w)
        whole = ranking.merge(*streams)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ranking, "CELLS", cells)
            parts = ranking.merge(*streams)
        assert parts == pytest.approx(whole, rel=1e-12, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("digits", [None, 2, 0])
def test_agrees_with_scikit_learn(digits):
    truth, score, weight = sample(30_000, digits=digits)
    for w in (None, weight):
        sums = ranking.merge(*ranking.split_sorted(truth, score, w))
        auc = roc_auc_score(truth, score, sample_weight=w)
        area = average_precision_score(truth, score, sample_weight=w)
        assert sums.wins / sums.positive / sums.negative == pytest.approx(auc, rel=1e-13)
        assert sums.average_precision == pytest.approx(area, rel=1e-13)


def test_one_value_of_many_rows():
    sums = ranking.merge(np.ones(3_000_000), np.ones(4_000_000))
    assert sums.wins == 6e12
    assert sums.spread_positive == sums.spread_negative == 0


@given(ranked())
def test_placements_agree_with_twin(rows):
    truth, score, weight = rows
    for w in (None, weight):
        placed = ranking.placements(truth, score, w)
        assert np.allclose(placed, naive.placements(truth, score, w), equal_nan=True, rtol=1e-13)


@given(ranked())
def test_curve_agrees_with_twin(rows):
    truth, score, weight = rows
    for w in (None, weight):
        found = ranking.curve(*ranking.split_sorted(truth, score, w))
        for ours, twin in zip(found, naive.curve(truth, score, w), strict=True):
            assert np.array_equal(ours, twin)


def pixels(x, y, grid):
    scaled = [(v - v.min()) / max(np.ptp(v), 1e-300) * grid for v in (x, y)]
    return np.stack(scaled, axis=1)


@pytest.mark.parametrize("digits", [None, 1])
@pytest.mark.parametrize("grid", [8, 20])
def test_thin_and_outline_stay_within_a_pixel(digits, grid):
    truth, score, weight = sample(500, digits=digits)
    for w in (None, weight):
        streams = ranking.split_sorted(truth, score, w)
        threshold, tp, fp = ranking.curve(*streams)
        whole = pixels(fp, tp, grid)
        keep = ranking.thin(fp, tp, grid)
        assert keep[0] == 0
        assert keep[-1] == fp.size - 1
        assert keep.size <= 2 * grid + 2
        shown = [whole[keep]]
        if w is None:
            outlined, *counts = ranking.outline(*streams[:2], grid=grid)
            known = np.isin(threshold, outlined)
            assert np.array_equal(threshold[known], outlined)
            assert np.array_equal([tp[known], fp[known]], counts)
            assert known[-1]
            shown.append(whole[known])
        for kept in shown:
            assert max(naive.distance_to_polyline(point, kept) for point in whole) <= 1 + 1e-9


def test_thin_degenerate():
    assert ranking.thin(np.zeros(0), np.zeros(0)).size == 0
    assert ranking.thin(np.ones(1), np.ones(1)).tolist() == [0]
    assert ranking.thin(np.ones(9), np.ones(9)).tolist() == [0, 8]


def delong(truth, score, weight=None, sampling=False):
    return ranking.delong_variance(
        ranking.merge(*ranking.split_sorted(truth, score, weight)), sampling
    )


@given(ranked(least=4))
def test_delong_agrees_with_twin(rows):
    truth, score, weight = rows
    if min(truth.sum(), (1 - truth).sum()) < 2:
        return
    auc, cov = naive.delong(truth, score, score)
    assert delong(truth, score) == pytest.approx([auc[0], cov[0, 0]], rel=1e-11, abs=1e-13)
    repeated = [np.repeat(column, weight) for column in (truth, score)]
    assert delong(truth, score, weight) == pytest.approx(delong(*repeated), rel=1e-11, abs=1e-13)


def test_delong_with_sampling_weights_ignores_their_scale():
    truth, score, weight = sample(500)
    once = delong(truth, score, weight, sampling=True)
    assert delong(truth, score, 10 * weight, sampling=True) == pytest.approx(once)
    even = delong(truth, score, np.full(500, 7.0), sampling=True)
    assert even == pytest.approx(delong(truth, score))


def test_undefined():
    nothing = np.zeros(0)
    assert np.isnan(ranking.merge(nothing, np.ones(3)).average_precision)
    assert ranking.merge(nothing, nothing).wins == 0
    assert np.isnan(delong(np.ones(3), np.arange(3))).all()
    auc, variance = delong(np.array([1, 0, 0]), np.arange(3))
    assert auc == 0
    assert np.isnan(variance)
    assert ranking.order(nothing).size == 0
