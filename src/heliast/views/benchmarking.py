"""The views of a benchmark: sentences, text of 80 columns, HTML."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from heliast._core.numbers import Figures, count, figures, limits, number, shorten
from heliast.views import html
from heliast.views.comparing import (
    LONGEST,
    beyond,
    listed,
    margin_note,
    notes_of_pairs,
    p_words,
    text,
    value_words,
)
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.verbs.benchmarked import Benchmark
    from heliast.verbs.comparison import Comparison

_NAME, _LEAST = 20, 6
_MOST_SETS, _MOST_PAIRS = 60, 21


def benchmark_sentence(found: "Benchmark") -> str:
    """Who ranks best, over how many data sets, and whom it is told apart from."""
    return " ".join(benchmark_claims(found))


def benchmark_claims(found: "Benchmark") -> list[str]:
    """The same, sentence by sentence; of every ranking that is reported."""
    said = _claims(found)
    for other in found.rankings[1:]:
        first, *rest = _claims(other)
        said += [f"{_without(found, other)}: {first}", *rest]
    return said


def left_out_of(found: "Benchmark", other: "Benchmark") -> list[str]:
    """The models that the one ranking has and the other has not."""
    return [model for model in found.models if model not in other.models]


def _without(found: "Benchmark", other: "Benchmark") -> str:
    """Who is not ranked the second time, and why."""
    gone = left_out_of(found, other)
    lost = len([one for one in found.sets if one.lacks(tuple(gone))])
    have = "which has" if len(gone) == 1 else "which have"
    return f"Without {listed(gone)}, {have} no value on {lost} of {len(found.sets)} data sets"


def _claims(found: "Benchmark") -> list[str]:
    n, k = len(found.complete), len(found.models)
    if not n or k < 2:
        return [f"No model is ranked: {found.reason}."]
    best, *others = found.order
    first = [model for model in found.order if found.ranks[model] == found.ranks[best]]
    does = "ranks" if len(first) == 1 else "rank"
    sets = f"{n} data set{'' if n == 1 else 's'}"
    said = f"{listed(first)} {does} best over {sets} (mean rank {found.ranks[best]:.2f} of {k}"
    if found.comparison is None:
        return [f"{said}).", f"No test: {found.reason}."]
    if len(first) > 1:
        return [f"{said} each).", _real(found.comparison)]
    mean = f"mean {found.measure} {value_words(found.comparison, best)} as seen"
    choice = f"not corrected for having been chosen among {k}"
    apart = _apart(found.comparison, best, others)
    real = [_real(found.comparison)] if len(found.comparison.pairs) > 1 else []
    return [f"{said}, {mean}, {choice}){apart}", *real]


def _apart(compared: "Comparison", best: str, others: list[str]) -> str:
    behind = [model for model in others if compared[best, model].better]
    same = [model for model in others if model not in behind]
    if not behind:
        said = ", but is not told apart from any other model."
    elif not same:
        said = ", told apart from every other model."
    else:
        said = f", told apart from {listed(behind)}, not from {listed(same)}."
    return said


def _real(compared: "Comparison") -> str:
    real, every = sum(one.real for one in compared.pairs), len(compared.pairs)
    if every == 1:
        return "The two are told apart." if real else "The two are not told apart."
    told = f"{real or 'None'} of {every} pairs {'is' if real == 1 else 'are'} told apart"
    return f"{told}{beyond(compared)}."


def benchmark_text(found: "Benchmark", width: int | None = None) -> str:
    """The answer, the value of each model on each data set, each pair, notes."""
    width = width or columns()
    blocks = [
        wrapped(found.sentence, width),
        _values(found, width),
        *(_pairs(one, width, whose(found, one)) for one in found.rankings),
        numbered(benchmark_notes(found), width),
    ]
    return "\n\n".join(block for block in blocks if block)


def whose(found: "Benchmark", one: "Benchmark") -> str:
    """Which ranking it is, where there are two."""
    if len(found.rankings) == 1:
        return ""
    gone = left_out_of(found, one)
    sets = f"{len(one.complete)} data set{'' if len(one.complete) == 1 else 's'}"
    return f" ({f'without {listed(gone)}' if gone else 'all models'}, {sets})"


def _cut(name: str, most: int = 30) -> str:
    return shorten(name, most)


def _values(found: "Benchmark", width: int) -> str:
    """A line for each data set, a column for each model, best ranked first."""
    names = [_cut(one.name, _NAME) for one in found.sets]
    labels = [f"mean rank, {len(one.complete)} sets" for one in found.rankings]
    labels = labels if len(labels) > 1 else ["mean rank"]
    room = width - max(map(len, (*labels, *names))) - 8
    shown, cut = _fitting(found.order, room)
    rows = []
    for name, one in zip(names, found.sets[:_MOST_SETS], strict=False):
        values = {model: one.estimates[model].value for model in shown if model in one.estimates}
        best = _best(found, {m: e.value for m, e in one.estimates.items()})
        cells = [_marked(values.get(model), best) for model in shown]
        rows.append([name, count(one.n), *cells])
    for label, ranking in zip(labels, found.rankings, strict=True):
        if ranks := ranking.ranks:
            cells = [f"{ranks[model]:.2f} " if model in ranks else "- " for model in shown]
            rows.append([label, "", *cells])
    head = ["data set", "rows", *(f"{_cut(model, cut)} " for model in shown)]
    title = (
        f"{found.measure.replace('_', ' ')} on each data set, models by mean rank; * marks the best"
    )
    more = [(len(found.order) - len(shown), "models"), (len(found.sets) - _MOST_SETS, "data sets")]
    end = "".join(f"\nand {many} more {what}: see to_frame()" for many, what in more if many > 0)
    return f"{title[:1].upper()}{title[1:]}\n" + table(head, rows, width) + end


def _fitting(models: tuple[str, ...], room: int) -> tuple[list[str], int]:
    """As many models as fit side by side, their names cut as little as that needs."""
    for cut in range(max(map(len, models), default=_LEAST), _LEAST - 1, -1):
        if sum(3 + max(_LEAST, min(len(model), cut)) for model in models) <= room:
            return list(models), cut
    return list(models[: max(1, room // (3 + _LEAST))]), _LEAST


def _best(found: "Benchmark", values: dict[str, float]) -> float | None:
    known = [value for value in values.values() if value == value]
    if not known:
        return None
    return min(known) if found.better == "low" else max(known)


def _marked(value: float | None, best: float | None) -> str:
    if value is None or value != value:
        return "- "
    return number(value) + ("*" if value == best else " ")


def _pairs(found: "Benchmark", width: int, which: str = "") -> str:
    """Each pair, the better ranked first: data sets won, tied and lost, and the test."""
    compared = found.comparison
    wins = found.wins
    if not wins or not found.complete:
        return ""
    rows = []
    for one in wins[:_MOST_PAIRS]:
        row = [_cut(one.a, 12), _cut(one.b, 12).ljust(3), f"{one.wins}-{one.ties}-{one.losses}"]
        if compared is not None:
            pair = compared[one.a, one.b]
            size = figures(pair)
            row += [size.value, size.between, p_words(pair.p), pair.verdict]
        rows.append(row)
    head = ["a", "b", "w-t-l"]
    if compared is not None:
        head += ["a minus b", limits(compared.level), "p", "a is"]
    for at in (1, len(head) - 1):  # words, so to the left
        wide = max(len(row[at]) for row in [head, *rows])
        head[at] = head[at].ljust(wide)
        rows = [[*row[:at], row[at].ljust(wide), *row[at + 1 :]] for row in rows]
    more = len(wins) - len(rows)
    end = f"\nand {more} more pairs: see .comparison and .wins" if more else ""
    title = f"Pairs over data sets{which}; w-t-l: data sets on which a is better, as good, worse"
    return wrapped(title, width) + "\n" + table(head, rows, width) + end


CAVEAT = (
    "p values and ranks are over data sets: each counts once, and they speak of data sets like "
    "these; intervals in the table are over the rows of one"
)


def benchmark_notes(found: "Benchmark") -> list[str]:
    """What the test is, what was left out and why, what to be careful about."""
    said = notes_of_sets(found)
    for one in found.rankings:
        compared, which = one.comparison, whose(found, one)
        if compared is not None:
            said += [f"test{which}: {compared.reason_for_test}"]
            said += [f"{note}{which}" for note in _at_once(compared)]
            said += [*notes_of_test(compared), *notes_of_pairs(compared)]
    return list(dict.fromkeys([*said, CAVEAT]))


def notes_of_sets(found: "Benchmark") -> list[str]:
    """Data sets and models that were left out or not ranked, and what is odd about them."""
    said = [
        f"left out: {listed(names)}: {why}" for why, names in _by_reason(found.left_out).items()
    ]
    said += [
        f"model left out: {_cut(name)}: no finite value on any data set ({why})"
        for name, why in found.models_left_out.items()
    ]
    return [*said, *_incomplete(found), *found.notes]


def notes_of_test(compared: "Comparison") -> list[str]:
    """The margin, and what holds for all pairs."""
    return [*margin_note(compared), *compared.notes]


def _by_reason(left_out: Mapping[str, str]) -> dict[str, list[str]]:
    """The reasons, each with all that it holds for."""
    found: dict[str, list[str]] = {}
    for name, why in left_out.items():
        found.setdefault(why, []).append(name)
    return found


def _incomplete(found: "Benchmark") -> list[str]:
    """Where a model has no value: why, what ranking is possible without whom, and what it says."""
    if not found.incomplete:
        return []
    many = len(found.incomplete)
    have = "data set has" if many == 1 else "data sets have"
    said = [f"{many} {have} no value of some model, and no value is made up: all models are ranked "
            "on the data sets that all of them finished"]  # fmt: skip
    alike: dict[tuple[str, str], list[str]] = {}
    for one in found.sets:
        for model in one.lacks(found.models):
            est = one.estimates.get(model)
            why = "is not there" if est is None else est.reason or "has no finite value"
            alike.setdefault((model, why), []).append(one.name)
    said += [f"{listed(sets)}: {_cut(model)} {why}" for (model, why), sets in alike.items()]
    return said + rankings_notes(found)


def rankings_notes(found: "Benchmark") -> list[str]:
    """The rankings that are possible, and what the two that are reported say and do not say."""
    if len(found.rankings) < 2:
        return []
    ways = [
        (f"without {listed(list(one.without))}" if one.without else "of all")
        + f", {one.models} models on {one.sets} data sets"
        for one in found.possible
    ]
    gone = listed(left_out_of(found, found.rankings[1]))
    return [
        f"possible rankings: {'; '.join(ways)}; in Python benchmark.without(name) gives any of "
        "them, on the command line leave the model out",
        f"the ranking of all models is over data sets on which {gone} did not fail, which may be "
        f"the easier ones; the other says nothing of {gone}. Each is tested and corrected by "
        "itself: say which one answers your question before you look",
    ]


def _at_once(compared: "Comparison") -> list[str]:
    """All models at once, and the critical difference."""
    said = []
    if compared.omnibus is not None:
        shown = f"p = {p_words(compared.omnibus.p)}".replace("= <", "< ")
        said.append(f"all models at once: {compared.omnibus.method}, {shown}")
    if compared.nemenyi is not None:
        apart = number(compared.nemenyi.critical_difference)
        said.append(
            f"critical difference of mean ranks {apart} (Nemenyi): for display, as it depends on "
            "the pool of models"
        )
    return said


def benchmark_html(found: "Benchmark") -> str:
    """The sentence, the table with intervals, the diagram, the notes; everything escaped."""
    rows = []
    for one in found.sets:
        cells = html.left(text(one.name), count(one.n))
        for model in found.order:
            est = one.estimates.get(model)
            shown = Figures("-") if est is None else figures(est)
            tip = shown.between if shown.known else "" if est is None else text(est.reason)
            cells += html.right(shown.value, tip)
        rows.append(cells)
    for ranking in found.rankings:
        if ranking.ranks:
            ranks = [f"{ranking.ranks[m]:.2f}" if m in ranking.ranks else "-" for m in found.order]
            name = text(f"mean rank{whose(found, ranking)}")
            rows.append(f"<th>{name}</th><td></td>{''.join(map(html.right, ranks))}")
    shown_table = html.table(map(text, ("data set", "rows", *found.order)), rows)
    drawn = "".join(one.svg() for one in found.rankings if one.nemenyi is not None)
    notes = html.notes(benchmark_notes(found), LONGEST)
    return f"<p>{text(found.sentence)}</p>{shown_table}{drawn}{notes}"
