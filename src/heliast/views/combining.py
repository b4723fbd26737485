"""How a combination reads: the answer, error against the number of members, single models."""

from html import escape
from typing import TYPE_CHECKING

from heliast.views.numbers import between, number, percent
from heliast.views.terminal import WIDTH, table

if TYPE_CHECKING:
    from heliast.verbs.combine import Combination
    from heliast.verbs.comparison import Difference

_MOST_STAGES = 6


def combination_sentence(it: "Combination") -> str:
    """The best vote, whether it beats its base and the best single model, and what to take."""
    last = it.last(it.best)
    said = [
        f"The best vote is {it.best} of {max(it.votes[it.best])} members: it errs on "
        f"{percent(last.value)} of new rows [{percent(last.low)}, {percent(last.high)}]."
    ]
    said.append(_against(it.against_base, "its base"))
    if it.best_single != it.base:
        said.append(_against(it.against_best, f"the best single model, {it.best_single}"))
    vote = it.recommended == last.model
    why = "the two are told apart" if vote else "a vote is not shown to be better, and costs more"
    said.append(f"Take {it.best if vote else it.best_single}: {why}.")
    return " ".join(said)


def _against(pair: "Difference", whom: str) -> str:
    """The difference as a gain: what the vote saves, with its interval."""
    gain = f"{-100 * pair.value:.1f} points [{-100 * pair.high:.1f}, {-100 * pair.low:.1f}]"
    if pair.verdict.startswith("better"):
        return f"It is better than {whom} by {gain}."
    if pair.verdict.startswith("worse"):
        return f"It is worse than {whom}: a gain of {gain}."
    return f"Against {whom}: {pair.verdict}, a gain of {gain}."


def combination_text(it: "Combination") -> str:
    """The sentence, error against members for every vote, the models that stand alone."""
    stages = _chosen(it.members)
    head = ["vote", *(f"B={b}" for b in stages), "interval at the last"]
    rows = []
    for vote in sorted(it.votes, key=lambda name: it.last(name).value):
        by, last = it.votes[vote], it.last(vote)
        cells = [number(by[b].value) if b in by else "-" for b in stages]
        rows.append([vote, *cells, between(last.low, last.high)])
    alone = [
        [name, number(one.value), between(one.low, one.high)]
        for name, one in sorted(it.singles.items(), key=lambda item: item[1].value)
    ]
    blocks = [
        combination_sentence(it),
        "Error against the number of members B:\n" + table(head, rows, 2 * WIDTH),
        "Models that stand alone:\n" + table(["model", "error", "interval"], alone),
        "\n".join(it.found.notes),
    ]
    return "\n\n".join(block for block in blocks if block)


def _chosen(members: tuple[int, ...]) -> list[int]:
    """At most six numbers of members, evenly spaced in their order, the last among them."""
    if len(members) <= _MOST_STAGES:
        return list(members)
    step = (len(members) - 1) / (_MOST_STAGES - 1)
    return [members[round(at * step)] for at in range(_MOST_STAGES)]


def combination_html(it: "Combination") -> str:
    """The sentence and the errors of all votes, everything escaped."""
    head = "".join(f"<th>{name}</th>" for name in ("vote", *(f"B={b}" for b in it.members)))
    rows = ""
    for vote in sorted(it.votes, key=lambda name: it.last(name).value):
        by = it.votes[vote]
        cells = "".join(f"<td>{number(by[b].value) if b in by else '-'}</td>" for b in it.members)
        rows += f"<tr><td>{escape(vote)}</td>{cells}</tr>"
    return (
        f"<p>{escape(combination_sentence(it))}</p><table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )
