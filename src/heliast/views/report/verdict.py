"""The verdict: one or two sentences that need no statistics to read."""

from typing import TYPE_CHECKING, Any

from heliast.views.report.material import Material
from heliast.views.sentences import baseline_words, claims

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison


def verdict(material: Material) -> dict[str, Any]:
    """`sentences` for people, `word` and `tone` (good, warn, plain) for a mark beside them."""
    best = material.announced
    one = best.estimate
    said = ["Nothing to say."]
    if one.defined or one.reason:
        said = claims(one, best.words, seen=material.found.in_train)
    if one.target == "algorithm":
        said[0] = said[0][:1].upper() + said[0][1:]
    if words := baseline_words(material.found):
        said.append(words)
    if material.compared is not None:
        said.append(material.compared.sentence)
    elif len(material.found.models) > 1:
        said.append(f"The models are not compared: {material.alone}.")
    word, tone = _mark(material)
    if material.table.unfinished:
        said.insert(0, f"This run is {material.table.unfinished}.")
        word, tone = "unfinished", "warn"
    return {"sentences": said, "word": word, "tone": tone}


def _mark(material: Material) -> tuple[str, str]:
    """How the best model stands, if there is anything to stand against."""
    if material.compared is None:
        several = len(material.found.models) > 1
        return ("not compared", "warn") if several else ("one model", "plain")
    return mark(material.compared)


def mark(compared: "Comparison") -> tuple[str, str]:
    """A word and a tone for how the best model stands against the others."""
    best, *others = compared.order
    if len(others) > 1:
        clear = all(compared[best, model].better for model in others)
        return ("a clear winner", "good") if clear else ("no clear winner", "warn")
    pair = compared[best, others[0]]
    if pair.real:
        return "the two are told apart", "good"
    if pair.identical:
        return "identical predictions", "plain"
    if pair.equivalent:
        return "equivalent", "good"
    return "undecided", "warn"
