"""The page of short names says what they are."""

import re
from pathlib import Path

import pytest
from sklearn.pipeline import Pipeline

from heliast.fitting.panel import CLASSES, NUMBERS, panel

PAGE = Path(__file__).parents[2] / "docs" / "run.md"
ROW = re.compile(r"^\| `(\w+)` \| `(.+)` \| (yes|no) \| (yes|no) \|$", re.MULTILINE)


@pytest.mark.parametrize(
    ("kind", "task", "known"),
    [("classes", "classification", CLASSES), ("numbers", "regression", NUMBERS)],
)
def test_short_names_are_as_documented(kind: str, task: str, known: dict[str, object]) -> None:
    page = PAGE.read_text().partition(f"| name | of {kind} |")[2].partition("\n\n")[0]
    tried = panel(task)
    made = {name: factory() for name, factory in known.items()}  # type: ignore[operator]
    last = {name: one[-1] if isinstance(one, Pipeline) else one for name, one in made.items()}
    assert ROW.findall(page) == [
        (name, repr(last[name]), "no" if last[name] is one else "yes",
         "yes" if name in tried else "no")
        for name, one in made.items()
    ]  # fmt: skip
