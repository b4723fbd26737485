"""Stored answers of base R to questions of heliast.comparisons; `comparisons.R` made them."""

import json
from pathlib import Path

import numpy as np
import pytest

from heliast import comparisons

ANSWERS = json.loads((Path(__file__).parent / "comparisons.json").read_text(encoding="utf-8"))


def cases(name):
    found = ANSWERS[name]
    return pytest.mark.parametrize("answer", found, ids=[str(i) for i in range(len(found))])


def close(value):
    return pytest.approx(value, rel=1e-8, abs=1e-12)


@cases("paired")
def test_t_test(answer):
    found = comparisons.paired_t(answer["a"], answer["b"])
    assert (found.statistic, found.p) == close((answer["statistic"], answer["p"]))
    assert [found.low, found.high] == close(answer["limits"])


@cases("untied")
def test_wilcoxon_exact_with_hodges_lehmann(answer):
    found = comparisons.wilcoxon(answer["d"], np.zeros(len(answer["d"])))
    assert (found.statistic, found.p) == close((answer["statistic"], answer["p"]))
    assert [found.value, found.low, found.high] == close([answer["value"], *answer["limits"]])


@cases("many")
def test_wilcoxon_normal_with_ties(answer):
    found = comparisons.wilcoxon(answer["d"], np.zeros(len(answer["d"])))
    assert (found.statistic, found.p) == close((answer["statistic"], answer["p"]))


@cases("discordant")
def test_mcnemar(answer):
    pair = answer["b"], answer["c"]
    assert comparisons.mcnemar(*pair).p == close(answer["mid"])
    assert comparisons.mcnemar(*pair, exact=True).p == close(answer["exact"])
    for kind in ("plain", "corrected"):
        assert comparisons.mcnemar(*pair, chi_square=kind).p == close(answer[kind])


@cases("ranked")
def test_friedman_and_its_kin(answer):
    table = answer["table"]
    found = comparisons.friedman(table)
    assert (found.statistic, found.p) == close((answer["statistic"], answer["p"]))
    assert list(found.ranks) == close(answer["ranks"])
    assert comparisons.iman_davenport(table).p == close(answer["iman_davenport"])


@cases("ranked")
def test_nemenyi(answer):
    found = comparisons.nemenyi(answer["table"])
    assert found.critical_difference == close(answer["critical_difference"])
    # ptukey itself is good to about nine digits.
    assert np.array(found.pairs) == pytest.approx(np.array(answer["pairs"]), abs=1e-8)


@cases("right")
def test_cochran_q(answer):
    found = comparisons.cochran_q(answer["correct"])
    assert (found.statistic, found.p) == close((answer["statistic"], answer["p"]))


@cases("holm")
def test_holm(answer):
    given, adjusted = (
        [float("nan") if p is None else p for p in answer[key]] for key in ("p", "adjusted")
    )
    assert list(comparisons.holm(given)) == pytest.approx(adjusted, nan_ok=True, rel=1e-8)
