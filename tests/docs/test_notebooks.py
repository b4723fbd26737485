"""Notebooks in a fresh kernel: those of docs/teach run, and show what is stored in them."""

import asyncio
import sys

import nbformat
import pytest
from tools.notebooks import LIMIT, PICTURES, TEACH, ran, stored

BOOKS = sorted(TEACH.glob("*.ipynb"))


@pytest.fixture(autouse=True)
def loop():
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())


def outputs(book):
    return [out for cell in book.cells if cell.cell_type == "code" for out in cell.outputs]


def kinds(book):
    """What each cell shows: the kinds of its outputs."""
    return [
        [[*sorted(out.get("data", {})), out.get("name", "")] for out in cell.outputs]
        for cell in book.cells
        if cell.cell_type == "code"
    ]


def pictures(book):
    return [out.data[kind] for out in outputs(book) for kind in PICTURES
            if kind in out.get("data", {})]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_teaching_notebooks_run_and_show_what_is_stored(path, tmp_path):
    kept, book = nbformat.read(path, 4), stored(ran(nbformat.read(path, 4), tmp_path))
    assert not [
        out for out in outputs(book) if out.output_type == "stream" and out.name == "stderr"
    ]
    assert kinds(book) == kinds(kept), "python tools/notebooks.py stores them again"


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_they_are_kept_with_small_pictures_and_have_an_exercise(path):
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    assert pictures(book)
    assert all(len(picture) <= LIMIT for picture in pictures(book))
    assert path.stat().st_size < 3 * LIMIT
    assert any("## Exercise" in cell.source for cell in book.cells)


CELLS = """
import heliast as hl
y_true, score = [0, 1] * 20, [0.1, 0.9, 0.4, 0.3] * 10
table = hl.Predictions.of(y_true, y_score=score)
hl.curves.roc(table).plot().to_axes();
===
hl.plots.roc(hl.curves.roc(table))
===
hl.curves.roc(table)
===
hl.assess(table)
===
hl.report(table)
===
assert hl.report(table, "page.html").read_text() == hl.report(table).html
"""


@pytest.mark.filterwarnings("ignore")
def test_everything_drawn_appears_in_a_fresh_kernel(tmp_path):
    cells = [nbformat.v4.new_code_cell(text.strip()) for text in CELLS.split("===")]
    book = ran(nbformat.v4.new_notebook(cells=cells), tmp_path)
    shown = [[sorted(out.data) for out in cell.outputs if "data" in out] for cell in book.cells]
    picture = ["image/png", "text/plain"]
    assert shown[0] == [picture]  # axes, though nobody imported pyplot
    assert shown[1] == [["image/svg+xml", "text/plain"]]
    assert "<svg" in book.cells[2].outputs[0].data["text/html"]
    assessed = book.cells[3].outputs[0].data["text/html"]
    assert assessed.index("25.0%") < assessed.index("<details>")  # the error is seen at once
    assert "<td>recall</td>" in assessed[assessed.index("<details>") :]
    frame = book.cells[4].outputs[0].data["text/html"]
    assert frame.startswith('<iframe sandbox="allow-scripts allow-downloads"')
    assert not book.cells[5].outputs
