"""How an explanation reads: the parts, the votes of the fits, the advice."""

from html import escape
from typing import TYPE_CHECKING

from heliast._core.numbers import number, percent
from heliast.views.terminal import table, wrapped

if TYPE_CHECKING:
    from heliast.verbs.explain import Explanation


def explanation_text(it: "Explanation") -> str:
    """The decomposition with what it adds up to, margins of the vote, one line of advice each."""
    rows = []
    for model, one in it.margins.items():
        rows.append([model, number(one.mean), percent(one.error), percent(it.narrow(model))])
    head = ["model", "mean margin", "vote wrong or tied", "decided narrowly"]
    said = (f"{model}: {words}." for model, words in it.advice.items())
    advice = "\n".join(wrapped(line, indent="  ") for line in said)
    blocks = [
        advice,
        str(it.decomposition),
        f"How the fits that did not see a row vote on it ({it.decomposition.n} rows):\n"
        + table(head, rows),
    ]
    return "\n\n".join(blocks)


def explanation_html(it: "Explanation") -> str:
    """The advice and the decomposition, everything escaped."""
    advice = "".join(
        f"<li><b>{escape(model)}</b>: {escape(words)}</li>" for model, words in it.advice.items()
    )
    return f"<ul>{advice}</ul>{it.decomposition._repr_html_()}"
