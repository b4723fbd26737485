"""Parquet: odd types and metadata, and damaged bytes."""

import datetime
import decimal
import functools
import io
import json
import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, Mutation, cut, flip, mutated, overwrite
from tests.fuzz._tables import asked, fitted
from tests.fuzz._values import NUMBERS, nasty


def inside(content: bytes, rng: random.Random) -> bytes:
    """Bytes of the pages change, not those of the footer that says where they are."""
    end = max(4, len(content) - 8 - int.from_bytes(content[-8:-4], "little"))
    if end > len(content):
        return content
    start = rng.randrange(4, end + 1)
    part = rng.choice([flip, overwrite])(content[start:end], rng)[: end - start]
    return content[:start] + part + content[start + len(part) :]


DAMAGE: list[Mutation] = [*BYTES, cut, flip, flip, overwrite, overwrite, *[inside] * 8]


def written(table: Any, rng: random.Random | None = None) -> bytes:
    """The bytes of a table; `rng` chooses how it is written."""
    sink = io.BytesIO()
    options: dict[str, Any] = {}
    if rng is not None:
        options = {
            "compression": rng.choice(["zstd", "snappy", "none", "gzip"]),
            "row_group_size": rng.choice([None, 1, 5]),
            "use_dictionary": rng.random() < 0.7,
            "data_page_version": rng.choice(["1.0", "2.0"]),
            "version": rng.choice(["1.0", "2.6"]),
        }
    pq.write_table(table, sink, **options)
    return sink.getvalue()


