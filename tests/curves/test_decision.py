import json

import numpy as np
import pytest

from heliast import InputError, Predictions, measures
from heliast.curves import decision
from heliast.predictions.scan import NeedsRows

GRID = np.arange(1, 51) / 100


def expit(x):
    return 1 / (1 + np.exp(-x))


def sample(n=300, seed=0, base=-1.2):
    rng = np.random.default_rng(seed)
    z = rng.normal(size=n)
    forecast = expit(base + 1.5 * z)
    weaker = expit(base + z + rng.normal(size=n))
    return (rng.random(n) < forecast).astype(int), forecast, weaker


def pair(truth, one, other, **more):
    row = np.arange(truth.size)
    tables = [
        Predictions.of(truth, y_score=score, model=name, row=row, scores="probability", **more)
        for name, score in (("a", one), ("b", other))
    ]
    return tables[0].join(tables[1])


# --- the curve -------------------------------------------------------------------------------


def test_by_hand():
    # At 0.2 three are called positive, one wrongly: 2/4 - 1/4 * 1/4; at 0.5 two, one wrongly.
    table = Predictions.of([1, 0, 1, 0], y_score=[0.9, 0.8, 0.4, 0.1])
    found = decision(table, thresholds=[0.2, 0.5])
    assert found.value == pytest.approx([7 / 16, 0])
    assert found.treat_all == pytest.approx([1 / 2 - 1 / 2 * 1 / 4, 0])
    assert found.standardised == pytest.approx([7 / 8, 0])


@pytest.mark.parametrize("more", [{}, {"weight": np.arange(300) % 3 + 0.5, "weights": "sampling"}])
def test_it_is_the_measure_at_each_threshold(more):
    truth, score, _ = sample()
    score = score.round(2)  # many rows lie on a threshold
    table = Predictions.of(truth, y_score=score, **more)
    found = decision(table)
    expected = [measures.get("net_benefit", threshold=t).of(table) for t in found.threshold]
    assert found.value == pytest.approx(expected, abs=1e-12)


def test_default_thresholds_reach_half_or_the_share_of_the_class():
    truth, score, _ = sample()
    table = Predictions.of(truth, y_score=score, positive=1)
    assert decision(table).threshold.tolist() == GRID.tolist()
    other = decision(table, 0)
    assert other.class_ == 0
    assert other.threshold[-1] == pytest.approx(1 - truth.mean(), abs=0.005)
    assert other.treat_all[-1] == pytest.approx(0, abs=0.02)


def test_a_class_against_the_rest():
    rng = np.random.default_rng(0)
    scores = rng.dirichlet([1, 1, 1], 200)
    truth = np.array([rng.choice(3, p=p) for p in scores])
    found = decision(Predictions.of(truth, y_score=scores), 2)
    alone = decision(Predictions.of((truth == 2).astype(int), y_score=scores[:, 2]))
    assert found.value == pytest.approx(alone.value)
    assert found.low == pytest.approx(alone.low)
    with pytest.raises(InputError, match="which one calls for action"):
        decision(Predictions.of(truth, y_score=scores))


# --- differences -----------------------------------------------------------------------------


def test_differences_are_paired_by_row():
    truth, one, other = sample()
    table = pair(truth, one, other)
    found = decision(table, against="b")
    alone = [decision(table, model=name) for name in "ab"]
    assert found.model == "a"
    assert found.value == pytest.approx(alone[0].value - alone[1].value)
    mixed = np.random.default_rng(1).permutation(len(table))
    shuffled = Predictions.of(
        np.tile(truth, 2)[mixed],
        y_score=np.concatenate([one, other])[mixed],
        model=np.repeat(["a", "b"], truth.size)[mixed],
        row=np.tile(np.arange(truth.size), 2)[mixed],
    )
    again = decision(shuffled, model="a", against="b")
    assert again.value == pytest.approx(found.value)
    assert again.high == pytest.approx(found.high)
    turned = decision(table, model="b", against="a")
    assert turned.low == pytest.approx(-found.high)


def test_against_treating_all():
    truth, one, _ = sample()
    table = Predictions.of(truth, y_score=one)
    found, alone = decision(table, against="treat all"), decision(table)
    assert found.value == pytest.approx(alone.value - alone.treat_all)
    everyone = pair(truth, one, np.full(truth.size, 0.999))
    # The other model can never be alone in saying no, so two kinds of rows count, not four.
    wider = decision(everyone, against="b")
    assert found.value == pytest.approx(wider.value)
    assert (found.high - found.low < wider.high - wider.low).all()


def test_one_split_of_two_models():
    truth, one, other = sample(200)
    parts = {"split": np.tile(np.repeat(["train", "validation"], 100), 2)}
    table = Predictions.of(
        np.tile(truth, 2),
        y_score=np.concatenate([one, other]),
        model=np.repeat(["a", "b"], 200),
        row=np.tile(np.arange(200), 2),
        **parts,
    )
    found = decision(table, against="b", split="validation")
    expected = decision(pair(truth[100:], one[100:], other[100:]), against="b")
    assert found.low == pytest.approx(expected.low)


