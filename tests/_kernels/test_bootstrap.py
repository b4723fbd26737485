import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import bootstrap as naive

from heliast._kernels import _draws, _lanes, bootstrap, ranking


def resample_counts(n, replicate, seed):
    """How often each of n rows is among n draws with replacement: multinomial, exactly n in all."""
    out = np.empty(n, np.int32)
    _draws.multinomial(n, bootstrap._word(seed), replicate, out)
    return out


def poisson_counts(n, replicate, seed):
    """Poisson(1) counts of n rows, to 2^-16: one lane of the many."""
    words = bootstrap._words(seed)
    row, lane = _lanes.row_keys(words, np.arange(n)), _lanes.lane_keys(words, replicate & ~1)
    weight = np.empty((n, _lanes.LANES), np.uint16)
    _lanes._draw(row, lane, np.empty((n, _lanes.HALF), np.uint32), weight)
    return weight[:, replicate & 1].astype(np.int32)


def group_counts(groups, replicates, seed):
    """(replicates, groups): how often each group is among as many draws of groups."""
    return np.stack([resample_counts(groups, number, seed) for number in range(replicates)])


@st.composite
def ranked(draw):
    """Scores with ties of every length, on whose borders the rows labelled positive end."""
    n = draw(st.integers(1, 150))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    truth = (rng.random(n) < draw(st.sampled_from([0.1, 0.5, 1.0]))).astype(np.uint8)
    score = rng.integers(0, draw(st.sampled_from([1, 2, 5, 40, 10_000])), n).astype(float)
    return truth, score, rng.integers(0, 9, n).astype(float), float(rng.choice(score))


def sample(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(np.uint8)
    score = rng.normal(size=n) + truth
    return truth, score if digits is None else score.round(digits), rng.gamma(1, size=n)


@pytest.mark.parametrize("seed", [0, 2**70 + 1])
@pytest.mark.parametrize("replicate", [0, 1, 77])
def test_counts_agree_with_twin(seed, replicate):
    for n in (0, 1, 7, 300):
        poisson = poisson_counts(n, replicate, seed)
        assert poisson.tolist() == naive.poisson(n, replicate, seed)
        counts = resample_counts(n, replicate, seed)
        assert counts.tolist() == naive.multinomial(n, replicate, seed)
        assert counts.sum() == n


def test_poisson_is_rounded_to_a_mean_of_one():
    above = 65536 - np.array(naive.borders())
    assert above.sum() == 65536
    assert ((2 * np.arange(8) + 1) * above).sum() / 65536 - 1 == pytest.approx(1, abs=1e-4)


def test_moments_of_counts():
    n, replicates = 2000, 400
    for draw in (poisson_counts, resample_counts):
        counts = np.array([draw(n, replicate, 5) for replicate in range(replicates)], float)
        size = counts.size
        assert counts.mean() == pytest.approx(1, abs=5 / size**0.5)
        assert counts.var() == pytest.approx(1, abs=5 * 1.8 / size**0.5)
        assert ((counts - 1) ** 3).mean() == pytest.approx(1, abs=5 * 10 / size**0.5)
        # Neighbouring rows, neighbouring replicates (which may share a hash), every row its mean.
        for a, b in ((counts[:, 1:], counts[:, :-1]), (counts[1:], counts[:-1])):
            assert np.mean((a - 1) * (b - 1)) == pytest.approx(0, abs=5 / size**0.5)
        assert abs(counts.mean(axis=0) - 1).max() < 5.5 / replicates**0.5


def check_ranked(rows, found, counts):
    truth, score, loss, threshold = rows
    for replicate in (0, 1, 65):
        twin = naive.ranked(truth, score, loss, score >= threshold, counts(replicate))
        ours = [column[replicate] for column in found]
        assert ours[:6] == twin[:6]
        assert ours[6] == pytest.approx(twin[6], rel=1e-12, nan_ok=True)


def arrange(rows, group=None):
    truth, score, loss, threshold = rows
    return bootstrap.rank_rows(truth, score, loss, group, above=int((score >= threshold).sum()))


@given(ranked())
@settings(max_examples=40)
def test_exact_replicates_agree_with_twin(rows):
    found = bootstrap.ranked_replicates(arrange(rows), 66, seed=1, average_precision=True)
    n = rows[0].size
    check_ranked(rows, found, lambda replicate: resample_counts(n, replicate, 1))


@given(ranked())
@settings(max_examples=60)
def test_lane_replicates_agree_with_twin(rows):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "EXACT", 0)
        found = bootstrap.ranked_replicates(arrange(rows), 66, seed=1, average_precision=True)
    n = rows[0].size
    check_ranked(rows, found, lambda replicate: poisson_counts(n, replicate, 1))


