"""A benchmark read from the JSON that was written of it."""

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from heliast import measures
from heliast._core.errors import InputError
from heliast._core.files import NotPlain, read_plain
from heliast.estimates import Estimate
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.verbs.options import Options

LIMIT = 200_000_000
# What such a file has; no other JSON file that heliast reads has these.
MARKS = {"measure", "models", "data", "table", "left_out"}
WORDS = ("name", "target", "target_by", "test", "method", "data_fingerprint", "plan_fingerprint")


def benchmark_in(source: "str | os.PathLike[str]") -> dict[str, Any] | None:
    """The content of a .json file of a benchmark; None if it is another kind of file."""
    if not str(source).lower().endswith(".json"):
        return None
    try:
        content = json.loads(read_plain(source, LIMIT).decode("utf-8"))
    except (OSError, NotPlain, ValueError, RecursionError):
        return None  # the reader of predictions says what is wrong
    return content if isinstance(content, dict) and set(content) >= MARKS else None


def benchmark_of(content: Mapping[str, Any], path: str) -> Benchmark:
    """The record again: values, intervals and reasons as they are kept, ranks and tests anew."""
    try:
        return _benchmark(content)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{path}: not what `heliast benchmark -o` writes ({type(error).__name__}: {error})"
        ) from None


def _benchmark(content: Mapping[str, Any]) -> Benchmark:
    measure, level = measures.titled(str(content["measure"])), float(content["level"])
    settings = content["question"]
    options = Options(
        measures=measure, level=level, seed=int(content["seed"]), test=str(settings["test"]),
        margin=settings["margin"], correction=str(settings["correction"]),
    )  # fmt: skip
    values: dict[str, dict[str, Estimate]] = {}
    for entry in content["table"]:
        values.setdefault(str(entry["data"]), {})[str(entry["model"])] = _estimate(entry, level)
    sets = tuple(_tried(part, values[str(part["name"])]) for part in content["data"])
    if not sets:
        raise ValueError("no data set")
    return Benchmark(
        sets, tuple(map(str, content["models"])), measure.title, measure.better, level,
        left_out=_texts(content["left_out"]), models_left_out=_texts(content["models_left_out"]),
        plan=str(content["plan"]), seed=options.seed, options=options,
        split_by=str(content.get("split_by", "")), against=str(content.get("against", "")),
    ).tested()  # fmt: skip


def _tried(part: Mapping[str, Any], estimates: dict[str, Estimate]) -> Tried:
    numbers = {name: int(part[name]) for name in ("n", "inputs", "classes", "splits")}
    return Tried(
        **numbers, **{name: str(part[name]) for name in WORDS}, estimates=estimates,  # type: ignore[arg-type]
        identical=frozenset((str(a), str(b)) for a, b in part["identical"]),
        unbeaten=tuple(map(str, part["unbeaten"])), notes=tuple(map(str, part["notes"])),
    )  # fmt: skip


def _estimate(entry: Mapping[str, Any], level: float) -> Estimate:
    names = ("value", "low", "high", "se", "n", "n_effective")
    numbers = {name: _number(entry.get(name)) for name in names}
    words = {name: str(entry[name]) for name in ("method", "reason", "model", "measure", "key")}
    n_train = entry["n_train"]
    return Estimate(
        **numbers, **words, level=level,  # type: ignore[arg-type]
        n_train=None if n_train is None else float(n_train),
        target="model" if entry["target"] == "model" else "algorithm",
    )  # fmt: skip


def _number(value: object) -> float:
    return math.nan if value is None else float(value)  # type: ignore[arg-type]


def _texts(content: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(text) for name, text in content.items()}
