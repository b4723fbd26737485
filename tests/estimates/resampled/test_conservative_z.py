"""The conservative z interval."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast import estimates
from heliast.data import simulate

TASK = simulate.two_gaussians(0.2)


@pytest.mark.parametrize("measure", ["error", "auc", "kappa"])
def test_against_the_formula(measure: str) -> None:
    plan = hl.PairedSubsampling(times=4, pairs=3, train=0.8)
    table = hl.run({"nb": GaussianNB()}, TASK.sample(100, seed=2), plan, seed=1)
    value_of = hl.measures.get(measure).of
    outer: list[float] = []
    halves: dict[tuple[int, int | None], list[float]] = {}
    for name, part in table.per_split("nb"):
        one = table.splits[name]
        if one.role == "test":
            outer.append(value_of(part))
        else:
            halves.setdefault((one.repeat, one.outer), []).append(value_of(part))
    means = {key: np.mean(values) for key, values in halves.items()}
    variance = np.mean([(means[m, 0] - means[m, 1]) ** 2 / 2 for m in range(3)])
    found = estimates.conservative_z(table, measure)
    # Kappa is no mean over rows: the tests of all subsamplings are counted together.
    pooled = value_of(replace(table.only(role="test"), split_code=None))
    assert found.value == pytest.approx(pooled if measure == "kappa" else np.mean(outer))
    assert found.se == pytest.approx(np.sqrt(variance))
    assert found.low == pytest.approx(found.value - 1.959964 * np.sqrt(variance), abs=1e-6)
    assert found.n_train == 80


def test_it_needs_pairs_of_halves() -> None:
    table = hl.run(GaussianNB(), TASK.sample(60), hl.Subsampling(4), seed=1)
    with pytest.raises(hl.InputError, match=r"a pair a repeat.*PairedSubsampling"):
        estimates.conservative_z(table)
    found = hl.assess(table, "error", interval="conservative_z")
    error = next(iter(found))
    assert np.isfinite(error.value)
    assert "PairedSubsampling" in error.reason
