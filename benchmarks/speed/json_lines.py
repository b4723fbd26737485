"""JSON lines: a scanned table and its error against DuckDB's own `read_json` of the same file.

`python -m benchmarks.speed.json_lines 10` runs this many million rows of about 70 bytes; each run
is a process of its own. Files go to TMPDIR and are removed at the end.
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.speed._measure import Result
from benchmarks.speed.scan import MOST, connect, make_room, measured

MILLIONS = (10,)
ROW, COPY = 75, 20


def generate(path: str, rows: int) -> None:
    """Two classes by name, what was decided, a probability and a column that is not used."""
    connect(str(Path(path).parent)).execute(
        "COPY (SELECT CASE WHEN t < 0.3 THEN 'yes' ELSE 'no' END AS truth, "
        "CASE WHEN p < 0.5 THEN 'no' ELSE 'yes' END AS label, p AS prob, i AS other FROM "
        f"(SELECT random() AS t, random() AS p, i FROM range({rows:d}) AS r(i))) "
        f"TO '{path}' (FORMAT json)"
    )


def run(millions: tuple[int, ...] = MILLIONS) -> Iterator[Result]:
    for million in millions:
        make_room(million, ROW + COPY)
        with tempfile.TemporaryDirectory(prefix="heliast-bench-") as folder:
            path = f"{folder}/p.jsonl"
            generate(path, million * 1_000_000)
            ours, peer = measured("scan_json", path), measured("read_json", path)
        print(f"  {million} million rows: {ours}; read_json: {peer}", flush=True)
        assert ours["rows"] == peer["rows"] == million * 1_000_000
        name, of = f"scan {million} million JSON lines", "DuckDB read_json"
        yield Result(
            f"{name}, processor", ours["processor"], peer["processor"], of, 2, at_most=True
        )
        yield Result(f"{name}, elapsed", ours["seconds"], peer["seconds"], of, 2, at_most=True)
        yield Result(f"{name}, memory", ours["memory"], MOST, "2 GB", 1, at_most=True, unit="B")


if __name__ == "__main__":
    from benchmarks.speed.__main__ import line

    for result in run(tuple(int(word) for word in sys.argv[1:]) or MILLIONS):
        print(line(result), flush=True)
