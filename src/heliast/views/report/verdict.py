"""The verdict: one or two sentences that need no statistics to read."""

from typing import TYPE_CHECKING, Any

from heliast.views.numbers import number, percent
from heliast.views.report.material import Material
from heliast.views.report.tables import SHARES
from heliast.views.sentences import opening

if TYPE_CHECKING:
    from heliast.verbs.comparison import Comparison


def verdict(material: Material) -> dict[str, Any]:
    """`sentences` for people, `word` and `tone` (good, warn, plain) for a mark beside them."""
    one = material.headline(material.best)
    first = opening([one], [material.best]) if one.defined or one.reason else "Nothing to say."
    said = _parted(first[:1].upper() + first[1:] if first.startswith("the ") else first, material)
    if material.compared is not None:
        said.append(material.compared.sentence)
    elif len(material.found.models) > 1:
        said.append(f"The models are not compared: {material.alone}.")
    said += _corrected(material)
    word, tone = _mark(material)
    if material.table.unfinished:
        said.insert(0, f"This run is {material.table.unfinished}.")
        word, tone = "unfinished", "warn"
    return {"sentences": said, "word": word, "tone": tone}


def _corrected(material: Material) -> list[str]:
    """What the best of several models is worth after it was chosen on the rows it is judged by."""
    one, models = material.found.selected, len(material.found.models)
    if one is None or models < 3 or (one.model, one.measure) != (material.best, material.measure):
        return []
    write = percent if one.measure in SHARES else number
    return [
        f"Corrected for having been chosen as the best of {models}: {write(one.value)} "
        f"[{write(one.low)} to {write(one.high)}]."
    ]


def _parted(sentence: str, material: Material) -> list[str]:
    """What is claimed, and how sure it is, as two sentences: 'x errs on 3%.', '95% interval ...'"""
    claim, mark, sure = sentence.rpartition(f" ({100 * material.level:g}% interval ")
    return [f"{claim}.", f"{mark[2:]}{sure[:-2]}."] if mark else [sentence]


def _mark(material: Material) -> tuple[str, str]:
    """How the best model stands, if there is anything to stand against."""
    if material.compared is None:
        several = len(material.found.models) > 1
        return ("not compared", "warn") if several else ("one model", "plain")
    return mark(material.compared)


def mark(compared: "Comparison") -> tuple[str, str]:
    """A word and a tone for how the best model stands against the next one."""
    best, second = compared.order[:2]
    pair = compared[best, second]
    if pair.real:
        return "the two are told apart", "good"
    if len(compared.models) > 2:
        return "no clear winner", "warn"
    if pair.verdict == "identical predictions":
        return "identical predictions", "plain"
    if pair.verdict.startswith("equivalent"):
        return "equivalent", "good"
    return "undecided", "warn"
