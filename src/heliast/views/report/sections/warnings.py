"""What to be careful about, numbered, each with what to do."""

import re

from heliast.views.report.material import Material, Part, Section
from heliast.views.sentences import selected_words

ADVICE = (
    (r"smallest class has", "collect more rows of that class before relying on its numbers"),
    (r"few rows decide", "look at these rows; more of their kind make the interval trustworthy"),
    (r"few(er)? rows|only \d+ rows", "collect more rows, or read the wide interval as it is"),
    (r"infinite", "have the model never say 0 or 1, by smoothing its probabilities"),
    (r"not representative", "redraw the splits (redraw=), or use repeated folds"),
    (r"^unfinished", "resume the run (heliast runs resume) and make this report again"),
    (r"incomplete|failed|missing from", "mend the model or the data it failed on and run it again"),
    (r"groups", "collect more groups: rows of one group tell little more than one row"),
    (r"never predicted|undefined", "read the reason; a threshold or cost below may change it"),
    (r"pooled", "compare folds under 'Error by split' before trusting a pooled curve"),
    (r"skew|too short", "read the interval as a lower bound of the uncertainty"),
    (r"p and interval do not agree", "treat the pair as undecided"),
    (r"sampling weights|weight", "check that the weights are what they are said to be"),
    (r"ident", "check that the files do not hold the same model twice"),
)  # fmt: skip
GRAVE = re.compile("not representative|missing from|fewer rows|failed|left out|torn|^unfinished")
"""What a table says of itself that is a warning, not an account of what was inferred."""
SMALL = 100
CHOSEN = "test the chosen model once more on rows that took no part in the choice"


def build(material: Material) -> Part:
    stated = [note for note in material.table.notes if not GRAVE.search(note)]
    said = [note for note in material.found.notes if note not in stated]
    said += _undefined(material)
    if material.compared is not None:
        said += [note for note in material.compared.notes if note not in stated]
        said += [
            f"{name} is left out of the comparison: {why}"
            for name, why in material.compared.left_out.items()
        ]
    elif len(material.found.models) > 1:
        said.append(f"models are not compared: {material.alone}")
    said += _of_the_design(material)
    warned = [{"text": text, "do": CHOSEN} for text in _of_the_choice(material)]
    warned += [{"text": text, "do": advice(text)} for text in dict.fromkeys(said)]
    return {
        "warnings": warned,
        "inferred": stated,
        "left_out": [
            {"measure": name, "why": why} for name, why in material.found.left_out.items()
        ],
    }


def _undefined(material: Material) -> list[str]:
    """Measures without a value; with several models the assessment says so itself."""
    if len(material.found.models) > 1:
        return []
    ones = [material.estimate(material.best, name) for name in material.overall]
    return [
        f"{one.measure} is undefined: {one.reason}"
        for one in ones
        if one is not None and not one.defined
    ]


def _of_the_design(material: Material) -> list[str]:
    said = []
    one = material.headline(material.best)
    if one.n < SMALL:
        said.append(f"only {one.n:g} rows were tested: every interval here is wide")
    return said


def _of_the_choice(material: Material) -> list[str]:
    """What the best model is worth, or that its numbers are not corrected for the choice."""
    if words := selected_words(material.found):
        return [words]
    models = len(material.found.models)
    if models < 3:
        return []
    return [
        f"the best of {models} models was picked on the rows it is judged by: "
        "its numbers are a little too good"
    ]


def advice(text: str) -> str:
    """What to do about a warning; empty if nothing comes to mind.

    >>> advice("bayes, log_loss: infinite: the true class was given probability 0 in 1 row")
    'have the model never say 0 or 1, by smoothing its probabilities'
    """
    for pattern, words in ADVICE:
        if re.search(pattern, text):
            return words
    return ""


SECTION = Section("warnings", "What to be careful about", build, "warnings.html", short="Warnings")
