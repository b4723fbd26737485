"""Tables for a paper: what is bold, what is marked, and that LaTeX takes every name."""

import csv
import io
import json
import math
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app
from heliast.estimates import Estimate
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.views.numbers import Measured
from heliast.views.paper import Cell, PaperTable, paper_table
from heliast.views.record import Column, Table

EVIL = r'50% & {x}_$#^~\ "q" <b> é | -1 [a](b) `c`'


def estimated(model: str, value: float) -> Estimate:
    ends = (math.nan, math.nan) if math.isnan(value) else (value - 0.02, value + 0.03)
    return Estimate(
        value, *ends, se=0.011, method="Wilson", key="wilson", model=model, measure="error",
        target="algorithm", n=100, n_train=80, n_effective=71.5,
    )  # fmt: skip


@pytest.fixture(scope="module")
def found() -> Benchmark:
    """Twelve data sets: `evil` is best on all, `worse` behind, `fragile` fails on half."""
    rng = np.random.default_rng(1)
    sets = []
    for at in range(12):
        base = 0.1 + 0.02 * rng.random()
        values = {EVIL: base, "worse": base + 0.05, "fragile": math.nan if at % 2 else base + 0.001}
        sets.append(
            Tried(
                f"{EVIL}{at}",
                100,
                3,
                2,
                "class",
                {m: estimated(m, v) for m, v in values.items()},
                5,
                unbeaten=(EVIL, "fragile"),
                test="corrected_t",
                method="corrected t, 4.1 df",
            )
        )
    return Benchmark(tuple(sets), (EVIL, "worse", "fragile"), "error", plan="KFold(5)").tested()


def parsed(tex: str) -> list[list[str]]:
    """The cells of a tabular; an ampersand that is not escaped parts them."""
    body = tex.split(r"\toprule")[1].split(r"\bottomrule")[0]
    lines = [line for line in body.splitlines() if line.endswith(r"\\")]
    return [re.split(r"(?<!\\)&", line.removesuffix(r"\\")) for line in lines]


def test_best_is_bold_and_what_does_not_differ_significantly_is_marked(found: Benchmark) -> None:
    sheet = found.table(style="paper")
    assert sheet.head[0] == "data set"
    first, second = sheet.rows[:2]
    assert [cell.mark for cell in first[2:]] == ["best", "unbeaten", ""]
    assert second[3] == Cell("-")
    estimate = found[f"{EVIL}0", EVIL]
    assert first[2].text == f"{100 * estimate.value:.1f}%"
    assert first[2].within == f"[{100 * estimate.low:.1f}%, {100 * estimate.high:.1f}%]"
    assert found.table(spread="se").rows[0][2].within == "± 0.011"
    assert found.table(spread="none").rows[0][2].within == ""
    assert "Bold: the best value. Dagger: not significantly different" in sheet.caption


def test_mean_ranks_are_those_of_the_complete_data_sets(found: Benchmark) -> None:
    (ranks,) = found.table().foot
    assert [cell.text for cell in ranks] == ["mean rank", "", "1.00", "2.00", "3.00"]
    (others,) = found.without("fragile").table().foot
    assert [cell.text for cell in others] == ["mean rank", "", "1.00", "2.00"]


