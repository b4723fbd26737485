"""Runs the notebooks of docs/teach in a fresh kernel each and stores what they show.

`python tools/notebooks.py` writes all, `python tools/notebooks.py 3_folds` one. What is stored
stays small: of a picture one kind, nothing above `LIMIT`.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

TEACH = Path(__file__).parents[1] / "docs" / "teach"
LIMIT = 60_000
"""Letters of one output at most; a live report is larger, and is left out."""
PICTURES = ("image/png", "image/svg+xml")


def ran(book: Any, folder: Path) -> Any:
    """The notebook with its outputs; a cell that fails is an error here."""
    return NotebookClient(
        book, timeout=600, kernel_name="python3", coalesce_streams=True,
        resources={"metadata": {"path": str(folder)}},
    ).execute()  # fmt: skip


def small(data: dict[str, str]) -> dict[str, str]:
    """One picture without its copies, and nothing large."""
    kept = {kind: text for kind, text in data.items() if len(text) <= LIMIT}
    picture = next((kind for kind in PICTURES if kind in kept), None)
    return kept if picture is None else {k: kept[k] for k in (picture, "text/plain") if k in kept}


def stored(book: Any) -> Any:
    """The notebook as it is kept: without times, with small outputs."""
    for cell in book.cells:
        cell.metadata.pop("execution", None)
        for out in cell.get("outputs", ()):
            if "data" in out:
                out.data = small(out.data)
    book.metadata = {key: book.metadata[key] for key in ("kernelspec",) if key in book.metadata}
    book.metadata["language_info"] = {"name": "python"}
    return book


def main() -> None:
    for path in sorted(TEACH.glob("*.ipynb")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            nbformat.write(stored(ran(nbformat.read(path, 4), Path(folder))), path)
        print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
