"""Models side by side: a forest plot, every measure, and every pair of models."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from heliast._core.numbers import Write, figures, limits, number
from heliast.estimates import Estimate
from heliast.measures import kappa_word
from heliast.views import plots
from heliast.views.comparing import notes_of_pairs, p_words
from heliast.views.numbers import in_percent, writes
from heliast.views.reasons import Reasons
from heliast.views.report.material import Material, Part, Section
from heliast.views.report.tables import Cell, Table, cell, drawn, estimated, named, table
from heliast.views.report.tiles import title

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison, Difference

WON = "won-tied-lost"
MOST_COLUMNS = 7
"""More models than this stand in rows, fewer side by side."""
MOST_PAIRS = 21
"""More pairs than this are folded away."""
MOST_ROWS = 40
"""Of more models than this the best are drawn, and pairs are not shown as a matrix."""
MOST_DRAWN = 12
"""More models than this are compared in a table: a plot of their cells would be huge."""


def build(material: Material) -> Part:
    names = material.model_names
    ranked = [material.headline(model) for model in material.order]
    part: dict[str, Any] = {"figures": [], "tables": [], "notes": []}
    if len(ranked) > 1:
        heading = f"{title(material.measure)} of each model, best first"
        shown = [names[model] for model in material.order[:MOST_ROWS]]
        if len(ranked) > MOST_ROWS:
            heading += f" (the best {MOST_ROWS} of {len(ranked):,})"
        plot = plots.forest(ranked[:MOST_ROWS], shown, title=heading)
        part["figures"].append(drawn(plot))
    reasons = Reasons()
    part["tables"].append(_measures(material, reasons))
    part["notes"] += reasons.lines
    compared = material.compared
    if compared is not None:
        part["lead"] = f"Which test, and why: {compared.reason_for_test}."
        if 2 < len(compared.models) <= MOST_DRAWN:
            part["figures"].append(drawn(plots.plot(renamed(compared, names))))
        elif 2 < len(compared.models) <= MOST_ROWS:
            part["tables"].append(matrix(compared, names))
        if compared.ranks and (len(compared.models) > 2 or material.found.task == "graded"):
            part["tables"].insert(0, leaderboard(material, compared))
        part["tables"].append(pairs(compared, names))
        part["notes"] += [note for note in compared.notes if note not in material.table.notes]
        part["notes"] += notes_of_pairs(compared)
        part["notes"] += [f"left out: {name} ({why})" for name, why in compared.left_out.items()]
    return part


def renamed(compared: "Comparison", names: Mapping[str, str]) -> "Comparison":
    """The comparison with names as they are shown."""
    return replace(
        compared,
        pairs=tuple(replace(one, a=names[one.a], b=names[one.b]) for one in compared.pairs),
        models=tuple(names[model] for model in compared.models),
        values={names[model]: value for model, value in compared.values.items()},
    )


def _measures(material: Material, reasons: Reasons) -> Table:
    """Every measure of every model, with its interval."""
    names, level = material.model_names, f"{100 * material.level:g}% intervals"
    overall = material.overall
    if len(material.order) <= MOST_COLUMNS:
        columns = ["measure", *(names[model] for model in material.order)]
        rows = [
            [
                cell(name),
                *(_with_interval(material, model, name, reasons) for model in material.order),
            ]
            for name in overall
        ]
    else:
        columns = ["model", *overall]
        rows = [
            [
                named(names[model], model),
                *(_with_interval(material, model, name, reasons) for name in overall),
            ]
            for model in material.order
        ]
    return table("measures", f"Every measure, with {level}", columns, rows)


def _with_interval(material: Material, model: str, measure: str, reasons: Reasons) -> Cell:
    one = material.estimate(model, measure)
    if one is None:
        return cell("–", tip="not assessed")
    found = estimated(one, one.reason)
    found["text"] += reasons.mark(one)
    # How the best were found says it for all.
    told = "sub" in found and len(material.order) <= MOST_ROWS
    if one.measure == "kappa" and one.defined:
        between = [found["sub"]] if "sub" in found else []
        found |= {"sub": ", ".join([*between, kappa_word(one.value)])}
    return found | {"tip": _said(one)} if told else found


def _said(one: Estimate) -> str:
    return f"{one.method}; speaks of this {one.target}"


def matrix(compared: "Comparison", names: Mapping[str, str]) -> Table:
    """Row minus column: green where the row is told to be better, red where worse."""
    share = in_percent(compared.measure)
    rows = []
    for a in compared.order:
        others = [cell("") if a == b else _versus(compared[a, b], share) for b in compared.order]
        rows.append([named(names[a], a), *others])
    what = "points" if share else "difference"
    caption = (
        f"{title(compared.measure)} of the row's model less that of the column's, in {what}; "
        "marked where the two are told apart"
    )
    columns = ["model", *(names[model] for model in compared.order)]
    return table("matrix", caption, columns, rows) | {"matrix": True}


def _versus(one: "Difference", share: bool) -> Cell:
    words = figures(one, points if share else _signed).value
    tone = _tone(one)
    mark = {"good": " ▲", "bad": " ▼"}.get(tone, "")
    tip = f"{figures(one).between}, p {p_words(one.p)}: {one.verdict}"
    return cell(words + mark, one.value, tone=tone, tip=tip)


def _tone(one: "Difference") -> str:
    return "good" if one.better else "bad" if one.worse else ""


def _signed(value: float, more: int = 0) -> str:
    return f"{value:+.{3 + more}g}"


def points(value: float, more: int = 0) -> str:
    """A difference of shares in points, with its sign.

    >>> points(-0.0213), points(0.0001), points(0.0), points(-0.0213, 1)
    ('−2.1', '+0.01', '0.0', '−2.13')
    """
    size = abs(100 * value)
    small = 0 < size < 0.05 * 10**-more
    shown = f"{size:.{1 + more}g}" if small else f"{size:.{1 + more}f}"
    return shown if size == 0 else ("−" if value < 0 else "+") + shown


def leaderboard(material: Material, compared: "Comparison") -> Table:
    """Each model with its interval and the ranks that it may truly have, best first."""
    counted, first = compared.unit == "items", compared.order[0]
    rows = []
    for one in compared.ranks:
        row = [
            named(material.model_names[one.model], one.model),
            estimated(material.headline(one.model), write=writes(compared.measure)),
            cell(one.words, one.best),
        ]
        if counted:
            row.append(_won(compared, one.model, first))
        rows.append(row)
    caption = f"Leaderboard: the possible ranks of all models hold together at {compared.level:.0%}"
    columns = ["model", compared.measure, "possible ranks"]
    if counted:
        columns.append(WON)
        caption += f"; items won, tied and lost against {material.model_names[first]}"
    return table("ranks", caption, columns, rows)


def _won(compared: "Comparison", a: str, b: str) -> Cell:
    """On how many items a did better than b, as well, and worse."""
    return cell("-".join(map(str, compared[a, b].won or ())) if compared.tested(a, b) else "–")


def pairs(compared: "Comparison", names: Mapping[str, str]) -> Table:
    """Every pair, best model first: the difference, its interval, p and the verdict in words."""
    share = in_percent(compared.measure)
    write: Write = points if share else number
    counted = compared.unit == "items"
    methods = list(dict.fromkeys(one.method for one in compared.pairs))
    # The page has to stay small: what all pairs share is said once, long names stand elsewhere.
    many = len(compared.pairs) > MOST_PAIRS
    alike = many and len(methods) == 1
    rows = []
    for a, b in combinations(compared.order, 2):
        if not compared.tested(a, b):
            continue
        one = compared[a, b]
        shown = figures(one, write)
        size = f"{shown.value} points" if share else shown.value
        rows.append(
            [
                named(names[a], None if many else a),
                named(names[b], None if many else b),
                cell(size, one.value),
                cell(
                    shown.between if shown.known else "–",
                    f"{one.low!r} {one.high!r}" if shown.known else None,
                ),
                cell(p_words(one.p), one.p),
                cell(one.verdict, tone=_tone(one)),
                *([_won(compared, a, b)] if counted else []),
                *([] if alike else [cell(one.method)]),
            ]
        )
    columns = ["a", "b", "a minus b", limits(compared.level), "p", "a is"]
    columns += [*([WON] if counted else []), *([] if alike else ["method"])]
    corrected = "" if compared.correction == "none" else f"; p corrected ({compared.correction})"
    which = "Every pair of models"
    if len(rows) < len(compared.order) * (len(compared.order) - 1) // 2:
        which = "The best model against each other"
    caption = f"{which} on {title(compared.measure).lower()}{corrected}"
    caption += f"; all by {methods[0]}" if alike else ""
    words = ("b", "a is", "method")
    return table("pairs", caption, columns, rows, words=words, folded=len(rows) > MOST_PAIRS)


SECTION = Section("models", "Models side by side", build, short="Models")
