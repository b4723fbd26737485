"""The records of compare: how they look and what they hold."""

import json
import math

import numpy as np
import pytest
from tests.verbs.paired_tables import THREE, TWO, errs, scored, sets, table

from heliast.comparisons import Finding
from heliast.verbs.compare import compare
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.options import Options
from heliast.verbs.pairs import Matrix, compare_matrix


def views() -> list[Comparison]:
    long = {
        f"a model with a very long name indeed {at}": one for at, one in enumerate(TWO.values())
    }
    many = {f"m{at}": errs((at, at + 12 + 3 * at)) for at in range(8)}
    return [compare(table(one)) for one in (TWO, THREE, long, many)]


def test_text_fits_80_columns_and_opens_with_the_sentence() -> None:
    for found in [*views(), compare(scored(), "auc"), compare(sets(7, 3))]:
        lines = str(found).splitlines()
        assert max(map(len, lines)) <= 80
        assert " ".join(lines).startswith(found.summary[:60])
        assert found.reason_for_test


def test_sentences() -> None:
    assert compare(table(TWO)).summary == (
        "knn vs tree: error rate lower by 10.0 percentage points (95% CI 5.0 to 15.5, p < 0.001, "
        "McNemar): significantly better, by more than the equivalence margin of 1 point."
    )
    close = {"a": errs((0, 12)), "b": errs((2, 12))}
    assert "p = 0.25, McNemar): inconclusive." in compare(table(close)).summary
    three = compare(table(THREE))
    assert three.summary.startswith("Best: knn, error rate 5.0%. Significantly better than 1 of 2")
    assert "(Holm-adjusted, family-wise 5%)" in three.summary
    assert "not adjusted" in compare(table(THREE), correction="none").summary
    assert "90% CI" in compare(table(TWO), level=0.9).summary


def test_html_is_escaped() -> None:
    bad = {"<script>alert(1)</script>": TWO["tree"], "b&w": TWO["knn"]}
    page = compare(table(bad))._repr_html_()
    assert "<script>" not in page
    assert "b&amp;w" in page


def test_records_as_json_and_frame() -> None:
    found = compare(table(THREE))
    said = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert said["pairs"][0]["a"] == "tree"
    assert {"summary", "ranks", "omnibus", "left_out", "margin"} <= set(said)
    assert found.to_frame().num_rows == len(found) == 3
    assert repr(found).startswith("<Comparison: Best: knn")
    assert not math.isnan(found.pairs[0].p)
    with pytest.raises(KeyError, match="no model named 'x'"):
        found["tree", "x"]
    with pytest.raises(KeyError, match="name two"):
        found["tree", "tree"]


@pytest.mark.parametrize(
    ("kind", "true"),
    [
        ("better", {"better", "significant", "beyond"}),
        ("worse", {"worse", "significant", "beyond"}),
        ("equivalent", {"equivalent"}),
        ("identical", {"identical"}),
        ("undecided", {"inconclusive"}),
    ],
)
def test_a_finding_is_asked_by_name_and_told_in_words(kind: str, true: set[str]) -> None:
    names = ("better", "worse", "significant", "beyond", "equivalent", "identical", "inconclusive")
    found = Difference("a", "b", "error", 0.1, finding=Finding(kind, 0.01))  # type: ignore[arg-type]
    assert {name for name in names if getattr(found, name)} == true
    turned = {"better": "worse", "worse": "better"}.get(kind, kind)
    assert found.reversed.finding.kind == turned
    assert found.to_dict()["verdict"] == found.verdict
    assert "finding" not in found.to_dict()
    near = Difference("a", "b", "error", finding=Finding("better", 0.01, beyond=False))
    assert near.verdict == "better, perhaps by less than 0.01"
    assert (near.better, near.beyond) == (True, False)


@pytest.mark.parametrize(("count", "pairs"), [(6, 10), (9, 0)])
def test_what_no_data_could_show_is_said_first(count: int, pairs: int) -> None:
    values = 0.1 + 0.1 * np.random.default_rng(0).random((count, 5))
    matrix = Matrix(tuple("abcde"), values, lambda a, b: False)
    comparison = compare_matrix(matrix, Options(measures="error"))
    words = f"{count} data sets cannot give a significant difference: of {pairs} pairs"
    assert comparison.summary.startswith(words) == (pairs > 0)
    assert not (pairs and any(pair.significant for pair in comparison))