@functools.cache
def ours(which: int) -> bytes:
    """A table as heliast writes it, metadata and all."""
    import tempfile
    from pathlib import Path

    import numpy as np

    import heliast as hl

    rng = np.random.default_rng(which)
    n = 24
    truth = rng.choice(["a", "b", "c"][: 2 + which % 2], n)
    score = rng.dirichlet(np.ones(2 + which % 2), n)
    options: list[dict[str, Any]] = [
        {"y_pred": truth[::-1]}, {"y_score": score, "classes": ["a", "b", "c"]},
        {"y_score": score[:, 1], "row": np.arange(n)},
        {"y_pred": truth, "y_score": score, "classes": ["a", "b", "c"], "split": np.arange(n) % 3},
        {"y_pred": truth[::-1], "model": np.repeat(["u", "v"], n // 2), "weight": np.ones(n)},
    ]  # fmt: skip
    chosen = options[which % 5]
    if "classes" in chosen:
        chosen["classes"] = chosen["classes"][: 2 + which % 2]
    if which % 5 == 2:
        truth = rng.choice(["a", "b"], n)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.parquet"
        hl.Predictions.of(truth, **chosen).write(path)
        return path.read_bytes()


def _numbers(n: int, rng: random.Random) -> list[float]:
    return [rng.random() for _ in range(n)]


COLUMNS: dict[str, Callable[[int, random.Random], Any]] = {
    "text": lambda n, r: pa.array([r.choice("ab") for _ in range(n)]),
    "large text": lambda n, r: pa.array([r.choice("ab") for _ in range(n)], pa.large_string()),
    "view": lambda n, r: pa.array([r.choice("ab") for _ in range(n)], pa.string_view()),
    "nasty": lambda n, r: pa.array(
        [nasty(r)[:500].encode("utf-8", "replace").decode() for _ in range(n)]
    ),
    "numbers": lambda n, r: pa.array(_numbers(n, r)),
    "odd numbers": lambda n, r: pa.array(
        [r.choice([float("nan"), float("inf"), -float("inf"), 1e308, -0.0, 0.5]) for _ in range(n)]
    ),
    "halves": lambda n, r: pa.array(_numbers(n, r), pa.float64()).cast(pa.float16(), safe=False),
    "whole": lambda n, r: pa.array([r.randrange(2) for _ in range(n)], pa.int8()),
    "large": lambda n, r: pa.array([r.choice([2**64 - 1, 0, 2**63]) for _ in range(n)],
    pa.uint64()),
    "bool": lambda n, r: pa.array([r.random() < 0.5 for _ in range(n)]),
    "nulls": lambda n, r: pa.nulls(n),
    "some null": lambda n, r: pa.array([r.choice(["a", "b", None]) for _ in range(n)]),
    "null numbers": lambda n, r: pa.array([r.choice([0.5, None]) for _ in range(n)], pa.float64()),
    "lists": lambda n, r: pa.array([[r.random()] * r.randrange(3) for _ in range(n)]),
    "fixed lists": lambda n, r: pa.array([[0.1, 0.9]] * n, pa.list_(pa.float64(), 2)),
    "structs": lambda n, r: pa.array([{"a": 1, "b": "x"}] * n),
    "maps": lambda n, r: pa.array([[("a", 1)]] * n, pa.map_(pa.string(), pa.int64())),
    "decimals": lambda n, r: pa.array([decimal.Decimal("0.25")] * n),
    "wide decimals": lambda n, r: pa.array([decimal.Decimal(9**70)] * n, pa.decimal256(76, 0)),
    "dates": lambda n, r: pa.array([datetime.date(2020, 1, 1 + at % 28) for at in range(n)]),
    "times": lambda n, r: pa.array([datetime.time(12, at % 60) for at in range(n)]),
    "stamps": lambda n, r: pa.array([datetime.datetime(2020, 1, 1)] * n, pa.timestamp("ns", "UTC")),
    "durations": lambda n, r: pa.array([datetime.timedelta(seconds=at) for at in range(n)]),
    "binary": lambda n, r: pa.array([b"\xff\x00a"] * n),
    "dictionary": lambda n, r: pa.array([r.choice("ab") for _ in range(n)]).dictionary_encode(),
    "whole dictionary": lambda n,
    r: pa.array([r.randrange(3) for _ in range(n)]).dictionary_encode(),
}  # fmt: skip
NAMES = ["y_true", "y_pred", "score", "prob_a", "prob_b", "model", "split", "row", "in_train",
    "weight", "group",
         "y_true", "score_a", "votes_b", "", "\x1b[31m", "truth ", "x" * 3000, "a\0b", "class",
         "u"]  # fmt: skip


PLAIN = [
    "text",
    "large text",
    "view",
    "whole",
    "bool",
    "dictionary",
    "whole dictionary",
    "some null",
]
USUAL = {
    "y_true": PLAIN, "y_pred": PLAIN, "model": PLAIN, "split": PLAIN, "group": PLAIN,
    "class": PLAIN, "score": ["numbers", "halves", "null numbers", "decimals", "odd numbers"],
    "weight": ["numbers", "whole", "decimals"],
}  # fmt: skip


def _table(rng: random.Random, names: list[str]) -> Any:
    n = rng.choice([0, 1, 12, 12, 30])
    columns, called = [], []
    for name in dict.fromkeys(names) if rng.random() < 0.9 else names:
        usual = USUAL.get(name, ["text", "whole", "numbers"])
        what = rng.choice(usual) if rng.random() < 0.75 else rng.choice([*COLUMNS])
        columns.append(COLUMNS[what](n, rng))
        called.append(name)
    return pa.table(columns, names=called)


def _deep(levels: int) -> Any:
    one: Any = pa.array([0.5] * 6)
    for _ in range(levels):
        one = pa.StructArray.from_arrays([one], ["a"])
    return one


def metadata(rng: random.Random, stored: dict[str, Any]) -> bytes:
    """What heliast says beside the columns, changed."""
    if rng.random() < 0.5:  # where a change is not seen at once
        stored = {**stored, "format": 1}
        for key in ("meta", "splits", "cells", "notes"):
            part = stored[key]
            holder = part if isinstance(part, dict) else part[0] if part else None
            if isinstance(holder, dict) and holder and rng.random() < 0.5:
                holder[rng.choice([*holder])] = rng.choice(
                    [None, [], {}, "x", 0, -1, 2**70, 1e308, True, ["a"], "\x1b[31m", "a" * 5000]
                )
        return json.dumps(stored).encode()
    values: list[Any] = [
        None, [], {}, "", "x", 0, -1, 2**70, 1e308, True, ["a"], ["a", "a"], [None], [[]],
        [1, "a"], {"a": 1}, "\x1b[31m", [f"c{at}" for at in range(300)], ["score_a"],
        "probability", "votes", "number", [{}], [{"model": 1}], "a" * 5000, rng.choice(NUMBERS),
    ]  # fmt: skip
    for _ in range(rng.choice([1, 1, 2, 4])):
        key = rng.choice([*stored])
        roll = rng.random()
        if roll < 0.2:
            del stored[key]
        elif roll < 0.4 and isinstance(stored[key], dict) and stored[key]:
            stored[key][rng.choice([*stored[key]])] = rng.choice(values)
        elif roll < 0.6 and isinstance(stored[key], list) and stored[key]:
            at = rng.randrange(len(stored[key]))
            if isinstance(stored[key][at], dict) and stored[key][at] and rng.random() < 0.8:
                stored[key][at][rng.choice([*stored[key][at]])] = rng.choice(values)
            else:
                stored[key][at] = rng.choice(values)
        else:
            stored[key] = rng.choice(values)
        if not stored:
            break
    roll = rng.random()
    text = json.dumps(stored)
    if roll < 0.06:
        return b'{"format": 1, "x": ' + b"[" * rng.choice([900, 100_000])
    if roll < 0.1:
        return text.replace(
            '"format"', '"notes": [NaN, 1e999, ' + "9" * 5000 + '], "format"'
        ).encode()
    if roll < 0.15:
        return cut(text.encode(), rng)
    if roll < 0.2:
        return flip(text.encode(), rng)
    return text.encode()


def _changed(rng: random.Random) -> bytes:
    """A table of ours with other metadata, or another order or choice of columns."""
    table = pq.read_table(pa.BufferReader(ours(rng.randrange(10))))
    stored = json.loads(table.schema.metadata[b"heliast"])
    if rng.random() < 0.3:
        gone = rng.choice(table.column_names)
        table = table.drop_columns([gone])
    if rng.random() < 0.3 and table.num_columns:
        at = rng.randrange(table.num_columns)
        other = COLUMNS[rng.choice([*COLUMNS])](table.num_rows, rng)
        table = table.set_column(at, table.column_names[at], other)
    said = metadata(rng, stored) if rng.random() < 0.8 else json.dumps(stored).encode()
    return written(table.replace_schema_metadata({b"heliast": said}), rng)


def parquet(rng: random.Random) -> bytes:
    """A Parquet file of predictions, bad in one of four ways."""
    roll = rng.random()
    if roll < 0.25:
        return mutated(ours(rng.randrange(10)), rng, DAMAGE)
    if roll < 0.65:
        return _changed(rng)
    names = ["y_true", rng.choice(["y_pred", "score"])] if rng.random() < 0.7 else []
    names += rng.choices(NAMES, k=rng.randrange(1, 5))
    table = _table(rng, names)
    if roll < 0.68:
        table = pa.table({"y_true": pa.array(list("ababab")), "y_pred": _deep(rng.choice([5, 60]))})
    elif roll < 0.69:
        table = pa.table({f"c{at}": [1, 2] for at in range(3000)})
    content = written(table, rng)
    return mutated(content, rng, DAMAGE) if roll > 0.9 else content


@kind("predictions-parquet", 3500)
def predictions_parquet(rng: random.Random) -> Case:
    content = parquet(rng)
    name = rng.choice(["p.parquet"] * 8 + ["p.csv", "p.pq", "p", "p.arff"])
    argv, outputs = asked(rng, name)
    plain = not any(word in ("--task", "--scores", "--drop-missing") for word in argv)
    return Case(
        argv, {name: content}, main=name, reader="predictions" if plain else "", outputs=outputs
    )


@kind("data-parquet", 1000)
def data_parquet(rng: random.Random) -> Case:
    names = [
        "u",
        "v",
        *rng.choices(NAMES, k=rng.randrange(3)),
        rng.choice(["class", "y", "target"]),
    ]
    content = written(_table(rng, names), rng)
    if rng.random() < 0.5:
        content = mutated(content, rng, DAMAGE)
    argv, outputs = fitted(rng, "d.parquet", rng.choice([None, None, None, "u", "v"]))
    plain = argv[0] == "run" and not {"--target", "--ignore", "--group", "--drop-missing"} & {*argv}
    return Case(
        argv,
        {"d.parquet": content},
        main="d.parquet",
        reader="data" if plain else "",
        outputs=outputs,
    )
