"""Which verb answers which part of a question; light, so that the command line can ask early."""

from collections.abc import Mapping

from heliast._core.aliases import OURS
from heliast._core.errors import InputError

HONOURED: Mapping[str, tuple[str, ...]] = {
    "assess": ("measures", "level", "interval", "cost", "prevalences", "threshold", "role",
               "in_train",
               "seed", "stages", "by"),
    "compare": ("measures", "level", "test", "margin", "correction", "cost", "prevalences",
                "threshold", "role", "seed", "stages", "by"),
    "gate": ("level", "interval", "test", "margin", "cost", "prevalences", "threshold", "role",
             "in_train", "seed", "stages"),
    "report": ("measures", "level", "interval", "test", "margin", "correction", "cost",
               "prevalences", "threshold", "role", "in_train", "seed", "stages", "by"),
    "find_slices": ("measures", "level", "cost", "threshold", "role", "seed"),
    "combine": ("measures", "level", "margin", "correction", "cost", "prevalences", "seed"),
    "explain": ("level", "seed", "stages"),
    "fit": ("measures", "level", "interval", "cost", "prevalences", "seed"),
    "benchmark": ("measures", "level", "test", "margin", "correction", "cost", "seed"),
}  # fmt: skip
"""Which parts of a question each verb answers; it refuses the others by name."""
REFUSED: Mapping[str, str] = {
    "interval": "a difference has the interval of its test: say test=",
    "test": "only differences of models are tested: see compare",
    "margin": "a margin is for differences of models: see compare",
    "correction": "a correction is for several differences: see compare",
    "cost": "costs weigh decisions: assess and compare take them",
    "prevalences": "class shares are for one table of predictions: assess and compare take them",
    "threshold": "labels are decided again on a table of predictions: assess and compare do",
    "role": "it makes its own table: assess and compare choose among the rows of one",
    "in_train": "rows that a model was trained on are for assess alone",
    "stages": "it decides itself which outputs of a fit it needs: see assess and compare",
    "by": "slices are of one table: assess, compare and report take them, and a requirement of the "
    "gate names them: 'recall.low >= 0.7 by region'",
    "measures": "its requirements, or its theory, name what is measured",
}
"""Why, where a verb does not answer this part."""


def refuse(verb: str, given: Mapping[str, object]) -> None:
    """Say by name what this verb has no answer to; nothing if all is well.

    >>> refuse("assess", {"margin": 0.1})
    Traceback (most recent call last):
    heliast._core.errors.InputError: assess: margin= ... a margin is for differences of models...
    """
    for name in given:
        part = "measures" if name == "measure" else name
        if part == "measures" and part in HONOURED[verb]:
            other = "measures" if name == "measure" else "measure"
            raise TypeError(f"{verb}() takes {other}=, not {name}=")
        if part not in REFUSED or part in HONOURED[verb]:
            hint = f"; say {OURS[name]}=" if name in OURS else ""
            raise TypeError(f"{verb}() got an unexpected keyword argument {name!r}{hint}")
        raise InputError(f"{verb}: {name}= cannot be answered here: {REFUSED[part]}")
