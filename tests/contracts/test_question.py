"""Verb x option: each part of a question changes the answer as it must, or is refused by name.

The oracle of most parts is the same verb on a table made by hand: labels decided by hand, rows
chosen by hand; of others a plain formula. And what `assess`, `compare`, the gate and the report say
of the same thing is the same number.
"""

import inspect
from dataclasses import fields, replace
from math import sqrt
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import heliast as hl
from heliast.verbs.options import Options
from heliast.verbs.report import material_of

COST = [[0.0, 1.0], [6.0, 0.0]]
SHARES = {"a": 0.9, "b": 0.1}


def scored(n: int = 160, seed: int = 3, models: int = 2, **options: object) -> hl.Predictions:
    """Models with scores between 0 and 1 of class b, for the same rows."""
    rng = np.random.default_rng(seed)
    truth = np.where(rng.random(n) < 0.4, "b", "a")
    table = None
    for number in range(models):
        score = np.clip(rng.beta(2, 4, n) + 0.25 * (truth == "b") + 0.05 * number, 0, 1)
        one = hl.Predictions.of(
            truth, y_score=score, positive="b", scores="probability", row=np.arange(n),
            model="xyz"[number], **options,
        )  # fmt: skip
        table = one if table is None else table.join(one)
    return table


def by_hand(table: hl.Predictions, threshold: float) -> hl.Predictions:
    return replace(table, y_pred=(np.asarray(table.scores) >= threshold).astype(table.y_pred.dtype))


def ends(found):
    """Value and ends of an estimate, a difference or a ruling."""
    return found.value, found.low, found.high


def same(one, other) -> None:
    np.testing.assert_allclose(ends(one), ends(other), rtol=1e-12, atol=0, equal_nan=True)


def report_of(table: hl.Predictions, **asked):
    return material_of(table, Options(**asked))


# --- taken, or no keyword -----------------------------------------------------------------------

NAMES = "assess compare gate report find_slices combine explain fit benchmark"
VERBS = {name: getattr(hl, name) for name in NAMES.split(" ")}
OPTIONS = {"measure" if field.name == "measures" else field.name for field in fields(Options)}


def taken(verb: str) -> set[str]:
    """The options that a verb takes, under the names of `Options`."""
    names = {*inspect.signature(VERBS[verb]).parameters}
    names = {"measure" if name == "measures" else name for name in names}
    return {"measures" if name == "measure" else name for name in names & OPTIONS}


def test_the_page_says_which_verb_answers_what() -> None:
    """docs/question.md has a column a verb and a row an option."""
    page = (Path(__file__).parents[2] / "docs" / "question.md").read_text(encoding="utf-8")
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.splitlines()]
    head, _, *rows = [row for row in cells if row]
    said = {
        verb: {row[0].split("`")[1] for row in rows if row[at] == "yes"}
        for at, verb in enumerate(head)
        if verb
    }
    assert said == {verb: taken(verb) for verb in VERBS}


@pytest.mark.parametrize("verb", VERBS)
def test_what_is_no_option_is_a_type_error(verb: str) -> None:
    with pytest.raises(TypeError, match="colour"):
        VERBS[verb](scored(20), "error.high <= 0.5", colour="red")


# --- assess -------------------------------------------------------------------------------------


def test_assess_level_and_interval() -> None:
    table = scored()
    error, n = hl.assess(table)["x", "error"].value, 160
    for level in (0.8, 0.99):
        z = norm.ppf((1 + level) / 2)
        middle = (error + z**2 / (2 * n)) / (1 + z**2 / n)
        half = z * sqrt(error * (1 - error) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)
        found = hl.assess(table, "error", level)["x", "error"]
        assert found.low == pytest.approx(middle - half, rel=1e-12)
        plain = hl.assess(table, "error", level, "normal")["x", "error"]
        assert plain.high == pytest.approx(error + z * sqrt(error * (1 - error) / n), rel=1e-12)
    assert np.isnan(hl.assess(table, "error", interval=None)["x", "error"].low)


def test_assess_cost_prevalences_threshold() -> None:
    table = scored()
    one = table.only("x").rows()
    paid = np.asarray(COST)[one.y_true, one.y_pred].mean()
    assert hl.assess(table, cost=COST)["x", "expected_cost"].value == pytest.approx(paid)
    wrong = one.y_true != one.y_pred
    fixed = scored(design="classes")
    shares = 0.9 * wrong[one.y_true == 0].mean() + 0.1 * wrong[one.y_true == 1].mean()
    found = hl.assess(fixed, prevalences=SHARES)["x", "error"]
    assert found.value == pytest.approx(shares)
    for measure in ("error", "recall", "f1", "kappa"):
        same(
            hl.assess(table, measure, threshold=0.3)["x", measure],
            hl.assess(by_hand(table, 0.3), measure)["x", measure],
        )


