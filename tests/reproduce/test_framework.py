"""The frame that studies run in: what agrees, how studies are found, how outcomes read."""

import json

import pytest

from heliast import reproduce
from heliast._core.errors import InputError
from heliast.reproduce import Claim, Figure, Note, Setting, Study, Value
from heliast.reproduce._study import gathered


def outcome():
    one = Study("thesis-9.9", "A title", "A design.", "A tolerance.", lambda setting: [])
    found = [
        Value("table 9.9", "ECOC", "B=2", 10.0, 12.0, 2.5, 0.3),
        Value("table 9.9", "ECOC", "B=5", 10.0, 14.0, 2.5, 0.3),
        Claim("more is better", False, "12 below 14"),
        Figure("figure-9", "A picture", "<svg/>"),
        Note("Something was chosen."),
    ]
    return gathered(one, found, 3, 1.5)


def test_what_agrees():
    found = outcome()
    assert [value.agrees for value in found.values] == [True, False]
    assert (found.agreeing, found.agrees) == (1, False)
    assert Value("", "", "", 1.0, float("nan"), 1.0).agrees is False


def test_views():
    found = outcome()
    text = reproduce.outcome_text(found)
    assert "NOT within" in text
    assert "NOT true: more is better (12 below 14)" in text
    assert "1 of 2 printed numbers" in text
    page = reproduce.outcome_markdown(found)
    assert "| ECOC | 10 / 12 | **10 / 14** |" in page
    assert "(reproduced/figure-9.svg)" in page
    exercise = next(iter(reproduce.reproduce(["chapter-q5"])))
    assert "\n*Source:* Zaki and Meira (2014).\n" in reproduce.outcome_markdown(exercise)
    assert "1 of 2 printed numbers" in reproduce.summary_text([found])
    assert json.loads(json.dumps(found.to_dict()))["agreeing"] == 1


def test_a_page_with_its_drawings(tmp_path):
    reproduce.write_page([outcome()], tmp_path / "all.md")
    assert (tmp_path / "all" / "figure-9.svg").read_text() == "<svg/>"
    assert "(all/figure-9.svg)" in (tmp_path / "all.md").read_text()


def test_studies_are_found_by_name_and_beginning():
    names = list(reproduce.every())
    assert names.index("chapter-22.7") < names.index("chapter-22.11")
    assert [one.name for one in reproduce.chosen(["chapter-22.7"])] == ["chapter-22.7"]
    chapter = [one.name for one in reproduce.chosen(["chapter"])]
    assert chapter == [name for name in names if name.startswith("chapter-")]
    with pytest.raises(InputError, match="no study 'chapter-99'"):
        reproduce.chosen(["chapter-99"])


def test_every_study_states_its_design_and_tolerance():
    for one in reproduce.every().values():
        assert len(one.design) > 20, one.name
        assert len(one.tolerance) > 10, one.name
        assert one.quick <= one.repetitions, one.name


def test_missing_data_are_named_with_what_to_do(monkeypatch):
    monkeypatch.delenv("HELIAST_DATA", raising=False)
    with pytest.raises(InputError, match=r"--data FOLDER or HELIAST_DATA.*--fetch"):
        Setting().data("letter")


def test_shared_work_is_done_once():
    setting, made = Setting(), []
    for _ in range(2):
        assert setting.once("key", lambda: made.append(1) or 7) == 7
    assert made == [1]
