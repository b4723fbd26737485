"""How a combination reads: the answer, the measure against the number of members, single models."""

from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import figures, number
from heliast.views import html
from heliast.views.comparing import gain
from heliast.views.numbers import in_percent, writes
from heliast.views.sentences import announced, chosen_apart
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.estimates import Estimate
    from heliast.verbs.combine import Combination
    from heliast.verbs.comparison import Difference


def combination_sentence(it: "Combination") -> str:
    """The best vote, whether it beats its base and the best single model, and what to take."""
    last = it.last(it.best)
    said = [
        f"The best vote is {it.best} of {max(it.votes[it.best])} members: it {_worth(it)}.",
        _against(it, it.against_base, "its base"),
    ]
    if it.best_single != it.base:
        said.append(_against(it, it.against_best, f"the best single model, {it.best_single}"))
    vote = it.recommended == last.model
    why = "the two are told apart" if vote else "a vote is not shown to be better, and costs more"
    said.append(f"Take {it.best if vote else it.best_single}: {why}.")
    return " ".join(said)


def _worth(it: "Combination") -> str:
    """The value of the best vote as it may be announced: it was chosen by the same rows."""
    every = [it.last(vote) for vote in it.votes]
    best = announced(every, it.last(it.best).model, it.selected)
    shown = figures(best.estimate, writes(it.measure))
    does = f"has {'an' if it.measure[0] in 'aeiou' else 'a'} {it.measure} of {shown.inside}"
    if it.measure == "error":
        does = f"errs on {shown.value} of new rows"
        does += f" [{shown.low}, {shown.high}]" if shown.known else ""
    return f"{does}, {best.words}" if best.words else does


def _against(it: "Combination", pair: "Difference", whom: str) -> str:
    """The difference as a gain: what the vote saves, with its interval."""
    shown = gain(it.pairs, pair.value, pair.low, pair.high)
    size = f"{shown.value} points" if in_percent(it.measure) else shown.value
    size += f" [{shown.low}, {shown.high}]" if shown.known else ""
    same_rows = it.selected is None or not chosen_apart(it.selected)
    size += " as seen" if len(it.votes) > 1 and same_rows else ""  # they chose the vote
    if pair.better:
        return f"It is better than {whom} by {size}."
    if pair.worse:
        return f"It is worse than {whom}: a gain of {size}."
    return f"Against {whom}: {pair.verdict}, a gain of {size}."


def _ranked(it: "Combination", found: "dict[str, Estimate]") -> "list[tuple[str, Estimate]]":
    """Best first."""
    sign = 1.0 if it.pairs.better == "low" else -1.0
    return sorted(found.items(), key=lambda item: sign * item[1].value)


def combination_text(it: "Combination") -> str:
    """The sentence, the measure against members for every vote, the models that stand alone."""
    wide, lasts = columns(), {max(by) for by in it.votes.values()}
    most = (wide - max(map(len, it.votes)) - 24) // 8 - len(lasts) + 1
    stages = sorted({*_chosen(it.members, max(2, most)), *lasts})
    head = ["vote", *(f"B={b}" for b in stages), "interval at the last"]
    rows = []
    for vote, last in _ranked(it, {vote: it.last(vote) for vote in it.votes}):
        by, shown = it.votes[vote], figures(last)
        said = {b: number(one.value) for b, one in by.items()} | {max(by): shown.value}
        cells = [said.get(b, "-") for b in stages]
        rows.append([vote, *cells, shown.between])
    alone = [
        [name, shown.value, shown.between]
        for name, one in _ranked(it, dict(it.singles))
        for shown in [figures(one)]
    ]
    title = it.measure[:1].upper() + it.measure[1:].replace("_", " ")
    blocks = [
        wrapped(combination_sentence(it), wide),
        f"{title} against the number of members B:\n" + table(head, rows, wide),
        "Models that stand alone:\n" + table(["model", it.measure, "interval"], alone, wide),
        numbered(it.found.notes, wide),
    ]
    return "\n\n".join(block for block in blocks if block)


def _chosen(members: tuple[int, ...], most: int) -> list[int]:
    """At most so many numbers of members, evenly spaced in their order, the last among them."""
    if len(members) <= most:
        return list(members)
    step = (len(members) - 1) / (most - 1)
    return [members[round(at * step)] for at in range(most)]


def combination_html(it: "Combination") -> str:
    """The sentence and the values of all votes, everything escaped."""
    rows = []
    for vote, _ in _ranked(it, {vote: it.last(vote) for vote in it.votes}):
        by = it.votes[vote]
        values = (number(by[b].value) if b in by else "-" for b in it.members)
        rows.append(html.left(escape(vote), *values))
    head = ("vote", *(f"B={b}" for b in it.members))
    return f"<p>{escape(combination_sentence(it))}</p>{html.table(head, rows)}"
