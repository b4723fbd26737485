"""Reports of scanned tables: the numbers of the report in memory; what needs rows is left out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import heliast as hl
from heliast.verbs.options import Options
from heliast.verbs.report import material_of
from heliast.views.report import summarise

N = 2000


def draw() -> tuple[np.random.Generator, Any, Any]:
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, N)
    return rng, truth, np.clip(np.round(truth * 0.3 + rng.uniform(0, 0.7, N), 2), 0.01, 0.99)


def two_classes() -> hl.Predictions:
    _, truth, score = draw()
    return hl.Predictions.of(truth, y_score=score)


def weighted() -> hl.Predictions:
    rng, truth, score = draw()
    return hl.Predictions.of(truth, y_score=score, weight=rng.uniform(0.1, 2, N))


def two_models() -> hl.Predictions:
    _, truth, score = draw()
    tables = [
        hl.Predictions.of(truth, y_score=one, model=name, row=np.arange(N))
        for name, one in (("a", score), ("b", np.clip(score + 0.1, 0, 1)))
    ]
    return tables[0].join(tables[1])


def three_classes() -> hl.Predictions:
    rng, _, _ = draw()
    truth = rng.integers(0, 3, N)
    return hl.Predictions.of(truth, y_score=rng.dirichlet([1, 1, 1], N) / 2 + np.eye(3)[truth] / 2)


def decisions() -> hl.Predictions:
    rng, truth, _ = draw()
    return hl.Predictions.of(truth, y_score=rng.normal(truth), scores="decision")


def labels() -> hl.Predictions:
    rng, truth, _ = draw()
    return hl.Predictions.of(truth, truth ^ (rng.random(N) < 0.2))


def numbers() -> hl.Predictions:
    rng, _, _ = draw()
    truth = rng.normal(size=N)
    return hl.Predictions.of(truth, truth + rng.normal(size=N))


def summary_of(table: hl.Predictions) -> dict[str, Any]:
    return summarise(material_of(table, Options(), {"title": "T"}))


def flat(found: Any, at: str = "") -> dict[str, Any]:
    """Every value of nested dicts and lists by the way to it."""
    if isinstance(found, dict):
        pairs = found.items()
    elif isinstance(found, (list, tuple)):
        pairs = enumerate(found)  # type: ignore[assignment]
    else:
        return {at: found}
    return {way: one for name, part in pairs for way, one in flat(part, f"{at}/{name}").items()}


@pytest.mark.parametrize(
    "make", [two_classes, weighted, two_models, three_classes, decisions, labels, numbers]
)
def test_the_report_is_that_of_the_table_in_memory(make: Any, tmp_path: Path) -> None:
    memory = make()
    scanned = hl.Predictions.scan(memory.write(tmp_path / "model.parquet"))
    a, b = summary_of(memory), summary_of(scanned)
    # Rows one by one are not read again: predicted against actual is left out, and it is said.
    rows = [one for one in a["sections"] if one["key"] == "residuals"]
    a["sections"] = [one for one in a["sections"] if one not in rows]
    left_out = [one for one in b["absent"] if one not in a["absent"]]
    assert len(left_out) == len(rows)
    b["absent"] = [one for one in b["absent"] if one not in left_out]
    assert [one["key"] for one in a["sections"]] == [one["key"] for one in b["sections"]]
    assert not [one for one in b["sections"] if "failed" in one]
    assert a["absent"] == b["absent"]
    for one, other in zip(a["sections"], b["sections"], strict=True):
        if one["key"] in ("contingency", "classes"):
            found, expected = flat(other), flat(one)
            assert found.keys() == expected.keys()
            for way, value in expected.items():
                close = isinstance(value, float)
                assert found[way] == (pytest.approx(value, rel=1e-9) if close else value), way
        if one["key"] == "decisions":
            drawn = [figure["live"] for figure in one["figures"] if figure["live"] != "pr"]
            assert [figure["live"] for figure in other["figures"]] == drawn
            assert "precision-recall curve is left out" in other["notes"][-1]
            for mine, theirs in zip(other["live"]["curves"], one["live"]["curves"], strict=True):
                for code in theirs:
                    assert mine[code]["auc"] == pytest.approx(theirs[code]["auc"], rel=1e-9)
                    assert mine[code]["P"] == pytest.approx(theirs[code]["P"], rel=1e-9)
    if len(memory.models) == 1:
        assert a["tiles"][0]["value"] == b["tiles"][0]["value"]
    else:  # what is scanned cannot be corrected for the choice of the best, and says so
        assert "not adjusted" in " ".join(b["verdict"]["sentences"])
        assert "adjusted for" in " ".join(a["verdict"]["sentences"])
