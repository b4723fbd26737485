"""Plots of predictions and of benchmarks: of damaged files, of kinds that do not fit."""

import functools
import json
import random
from typing import Any

from tests.fuzz._case import Case, kind
from tests.fuzz._mutations import BYTES, TEXT, mutated
from tests.fuzz._records import changed
from tests.fuzz._tables import predictions
from tests.fuzz._values import NUMBERS, nasty

KINDS = [
    "roc", "roc", "precision_recall", "precision-recall", "gain", "lift", "lift_chart", "cost",
    "calibration", "decision", "averaged_roc", "f_surface", "learning", "predicted",
    "confusion_matrix", "contingency", "forest", "forest", "per_split", "comparison_matrix",
    "margins", "bias_variance",
]  # fmt: skip
OF_BENCHMARKS = ["critical_difference", "data_sets"]


@functools.cache
def benchmark() -> str:
    """The JSON of a benchmark of three models on eight data sets."""
    from heliast.estimates import Estimate
    from heliast.verbs.benchmarked import Benchmark, Tried

    rng = random.Random(1)
    sets = []
    for at in range(8):
        values = {model: round(rng.uniform(0.1, 0.4), 3) for model in "uvw"}
        found = {
            model: Estimate(
                value, value - 0.05, value + 0.05, model=model, measure="error", method="Wilson",
                key="wilson", n=50,
            )
            for model, value in values.items()
        }  # fmt: skip
        sets.append(Tried(f"set{at}", 50, 2, 2, "class", found, 3))
    return json.dumps(Benchmark(tuple(sets), ("u", "v", "w"), "error").tested().to_dict())


def _options(rng: random.Random) -> list[str]:
    """Options of a plot, right or wrong."""
    words: list[str] = []
    for _ in range(rng.choice([0, 0, 1, 2])):
        words += rng.choice([
            ["--of", rng.choice(["u", "v", "p", nasty(rng)[:200]])], ["--pool"],
            ["--class", rng.choice(["a", "yes", "1", nasty(rng)[:200]])],
            ["--measure", rng.choice(["error", "auc", "rmse", "grade", "nope"])],
            ["--level", rng.choice(["0.9", *NUMBERS])], ["--title", nasty(rng)[:2000]],
            ["--task", rng.choice(["regression", "classification"])], ["--positive",
            rng.choice(["a", "no"])],
        ])  # fmt: skip
    return [word.replace("\0", "") for word in words]


def _benchmark_of(rng: random.Random) -> bytes:
    """The file of a benchmark: whole, saying what none would, or damaged."""
    said: Any = json.loads(benchmark())
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        said = changed(said, rng)
    content = json.dumps(said).encode()
    return mutated(content, rng, BYTES) if rng.random() < 0.2 else content


@kind("plot", 2000)
def plot(rng: random.Random) -> Case:
    """A plot is written whole, or not at all."""
    if rng.random() < 0.35:
        name, content, kinds = "b.json", _benchmark_of(rng), OF_BENCHMARKS
    else:
        name, kinds = "p.csv", KINDS
        content = predictions(rng)
        content = mutated(content, rng, TEXT) if rng.random() < 0.6 else content
    asked = rng.choice(kinds)
    if rng.random() < 0.08:
        asked = rng.choice([*KINDS, *OF_BENCHMARKS, "pie", nasty(rng)[:90]]).replace("\0", "")
    output = rng.choice(["x.svg"] * 8 + ["x.png", "x.pdf", "x.gif", "x", "no/x.svg"])
    argv = ["plot", asked, name, "-o", output, *_options(rng)]
    if rng.random() < 0.1:  # tables and paragraphs of the same files
        to = rng.choice(["latex", "md", "html", "csv", "json", "methods", "bibtex"])
        argv, output = ["export", name, "--to", to, "-o", "x.txt"], "x.txt"
    outputs = () if output in ("x", "x.gif", "no/x.svg") else (output,)
    return Case(argv, {name: content}, outputs=outputs)
