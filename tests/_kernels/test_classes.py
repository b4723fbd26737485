import numpy as np
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
