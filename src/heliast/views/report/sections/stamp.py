"""What it takes to make the same report again."""

import hashlib
from typing import Any

import numpy as np

from heliast._core.errors import HeliastError
from heliast.predictions import Predictions
from heliast.views.report.material import Material, Part, Section

UNKNOWN = "not known: the predictions do not carry it"


def build(material: Material) -> Part:
    meta = material.every.meta
    said: list[tuple[str, Any]] = [
        ("data", meta.data_fingerprint or UNKNOWN),
        ("plan", meta.plan_fingerprint or UNKNOWN),
        ("predictions", _printed(material.every)),
        ("seed of the run", UNKNOWN if meta.seed is None else meta.seed),
        ("seed of the report", material.seed),
        ("command", material.command or "heliast.report(...) in Python"),
    ]
    versions = {**meta.versions, **material.versions}
    return {
        "stamp": [{"name": name, "value": str(value)} for name, value in said],
        "versions": [{"name": name, "value": value} for name, value in sorted(versions.items())],
    }


def _printed(table: Predictions) -> str:
    try:
        return fingerprint(table)
    except HeliastError as error:  # a table that stays on disk
        return f"not computed: {error}"


def fingerprint(table: Predictions) -> str:
    """A hash of what was predicted: the same table gives the same, on any machine.

    >>> fingerprint(Predictions.of(["a", "b"], ["a", "b"]))[:8]
    'blake2b:'
    """
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((table.models, table.classes, table.task)).encode())
    for array in (table.y_true, table.y_pred, table.scores, table.model_code, table.split_code):
        if array is None:
            digest.update(b"-")
            continue
        # As they lie in memory, the lowest byte first: 10 million rows in a fraction of a second.
        plain = np.ascontiguousarray(array, array.dtype.newbyteorder("<"))
        digest.update(plain.dtype.str.encode())
        digest.update(plain.data)
    return f"blake2b:{digest.hexdigest()}"


SECTION = Section("stamp", "To make this report again", build, "stamp.html", short="Reproduce")
