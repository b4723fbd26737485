"""How a vote of predictions reads: what it is worth, its weights, what simpler ones lose."""

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import Figures, figures, limits, shorten
from heliast.views import html
from heliast.views.comparing import gain, p_words
from heliast.views.numbers import in_percent, writes
from heliast.views.sentences import claims
from heliast.views.terminal import columns, numbered, table, wrapped

if TYPE_CHECKING:
    from heliast.verbs.comparison import Difference
    from heliast.verbs.voted import Voted

_NAME = 30


def voted_sentence(it: "Voted") -> str:
    """What the vote is worth, what is lost with each simpler one, and what to take."""
    choice = "judged by rows that did not choose its weights"
    own = it.vote if it.vote.target == "algorithm" else replace(it.vote, model="the vote")
    (worth,) = claims(own, choice, together=True)
    lost = [f"{_called(it, one)} {_lost(it, pair)}" for one, pair in it.against.items()]
    said = [f"{worth[:1].upper()}{worth[1:]}", f"Against it, {'; '.join(lost)}."]
    if it.recommended in it.against:
        said.append(f"Take {_called(it, it.recommended)}: it is simpler, and not seen to be worse.")
    else:
        said.append("Take the vote: it is expected to be best; a simpler one loses as said.")
    return " ".join(said)


def _called(it: "Voted", name: str) -> str:
    """A simpler one with the model that stands behind it."""
    if name == "best single":
        return f"the best single model ({shorten(it.selection.best, _NAME)})"
    what = {"majority": "labels", "mean": "numbers" if it.selection.kind == "mean" else "scores"}
    return f"the plain {name} of {what[name]}"


def _lost(it: "Voted", pair: "Difference") -> str:
    """What is lost, or won, by taking the simpler one."""
    if pair.identical:
        return "makes the same predictions"
    shown = _figures(it, pair)
    size = f"{shown.value} points" if in_percent(it.measure) else shown.value
    size += f" [{shown.between}]" if shown.known else ""
    return f"loses {size}" if pair.worse else f"loses {size} ({pair.verdict})"


def _figures(it: "Voted", pair: "Difference") -> Figures:
    """The loss: what the vote gains over the simpler one."""
    return gain(it.pairs, -pair.value, -pair.high, -pair.low)


def _weights(it: "Voted") -> list[list[str]]:
    """Each model with its weight, how that varies over folds, and its own value as seen."""
    chosen, rows = it.selection, []
    names = list(chosen.weights)
    for name in sorted(names, key=lambda one: -chosen.weights[one]):
        folds = chosen.by_fold[:, names.index(name)]
        own = figures(it.singles[name], writes(it.measure))
        spread = f"{folds.min():.2f} to {folds.max():.2f}"
        rows.append(
            [shorten(name, _NAME), f"{chosen.weights[name]:.2f}", spread, own.value, own.between]
        )
    return rows


def _candidates(it: "Voted") -> list[list[str]]:
    rows = []
    for name in it.found.models:
        own, pair = figures(it.found[name, it.measure], writes(it.measure)), it.against.get(name)
        lost = ["", "", "", ""]
        if pair is not None:
            shown = _figures(it, pair)
            lost = [shown.value, shown.between, p_words(pair.p), pair.finding.kind]
        rows.append([name, own.value, own.between, *lost])
    return rows


def _heads(it: "Voted") -> tuple[list[str], list[str]]:
    each = limits(it.pairs.level)
    return (
        ["model", "weight", "over folds", it.measure, each],
        ["", it.measure, each, "loss", "interval", "p", ""],
    )


def voted_text(it: "Voted") -> str:
    """The sentence, the weights, the vote beside simpler ones, and notes."""
    wide = columns()
    weights, candidates = _heads(it)
    notes = dict.fromkeys((*it.found.notes, *it.pairs.notes))
    blocks = [
        wrapped(voted_sentence(it), wide),
        f"Weights by {it.selection.method} selection on all rows, and each model as seen:\n"
        + table(weights, _weights(it), wide),
        "Judged by rows that did not choose:\n" + table(candidates, _candidates(it), wide),
        numbered(notes, wide),
    ]
    return "\n\n".join(block for block in blocks if block)


def voted_html(it: "Voted") -> str:
    """The same as a page's part, everything escaped."""
    weights, candidates = _heads(it)
    parts = [f"<p>{escape(voted_sentence(it))}</p>"]
    for head, rows in ((weights, _weights(it)), (candidates, _candidates(it))):
        lines = [html.left(*map(escape, row)) for row in rows]
        parts.append(html.table(tuple(head), lines))
    return "".join(parts)