def test_assess_role_and_seen() -> None:
    rng = np.random.default_rng(1)
    truth, seen = rng.integers(0, 2, 60), rng.integers(0, 2, 60)
    table = hl.Predictions.of(truth, rng.integers(0, 2, 60), in_train=seen)
    plain = hl.Predictions.of(truth[seen == 1], np.asarray(table.y_pred)[seen == 1])
    trained = hl.assess(table, "error", in_train=1)["model", "error"]
    assert trained.value == hl.assess(plain)["model", "error"].value
    assert np.isnan(trained.low)
    assert "trained" in trained.reason
    with pytest.raises(hl.InputError, match="role 'full'"):
        hl.assess(table, role="full")


def test_assess_seed() -> None:
    table = scored()
    one, again, other = (
        hl.assess(table, "average_precision", interval="bootstrap", seed=s)[
            "x", "average_precision"
        ]
        for s in (1, 1, 2)
    )
    same(one, again)
    assert one.value == other.value
    assert one.low != other.low


# --- compare ------------------------------------------------------------------------------------


def test_compare_takes_the_usual_measure_of_the_task() -> None:
    rng = np.random.default_rng(2)
    truth = rng.normal(size=50)
    numbers = hl.Predictions.of(truth, truth + rng.normal(size=50), model="x", row=range(50)).join(
        hl.Predictions.of(truth, truth + 2 * rng.normal(size=50), model="y", row=range(50))
    )
    assert hl.compare(numbers).measure == "mae"
    assert hl.compare(scored()).measure == "error"
    assert hl.compare(scored(), cost=COST).measure == hl.assess(scored(), cost=COST).measures[-1]


def test_compare_costs() -> None:
    table = scored()
    paid = {m: np.asarray(COST)[table.rows(m).y_true, table.rows(m).y_pred] for m in "xy"}
    gap = paid["x"] - paid["y"]
    found = hl.compare(table, cost=COST)["x", "y"]
    assert found.value == pytest.approx(gap.mean())
    se = gap.std(ddof=1) / sqrt(gap.size)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * se, rel=0.15)
    with pytest.raises(hl.InputError, match="cost"):
        hl.compare(table, "error", cost=COST)


def test_compare_prevalences_by_the_plain_formula() -> None:
    """Errors 18% and 2% under the shares of the population, equal in the table."""
    n = 400
    truth = np.repeat(["a", "b"], n // 2)
    other = np.where(truth == "a", "b", "a")
    often = np.arange(n) % 10 < 2
    x = np.where(often & (truth == "a"), other, truth)
    y = np.where(often & (truth == "b"), other, truth)
    table = hl.Predictions.of(truth, x, model="x", row=range(n), design="classes").join(
        hl.Predictions.of(truth, y, model="y", row=range(n), design="classes")
    )
    found = hl.compare(table, prevalences=SHARES)["x", "y"]
    assert found.value == pytest.approx(0.18 - 0.02)
    gap = (x != truth).astype(float) - (y != truth)
    parts = [(share, gap[truth == k]) for k, share in SHARES.items()]
    se = sqrt(sum(share**2 * part.var(ddof=1) / part.size for share, part in parts))
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * se, rel=0.2)
    assert found.low > 0
    with pytest.raises(hl.NotEnoughData, match="give prevalences="):
        hl.compare(table)  # the shares of a fixed design are nobody's error rate
    assert hl.gate(table, "error(x - y).high <= 0.05", prevalences=SHARES).outcome == "fail"
    material = report_of(table, prevalences=SHARES)
    assert material.order[0] == "y"
    same(material.compared["x", "y"], found)


