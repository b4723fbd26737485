"""Tables for a paper: what benchmark, assess and compare found, with the test in the caption."""

import math
from contextlib import suppress
from typing import TYPE_CHECKING

from heliast._core.errors import InputError
from heliast._core.numbers import Figures, figures, number
from heliast.views.comparing import p_words
from heliast.views.numbers import joined, unnumbered
from heliast.views.sheets import NOTHING, Cell, Row, Sheet

if TYPE_CHECKING:
    from heliast.estimates import Estimate
    from heliast.verbs.assess import Assessment
    from heliast.verbs.benchmarked import Benchmark, Tried
    from heliast.verbs.comparison import Comparison

STYLES, SPREADS = ("paper",), ("interval", "se", "none")


def check_style(style: str, spread: str = "interval") -> None:
    """Refuse what is no style of table, or no way to say how sure a value is."""
    if style not in STYLES:
        raise InputError(f"style={style!r}: there is 'paper'")
    if spread not in SPREADS:
        raise InputError(f"spread={spread!r}: choose {', '.join(map(repr, SPREADS))}")


# --- benchmark -----------------------------------------------------------------------------------


def benchmark_sheet(
    found: "Benchmark", spread: str = "interval", caption: str = "", label: str = ""
) -> Sheet:
    """Data sets by models, the best in bold, what is not told apart from it marked; mean ranks."""
    rows = tuple(_of_set(found, one, spread) for one in found.sets)
    several = len(found.rankings) > 1
    foot = tuple(
        _of_ranks(found, one, f"mean rank ({len(one.complete)} sets)" if several else "mean rank")
        for one in found.rankings
        if one.ranks
    )
    return Sheet(
        ("data set", *found.order), rows, foot, caption or _benchmark_caption(found, spread),
        label or f"tab:benchmark-{found.measure}",
    )  # fmt: skip


def _of_set(found: "Benchmark", one: "Tried", spread: str) -> Row:
    values = {m: est.value for m, est in one.estimates.items() if math.isfinite(est.value)}
    best = (min if found.better == "low" else max)(values.values(), default=math.nan)
    cells = [
        _valued(one.estimates.get(model), spread, best, model in one.unbeaten)
        for model in found.order
    ]
    return (Cell(one.name), *cells)


def _valued(one: "Estimate | None", spread: str, best: float, unbeaten: bool) -> Cell:
    if one is None or not math.isfinite(one.value):
        return NOTHING
    shown = figures(one) if spread == "interval" else Figures(number(one.value))
    within = f"[{shown.low}, {shown.high}]" if shown.known else ""
    if spread == "se" and math.isfinite(one.se):
        within = f"± {number(one.se)}"
    return Cell(shown.value, within, one.value == best, unbeaten)


def _of_ranks(found: "Benchmark", one: "Benchmark", name: str) -> Row:
    """The mean ranks, the best in bold, and marked who is not told apart over data sets."""
    best, compared = min(one.ranks.values()), one.comparison
    first = one.order[0]
    cells = [Cell(name)]
    for model in found.order:
        rank = one.ranks.get(model)
        tested = compared is not None and model in one.models and model != first
        same = tested and compared is not None and not compared[first, model].better
        cells.append(NOTHING if rank is None else Cell(f"{rank:.2f}", "", rank == best, same))
    return tuple(cells)


def _benchmark_caption(found: "Benchmark", spread: str) -> str:
    few = "lowest" if found.better == "low" else "highest"
    how = found.split_by or found.plan
    said = [
        f"{_title(found.measure)} of {len(found.models)} models on {len(found.sets)} data sets"
        f"{f', rows split by {how}' if how else ''}{_spread(found.level, spread)}.",
        f"Bold: the {few} value of the row{_marks(found)}.",
    ]
    tests = [one.comparison.reason_for_test for one in found.rankings if one.comparison]
    if tests:
        said.append(
            "Mean ranks are over data sets, 1 is best; a dagger there: not told apart from the "
            f"best ranked model at the {100 * (1 - found.level):.3g}% level ({'. '.join(tests)})."
        )
    elif found.ranks:
        said.append(f"Mean ranks are over data sets, 1 is best; no test: {found.reason}.")
    if found.incomplete:
        said.append("A dash: the model failed, and no value is made up for it.")
    return " ".join(said)


def _marks(found: "Benchmark") -> str:
    """What a dagger in the row of a data set means: by which test."""
    tests = list(dict.fromkeys(unnumbered(one.method) for one in found.sets if one.unbeaten))
    if not tests:
        return ""
    holm = ", p corrected for all pairs by Holm" if found.asked.correction == "holm" else ""
    return (
        f"; a dagger: not told apart from it on that data set ({', '.join(tests)}{holm}, "
        f"{100 * (1 - found.level):.3g}% level)"
    )


# --- assess --------------------------------------------------------------------------------------


def assessment_sheet(
    found: "Assessment", spread: str = "interval", caption: str = "", label: str = ""
) -> Sheet:
    """Measures by models, each with its interval; the best of each measure in bold."""
    from heliast import measures

    rows: dict[tuple[str, str], dict[str, Estimate]] = {}
    for one in found.estimates:
        name = one.measure if one.class_ is None else f"{one.measure} [{one.class_}]"
        rows.setdefault((one.measure, name), {})[one.model] = one
    made = []
    for (measure, name), ones in rows.items():
        best = math.nan
        with suppress(InputError):  # a measure of the user's own: who knows what is better
            pick = min if measures.titled(measure).better == "low" else max
            values = [one.value for one in ones.values() if math.isfinite(one.value)]
            best = pick(values, default=math.nan) if len(found.models) > 1 else math.nan
        cells = [_valued(ones.get(model), spread, best, False) for model in found.models]
        made.append((Cell(name), *cells))
    bold = " Bold: the best value of the row, without a test." if len(found.models) > 1 else ""
    sure = [one for one in found.estimates if one.method and one.low <= one.high]
    methods = joined(unnumbered(one.method) for one in sure)
    said = f"Measures of {joined(found.models)}{_spread(found.level, spread)}"
    said += f" ({methods}).{bold}" if methods and spread == "interval" else f".{bold}"
    head = ("measure", *found.models)
    return Sheet(head, tuple(made), (), caption or said, label or "tab:measures")


# --- compare -------------------------------------------------------------------------------------


def comparison_sheet(found: "Comparison", caption: str = "", label: str = "") -> Sheet:
    """Every pair: the difference with its interval, p, and what may be said; real ones in bold."""
    rows = []
    for one in found.pairs:
        shown = figures(one)
        between = f"[{shown.low}, {shown.high}]" if shown.known else "-"
        rows.append(
            (Cell(f"{one.a} - {one.b}"), Cell(shown.value, best=one.significant), Cell(between),
             Cell(p_words(one.p)), Cell(one.verdict))
        )  # fmt: skip
    interval = f"{100 * found.level:g}% interval"
    said = (
        f"Differences in {found.measure}, first model minus second. "
        f"{_capital(found.reason_for_test)}. Bold: p and interval agree that the two differ "
        f"({100 * (1 - found.level):.3g}% level)."
    )
    head = ("pair", "difference", interval, "p", "the first is")
    label = label or f"tab:differences-{found.measure}"
    return Sheet(head, tuple(rows), (), caption or said, label)


def _spread(level: float, spread: str) -> str:
    return {
        "interval": f", with {100 * level:g}% intervals", "se": ", with standard errors", "none": ""
    }[spread]  # fmt: skip


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _title(measure: str) -> str:
    return _capital(measure.replace("_", " "))
