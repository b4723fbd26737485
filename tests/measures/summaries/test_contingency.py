import numpy as np
import pytest

from heliast import InputError, Predictions
from heliast.measures.summaries import Contingency


def variance(table, value):
    return table.variance(value[table.rows, table.columns])


def table(truth, label, **more):
    return Predictions.of(truth, label, **more).summary(Contingency)


def test_counts_rows_by_true_class_and_label():
    found = table(["a", "a", "b", "c"], ["a", "b", "b", "a"])
    assert found.counts.tolist() == [[1, 1, 0], [0, 1, 0], [1, 0, 0]]
    assert found.actual.tolist() == [2, 1, 1]
    assert found.decided.tolist() == [2, 2, 0]
    assert found.hits.tolist() == [1, 1, 0]
    assert (found.n, found.k) == (4, 3)


def test_chance_keeps_the_margins():
    found = Contingency.of_counts([[30, 10], [5, 55]], ("a", "b"))
    assert found.chance.sum(axis=1) == pytest.approx(found.actual)
    assert found.chance.sum(axis=0) == pytest.approx(found.decided)
    assert found.chance[0] == pytest.approx([40 * 35 / 100, 40 * 65 / 100])


@pytest.mark.parametrize("counts", [[[1, 2]], [[1, 2], [3, -1]]])
def test_refuses_other_counts(counts):
    with pytest.raises(InputError, match="counts: expected 2 x 2 counts >= 0"):
        Contingency.of_counts(counts, ("a", "b"))


def test_the_last_of_two_counted_classes_is_positive():
    assert Contingency.of_counts([[1, 2], [3, 4]], ("a", "b")).positive == 1
    assert Contingency.of_counts([[1, 2], [3, 4]], ("a", "b"), positive="a").positive == 0


# --- variance --------------------------------------------------------------------------------


def rows(seed=0, n=60):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 3, n), rng.integers(0, 3, n), rng.normal(size=(3, 3))


def test_variance_of_a_mean_over_cells():
    truth, label, value = rows()
    found = variance(table(truth, label), value)
    assert found == pytest.approx(value[truth, label].var() / truth.size)


def test_variance_with_sampling_weights():
    truth, label, value = rows()
    weight = np.random.default_rng(1).random(truth.size)
    each = value[truth, label]
    spread = (weight**2 * (each - np.average(each, weights=weight)) ** 2).sum()
    found = variance(table(truth, label, weight=weight), value)
    assert found == pytest.approx(spread / weight.sum() ** 2)


def test_variance_with_groups():
    truth, label, value = rows()
    group = np.arange(truth.size) % 7
    each = value[truth, label] - value[truth, label].mean()
    sums = np.bincount(group, weights=each)
    size = np.bincount(group)
    found = table(truth, label, group=group)
    moved = sums / (truth.size - size)  # how far the mean moves without each group
    assert variance(found, value) == pytest.approx(6 / 7 * (moved**2).sum())
    assert found.df == pytest.approx(truth.size**2 / (size**2).sum() - 1)


def test_variance_with_class_counts_fixed_by_design():
    truth, label, value = rows()
    prevalences = {0: 0.5, 1: 0.3, 2: 0.2}
    table = Predictions.of(truth, label, design="classes")
    found = variance(table.summary(Contingency, prevalences=prevalences), value)
    strata = [value[truth, label][truth == c] for c in range(3)]
    expected = sum(
        share**2 * part.var() / part.size
        for share, part in zip(prevalences.values(), strata, strict=True)
    )
    assert found == pytest.approx(expected)


# --- shares of the population ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("prevalences", "message"),
    [
        ({"a": 0.5}, "give one share for each class"),
        ({"a": 0.5, "z": 0.5}, "give one share for each class"),
        ({"a": 0.5, "b": 0.6}, r"must be >= 0 and sum to 1, got 1.1"),
        ({"a": -0.5, "b": 1.5}, "must be >= 0 and sum to 1"),
    ],
)
def test_refuses_other_prevalences(prevalences, message):
    drawn = Predictions.of(["a", "b"], ["a", "b"], design="classes")
    with pytest.raises(InputError, match=message):
        drawn.summary(Contingency, prevalences=prevalences)


def test_prevalences_are_for_fixed_class_counts():
    with pytest.raises(InputError, match="say design='classes'"):
        Predictions.of(["a", "b"], ["a", "b"]).summary(
            Contingency, prevalences={"a": 0.5, "b": 0.5}
        )


def test_shares_follow_the_prevalences():
    drawn = Predictions.of(["a", "a", "b"], ["a", "b", "b"], design="classes")
    found = drawn.summary(Contingency, prevalences={"a": 0.9, "b": 0.1})
    assert found.shares == pytest.approx(np.array([[0.45, 0.45], [0, 0.1]]))
