"""The gate asked of every slice, of the worst one, and of what people would say."""

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.requirement import Requirement

P = hl.Predictions


def _table(n: int = 900, seed: int = 1) -> hl.Predictions:
    rng = np.random.default_rng(seed)
    region = np.repeat(["east", "north", "south"], n // 3)
    truth = rng.integers(0, 2, n)
    wrong = rng.random(n) < np.where(region == "north", 0.35, 0.1)
    columns = {"region": region, "age": rng.normal(40, 9, n)}
    label = np.where(wrong, 1 - truth, truth)
    return P.of(truth, label, model="new", row=np.arange(n), columns=columns)


def _north(table: hl.Predictions) -> hl.Predictions:
    return table.where(table.columns["region"].plain() == "north")


def test_words_that_name_slices_worst_and_corrected() -> None:
    every = Requirement.parse("recall.low >= 0.7 by region*age:3")
    assert (every.by, every.worst) == ((("region", "age:3"),), False)
    worst = Requirement.parse("new:worst(recall[spam] by 'my region').low >= 60%")
    assert (worst.model, worst.class_, worst.by, worst.worst, worst.bar) == (
        "new", "spam", (("my region",),), True, 0.6,
    )  # fmt: skip
    assert Requirement.parse("pass@1(new - old).low >= -0.01").measure == "pass@1"
    assert Requirement.parse("worst(pass^3 by group).low >= 0.6").measure == "pass^3"
    assert Requirement.parse("corrected(accuracy).low >= 0.8").corrected
    two = Requirement.parse("worst(error(new - old) by region).high <= 0.01")
    assert (two.pair, two.worst) == (("new", "old"), True)


@pytest.mark.parametrize(
    "words",
    [
        "worst(accuracy).low >= 0.5", "accuracy.low >= 0.5 by", "accuracy by region.low >= 0.5",
        "worst(accuracy by region).low >= 0.5 by region", "pass@.low >= 0.5",
        "corrected(accuracy by region).low >= 0.5", "worst(worst(error by a) by b).high <= 0.5",
    ],
)  # fmt: skip
def test_words_that_are_not_understood(words: str) -> None:
    with pytest.raises(hl.InputError, match="is not understood"):
        Requirement.parse(words)


def test_every_slice_is_ruled_on_its_own_rows() -> None:
    table = _table()
    ruled = hl.gate(table, "accuracy.low >= 0.75 by region")
    assert [one.subject for one in ruled.rulings] == [
        "new, region = east", "new, region = north", "new, region = south",
    ]  # fmt: skip
    assert [one.outcome for one in ruled.rulings] == ["pass", "fail", "pass"]
    alone = hl.gate(_north(table), "accuracy.low >= 0.75").rulings[0]
    assert (ruled.rulings[1].low, ruled.rulings[1].high) == (alone.low, alone.high)
    assert ruled.exit_code == 1


def test_the_worst_slice_has_the_least_end_and_a_joint_other_end() -> None:
    table = _table()
    (worst,) = hl.gate(table, "worst(accuracy by region).low >= 0.5").rulings
    alone = hl.assess(_north(table), "accuracy")["new", "accuracy"]
    joint = hl.assess(_north(table), "accuracy", 1 - 0.05 / 3)["new", "accuracy"]
    assert (worst.value, worst.low, worst.high) == (alone.value, alone.low, joint.high)
    assert worst.outcome == "pass"
    (high,) = hl.gate(table, "worst(error by region).high <= 0.5").rulings
    assert high.value == pytest.approx(1 - worst.value)
    assert hl.gate(table, "worst(accuracy by region).low >= 0.8").outcome == "fail"


def test_differences_by_slices() -> None:
    table = _table()
    rng = np.random.default_rng(7)
    label = np.where(rng.random(900) < 0.1, 1 - table.y_true, table.y_true)
    old = P.of(table.y_true, label, model="old", row=table.row, classes=[0, 1])
    both = table.join(old)
    ruled = hl.gate(both, "error(new - old).high <= 0.15 by region")
    assert [one.outcome for one in ruled.rulings] == ["pass", "fail", "pass"]
    assert hl.gate(both, "worst(error(new - old) by region).high <= 0.15").outcome == "fail"


def test_looks_take_slices_that_stay_and_refuse_quantiles() -> None:
    table = _table()
    ruled = hl.gate(table, "accuracy.low >= 0.75 by region", looks="any")
    alone = hl.gate(_north(table), "accuracy.low >= 0.75", looks="any").rulings[0]
    assert (ruled.rulings[1].low, ruled.rulings[1].high) == (alone.low, alone.high)
    assert hl.gate(table, "worst(accuracy by region).low >= 0.5", looks="2/3").outcome == "pass"
    with pytest.raises(hl.InputError, match=r"quantiles that age is cut at move"):
        hl.gate(table, "accuracy.low >= 0.75 by age", looks="any")


def test_of_files_the_columns_are_kept(tmp_path) -> None:
    path = _table().write(tmp_path / "preds.csv")
    assert len(hl.gate(path, "accuracy.low >= 0.5 by region").rulings) == 3
    with pytest.raises(hl.InputError, match="'regio'"):
        hl.gate(path, ["accuracy.low >= 0.5 by regio"])


def _judged(n: int = 3000, humans: int = 300, seed: int = 2) -> tuple[hl.Predictions, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    label = np.where(rng.random(n) < 0.1, 1 - truth, truth)
    judge = np.where(rng.random(n) < 0.15, label, truth)  # it is lenient: it agrees with the model
    human = [int(one) if at < humans else None for at, one in enumerate(truth)]
    return P.of(judge, label, classes=[0, 1], columns={"human": human}), truth


def test_corrected_is_the_prediction_powered_mean_of_row_losses() -> None:
    table, truth = _judged()
    (ruled,) = hl.gate(table, "corrected(accuracy).low >= 0.8").rulings
    right = (truth == table.y_pred).astype(float)
    human = np.where(np.arange(3000) < 300, right, np.nan)
    judge = (table.y_true == table.y_pred).astype(float)
    found = hl.estimates.prediction_powered(judge, human)
    assert (ruled.value, ruled.low, ruled.high) == pytest.approx(
        (found.value, found.low, found.high)
    )
    assert ruled.outcome == "pass"
    biased = hl.assess(table, "accuracy")["model", "accuracy"]
    assert biased.value > 0.905  # what the judge would make one believe
    assert ruled.low < 0.9 < ruled.high


def _rated(model: str, seed: int) -> tuple[hl.Predictions, np.ndarray, np.ndarray]:
    """Answers that a lenient judge graded, and people the first 100 of them."""
    rng = np.random.default_rng(seed)
    right = rng.integers(0, 2, 400).astype(float)
    judge = np.where(rng.random(400) < 0.3, 1.0, right)
    human = np.where(np.arange(400) < 100, right, np.nan)
    table = P.graded(judge, item=np.arange(400), model=model, columns={"human": human})
    return table, judge, human


def test_corrected_grades_are_those_of_people() -> None:
    (one, judge, human), (two, other, others) = _rated("new", 1), _rated("old", 2)
    (ruled,) = hl.gate(one, "corrected(grade).low >= 0.2").rulings
    found = hl.estimates.prediction_powered(judge, human)
    assert (ruled.value, ruled.low) == pytest.approx((found.value, found.low))
    assert abs(ruled.value - np.nanmean(human)) < 0.1 < judge.mean() - ruled.value
    (ruled,) = hl.gate(one.join(two), "corrected(grade(new - old)).low >= -0.9").rulings
    found = hl.estimates.prediction_powered(judge - other, human - others)
    assert ruled.value == pytest.approx(found.value)
    twice = P.graded(
        [1, 0] * 40, item=np.repeat(np.arange(40), 2), attempt=[1, 2] * 40,
        columns={"human": [1, 0] * 40},
    )  # fmt: skip
    with pytest.raises(hl.InputError, match="grade alone can be corrected"):
        hl.gate(twice, "corrected(pass@2).low >= 0.2")


def test_corrected_differences_are_paired_by_row() -> None:
    table, truth = _judged()
    rng = np.random.default_rng(5)
    worse = np.where(rng.random(3000) < 0.15, 1 - table.y_pred, table.y_pred)
    shuffled = rng.permutation(3000)
    new = P.of(table.y_true, table.y_pred, classes=[0, 1], model="new", row=np.arange(3000),
               columns={"human": table.columns["human"]})  # fmt: skip
    old = P.of(table.y_true[shuffled], worse[shuffled], classes=[0, 1], model="old", row=shuffled)
    words = "corrected(accuracy(new - old)).low >= 0.05"
    (ruled,) = hl.gate(new.join(old), words).rulings
    human = np.arange(3000) < 300
    gap = [(t == table.y_pred).astype(float) - (t == worse) for t in (truth, table.y_true)]
    found = hl.estimates.prediction_powered(gap[1], np.where(human, gap[0], np.nan), bounds=(-1, 1))
    for name in ("value", "low", "high"):
        assert getattr(ruled, name) == pytest.approx(getattr(found, name))
    assert ruled.outcome == "pass"


def test_corrected_says_what_it_needs() -> None:
    table, _ = _judged()
    for requirement, said in {
        "corrected(auc).low >= 0.5": "needs scores",
        "corrected(f).low >= 0.5": "a mean over rows can be corrected",
    }.items():
        with pytest.raises(hl.InputError, match=said):
            hl.gate(table, requirement)
    with pytest.raises(hl.InputError, match="keep a column 'human'"):
        hl.gate(P.of([0, 1], [0, 1]), "corrected(accuracy).low >= 0.5")
    with pytest.raises(hl.InputError, match="no confidence sequence"):
        hl.gate(table, "corrected(accuracy).low >= 0.5", looks="any")
