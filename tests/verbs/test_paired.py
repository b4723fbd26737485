"""compare on one test set: the test it picks, its twins, several models, incomplete ones."""

import numpy as np
import pytest
from scipy import stats
from tests.verbs.paired_tables import THREE, TWO, errs, scored, table

import heliast as hl
from heliast import comparisons
from heliast.comparisons._bootstrap import value_of
from heliast.comparisons._mcnemar import newcombe
from heliast.measures.summaries import Counted
from heliast.verbs.compare import compare


def test_errors_on_one_test_set_are_compared_by_mcnemar() -> None:
    found = compare(table(TWO))["tree", "knn"]
    twin = comparisons.mcnemar(24, 4, n=200, both_wrong=6)
    assert (found.value, found.low, found.high) == (twin.value, twin.low, twin.high)
    assert found.p == found.p_alone == twin.p
    assert found.value == pytest.approx(0.1)
    assert (found.target, found.n, found.n_effective) == ("model", 200, 28)
    assert found.verdict == "worse"


def test_accuracy_is_the_same_test_with_the_other_sign() -> None:
    error, accuracy = compare(table(TWO)), compare(table(TWO), "accuracy")
    assert accuracy["tree", "knn"].value == -error["tree", "knn"].value
    assert accuracy["tree", "knn"].low == -error["tree", "knn"].high
    assert accuracy["tree", "knn"].verdict == "worse"
    assert "accuracy higher by" in accuracy.summary


def test_the_order_of_rows_and_files_changes_nothing() -> None:
    n, mixed = 200, np.random.default_rng(1).permutation(200)
    truth = np.array(["no", "yes"] * n)[:n]
    label = np.where(TWO["knn"], np.where(truth == "no", "yes", "no"), truth)
    knn = hl.Predictions.of(truth[mixed], label[mixed], model="knn", row=mixed)
    other = table(TWO).only("tree").join(knn)
    assert compare(other)["tree", "knn"] == compare(table(TWO))["tree", "knn"]


def test_counted_rows_count_as_often_as_they_say() -> None:
    n = 40
    wrong = {"a": errs((0, 12), n=n), "b": errs((8, 14), n=n)}
    times = np.full(n, 2)
    heavy = compare(table(wrong, weight=times, weights="frequency"))["a", "b"]
    twice = compare(table({name: np.repeat(w, 2) for name, w in wrong.items()}))["a", "b"]
    assert (heavy.value, heavy.p, heavy.n) == (twice.value, twice.p, 80)
    with pytest.raises(hl.InputError, match="sampling weights"):
        compare(table(wrong, weight=times * 0.7, weights="sampling"))


def test_areas_are_compared_by_delong() -> None:
    both = scored()
    a, b = (both.rows(model) for model in both.models)
    twin = comparisons.delong_paired(a.y_true == 1, a.score_of(1), b.score_of(1))
    found = compare(both, "auc").pairs[0]
    assert (found.value, found.low, found.high, found.method) == (
        twin.value, twin.low, twin.high, "paired DeLong; score interval",
    )  # fmt: skip
    assert twin.p <= found.p < 2 * twin.p


def test_other_means_of_row_losses_are_compared_by_t_corrected_for_skewness() -> None:
    both = scored()
    a, b = (both.rows(model) for model in both.models)
    loss = [-np.log(np.where(r.y_true == 1, r.score_of(1), r.score_of(0))) for r in (a, b)]
    found, twin = compare(both, "log_loss").pairs[0], comparisons.skewed_t(*loss)
    assert found.p == pytest.approx(twin.p)
    assert found.value == pytest.approx(twin.value)
    assert (found.low, found.high) == pytest.approx((twin.low, twin.high))
    assert compare(both, "log_loss").margin is None
    flips = compare(both, "log_loss", test="permutation").pairs[0]
    assert flips.p == comparisons.permutation(*loss).p


