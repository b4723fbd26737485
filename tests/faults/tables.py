"""Whether two tables of predictions are the same in all but the times of the fits."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq


def said(path: Path) -> dict[str, Any]:
    """All that the file says beside its rows, without times, and sizes that workers cannot tell."""
    found: dict[str, Any] = json.loads(pq.read_schema(path).metadata[b"heliast"])
    for cell in found["cells"]:
        del cell["fit_seconds"], cell["predict_seconds"], cell["size"]
    return found


def pages(path: Path) -> bytes:
    """The columns of a Parquet file as written: everything before the footer."""
    content = path.read_bytes()
    return content[: -8 - int.from_bytes(content[-8:-4], "little")]


def same_parquet(one: Path, other: Path) -> bool:
    return pages(one) == pages(other) and said(one) == said(other)


def same_bytes(one: Path, other: Path) -> None:
    csv, parquet = ".csv", ".parquet"
    assert one.with_suffix(csv).read_bytes() == other.with_suffix(csv).read_bytes()
    assert pages(one.with_suffix(parquet)) == pages(other.with_suffix(parquet))
    assert said(one.with_suffix(parquet)) == said(other.with_suffix(parquet))


def differences(table: Path, undisturbed: Path) -> Counter[str]:
    """Cells of a table that are `lost`, `doubled`, or `stale`: they say what they should not."""
    found, expected = _cells(table), _cells(undisturbed)
    differing = Counter(lost=len(expected.keys() - found.keys()), doubled=0, stale=0)
    for cell, rows in found.items():
        right = expected.get(cell, [])
        if rows != right:
            differing["doubled" if len(rows) > len(right) else "stale"] += 1
    return differing


def _cells(path: Path) -> dict[tuple[object, object], list[tuple[object, ...]]]:
    """The rows of each model and split."""
    table = pq.read_table(path)
    cells: dict[tuple[object, object], list[tuple[object, ...]]] = {}
    for row in table.to_pylist():
        cells.setdefault((row.get("model"), row.get("split")), []).append(tuple(row.values()))
    return cells
