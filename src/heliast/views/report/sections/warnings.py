"""What to be careful about, numbered, each with what to do."""

import math

from heliast._core.notes import FAILED, UNFINISHED, Note, key_of
from heliast.views.report.material import Material, Part, Section
from heliast.views.sentences import selected_words

ADVICE = {
    "class": "collect more rows of that class before relying on its numbers",
    "few decide": "look at these rows; more of their kind make the interval trustworthy",
    "few": "collect more rows, or read the wide interval as it is",
    "infinite": "have the model never say 0 or 1, by smoothing its probabilities",
    "unlike": "redraw the splits (redraw=), or use repeated folds",
    UNFINISHED: "give the same call of run again and make this report again",
    FAILED: "mend the model or the data it failed on and run it again",
    "incomplete": "mend the model or the data it failed on and run it again",
    "groups": "collect more groups: rows of one group tell little more than one row",
    "undefined": "read the reason; a threshold or cost below may change it",
    "short": "read the interval as a lower bound of the uncertainty",
    "disagree": "treat the pair as undecided",
    "threshold": "judge the scores, or fix the threshold before the rows are split",
    "weights": "check that the weights are what they are said to be",
}  # fmt: skip
"""What to do about a note, by its key."""
GRAVE = {"unlike", FAILED, "incomplete", "few", "left out", "free", UNFINISHED}
"""What a table says of itself that is a warning, not an account of what was inferred."""
SMALL = 100
MOST = 60
"""Warnings that are shown, the first ones."""
MOST_NAMED = 4
"""Values that are named where several are undefined for one reason."""
CHOSEN = "test the chosen model once more on rows that took no part in the choice"


def build(material: Material) -> Part:
    stated = [note for note in material.table.notes if key_of(note) not in GRAVE]
    said = [note for note in material.found.notes if note not in stated]
    said += _undefined(material)
    if material.compared is not None:
        said += [note for note in material.compared.notes if note not in stated]
        said += [
            Note(f"{name} is left out of the comparison: {why}", key_of(why))
            for name, why in material.compared.left_out.items()
        ]
    elif len(material.found.models) > 1:
        said.append(f"models are not compared: {material.alone}")
    said += _of_the_design(material)
    warned = [{"text": text, "do": CHOSEN} for text in _of_the_choice(material)]
    warned += [{"text": text, "do": ADVICE.get(key_of(text), "")} for text in dict.fromkeys(said)]
    more = len(warned) - MOST
    if more > 0:
        warned[MOST:] = [
            {"text": f"and {more:,} more of the kind: assess --json has all", "do": ""}
        ]
    return {
        "warnings": warned,
        "inferred": stated,
        "left_out": [
            {"measure": name, "why": why} for name, why in material.found.left_out.items()
        ],
    }


def _undefined(material: Material) -> list[str]:
    """Measures without a finite value, together where they have one reason."""
    whose: dict[str, list[str]] = {}
    for one in material.found.estimates:
        if one.class_ is None and one.reason and not math.isfinite(one.value):
            model = f"{one.model}, " if len(material.found.models) > 1 else ""
            whose.setdefault(one.reason, []).append(f"{model}{one.measure}")
    return [
        Note(f"{_first(names)}: {reason}", key_of(reason) or "undefined")
        for reason, names in whose.items()
    ]


def _first(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    does = "is" if len(names) == 1 else "are"
    return f"{'; '.join(names[:MOST_NAMED])}{more} {does} undefined"


def _of_the_design(material: Material) -> list[str]:
    if material.tested >= SMALL:
        return []
    rows = "items" if material.found.task == "graded" else "rows"
    words = f"only {material.tested:g} {rows} were tested: every interval here is wide"
    return [Note(words, "few")]


def _of_the_choice(material: Material) -> list[str]:
    """What the best model is worth, or that its numbers are not corrected for the choice."""
    if material.announced.apart:  # nothing to be careful about: other rows chose it
        return []
    if words := selected_words(material.found):
        return [words]
    models = len(material.found.models)
    if models < 3:
        return []
    return [
        f"the best of {models} models was picked on the rows it is judged by: "
        "its numbers are a little too good"
    ]


SECTION = Section("warnings", "What to be careful about", build, "warnings.html", short="Warnings")