def test_compare_threshold_role_seen_test_margin_correction_seed() -> None:
    table = scored(models=3)
    same(
        hl.compare(table, threshold=0.3)["x", "y"], hl.compare(by_hand(table, 0.3))["x", "y"]
    )  # fmt: skip
    with pytest.raises(hl.InputError, match="threshold"):
        hl.compare(table, "auc", threshold=0.3)
    with pytest.raises(hl.InputError, match="role 'full'"):
        hl.compare(table, role="full")
    assert "ootstrap" in hl.compare(table, test="bootstrap")["x", "y"].method
    wide = hl.compare(table, margin=0.9)["x", "y"]
    assert wide.verdict == "equivalent" or "equivalent" in wide.verdict
    plain, holm = (hl.compare(table, correction=c)["x", "y"] for c in ("none", "holm"))
    assert plain.p <= holm.p
    assert plain.high - plain.low < holm.high - holm.low
    drawn = [hl.compare(table, "f1", "bootstrap", seed=s)["x", "y"].low for s in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


# --- what verbs say of the same thing ------------------------------------------------------------


def numbers_table() -> hl.Predictions:
    rng = np.random.default_rng(5)
    truth, table = rng.normal(size=80), None
    for at, name in enumerate("xy"):
        label = truth + (0.5 + 0.2 * at) * rng.normal(size=80)
        one = hl.Predictions.of(truth, label, model=name, row=range(80), task="regression")
        table = one if table is None else table.join(one)
    return table


def fitted(plan: object) -> hl.Predictions:
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import GaussianNB

    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 90)
    data = hl.Dataset.of(rng.normal(size=(90, 3)) + y[:, None], y)
    return hl.run({"x": LogisticRegression(), "y": GaussianNB()}, data, plan, 1, progress=False)


