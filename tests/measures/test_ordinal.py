"""Classes in an order: kappas by distance, the mean absolute class error, and who may ask."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.metrics import cohen_kappa_score

import heliast as hl
from heliast import InputError, Predictions, measures
from heliast.estimates import estimate
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

MARKS = ["low", "mid", "high", "top"]
NAMES = ("kappa_linear", "kappa_quadratic", "class_mae")


def rated(n=200, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, n)
    return truth, np.clip(truth + rng.integers(-1, 2, n), 0, 3)


def table(truth, label, **more):
    names = np.array(MARKS)
    return Predictions.of(names[truth], names[label], order=MARKS, **more)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_against_scikit_learn(weights):
    truth, label = rated()
    weight = np.arange(truth.size) % 4
    asked = measures.get(f"kappa_{weights}")
    assert asked.of(table(truth, label)) == pytest.approx(
        cohen_kappa_score(truth, label, weights=weights), abs=1e-12
    )
    assert asked.of(table(truth, label, weight=weight)) == pytest.approx(
        cohen_kappa_score(truth, label, weights=weights, sample_weight=weight), abs=1e-12
    )


def test_by_hand():
    # low as low, low as high (2 places), mid as high (1), high as high: 3 places in 4 rows.
    found = table(np.array([0, 0, 1, 2]), np.array([0, 2, 2, 2]))
    assert measures.get("class_mae").of(found) == 0.75
    # By chance: truth 2,1,1 and label 1,0,3 give (2*3*2 + 1*1 + 1*3 + 1*2) / 4 = 4.5 places.
    assert measures.get("kappa_linear").of(found) == pytest.approx(1 - 3 / 4.5)
    # Squared: 5 seen, (2*3*4 + 1 + 3 + 4) / 4 = 8 by chance.
    assert measures.get("kappa_quadratic").of(found) == pytest.approx(1 - 5 / 8)


def test_of_two_classes_they_are_kappa_and_error():
    truth, label = np.array([0, 1, 1, 0, 1, 1]), np.array([0, 1, 0, 0, 1, 0])
    found = Predictions.of(truth, label, order=[0, 1])
    for name in ("kappa_linear", "kappa_quadratic"):
        one, kappa = (hl.assess(found, m).estimates[0] for m in (name, "kappa"))
        assert (one.value, one.low, one.high) == pytest.approx((kappa.value, kappa.low, kappa.high))
    error = measures.get("error").of(found)
    assert measures.get("class_mae").of(found) == pytest.approx(error)


def test_the_order_is_what_counts_and_turning_it_round_changes_nothing():
    truth, label = rated()
    names = np.array(MARKS)
    for name in NAMES:
        asked = measures.get(name)
        turned = Predictions.of(names[truth], names[label], order=MARKS[::-1])
        mixed = Predictions.of(names[truth], names[label], order=sorted(MARKS))
        assert asked.of(turned) == pytest.approx(asked.of(table(truth, label)), abs=1e-12)
        assert asked.of(mixed) != pytest.approx(asked.of(table(truth, label)), abs=1e-3)


@pytest.mark.parametrize("name", ["kappa_linear", "kappa_quadratic"])
def test_perfect_is_one_and_one_class_is_undefined(name):
    truth = np.arange(13) % 4
    assert measures.get(name).of(table(truth, truth)) == 1
    one = measures.get(name).form(Counted(table(truth * 0, truth * 0).rows()))
    assert np.isnan(one.value)
    assert "one class" in one.reason
    assert measures.get(name).of(table(truth * 0, truth * 0 + 2)) == 0


def test_shown_unasked_where_classes_are_ordered_and_only_there():
    truth, label = rated()
    shown = {one.measure for one in hl.assess(table(truth, label)).estimates}
    assert set(NAMES) <= shown
    plain = hl.assess(Predictions.of(truth, label))
    assert not set(NAMES) & {one.measure for one in plain.estimates}
    assert not any("kappa_linear" in note for note in plain.notes)
    with pytest.raises(InputError, match="order="):
        hl.assess(Predictions.of(truth, label), "kappa_linear")


def test_what_cannot_be_ordered_is_refused():
    truth, label = rated()
    with pytest.raises(InputError, match="order= names all classes: leave out classes="):
        Predictions.of(truth, label, order=[0, 1, 2, 3], classes=[0, 1, 2, 3])
    with pytest.raises(InputError, match="is for classes"):
        Predictions.of(truth, label, order=[0, 1, 2, 3], task="regression")
    with pytest.raises(InputError, match=r"unknown label 3 .*order="):
        Predictions.of(truth, label, order=[0, 1, 2])
    with pytest.raises(InputError, match="order='0123'"):
        Predictions.of(truth, label, order="0123")
    many = Predictions.of([0, 1], [0, 1], order=range(1001))
    with pytest.raises(InputError, match="task='regression'"):
        measures.get("class_mae").of(many)


def test_class_counts_fixed_by_design_need_prevalences():
    truth, label = rated()
    found = table(truth, label, design="classes")
    shares = {"low": 0.4, "mid": 0.3, "high": 0.2, "top": 0.1}
    weight = np.array([0.4, 0.3, 0.2, 0.1])[truth] / np.bincount(truth)[truth]
    for name in NAMES:
        assert "prevalences" in hl.assess(found, name).estimates[0].reason
        (one,) = hl.assess(found, name, prevalences=shares).estimates
        by_weight = measures.get(name).of(table(truth, label, weight=weight, weights="sampling"))
        assert one.value == pytest.approx(by_weight, abs=1e-12)
        assert one.low < one.value < one.high


def test_compared_and_over_splits():
    truth, label = rated(400)
    worse = np.where(np.arange(400) % 3, label, 3 - truth)
    split, row = np.arange(400) % 5, np.arange(400)
    tables = [
        table(truth, one, model=name, split=split, row=row)
        for name, one in (("good", label), ("bad", worse))
    ]
    for name in NAMES:
        (pair,) = hl.compare(tables[0].join(tables[1]), measure=name).pairs
        assert pair.p < 0.001
        (one,) = hl.assess(tables[0], name).estimates
        assert one.low < one.value < one.high


def test_the_variance_is_that_of_fleiss_cohen_and_everitt():
    truth, label = rated()
    counts = np.zeros((4, 4))
    np.add.at(counts, (truth, label), 1)
    p, n = counts / 200, 200
    away = np.abs(np.subtract.outer(range(4), range(4)))
    w = 1 - away**2 / 9
    rows, columns = w @ p.sum(axis=0), p.sum(axis=1) @ w
    seen, chance = (w * p).sum(), (w * np.outer(p.sum(axis=1), p.sum(axis=0))).sum()
    inner = w * (1 - chance) - (rows[:, None] + columns) * (1 - seen)
    centre = seen * chance - 2 * chance + seen
    variance = ((p * inner**2).sum() - centre**2) / (n * (1 - chance) ** 4)
    (one,) = hl.assess(table(truth, label), "kappa_quadratic", interval="delta").estimates
    assert one.se == pytest.approx(variance**0.5, rel=1e-10)


# --- intervals cover -----------------------------------------------------------------------


def latent(k, rho):
    """Truth and label are two correlated normals, cut into k classes of equal size."""
    cuts = np.clip(norm.ppf(np.arange(k + 1) / k), -8, 8)
    below = multivariate_normal([0, 0], [[1, rho], [rho, 1]]).cdf
    corners = np.array([[below([a, b]) for b in cuts] for a in cuts])
    return np.clip(np.diff(np.diff(corners, axis=0), axis=1), 0, None)


def skewed():
    """Most rows in the first class, misses rarer the further they go."""
    share, miss = np.array([0.6, 0.2, 0.1, 0.07, 0.03]), np.array([0.85, 0.1, 0.03, 0.015, 0.005])
    return share[:, None] * miss[np.abs(np.subtract.outer(range(5), range(5)))]


@pytest.mark.parametrize("world", [latent(5, 0.6), skewed()], ids=["latent", "skewed"])
@pytest.mark.parametrize("n", [60, 400])
def test_intervals_cover(world, n):
    chances, rng, k, drawn = (world / world.sum()).ravel(), np.random.default_rng(n), 5, 300
    whole = rows_of(np.arange(k * k), k, chances)
    for name in NAMES:
        asked = measures.get(name)
        true, covered = asked.of(whole), 0
        for _ in range(drawn):
            found = estimate(asked, Counted(rows_of(rng.choice(k * k, n, p=chances), k)))
            covered += found.low <= true <= found.high
        assert 0.92 <= covered / drawn <= 0.995, name


def rows_of(cells, k, weight=None):
    truth, label = (cells // k).astype(np.uint8), (cells % k).astype(np.uint8)
    kind = None if weight is None else "sampling"
    return Rows(
        "classification", truth, label, weight=weight, weight_kind=kind, classes=tuple(range(k)),
        ordinal=True,
    )  # fmt: skip