def test_other_measures_are_compared_by_the_influences_of_rows() -> None:
    found = compare(table(TWO), "kappa")["tree", "knn"]
    gap = [hl.measures.get("kappa").of(table(TWO).only(name)) for name in ("tree", "knn")]
    assert found.value == pytest.approx(gap[0] - gap[1])
    drawn = compare(table(TWO), "kappa", test="bootstrap")["tree", "knn"]
    assert (found.low, found.high) == pytest.approx((drawn.low, drawn.high), rel=0.1)
    assert max(found.p, drawn.p) < 0.001
    assert found.verdict == drawn.verdict == "worse"
    again = compare(table(TWO), "kappa", seed=9)["tree", "knn"]
    assert (again.p, again.low) == (found.p, found.low)  # nothing is drawn


def test_many_models_can_be_told_apart_by_any_measure() -> None:
    rng = np.random.default_rng(0)
    wrong = {f"m{at}": rng.random(400) < (0.45 if at else 0.05) for at in range(12)}
    for test in ("auto", "bootstrap"):
        found = compare(table(wrong), "f1", test=test)
        assert all(one.significant for one in found if one.a == "m0")
        assert 0 < min(one.p for one in found) < 1e-6


def test_rates_near_one_are_compared_as_newcombe_does() -> None:
    n = 200
    wrong = {"a": errs((0, 1), n=n), "b": errs((1, 5), n=n)}  # of 100 rows of "yes": 0 and 2
    found = compare(table(wrong), "recall")["a", "b"]
    missed = [wrong[name][1::2] for name in "ab"]
    only = int((missed[0] & ~missed[1]).sum()), int((missed[1] & ~missed[0]).sum())
    twin = newcombe(100 - sum(only), only[1], only[0], 0, 0.95)
    assert (found.low, found.high) == pytest.approx((twin.low, twin.high), abs=1e-9)
    same = compare(table({"a": errs((0, 1)), "b": errs((2, 3))}), "recall")["a", "b"]
    assert (same.value, same.p) == (0, 1)
    assert same.low < -0.01 < 0.01 < same.high  # though no positive is missed by either


