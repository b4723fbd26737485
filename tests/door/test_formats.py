"""JSON and Arrow files and columns of vectors, in memory and where they lie."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather as feather
import pytest

import heliast as hl
from heliast import Predictions
from heliast._core.errors import InputError

ROWS = [("no", "no", 0.1), ("yes", "no", 0.4), ("yes", "yes", 0.8), ("no", "yes", 0.7)]
RECORDS = [{"y_true": t, "y_pred": d, "probs": [1 - p, p]} for t, d, p in ROWS]
LINES = "".join(json.dumps(one) + "\n" for one in RECORDS).encode()


def tables(path: Path, **options: Any) -> list[Any]:
    return [Predictions.read(path, **options), Predictions.scan(path, **options)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.jsonl", LINES),
        ("a.ndjson", LINES),
        ("a.json", json.dumps(RECORDS).encode()),
        ("a.json", json.dumps(RECORDS, indent=2).encode()),
        ("a.json.gz", gzip.compress(LINES)),
        ("a.jsonl.zst", pa.compress(LINES, "zstd", asbytes=True)),
        ("a.txt", LINES),
    ],
)
def test_json_lines_and_arrays(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    for table in tables(tmp_path / name):
        assert table.models == ("a",)
        assert table.classes == ("no", "yes")
        assert hl.assess(table, measures=["auc"])["a", "auc"].value == 0.75
        assert "scores in the order of the classes: 'no', 'yes'" in table.notes


def test_json_keeps_what_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"truth": "2020-01-01", "label": "2020-01-02", "id": 12345678901234567890}\n'
        '{"truth": "2020-01-02", "label": "2020-01-02", "id": 12345678901234567891}\n'
    )
    for table in tables(path):
        assert table.classes == ("2020-01-01", "2020-01-02")
        assert len(table) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ('{"truth": 1, "label": 2}\n{"truth": "a", "label": 2}\n', "several kinds"),
        ('{"truth": 1, "label": 2}\n{"truth": \n', "Malformed JSON"),
        ("[1, 2, 3]", "these are no records"),
        ("[]", "these are no records"),
        ('{"truth": {"0": 1}, "label": {"0": 1}}', "to_json(orient='records')"),
        (
            '{"truth": 1, "label": null}\n{"truth": 0, "label": 1}\n',
            "y_pred (column 'label') is missing|y_pred is missing",
        ),
        (
            '{"truth": "a", "probs": [0.1]}\n{"truth": "b", "probs": [1, 0]}\n',
            "of 1 and of 2|of several lengths",
        ),
    ],
)
def test_what_json_cannot_say_is_refused(tmp_path: Path, content: str, words: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    for how in (Predictions.read, Predictions.scan):
        with pytest.raises(InputError) as caught:
            how(path)
        assert any(word in str(caught.value) for word in words.split("|"))


def test_later_records_may_have_other_types(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    rows = [{"y_true": at % 2, "score": at if at < 2 else 0.5} for at in range(9)]
    path.write_text("\n".join(map(json.dumps, rows)))
    for table in tables(path):
        assert table.meta.score_kind == "probability"


def test_packed_json_is_read_within_the_limit(tmp_path: Path, monkeypatch: Any) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(LINES * 100_000))
    monkeypatch.setenv("HELIAST_MEMORY", "1MB")
    with pytest.raises(InputError, match="that a table may take here"):
        Predictions.read(path)


SPARK = pa.struct(
    [
        ("type", pa.int8()),
        ("size", pa.int32()),
        ("indices", pa.list_(pa.int32())),
        ("values", pa.list_(pa.float64())),
    ]
)
"""How Spark stores vectors: dense with all values, sparse with the places of some."""
VECTORS: dict[str, Any] = {
    "list": pa.array([[1 - p, p] for _, _, p in ROWS]),
    "array": pa.array([[1 - p, p] for _, _, p in ROWS], pa.list_(pa.float64(), 2)),
    "struct": pa.array([{"yes": p, "no": 1 - p} for _, _, p in ROWS]),
    "spark": pa.array([{"type": 1, "values": [1 - p, p]} for _, _, p in ROWS], SPARK),
    "text": pa.array([f"[{1 - p},{p}]" for _, _, p in ROWS]),
    "numpy": pa.array([str(np.array([1 - p, p])) for _, _, p in ROWS]),
    "sparse": pa.array([f"(2,[0,1],[{1 - p},{p}])" for _, _, p in ROWS]),
}


@pytest.mark.parametrize("kind", VECTORS)
def test_vectors_are_spread_over_the_classes(tmp_path: Path, kind: str) -> None:
    truth = [row[0] for row in ROWS]
    frame = pa.table({"y_true": truth, "probability": VECTORS[kind]})
    path = tmp_path / "a.feather"
    feather.write_feather(frame, path)
    with pa.ipc.new_stream(str(tmp_path / "a.arrow"), frame.schema) as stream:
        stream.write_table(frame)
    read = tables if kind in ("list", "array") else lambda path: [Predictions.read(path)]
    found = [*read(path), *read(tmp_path / "a.arrow"), Predictions.read(frame)]
    found.append(Predictions.read(pl.from_arrow(frame)))
    found.append(Predictions.read(frame.to_pandas()))
    for table in found:
        auc = hl.assess(table, measures=["auc"])[table.models[0], "auc"].value
        assert auc == 0.75


def test_what_a_sparse_vector_leaves_out_is_zero() -> None:
    values = ["(3,[0],[1.0])", "(3,[2],[1.0])", "[0.0,0.25,0.75]"]
    table = Predictions.read(pd.DataFrame({"label": [0.0, 2.0, 1.0], "probability": values,
                                               "prediction": [0.0, 2.0, 2.0]}))  # fmt: skip
    assert table.classes == (0, 1, 2)
    assert table.scores is not None
    assert table.scores.tolist() == [[1, 0, 0], [0, 0, 1], [0, 0.25, 0.75]]


def test_datasets_of_hugging_face_are_frames() -> None:
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list(RECORDS).select([3, 0, 1])
    table = Predictions.read(rows)
    assert [table.classes[code] for code in table.y_true] == ["no", "no", "yes"]


def test_data_are_read_from_json_and_arrow_too(tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": [1.5, 2, 3, 4], "class": list("abab")})
    frame.to_json(tmp_path / "d.json", orient="records")
    frame.to_feather(tmp_path / "d.feather")
    for name in ("d.json", "d.feather"):
        assert hl.read(tmp_path / name).classes == ("a", "b")
