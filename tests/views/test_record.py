"""What every record gives, by every renderer: widths, digits, footnotes, escaping, files."""

import csv
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass

import numpy as np
import pytest

import heliast as hl
from heliast._core.notes import Note
from heliast.estimates import wilson
from heliast.views import exports, plots
from heliast.views.numbers import (
    Measured,
    interval,
    join_words,
    measure_name,
    p_value,
    percent,
    short_name,
    value_text,
)
from heliast.views.record import Column, Record, Table
from heliast.views.terminal import table_text

LONG = "a model with quite a long name, number {}"
EVIL = "</td><script>alert(1)</script> | *b* [a](b) `c` @x \x1b[2J\u202e$_"
NAN = float("nan")


@dataclass(frozen=True, repr=False)
class Sample(Record):
    """A record of one table, for the tests of the renderers."""

    table_: Table
    notes: tuple[str, ...] = ()
    next_step: str = ""

    @property
    def summary(self) -> str:
        return f"Best: {short_name(self.table_.rows[0][0])}."

    def tables(self) -> tuple[Table, ...]:
        detail = Table("more", "More", (Column("n", kind="count"),), [(3,)], detail=True)
        return self.table_, detail

    def plots(self):
        return {"forest": lambda **options: plots.forest(wilson(3, 30), ["m"], **options)}


def sample(models: int = 3, columns: int = 3, name: str = LONG, **more: object) -> Sample:
    heads = [Column("model", kind="name", never_cut=True)]
    heads += [Column(f"measure_{at}", kind="measured", never_cut=at == 0) for at in range(columns)]
    heads.append(Column("verdict", kind="verdict", never_cut=True))
    rows = [
        (name.format(at), *(Measured(0.1 * at, 0.05, 0.5) for _ in range(columns)), "inconclusive")
        for at in range(models)
    ]
    return Sample(Table("models", "Models", tuple(heads), rows), **more)


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


# --- terminal ------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [1, 3, 12])
@pytest.mark.parametrize("name", ["m{}", LONG])
def test_tables_fit_and_what_decides_is_never_cut(columns: int, name: str) -> None:
    record = sample(25, columns, name)
    text = str(record)
    assert widest(text) <= 80
    assert text.count("inconclusive") == 20
    assert "5 rows more" in text or "5 rows and" in text
    left_out = re.search(r"(\d+) columns? more", text)
    assert (left_out is not None) == (columns > 2)
    assert widest(record.to_text(400, verbose=True)) <= 400
    assert record.to_text(400, verbose=True).count("inconclusive") == 25


def test_long_names_are_numbered_with_a_legend() -> None:
    text = str(sample(2))
    assert "\n[1] a model" in text
    assert f"\n[2] {LONG.format(1)}" in text


def test_columns_that_are_never_cut_go_on_below() -> None:
    heads = (
        Column("measure"),
        *(Column(f"m{at}", kind="measured", never_cut=True) for at in "abcde"),
    )
    rows = [("error rate", *[Measured(0.2, 0.1, 0.3, "percent")] * 5)]
    text = table_text(Table("t", "", heads, rows), 80)
    assert widest(text) <= 80
    assert text.count("20.0% [10.0, 30.0]") == 5
    assert text.count("error rate") == 2


def test_three_notes_that_change_the_reading_and_the_next_step() -> None:
    notes = (*(Note(f"grave {at}", "important") for at in range(5)), "small")
    text = str(sample(notes=notes, next_step="heliast compare x.csv"))
    assert re.findall(r"grave \d", text) == ["grave 0", "grave 1", "grave 2"]
    assert "small" not in text
    assert "Next: heliast compare x.csv" in text
    assert "1 table and 3 notes more: --verbose" in text
    assert "small" in sample(notes=notes).to_text(verbose=True)


def test_each_missing_interval_has_a_footnote_once() -> None:
    cells = [Measured(0.1, reason="one split"), Measured(NAN, reason="no scores"), Measured(0.2)]
    rows = [("m", cell) for cell in [*cells, *cells]]
    table = Table("t", "", (Column("model"), Column("value", kind="measured")), rows)
    text = str(Sample(table))
    assert text.count("¹ one split") == text.count("² no scores") == 1
    assert text.count("0.100 ¹") == 2