def test_groups_are_what_varies() -> None:
    group = np.arange(200) // 5
    found = compare(table(TWO, group=group))["tree", "knn"]
    sums = np.bincount(group, weights=TWO["tree"] - TWO["knn"].astype(float)) / 5
    twin = stats.ttest_1samp(sums, 0)
    assert found.value == pytest.approx(0.1)
    assert found.df == 39
    assert found.p >= twin.pvalue * (1 - 1e-12)
    limits = twin.confidence_interval()
    assert found.low <= limits.low + 1e-12
    assert found.high >= limits.high - 1e-12
    area = compare(scored_in(np.arange(120) // 6), "auc")
    assert "by group" in area.pairs[0].method
    with pytest.raises(hl.InputError, match="groups"):
        compare(table(TWO, group=group), test="mcnemar")
    with pytest.raises(hl.NotEnoughData, match="only 2 groups"):
        compare(table(TWO, group=np.arange(200) // 100))
    with pytest.raises(hl.NotEnoughData, match="are worth 1"):
        compare(table(TWO, group=np.maximum(0, np.arange(200) - 175) // 5))


def scored_in(group: np.ndarray) -> hl.Predictions:
    """Scores of two models whose noise is shared within groups."""
    n = group.size
    rng, truth = np.random.default_rng(4), np.arange(n) % 2
    parts = [
        hl.Predictions.of(
            truth, y_score=truth + rng.normal(size=n)[group] + rng.normal(size=n),
            scores="decision", model=name, row=range(n), group=group,
        )
        for name in "ab"
    ]  # fmt: skip
    return parts[0].join(parts[1])


@pytest.mark.parametrize("measure", ["auc", "f1", "brier"])
def test_few_groups_reject_no_more_than_they_should(measure: str) -> None:
    times, rejected = 60, 0
    for seed in range(times):
        rng = np.random.default_rng([5, seed])
        group, truth = np.repeat(np.arange(6), 30), rng.integers(0, 2, 180)
        parts = []
        for name in "ab":
            effect = 1 + rng.normal(0, 0.6, 6)[group]
            score = (2 * truth - 1) * effect + rng.normal(size=180)
            chance = 1 / (1 + np.exp(-1.5 * score))
            parts.append(
                hl.Predictions.of(
                    truth, y_score=chance, model=name, row=range(180), group=group, positive=1
                )
            )
        rejected += compare(parts[0].join(parts[1]), measure).pairs[0].p < 0.05
    assert rejected <= 8  # of 60, one in a thousand times if 5% are rejected


def test_identical_predictions_are_called_so() -> None:
    found = compare(table({"a": errs((0, 9)), "b": errs((0, 9))}))["a", "b"]
    assert (found.p, found.value, found.verdict) == (1.0, 0.0, "identical predictions")
    assert "identical predictions" in found.notes


def test_the_same_errors_by_other_labels_are_not_identical_predictions() -> None:
    truth = ["a"] * 30
    one = hl.Predictions.of(truth, ["b"] * 3 + ["a"] * 27, classes=["a", "b", "c"], model="x")
    two = hl.Predictions.of(truth, ["c"] * 3 + ["a"] * 27, classes=["a", "b", "c"], model="y")
    found = compare(one.join(two))["x", "y"]
    assert (found.p, found.verdict) == (1.0, "inconclusive")
    assert found.notes == ("no difference observed, though the predictions differ",)


def test_equivalence_needs_a_narrow_interval() -> None:
    n = 20_000
    same = {"a": errs((0, 1000), n=n), "b": errs((10, 1010), n=n)}
    assert compare(table(same)).pairs[0].verdict == "equivalent within 0.01"
    assert "equivalent within 1 point" in compare(table(same)).summary
    assert compare(table(same), margin=0.0001).pairs[0].verdict == "inconclusive"


# --- several models ----------------------------------------------------------------------------


def test_three_models_have_cochran_q_and_holm() -> None:
    found = compare(table(THREE))
    raw = [one.p_alone for one in found]
    assert [one.p for one in found] == list(comparisons.holm(raw))
    correct = ~np.stack(list(THREE.values()), axis=1)
    assert found.omnibus == comparisons.cochran_q(correct)
    wide = comparisons.mcnemar(24, 4, n=200, both_wrong=6, level=1 - 0.05 / 3)
    assert (found["tree", "knn"].low, found["tree", "knn"].high) == (wide.low, wide.high)
    assert found.order == ("knn", "bayes", "tree")
    assert found["bayes", "knn"].inconclusive
    assert found["knn", "tree"].significant
    bare = compare(table(THREE), correction="none")
    assert [one.p for one in bare] == raw


def test_a_pair_asked_the_other_way_round_is_its_mirror() -> None:
    found = compare(table(THREE))
    for one in found:
        back = found[one.b, one.a]
        assert (back.value, back.low, back.high) == (-one.value, -one.high, -one.low)
        assert (back.p, back.reversed) == (one.p, one)
    assert (found["tree", "knn"].verdict, found["knn", "tree"].verdict)[0].startswith("worse")
    assert found["knn", "tree"].verdict.startswith("better")


def test_an_incomplete_model_is_left_out_by_name() -> None:
    whole = table(THREE)
    keep = np.ones(len(whole), bool)
    keep[-1] = False
    found = compare(whole._at(keep))
    assert found.models == ("tree", "knn")
    assert "incomplete: 1 of the rows" in found.left_out["bayes"]
    assert "left out: bayes" in str(found)
    with pytest.raises(KeyError, match="bayes was left out"):
        found["tree", "bayes"]
    with pytest.raises(hl.NotEnoughData, match="fewer than two models"):
        compare(whole.only(["knn", "bayes"])._at(keep[200:]))


@pytest.mark.parametrize(
    "name", ["recall", "f1", "f1.weighted", "specificity", "kappa", "mcc", "auc"]
)
@pytest.mark.parametrize("grouped", [False, True])
def test_values_of_rows_drawn_again_are_those_of_the_measure(name: str, grouped: bool) -> None:
    rng = np.random.default_rng(4)
    truth = rng.integers(0, 4, 60)
    score = rng.dirichlet(np.ones(4), 60) + np.eye(4)[truth]
    group = np.arange(60) // 3 if grouped else None
    rows = hl.Predictions.of(truth, y_score=score, task="classification", group=group).rows()
    measure = hl.measures.get(name)
    value = value_of(measure, rows)
    for _ in range(30):
        # Few rows: some lack a class, where the measure is undefined.
        drawn = rows.at(rng.integers(0, 60, 8 if rng.random() < 0.5 else 60))
        wanted = float(measure.form(Counted(drawn)).value)
        assert value(drawn) == pytest.approx(wanted, nan_ok=True)
