"""MAP.md and the drawings: how many cells, how many inside, and every one outside by name."""

from collections.abc import Callable, Iterable
from importlib.metadata import version
from math import isnan, nan
from statistics import median

from benchmarks.coverage.map._cell import HIGH, LOW, REJECTS, Cell, limits
from benchmarks.coverage.map._heat import Halves, heat
from benchmarks.coverage.map._pieces import PLANS
from benchmarks.coverage.map._widths import WIDE, rivals

OUTSIDE = ("low", "high", "rejects")
INTRODUCTION = (
    "Every measure of the registry on every design: what `assess` and `compare` give by default",
    f"at level 0.95. A cell is inside if its 99.9% Monte Carlo interval reaches into {LOW:.1%}",
    f"to {HIGH:.1%} (a comparison: if it rejects true nulls at most {REJECTS:.1%} of the time and",
    f"covers at least {LOW:.1%}). Cells in which most tables get no interval are counted apart, as",
    "are those whose truth is not known well enough. Promised are cells with at least 200 rows",
    "and 20 rows of the rarest class. Methods may have been tuned on worlds like those of the",
    "first family (normal inputs and errors); the second (heavy tails, mixtures, noisy labels,",
    "uneven noise) was written before any method was tried on it.",
    "",
    "How much 'inside' says depends on the tables of a cell: `seen below` is the coverage from",
    "which on a cell of median size is told to be low, `seen above` the same for high (none where",
    "even full coverage would not show it). `points inside` is the share of cells whose measured",
    "coverage itself lies in the bar, chance and all.",
)
COUNTS = (
    "what", "family", "cells", "inside", "outside", "no interval", "unsure", "share inside",
    "points inside", "median tables", "seen below", "seen above",
)  # fmt: skip
KINDS = {"assess": "intervals of `assess`", "compare": "differences of `compare`"}


def report(cells: list[Cell], seed: int, minutes: float) -> str:
    """The page."""
    verbs = [verb for verb in KINDS if any(cell.verb == verb for cell in cells)]
    lines = [
        "# The map of coverage",
        "",
        f"Made by `make coverage`, seed {seed}, {minutes:.0f} minutes of processor time, "
        + ", ".join(f"{name} {version(name)}" for name in ("heliast", "numpy", "scipy", "numba"))
        + ".",
        "",
        *INTRODUCTION,
        "",
        *_head(*COUNTS),
        *_summary(cells, verbs),
        "",
        "![heat map](../../docs/coverage-map.svg)",
        "",
        *(line for verb in verbs for line in _outside(cells, verb)),
        *_pooled(cells),
        *_none(cells),
        *_wide([cell for cell in cells if cell.verb == "widths"]),
    ]
    return "\n".join(lines) + "\n"


def _summary(cells: list[Cell], verbs: list[str]) -> Iterable[str]:
    for verb in verbs:
        for promised in (True, False):
            for family in (1, 2):
                own = [
                    cell
                    for cell in cells
                    if (cell.verb, cell.family) == (verb, family)
                    and (cell.promised or not promised)
                ]
                words = f"{KINDS[verb]}, {'promised' if promised else 'all'}"
                yield f"| {words} | {family} | {_counts(own)} |"


def _counts(cells: list[Cell]) -> str:
    states = [cell.state for cell in cells]
    out = sum(state in OUTSIDE for state in states)
    inside = states.count("inside")
    share = f"{inside / (inside + out):.1%}" if inside + out else ""
    counts = [len(cells), inside, out, states.count("none"), states.count("unsure"), share]
    return " | ".join(map(str, [*counts, *_power(cells)]))


def _power(cells: list[Cell]) -> list[str]:
    """The share of points inside, the median number of tables, and what such a number can show."""
    judged = [cell for cell in cells if cell.state not in ("none", "unsure")]
    if not judged:
        return [""] * 4
    points = sum(LOW <= cell.coverage <= HIGH for cell in judged) / len(judged)
    tables = round(median(cell.defined for cell in judged))
    low, high = told(tables)
    ends = [f"{end:.3f}" if end == end else "none" for end in (low, high)]
    return [f"{points:.1%}", str(tables), *ends]


def told(tables: int) -> tuple[float, float]:
    """The highest coverage that so many tables tell to be low, and the lowest told to be high."""
    shares = [hits / tables for hits in range(tables + 1)]
    low = [share for share in shares if limits(share, tables)[1] < LOW]
    high = [share for share in shares if limits(share, tables)[0] > HIGH]
    return max(low, default=nan), min(high, default=nan)


