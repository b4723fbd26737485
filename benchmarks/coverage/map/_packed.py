"""The map as the small file that the package ships: cells grouped by measure, design and size."""

import json
from collections.abc import Iterable
from math import isnan
from statistics import median
from typing import Any

from benchmarks.coverage.map._cell import Cell

RAREST = (6, 60, 600)
"""Rows of the rarest class that stand for fewer than 20, fewer than 200, and more."""


def packed(cells: Iterable[Cell]) -> str:
    """JSON: verb, measure, design, then the methods seen and [n, rarest, cells, low, median, high].

    Coverages are per mille. Cells without intervals, or unsure of the truth, are left out.
    """
    found: dict[str, Any] = {"assess": {}, "compare": {}}
    designs = set()
    for cell in cells:
        if cell.verb not in found or cell.state in ("none", "unsure") or cell.models > 2:
            continue
        designs.add(cell.design)
        of_design = found[cell.verb].setdefault(cell.measure, {}).setdefault(cell.design, {})
        of_design.setdefault("methods", set()).update(cell.methods)
        place = cell.n, None if isnan(cell.rarest) else _rarest(cell.rarest)
        of_design.setdefault("cells", {}).setdefault(place, []).append(round(1000 * cell.coverage))
    for verb in ("assess", "compare"):
        for of_measure in found[verb].values():
            for entry in of_measure.values():
                entry["methods"] = sorted(entry["methods"])
                entry["cells"] = [
                    [n, rarest, len(each), min(each), round(median(each)), max(each)]
                    for (n, rarest), each in sorted(entry["cells"].items(), key=str)
                ]
    found["designs"] = sorted(designs)
    return lines(found)


def _rarest(rows: float) -> int:
    return RAREST[0] if rows < 20 else RAREST[1] if rows < 200 else RAREST[2]


def lines(found: dict[str, Any]) -> str:
    """One line a measure and design, so that two runs can be compared."""
    parts = [f'"designs": {json.dumps(found["designs"])}']
    for verb in ("assess", "compare"):
        lines = [
            f'"{measure}": {{\n'
            + ",\n".join(
                f'"{design}": {json.dumps(entry, separators=(",", ":"))}'
                for design, entry in of_measure.items()
            )
            + "}"
            for measure, of_measure in found[verb].items()
        ]
        parts.append(f'"{verb}": {{\n' + ",\n".join(lines) + "}")
    return "{" + ",\n".join(parts) + "}\n"
