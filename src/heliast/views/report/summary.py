"""The report as a plain dict: a pure function of what was found, everything JSON can hold."""

import traceback
from collections.abc import Sequence
from typing import Any

from heliast._core.errors import HeliastError
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.sections import SECTIONS
from heliast.views.report.tiles import choice, facts, tiles
from heliast.views.report.verdict import verdict


def summarise(material: Material, sections: Sequence[Section] = SECTIONS) -> dict[str, Any]:
    """Verdict, tiles and sections; a section that fails leaves a note, the rest stands."""
    parts, absent = [], []
    for section in sections:
        part = _built(section, material)
        if part is None:
            continue
        if "absent" in part:
            absent.append({"title": section.title, "why": part["absent"]})
        else:
            parts.append(part)
    for part in parts:
        if part["key"] == "warnings" and "failed" not in part:
            part["absent"] = absent
    return {
        "title": material.title,
        "best": material.model_names[material.best],
        "level": material.level,
        "task": material.found.task,
        "verdict": verdict(material),
        "facts": facts(material),
        "tiles": tiles(material),
        "choice": choice(material),
        "sections": parts,
        "absent": absent,
    }


def _built(section: Section, material: Material) -> Part | None:
    head = {
        "key": section.key,
        "title": section.title,
        "short": section.short,
        "template": section.template,
    }
    try:
        part = section.build(material)
    except HeliastError as error:
        return {**head, "absent": str(error)}
    except Exception as error:
        return {**head, "template": "failed.html", "failed": fault(error)}
    return None if part is None else {**head, **part}


def fault(error: Exception) -> str:
    """What went wrong and where, in a line that helps whoever mends it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    where = f", in {last[0].name} (line {last[0].lineno})" if last else ""
    return f"{type(error).__name__}: {error}{where}"
