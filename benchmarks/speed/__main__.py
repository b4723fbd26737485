"""Prints the table; `python -m benchmarks.speed delong classes` runs only those.

`wall` and `cpu` are ratios by the wall and by the time of all processors (where it was taken), each
median against median of the same run; where only one misses its floor, `MISS` says which.
"""

import json
import os
import platform
import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.speed import (
    bias_variance,
    bootstrap,
    classes,
    coded,
    delong,
    json_lines,
    predicting,
    report,
    running,
    scan,
    shortcuts,
    tables,
    trees,
    votes,
)
from benchmarks.speed._measure import Result
from heliast._kernels.threads import threads

COMPARISONS = {
    "report": report,
    "bootstrap": bootstrap,
    "delong": delong,
    "classes": classes,
    "running": running,
    "shortcuts": shortcuts,
    "trees": trees,
    "coded": coded,
    "votes": votes,
    "predicting": predicting,
    "bias_variance": bias_variance,
    "scan": scan,
    "json_lines": json_lines,
    "tables": tables,
}
RESULTS = Path(__file__).parent / "results" / "latest.json"
SHAPE = "{:<59} {:>10} {:>10}  {:<26} {:>8} {:>8} {:>7} {:>6}  {}"


def amount(value: float, unit: str) -> str:
    return f"{value / 1e6:.0f} MB" if unit == "B" else f"{value:.4g} s"


def times(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:,.{0 if ratio >= 100 else 2}f}x"


def verdict(result: Result) -> str:
    """PASS or MISS; where one clock of two holds, the one that does not."""
    one_of_two = result.processors is not None and len(result.missed) == 1
    return f"MISS ({result.missed[0]})" if one_of_two else "MISS" if result.missed else "PASS"


def line(result: Result) -> str:
    sign = "<=" if result.at_most else ">="
    return SHAPE.format(
        result.what,
        amount(result.ours, result.unit),
        amount(result.peer, result.unit),
        result.peer_name,
        times(result.ratio),
        times(result.processor_ratio),
        f"{sign}{result.floor:g}",
        "" if result.aim is None else f"{result.aim:g}",
        verdict(result),
    )


def machine() -> dict[str, object]:
    packages = ("numpy", "scipy", "scikit-learn", "numba")
    return {
        "python": platform.python_version(),
        **{name: version(name) for name in packages},
        "threads": threads(),
        "load": [round(load, 2) for load in os.getloadavg()],
    }


def main(names: list[str]) -> int:
    print(", ".join(f"{key} {value}" for key, value in machine().items()))
    print(SHAPE.format("what", "ours", "peer", "peer", "wall", "cpu", "floor", "aim", "").rstrip())
    RESULTS.parent.mkdir(exist_ok=True)
    missed = 0
    with RESULTS.open("w") as log:
        for name in names or COMPARISONS:
            for result in COMPARISONS[name].run():
                print(line(result), flush=True)
                log.write(json.dumps({**result.as_dict(), "machine": machine()}) + "\n")
                missed += not result.passed
    print("load at the end", os.getloadavg())
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
