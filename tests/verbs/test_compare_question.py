"""compare answers the whole question: class shares of the population, costs, thresholds, roles."""

import subprocess
import sys
from math import sqrt

import numpy as np
import pytest
from scipy.stats import t
from tests.verbs.paired_tables import TWO, errs, table

import heliast as hl
from heliast.verbs.compare import compare
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models

SHARES = {"no": 0.9, "yes": 0.1}


def probable(n: tuple[int, int] = (60, 30), seed: int = 2, **fields: object) -> hl.Predictions:
    """Two models with probabilities, n rows of each class fixed."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(["no", "yes"], n)
    joined = None
    for name, sharp in (("x", 1.5), ("y", 0.7)):
        logit = sharp * (np.where(truth == "yes", 1, -1) + rng.normal(size=truth.size))
        part = hl.Predictions.of(
            truth, y_score=1 / (1 + np.exp(-logit)), positive="yes", scores="probability",
            model=name, row=range(truth.size), design="classes", **fields,
        )  # fmt: skip
        joined = part if joined is None else joined.join(part)
    assert joined is not None
    return joined


def by_the_plain_formula(gap: np.ndarray, truth: np.ndarray) -> tuple[float, float, float]:
    """sum pi_k d_k, its standard error sqrt(sum pi_k^2 s_k^2 / n_k), and Satterthwaite's df."""
    parts = [(0.9, gap[truth == 0]), (0.1, gap[truth == 1])]
    variances = [share**2 * part.var(ddof=1) / part.size for share, part in parts]
    below = sum(v**2 / (part.size - 1) for v, (_, part) in zip(variances, parts, strict=True))
    return (
        sum(share * part.mean() for share, part in parts),
        sqrt(sum(variances)),
        sum(variances) ** 2 / below,
    )


@pytest.mark.parametrize("measure", ["brier", "log_loss"])
def test_losses_under_class_shares_are_the_stratified_mean(measure: str) -> None:
    both = probable()
    rows = {name: both.rows(name) for name in "xy"}
    chance = {name: one.score_of(1) for name, one in rows.items()}
    truth = rows["x"].y_true
    loss = {
        name: (p - truth) ** 2 if measure == "brier" else -np.log(np.where(truth == 1, p, 1 - p))
        for name, p in chance.items()
    }
    value, se, df = by_the_plain_formula(loss["x"] - loss["y"], truth)
    found = compare(both, measure, prevalences=SHARES)["x", "y"]
    assert found.value == pytest.approx(value, rel=1e-12)
    assert found.df == pytest.approx(df, rel=1e-9)
    half = t.ppf(0.975, df) * se
    # Student's interval, or a little further where the differences are skewed.
    assert found.low <= value - half * (1 - 1e-9)
    assert found.high >= value + half * (1 - 1e-9)
    assert found.high - found.low < 2.3 * half
    assert found.p >= 2 * t.sf(abs(value) / se, df) * (1 - 1e-9)
    assert "within classes" in compare(both, measure, prevalences=SHARES).reason_for_test


def test_equal_in_the_table_but_not_in_the_population() -> None:
    """Each errs on a fifth of one class: 18% and 2% where the classes are 90 and 10%."""
    truth = np.array(["no", "yes"] * 100)
    fifth = np.arange(200) % 10 < 2
    wrong = {"x": fifth & (truth == "no"), "y": fifth & (truth == "yes")}
    fixed = table(wrong, design="classes")
    found = compare(fixed, prevalences=SHARES)["x", "y"]
    rate = {n: [w[truth == k].mean() for k in ("no", "yes")] for n, w in wrong.items()}
    want = 0.9 * (rate["x"][0] - rate["y"][0]) + 0.1 * (rate["x"][1] - rate["y"][1])
    assert found.value == pytest.approx(want)
    assert found.worse
    assert found.test == "square_and_add"
    gap = wrong["x"].astype(float) - wrong["y"]
    _, se, _ = by_the_plain_formula(gap, (truth == "yes").astype(int))
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * se, rel=0.2)
    drawn = compare(fixed, test="bootstrap", prevalences=SHARES)["x", "y"]
    assert drawn.value == pytest.approx(want)
    assert (drawn.low, drawn.high) == pytest.approx((found.low, found.high), abs=0.03)


def test_shares_as_in_the_rows_change_no_value() -> None:
    half = {"no": 0.5, "yes": 0.5}
    for measure in ("error", "f1", "kappa", "recall", "balanced_accuracy"):
        plain = compare(table(TWO), measure)["tree", "knn"]
        shared = compare(table(TWO), measure, prevalences=half)["tree", "knn"]
        assert shared.value == pytest.approx(plain.value, rel=1e-9)
        assert (shared.low, shared.high) == pytest.approx((plain.low, plain.high), abs=0.02)


def test_ranks_do_not_depend_on_class_shares() -> None:
    both = probable()
    plain, shared = (compare(both, "auc", prevalences=s)["x", "y"] for s in (None, SHARES))
    assert (plain.value, plain.low, plain.high, plain.p) == (
        shared.value, shared.low, shared.high, shared.p,
    )  # fmt: skip


