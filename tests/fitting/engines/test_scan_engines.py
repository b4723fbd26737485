"""Frames of PySpark and Dask, scanned where they lie: the numbers of the table in memory."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.fitting.engines.conftest import missing, need

import heliast as hl
from heliast._core.errors import InputError

pytestmark = [
    pytest.mark.engines,
    # Neither library's own remarks on the versions of others are ours to heed.
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
N = 3000


@pytest.fixture(scope="module")
def session() -> Iterator[Any]:
    sql = need("pyspark.sql")
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        missing("Java is not installed")
    made = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", "3")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()


@pytest.fixture(params=["pyspark", "dask"])
def opened(request: pytest.FixtureRequest) -> Any:
    """A function from a Parquet file to a lazy frame of several partitions."""
    if request.param == "pyspark":
        spark = request.getfixturevalue("session")
        return lambda path: spark.read.parquet(str(path)).repartition(3)
    frames = need("dask.dataframe")
    return lambda path: frames.read_parquet(path).repartition(npartitions=3)


def two_classes() -> dict[str, Any]:
    draw = np.random.default_rng(1)
    truth = draw.integers(0, 2, N)
    score = np.round(1 / (1 + np.exp(-(2 * truth - 1 + draw.normal(size=N)))), 3)
    return {
        "y_true": np.array(["no; DROP", "it's"])[truth],
        "prob_it's": np.clip(score, 0.01, 0.99),
    }


def weighted() -> dict[str, Any]:
    weight = np.random.default_rng(2).uniform(0.1, 3, N)
    return {**two_classes(), "weight": weight}


def three_classes() -> dict[str, Any]:
    draw = np.random.default_rng(3)
    truth = draw.integers(0, 3, N)
    scores = draw.dirichlet([1.0, 1.0, 1.0], N) / 2 + np.eye(3)[truth] / 2
    columns = {f"prob_{name}": scores[:, at] for at, name in enumerate("a.`")}
    return {"y_true": np.array(list("a.`"))[truth], **columns}


def numbers() -> dict[str, Any]:
    draw = np.random.default_rng(4)
    truth = draw.normal(size=N)
    return {"y_true": truth, "y_pred": truth + draw.normal(size=N) / 2}


def two_models() -> dict[str, Any]:
    one = two_classes()
    both = {name: np.concatenate([column, column[::-1]]) for name, column in one.items()}
    both["y_true"] = np.concatenate([one["y_true"]] * 2)
    return {**both, "model": np.repeat(["m", "k"], N), "row": np.tile(np.arange(N), 2)}


TABLES = (two_classes, weighted, three_classes, numbers, two_models)


@pytest.mark.parametrize("make", TABLES)
def test_the_numbers_are_those_in_memory(make: Any, opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table(make()), path, row_group_size=700)
    memory = hl.assess(hl.Predictions.read(pq.read_table(path)))
    table = hl.Predictions.scan(opened(path))
    scanned = hl.assess(table)
    assert scanned.n == memory.n
    assert set(scanned.models) == set(memory.models)
    compared = 0
    for one in memory.estimates:
        key = (one.model, one.measure) + (() if one.class_ is None else (one.class_,))
        found = scanned[key]
        assert found.value == pytest.approx(one.value, rel=1e-9, nan_ok=True)
        if "scanned" not in found.reason:
            assert (found.low, found.high) == pytest.approx(
                (one.low, one.high), rel=1e-9, nan_ok=True
            )
            compared += one.low == one.low
    assert compared >= 2
    folder = table.prepared.engine.folder  # type: ignore[attr-defined]
    assert folder.stat().st_mode & 0o077 == 0
    table.close()  # type: ignore[attr-defined]
    assert not folder.exists()


def test_workers_in_other_processes_write_the_parts(scheduler: str, tmp_path: Path) -> None:
    frames, distributed = need("dask.dataframe"), need("distributed")
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table(weighted()), path)
    expected = hl.assess(hl.Predictions.read(pq.read_table(path)), ["auc"])["model", "auc"]
    with distributed.Client(scheduler):
        table = hl.Predictions.scan(frames.read_parquet(path).repartition(npartitions=4))
        found = hl.assess(table, ["auc"])["model", "auc"]
    assert (found.value, found.low, found.high) == pytest.approx(
        (expected.value, expected.low, expected.high), rel=1e-9
    )


CONNECT = """
import json, sys
from pyspark.sql import SparkSession
import heliast as hl

session = SparkSession.builder.remote("local[2]").getOrCreate()
table = hl.Predictions.scan(session.read.parquet(sys.argv[1]))
found = hl.assess(table, ["auc"])["model", "auc"]
print(json.dumps([table.notes[0], found.value, found.low, found.high]))
session.stop()
"""


def test_spark_connect(tmp_path: Path) -> None:
    """In a process of its own, since it does not go together with a session as above."""
    need("pyspark.sql")
    pytest.importorskip("grpc_status", reason="pyspark[connect] is not installed")
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table(weighted()), path)
    expected = hl.assess(hl.Predictions.read(pq.read_table(path)), ["auc"])["model", "auc"]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", CONNECT, str(path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    note, *found = json.loads(done.stdout.splitlines()[-1])
    assert note == "scanned where it lies: the lazy frame (pyspark_connect)"
    assert found == pytest.approx([expected.value, expected.low, expected.high], rel=1e-9)


def test_curves(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table(two_classes()), path)
    memory = hl.curves.roc(hl.Predictions.read(pq.read_table(path)), thin=False)
    found = hl.curves.roc(hl.Predictions.scan(opened(path)))
    assert found.auc == pytest.approx(memory.auc, rel=1e-12)
    assert found.hull_auc == pytest.approx(memory.hull_auc, rel=1e-12)


def test_what_its_engine_says_is_passed_on(opened: Any, tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    pq.write_table(pa.table(two_classes()), path)
    frame = opened(path)
    with pytest.raises(InputError, match="no row"):
        hl.Predictions.scan(frame[frame.y_true == "neither"])
    path.write_bytes(path.read_bytes()[:5000] + bytes(10_000))
    with pytest.raises(InputError, match=r"the lazy frame \(\w+\): its engine cannot compute it"):
        hl.Predictions.scan(frame)
