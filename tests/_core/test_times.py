import numpy as np
import pytest

from heliast._core.times import long_run


def slowly(sums: list[float]) -> tuple[float, float]:
    """Variance of the sum and degrees of freedom, term by term."""
    n, mean = len(sums), sum(sums) / len(sums)
    away = [one - mean for one in sums]
    r = sum(away[t] * away[t - 1] for t in range(1, n)) / sum(one**2 for one in away)
    r = min(max(r, 0.0), 0.97)
    rest = [away[t] - r * away[t - 1] for t in range(1, n)]
    m = n - 1
    b = max(1, int(0.41 * m ** (2 / 3)))
    squares = 0.0
    for j in range(1, b + 1):
        wave = [np.cos(np.pi * j * (t + 0.5) / m) * rest[t] for t in range(m)]
        squares += 2 / m * sum(wave) ** 2
    return n * squares / b / (1 - r) ** 2, 2 / (2 / b + 4 * (1 + r) / ((1 - r) * m))


@pytest.mark.parametrize("strength", [-0.5, 0.0, 0.7])
def test_the_long_run_variance_is_that_of_the_sums_written_out(strength) -> None:
    rng = np.random.default_rng(3)
    sums = rng.normal(size=60)
    for t in range(1, 60):
        sums[t] += strength * sums[t - 1]
    units, df = long_run(sums[None])
    assert (float((units**2).sum()), df) == pytest.approx(slowly(sums.tolist()))


def test_two_estimates_have_the_covariance_of_their_sum_and_difference() -> None:
    rng = np.random.default_rng(4)
    a = rng.normal(size=80)
    units, _ = long_run(np.stack([a, 2 * a]))
    found = units @ units.T
    assert found[0, 1] == pytest.approx(2 * found[0, 0])
    assert found[1, 1] == pytest.approx(4 * found[0, 0])


def test_sums_that_do_not_vary_have_no_variance() -> None:
    assert not long_run(np.zeros((1, 30)))[0].any()


def test_a_slow_component_under_noise_is_seen() -> None:
    """An autoregression of order one sees a tenth of the variance of this sum."""
    rng = np.random.default_rng(6)
    slow = np.zeros(4000)
    for t in range(1, slow.size):
        slow[t] = 0.95 * slow[t - 1] + rng.normal()
    sums = slow * np.sqrt(1 - 0.95**2) + rng.normal(size=slow.size)
    units, _ = long_run(sums[None])
    true = slow.size * (1 + 1.95 / 0.05)
    assert float((units**2).sum()) == pytest.approx(true, rel=0.4)