@given(ranked(), st.integers(1, 9))
@settings(max_examples=30)
def test_group_replicates_agree_with_twin(rows, groups):
    group = np.arange(rows[0].size) % groups
    found = bootstrap.ranked_replicates(arrange(rows, group), 66, seed=1, average_precision=True)
    counts = group_counts(group.max() + 1, 66, seed=1)
    check_ranked(rows, found, lambda replicate: counts[replicate][group])


def test_no_rows_and_no_loss():
    nothing = np.zeros(0)
    rows = bootstrap.rank_rows(nothing, nothing)
    found = bootstrap.ranked_replicates(rows, 3, seed=0, average_precision=True)
    assert found.wins.tolist() == [0, 0, 0]
    assert np.isnan(found.loss).all()
    assert np.isnan(found.average_precision).all()
    assert bootstrap.feature_replicates(np.zeros((0, 2)), 3, seed=0).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("digits", [None, 2, 0])
def test_many_rows_in_lanes(digits):
    """Every lane and block of a long table, against the scalar kernel."""
    truth, score, loss = sample(70_000, digits=digits)
    rows = bootstrap.rank_rows(truth, score, loss, above=int((score >= 1).sum()))
    found = bootstrap.ranked_replicates(rows, 130, seed=9, average_precision=True)
    counts = poisson_counts(70_000, 129, 9)
    group = counts.astype(float)
    sums = ranking.merge(*ranking.split_sorted(truth, score, group))
    assert found.positive[129] == sums.positive
    assert found.wins[129] == sums.wins
    assert found.average_precision[129] == pytest.approx(sums.average_precision, rel=1e-12)
    assert found.true_positive[129] == counts[(truth == 1) & (score >= 1)].sum()
    assert found.loss[129] == pytest.approx((counts * loss).sum(), rel=1e-12)


@pytest.mark.parametrize("n", [2000, 70_000])
def test_threads_and_number_of_replicates_change_nothing(monkeypatch, n):
    truth, score, loss = sample(n)
    rows = bootstrap.rank_rows(truth, score, loss, above=5)
    found = []
    for threads, replicates in (("1", 140), ("2", 140), ("2", 70)):
        monkeypatch.setenv("HELIAST_THREADS", threads)
        columns = bootstrap.ranked_replicates(rows, replicates, seed=2, average_precision=True)
        means = bootstrap.mean_replicates(loss, replicates, seed=2)
        groups = group_counts(50, replicates, seed=2).sum(axis=1)
        found.append(np.array([*columns, means, groups])[:, :70])
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.parametrize("n", [300, 70_000])
def test_features_and_ranks_share_their_counts(n):
    truth, score, loss = sample(n)
    found = bootstrap.ranked_replicates(bootstrap.rank_rows(truth, score, loss), 9, seed=4)
    features = np.stack([loss, truth, np.ones(n)], axis=1)
    sums = bootstrap.feature_replicates(features, 9, seed=4)
    assert sums[:, 0] == pytest.approx(found.loss, rel=1e-12)
    assert np.array_equal(sums[:, 1], found.positive)
    assert np.array_equal(sums[:, 2], found.positive + found.negative)
    means = bootstrap.mean_replicates(loss, 9, seed=4)
    assert means == pytest.approx(sums[:, 0] / sums[:, 2])


@pytest.mark.parametrize("n", [3000, 70_000])
def test_spread_agrees_with_theory(n):
    """A standard deviation from 1,000 replicates is right to 2.2%; allow 9%."""
    truth, score, loss = sample(n)
    found = bootstrap.ranked_replicates(bootstrap.rank_rows(truth, score, loss), 1000, seed=11)
    auc = found.wins / (found.positive * found.negative)
    sums = ranking.merge(*ranking.split_sorted(truth, score))
    value, variance = ranking.delong_variance(sums)
    assert auc.std() == pytest.approx(variance**0.5, rel=0.09)
    assert auc.mean() == pytest.approx(value, abs=5 * (variance / 1000) ** 0.5)
    means = bootstrap.mean_replicates(loss, 1000, seed=11)
    assert means.std() == pytest.approx(loss.std() / n**0.5, rel=0.09)


def test_tables():
    tables = bootstrap.table_replicates(np.array([[70, 10], [0, 20]]), 4000, seed=1)
    assert tables.shape == (4000, 4)
    assert (tables.sum(axis=1) == 100).all()
    assert (tables[:, 2] == 0).all()
    assert tables.mean(axis=0) == pytest.approx([70, 10, 0, 20], abs=0.4)
    assert tables[:, 0].var() == pytest.approx(100 * 0.7 * 0.3, rel=0.1)
    assert np.array_equal(tables, bootstrap.table_replicates([70, 10, 0, 20], 4000, seed=1))
    assert bootstrap.table_replicates([0, 0], 2, seed=1).tolist() == [[0, 0], [0, 0]]
