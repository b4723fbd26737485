"""The report of a benchmark: ranks over data sets, every pair, every data set."""

import math
from collections.abc import Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

from heliast._core.notes import key_of
from heliast.views import plots
from heliast.views.benchmarking import (
    CAVEAT,
    benchmark_claims,
    notes_of_sets,
    notes_of_test,
    rankings_notes,
    whose,
)
from heliast.views.comparing import notes_of_pairs, p_words
from heliast.views.numbers import Write, count, writes
from heliast.views.report.material import Part
from heliast.views.report.sections.models import (
    MOST_DRAWN,
    MOST_PAIRS,
    matrix,
    pairs,
    renamed,
)
from heliast.views.report.tables import (
    Cell,
    Table,
    cell,
    drawn,
    estimated,
    figure,
    named,
    shown,
    table,
)
from heliast.views.report.tiles import title
from heliast.views.report.verdict import mark

if TYPE_CHECKING:
    from heliast.estimates import Estimate
    from heliast.verbs.benchmarked import Benchmark, Tried
    from heliast.verbs.comparison import Comparison


def summarise_benchmark(
    found: "Benchmark", heading: str, command: str, versions: Mapping[str, str]
) -> dict[str, Any]:
    """The same dict as that of one table, with the sections that a benchmark calls for."""
    names = dict(zip(found.models, shown(found.models), strict=True))
    tested = [one.comparison for one in found.rankings if one.comparison is not None]
    word, tone = mark(tested[0]) if tested else ("too few data sets", "warn")
    facts = [("data sets ranked", count(len(found.complete)))]
    if found.incomplete or found.left_out:
        facts.append(("not ranked", count(len(found.incomplete) + len(found.left_out))))
    facts += [("models", count(len(found.models))), ("measure", found.measure)]
    facts += [("splits each", _splits(found)), ("confidence", f"{100 * found.level:g}%")]
    return {
        "title": heading or "Benchmark",
        "best": names[found.order[0]] if found.models else "",
        "level": found.level,
        "task": "classification",
        "verdict": {"sentences": benchmark_claims(found), "word": word,
                    "tone": tone},
        "facts": [{"name": name, "value": value} for name, value in facts],
        "tiles": [],
        "sections": [
            part
            for part in (
                _ranks(found, names),
                *(_pairs(one, names, whose(found, one)) for one in found.rankings),
                _values(found, names), _sets(found), _warnings(found),
                _stamp(found, command, versions),
            )
            if part is not None
        ],
        "absent": [],
    }  # fmt: skip


def _splits(found: "Benchmark") -> str:
    least, most = min(one.splits for one in found.sets), max(one.splits for one in found.sets)
    return count(most) if least == most else f"{least} to {most}"


def _ranks(found: "Benchmark", names: Mapping[str, str]) -> Part | None:
    """For each ranking the diagram, and each model's mean rank, mean value and firsts."""
    shown_here = [one for one in found.rankings if one.ranks and len(one.models) > 1]
    if not shown_here:
        return None
    part: Part = {"key": "ranks", "title": "Mean ranks", "template": "section.html"}
    part["lead"] = (
        "On each data set the best model has rank 1, and ties share their mean rank. Ranks are "
        "averaged over data sets: each counts once, however many rows it has."
    )
    part |= {"figures": [], "tables": [], "notes": rankings_notes(found)}
    for place, one in enumerate(shown_here):
        which = whose(found, one)
        part["tables"].append(_of_models(one, names, which) | {"name": f"ranks{place or ''}"})
        if one.nemenyi is not None:
            labels = [names[model] for model in one.models]
            heading = f"Mean ranks over data sets{which}"
            made = plots.critical_difference(one.nemenyi, labels, title=heading)
            part["figures"].append(drawn(made))
    return part


