"""What `combine` recommends: constructed tables on which the right advice is known."""

import math
from dataclasses import replace

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.advice import (
    SPREAD,
    Cost,
    costs_of,
    distance_to_perfect,
    expected_losses,
    recommend,
)
from heliast.verbs.combine import combine_table
from heliast.verbs.options import Options


def drawn(errors, n=400, seed=0, together=0.0, splits=1):
    """Models that err by chance; of their errors this share falls on the same rows."""
    rng = np.random.default_rng(seed)
    truth, common = rng.integers(0, 2, n), rng.random(n)
    split = None if splits == 1 else np.arange(n) % splits
    tables = []
    for model, share in errors.items():
        luck = np.where(rng.random(n) < together, common, rng.random(n))
        label = truth ^ (luck < share)
        tables.append(
            hl.Predictions.of(truth, label, model=model, row=range(n), split=split, positive=1)
        )
    return tables[0].join(*tables[1:])


def priced(table, **seconds):
    """The same table with cells that tell these costs, all three in proportion."""
    cells = tuple(
        {"model": name, "split": split.split, "status": "ok", "fit_seconds": one,
         "predict_seconds": one / 10, "size": int(1e4 * one), "failure": "", "warnings": []}
        for name, one in seconds.items()
        for split in table.splits
    )  # fmt: skip
    return replace(table, cells=cells)


def test_what_is_clearly_better_is_taken_whatever_it_costs():
    it = combine_table(drawn({"vote/B=200": 0.1, "base": 0.3}))
    assert it.recommended == it.advice.leader == "vote/B=200"
    assert it.lost["base"].worse
    assert any("vs base: error rate lower by" in words for words in it.remarks)


def test_a_lower_expected_error_is_kept_though_it_is_undecided():
    """In most draws of a gain of 3 points that no test finds, the better one is recommended."""
    kept = undecided = 0
    for seed in range(20):
        it = combine_table(drawn({"vote/B=9": 0.17, "base": 0.2}, 300, seed, 0.5))
        if it.advice.leader == "vote/B=9" and it.against_base.verdict == "inconclusive":
            undecided += 1
            kept += it.recommended == "vote/B=9"
    assert undecided > 8
    assert kept > 0.8 * undecided


def test_the_lead_of_the_best_of_many_equals_is_luck():
    """Twelve votes no better than their base: a single model is taken in most draws."""
    votes = {f"vote/{at}/B=50": 0.3 for at in range(12)}
    taken = []
    for seed in range(12):
        it = combine_table(drawn({**votes, "base": 0.3, "other": 0.3}, 300, seed))
        assert it.advice.leader in it.candidates
        taken.append(it.recommended in ("base", "other"))
    assert np.mean(taken) >= 0.5


def test_what_loses_less_than_the_margin_gives_way_to_the_simpler():
    """Nearly all rows are common, so that the loss of 0.3 points is known well."""
    table = drawn({"vote/B=50": 0.2, "base": 0.203}, 40_000, 1, 0.99)
    it = combine_table(table)  # a fiftieth of 20% is 0.4 points
    assert (it.recommended, it.advice.leader) == ("base", "vote/B=50")
    assert it.advice.margin == pytest.approx(0.02 * it.candidates["vote/B=50"].value)
    assert it.lost["vote/B=50"].better
    assert "within the margin of 0.4 points" in it.summary
    strict = combine_table(table, Options(margin=0.001))
    assert strict.recommended == "vote/B=50"


def test_the_same_predictions_for_less():
    table = drawn({"vote/B=50": 0.2, "base": 0.4})
    twin = table.only("vote/B=50")
    it = combine_table(table.join(replace(twin, models=("line",))))
    assert it.recommended == "line"


def test_costs_decide_among_equals_where_they_are_known():
    """Without times a single model is simpler than a vote; with them it may be dearer."""
    table = drawn({"vote/B=50": 0.2, "base": 0.4})
    table = table.join(replace(table.only("vote/B=50"), models=("slow",)))
    assert combine_table(table).recommended == "slow"
    known = priced(table, **{"vote/B=50": 10.0, "base": 1.0, "slow": 1000.0})
    assert combine_table(known).recommended == "vote/B=50"
    assert "base has 1/10 the time to fit" in " ".join(combine_table(known).remarks)


def test_a_vote_of_candidates_that_err_apart_is_recommended():
    """Five models wrong on a fifth of the rows each, never together: their vote is never wrong."""
    n = 500
    rng = np.random.default_rng(0)
    truth, turn = rng.integers(0, 2, n), rng.permutation(n) % 5
    names = ["vote/B=5", "base", "line", "near", "bayes"]
    tables = [
        hl.Predictions.of(truth, truth ^ (turn == at), model=name, row=range(n),
                          split=np.arange(n) % 10, positive=1)
        for at, name in enumerate(names)
    ]  # fmt: skip
    it = combine_table(tables[0].join(*tables[1:]))
    assert it.recommended == "selection"
    assert it.candidates["selection"].value == 0
    assert it.advice.costs["selection"].members == 5 + 4
    assert "selection (weighted vote of" in it.summary
    assert "Weights of the selection: " in " ".join(it.remarks)
    single = combine_table(drawn({"vote/B=5": 0.2, "base": 0.2}))
    assert single.selection is None
    assert any(note.startswith("selection: left out") for note in single.assessment.notes)


