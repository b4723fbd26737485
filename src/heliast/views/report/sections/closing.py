"""The end of the report: warnings, how every number was computed, how to make it again."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from heliast import measures as registry
from heliast._core.errors import HeliastError
from heliast._core.notes import FAILED, UNFINISHED, Note, key_of
from heliast._core.numbers import count
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.views.numbers import capital, join_words, measure_name
from heliast.views.record import Column, Table
from heliast.views.report.contents import Material, Part, part

ADVICE = {
    "class": "collect more rows of that class",
    "few": "collect more rows",
    "infinite": "have the model never predict a probability of 0 or 1 (smoothing)",
    "unlike": "use other splits (redraw=) or repeated folds",
    UNFINISHED: "repeat the run, then make this report again",
    FAILED: "correct the model or the data that it failed on, and run it again",
    "incomplete": "correct the model or the data that it failed on, and run it again",
    "groups": "collect more groups: the rows of a group are not independent",
    "disagree": "treat the pair as inconclusive",
    "threshold": "compare the scores, or fix the threshold before the rows are split",
    "weights": "check the weights",
}  # fmt: skip
"""What to do about a note, by its key."""
OF_THE_RUN = {"unlike", FAILED, "incomplete", "few", "left out", "free", UNFINISHED}
"""Keys of what a table notes that is a warning, and not how it was read."""
SMALL = 100
"""Rows below which all intervals are wide."""
UNKNOWN = "not known: the predictions do not carry it"
ESTIMANDS = {
    "model": "this fitted model, on new rows of the same population",
    "algorithm": "this learning algorithm, trained on as many rows",
}


def warnings(material: Material) -> Part:
    """What to be careful about, each with what to do."""
    assessment, compared = material.assessment, material.compared
    inferred = [note for note in material.table.notes if key_of(note) not in OF_THE_RUN]
    notes = [note for note in assessment.notes if note not in inferred]
    notes += _undefined(material)
    if compared is not None:
        notes += [note for note in compared.notes if note not in inferred]
        notes += [
            Note(f"{name} is left out of the comparison: {why}", key_of(why))
            for name, why in compared.left_out.items()
        ]
    if material.tested < SMALL:
        rows = "items" if assessment.task == "graded" else "rows"
        notes.append(Note(f"only {material.tested:g} test {rows}: all intervals are wide", "few"))
    made = [{"text": text, "do": ADVICE.get(key_of(text), "")} for text in dict.fromkeys(notes)]
    headline = assessment.headline
    if headline is not None and headline.among > 1 and not headline.validated:
        text = f"{headline.estimate.model} is {headline.words}; its other values are not adjusted"
        do = "assess the selected model once more on new rows"
        made.insert(0, {"text": text, "do": do})
    return part(warnings=made, inferred=inferred)


def _undefined(material: Material) -> list[str]:
    """Measures without a finite value, together where they have one reason."""
    by_reason: dict[str, list[str]] = {}
    for estimate in material.overall:
        if estimate.reason and not math.isfinite(estimate.value):
            model = f" of {estimate.model}" if len(material.assessment.models) > 1 else ""
            by_reason.setdefault(estimate.reason, []).append(
                f"{measure_name(estimate.measure)}{model}"
            )
    return [
        Note(f"{join_words(names, 4)} undefined: {reason}", key_of(reason) or "undefined")
        for reason, names in by_reason.items()
    ]


# --- methods -------------------------------------------------------------------------------------


def methods(material: Material) -> Part:
    """Every measure: its meaning, its interval, its measured coverage and its estimand."""
    by_measure: dict[str, list[Estimate]] = {}
    for estimate in material.overall:
        by_measure.setdefault(estimate.measure, []).append(estimate)
    columns = (
        Column("measure"), Column("meaning"), Column("interval"),
        Column("coverage", "coverage in simulations"),
    )  # fmt: skip
    rows = []
    for title, estimates in by_measure.items():
        declared = registry.titled(title)
        used = join_words(estimate.method for estimate in estimates if estimate.method)
        name = capital(measure_name(title))
        rows.append((name, declared.meaning, used or "none", _coverage(estimates)))
    estimands = join_words(ESTIMANDS[one.target] for one in material.overall if one.defined)
    if material.assessment.in_train != "none":
        estimands = "the performance on in-sample rows"
    lead = (
        f"The estimates are of {estimands}. Confidence intervals are at {100 * material.level:g}%. "
        "The form of a measure and the design of the splits decide the method. Two models differ "
        "significantly only if interval and adjusted p value agree. Coverage was measured in "
        "simulations of similar designs."
    )
    paragraph = material.assessment.methods()
    more = [paragraph.text.split("\n\nReferences")[0]]
    return part(lead, (), [Table("methods", "Every measure", columns, rows)], more)


def _coverage(estimates: Sequence[Estimate]) -> str:
    """The measured coverage of intervals like these; a dash where nothing was measured."""
    known = next((one.coverage for one in estimates if one.coverage is not None), None)
    if known is None:
        return "–"
    ends = f"{100 * known.lowest:.0f} to {100 * known.highest:.0f}%"
    return f"{ends} in {known.cells} conditions of {count(known.n)} rows"


# --- how to make it again ------------------------------------------------------------------------


def reproduce(material: Material) -> Part:
    """Fingerprints, seeds, the command and the versions."""
    meta = material.every.meta
    try:
        predictions = fingerprint(material.every)
    except HeliastError as error:  # a table that stays on disk
        predictions = f"not computed: {error}"
    rows = [
        ("data", meta.data_fingerprint or UNKNOWN),
        ("plan", meta.plan_fingerprint or UNKNOWN),
        ("predictions", predictions),
        ("seed of the run", UNKNOWN if meta.seed is None else str(meta.seed)),
        ("seed of the report", str(material.seed)),
        ("command", material.command or "heliast.report(...) in Python"),
    ]
    return stamp(rows, {**meta.versions, **material.versions})


def stamp(rows: Sequence[tuple[str, str]], versions: Mapping[str, str]) -> Part:
    """The section that says how to make a report again."""
    return {
        "key": "stamp", "title": "How to reproduce this report", "short": "Reproduce",
        "template": "stamp.html", "stamp": [{"name": name, "value": value} for name, value in rows],
        "versions": [{"name": name, "value": value} for name, value in sorted(versions.items())],
        "tables": [], "notes": [],
    }  # fmt: skip


def fingerprint(table: Predictions) -> str:
    """A hash of what was predicted: the same table gives the same, on any machine.

    >>> fingerprint(Predictions.of(["a", "b"], ["a", "b"]))[:8]
    'blake2b:'
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((table.models, table.classes, table.task)).encode())
    arrays: tuple[Any, ...] = (
        table.y_true, table.y_pred, table.scores, table.model_code, table.split_code,
    )  # fmt: skip
    for array in arrays:
        if array is None:
            digest.update(b"-")
            continue
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(plain.dtype.str.encode())
        digest.update(plain.data)
    return f"blake2b:{digest.hexdigest()}"
