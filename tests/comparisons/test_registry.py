"""The declared tests: what each is for, how `auto` picks, and that adding one is enough."""

import re
from pathlib import Path

import numpy as np
import pytest
from tests.verbs.paired_tables import TWO, table

import heliast as hl
from heliast import comparisons
from heliast.comparisons import IN_ORDER, ONE, SETS, SPLITS, TestResult, check_test
from heliast.comparisons import _registry as registry

DOCS = Path(__file__).parents[2] / "docs"
DECLARED = registry._TESTS.values()


@pytest.mark.parametrize("test", DECLARED, ids=lambda test: test.name)
def test_a_test_is_taken_where_it_is_declared_for_and_refused_elsewhere(test) -> None:
    for here in (ONE, SPLITS, SETS, IN_ORDER):
        if here in test.designs and test.kind != "omnibus":
            check_test(test.name, here)
        else:
            with pytest.raises(hl.InputError, match=re.escape(f"test={test.name!r}")):
                check_test(test.name, here)


@pytest.mark.parametrize("test", DECLARED, ids=lambda test: test.name)
def test_every_declared_test_is_documented(test) -> None:
    said = "".join((DOCS / name).read_text() for name in ("compare.md", "comparisons.md"))
    assert f"`{test.name}`" in said


@pytest.mark.parametrize("here", [ONE, SPLITS, SETS, IN_ORDER])
def test_auto_has_an_order_without_ties(here: str) -> None:
    for kind in ("pairs", "omnibus"):
        places = [one.auto for one in DECLARED if one.kind == kind and here in one.designs]
        known = [place for place in places if place is not None]
        assert len(known) == len(set(known))
        assert known or kind == "omnibus"


def test_a_new_test_needs_its_declaration_only() -> None:
    """The largest difference of two rows, which is no sensible test, but one that nobody knows."""

    @comparisons.comparison("largest", (ONE,), refuses=lambda field: "" if field.losses else "no")
    def _largest(field, asked):
        def pair(a, b, level, again=False):
            gap = np.abs(field.losses[a] - field.losses[b])
            return TestResult(0.5, float(gap.max()), method="largest difference", test="largest")

        return comparisons.Answer(pair, "the largest difference of all rows")

    try:
        found = hl.compare(table(TWO), test="largest")
        assert (found.pairs[0].value, found.pairs[0].test) == (1.0, "largest")
        assert found.reason_for_test == "one test set, the largest difference of all rows"
        with pytest.raises(hl.InputError, match="test='largest' no"):
            hl.compare(table(TWO), "kappa", test="largest")
        with pytest.raises(hl.InputError, match=r"choose among auto.*largest"):
            hl.compare(table(TWO), test="wilcoxon")
    finally:
        registry._TESTS.pop("largest")


A, B = np.random.default_rng(3).normal([[0.5], [0.0]], 1, (2, 10))

RESULTS = {
    "mcnemar": lambda a, b: comparisons.mcnemar(int((a > b).sum()), int((b > a).sum())),
    "cochran_q": lambda a, b: comparisons.cochran_q(np.stack([a, b], 1) > 0),
    "delong_paired": lambda a, b: comparisons.delong_paired(np.arange(10) % 2, a, b),
    "diebold_mariano": comparisons.diebold_mariano,
    "skewed_t": comparisons.skewed_t,
    "permutation": comparisons.permutation,
    "paired_t": comparisons.paired_t,
    "corrected_t": lambda a, b: comparisons.corrected_t(a, b, 90, 10),
    "five_by_two_t": comparisons.five_by_two_t,
    "five_by_two_f": comparisons.five_by_two_f,
    "wilcoxon": comparisons.wilcoxon,
    "sign_test": comparisons.sign_test,
    "bayes_correlated_t": lambda a, b: comparisons.bayes_correlated_t(a, b, 90, 10),
    "bayes_signed_rank": lambda a, b: comparisons.bayes_signed_rank(a, b, samples=50),
    "friedman": lambda a, b: comparisons.friedman(np.stack([a, b], 1)),
    "iman_davenport": lambda a, b: comparisons.iman_davenport(np.stack([a, b], 1)),
    "nemenyi": lambda a, b: comparisons.nemenyi(np.stack([a, b], 1)),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_says_by_key_which_test_made_it_and_whether_nothing_differs(name: str) -> None:
    found, same = RESULTS[name](A, B), RESULTS[name](A, A)
    assert found.test == same.test == name
    assert same.identical
    assert same.notes[0] == "identical predictions"
    assert not found.identical


def test_every_declared_function_is_among_these() -> None:
    public = {test.name for test in DECLARED} & set(comparisons.__all__)
    assert public == set(RESULTS)