def test_the_headline_is_not_too_low_for_what_is_recommended():
    """Equal models: the told error of whatever the rule takes is theirs, within what chance does.

    As seen, what is recommended looks better than it is.
    """
    errors = {f"vote/{at}/B=50": 0.3 for at in range(6)} | {"base": 0.3, "one": 0.3, "two": 0.3}
    told, seen = [], []
    for seed in range(36):
        it = combine_table(drawn(errors, 150, seed))
        told.append(it.selected.value)
        seen.append(it.candidates[it.recommended].value)
    assert np.mean(seen) < 0.3 - 3 * np.std(seen) / 6
    assert np.mean(told) > 0.3 - 2.5 * np.std(told) / 6
    assert np.mean(told) < 0.33


# --- the parts of the rule -----------------------------------------------------------------------


def test_simpler_is_half_of_something_and_not_more_of_anything():
    one = Cost(10.0, 1.0, 1000.0)
    assert Cost(5.0, 1.0, 1400.0).simpler_than(one)
    assert not Cost(6.0, 0.9, 900.0).simpler_than(one)
    assert not Cost(1.0, 1.0, 2000.0).simpler_than(one)
    assert Cost(members=1).simpler_than(Cost(members=2))
    assert not Cost(members=2).simpler_than(Cost(members=3))
    assert Cost(1.0, math.nan, math.nan).simpler_than(one)
    assert Cost.together([one, Cost(2.0, math.nan, 1.0)]) == Cost(12.0, 1.0, 1001.0, 2)


def test_times_that_nobody_feels_decide_nothing():
    assert not Cost(0.001, 0.001, 1000.0).simpler_than(Cost(0.9, 0.09, 1000.0))
    assert Cost(0.001, 0.001, 1000.0).simpler_than(Cost(3.0, 0.09, 1000.0))


def test_of_those_that_may_be_taken_the_simplest_is():
    costs = {name: Cost(members=4.0**at) for at, name in enumerate("abcd")}
    worth = {"a": 0.5, "b": 0.12, "c": 0.11, "d": 0.1}
    losses = {"a": 0.4, "b": 0.02, "c": 0.01}
    found = recommend(worth, costs, lambda _: losses, 0.02)
    assert (found.recommended, found.leader, found.simpler) == ("b", "d", ("a",))
    assert recommend(worth, costs, lambda _: losses, 0.01).recommended == "c"
    assert recommend(worth, costs, lambda _: losses, 0.005).recommended == "d"


def test_differences_are_drawn_towards_0_as_far_as_chance_explains_them():
    """The twin draws spreads, and true values given what was seen, from the model itself."""
    rng = np.random.default_rng(0)
    worth = {"a": 0.20, "b": 0.23, "c": 0.26}
    errors = {"b": 0.03, "c": 0.03}
    found = expected_losses(worth, "a", errors, 0.2)
    t = np.abs(0.2 * SPREAD * rng.standard_cauchy(400_000))
    noise = 0.03 / 2**0.5
    seen = np.array([*worth.values()])
    total = t**2 + noise**2
    fit = -np.log(total) - ((seen - seen.mean()) ** 2).sum() / (2 * total)
    weight = np.exp(fit - fit.max())
    kept = t**2 / (t**2 + noise**2)
    truth = seen.mean() + kept[:, None] * (seen - seen.mean())
    for at, name in ((1, "b"), (2, "c")):
        expected = np.average(truth[:, at] - truth[:, 0], weights=weight)
        assert found[name] == pytest.approx(expected, rel=0.01)
    assert expected_losses(worth, "a", {}, 0.2)["c"] == pytest.approx(0.06)
    assert expected_losses({"a": 0.2, "b": 0.2}, "a", {"b": 0.0}, 0.2) == {"b": 0.0}


def test_a_candidate_without_a_value_is_never_taken():
    costs = {"a": Cost(members=1), "b": Cost(members=9)}
    found = recommend({"a": math.inf, "b": 0.2}, costs, lambda _: {}, 1.0)
    assert (found.recommended, found.simpler) == ("b", ())


def test_costs_are_the_least_over_splits_and_stages_cost_what_their_fit_does():
    data = hl.read("sklearn:iris")
    table = hl.run({"bag": hl.BaggedVote(n_estimators=2)}, data, 3, progress=False, jobs=1)
    found = costs_of(table, {"bag/hard/B=2": 2.0, "nobody": 1.0})
    cells = [cell["fit_seconds"] for cell in table.cells]
    assert found["bag/hard/B=2"].fit == min(cells)
    assert found["bag/hard/B=2"].members == 2
    assert math.isnan(found["nobody"].fit)


@pytest.mark.parametrize(
    ("measure", "best", "lacking"), [("accuracy", 0.9, 0.1), ("mae", 40.0, 40.0), ("r2", 0.8, 0.2)]
)
def test_what_the_best_lacks_is_its_way_to_perfection(measure, best, lacking):
    assert distance_to_perfect(hl.measures.get(measure), best) == pytest.approx(lacking)
