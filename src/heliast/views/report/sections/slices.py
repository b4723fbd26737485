"""How models do in parts of the rows: each slice with its interval, and against the rest."""

from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Table, cell, named, table
from heliast.views.slicing import HEAD, cells, headed, tasks_of


def build(material: Material) -> Part | None:
    compared = None if material.compared is None else material.compared.slices
    found = [one for one in (material.found.slices, compared) if one is not None]
    if not found:
        return _suggested(material)
    tables = [
        _table(f"slices{number}-{at}", words, ones)
        for number, slices in enumerate(found)
        for at, (words, ones) in enumerate(headed(slices))
    ]
    notes = dict.fromkeys(note for one in found for note in one.notes)
    return {"lead": found[0].sentence, "tables": tables, "notes": list(notes)}


def _suggested(material: Material) -> Part | None:
    """How to see each task, where there are several."""
    tasks = tasks_of(material.table)
    if len(tasks) < 2:
        return None
    return {"lead": f"Items are of {len(tasks)} tasks: report(by='task'), --by task, shows each."}


def _table(key: str, words: str, ones: list) -> Table:  # type: ignore[type-arg]
    rows = []
    for one in ones:
        name, *numbers, said = cells(one)
        tone = {"worse": "bad", "better": "good"}.get(one.finding, "")
        rows.append([named(name), *map(cell, numbers), cell(said, tone=tone)])
    return table(key, words, [*HEAD[:-1], "finding"], rows, words=("finding",))


SECTION = Section("slices", "Slices", build, short="Slices")