def _outside(cells: list[Cell], verb: str) -> Iterable[str]:
    own = [cell for cell in cells if cell.verb == verb and cell.state in OUTSIDE]
    own.sort(key=lambda cell: (not cell.promised, cell.measure, cell.coverage))
    yield f"## Outside: {KINDS[verb]} ({len(own)})"
    yield ""
    head = ["promised", "family", "measure", "plan", "world, learner", "n", "coverage", "rejects"]
    yield from _head(*head, "misses below, above", "defined", "noted", "says")
    for cell in own:
        rejects = "" if isnan(cell.rejected) else f"{cell.rejected:.3f}"
        yield (
            f"| {'yes' if cell.promised else 'no'} | {cell.family} | {cell.words} | {rejects} "
            f"| {cell.below:.3f}, {cell.above:.3f} | {cell.defined} | {cell.noted:.0%} "
            f"| {cell.said[:120]} |"
        )
    yield ""


def _head(*names: str) -> Iterable[str]:
    yield f"| {' | '.join(names)} |"
    yield "| --- " * len(names) + "|"


def _pooled(cells: list[Cell]) -> Iterable[str]:
    """Measures and plans whose promised cells are outside all together, with less chance."""
    yield "## Pooled over promised worlds and learners"
    yield ""
    yield from _head("measure", "plan", "family", "cells", "tables", "coverage", "lowest, highest")
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in cells:
        if cell.verb == "assess" and cell.promised and cell.state not in ("none", "unsure"):
            groups.setdefault((cell.measure, cell.plan, cell.family), []).append(cell)
    for (measure, plan, family), own in sorted(groups.items()):
        value, tables = mean(own), sum(cell.defined for cell in own)
        if not LOW <= value <= HIGH and tables >= 200:
            ends = [cell.coverage for cell in own]
            yield (
                f"| {measure} | {plan} | {family} | {len(own)} | {tables} | {value:.3f} "
                f"| {min(ends):.3f}, {max(ends):.3f} |"
            )
    yield ""


def mean(cells: list[Cell]) -> float:
    """The coverage of all tables of some cells together."""
    tables = sum(cell.defined for cell in cells)
    return sum(cell.coverage * cell.defined for cell in cells) / tables if tables else float("nan")


def _none(cells: list[Cell]) -> Iterable[str]:
    yield "## Without an interval"
    yield ""
    yield from _head("measure", "designs", "cells", "most say")
    own = [cell for cell in cells if cell.state == "none"]
    for verb, measure in dict.fromkeys((cell.verb, cell.measure) for cell in own):
        same = [cell for cell in own if (cell.verb, cell.measure) == (verb, measure)]
        said = max({cell.said for cell in same}, key=[cell.said for cell in same].count)
        designs = ", ".join(sorted({cell.design for cell in same}))
        yield f"| {measure} ({verb}) | {designs} | {len(same)} | {said[:160]} |"
    yield ""


def _wide(cells: list[Cell]) -> Iterable[str]:
    pairs = rivals(cells)
    wide = [pair for pair in pairs if pair.ratio > WIDE]
    yield "## Widths"
    yield ""
    if not pairs:
        return
    yield f"{len(pairs)} defaults against every other method that is valid on the same tables;"
    yield f"{len(wide)} are over {WIDE:g} times as wide as the narrowest that covers {LOW:.1%}."
    yield ""
    head = ["measure", "plan", "world, learner", "n", "coverage", "width", "times"]
    yield from _head(*head, "narrowest that covers")
    for pair in sorted(wide, key=lambda pair: -pair.ratio):
        yield f"| {pair.words} |"


# --- drawings ------------------------------------------------------------------------------------


def drawings(cells: list[Cell]) -> dict[str, str]:
    """SVGs by file name: `assess` by plan, `compare` by world."""
    found = {}
    judged = [cell for cell in cells if cell.promised and cell.state not in ("none", "unsure")]
    for verb, name, column, title in (
        ("assess", "coverage-map.svg", _column, "Coverage of default 95% intervals"),
        (
            "compare",
            "coverage-map-compare.svg",
            lambda cell: cell.world,
            "True differences covered",
        ),
    ):
        own = [cell for cell in judged if cell.verb == verb]
        if own:
            words = f"{title}: left half first family of worlds, right half second"
            found[name] = _drawn(own, column, words)
    return found


def _column(cell: Cell) -> str:
    """The plan, or the design where rows have groups or weights."""
    return cell.plan if cell.plan in PLANS else cell.design


def _drawn(cells: list[Cell], column: Callable[[Cell], str], title: str) -> str:
    rows = list(dict.fromkeys(cell.measure for cell in cells))
    plain = [name for name in PLANS if any(column(cell) == name for cell in cells)]
    columns = list(dict.fromkeys([*plain, *sorted(column(cell) for cell in cells)]))
    found: dict[tuple[str, str], Halves] = {}
    for row in rows:
        for name in columns:
            own = [cell for cell in cells if (cell.measure, column(cell)) == (row, name)]
            halves = [mean([cell for cell in own if cell.family == family]) for family in (1, 2)]
            found[row, name] = tuple(None if isnan(one) else one for one in halves)  # type: ignore[assignment]
    return heat(title, rows, columns, found)
