"""Pictures from files: every kind in every format that it has, and what is refused."""

import json
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from typer.testing import CliRunner

import heliast as hl
from heliast.cli import app
from heliast.estimates import Estimate
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.verbs.pictures import ENDINGS, OVER_SCORES, PICTURES, figure_of
from heliast.views import displays, drawings

NAMES = ("naive_Bayes 50%", "a long name that must not be cut {x}", "k-NN", "stump")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark of four models, and predictions of two models, of folds, of numbers."""
    place = tmp_path_factory.mktemp("drawn")
    rng = np.random.default_rng(3)
    sets = []
    for at in range(10):
        values = {m: 0.1 + 0.03 * i + 0.02 * rng.random() for i, m in enumerate(NAMES)}
        ones = {m: Estimate(v, v - 0.03, v + 0.03, model=m) for m, v in values.items()}
        sets.append(Tried(f"set{at}", 100, 3, 2, "class", ones, 5))
    found = Benchmark(tuple(sets), NAMES, "error").tested()
    (place / "result.json").write_text(json.dumps(found.to_dict()))
    truth = rng.integers(0, 2, 120)
    tables = [
        hl.Predictions.of(
            truth, score=1 / (1 + np.exp(-rng.normal(2 * truth - 1, 2))), row=range(120),
            positive=1, model=name, scores="probability",
        )
        for name in ("one_a", "two")
    ]  # fmt: skip
    tables[0].join(tables[1]).write(place / "p.csv")
    plan = hl.LearningCurve(hl.KFold(3), shares=(0.5, 1.0))
    iris = hl.read("sklearn:iris")
    hl.run({"bayes": GaussianNB()}, iris, plan, progress=False).write(place / "learning.parquet")
    hl.run({"bayes": GaussianNB()}, iris, 3, progress=False).write(place / "folds.parquet")
    hl.Predictions.of([1.0, 2, 3, 5], [1.5, 2, 3, 4], task="number").write(place / "numbers.csv")
    return place


FILES = {
    "learning": "learning.parquet", "per_split": "folds.parquet", "predicted": "numbers.csv",
    "critical_difference": "result.json", "data_sets": "result.json",
}  # fmt: skip
OPTIONS = {"contingency": ("--of", "two"), "averaged_roc": ("--class", "setosa")}
ELSEWHERE = {"margins", "bias_variance"}
"""Need votes, or resamples: drawn in the gallery."""


def draw(folder: Path, kind: str, *words: str) -> Path:
    file = folder / FILES.get(kind, "folds.parquet" if kind == "averaged_roc" else "p.csv")
    out = folder / f"{kind}{words[0]}"
    more = (*OPTIONS.get(kind, ()), *words[1:])
    done = CliRunner().invoke(app, ["draw", kind, str(file), "-o", str(out), *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return out


@pytest.mark.parametrize("kind", sorted(set(PICTURES) - ELSEWHERE))
def test_every_kind_is_drawn_as_svg_without_matplotlib(folder: Path, kind: str) -> None:
    root = ET.fromstring(draw(folder, kind, ".svg", "--title", "My own title").read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == "My own title"


def test_all_pictures_are_drawings_of_the_gallery() -> None:
    assert set(PICTURES) <= set(drawings.__all__)


@pytest.mark.parametrize("ending", [".pdf", ".png", ".pgf"])
@pytest.mark.parametrize("kind", ["roc", "forest", "learning", "critical_difference"])
def test_what_papers_need_is_drawn_by_matplotlib(folder: Path, kind: str, ending: str) -> None:
    if ending == ".pgf" and not any(map(shutil.which, ("pdflatex", "lualatex", "xelatex"))):
        with pytest.raises(hl.InputError, match="needs LaTeX on this machine"):
            draw(folder, kind, ending)
        return
    made = draw(folder, kind, ending)
    begins = {".pdf": b"%PDF-", ".png": b"\x89PNG", ".pgf": b"%%"}
    assert made.read_bytes().startswith(begins[ending])


def test_pgf_of_names_that_latex_would_obey_compiles(folder: Path) -> None:
    """Compiled where pdflatex is installed; the words of the file are checked where any TeX is."""
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex here: nothing can make or compile a .pgf file")
    made = draw(folder, "critical_difference", ".pgf")
    assert r"naive\_Bayes 50\%" in made.read_text("utf-8")
    text = f"\\documentclass{{article}}\\usepackage{{pgf}}\\begin{{document}}\\input{{{made.name}}}"
    (folder / "doc.tex").write_text(text + "\\end{document}")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "doc.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-1500:]


def test_the_diagram_shows_every_name_whole_and_its_rank(folder: Path) -> None:
    found = hl.Benchmark.read(folder / "result.json")
    shown = displays.CriticalDifferenceDisplay.from_benchmark(found)
    texts = {text.get_text() for text in shown.ax_.texts}
    assert {f"{name} ({rank:.2f})" for name, rank in found.ranks.items()} <= texts
    assert found.nemenyi is not None
    assert f"CD = {found.nemenyi.critical_difference:.2f}" in texts
    bars = [line for line in shown.ax_.lines if line.get_linewidth() == 4]
    joined = [group for group in found.nemenyi.groups if len(group) > 1]
    spans = {(min(r), max(r)) for r in ([found.nemenyi.ranks[j] for j in g] for g in joined)}
    assert {tuple(line.get_xdata()) for line in bars} == spans
    svg = found.svg()
    assert all(name.split("{")[0] in svg for name in NAMES)
    assert "…" not in svg


def test_names_are_cut_only_where_room_ends() -> None:
    """The width of a name, summed in another order, differed in its last bits: bay…"""
    ranks = hl.comparisons.nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.8]])
    for name in ("bayes", "lda", "tree", "logistic", "knn(n_neighbors=3)", "majority", "Mm" * 5):
        assert "…" not in drawings.critical_difference(ranks, [name, "b", "c"])


def test_a_single_roc_has_its_band_and_several_share_axes(folder: Path) -> None:
    table = hl.Predictions.read(folder / "p.csv")
    records = [hl.curves.roc(table, None, model) for model in table.models]
    both, one = figure_of("roc", records), figure_of("roc", records[:1])
    assert (len(both.axes), len(both.axes[0].patches)) == (1, 0)
    labels = [text.get_text() for text in both.axes[0].get_legend().get_texts()]
    assert [label.split()[0] for label in labels] == ["one_a", "two"]
    assert len(one.axes[0].patches) == 1


def test_what_cannot_be_drawn_is_said(folder: Path) -> None:
    for kind, file, words, why in (
        ("nothing", "p.csv", ("-o", "x.svg"), "no picture 'nothing'; there are roc"),
        ("roc", "p.csv", ("-o", "x.eps"), "end the name in .svg, .pdf, .png, .pgf"),
        ("roc", "result.json", ("-o", "x.svg"), "roc is drawn of predictions"),
        ("data_sets", "p.csv", ("-o", "x.svg"), "drawn of what `heliast benchmark DIR -o"),
        (
            "roc",
            "p.csv",
            ("-o", "x.svg", "--of", "three"),
            "no model 'three'; there are one_a, two",
        ),
        ("contingency", "p.csv", ("-o", "x.svg"), "name one of one_a, two with --of"),
        ("data_sets", "result.json", ("-o", "x.pdf"), "no matplotlib display: draw it as .svg"),
        (
            "data_sets",
            "result.json",
            ("-o", "x.svg", "--truth", "y"),
            "--truth is for files of pre",
        ),
        ("roc", "p.csv", ("-o", "x.svg", "--level", "95"), "level"),
    ):
        done = CliRunner().invoke(app, ["draw", kind, str(folder / file), *words])
        assert isinstance(done.exception, hl.InputError), (kind, words)
        assert why in str(done.exception)


def test_without_matplotlib_the_message_names_the_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)
    with pytest.raises(hl.InputError, match=r"pip install 'heliast\[plot\]'"):
        draw(folder, "roc", ".pdf")
    assert draw(folder, "roc", ".svg").exists()


def test_the_kinds_over_scores_take_splits_together() -> None:
    assert set(OVER_SCORES) < set(PICTURES)
    assert ENDINGS[0] == ".svg"