def test_records_of_the_verbs_fit_80_columns() -> None:
    rng = np.random.default_rng(1)
    truth = np.where(rng.random(120) < 0.4, "yes", "no")
    scores = {LONG.format(at): np.clip(rng.random(120) * 0.6 + 0.3 * (truth == "yes"), 0, 1)
              for at in range(8)}  # fmt: skip
    tables = [
        hl.Predictions.of(truth, y_score=score, positive="yes", model=model, row=range(120))
        for model, score in scores.items()
    ]
    for many in (1, 2, 3, 8):
        table = tables[0]
        for other in tables[1:many]:
            table = table.join(other)
        records: list[Record] = [hl.assess(table), hl.gate(table, "error.high <= 0.2")]
        records += [hl.compare(table)] if many > 1 else []
        for record in records:
            assert widest(str(record)) <= 80, str(record)
            assert widest(record.to_text(verbose=True)) <= 80, str(record)


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        (Measured(0.0667, 0.037, 0.117, "percent"), "6.7% [3.7%, 11.7%]"),
        (Measured(3.7e-18, -1e-17, 0.1), "0.000 [0.000, 0.100]"),
        (Measured(-0.0, -0.02, 0.043, "points"), "0.0 [-2.0, +4.3]"),
        (Measured(0.011, -0.02, 0.043, "points"), "+1.1 [-2.0, +4.3]"),
        (Measured(-0.5, -0.7, 0.2, "signed"), "-0.500 [-0.700, +0.200]"),
        (Measured(0.377, 0.3769994, 0.3770006), "0.377000 [0.376999, 0.377001]"),
        (Measured(0.984), "0.984"),
    ],
)  # fmt: skip
def test_digits_and_units(cell: Measured, text: str) -> None:
    assert cell.figures.inside == text


def test_20_million_rows() -> None:
    one = wilson(7_540_000, 20_000_000)
    assert interval(Measured(one.value, one.low, one.high, "percent")) == "95% CI 37.68% to 37.72%"


def test_words_of_sentences() -> None:
    assert (percent(-1e-18), value_text(0.984, "auc"), value_text(0.063, "error")) == (
        *("0.0%", "0.984", "6.3%"),
    )
    assert (p_value(0.45), p_value(1e-9)) == ("p = 0.45", "p < 0.001")
    assert join_words("aab") == "a and b"
    assert [measure_name(one) for one in ("error", "f1", "recall", "auc")] == [
        *("error rate", "F1", "recall", "ROC AUC")
    ]


# --- HTML, Markdown, files -----------------------------------------------------------------------


def test_no_name_is_markup_anywhere() -> None:
    record = sample(2, name=EVIL + " {}", notes=(EVIL,))
    html, markdown = record._repr_html_(), record.to_markdown()
    assert "<script" not in html + markdown
    assert not set("\x1b\u202e") & set(html + markdown + str(record))
    table = next(
        line for line in markdown.splitlines() if line.startswith("| ") and "script" in line
    )
    assert len(re.findall(r"(?<!\\)\|", table)) == len(record.table_.columns) + 1
    assert not re.search(r"(?<!\\)[*`\[]|@x", table.split(" | ")[0])


def test_html_has_the_table_the_details_and_the_notes() -> None:
    html = sample(notes=("careful",))._repr_html_()
    assert html.count("<table>") == 2
    assert html.count("<details>") == 2
    assert "careful" in html


def test_frames_are_those_of_the_tables_by_name() -> None:
    record = sample(2, 1, "m{}")
    frame = record.to_frame()
    assert frame.column_names[:4] == ["model", "measure_0", "measure_0_low", "measure_0_high"]
    assert record.to_frame("more")["n"].to_pylist() == [3]
    with pytest.raises(hl.InputError, match="no table 'x'; the tables are models, more"):
        record.to_frame("x")


def test_plots_by_name() -> None:
    record = sample()
    assert str(record.plot()) == str(record.plot("forest")) == record.svg()
    assert record.plot(title="T").title == "T"
    with pytest.raises(hl.InputError, match="the plots are forest"):
        record.plot("roc")


def test_csv_holds_no_formula_and_json_is_read_again() -> None:
    rows = [{"model": "=cmd|x", "error": 0.25, "notes": ["a", "b"], "p": None}]
    (read,) = csv.DictReader(io.StringIO(exports.export(rows, "csv")))
    assert read == {"model": "'=cmd|x", "error": "0.25", "notes": "a; b", "p": ""}
    assert json.loads(exports.export(rows, "json")) == rows
    with pytest.raises(hl.InputError, match="csv or json"):
        exports.export(rows, "xlsx")


@pytest.mark.parametrize("kind", [*exports.KINDS, *exports.TOLD])
def test_every_kind_of_file_on_the_command_line(tmp_path, kind: str) -> None:
    truth = ["a", "a", "b", "b", "b"]
    hl.Predictions.of(truth, ["a", "b", "b", "b", "b"], model="one").write(tmp_path / "p.csv")
    words = [sys.executable, "-m", "heliast.cli", "export", "p.csv", "--to", kind, "-o", "out"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert ("wilson" if kind == "bibtex" else "rror") in (tmp_path / "out").read_text()
