import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from heliast._kernels import ranking


@given(st.integers(0, 30), st.integers(2, 11), st.integers(0, 99))
def test_every_class_is_a_binary_merge(n, k, seed):
    rng = np.random.default_rng(seed)
    truth, scores = rng.integers(0, k, n), rng.integers(0, 4, (n, k)).astype(float)
    for weight in (None, rng.integers(1, 4, n)):
        found = ranking.class_merges(truth, scores, weight)
        one = [ranking.split_sorted(truth == c, scores[:, c], weight) for c in range(k)]
        expected = [ranking.merge(*streams) for streams in one]
        assert np.array_equal(found, expected, equal_nan=True)


def test_many_rows_and_threads(monkeypatch):
    rng = np.random.default_rng(0)
    truth, scores = rng.integers(0, 3, 150_000), rng.random((150_000, 3))
    found = []
    for count in ("1", "2"):
        monkeypatch.setenv("HELIAST_THREADS", count)
        found.append(ranking.class_merges(truth, scores))
    assert found[0] == found[1]
    two = ranking.merge(*ranking.split_sorted(truth == 2, scores[:, 2]))
    assert found[0][2] == pytest.approx(two, rel=1e-14)
