"""RESULTS.md from the cells: bars first, then a table a family."""

import platform
from collections.abc import Iterable
from datetime import date
from importlib.metadata import version

from benchmarks.coverage._cell import BAR, Cell

HEAD = (
    "| task | measure | method | n | smallest class | coverage | MC error | below | above "
    "| undefined | width | warned |"
)
RULE = "|" + " --- |" * 12


def report(
    cells: list[Cell], seed: int, seconds: dict[str, float], splits: Iterable[str] = ()
) -> str:
    """The whole report as Markdown."""
    judged = [cell for cell in cells if cell.judged]
    failed = [cell for cell in judged if cell.fails]
    lines = [
        "# Coverage of the intervals, measured",
        "",
        "Nominal 95%. Written by `python -m benchmarks.coverage`; do not edit.",
        "",
        f"{date.today().isoformat()}, seed {seed}, Python {platform.python_version()}, "
        + ", ".join(f"{name} {version(name)}" for name in ("heliast", "numpy", "scipy", "numba"))
        + ".",
        "",
        *splits,
        "## One test set",
        "",
        "Bold methods are the measure's default (`auto`). `below` and `above` are the shares of "
        "intervals that lie wholly below or above the truth; `undefined` counts as a miss; `width` "
        "is the median width; `warned` the share of estimates that carry a note or a reason. "
        "Families marked exact sum the binomial instead of simulating. Methods were chosen on "
        "populations and test sets of other seeds than this one.",
        "",
        f"Bar: every default covers at least {BAR:.0%} (exact families everywhere; simulated ones "
        "from 200 rows and 20 rows in the smallest class on, and fail if the 99.9% Monte Carlo "
        "interval lies wholly below).",
        "",
        f"**{len(judged)} cells judged, {len(failed)} below the bar.**",
        "",
        *_failed(failed),
        *_worst(judged),
    ]
    for family in dict.fromkeys(cell.family for cell in cells):
        own = [cell for cell in cells if cell.family == family]
        took = f", {seconds[family]:.0f} s" if family in seconds else ""
        count = f"{own[0].repetitions:,} test sets a cell" if own[0].repetitions else "exact"
        lines += ["", f"### {family} ({count}{took})", "", HEAD, RULE]
        lines += [_line(cell) for cell in own]
    return "\n".join(lines) + "\n"


def _worst(judged: list[Cell]) -> Iterable[str]:
    yield "| default of | cells judged | lowest coverage | where |"
    yield "| --- | --- | --- | --- |"
    for family, measure in dict.fromkeys((cell.family, cell.measure) for cell in judged):
        own = [cell for cell in judged if (cell.family, cell.measure) == (family, measure)]
        low = min(own, key=lambda cell: cell.coverage)
        yield (
            f"| {measure} ({family}) | {len(own)} | {low.coverage:.3f}{_mark(low)} "
            f"| {low.task}, n = {low.n} |"
        )


def _line(cell: Cell) -> str:
    method = f"**{cell.method}**" if cell.default else cell.method
    least = "" if cell.smallest != cell.smallest else f"{cell.smallest:.0f}"
    error = "exact" if cell.exact else f"{cell.error:.3f}"
    return (
        f"| {cell.task} | {cell.measure} | {method} | {cell.n} | {least} "
        f"| {cell.coverage:.3f}{_mark(cell)} | {error} | {cell.below:.3f} | {cell.above:.3f} "
        f"| {cell.undefined:.3f} | {cell.width:.3g} | {cell.warned:.2f} |"
    )


def _mark(cell: Cell) -> str:
    return " **fails**" if cell.fails else ""


def _failed(failed: list[Cell]) -> Iterable[str]:
    """The cells below the bar, with how many of their estimates say that they may be."""
    if not failed:
        return
    yield "| below the bar | measure | n | coverage | estimates that carry a warning |"
    yield "| --- | --- | --- | --- | --- |"
    for cell in failed:
        yield (
            f"| {cell.task} ({cell.family}) | {cell.measure} | {cell.n} | {cell.coverage:.3f} "
            f"| {cell.warned:.0%} |"
        )
    yield ""
