"""Records of runs: which cells belong together, what they are about, how to go on."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from heliast._core.notes import UNFINISHED, Note
from heliast._core.records import as_dict
from heliast.fitting.store._files import KEY, checksum

RECORD = re.compile(r"([0-9a-f]{10})\.json")
PROMISE = re.compile(r"([0-9a-f]{10})\.promise\.json")
SUBJECT = re.compile(r"([0-9a-f]{10})-([0-9a-f]{16})\.parquet")
FORMAT = 1


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
    command : tuple of str, optional
        The command line that began it, if it was one.
    folder : str, optional
        The folder that the command was given in.

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
    command: tuple[str, ...] | None = None
    folder: str | None = None

    @property
    def cells(self) -> int:
        """How many (model, split) there are in all."""
        return sum(batch.cells for batch in self.batches)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, batches left out.

        Returns
        -------
        dict
            Names and plain values.
        """
        said = as_dict(self)
        del said["batches"], said["subject"]
        return {**said, "cells": self.cells}


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
    command : tuple of str, optional
        The command line that made it, if it was one.
    folder : str, optional
        The folder that the command was given in.

    Examples
    --------
    >>> Promise.of("benchmark", ["iris", "wine"], None, None).parts
    ('iris', 'wine')
    """

    id: str
    begun: str
    verb: str
    parts: tuple[str, ...]
    command: tuple[str, ...] | None = None
    folder: str | None = None

    @classmethod
    def of(
        cls, verb: str, parts: Sequence[str], command: Sequence[str] | None, folder: str | None
    ) -> "Promise":
        """That of a call: the same call makes the same promise, wherever the store is by now.

        Parameters
        ----------
        verb : str
            The verb.
        parts : sequence of str
            What the runs are about.
        command : sequence of str or None
            The command line, if it was one.
        folder : str or None
            The folder that it was given in.

        Returns
        -------
        Promise
            Not on record yet: see `Store.promised`.
        """
        words = None if command is None else tuple(command)
        places = ["", *(words or ())]
        asked = json.dumps([
            verb, list(parts), folder,
            [word for before, word in pairwise(places)
             if before != "--store" and not word.startswith("--store")],
        ])  # fmt: skip
        name = hashlib.sha256(asked.encode()).hexdigest()[:10]
        return cls(name, now(), verb, tuple(parts), words, folder)


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

    Examples
    --------
    >>> Progress(cells=10, finished=4).unfinished
    'unfinished: 4 of 10 cells'
    """

    cells: int
    finished: int
    failed: int | None = None
    models: Mapping[str, "Progress"] = field(default_factory=dict)

    @property
    def unfinished(self) -> str:
        """What is to be said of it; empty when all cells are there."""
        if self.finished == self.cells:
            return ""
        return Note(f"unfinished: {self.finished} of {self.cells} cells", UNFINISHED)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values, and whether all cells are there.

        Returns
        -------
        dict
            Names and plain values.
        """
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
        command, folder = said["command"], said["folder"]
        words = None if command is None else tuple(str(word) for word in command)
        parts = tuple(str(part) for part in said["parts"])
        place = None if folder is None else str(folder)
        found = Promise(str(said["id"]), str(said["begun"]), str(said["verb"]), parts, words, place)
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
    batches = tuple(Batch(str(model), key, int(cells)) for model, key, cells in said["batches"])
    bad = [batch for batch in batches if not KEY.fullmatch(batch.key) or batch.cells < 1]
    if bad or not re.fullmatch(r"[0-9a-f]{16}", said["subject"]):
        raise ValueError("names that are not of the store")
    models = {str(name): str(mark) for name, mark in said["models"].items()}
    command = said["command"]
    if {batch.model for batch in batches} != set(models):
        raise ValueError("its models are not those of its cells")
    return Run(
        str(said["id"]), str(said["begun"]), str(said["data"]), str(said["data_fingerprint"]),
        int(said["rows"]), models, str(said["plan"]), str(said["plan_fingerprint"]),
        int(said["seed"]), {str(k): str(v) for k, v in said["versions"].items()}, batches,
        said["subject"],
        None if command is None else tuple(str(word) for word in command),
        None if said["folder"] is None else str(said["folder"]),
    )  # fmt: skip


def _sealed(kind: str, said: object) -> bytes:
    return json.dumps({"format": FORMAT, kind: said, "checksum": _sum(said)}, indent=1).encode()


def _unsealed(kind: str, content: bytes) -> dict[str, Any]:
    whole = json.loads(content)
    if isinstance(whole["format"], int) and whole["format"] > FORMAT:
        raise NewerRecord
    said: dict[str, Any] = whole[kind]
    if whole["checksum"] != _sum(said):
        raise ValueError("its checksum is wrong")
    return said


def _sum(said: object) -> str:
    return checksum(json.dumps(said, sort_keys=True).encode())
