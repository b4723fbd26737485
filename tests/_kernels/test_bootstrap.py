import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import bootstrap as naive

from heliast._kernels import bootstrap, ranking


def resample_counts(n, replicate, seed):
    """How often each of n rows is among n draws with replacement: multinomial, exactly n in all."""
    return np.array(naive.multinomial(n, replicate, seed), int)


def counts_of(n, replicates, seed):
    """(replicates, n): how often each row was drawn, seen by a feature that is one row's own."""
    return bootstrap.feature_replicates(np.eye(n), replicates, seed)


def poisson_counts_of(n, replicates, seed):
    """The same of Poisson counts, seen by a positive class of one row."""
    rows = [bootstrap.rank_rows(np.arange(n) == i, np.zeros(n)) for i in range(n)]
    return np.array([bootstrap.ranked_replicates(row, replicates, seed)[0] for row in rows]).T


@pytest.fixture
def poisson():
    """Compiled loops from the first row on."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bootstrap, "LARGE", 0)
        yield


@st.composite
def ranked(draw):
    """Scores with ties of every length."""
    n = draw(st.integers(1, 150))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    truth = (rng.random(n) < draw(st.sampled_from([0.1, 0.5, 1.0]))).astype(np.uint8)
    score = rng.integers(0, draw(st.sampled_from([1, 2, 5, 40, 10_000])), n).astype(float)
    return truth, score, rng.integers(0, 9, n).astype(float)


def sample(n, seed=0, digits=None):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.4).astype(np.uint8)
    score = rng.normal(size=n) + truth
    return truth, score if digits is None else score.round(digits), rng.gamma(1, size=n)


@pytest.mark.parametrize("seed", [0, 2**70 + 1])
@pytest.mark.parametrize("n", [1, 7, 300])
def test_counts_agree_with_twin(seed, n):
    for replicate, counts in enumerate(counts_of(n, 78, seed)):
        if replicate in (0, 1, 77):
            assert counts.tolist() == naive.multinomial(n, replicate, seed)
        assert counts.sum() == n


@pytest.mark.parametrize("seed", [0, 2**70 + 1])
@pytest.mark.parametrize("n", [1, 7, 300])
def test_poisson_counts_agree_with_twin(seed, n, poisson):
    counts = poisson_counts_of(n, 78, seed)
    for replicate in (0, 1, 77):
        assert counts[replicate].tolist() == naive.poisson(n, replicate, seed)


def test_poisson_is_rounded_to_a_mean_of_one():
    above = 65536 - np.array(naive.borders())
    assert above.sum() == 65536
    assert ((2 * np.arange(8) + 1) * above).sum() / 65536 - 1 == pytest.approx(1, abs=1e-4)


def check_moments(counts):
    replicates, size = len(counts), counts.size
    assert counts.mean() == pytest.approx(1, abs=5 / size**0.5)
    assert counts.var() == pytest.approx(1, abs=5 * 1.8 / size**0.5)
    assert ((counts - 1) ** 3).mean() == pytest.approx(1, abs=5 * 10 / size**0.5)
    # Neighbouring rows, neighbouring replicates (which may share a hash), every row its mean.
    for a, b in ((counts[:, 1:], counts[:, :-1]), (counts[1:], counts[:-1])):
        assert np.mean((a - 1) * (b - 1)) == pytest.approx(0, abs=5 / size**0.5)
    assert abs(counts.mean(axis=0) - 1).max() < 5.5 / replicates**0.5


def test_moments_of_counts():
    check_moments(counts_of(1000, 400, 5))


def test_moments_of_poisson_counts(poisson):
    check_moments(poisson_counts_of(1000, 400, 5))


RANKS = [0, 1, 2]


def check_ranked(rows, found, counts, sums=range(4)):
    truth, score, loss = rows
    for replicate in (0, 1, 65):
        twin = naive.ranked(truth, score, loss, counts(replicate))
        ours = [column[replicate] for column in found]
        assert [ours[i] for i in sums] == [twin[i] for i in sums]
        assert ours[4] == pytest.approx(twin[4], rel=1e-12, nan_ok=True)


@given(ranked())
@settings(max_examples=40)
def test_exact_replicates_agree_with_twin(rows):
    truth, score, *_ = rows
    found = bootstrap.ranked_replicates(
        bootstrap.rank_rows(truth, score), 66, seed=1, average_precision=True
    )
    check_ranked(rows, found, lambda replicate: resample_counts(truth.size, replicate, 1), RANKS)


@given(ranked(), st.integers(1, 9))
@settings(max_examples=30)
def test_group_replicates_agree_with_twin(rows, groups):
    truth, score, *_ = rows
    group = np.arange(truth.size) % groups
    arranged = bootstrap.rank_rows(truth, score, group=group)
    found = bootstrap.ranked_replicates(arranged, 66, seed=1, average_precision=True)
    counts = counts_of(group.max() + 1, 66, seed=1).astype(int)
    check_ranked(rows, found, lambda replicate: counts[replicate][group], RANKS)


@given(ranked())
@settings(max_examples=60)
def test_poisson_replicates_agree_with_twin(rows):
    truth, score, loss = rows
    arranged = bootstrap.rank_rows(truth, score, loss)
    found = bootstrap.ranked_replicates(arranged, 66, seed=1, average_precision=True)
    check_ranked(rows, found, lambda replicate: naive.poisson(truth.size, replicate, 1))


def test_no_rows():
    nothing = np.zeros(0)
    rows = bootstrap.rank_rows(nothing, nothing)
    found = bootstrap.ranked_replicates(rows, 3, seed=0, average_precision=True)
    assert np.isnan(found).all()
    assert bootstrap.feature_replicates(np.zeros((0, 2)), 3, seed=0).tolist() == [[0, 0]] * 3


@pytest.mark.parametrize("digits", [None, 2, 0])
def test_many_rows(digits, poisson):
    """Every lane and block of a long table, against sums weighted by its own counts."""
    n = 20_000
    truth, score, loss = sample(n, digits=digits)
    rows = bootstrap.rank_rows(truth, score, loss)
    found = bootstrap.ranked_replicates(rows, 130, seed=9, average_precision=True)
    counts = np.array(naive.poisson(n, 129, 9))
    sums = ranking.merge(*ranking.split_sorted(truth, score, counts.astype(float)))
    assert found.positive[129] == sums.positive
    assert found.wins[129] == sums.wins
    assert found.average_precision[129] == pytest.approx(sums.average_precision, rel=1e-12)
    assert found.loss[129] == pytest.approx((counts * loss).sum(), rel=1e-12)


@pytest.mark.parametrize("has_loss", [False, True])
def test_threads_and_number_of_replicates_change_nothing(monkeypatch, has_loss):
    truth, score, loss = sample(2000)
    rows = bootstrap.rank_rows(truth, score, loss if has_loss else None)
    found = []
    for threads, replicates in (("1", 140), ("2", 140), ("2", 70)):
        monkeypatch.setenv("HELIAST_THREADS", threads)
        columns = bootstrap.ranked_replicates(rows, replicates, seed=2, average_precision=True)
        means = bootstrap.mean_replicates(loss, replicates, seed=2)
        found.append(np.array([*columns, means])[:, :70])
    assert np.array_equal(found[0], found[1], equal_nan=True)
    # Sums of losses are those of another block.
    assert np.allclose(found[0], found[2], rtol=1e-14, atol=0, equal_nan=True)


def test_features_and_ranks_share_their_counts():
    truth, score, loss = sample(300)
    found = bootstrap.ranked_replicates(bootstrap.rank_rows(truth, score), 9, seed=4)
    features = np.stack([loss, truth, np.ones(300)], axis=1)
    sums = bootstrap.feature_replicates(features, 9, seed=4)
    assert np.array_equal(sums[:, 1], found.positive)
    assert np.array_equal(sums[:, 2], found.positive + found.negative)
    means = bootstrap.mean_replicates(loss, 9, seed=4)
    assert means == pytest.approx(sums[:, 0] / sums[:, 2])


@pytest.mark.parametrize("n", [3000, 210_000])
def test_spread_agrees_with_theory(n):
    """A standard deviation from 1,000 replicates is right to 2.2%; allow 9%."""
    truth, score, loss = sample(n)
    found = bootstrap.ranked_replicates(bootstrap.rank_rows(truth, score), 1000, seed=11)
    auc = found.wins / (found.positive * found.negative)
    sums = ranking.merge(*ranking.split_sorted(truth, score))
    value, variance = ranking.delong_variance(sums)
    assert auc.std() == pytest.approx(variance**0.5, rel=0.09)
    assert auc.mean() == pytest.approx(value, abs=5 * (variance / 1000) ** 0.5)
    if n < bootstrap.LARGE:
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