def _of_models(found: "Benchmark", names: Mapping[str, str], which: str) -> Table:
    write = writes(found.measure)
    entries = [one for one in found.table if not math.isnan(one.rank)]
    rows = []
    for model in found.order:
        mine = [one for one in entries if one.model == model]
        best = sum(one.rank == min(e.rank for e in entries if e.data == one.data) for one in mine)
        mean = sum(one.value for one in mine) / len(mine)
        rank = found.ranks[model]
        took = sum(one.seconds.get(model, 0.0) for one in found.sets)
        rows.append(
            [named(names[model], model), cell(f"{rank:.2f}", rank), figure(mean, write),
             cell(count(best), best), cell(f"{took:,.3g}", took)]
        )  # fmt: skip
    columns = ["model", "mean rank", f"mean {found.measure}", "data sets where best", "seconds"]
    caption = f"Models by mean rank{which}; seconds to fit and predict on all data sets"
    return table("ranks", caption, columns, rows)


def _pairs(found: "Benchmark", names: Mapping[str, str], which: str) -> Part | None:
    """The tests over data sets, with wins, ties and losses."""
    if not found.wins or not found.complete:
        return None
    compared, more = found.comparison, "" if found.fragile or not which else "-without"
    part: Part = {"key": f"models{more}", "title": f"Every pair of models{which}"}
    part["short"] = "Pairs, fewer models" if more else "Pairs"
    part |= {"template": "section.html", "figures": []}
    if compared is None:
        wins = _wins(found, names) | {"name": f"wins{more}"}
        part |= {"lead": f"No test: {found.reason}.", "tables": [wins]}
        return part
    part["lead"] = f"Which test, and why: {compared.reason_for_test}."
    if compared.omnibus is not None:
        one = compared.omnibus
        part["lead"] += f" All models at once: {one.method}, p {p_words(one.p)}."
    part["tables"] = [_tested(found, compared, names) | {"name": f"pairs{more}"}]
    if 2 < len(compared.models) <= MOST_DRAWN:
        part["figures"].append(drawn(plots.plot(renamed(compared, names))))
    elif len(compared.models) > 2:
        part["tables"].insert(0, matrix(compared, names))
    part["notes"] = notes_of_test(compared)
    return part


def _tested(found: "Benchmark", compared: "Comparison", names: Mapping[str, str]) -> Table:
    """The pairs with their test; who won how often stands in place of the method, named above."""
    made = pairs(compared, names)
    counts = {(one.a, one.b): one for one in found.wins}
    for row, (a, b) in zip(made["rows"], combinations(compared.order, 2), strict=True):
        one = counts.get((a, b)) or counts[b, a]
        won = (one.wins, one.ties, one.losses)[:: 1 if one.a == a else -1]
        row[-1] = cell("–".join(map(str, won)), " ".join(map(str, won)))
    made["columns"][-1] = {"title": "data sets won–tied–lost", "numeric": True}
    return made


def _wins(found: "Benchmark", names: Mapping[str, str]) -> Table:
    rows = [
        [named(names[one.a], one.a), named(names[one.b], one.b), cell(count(one.wins), one.wins),
         cell(count(one.ties), one.ties), cell(count(one.losses), one.losses)]
        for one in found.wins
    ]  # fmt: skip
    columns = ["a", "b", "a better", "as good", "a worse"]
    caption = "Data sets won, tied and lost: counts, without a test"
    return table("wins", caption, columns, rows, words=("b",), folded=len(rows) > MOST_PAIRS)