RNG = np.random.default_rng(8)
TABLES = {
    "plain": (scored, {}),
    "three models": (lambda: scored(models=3), {}),
    "groups": (lambda: scored(group=np.arange(160) // 4), {}),
    "frequency weights": (
        lambda: scored(weight=np.arange(160) % 3 + 1, weights="frequency"), {},
    ),
    "sampling weights": (
        lambda: scored(weight=RNG.uniform(1, 3, 160), weights="sampling"), {},
    ),
    "costs": (scored, {"cost": COST}),
    "shares": (lambda: scored(design="classes"), {"prevalences": SHARES}),
    "threshold": (scored, {"threshold": 0.35}),
    "threshold and costs": (scored, {"threshold": 0.35, "cost": COST}),
    "level": (scored, {"level": 0.8}),
    "numbers": (numbers_table, {}),
    "folds": (lambda: fitted(hl.KFold(5)), {}),
    "uneven folds": (lambda: fitted(hl.KFold(7)), {"cost": COST}),
    "halves": (lambda: fitted(hl.FiveByTwo()), {}),
    "repeated folds": (lambda: fitted(hl.KFold(5, repeats=2)), {"level": 0.9}),
    "few of one class": (lambda: scored(60, seed=9), {"threshold": 0.6}),
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_assess_compare_gate_and_report_agree(name: str) -> None:
    make, asked = TABLES[name]
    table = make()
    usual = Options(**asked).usual(table.task)
    assessed, material = hl.assess(table, **asked), report_of(table, **asked)
    for estimate in assessed:
        key = (estimate.model, estimate.measure, estimate.class_)
        same(estimate, material.assessment[key if estimate.class_ is not None else key[:2]])
    end = "low" if usual.better == "high" else "high"
    sign = ">=" if end == "low" else "<="
    bar = float(assessed["x", usual.title].value)
    ruled = hl.gate(table, f"x:{usual.name}.{end} {sign} {bar!r}", **asked)
    same(next(iter(ruled)), assessed["x", usual.title])
    both, words = table.only(model=["x", "y"]), f"{usual.name}(x - y).{end} {sign} 0.01"
    if name == "sampling weights":  # no test is valid for them: all three say so
        for verb, more in ((hl.compare, ()), (hl.gate, (words,))):
            with pytest.raises(hl.InputError, match="sampling weights"):
                verb(both, *more, **asked)
        assert "sampling weights" in material.alone
        return
    compared = hl.compare(both, **asked)
    difference = next(iter(hl.gate(table, words, **asked)))
    same(difference, compared["x", "y"])
    if len(table.models) == 2:
        same(material.compared["x", "y"], compared["x", "y"])
    own = compared.values
    assert compared["x", "y"].value == pytest.approx(own["x"] - own["y"], rel=1e-9, abs=1e-12)
    for model in "xy":
        assert compared.values[model] == pytest.approx(
            assessed[model, usual.title].value, rel=1e-12
        )


# --- what a new user found -----------------------------------------------------------------------


def test_areas_over_splits_of_fixed_classes_have_an_interval() -> None:
    table = fitted(hl.KFold(3))
    found = hl.assess(table, ["auc", "error"], prevalences={0: 0.9, 1: 0.1})
    assert found["x", "auc"].low < found["x", "auc"].value < found["x", "auc"].high
    assert found["x", "error"].low < found["x", "error"].high


def test_counts_of_billions_need_no_more_room_than_rows() -> None:
    w = [10**9, 10**7, 10**7, 10**9]
    both = [
        hl.Predictions.of([0, 0, 1, 1], label, weight=w, weights="frequency", model=name)
        for name, label in (("A", [0, 1, 0, 1]), ("B", [0, 1, 1, 1]))
    ]
    found = hl.assess(both[0].join(both[1]), "error")
    assert found.selected.model == "B"
    assert found.selected.value == pytest.approx(1e7 / sum(w), rel=0.05)


def test_dealt_packs_of_counts_are_those_of_their_copies() -> None:
    """The same choice, by copies of each row and by shares of rows in packs."""
    from heliast.estimates.resampled import _selected

    times = np.array([40_000, 2_000, 7])
    rng = np.random.default_rng(1)
    at, weight = _selected._copies(1000 * times, rng)
    np.testing.assert_array_equal(np.bincount(at, weight), 1000 * times)
    assert weight.size <= 3 * _selected.MOST


@pytest.mark.parametrize(
    ("measure", "given"),
    [("expected_cost", {"cost": COST}), ("net_benefit", {"threshold": 0.2})],
)
def test_a_measure_with_its_own_costs_or_threshold_takes_no_other(measure, given) -> None:
    own = hl.measures.get(measure, **given)
    other = {"cost": [[0, 1], [5, 0]]} if "cost" in given else {"threshold": 0.3}
    for verb in (hl.assess, hl.compare):
        with pytest.raises(hl.InputError, match="has its own"):
            verb(scored(), own, **other)
        verb(scored(), own, **given)  # said twice alike


@pytest.mark.parametrize("interval", ["clopper_pearson", "normal", "jeffreys"])
def test_the_best_of_several_has_the_interval_that_was_asked_for(interval: str) -> None:
    table = scored(models=3)
    found = hl.assess(table, "error", interval=interval)
    own, best = found[found.selected.model, "error"], found.selected
    assert best.low == pytest.approx(min(own.low, best.value))
    assert best.high == pytest.approx(own.high + max(0, best.value - own.value))
    assert hl.assess(table, "error").selected.high != best.high


def test_costs_add_their_measure_and_take_no_lead_from_one_that_was_named() -> None:
    table = scored()
    assert hl.assess(table, "error", cost=COST).selected.measure == "error"
    assert hl.assess(table, cost=COST).selected.measure.startswith("expected_cost")


def test_costs_that_are_all_alike_are_refused() -> None:
    for cost in ([[0, 0], [0, 0]], [[1, 1], [1, 1]]):
        for verb, more in (
            (hl.assess, ()),
            (hl.compare, ()),
            (hl.gate, ("expected_cost.high <= 1",)),
        ):
            with pytest.raises(hl.InputError, match="nothing to choose"):
                verb(scored(), *more, cost=cost)


def test_the_gate_refuses_a_test_or_interval_that_no_requirement_uses() -> None:
    with pytest.raises(hl.InputError, match="no requirement is on a difference"):
        hl.gate(scored(), "error.high <= 0.5", test="mcnemar")
    with pytest.raises(hl.InputError, match="every requirement is on a difference"):
        hl.gate(scored(), "error(x - y).high <= 0.5", interval="normal")


@pytest.mark.parametrize(
    "wrong",
    [{"level": "0.9"}, {"threshold": "0.3"}, {"seed": -1}, {"seed": 1.5}, {"measures": 3},
     {"role": "tset"}, {"in_train": "any"}, {"level": True}],
)  # fmt: skip
def test_parts_of_a_question_have_types(wrong) -> None:
    with pytest.raises(hl.InputError, match=next(iter(wrong))):
        hl.assess(scored(20), **wrong)


def test_measure_and_measures_are_told_apart() -> None:
    with pytest.raises(TypeError, match="did you mean 'measures'"):
        hl.assess(scored(20), measure="error")
    with pytest.raises(TypeError, match="did you mean 'measure'"):
        hl.compare(scored(20), measures="error")


def test_costs_are_for_classes() -> None:
    for verb, more in ((hl.assess, ()), (hl.compare, ())):
        with pytest.raises(hl.InputError, match="cost"):
            verb(numbers_table(), *more, cost=COST)
