import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression

from heliast import InputError, Predictions, measures
from heliast.measures.summaries import Counted, Reliability


def form(name, table, **parameters):
    return measures.get(name, **parameters).form(Counted(table.rows()))


def sample(n=300, seed=0, digits=3, power=1.5):
    rng = np.random.default_rng(seed)
    score = rng.random(n).round(digits).clip(0.001, 0.999)
    return (rng.random(n) < score**power).astype(int), score, rng.integers(1, 4, n)


# --- the plug-in values ----------------------------------------------------------------------


@pytest.mark.parametrize("digits", [3, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_brier_is_calibration_and_refinement(digits, weighted):
    truth, score, weight = sample(90, 2, digits)
    weight = weight if weighted else np.ones(truth.size)
    table = Predictions.of(truth, y_score=score, weight=weight)
    whole, refinement = (measures.get(name).of(table) for name in ("brier", "brier_refinement"))
    calibration = measures.get("brier_calibration", debias=False).of(table)
    assert calibration + refinement == pytest.approx(whole)
    fitted = IsotonicRegression().fit(score, truth, sample_weight=weight).predict(score)
    assert refinement == pytest.approx(np.average((fitted - truth) ** 2, weights=weight))


def test_ece_by_hand():
    # Bins 0 to 0.5 (forecasts 0.1, 0.3, one outcome) and 0.5 to 1 (0.5, 1.0, both outcomes).
    table = Predictions.of([0, 1, 1, 1], y_score=[0.1, 0.3, 0.5, 1.0])
    expected = 0.5 * abs(0.2 - 0.5) + 0.5 * abs(0.75 - 1)
    assert form("ece", table, bins=2, debias=False).value == pytest.approx(expected)


def test_ece_of_several_classes_judges_the_largest_probability():
    table = Predictions.of(
        ["a", "b"], y_score=[[0.7, 0.2, 0.1], [0.6, 0.3, 0.1]], classes=["a", "b", "c"]
    )
    expected = 0.5 * abs(0.7 - 1) + 0.5 * abs(0.6 - 0)
    assert form("ece", table, debias=False).value == pytest.approx(expected)


@pytest.mark.parametrize("bins", [0, -1, 2.5])
def test_refuses_bins_that_are_not_a_count(bins):
    with pytest.raises(InputError, match=f"ece: bins={bins} must be a whole number, at least 1"):
        form("ece", Predictions.of([1, 0], y_score=[0.9, 0.2]), bins=bins)


# --- with the noise taken out ----------------------------------------------------------------


def test_calibrated_forecasts_have_no_calibration_error():
    table = Predictions.of([0, 0, 0, 1, 0, 1, 1, 1], y_score=[0.25] * 4 + [0.75] * 4)
    for debias in (False, True):
        for name in ("ece", "brier_calibration"):
            found = measures.get(name, debias=debias).of(table)
            assert found == pytest.approx(0, abs=1e-15), name
    assert measures.get("brier_refinement").of(table) == pytest.approx(0.25 * 0.75)


def test_squares_are_products_of_different_rows():
    """The mean over bins of x_i x_j, i and j different rows of one bin: no row meets itself."""
    truth, score, _ = sample(power=3)
    rows = Predictions.of(truth, y_score=score).rows()
    bins = round(2 * np.cbrt(truth.size))
    place = Reliability.places(rows, bins, "spread")
    mass = np.bincount(place, weights=np.sqrt(score * (1 - score) + 1e-4))
    assert np.ptp(mass) < 0.2 * mass.mean()  # borders and ties aside, bins are of one mass
    expected = 0.0
    for one in range(bins):
        gap = (score - truth)[place == one]
        products = np.outer(gap, gap)
        pairs = products.sum() - np.trace(products)
        expected += gap.size / truth.size * pairs / (gap.size * (gap.size - 1))
    assert measures.get("brier_calibration").of(rows) == pytest.approx(expected)


def test_absolute_gaps_are_shrunk_until_noise_explains_the_rest():
    truth, score, _ = sample(power=3)
    table = Predictions.of(truth, y_score=score)
    plain, value = (measures.get("ece", debias=which).of(table) for which in (False, True))
    found = Reliability.of(table.rows()).filled
    noise = np.random.default_rng(1).normal(size=(200_000, found.gap.size)) * np.sqrt(found.noise)
    sizes = np.abs(found.gap * value / plain + noise).sum(axis=1)
    assert sizes.mean() == pytest.approx(plain, abs=4 * sizes.std() / np.sqrt(sizes.size))
    assert 0 < value < plain


def test_the_noise_of_a_gap():
    truth, score, weight = sample(60, digits=1)
    for kind in ("frequency", "sampling"):
        rows = Predictions.of(truth, y_score=score, weight=weight, weights=kind).rows()
        found, place = Reliability.of(rows, 4), Reliability.places(rows, 4)
        heavy = weight if kind == "frequency" else weight**2
        for one in range(4):
            w, h, x = (part[place == one] for part in (weight, heavy, score - truth))
            mean = np.average(x, weights=w)
            own = w.sum() ** 2 / h.sum()
            expected = (h * (x - mean) ** 2).sum() * own / (own - 1) / weight.sum() ** 2
            assert found.spread[one] == pytest.approx(expected)
            assert found.gap[one] == pytest.approx((w * x).sum() / weight.sum())


def test_a_bin_in_which_nothing_happened_is_not_certain():
    rows = Predictions.of([0] * 50, y_score=[0.02] * 50, classes=[0, 1], positive=1).rows()
    found = Reliability.of(rows).filled
    assert found.spread == pytest.approx([0.0], abs=1e-15)
    assert found.noise == pytest.approx([0.02 * 0.98 / 50])


@pytest.mark.parametrize("name", ["ece", "brier_calibration"])
def test_means_near_the_truth(name):
    """150 samples of 1,000 rows: calibrated ones near 0, overconfident ones near their truth."""
    rng = np.random.default_rng(3)
    for slope, bound in ((1.0, 0.5), (0.5, 0.15)):
        score = rng.beta(2, 2, (150, 1000))
        chance = 1 / (1 + (1 / score - 1) ** slope)
        away = np.abs(score - chance).mean() if name == "ece" else ((score - chance) ** 2).mean()
        tables = [
            Predictions.of((rng.random(1000) < t).astype(int), y_score=q, scores="probability")
            for q, t in zip(score, chance, strict=True)
        ]
        value, plug_in = (
            np.mean([measures.get(name, debias=which).of(table) for table in tables])
            for which in (True, False)
        )
        assert abs(value - away) < bound * (plug_in if slope == 1 else away)
