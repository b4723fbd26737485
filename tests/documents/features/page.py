"""docs/features.md, made of the rows."""

from pathlib import Path

from tests.documents.features import combination, comparison, estimation, measures, theory
from tests.documents.features.registry import FEATURES, Feature, shown

PAGE = Path(__file__).parents[3] / "docs" / "features.md"
QUESTIONS = {
    "How good is it?": measures,
    "How sure are we?": estimation,
    "Is the difference real?": comparison,
    "Would a vote do better?": combination,
    "Why?": theory,
}
HEAD = """# The features that the five sources ask for

heliast does what [five texts](references.md#the-five-sources) describe: a textbook chapter on the
assessment of classifiers (*chapter*, Zaki and Meira 2014), lecture notes on estimating and reducing
errors (*notes*, Leung 2007), a dissertation on majority votes (*thesis*, James 1998), and two sets
of slides (*slides-r*, *Refinements and Evaluation*; *slides-c*, Sartori 2022). Every feature of
theirs is a row here: tried through the public API, beside an oracle that does not use heliast's
answer (a printed number, a few lines of numpy, another library). Where several numbers are
compared, the first are shown, and how many there are. Where a text slips, the oracle is what holds
([reproduced](reproduced.md) says where).

This page is made by `python -m tests.documents.features`; `tests/documents/test_features.py` tries
every row and fails if the page is out of date.

**{holding} of {all} hold.**
"""
COLUMNS = ("", "feature", "where asked", "call", "oracle", "heliast", "oracle says", "holds")


def features() -> list[Feature]:
    """All of them, in order."""
    return [FEATURES[number] for number in sorted(FEATURES)]


def cells(one: Feature) -> tuple[str, ...]:
    """One row of the page."""
    answer = one.answer
    words = (str(one.number), one.name, one.where, f"`{one.call}`", one.oracle)
    said = (shown(answer.heliast), shown(answer.oracle), "yes" if answer.holds else "**no**")
    return tuple(word.replace("|", "\\|") for word in words + said)


def page() -> str:
    """The whole page."""
    rows = features()
    holding = sum(one.answer.holds for one in rows)
    parts = [HEAD.format(holding=holding, all=len(rows))]
    for question, module in QUESTIONS.items():
        mine = [cells(one) for one in rows if one.check.__module__ == module.__name__]
        lines = [COLUMNS, ("---",) * len(COLUMNS), *mine]
        parts.append(f"## {question}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines))
    return "\n".join(parts[:1]) + "\n" + "\n\n".join(parts[1:]) + "\n"