def test_rows_that_do_not_pair():
    truth, one, other = sample(40)
    row = np.concatenate([np.arange(40), np.arange(1, 41)])
    table = Predictions.of(
        np.concatenate([truth, truth[1:], truth[:1]]),
        y_score=np.concatenate([one, other]),
        model=np.repeat(["a", "b"], 40),
        row=row,
    )
    with pytest.raises(InputError, match="do not pair"):
        decision(table, against="b")


# --- limits ----------------------------------------------------------------------------------


def twin(truth, score, q):
    """The limits of one curve, row by row and threshold by threshold."""
    low, high, rows = [], [], list(zip(truth, score, strict=True))
    for t in GRID:
        price = t / (1 - t)
        values = [(1.0 if y else -price) if s >= t else 0.0 for y, s in rows]
        tp, fp = sum(v > 0 for v in values) + q**2 / 4, sum(v < 0 for v in values) + q**2 / 4
        n = len(values) + q**2 / 2
        mean = (tp - price * fp) / n
        half = q * np.sqrt(((tp + price**2 * fp) / n - mean**2) / n)
        low.append(min(mean - half, np.mean(values)))
        high.append(max(mean + half, np.mean(values)))
    return low, high


def test_limits_by_a_slow_twin():
    truth, score, _ = sample(120)
    found = decision(Predictions.of(truth, y_score=score))
    low, high = twin(truth, score, 1.959963984540054)
    assert found.point_low == pytest.approx(low)
    assert found.point_high == pytest.approx(high)
    low, high = twin(truth, score, found.critical)
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_the_critical_value_is_that_of_the_bootstrap():
    """Resampled rows deviate as far, in standard errors, as the Gaussian process does."""
    truth, score, _ = sample(3000)
    found = decision(Predictions.of(truth, y_score=score))
    gain = (score[:, None] >= GRID) * np.where(truth[:, None] == 1, 1.0, -GRID / (1 - GRID))
    rng = np.random.default_rng(3)
    counts = rng.multinomial(truth.size, np.full(truth.size, 1 / truth.size), 2000)
    largest = np.abs((counts @ gain / truth.size - gain.mean(0)) / gain.std(0)).max(1)
    expected = np.quantile(largest * np.sqrt(truth.size), 0.95)
    assert found.critical == pytest.approx(expected, rel=0.05)


def test_one_threshold_needs_no_band():
    truth, score, _ = sample()
    found = decision(Predictions.of(truth, y_score=score), thresholds=[0.3])
    assert found.low == pytest.approx(found.point_low)
    assert found.critical == pytest.approx(1.96, abs=0.001)


def test_nobody_called_positive_still_has_limits():
    truth, score, _ = sample()
    found = decision(Predictions.of(truth, y_score=score / 4), thresholds=[0.1, 0.4, 0.5])
    assert found.value[1:].tolist() == [0, 0]
    assert (found.low[1:] < 0).all()
    assert (found.high[1:] > 0).all()
    never = decision(Predictions.of(truth, y_score=np.zeros(300), scores="probability"))
    assert (never.high > never.low).all()


def test_counts_are_rows():
    truth, score, _ = sample(100)
    weight = np.random.default_rng(1).integers(0, 4, 100)
    table = Predictions.of(truth, y_score=score, weight=weight, weights="frequency")
    whole = Predictions.of(np.repeat(truth, weight), y_score=np.repeat(score, weight))
    found, expected = decision(table), decision(whole)
    assert found.low == pytest.approx(expected.low)
    assert found.n == weight.sum()


def test_sampling_weights_are_worth_fewer_rows():
    truth, score, _ = sample()
    weight = np.where(np.arange(300) % 2, 4.0, 1.0)
    table = Predictions.of(truth, y_score=score, weight=weight, weights="sampling")
    assert decision(table).n == pytest.approx(weight.sum() ** 2 / (weight**2).sum())
    even = Predictions.of(truth, y_score=score, weight=np.full(300, 7.0), weights="sampling")
    assert decision(even).low == pytest.approx(decision(Predictions.of(truth, y_score=score)).low)


def test_groups_of_copies_are_as_good_as_one_row():
    truth, score, _ = sample(200)
    alone = decision(Predictions.of(truth, y_score=score))
    copies = Predictions.of(
        np.repeat(truth, 5), y_score=np.repeat(score, 5), group=np.repeat(np.arange(200), 5)
    )
    found = decision(copies)
    assert found.value == pytest.approx(alone.value)
    # Student's quantile with 199 degrees of freedom, and n - 1 for n.
    assert found.high - found.low == pytest.approx(alone.high - alone.low, rel=0.03)


def test_few_groups():
    truth, score, _ = sample(200)
    found = decision(Predictions.of(truth, y_score=score, group=np.arange(200) % 4))
    assert "only 4 groups" in found.reason
    assert np.isnan(found.low).all()
    assert np.isfinite(found.value).all()
    assert json.dumps(found.to_dict())
    assert "<svg" in found.svg()
    warned = decision(Predictions.of(truth, y_score=score, group=np.arange(200) % 12))
    assert "only 12 groups" in warned.notes[0]


