"""A benchmark read back from the JSON that was written of it; what follows is computed anew."""

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
from heliast.verbs.question import Question

LIMIT = 200_000_000
MARKS = {"measure", "models", "data", "table", "left_out"}
"""What such a file has; nothing else that heliast reads is a JSON object with these."""


def benchmark_in(source: "str | os.PathLike[str]") -> dict[str, Any] | None:
    """What a file says of a benchmark; None if it is another kind of file.

    Only files whose name ends in .json are opened: others are predictions or data.
    """
    if not str(source).lower().endswith(".json"):
        return None
    try:
        said = json.loads(read_plain(source, LIMIT).decode("utf-8"))
    except (OSError, NotPlain, ValueError, RecursionError):
        return None  # who reads predictions says what is wrong
    return said if isinstance(said, dict) and set(said) >= MARKS else None


def benchmark_of(said: Mapping[str, Any], where: str) -> Benchmark:
    """The record again: values, intervals and reasons as they are kept, ranks and tests anew."""
    try:
        return _made(said)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise InputError(
            f"{where}: not what `heliast benchmark -o` writes ({type(error).__name__}: {error})"
        ) from None


def _made(said: Mapping[str, Any]) -> Benchmark:
    measure, level = measures.titled(str(said["measure"])), float(said["level"])
    asked = said["question"]
    question = Question(
        measures=measure, level=level, seed=int(said["seed"]), test=str(asked["test"]),
        margin=asked["margin"], correction=str(asked["correction"]),
    )  # fmt: skip
    values: dict[str, dict[str, Estimate]] = {}
    for one in said["table"]:
        values.setdefault(str(one["data"]), {})[str(one["model"])] = _estimate(one, level)
    tried = tuple(_tried(one, values[str(one["name"])]) for one in said["data"])
    if not tried:
        raise ValueError("no data set")
    return Benchmark(
        tried, tuple(map(str, said["models"])), measure.title, measure.better, level,
        left_out=_texts(said["left_out"]), models_left_out=_texts(said["models_left_out"]),
        notes=tuple(map(str, said["notes"])), plan=str(said["plan"]), seed=question.seed,
        question=question, split_by=str(said.get("split_by", "")),
    ).tested()  # fmt: skip


def _tried(one: Mapping[str, Any], estimates: dict[str, Estimate]) -> Tried:
    numbers = {name: int(one[name]) for name in ("n", "inputs", "classes", "splits")}
    prints = ("data_fingerprint", "plan_fingerprint")
    words = ("name", "target", "target_by", "test", "method", *prints)
    return Tried(
        **numbers, **{name: str(one[name]) for name in words}, estimates=estimates,  # type: ignore[arg-type]
        identical=frozenset((str(a), str(b)) for a, b in one["identical"]),
        unbeaten=tuple(map(str, one["unbeaten"])), notes=tuple(map(str, one["notes"])),
    )  # fmt: skip


def _estimate(one: Mapping[str, Any], level: float) -> Estimate:
    numbers = {name: _number(one[name]) for name in ("value", "low", "high", "se", "n")}
    worth = _number(one.get("n_effective"))  # files of earlier versions do not have it
    trained = one["n_train"]
    words = {name: str(one[name]) for name in ("method", "reason", "model", "measure", "key")}
    return Estimate(
        **numbers, **words, level=level, n_effective=worth,  # type: ignore[arg-type]
        n_train=None if trained is None else float(trained),
        target="model" if one["target"] == "model" else "algorithm",
    )  # fmt: skip


def _number(value: object) -> float:
    return math.nan if value is None else float(value)  # type: ignore[arg-type]


def _texts(said: Mapping[str, Any]) -> dict[str, str]:
    return {str(name): str(why) for name, why in said.items()}
