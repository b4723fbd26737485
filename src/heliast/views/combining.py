"""How a combination reads: the answer, the measure against the number of members, single models."""

from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import Figures, count, figures, number, points, shorten
from heliast.views import html
from heliast.views.comparing import gain
from heliast.views.numbers import in_percent, seconds, storage, writes
from heliast.views.sentences import announced, chosen_apart
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.estimates import Estimate
    from heliast.verbs.combine import Combination
    from heliast.verbs.comparison import Difference

SELECTION = "selection"


def combination_sentence(it: "Combination") -> str:
    """What to take and why, what it is worth, what others lose, and whether a vote pays."""
    said = [_taken(it), f"It {_worth(it)}.", _leader(it), _simpler(it)]
    best = _called(it, it.last(it.best).model)
    said.append(f"The best vote is {best}: it {_against(it, it.against_base, 'its base')}.")
    return " ".join(one for one in said if one)


def _taken(it: "Combination") -> str:
    """What to take, and by which part of the rule."""
    advice = it.advice
    called, among = _called(it, advice.recommended), len(it.candidates)
    if advice.leader == advice.recommended:
        where = "has the best value on the validation rows"
        if not _apart(it):
            best = "lowest" if it.pairs.better == "low" else "highest"
            where = f"has the {best} expected {_name(it)}"
        return f"Take {called}: of {among} candidates it {where}."
    leads = "on the validation rows" if _apart(it) else "as seen"
    return (
        f"Take {called}: of {among} candidates {_called(it, advice.leader)} is best {leads}, but "
        f"this one is simpler and expected to lose {_plain(it, advice.expected)}, which is within "
        f"the margin of {_points(it, advice.margin)}."
    )


def _plain(it: "Combination", expected: "Mapping[str, float]") -> str:
    return _points(it, max(0.0, expected[it.recommended]))


def _points(it: "Combination", value: float) -> str:
    return f"{points(value)} points" if in_percent(it.measure) else number(value)


def _leader(it: "Combination") -> str:
    """What is lost against the best as seen, where another is recommended."""
    leader = it.advice.leader
    if leader == it.recommended:
        return ""
    pair = it.lost[leader]
    if pair.identical:
        return f"{_called(it, leader)} makes the same predictions."
    size = _size(it, gain(it.pairs, pair.value, pair.low, pair.high))
    more = _times(it, it.recommended, leader)
    return (
        f"Against {_called(it, leader)}{f', which {more},' if more else ''} it loses {size}"
        f"{_as_seen(it)}; the expected loss allows for luck."
    )


def _simpler(it: "Combination") -> str:
    """What is lost with simpler candidates."""
    parts = []
    for name in it.advice.simpler:
        pair = it.lost[name]
        cost = _times(it, name, it.recommended, turned=True)
        called = f"{_called(it, name)}{f' ({cost})' if cost else ''}"
        if pair.identical:
            parts.append(f"{called} makes the same predictions")
            continue
        size = _size(it, gain(it.pairs, -pair.value, -pair.high, -pair.low))
        parts.append(f"{called} loses {size}" + ("" if pair.worse else f" ({pair.verdict})"))
    return f"Simpler: {'; '.join(parts)}{_as_seen(it)}." if parts else ""


def _times(it: "Combination", less: str, more: str, turned: bool = False) -> str:
    """How the costs of two candidates compare, by that which differs most."""
    named = ("time to fit", "time to predict", "size")
    pairs = zip(it.advice.costs[less].felt, it.advice.costs[more].felt, strict=True)
    ratios = {
        words: two / one
        for words, (one, two) in zip(named, pairs, strict=True)
        if one > 0 and two >= 2 * one
    }
    if not ratios:
        return ""
    words = max(ratios, key=ratios.__getitem__)
    ratio = count(round(ratios[words])) if ratios[words] >= 10 else f"{ratios[words]:.1f}"
    return f"1/{ratio} of the {words}" if turned else f"has {ratio} times the {words}"


def _size(it: "Combination", shown: Figures) -> str:
    size = f"{shown.value} points" if in_percent(it.measure) else shown.value
    return size + (f" [{shown.low}, {shown.high}]" if shown.known else "")


def _called(it: "Combination", model: str) -> str:
    """A candidate as it is spoken of."""
    for vote, by in it.votes.items():
        if by[max(by)].model == model:
            return f"{vote} of {max(by)} members"
    if model != SELECTION or it.selection is None:
        return shorten(model, 40)
    used = sum(weight > 0 for weight in it.selection.weights.values())
    return f"the selection (a weighted vote of {used} candidates)"


def _name(it: "Combination") -> str:
    return it.measure.replace("_", " ")


def _apart(it: "Combination") -> bool:
    return it.selected is not None and chosen_apart(it.selected)


def _as_seen(it: "Combination") -> str:
    return "" if _apart(it) else ", as seen by the rows that chose"


def _worth(it: "Combination") -> str:
    """The value of what is recommended as it may be announced: it was chosen by the same rows."""
    best = announced([*it.candidates.values()], it.recommended, it.selected)
    shown = figures(best.estimate, writes(it.measure))
    does = f"has {'an' if it.measure[0] in 'aeiou' else 'a'} {it.measure} of {shown.inside}"
    if it.measure == "error":
        does = f"errs on {shown.value} of new rows"
        does += f" [{shown.low}, {shown.high}]" if shown.known else ""
    return f"{does}, {best.words}" if best.words else does


def _against(it: "Combination", pair: "Difference", whom: str) -> str:
    """The difference as a gain: what the vote saves, with its interval."""
    size = _size(it, gain(it.pairs, pair.value, pair.low, pair.high))
    if pair.better:
        return f"is better than {whom} by {size}"
    if pair.worse:
        return f"is worse than {whom}: a gain of {size}"
    return f"gains {size} on {whom} ({pair.verdict})"


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
        [name, shown.value, shown.between, *_costs(it, name)]
        for name, one in _ranked(it, it.candidates)
        for shown in [figures(one)]
    ]
    heads = [it.measure, "interval", "fit", "predict", "size"]
    title = it.measure[:1].upper() + it.measure[1:].replace("_", " ")
    blocks = [
        wrapped(combination_sentence(it), wide),
        f"{title} against the number of members B:\n" + table(head, rows, wide),
        "Candidates, with the time to fit, the time to predict and the size of each:\n"
        + table(["candidate", *heads], alone, wide),
        _weights(it, wide),
        numbered(it.found.notes, wide),
    ]
    return "\n\n".join(block for block in blocks if block)


def _costs(it: "Combination", name: str) -> list[str]:
    cost = it.advice.costs[name]
    return [seconds(cost.fit), seconds(cost.predict), storage(cost.size)]


def _weights(it: "Combination", wide: int) -> str:
    """Who votes in the selection, where it is recommended."""
    if it.recommended != SELECTION or it.selection is None:
        return ""
    each = sorted(it.selection.weights.items(), key=lambda one: -one[1])
    said = ", ".join(f"{name} {weight:.2f}" for name, weight in each if weight > 0)
    return wrapped(f"Weights of the selection: {said}.", wide)


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
