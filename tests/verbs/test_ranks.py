"""The ranks that are possible: from pairs that are told apart, all models together."""

import numpy as np
import pytest

import heliast as hl
from heliast import Predictions


def graded(rng: np.random.Generator, chances: list[float], n: int, m: int = 1) -> Predictions:
    """Models that solve items with these chances, alike in which items are hard."""
    from scipy.special import expit, logit

    hard = rng.normal(size=n)
    grades = [
        (rng.random((n, m)) < expit(logit(one) + hard)[:, None]).astype(int) for one in chances
    ]
    return Predictions.graded(
        np.concatenate([one.ravel() for one in grades]),
        model=np.repeat([f"m{at}" for at in range(len(chances))], n * m),
        item=np.tile(np.repeat(np.arange(n), m), len(chances)),
        attempt=np.tile(np.arange(m), n * len(chances)) if m > 1 else None,
    )


def test_ranks_by_hand() -> None:
    grades = {"best": [1] * 60, "twin": [1] * 59 + [0], "bad": [0] * 50 + [1] * 10}
    table = Predictions.graded(
        np.concatenate(list(grades.values())),
        model=np.repeat(list(grades), 60),
        item=list(range(60)) * 3,
    )
    found = hl.compare(table)
    assert [(one.model, one.best, one.worst) for one in found.ranks] == [
        ("best", 1, 2), ("twin", 1, 2), ("bad", 3, 3),
    ]  # fmt: skip
    assert [one.words for one in found.ranks] == ["1 to 2", "1 to 2", "3"]
    assert found["best", "bad"].won == (50, 10, 0)
    assert found["bad", "best"].won == (0, 10, 50)
    assert "1 to 2" in str(found)
    assert found.to_dict()["ranks"][0]["best"] == 1


def test_ranks_of_classes_and_of_numbers() -> None:
    truth = ["a", "b"] * 40
    classes = hl.compare(truth, {"right": truth, "wrong": truth[::-1], "half": ["a"] * 80})
    assert [one.model for one in classes.ranks] == ["right", "half", "wrong"]
    assert [one.words for one in classes.ranks] == ["1", "2", "3"]
    rng = np.random.default_rng(0)
    y = rng.normal(size=100)
    near, far = y + 0.1 * rng.normal(size=100), y + rng.normal(size=100)
    numbers = hl.compare(y, {"near": near, "far": far}, task="regression")
    assert [one.words for one in numbers.ranks] == ["1", "2"]


def test_without_a_correction_there_are_none() -> None:
    table = graded(np.random.default_rng(0), [0.5, 0.6, 0.7], 50)
    assert hl.compare(table, correction="none").ranks == ()


@pytest.mark.parametrize("chances", [[0.5] * 4, [0.4, 0.5, 0.5, 0.65]])
def test_all_ranks_hold_together(chances: list[float]) -> None:
    """Ties may have any of the ranks that they share; one is enough."""
    rng, held, times = np.random.default_rng(5), 0, 120
    first = [1 + sum(other > one for other in chances) for one in chances]
    last = [len(chances) - sum(other < one for other in chances) for one in chances]
    for _ in range(times):
        ranks = {one.model: one for one in hl.compare(graded(rng, chances, 60, 2)).ranks}
        held += all(
            ranks[f"m{at}"].best <= last[at] and ranks[f"m{at}"].worst >= first[at]
            and ranks[f"m{at}"].best <= first[at] and ranks[f"m{at}"].worst >= last[at]
            for at in range(len(chances))
        )  # fmt: skip
    assert held >= 0.9 * times


def test_mcnemar_where_it_applies() -> None:
    rng = np.random.default_rng(3)
    assert hl.compare(graded(rng, [0.5, 0.6], 80))["m0", "m1"].test == "mcnemar"
    assert hl.compare(graded(rng, [0.5, 0.6], 80, 3))["m0", "m1"].test == "skewed_t"
    once = graded(rng, [0.5, 0.6], 80)
    right = {m: once.rows(m).y_pred for m in once.models}
    labels = {m: ["a" if one else "b" for one in right[m]] for m in right}
    other = hl.compare(["a"] * 80, labels, "accuracy")["m0", "m1"]
    found = hl.compare(once)["m0", "m1"]
    assert (found.value, found.p, found.low, found.high) == pytest.approx(
        (other.value, other.p, other.low, other.high)
    )