def test_class_shares_over_folds_are_those_of_each_split() -> None:
    both = probable((100, 50))
    rng = np.random.default_rng(0)
    split = np.empty(150, int)
    for rows in (np.arange(100), np.arange(100, 150)):
        split[rows] = rng.permutation(np.arange(rows.size) % 10)
    parts = [
        hl.Predictions.of(
            one.y_true, y_score=one.score_of(1), positive=1, scores="probability", model=name,
            row=range(150), split=split, design="classes",
        )
        for name, one in ((name, both.rows(name)) for name in "xy")
    ]  # fmt: skip
    folds = parts[0].join(parts[1])
    shares = {0: 0.9, 1: 0.1}
    found = compare(folds, "error", prevalences=shares)["x", "y"]
    values = []
    for one in range(10):
        gap = [
            (part.y_pred[split == one] != part.y_true[split == one]).astype(float) for part in parts
        ]
        truth = parts[0].y_true[split == one]
        values.append(
            sum(pi * (gap[0] - gap[1])[truth == k].mean() for k, pi in enumerate((0.9, 0.1)))
        )
    assert found.value == pytest.approx(np.mean(values), rel=1e-9)
    # The shares are given: what varies is the rows within their classes.
    wrong = [np.asarray(part.y_pred != part.y_true, float) for part in parts]
    psi = np.zeros(150)
    for k, pi in enumerate((0.9, 0.1)):
        mine = parts[0].y_true == k
        gap = (wrong[0] - wrong[1])[mine]
        psi[mine] = pi * 150 / mine.sum() * (gap - gap.mean())
    least = float((psi**2).sum()) / 150**2
    half = t.ppf(0.975, found.df) * sqrt(1.7 * least)  # training rows are shared
    assert 0.99 * half < (found.high - found.low) / 2 < 1.5 * half


def test_what_is_not_valid_for_fixed_class_counts_is_refused_by_name() -> None:
    fixed = table(TWO, design="classes")
    for name in ("mcnemar", "permutation"):
        with pytest.raises(hl.InputError, match=f"test='{name}' .*fixed by design"):
            compare(fixed, test=name, prevalences=SHARES)
    with pytest.raises(hl.NotEnoughData, match="give prevalences="):
        compare(fixed)
    with pytest.raises(hl.InputError, match="one share for each class"):
        compare(fixed, "recall", prevalences={"no": 0.5, "maybe": 0.5})
    lone = probable((40, 1))
    found = compare(lone, "brier", prevalences=SHARES)["x", "y"]
    assert np.isnan(found.p)
    assert "one row" in found.reason


def test_groups_of_fixed_classes_are_drawn_whole() -> None:
    """Rows of a group go together, so draws of single rows would vary too little."""
    group = np.arange(200) // 10
    wrong = {"x": errs((0, 40)), "y": errs((0, 10), (100, 110))}
    fixed = table(wrong, design="classes", group=group)
    drawn = compare(fixed, "balanced_accuracy", "bootstrap")["x", "y"]
    usual = compare(fixed, "balanced_accuracy")["x", "y"]
    assert drawn.high - drawn.low == pytest.approx(usual.high - usual.low, rel=0.25)


def test_costs_and_thresholds_that_change_nothing_are_refused_by_name() -> None:
    both = probable()
    with pytest.raises(hl.InputError, match=r"cost: error"):
        compare(both, "error", cost=[[0, 1], [5, 0]])
    for measure in ("auc", "log_loss", "brier"):
        with pytest.raises(hl.InputError, match=r"threshold=0\.3.*" + measure):
            compare(both, measure, threshold=0.3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'interval'"):
        compare(both, interval="wilson")
    with pytest.raises(hl.InputError, match="out-of-sample rows"):
        compare_models(both, Options(in_train=1))


def test_validation_rows_are_compared_if_asked_for() -> None:
    rng = np.random.default_rng(0)
    data = hl.Dataset.of(rng.normal(size=(150, 2)), np.arange(150) % 2)
    from sklearn.dummy import DummyClassifier
    from sklearn.naive_bayes import GaussianNB

    models = {"bayes": GaussianNB(), "dummy": DummyClassifier()}
    both = hl.run(models, data, hl.ThreeWay(), seed=1, progress=False)
    found = compare(both, role="validation")["bayes", "dummy"]
    held = both.only(role="validation")
    error = [hl.measures.get("error").of(held.only(name)) for name in models]
    assert found.value == pytest.approx(error[0] - error[1])
    assert found.n == len(held.only("bayes"))


def test_rows_that_do_not_pair_are_refused_without_asserts_too() -> None:
    code = (
        "import numpy as np, heliast as hl\n"
        "y_true, split = np.arange(40) % 2, np.repeat(np.arange(4), 10)\n"
        "both = hl.Predictions.of(np.r_[y_true, 1 - y_true], np.r_[y_true, y_true],\n"
        "    model=np.repeat(['x', 'y'], 40), split=np.r_[split, split])\n"
        "hl.compare(both)\n"
    )
    for options in ([], ["-O"]):
        ran = subprocess.run(
            [sys.executable, *options, "-c", code], capture_output=True, text=True, check=False
        )
        assert "the rows of 'x' and 'y' do not pair" in ran.stderr, ran.stderr[-400:]
