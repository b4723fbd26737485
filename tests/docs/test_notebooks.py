"""Notebooks in a fresh kernel: those of docs/teach run, and what is drawn appears."""

import asyncio
import sys
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

TEACH = Path(__file__).parents[2] / "docs" / "teach"
BOOKS = sorted(TEACH.glob("*.ipynb"))
PICTURES = {
    "1_error": 1, "2_roc": 1, "3_folds": 0, "4_compare": 1, "5_bias_variance": 1, "6_votes": 0,
    "7_codes": 0, "8_rules_and_trees": 1,
}  # fmt: skip


def ran(book, folder):
    """The notebook with its outputs; a cell that fails is an error here."""
    if sys.platform == "win32":
        asyncio.set_event_loop_policy(asyncio.WindowsSelectorEventLoopPolicy())
    return NotebookClient(
        book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    ).execute()


def outputs(book):
    return [out for cell in book.cells if cell.cell_type == "code" for out in cell.outputs]


def shown(book, kind):
    return [out.data[kind] for out in outputs(book) if kind in out.get("data", {})]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_teaching_notebooks_run(path, tmp_path):
    book = ran(nbformat.read(path, 4), tmp_path)
    assert not [
        out for out in outputs(book) if out.output_type == "stream" and out.name == "stderr"
    ]
    assert len(shown(book, "image/svg+xml")) == PICTURES[path.stem]


@pytest.mark.parametrize("path", BOOKS, ids=lambda path: path.stem)
def test_they_are_kept_without_outputs_and_have_an_exercise(path):
    book = nbformat.read(path, 4)
    nbformat.validate(book)
    assert not outputs(book)
    assert any("## Exercise" in cell.source for cell in book.cells)


CELLS = """
import heliast as hl
truth, score = [0, 1] * 20, [0.1, 0.9, 0.4, 0.3] * 10
table = hl.Predictions.of(truth, score=score)
hl.displays.RocDisplay.from_predictions(truth, score);
===
hl.displays.RocDisplay.from_predictions(table, pool=True, color="red");
===
hl.drawings.roc(hl.curves.roc(table))
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
    kinds = [[sorted(out.data) for out in cell.outputs if "data" in out] for cell in book.cells]
    picture = ["image/png", "text/plain"]
    assert kinds[:2] == [[picture], [picture]]  # displays, though nobody imported pyplot
    assert kinds[2] == [["image/svg+xml", "text/html", "text/plain"]]
    assert "<svg" in book.cells[3].outputs[0].data["text/html"]
    assessed = book.cells[4].outputs[0].data["text/html"]
    assert assessed.index("0.250") < assessed.index("<details>")  # the error is seen at once
    assert "<td>recall</td>" in assessed[assessed.index("<details>") :]
    frame = book.cells[5].outputs[0].data["text/html"]
    assert frame.startswith('<iframe sandbox="allow-scripts allow-downloads"')
    assert not book.cells[6].outputs
