"""How studies are found and run, what holds, and how results read."""

import ast
import math
from pathlib import Path

import numpy as np
import pytest

import reproduction
from reproduction.__main__ import main
from reproduction.output import result_markdown, result_text, summary_text, totals, write_page
from reproduction.study import (
    STUDIES,
    Claim,
    Figure,
    Printed,
    Row,
    Settings,
    Study,
    all_studies,
    compare,
    find_studies,
    joint_errors,
    run_study,
)


def example(settings):
    yield 12.0
    yield np.array([13.0, 15.0])
    yield Claim("more is better", False, "12 below 14")
    yield Figure("figure-9", "A picture", "<svg/>")
    yield "Something was chosen."


def result(quick=False, repetitions=3):
    cells = {("ECOC", "B=2"): 10.0, ("ECOC", "B=5"): 10.0}
    printed = (Printed("Table 9.9", cells, 2.5),)
    study = Study(
        "thesis-9.9", "A title", "A design.", "A tolerance.", printed, repetitions, (), example
    )
    return run_study(study, Settings(quick=quick))


def test_a_number_stands_beside_the_next_printed_one():
    first, second = result().rows
    assert (first.row, first.column, first.ours, first.holds) == ("ECOC", "B=2", 12.0, True)
    assert math.isnan(first.se)
    # The mean of 13 and 15; their standard error is 1.
    assert (second.ours, second.se, second.holds) == (14.0, pytest.approx(1.0), False)
    assert not Row("", "", "", 1.0, math.nan, 1.0).holds


def test_tolerances():
    table = Printed("t", {}, 1.0)
    assert compare(table, "a", 5.0, 6.5).tolerance == 1.0
    assert compare(table, "a", (5.0, 2.0), 6.5).tolerance == 2.0  # of its own
    assert compare(table, "a", 5.0, (6.5, 3.0)).tolerance == 3.0  # that only the run can tell
    rule = compare(table, "a", (5.0, joint_errors(3.0, 0.5)), np.array([1.0, 9.0]))
    assert rule.tolerance == pytest.approx(15.0)  # three times hypot(3, 4)


def test_numbers_that_are_missing_are_an_error():
    study = Study("x-1", "", "", "", (Printed("t", {"a": 1.0}),), 1, (), lambda settings: [])
    with pytest.raises(RuntimeError, match="fewer numbers than are printed"):
        run_study(study, Settings())


def test_text_and_page(tmp_path):
    text = result_text(result())
    assert "NOT within" in text
    assert "NOT true: more is better (12 below 14)" in text
    assert "1 of 2 printed numbers" in text
    assert "1 of 2 printed numbers" in summary_text([result()])
    page = result_markdown(result(), "reproduced")
    assert "| ECOC | 10 / 12 | **10 / 14** |" in page
    assert "\n*Source:* James (1998).\n" in page
    write_page([result()], tmp_path / "all.md")
    assert (tmp_path / "all" / "figure-9.svg").read_text() == "<svg/>"
    assert "(all/figure-9.svg)" in (tmp_path / "all.md").read_text()


def test_numbers_of_a_quick_run_are_rough_and_not_counted():
    assert (result().missed, result(quick=True).missed) == (True, False)
    text = result_text(result(quick=True))
    assert text.count("rough\n") == 2
    assert "NOT" not in text
    assert "2 are rough (quick run) and not counted." in text
    # A worked example is computed in full, and counts.
    assert result(quick=True, repetitions=1).missed


def test_studies_are_found_by_id_and_beginning():
    ids = [study.id for study in all_studies()]
    assert ids.index("chapter-22.7") < ids.index("chapter-22.11")
    assert [study.id for study in find_studies(["chapter-22.7"])] == ["chapter-22.7"]
    chapter = [study.id for study in find_studies(["chapter"])]
    assert chapter == [id for id in ids if id.startswith("chapter-")]
    assert len(find_studies([])) == len(ids) == len(STUDIES)


def test_every_study_states_its_design_and_tolerance():
    for study in all_studies():
        assert len(study.design) > 20, study.id
        assert len(study.tolerance) > 10, study.id


def test_command_line(capsys):
    assert main(["chapter-22.1", "chapter-22.7"]) == 0
    assert "4 of 4 printed numbers are within tolerance." in capsys.readouterr().out
    assert main(["--list"]) == 0
    assert "(needs letter, vowel)" in capsys.readouterr().out
    for words, message in (
        (["chapter-99"], "no study 'chapter-99'; --list names all"),
        (["--quick", "--page", "x.md"], "--page needs a full run"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(words)
        assert message in capsys.readouterr().err


def test_a_study_without_its_data_is_skipped_and_listed(capsys, tmp_path):
    assert main(["thesis-2.16", "chapter-22.1", "--data", str(tmp_path)]) == 0
    output = capsys.readouterr().out
    assert "2 of 2 printed numbers" in output
    assert output.endswith(
        f"Skipped, data not in {tmp_path} (--data FOLDER):\n  thesis-2.16: vowel\n"
    )


def test_totals_count_what_they_say():
    results = [run_study(study, Settings()) for study in find_studies(["thesis-2.1.1"])]
    assert totals(results) == [
        "- 8 of 8 printed numbers are within tolerance.",
        "- Worked examples and exercises: 8 of 8 as printed (bar: all).",
        "- 1 of 1 sentences of the sources hold on our runs.",
    ]


def test_only_public_names_of_heliast_are_used():
    for path in Path(reproduction.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("heliast"):
                names = [*node.module.split("."), *(name.name for name in node.names)]
                assert not any(name.startswith("_") for name in names), (path, names)