def _values(found: "Benchmark", names: Mapping[str, str]) -> Part:
    write = writes(found.measure)
    rows = []
    for label, one in zip(shown(tried.name for tried in found.sets), found.sets, strict=True):
        best = _best(found, one)
        cells = [_one(one.estimates.get(model), best, write) for model in found.order]
        rows.append([named(label, one.name), cell(count(one.n), one.n), *cells])
    columns = ["data set", "rows", *(names[model] for model in found.order)]
    caption = (
        f"{title(found.measure)} on each data set, with its {100 * found.level:g}% interval; the "
        "best value has a star"
    )
    labels = [names[model] for model in found.models]
    return {
        "key": "values", "title": "Every data set", "short": "Values", "template": "section.html",
        "figures": [drawn(plots.data_sets(found, labels))] if found.ranks else [],
        "tables": [table("values", caption, columns, rows)],
        "notes": ["Intervals are over the rows of one data set; a star is no test."],
    }  # fmt: skip


def _best(found: "Benchmark", one: "Tried") -> float:
    values = [one.estimates[m].value for m in found.models if m not in one.lacks(found.models)]
    if not values:
        return math.nan
    return min(values) if found.better == "low" else max(values)


def _one(one: "Estimate | None", best: float, write: Write) -> Cell:
    if one is None:
        return cell("–", tip="not there")
    made = estimated(one, one.reason, write)
    if one.value == best:
        made |= {"tone": "good", "text": f"★ {made['text']}"}
    return made


def _sets(found: "Benchmark") -> Part:
    """What each data set holds, and whether it is ranked."""
    rows = []
    for label, one in zip(shown(tried.name for tried in found.sets), found.sets, strict=True):
        lacking = one.lacks(found.models)
        state = "ranked"
        if lacking:
            rest = one.lacks(found.rankings[-1].models)
            use = "not ranked" if rest else "not in the ranking of all models"
            state = f"{use}: no value of {', '.join(lacking)}"
        rows.append(
            [named(label, one.name), cell(count(one.n), one.n), cell(count(one.inputs), one.inputs),
             cell(count(one.classes) if one.classes else "a number", one.classes),
             named(shown([one.target], 30)[0], one.target), cell(count(one.splits), one.splits),
             cell(state, tone="warn" if lacking else "")]
        )  # fmt: skip
    for name, why in found.left_out.items():
        blank = [cell("–") for _ in range(5)]
        rows.append([named(shown([name])[0], name), *blank, cell(f"left out: {why}", tone="warn")])
    columns = ["data set", "rows", "inputs", "classes", "target", "splits", "use"]
    made = table(
        "sets", "What each holds, and whether it is ranked", columns, rows, words=("target", "use")
    )
    return {
        "key": "sets", "title": "The data sets", "short": "Data sets", "template": "section.html",
        "tables": [made],
    }  # fmt: skip


def _warnings(found: "Benchmark") -> Part:
    """What is not told elsewhere; notes of data sets together where they are the same."""
    said = notes_of_sets(found)
    if found.comparison is not None:
        said += notes_of_pairs(found.comparison)
    said = list(dict.fromkeys([*said, CAVEAT]))
    whose: dict[str, list[str]] = {}
    for one in found.sets:
        for note in one.notes:
            if key_of(note) != "target":  # it stands in the table of data sets
                whose.setdefault(note, []).append(one.name)
    return {
        "key": "warnings", "title": "What to be careful about", "short": "Warnings",
        "template": "warnings.html", "left_out": [], "absent": [],
        "inferred": [f"{', '.join(names)}: {note}" for note, names in whose.items()],
        "warnings": [{"text": text, "do": ""} for text in said],
    }  # fmt: skip


def _stamp(found: "Benchmark", command: str, versions: Mapping[str, str]) -> Part:
    said = [
        (one.name, f"data {one.data_fingerprint}; plan {one.plan_fingerprint}")
        for one in found.sets
    ]
    said += [("plan", found.plan), ("seed", str(found.seed))]
    said += [("command", command or "heliast.benchmark(...) in Python")]
    return {
        "key": "stamp", "title": "To make this report again", "short": "Reproduce",
        "template": "stamp.html",
        "stamp": [{"name": name, "value": value} for name, value in said],
        "versions": [{"name": k, "value": v} for k, v in sorted(versions.items())],
    }  # fmt: skip