def test_latex_escapes_every_name_and_compiles(found: Benchmark, tmp_path: Path) -> None:
    """Compiled where pdflatex is installed; elsewhere checked by the cells of its lines alone."""
    small = hl.Predictions.of(["a", "b"] * 20, ["a", "b", "a", "a"] * 10, model=EVIL, row=range(40))
    other = hl.Predictions.of(["a", "b"] * 20, ["a"] * 40, model="o", row=range(40))
    table = small.join(other)
    sheets = [
        found.table(), found.table(spread="se"), hl.assess(table).table(),
        hl.compare(table).table(),
    ]  # fmt: skip
    for sheet in sheets:
        tex = sheet.to_latex(narrow=True)
        if tex.count("tabular}{") > 1:
            continue
        lines = parsed(tex)
        assert {len(line) for line in lines} == {len(sheet.head)}
        assert len(lines) == 1 + len(sheet.rows) + len(sheet.foot)
        assert tex.count(r"\begin{") == tex.count(r"\end{") == 2
        for rule in ("toprule", "midrule", "bottomrule", "caption{", "label{tab:"):
            assert f"\\{rule}" in tex
    if shutil.which("pdflatex") is None:
        return
    words = [found.methods().latex, *(sheet.to_latex(narrow=True) for sheet in sheets)]
    text = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n"
    text += "\\begin{document}\n" + "\n".join(words) + "\\end{document}\n"
    (tmp_path / "t.tex").write_text(text, encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "t"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").stat().st_size > 10_000


@pytest.mark.skipif(not shutil.which("bibtex"), reason="BibTeX is not installed")
def test_bibtex_takes_the_works_without_a_warning(found: Benchmark, tmp_path: Path) -> None:
    said = found.methods()
    text = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\begin{document}\n" + said.latex
    text += "\\bibliographystyle{plain}\\bibliography{m}\n\\end{document}\n"
    (tmp_path / "m.tex").write_text(text, encoding="utf-8")
    (tmp_path / "m.bib").write_text(said.bibtex, encoding="utf-8")
    latex = ["pdflatex", "-interaction=nonstopmode", "-no-shell-escape", "-draftmode", "m"]
    subprocess.run(latex, cwd=tmp_path, capture_output=True, check=True)
    done = subprocess.run(["bibtex", "m"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "Warning" not in done.stdout, done.stdout
    made = (tmp_path / "m.bbl").read_text(encoding="utf-8")
    assert made.count("\\bibitem") == len(said.references)


def test_markdown_html_and_csv_are_the_same_table(found: Benchmark) -> None:
    sheet = found.table()
    lines = sheet.to_markdown().splitlines()
    assert lines[1] == "| --- | ---: | ---: | ---: | ---: |"
    assert len([line for line in lines if line.startswith("|")]) == 2 + 12 + 1
    assert "**" in lines[2]
    assert "†" in lines[2]
    html = sheet.to_html()
    assert html.count("<tr>") == 1 + 12 + 1
    assert "&lt;b&gt;" in html
    assert html.count("<b>") == sum(c.mark == "best" for row in sheet.rows for c in row)
    read = list(csv.reader(io.StringIO(sheet.to_csv())))
    assert len(read) == 1 + 12 + 1
    assert read[2][3] == ""
    assert read[1][2].startswith(sheet.rows[0][2].text + "*")


def test_csv_holds_no_formula_and_plain_negative_numbers() -> None:
    row = (Cell("=cmd|x"), Cell("-0.5", "[-0.7, -0.2]"), Cell("-1+cmd"))
    text = PaperTable(("a", "b", "c"), (row,)).to_csv().split("\n", 1)[1]
    (line,) = csv.reader(io.StringIO(text))
    assert line == ["'=cmd|x", "-0.5 [-0.7, -0.2]", "'-1+cmd"]


def test_a_table_wider_than_a_column_warns_and_has_a_narrow_form() -> None:
    """Each part fits, begins with the names of the rows, and together they hold every column."""
    columns = (Column("measure"), *(Column(f"m{at}", kind="measured") for at in range(8)))
    rows = [("error rate", *[Measured(0.063, 0.036, 0.107, "percent")] * 8)]
    table = paper_table(Table("measures", "Measures", columns, rows))
    with pytest.warns(UserWarning, match="wider than a text column"):
        wide = table.to_latex()
    narrow = table.to_latex(narrow=True)
    assert wide.count("tabular}{") == 1
    assert narrow.count("tabular}{") == narrow.count("error rate &") > 1
    assert re.findall(r"m\d", narrow) == [f"m{at}" for at in range(8)]


def test_what_is_no_style_is_refused(found: Benchmark) -> None:
    with pytest.raises(hl.InputError, match="style='web': there is 'paper'"):
        found.table("web")
    with pytest.raises(hl.InputError, match="spread='sd': choose 'interval', 'se', 'none'"):
        found.table(spread="sd")
    with pytest.raises(hl.InputError, match="kind='xlsx': a table is written as latex, md"):
        found.table().write("xlsx")


def test_a_benchmark_is_read_back_and_exported(found: Benchmark, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(json.dumps(found.to_dict(), allow_nan=False))
    again = hl.Benchmark.read(file)
    assert again.to_dict() == found.to_dict()
    name = found.sets[0].name
    assert again[name, EVIL] == found[name, EVIL]  # the effective number of rows as well
    for kind, text in (
        ("latex", found.table().to_latex(narrow=True)),
        ("markdown", found.table().to_markdown()),
        ("html", found.table().to_html()),
        ("csv", found.table().to_csv()),
        ("bibtex", found.methods().bibtex),
    ):
        out = tmp_path / "out"
        done = CliRunner().invoke(app, ["export", str(file), "--to", kind, "-o", str(out)])
        assert done.exit_code == 0, done.output
        assert out.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("change", ["table", "data", "question", "measure"])
def test_a_damaged_benchmark_is_refused(found: Benchmark, tmp_path: Path, change: str) -> None:
    said = found.to_dict() | {change: [{"name": 3}]}
    file = tmp_path / "result.json"
    file.write_text(json.dumps(said))
    with pytest.raises(hl.InputError, match=r"result\.json: "):
        hl.Benchmark.read(file)


def test_what_is_no_benchmark_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[1, 2]")
    with pytest.raises(hl.InputError, match="no benchmark; `heliast benchmark"):
        hl.Benchmark.read(tmp_path / "a.json")


def test_the_question_of_a_benchmark_is_settled(found: Benchmark, tmp_path: Path) -> None:
    file = tmp_path / "result.json"
    file.write_text(json.dumps(found.to_dict()))
    done = CliRunner().invoke(app, ["export", str(file), "--to", "md", "--level", "0.9"])
    assert isinstance(done.exception, hl.InputError)
    assert "--level was settled when the benchmark" in str(done.exception)


def test_captions_and_methods_say_the_plan_in_words(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    sets = {f"d{at}": (rng.normal(size=(40, 2)), np.arange(40) % 2) for at in range(2)}
    models = {"bayes": GaussianNB(), "tree": hl.Tree()}
    made = hl.benchmark(sets, models, hl.KFold(4, 2), progress=False)
    words = "Rows were split by 2 x 4-fold cross-validation, stratified (seed 0)."
    (tmp_path / "b.json").write_text(json.dumps(made.to_dict()))
    kept = Benchmark.read(tmp_path / "b.json")
    for one in (made, kept):
        assert words in one.methods().text
        assert one.plan == "KFold(k=4, repeats=2, stratify='auto')"
    numbers = {name: (X, X[:, 0] + rng.normal(size=40)) for name, (X, _) in sets.items()}
    regressed = hl.benchmark(
        numbers, {"a": hl.Tree(), "b": hl.Tree("gini")}, 4, measure="mse", progress=False
    )
    assert "class" not in regressed.split_by
