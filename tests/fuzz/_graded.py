"""Answers that were graded: tables and lines of JSON."""

import json
import random
from typing import Any

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, TEXT, Mutation, lines, mutated
from tests.fuzz._records import changed
from tests.fuzz._tables import ASK, asked

GRADED = [
    ["assess"], ["assess", "--json"], ["compare"], ["compare", "--json"],
    ["assess", "--measure", "grade"], ["assess", "--measure", "pass@2"],
    ["assess", "--measure", "above(bar=0.5)"], ["assess", "--measure", "median"],
    ["assess", "--attempt", "repeats"], ["assess", "--bounds", "1:5"], ["assess", "--by", "task"],
    ["compare", "--common-rows"], ["assess", "--drop-missing"], ["assess", "--task", "graded"],
    ["gate", "--require", "grade.low >= 0.1"], ["gate", "--require", "pass@1.low >= 0.2", "--json"],
]  # fmt: skip


def answers(rng: random.Random) -> list[dict[str, Any]]:
    """Valid records of graded answers in one of the layouts that are understood."""
    models = rng.choice([["base"], ["base", "tuned"], ["u", "v", "w"]])
    attempts, items = rng.choice([1, 1, 2, 3]), rng.choice([3, 12, 12, 40])
    kind_ = rng.choice(["correct", "correct", "passed", "grade", "letter"])
    item_ = rng.choice(["item", "item", "doc_id", "question_id"])
    more = rng.choice([[], [], ["task"], ["tokens", "cost"], ["group"], ["weight"]])
    found = []
    for model in models:
        for item in range(items):
            for attempt in range(attempts):
                one: dict[str, Any] = {"model": model, item_: f"q{item}"}
                if attempts > 1 or rng.random() < 0.2:
                    one["attempt"] = attempt + 1
                right = rng.random() < 0.6
                one |= {
                    "correct": {"correct": int(right)},
                    "passed": {"passed": right},
                    "grade": {"grade": round(rng.random(), 2)},
                    "letter": {"correct": rng.choice("CIPN")},
                }[kind_]
                values = {"task": f"t{item % 2}", "tokens": rng.randrange(1, 900), "cost": 0.01,
                          "group": f"g{item // 4}", "weight": rng.randrange(1, 4)}  # fmt: skip
                found.append(one | {name: values[name] for name in more})
    columns = list(dict.fromkeys(name for one in found for name in one))
    return [{name: one.get(name, 1) for name in columns} for one in found]


def _asked(rng: random.Random, name: str) -> tuple[list[str], tuple[str, ...]]:
    """Words that read graded answers; now and then those of predictions."""
    if rng.random() < 0.2:
        return asked(rng, name)
    verb, *options = rng.choice([*GRADED, *ASK[:3]])
    return [verb, name, *options], ()


def _damaged(content: bytes, rng: random.Random, ways: list[Mutation]) -> bytes:
    """Mostly; what is whole meets options that do not fit it."""
    return mutated(content, rng, ways) if rng.random() < 0.7 else content


def _plain(argv: list[str]) -> bool:
    """Whether the file is read as Python reads it when nothing is said."""
    told = {"--task", "--scores", "--drop-missing", "--attempt", "--bounds"}
    return not told & {*argv}


@kind("graded-csv", 1500)
def graded_csv(rng: random.Random) -> Case:
    """A table of graded answers that was damaged."""
    records = answers(rng)
    delimiter = rng.choice([",", ",", ",", ";", "\t"])
    rows = [delimiter.join(records[0])]
    rows += [delimiter.join(str(value) for value in one.values()) for one in records]
    content = _damaged("\n".join([*rows, ""]).encode(), rng, TEXT)
    argv, outputs = _asked(rng, "g.csv")
    reader = "predictions" if _plain(argv) else ""
    return Case(argv, {"g.csv": content}, main="g.csv", reader=reader, outputs=outputs)


def _record(content: bytes, rng: random.Random) -> bytes:
    """One line says something else, and is still a line of JSON."""
    rows = content.split(b"\n")
    at = rng.randrange(len(rows))
    try:
        rows[at] = json.dumps(changed(json.loads(rows[at]), rng)).encode()
    except (ValueError, RecursionError):
        rows[at] = rng.choice([b"{}", b"[]", b"null", b"NaN", b"{" * 5000, b'{"a": 1, "a": 2}'])
    return b"\n".join(rows)


LINES: list[Mutation] = [*[_record] * 4, *BYTES[:10], lines]


@kind("graded-lines", 1200)
def graded_lines(rng: random.Random) -> Case:
    """Lines of JSON, one answer each, that were damaged or say what none would."""
    records = answers(rng)
    content = "\n".join([*map(json.dumps, records), ""]).encode()
    name = rng.choice(["g.jsonl"] * 6 + ["g.json", "g.ndjson", "samples_t_2026.jsonl"])
    if name == "g.json":
        content = json.dumps(records).encode()
    content = _damaged(content, rng, BYTES if name == "g.json" else LINES)
    argv, outputs = _asked(rng, name)
    reader = "predictions" if _plain(argv) else ""
    return Case(argv, {name: content}, main=name, reader=reader, outputs=outputs)
