"""Tables larger than memory: `assess` of a Parquet file against DuckDB's own sort of its scores.

Each run is a process of its own, so that its memory and its processor time are its own. The bar is
a ratio of processor times under the same memory limit: other work on the machine does not count.
Elapsed times are there as well. Memory is the most that was resident, as the kernel counted it.

`python -m benchmarks.speed.scan 10 100 200` runs these millions of rows, `... scan frames 20` the
same table through lazy frames of DuckDB, Polars, PySpark and Dask, as far as they are installed.
Files go to TMPDIR and are removed at the end: 16 bytes a row for the table, and up to twice as much
for what is sorted on disk; `... scan frames` needs as much again. Too little room is said first.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.speed._measure import Result

MEMORY = "1GB"
"""What the engine may use, in both; the whole process must stay below 2 GB."""
MOST = 2e9
MILLIONS = (10, 100)
ROW, SORTED = 16, 32
"""Bytes on disk a row of the table, and a row that is being sorted."""


def connect(folder: str) -> Any:
    import duckdb

    settings = {"memory_limit": MEMORY, "temp_directory": f"{folder}/spilled"}
    return duckdb.connect(config={**settings, "preserve_insertion_order": "false"})


def generate(path: str, rows: int) -> None:
    """Two classes, a probability for one of them, a column that is not used: 16 bytes a row."""
    normal = "sqrt(-2 * ln(1 - random())) * cos(2 * pi() * random())"
    connect(str(Path(path).parent)).execute(
        "COPY (SELECT CAST(t AS UTINYINT) AS truth, 1 / (1 + exp(1.2 - 1.5 * t - u)) AS prob, "
        "random() AS other "
        f"FROM (SELECT CAST(random() < 0.3 AS INTEGER) AS t, {normal} AS u FROM range({rows:d}))) "
        f"TO '{path}' (FORMAT parquet)"
    )


def order(path: str) -> dict[str, object]:
    """The peer: the engine sorts the scores and hands them over."""
    answer = connect(str(Path(path).parent)).sql(
        f"SELECT truth, prob FROM read_parquet('{path}') ORDER BY prob"
    )
    return {"rows": sum(batch.num_rows for batch in answer.to_arrow_reader(1 << 20))}


def assess(path: str) -> dict[str, object]:
    return _of(path)


def _of(source: object) -> dict[str, object]:
    import heliast as hl

    found = hl.assess(hl.Predictions.scan(source, memory=MEMORY))
    auc = found[found.models[0], "auc"]
    return {
        "rows": found.n,
        "auc": auc.value,
        "low": auc.low,
        "high": auc.high,
        "method": auc.method,
    }


def scan_json(path: str) -> dict[str, object]:
    """JSON lines as a scanned table, and its error."""
    import heliast as hl

    found = hl.assess(hl.Predictions.scan(path, memory=MEMORY), measures=["error"])
    return {"rows": found.n, "error": found[found.models[0], "error"].value}


def read_json(path: str) -> dict[str, object]:
    """The peer: the engine reads the same columns and hands them over."""
    answer = connect(str(Path(path).parent)).sql(
        f"SELECT truth, label, prob FROM read_json('{path}')"
    )
    return {"rows": sum(batch.num_rows for batch in answer.to_arrow_reader(1 << 20))}


def through_duckdb(path: str) -> dict[str, object]:
    """The same table as a lazy frame of somebody's DuckDB session."""
    return _of(connect(str(Path(path).parent)).read_parquet(path))


def through_polars(path: str) -> dict[str, object]:
    """The same table as a lazy frame of Polars."""
    import polars

    return _of(polars.scan_parquet(path))


def through_pyspark(path: str) -> dict[str, object]:
    """The same table as a frame of a Spark session on this machine, with as much memory."""
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.driver.memory", "1g")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.local.dir", str(Path(path).parent))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    found = _of(session.read.parquet(path))
    session.stop()
    return found


def through_dask(path: str) -> dict[str, object]:
    """The same table as a frame of Dask."""
    import dask.dataframe

    return _of(dask.dataframe.read_parquet(path, split_row_groups=True))


