"""Records of runs: which cells belong together, what they are about, how to go on."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from heliast._core.notes import UNFINISHED, Note
from heliast._core.records import as_dict
from heliast._core.told import told
from heliast.fitting.store._files import KEY, checksum
from heliast.fitting.store._request import Request, text, whole

RECORD = re.compile(r"([0-9a-f]{10})\.json")
PROMISE = re.compile(r"([0-9a-f]{10})\.promise\.json")
SUBJECT = re.compile(r"([0-9a-f]{10})-([0-9a-f]{16})\.parquet")
BEGUN = re.compile(r"[0-9T:.+-]{1,40}")
FORMAT = 2
"""1 held the words of the command line instead of a request: they are still read."""


class NewerRecord(Exception):  # noqa: N818 - it names the finding
    """A record of a newer heliast, which this one does not understand."""


@dataclass(frozen=True)
class Batch:
    """Some cells of one model, and the name under which the store keeps them."""

    model: str
    key: str
    cells: int


@dataclass(frozen=True)
class Run:
    """What `run` was asked for: enough to tell what is there, what is missing, and how to go on.

    How far it is stands nowhere in the record: `Store.progress` counts what is there.

    Parameters
    ----------
    id : str
        How the run is called, from what decides it.
    begun : str
        When it began, in UTC.
    data : str
        Name of the data.
    data_fingerprint : str
        Fingerprint of the data.
    rows : int
        Rows of the data.
    models : mapping of str to str
        Names and fingerprints of the models.
    plan : str
        The plan's repr.
    plan_fingerprint : str
        Fingerprint of the splits.
    seed : int
        Seed of the run.
    versions : mapping of str to str
        Versions of the packages.
    batches : tuple of Batch
        The pieces of work, each under its name.
    subject : str
        Checksum of what the table needs beside the cells.
    request : Request, optional
        What was asked for, if it was a command.
    command : tuple of str, optional
        The words of the command, in records of old.
    folder : str, optional
        The folder that it was given in, in records of old.

    Examples
    --------
    >>> import tempfile
    >>> import heliast as hl
    >>> place = tempfile.mkdtemp()
    >>> data = hl.read("sklearn:iris")
    >>> table = hl.run({"prior": hl.Majority()}, data, 2, store=place, progress=False)
    >>> hl.store.Store.existing(place).run().cells
    2
    """

    id: str
    begun: str
    data: str
    data_fingerprint: str
    rows: int
    models: Mapping[str, str]
    plan: str
    plan_fingerprint: str
    seed: int
    versions: Mapping[str, str]
    batches: tuple[Batch, ...]
    subject: str
    request: Request | None = None
    command: tuple[str, ...] | None = None
    folder: str | None = None

    @property
    def cells(self) -> int:
        """How many (model, split) there are in all."""
        return sum(batch.cells for batch in self.batches)

    @told({}, returns="dict: Names and plain values.")
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, batches left out."""
        said = as_dict(self)
        del said["batches"], said["subject"]
        return {**said, "cells": self.cells}


@told(Run)
@dataclass(frozen=True)
class Promise:
    """What a verb of several runs was asked for; it is on record until all of them are done.

    Parameters
    ----------
    id : str
        How the promise is called, from what was asked.
    begun : str
        When it was made, in UTC.
    verb : str
        The verb, such as `benchmark`.
    parts : tuple of str
        What the runs are about: the data sets by name.

    Examples
    --------
    >>> Promise.of("benchmark", ["iris", "wine"]).parts
    ('iris', 'wine')
    """

    id: str
    begun: str
    verb: str
    parts: tuple[str, ...]
    request: Request | None = None
    command: tuple[str, ...] | None = None
    folder: str | None = None

    @classmethod
    @told(Run, returns="Promise: Not on record yet: see `Store.promised`.")
    def of(cls, verb: str, parts: Sequence[str], request: Request | None = None) -> "Promise":
        """That of a call: the same call makes the same promise, whatever is in its files by now.

        Parameters
        ----------
        verb : str
            The verb.
        parts : sequence of str
            What the runs are about.
        """
        said = None if request is None else as_dict(replace(request, files={}, anew=()))
        asked = json.dumps([verb, list(parts), said], sort_keys=True)
        name = hashlib.sha256(asked.encode()).hexdigest()[:10]
        return cls(name, now(), verb, tuple(parts), request)


@dataclass(frozen=True)
class Resumed:
    """What is gone on with: no other work may take its place.

    Parameters
    ----------
    request : Request
        What was asked for.
    runs : tuple of Run
        The runs on record that were begun by it.
    promise : Promise, optional
        The promise that it made and has not kept yet.
    several : bool, default False
        Whether it may begin runs that it had not begun.

    Examples
    --------
    >>> Resumed(Request("run", ("iris.csv",))).runs
    ()
    """

    request: Request
    runs: tuple[Run, ...] = ()
    promise: Promise | None = None
    several: bool = False

    @told(
        {"run": "Run: What is about to begin."}, returns="Run or None: The run that was to go on."
    )
    def other(self, run: Run) -> Run | None:
        """The run on record that this one would take the place of; None if it is one of them."""
        if any(run.id == one.id for one in self.runs):
            return None
        if not self.several:
            return self.runs[0]
        # Files that are known by their content are known to be the same; else names have to do.
        named = not self.request.files
        same = (
            one for one in self.runs
            if one.data_fingerprint == run.data_fingerprint or (named and one.data == run.data)
        )  # fmt: skip
        return next(same, None)


