"""Make the files of docs/gallery.md: run its code, and write `plot` where the page shows it.

Run: python tools/gallery.py. The page is the only source: a block of code that sets `plot` is
followed by the image that shows it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PART = re.compile(
    r"^```python\n(?P<code>.*?)^```|^!\[[^]\n]*\]\((?P<image>[^)\n]*)\)$", re.S | re.M
)


def plots(page: str) -> Iterator[tuple[str, str]]:
    """The image files of the page, each with the SVG that the code before it made."""
    names: dict[str, object] = {}
    for part in PART.finditer(page):
        if part["code"]:
            names = {}
            exec(compile(part["code"], "docs/gallery.md", "exec"), names)
        else:
            yield part["image"], str(names.pop("plot"))


def main() -> None:
    (DOCS / "gallery").mkdir(exist_ok=True)
    for file, svg in plots((DOCS / "gallery.md").read_text(encoding="utf-8")):
        (DOCS / file).write_text(svg + "\n", encoding="utf-8")
        print(f"{len(svg):>8,} bytes  {file}", flush=True)


if __name__ == "__main__":
    main()