def test_pooled_repeats_count_rows_once():
    truth, score, _ = sample(150)
    table = Predictions.of(
        np.tile(truth, 3),
        y_score=np.tile(score, 3),
        row=np.tile(np.arange(150), 3),
        split=np.repeat([0, 1, 2], 150),
    )
    with pytest.raises(InputError, match="3 splits"):
        decision(table)
    found = decision(table, pool=True)
    assert found.n == 150
    assert found.low == pytest.approx(decision(Predictions.of(truth, y_score=score)).low)
    assert "3 splits pooled" in found.notes[0]


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize(("base", "n"), [(0.0, 200), (-1.8, 400), (-3.8, 400)])
def test_the_band_holds_the_whole_true_curve(base, n, over):
    """Calibrated and overconfident forecasts; class shares of 50, 20 and 5%."""
    z = np.random.default_rng(9).normal(size=400_000)
    risk = expit(base + 1.5 * z)
    shown = expit(2.2 * (base + 1.5 * z)) if over else risk
    called = shown[:, None] >= GRID[::7]
    true = (called * (risk[:, None] - (1 - risk[:, None]) * GRID[::7] / (1 - GRID[::7]))).mean(0)
    rng, hits, runs = np.random.default_rng(1), 0, 120
    for seed in range(runs):
        rows = rng.integers(0, z.size, n)
        truth = (rng.random(n) < risk[rows]).astype(int)
        table = Predictions.of(truth, y_score=shown[rows], positive=1, classes=[0, 1])
        found = decision(table, thresholds=GRID[::7], seed=seed)
        hits += bool(((found.low <= true) & (true <= found.high)).all())
    assert hits / runs > 0.89  # 95% less three standard errors


def test_equal_models_differ_no_more_than_by_chance():
    rng, clear, runs = np.random.default_rng(4), 0, 120
    for seed in range(runs):
        z = rng.normal(size=300)
        truth = (rng.random(300) < expit(1.5 * z - 1)).astype(int)
        views = [expit(z + rng.normal(size=300) - 1) for _ in range(2)]
        found = decision(pair(truth, *views), against="b", thresholds=GRID[::7], seed=seed)
        clear += bool(found.better or found.worse)
    assert clear / runs < 0.11


# --- views and refusals ----------------------------------------------------------------------


def test_stretches_where_the_band_is_clear_of_0():
    truth, score, _ = sample(1000)
    found = decision(Predictions.of(truth, y_score=score))
    for name, clear in (("better", found.low > 0), ("worse", found.high < 0)):
        inside = np.zeros(GRID.size, bool)
        for first, last in getattr(found, name):
            inside |= (first <= GRID) & (last >= GRID)
        assert inside.tolist() == clear.tolist()
    assert "band above 0 at 0.01 to" in repr(found)
    harm = decision(Predictions.of(1 - truth, y_score=score))
    assert harm.worse
    assert not decision(Predictions.of(truth, y_score=score), against="treat all").worse


def test_same_seed_same_band():
    truth, score, _ = sample()
    table = Predictions.of(truth, y_score=score)
    assert decision(table, seed=3).low.tolist() == decision(table, seed=3).low.tolist()
    assert json.loads(json.dumps(decision(table).to_dict()))["class_"] == 1


def test_a_table_on_disk(tmp_path):
    truth, one, other = sample()
    table = pair(truth, one, other)
    table.write(tmp_path / "p.parquet")
    scanned = Predictions.scan(tmp_path / "p.parquet")
    for against in (None, "treat all"):
        found = decision(scanned, model="a", against=against)
        expected = decision(table, model="a", against=against)
        assert found.low == pytest.approx(expected.low)
    with pytest.raises(NeedsRows):
        decision(scanned, against="b")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"thresholds": [0.2, 0.1]}, "rising numbers between 0 and 1"),
        ({"thresholds": [0.0, 0.1]}, "rising numbers between 0 and 1"),
        ({"thresholds": []}, "rising numbers between 0 and 1"),
        ({"thresholds": np.linspace(0.01, 0.9, 201)}, "at most 200"),
        ({"level": 95}, "did you mean 0.95"),
        ({"against": "c"}, "no model named 'c'"),
    ],
)
def test_refusals(options, words):
    truth, score, _ = sample()
    with pytest.raises(InputError, match=words):
        decision(Predictions.of(truth, y_score=score), **options)


def test_what_it_needs():
    truth, score, _ = sample()
    with pytest.raises(InputError, match="decision scores"):
        decision(Predictions.of(truth, y_score=score * 9, scores="decision"))
    with pytest.raises(InputError, match="fixed by design"):
        decision(Predictions.of(truth, y_score=score, design="classes"))
    rows = Predictions.of(truth, y_score=score).rows()
    assert decision(rows).value == pytest.approx(
        decision(Predictions.of(truth, y_score=score)).value
    )
    with pytest.raises(InputError, match="holds that model"):
        decision(rows, against="b")
