"""PRISM: the textbook rule sets, printed by Weka 3.6, and what the rules promise."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import heliast as hl
from heliast._core.errors import InputError
from heliast.learners import Prism

LENSES = """
If astigmatism = no and tear-prod-rate = normal and spectacle-prescrip = hypermetrope then soft
If astigmatism = no and tear-prod-rate = normal and age = young then soft
If age = pre-presbyopic and astigmatism = no and tear-prod-rate = normal then soft
If astigmatism = yes and tear-prod-rate = normal and spectacle-prescrip = myope then hard
If age = young and astigmatism = yes and tear-prod-rate = normal then hard
If tear-prod-rate = reduced then none
If age = presbyopic and tear-prod-rate = normal and spectacle-prescrip = myope \
and astigmatism = no then none
If spectacle-prescrip = hypermetrope and astigmatism = yes and age = pre-presbyopic then none
If age = presbyopic and spectacle-prescrip = hypermetrope and astigmatism = yes then none
"""
TENNIS = """
If outlook = overcast then yes
If humidity = normal and windy = FALSE then yes
If temperature = mild and humidity = normal then yes
If outlook = rainy and windy = FALSE then yes
If outlook = sunny and humidity = high then no
If outlook = rainy and windy = TRUE then no
"""
"""What `weka.classifiers.rules.Prism` of Weka 3.6.14 prints for its own two files."""


def fitted(folder, name):
    lines = (folder / name).read_text().split()
    table = np.array([line.split(",") for line in lines])
    prism = Prism()
    frame = pd.DataFrame(table[1:, :-1], columns=table[0, :-1])
    return prism.fit(frame, table[1:, -1]), frame, table[1:, -1]


def as_set(text):
    """A rule is the set of its conditions and its class: their order is a matter of taste."""
    rules = set()
    for line in text.replace("\n   and ", " and ").strip().splitlines():
        conditions, class_ = line.removeprefix("If ").split(" then ")
        rules.add((frozenset(conditions.split(" and ")), class_))
    return rules


@pytest.mark.parametrize(
    ("name", "printed"), [("contact_lenses.csv", LENSES), ("weather_nominal.csv", TENNIS)]
)
def test_the_textbook_rule_sets(shared_data, name, printed):
    prism, frame, truth = fitted(shared_data, name)
    assert as_set(prism.text()) == as_set(printed)
    assert (prism.predict(frame) == truth).all()


def test_run_hands_over_nominal_inputs_as_they_are(shared_data):
    votes = hl.read(shared_data / "housevotes84.csv", target="class")
    preds = hl.run({"prism": Prism(), "most": hl.Majority()}, votes, hl.KFold(10), seed=1)
    found = hl.assess(preds, ["error"])
    assert found["prism", "error"].high < 0.15 < found["most", "error"].low


def test_a_clash_is_shown_and_the_larger_share_decides():
    X, y = [["a"], ["a"], ["a"], ["b"]], ["no", "yes", "yes", "no"]
    prism = Prism().fit(X, y)
    assert "(1 of 3)" in prism.text()
    assert prism.predict_proba([["a"]]).tolist() == [[1 / 3, 2 / 3]]
    assert prism.predict([["a"]]).tolist() == ["yes"]


def test_a_row_no_rule_covers_gets_the_most_frequent_class():
    prism = Prism().fit([["a"], ["b"], ["b"]], ["no", "yes", "yes"])
    assert prism.covers([["a"], ["c"], [None]]).tolist() == [True, False, False]
    assert prism.predict([["c"]]).tolist() == ["yes"]


def test_numbers_are_binned_on_request():
    X = np.arange(12.0)[:, None]
    prism = Prism(bins=3).fit(X, np.arange(12) > 7)
    assert prism.text().splitlines() == [
        "If x0 <= 3 then False",
        "If 3 < x0 <= 7 then False",
        "If x0 > 7 then True",
    ]
    assert prism.predict([[-5.0], [99.0]]).tolist() == [False, True]
    with pytest.raises(InputError, match="bins=1"):
        Prism(bins=1).fit(X, np.arange(12) > 7)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10_000))
def test_rows_without_clashes_are_all_right(seed):
    """Distinct rows are separated: every rule is perfect and every training row decided rightly."""
    rng = np.random.default_rng(seed)
    X = np.unique(rng.integers(0, 3, (20, 3)), axis=0).astype(str)
    y = rng.integers(0, 3, len(X))
    prism = Prism().fit(X, y)
    assert all(rule.right == rule.covered for rule in prism.rules_)
    assert prism.covers(X).all()
    assert (prism.predict(X) == y).all()
