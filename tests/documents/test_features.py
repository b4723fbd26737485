"""Every feature of the documents holds, and docs/features.md says so."""

import re

import pytest
from tests.documents.features.page import PAGE, features, page

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")


@pytest.mark.parametrize(
    "feature", features(), ids=lambda one: f"{one.number}-{one.check.__name__}"
)
def test_holds(feature):
    answer = feature.answer
    assert len(answer.heliast) == len(answer.oracle) > 0
    assert answer.wrong == ()


def test_there_are_seventy_four():
    assert [one.number for one in features()] == list(range(1, 75))


def test_the_page_is_up_to_date():
    """Word by word; numbers may differ in the last digits from machine to machine."""
    written, made = PAGE.read_text(encoding="utf-8"), page()
    assert NUMBER.sub("#", written) == NUMBER.sub("#", made), (
        "run python -m tests.documents.features"
    )
    numbers = [[float(one) for one in NUMBER.findall(text)] for text in (written, made)]
    assert numbers[0] == pytest.approx(numbers[1], rel=1e-2, abs=1e-6)
