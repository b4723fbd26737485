"""Stages: further outputs of one fit are kept in the table, and are models only if asked for."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast.ensembles import BaggedVote, BoostedVote
from heliast.learners import Tree
from heliast.verbs.options import Options
from heliast.verbs.report import material_of

MODELS = ("tree", "bag", "boost")


def models():
    return {"tree": Tree(), "bag": BaggedVote(Tree(), 5), "boost": BoostedVote(Tree(), 5)}


@pytest.fixture(scope="module")
def table() -> hl.Predictions:
    return hl.run(models(), "sklearn:iris", 3, progress=False)


def test_a_tree_a_bagged_and_a_boosted_vote_are_three_models_and_three_pairs(table) -> None:
    assert len(table.models) == 3 + 2 * 3 + 3
    assert {table.meta.stages[name] for name in table.stages} == {"bag", "boost"}
    assert hl.assess(table).models == MODELS
    assert [(one.a, one.b) for one in hl.compare(table).pairs] == [
        ("tree", "bag"), ("tree", "boost"), ("bag", "boost"),
    ]  # fmt: skip
    assert [one.subject for one in hl.gate(table, "error.high <= 0.5")] == list(MODELS)
    assert material_of(table, Options()).assessment.models == MODELS


def test_pairs_have_the_intervals_that_they_have_alone(table) -> None:
    alone = hl.compare(table.only(model=MODELS))
    for one, other in zip(hl.compare(table).pairs, alone.pairs, strict=True):
        assert (one.low, one.high, one.p) == (other.low, other.high, other.p)
    few = hl.compare(table)["tree", "bag"]
    many = hl.compare(table, stages=True)["tree", "bag"]
    assert many.high - many.low > few.high - few.low


def test_stages_are_there_for_who_asks(table, tmp_path) -> None:
    for found in (hl.assess(table, "error", stages=True), hl.compare(table, stages=True)):
        assert found.models == table.models
    assert len(hl.gate(table, "error.high <= 0.5", stages=True)) == len(table.models)
    page = hl.report(table, tmp_path / "r.html", stages=True).read_text(encoding="utf-8")
    assert "bag/hard" in page
    plain = hl.report(table, tmp_path / "p.html").read_text(encoding="utf-8")
    assert "bag/hard" not in plain
    with pytest.raises(hl.InputError, match="stages must be True or False"):
        hl.assess(table, stages=1)


def test_what_is_left_out_is_said(table) -> None:
    for found in (hl.assess(table), hl.compare(table), hl.gate(table, "error.high <= 0.5")):
        said = [note for note in found.notes if "stages" in note]
        assert len(said) == 1
        assert "9 further outputs of the same fits (stages of bag, boost)" in said[0]
    with pytest.raises(hl.InputError, match="stages=True"):
        hl.compare(table.only(model=["bag", "bag/hard/B=1"]))


def test_a_stage_that_a_requirement_names_is_asked_for(table) -> None:
    (ruling,) = hl.gate(table, "bag/hard/B=1:error.high <= 0.9")
    assert ruling.subject == "bag/hard/B=1"
    assert ruling.value == hl.assess(table, "error", stages=True)["bag/hard/B=1", "error"].value
    (ruling,) = hl.gate(table, "error(bag - bag/hard/B=1).high <= 0.9")
    assert not np.isnan(ruling.value)


def test_a_stage_without_its_model_stands_for_itself(table) -> None:
    part = table.only(model=["tree", "bag/soft/B=5"])
    assert hl.compare(part).models == ("tree", "bag/soft/B=5")


def test_names_alone_make_no_stage() -> None:
    truth = ["a", "b"] * 20
    one = hl.Predictions.of(truth, truth, model="bag", row=range(40))
    other = hl.Predictions.of(truth, ["a"] * 40, model="bag/B=10", row=range(40))
    assert hl.assess(one.join(other)).models == ("bag", "bag/B=10")


def test_a_table_knows_its_stages_after_write_read_scan_and_join(table, tmp_path) -> None:
    path = table.write(tmp_path / "p.parquet")
    assert hl.Predictions.read(path).equals(table)
    for again in (hl.Predictions.read(path), hl.Predictions.read(path, weights="frequency")):
        assert again.stages == table.stages
        assert hl.assess(again, "error").models == MODELS
    one_split = table.only(split=table.splits.names[0]).write(tmp_path / "one.parquet")
    assert {*hl.assess(hl.Predictions.scan(one_split), "error").models} == {*MODELS}
    other = hl.run({"bayes": GaussianNB()}, "sklearn:iris", 3, progress=False)
    assert hl.assess(other.join(table), "error").models == ("bayes", *MODELS)


def test_models_fitted_before_have_stages_too() -> None:
    data = hl.read("sklearn:iris")
    fitted = {name: one.fit(data.matrix, data.y) for name, one in models().items()}
    found = hl.predict(fitted, data)
    assert len(found.models) > 3
    assert hl.assess(found, "error").models == MODELS


def test_explain_takes_the_models() -> None:
    bag = {"tree": Tree(), "bag": BaggedVote(Tree(), 2)}
    found = hl.explain(bag, "sklearn:iris", 4)
    assert found.models == ("tree", "bag")
    assert "bag/hard/B=1" in found.predictions.models
    assert "bag/hard/B=1" in hl.explain(bag, "sklearn:iris", 4, stages=True).models


def test_the_command_line_asks_by_an_option(table, tmp_path: Path, capsys) -> None:
    from heliast.cli._main import app

    path = str(table.write(tmp_path / "p.parquet"))
    app(["compare", path], standalone_mode=False)
    assert "bag/hard" not in capsys.readouterr().out
    app(["compare", path, "--stages"], standalone_mode=False)
    assert "bag/hard" in capsys.readouterr().out
