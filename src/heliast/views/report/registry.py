"""Sections: each builds its part of the summary, or says why it is not there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from heliast.views.report.material import Material

Part = dict[str, Any]


@dataclass(frozen=True)
class Section:
    """A part of the report. `build` gives its dict, or None where it does not apply.

    The dict may hold `lead` (a sentence), `figures`, `tables`, `notes` (see `tables`), and
    whatever the section's own `template` reads.
    """

    key: str
    title: str
    build: Callable[[Material], Part | None]
    template: str = "section.html"
    short: str = ""