def measured(what: str, path: str) -> dict[str, Any]:
    """Run one of them in a process of its own: seconds, processor seconds, most memory."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.speed.scan", what, path], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    answer = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    assert status == 0, f"{what} ended with {status}"
    found = json.loads(answer)
    return {
        **found,
        "seconds": time.perf_counter() - start,
        "processor": used.ru_utime + used.ru_stime,
        # The largest process, and the largest of those that it started.
        "memory": used.ru_maxrss * 1024 + found["children"],
    }


def told(what: str, path: str) -> dict[str, object]:
    """The answer of one of them, in the process of its own."""
    found = PARTS[what](path)
    return {**found, "children": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024}


def make_room(million: int, bytes_a_row: int) -> None:
    """Say how much disk is needed, and stop if it is not there."""
    place = tempfile.gettempdir()
    need, free = million * 1e6 * bytes_a_row, shutil.disk_usage(place).free
    print(
        f"  {million} million rows: up to {need / 1e9:.1f} GB in {place}, {free / 1e9:.1f} GB are "
        "free; removed at the end",
        flush=True,
    )
    if need > free:
        sys.exit("too little room: make some, or name another folder with TMPDIR")


def run(millions: tuple[int, ...] = MILLIONS) -> Iterator[Result]:
    least = None
    for million in millions:
        make_room(million, ROW + SORTED)
        with tempfile.TemporaryDirectory(prefix="heliast-bench-") as folder:
            path = f"{folder}/p.parquet"
            generate(path, million * 1_000_000)
            ours, peer = measured("assess", path), measured("order", path)
            size = Path(path).stat().st_size
        print(
            f"  {million} million rows, {size / 1e6:.0f} MB: {ours}; ORDER BY: {peer}", flush=True
        )
        assert ours["rows"] == peer["rows"] == million * 1_000_000
        name = f"assess {million} million rows on disk"
        yield Result(
            f"{name}, processor", ours["processor"], peer["processor"], "DuckDB ORDER BY", 3,
            at_most=True,
        )  # fmt: skip
        yield Result(
            f"{name}, elapsed", ours["seconds"], peer["seconds"], "DuckDB ORDER BY", 3, at_most=True
        )
        yield Result(f"{name}, memory", ours["memory"], MOST, "2 GB", 1, at_most=True, unit="B")
        if least is not None:
            times = ours["processor"] / least[1], million / least[0]
            yield Result(
                f"{name}, growth", times[0], times[1], f"rows since {least[0]} million", 1.5,
                at_most=True,
            )  # fmt: skip
        least = least or (million, ours["processor"])


def frames(million: int = 20) -> None:
    """The numbers of one table through several lazy frames: equal to the last bit, or an error."""
    make_room(million, 2 * ROW + SORTED)
    with tempfile.TemporaryDirectory(prefix="heliast-bench-") as folder:
        path = f"{folder}/p.parquet"
        generate(path, million * 1_000_000)
        expected = measured("assess", path)
        print(f"  the file: {expected}", flush=True)
        for what in ("through_duckdb", "through_polars", "through_pyspark", "through_dask"):
            if find_spec(what.removeprefix("through_")) is None:
                print(f"  {what}: not installed", flush=True)
                continue
            found = measured(what, path)
            print(f"  {what}: {found}", flush=True)
            assert all(found[name] == expected[name] for name in ("rows", "auc", "low", "high"))


PARTS = {
    one.__name__: one
    for one in (
        assess,
        order,
        scan_json,
        read_json,
        through_duckdb,
        through_polars,
        through_pyspark,
        through_dask,
    )
}

if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in PARTS:
        print(json.dumps(told(sys.argv[1], sys.argv[2])))
    elif sys.argv[1:2] == ["frames"]:
        frames(int(sys.argv[2]) if sys.argv[2:] else 20)
    else:
        from benchmarks.speed.__main__ import line

        for result in run(tuple(int(word) for word in sys.argv[1:]) or MILLIONS):
            print(line(result), flush=True)