def difference(one: Run, other: Run) -> str:
    """What tells the second run from the first, in words."""
    found = []
    if one.data_fingerprint != other.data_fingerprint:
        found.append(f"the data {one.data!r} have changed")
    elif one.plan_fingerprint != other.plan_fingerprint:
        found.append(f"the splits are others ({one.plan}, now {other.plan})")
    if one.seed != other.seed:
        found.append(f"the seed was {one.seed} and is {other.seed}")
    marks = {**other.models}
    changed = [name for name, mark in one.models.items() if marks.pop(name, None) != mark]
    if names := [*changed, *marks]:
        found.append(f"models are others: {', '.join(names[:8])}")
    found += [
        f"{name} was {version} and is {other.versions.get(name)}"
        for name, version in one.versions.items()
        if version != other.versions.get(name)
    ]
    return "; ".join(found) or "its work is other work now"


@dataclass(frozen=True)
class Progress:
    """How far a run is, counted from what the store holds.

    Parameters
    ----------
    cells : int
        Cells of the run.
    finished : int
        Cells that are there.
    failed : int, optional
        Cells whose fit failed; None if they were not read.
    models : mapping of str to Progress
        The same for each model.
    failure : str
        What was told of the first cell that failed, such as its traceback.

    Examples
    --------
    >>> Progress(cells=10, finished=4).unfinished
    'unfinished: 4 of 10 cells'
    """

    cells: int
    finished: int
    failed: int | None = None
    models: Mapping[str, "Progress"] = field(default_factory=dict)
    failure: str = ""

    @property
    def unfinished(self) -> str:
        """What is to be said of it; empty when all cells are there."""
        if self.finished == self.cells:
            return ""
        return Note(f"unfinished: {self.finished} of {self.cells} cells", UNFINISHED)

    @told({}, returns="dict: Names and plain values.")
    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, and whether all cells are there."""
        return {**as_dict(self), "complete": not self.unfinished}


def identity_of(batches: Sequence[Batch]) -> str:
    """The name of a run: that of all its work."""
    return hashlib.sha256("".join(batch.key for batch in batches).encode()).hexdigest()[:10]


def now() -> str:
    """The time for the record, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


# --- as a file ---------------------------------------------------------------------------------


def to_bytes(run: Run) -> bytes:
    """The record as JSON, with a checksum of what it says."""
    said = {
        **as_dict(run),
        "batches": [[batch.model, batch.key, batch.cells] for batch in run.batches],
    }
    return _sealed("run", said)


def promise_to_bytes(promise: Promise) -> bytes:
    """The promise as JSON, with a checksum of what it says."""
    return _sealed("promise", as_dict(promise))


def promise_of_bytes(content: bytes, name: str) -> Promise:
    """What `promise_to_bytes` wrote under that name; ValueError if it is something else."""
    try:
        said = _unsealed("promise", content)
        found = Promise(
            text(said["id"]), _begun(said), text(said["verb"]),
            tuple(text(part) for part in said["parts"]), *_asked(said),
        )  # fmt: skip
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("no record of a promise") from None
    if name != found.id:
        raise ValueError("the record of another promise")
    return found


def of_bytes(content: bytes, name: str) -> Run:
    """What `to_bytes` wrote under that name; ValueError, which says why, if it is something else.

    A record may come from anywhere: nothing in it is used as a path but names of known form.
    """
    try:
        run = _run(_unsealed("run", content))
    except (KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError("no record of a run") from None
    if run.id != name or run.id != identity_of(run.batches):
        raise ValueError("the record of another run")
    return run


def _run(said: dict[str, Any]) -> Run:
    batches = tuple(Batch(text(model), key, whole(n, 1)) for model, key, n in said["batches"])
    bad = [batch for batch in batches if not KEY.fullmatch(batch.key)]
    if bad or not re.fullmatch(r"[0-9a-f]{16}", said["subject"]):
        raise ValueError("names that are not of the store")
    models = {text(name): text(mark) for name, mark in said["models"].items()}
    if {batch.model for batch in batches} != set(models):
        raise ValueError("its models are not those of its cells")
    return Run(
        text(said["id"]), _begun(said), text(said["data"]), text(said["data_fingerprint"]),
        whole(said["rows"]), models, text(said["plan"]), text(said["plan_fingerprint"]),
        whole(said["seed"]), {text(k): text(v) for k, v in said["versions"].items()}, batches,
        said["subject"], *_asked(said),
    )  # fmt: skip


def _begun(said: dict[str, Any]) -> str:
    if not BEGUN.fullmatch(said["begun"]):
        raise ValueError("no time")
    return str(said["begun"])


def _asked(said: dict[str, Any]) -> tuple[Request | None, tuple[str, ...] | None, str | None]:
    """The request; of records of old, the words of the command and its folder."""
    request, command, folder = (said.get(name) for name in ("request", "command", "folder"))
    return (
        None if request is None else Request.of(request),
        None if command is None else tuple(text(word) for word in command),
        None if folder is None else text(folder),
    )


def _sealed(kind: str, said: object) -> bytes:
    return json.dumps({"format": FORMAT, kind: said, "checksum": _sum(said)}, indent=1).encode()


def _unsealed(kind: str, content: bytes) -> dict[str, Any]:
    found = json.loads(content)
    if isinstance(found["format"], int) and found["format"] > FORMAT:
        raise NewerRecord
    said: dict[str, Any] = found[kind]
    if found["checksum"] != _sum(said):
        raise ValueError("its checksum is wrong")
    return said


def _sum(said: object) -> str:
    return checksum(json.dumps(said, sort_keys=True).encode())
