"""compare and the margin: two one-sided tests, three probabilities, how many more cases."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from tests.verbs.paired_tables import THREE, errs, sets, table

import heliast as hl
from heliast import comparisons
from heliast.verbs.comparison import Difference

CLOSE = {"a": errs((0, 12)), "b": errs((2, 12), (50, 51))}  # only a 2, only b 1, of 200
MODELS = {"bayes": GaussianNB(), "knn": KNeighborsClassifier(1)}


@pytest.fixture(scope="module")
def folds() -> hl.Predictions:
    data = hl.Dataset.of(*load_iris(return_X_y=True))
    return hl.run(MODELS, data, hl.KFold(5, repeats=2), seed=3)


def values_of(table: hl.Predictions, model: str, measure: str = "error") -> list[float]:
    rate = hl.measures.get(measure)
    return [rate.of(part) for _, part in table.per_split(model)]


# --- two one-sided tests -----------------------------------------------------------------------


def test_equivalent_means_the_90_percent_interval_inside_the_margin() -> None:
    counts = {"n": 200, "both_wrong": 10}
    inner = comparisons.mcnemar(2, 1, level=0.9, **counts)
    outer = comparisons.mcnemar(2, 1, **counts)
    edge, wide = max(-inner.low, inner.high), max(-outer.low, outer.high)
    assert edge < wide
    for margin, verdict in [
        (edge * 0.999, "inconclusive"),
        (edge * 1.001, "equivalent within"),
        ((edge + wide) / 2, "equivalent within"),  # though the 95% interval is not inside
    ]:
        found = hl.compare(table(CLOSE), margin=margin)["a", "b"]
        assert found.verdict.startswith(verdict)


def test_the_interval_behind_an_equivalence_is_kept_and_shown() -> None:
    inner = comparisons.mcnemar(2, 1, level=0.9, n=200, both_wrong=10)
    found = hl.compare(table(CLOSE), margin=0.05)
    one = found["a", "b"]
    assert (one.low90, one.high90) == (inner.low, inner.high)
    assert (one.reversed.low90, one.reversed.high90) == (-inner.high, -inner.low)
    assert one.verdict == "equivalent within 0.05"
    # Of b, which errs less, as an advantage.
    shown = f"(90% CI {100 * inner.low:.1f} to {100 * inner.high:.1f})"
    assert shown in found.summary


# --- no margin where it would hide what matters ------------------------------------------------


def test_rare_classes_have_no_margin_unless_one_is_given() -> None:
    """4 positives in 1,000: perfect and never are not equivalent, though they differ by 0.004."""
    truth = np.arange(1000) < 4
    parts = [
        hl.Predictions.of(truth, label, model=name, row=range(1000), classes=[False, True])
        for name, label in (("perfect", truth), ("never", np.zeros(1000, bool)))
    ]
    both = parts[0].join(parts[1])
    found = hl.compare(both)
    assert found.margin is None
    assert found.pairs[0].verdict == "inconclusive"
    assert "only 0.4% of the rows are outside the largest class" in " ".join(found.notes)
    assert "set one with margin=" in " ".join(found.notes)
    assert hl.compare(both, margin=0.02).pairs[0].verdict == "equivalent within 0.02"


def test_nearly_perfect_models_have_no_margin_unless_one_is_given() -> None:
    for errors, usual in ((1, None), (3, None), (4, 0.01), (20, 0.01)):
        found = hl.compare(table({"a": errs((0, errors)), "b": errs((0, 40))}))
        assert found.margin == usual
    right = hl.compare(table({"a": errs((0, 1)), "b": errs((0, 40))}), "accuracy")
    assert "the best model is only 0.005 away from a perfect accuracy" in " ".join(right.notes)


# --- three probabilities -----------------------------------------------------------------------


def test_bayes_over_folds_beside_the_verdict(folds: hl.Predictions) -> None:
    found = hl.compare(folds, test="bayes", margin=0.02)
    one, plain = found["bayes", "knn"], hl.compare(folds, margin=0.02)["bayes", "knn"]
    assert (one.p, one.low, one.high, one.verdict) == (
        plain.p, plain.low, plain.high, plain.verdict,
    )  # fmt: skip
    a, b = values_of(folds, "bayes"), values_of(folds, "knn")
    alone = comparisons.bayes_correlated_t(a, b, 120, 30, 0.02, better="low")
    assert one.bayes is not None
    assert plain.bayes is None
    assert one.bayes.a_better == pytest.approx(alone.a_better, abs=1e-12)
    assert one.bayes.a_better + one.bayes.equivalent + one.bayes.b_better == pytest.approx(1)
    turned = found["knn", "bayes"].bayes
    assert turned is not None
    assert (turned.a_better, turned.value) == (one.bayes.b_better, -one.bayes.value)
    assert "P(within 0.02)" in str(found)
    assert max(map(len, str(found).splitlines())) <= 80
    assert "P(a better)" in found._repr_html_()
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["bayes"]["margin"] == 0.02
    assert hl.compare(folds, test="bayes_correlated_t", margin=0.02).pairs[0] == one


def test_higher_is_better_turns_the_probabilities(folds: hl.Predictions) -> None:
    low, high = (hl.compare(folds, m, "bayes").pairs[0].bayes for m in ("error", "accuracy"))
    assert low is not None
    assert high is not None
    assert low.a_better == pytest.approx(high.a_better, abs=1e-12)


def test_bayes_over_data_sets() -> None:
    tables = sets(9, 3)
    found = hl.compare(tables, test="bayes", seed=4)
    error = hl.measures.get("error")
    a, b = ([error.of(t.only(m)) for t in tables.values()] for m in ("m0", "m1"))
    alone = comparisons.bayes_signed_rank(a, b, 0.01, 4, better="low")
    assert found["m0", "m1"].bayes == alone
    assert found["m0", "m1"].p_alone == comparisons.wilcoxon(a, b).p
    assert "Bayesian signed rank" in str(found)


# --- how many more -----------------------------------------------------------------------------


def test_mcnemar_is_reckoned_from_the_margin_and_its_discordant_rows() -> None:
    close = {"a": errs((0, 12)), "b": errs((3, 15))}  # 3 and 3 of 200 rows are discordant
    one = hl.compare(table(close), margin=0.02)["a", "b"]
    twin = comparisons.cases_for_mcnemar(5, 1, 200)
    needed = one.cases_to_decide(margin=0.02, value=0.02)
    assert needed.cases == twin.cases == one.reversed.cases_to_decide(value=0.02).cases
    assert needed.more == twin.cases  # all of them fresh
    assert needed.fresh
    both = one.cases_to_decide(margin=0.02)
    same = comparisons.cases_for_equivalence(0.0, one.se * math.sqrt(200), 0.02, df=math.inf)
    assert both.cases == max(twin.cases, same.cases)
    said = hl.compare(table(close), margin=0.02)
    assert said.to_dict()["more_cases"] == said.more_cases
    line = f"About {_two(both.cases)} new test rows give 80% power at an equivalence margin of 2"
    assert said.more_cases.startswith(line)
    assert line in " ".join(str(said).split())


def test_the_difference_seen_is_no_part_of_the_plan() -> None:
    even, apart = (
        {"a": errs((0, 10)), "b": errs((10, 20))},
        {"a": errs((0, 12)), "b": errs((12, 20))},
    )
    found = [hl.compare(table(one), margin=0.05).pairs[0] for one in (even, apart)]
    assert found[0].value != found[1].value
    cases = [one.cases_to_decide(margin=0.05, value=0.05).cases for one in found]
    assert cases[0] == cases[1] == comparisons.cases_for_mcnemar(15, 5, 200).cases


def test_without_a_margin_there_is_no_plan() -> None:
    one = hl.compare(table({"a": errs((0, 12)), "b": errs((3, 15))}), margin=0)
    assert "the smallest difference that matters" in str(one.pairs[0].cases_to_decide())
    assert one.more_cases == ""


def _two(count: float) -> str:
    return f"{float(f'{count:.2g}'):,.0f}"


def test_several_pairs_need_more_than_one() -> None:
    pairs = hl.compare(table(THREE))
    one = pairs["knn", "bayes"]
    assert one.each_level == pytest.approx(1 - 0.05 / 3)
    alone = hl.compare(table({name: THREE[name] for name in ("knn", "bayes")}))["knn", "bayes"]
    assert one.cases_to_decide(margin=0.01).cases > alone.cases_to_decide(margin=0.01).cases
    assert "give 80% power for knn vs bayes at" in " ".join(str(pairs).split())


def test_folds_keep_their_degrees_of_freedom(folds: hl.Predictions) -> None:
    one = hl.compare(folds, test="corrected_t")["bayes", "knn"]
    se = (one.high - one.low) / 2 / 2.7764451051977934  # t with 4 degrees of freedom
    assert one.se == pytest.approx(se)
    twin = comparisons.cases_to_decide(0.03, se * math.sqrt(150), df=4)
    needed = one.cases_to_decide(value=0.03)
    assert needed.cases == twin.cases
    assert any("train other models" in note for note in needed.notes)


def test_both_ways_to_decide_are_planned_for() -> None:
    one = Difference("a", "b", "error", 0.001, -0.02, 0.022, 0.9, n=500)
    apart, either = one.cases_to_decide(value=0.01), one.cases_to_decide(margin=0.01)
    same = comparisons.cases_for_equivalence(0.0, one.se * math.sqrt(500), 0.01, df=math.inf)
    assert either.cases == max(apart.cases, same.cases)
    assert replace(one, margin=0.01).cases_to_decide() == either
    assert one.cases_to_decide(bar=0.05, margin=0.01).cases == apart.cases


def test_data_sets_are_counted_as_such() -> None:
    rng = np.random.default_rng(8)
    drawn = {
        f"set {at}": table({"x": rng.random(60) < 0.3, "y": rng.random(60) < 0.27})
        for at in range(8)
    }
    found = hl.compare(drawn)
    assert found.pairs[0].verdict == "inconclusive"
    assert found.pairs[0].cases_to_decide(margin=0.01).unit == "data sets"
    assert "new data sets give" in " ".join(str(found).split())


def test_nothing_is_said_where_nothing_can_be() -> None:
    same = {"a": errs((0, 12)), "b": errs((50, 62))}
    assert "About" not in str(hl.compare(table(same), margin=0))  # nothing to plan with
    assert "would decide" not in str(hl.compare(table({"a": errs((0, 90)), "b": errs((0, 9))})))
    bare = Difference("a", "b", "error", 0.1, n=50, reason="no spread")
    assert "no spread" in str(bare.cases_to_decide(margin=0.01))


def test_a_margin_of_0_is_not_spoken_of_as_a_size() -> None:
    truth = np.tile([0, 1], 200)
    both = None
    for model, errors in {"a": 10, "b": 90, "c": 200}.items():
        label = np.where(np.arange(400) < errors, 1 - truth, truth)
        one = hl.Predictions.of(truth, label, model=model, row=range(400), positive=1)
        both = one if both is None else both.join(one)
    for few in (["a", "b"], ["a", "b", "c"]):
        said = " ".join(str(hl.compare(both.only(model=few), margin=0)).split())
        assert "margin of 0" not in said
        assert "up to 0 is" not in said
    assert (
        "by more than the equivalence margin of 1 point"
        in hl.compare(both.only(model=["a", "b"]), margin=0.01).summary
    )
