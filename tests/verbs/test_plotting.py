"""Plots of files: every kind in every format, and what is refused."""

import json
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
from heliast.verbs.plotting import ALIASES, KINDS, OVER_SCORES
from heliast.views import plots

NAMES = ("naive_Bayes 50%", "a long name that must not be cut {x}", "k-NN", "stump")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A benchmark of four models, and predictions of two models, of folds, of numbers."""
    place = tmp_path_factory.mktemp("plots")
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
            truth, y_score=1 / (1 + np.exp(-rng.normal(2 * truth - 1, 2))), row=range(120),
            positive=1, model=name, scores="probability",
        )
        for name in ("one_a", "two")
    ]  # fmt: skip
    tables[0].join(tables[1]).write(place / "p.csv")
    plan = hl.LearningCurve(hl.KFold(3), shares=(0.5, 1.0))
    iris = hl.read("sklearn:iris")
    hl.run({"bayes": GaussianNB()}, iris, plan, progress=False).write(place / "learning.parquet")
    hl.run({"bayes": GaussianNB()}, iris, 3, progress=False).write(place / "folds.parquet")
    hl.Predictions.of([1.0, 2, 3, 5], [1.5, 2, 3, 4], task="regression").write(
        place / "numbers.csv"
    )
    return place


FILES = {
    "learning": "learning.parquet", "per_split": "folds.parquet", "predicted": "numbers.csv",
    "critical_difference": "result.json", "data_sets": "result.json",
}  # fmt: skip
OPTIONS = {"confusion_matrix": ("--of", "two"), "averaged_roc": ("--class", "setosa")}
OPTIONS["contingency"] = OPTIONS["confusion_matrix"]
ELSEWHERE = {"margins", "bias_variance"}
"""Need votes, or resamples: plotted in the gallery."""


def plot(folder: Path, kind: str, *words: str) -> Path:
    file = folder / FILES.get(kind, "folds.parquet" if kind == "averaged_roc" else "p.csv")
    out = folder / f"{kind}{words[0]}"
    more = (*OPTIONS.get(kind, ()), *words[1:])
    done = CliRunner().invoke(app, ["plot", kind, str(file), "-o", str(out), *more])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return out


@pytest.mark.parametrize("kind", sorted({*KINDS, *ALIASES} - ELSEWHERE))
def test_every_kind_is_plotted_as_svg_without_matplotlib(folder: Path, kind: str) -> None:
    root = ET.fromstring(plot(folder, kind, ".svg", "--title", "My own title").read_text("utf-8"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root[0].text == "My own title"


def test_all_kinds_are_plots_of_the_gallery() -> None:
    assert set(KINDS) <= set(plots.__all__)
    assert set(OVER_SCORES) < set(KINDS)


@pytest.mark.parametrize(("suffix", "start"), [(".pdf", b"%PDF-"), (".png", b"\x89PNG")])
@pytest.mark.parametrize(
    "kind", ["roc", "per_split", "learning", "critical_difference", "data_sets"]
)
def test_what_papers_need_is_plotted_by_matplotlib(
    folder: Path, kind: str, suffix: str, start: bytes
) -> None:
    assert plot(folder, kind, suffix).read_bytes().startswith(start)


def test_the_old_word_works_and_says_so(folder: Path) -> None:
    out = folder / "old.svg"
    command = ["draw", "roc", str(folder / "p.csv"), "-o", str(out)]
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 0
    assert "`heliast draw` is now `heliast plot`" in done.stderr
    assert out.exists()
    assert " draw " not in CliRunner().invoke(app, ["--help"]).output


def test_the_diagram_shows_every_name_and_its_rank(folder: Path) -> None:
    found = hl.Benchmark.read(folder / "result.json")
    nemenyi = found.nemenyi
    assert nemenyi is not None
    ax = found.plot().to_axes()
    texts = {text.get_text() for text in ax.texts}
    assert set(NAMES) <= texts
    assert {f"{rank:.2f}" for rank in found.ranks.values()} <= texts
    assert not any(text.startswith("critical difference") for text in texts)
    dots = {line.get_xdata()[0] for line in ax.lines if line.get_marker() == "o"}
    assert dots == set(nemenyi.ranks)
    joined = [tuple(line.get_xdata()) for line in ax.lines if line.get_marker() == "o"]
    groups = [group for group in nemenyi.groups if len(group) > 1]
    assert [ranks for ranks in joined if len(ranks) > 1] == [
        tuple(nemenyi.ranks[model] for model in group) for group in groups
    ]
    differing = {(pair.a, pair.b) for pair in found.comparison.pairs if pair.significant}
    assert {(found.comparison.models[i], found.comparison.models[j])
            for i, j in nemenyi.differing} == differing  # fmt: skip
    for group in groups:
        names = {found.comparison.models[model] for model in group}
        assert not any({a, b} <= names for a, b in differing)
    svg = found.svg()
    assert all(name.split("{")[0] in svg for name in NAMES)
    assert "…" not in svg


def test_names_are_cut_only_where_room_ends() -> None:
    """The width of a name, summed in another order, differed in its last bits: bay…"""
    ranks = hl.comparisons.nemenyi([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.7, 0.6, 0.8]])
    for name in ("bayes", "lda", "tree", "logistic", "knn(n_neighbors=3)", "majority", "Mm" * 5):
        assert "…" not in str(plots.critical_difference(ranks, [name, "b", "c"]))


def test_what_cannot_be_plotted_is_said(folder: Path) -> None:
    for kind, file, words, why in (
        ("nothing", "p.csv", ("-o", "x.svg"), "no plot 'nothing'; choose from roc"),
        ("roc", "p.csv", ("-o", "x.eps"), "the file name must end in .svg, .pdf, .png"),
        ("roc", "result.json", ("-o", "x.svg"), "roc needs predictions"),
        ("data_sets", "p.csv", ("-o", "x.svg"), "needs what `heliast benchmark DIR -o"),
        (
            "roc",
            "p.csv",
            ("-o", "x.svg", "--of", "three"),
            "no model 'three'; there are one_a, two",
        ),
        ("confusion_matrix", "p.csv", ("-o", "x.svg"), "name one of one_a, two with --of"),
        (
            "data_sets",
            "result.json",
            ("-o", "x.svg", "--y-true", "y"),
            "--y-true is for files of pre",
        ),
        ("roc", "p.csv", ("-o", "x.svg", "--level", "95"), "level"),
    ):
        done = CliRunner().invoke(app, ["plot", kind, str(folder / file), *words])
        assert isinstance(done.exception, hl.InputError), (kind, words)
        assert why in str(done.exception)
