"""Stored answers of Weka's corrected resampled t test; `CorrectedT.java` made them."""

import json
from pathlib import Path

import pytest

from heliast import comparisons

ANSWERS = json.loads((Path(__file__).parent / "corrected_t.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("answer", ANSWERS["cases"], ids=lambda one: f"{len(one['a'])} splits")
def test_value_p_and_significance(answer):
    # Weka takes the ratio of test to training rows; one training row makes it that.
    found = comparisons.corrected_t(answer["a"], answer["b"], 1, answer["ratio"], df=None)
    assert found.value == pytest.approx(answer["value"], rel=1e-12)
    assert found.p == pytest.approx(answer["p"], rel=1e-9)
    sign = (found.value > 0) - (found.value < 0)
    assert answer["significance"] == (sign if found.p <= 0.05 else 0)


def test_the_answers_hold_both_decisions():
    assert {abs(one["significance"]) for one in ANSWERS["cases"]} == {0, 1}
