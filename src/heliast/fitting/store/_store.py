"""The store: a folder of finished cells and of records of the runs that they belong to."""

import os
import re
import secrets
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TypeVar

from heliast._core.errors import HeliastError, InputError, NotEnoughData
from heliast._core.told import told
from heliast.fitting.store import _files
from heliast.fitting.store._assemble import assemble
from heliast.fitting.store._files import owner
from heliast.fitting.store._fingerprint import NotReused, is_current
from heliast.fitting.store._format import NotCells
from heliast.fitting.store._request import Request
from heliast.fitting.store._runs import (
    PROMISE,
    RECORD,
    Batch,
    NewerRecord,
    Progress,
    Promise,
    Resumed,
    Run,
    difference,
    identity_of,
    now,
    of_bytes,
    promise_of_bytes,
    promise_to_bytes,
    to_bytes,
)
from heliast.fitting.store._shelves import Shelves, name_of
from heliast.fitting.store._subject import Subject
from heliast.predictions import Predictions

R = TypeVar("R", Run, Promise)
Work = Sequence[tuple[str, tuple[object, ...], int]]
"""Of each batch: the model, what decides its result, how many cells."""


class Store(Shelves):
    """A folder of finished batches, each under the fingerprint of what decides its result.

    Several processes and machines may share it. A batch is written whole or not at all, under a
    name that ends in the checksum of its bytes: a torn or changed file is seen, moved to
    `quarantine`, and its work is done again. `runs` holds a record of each run.

    Parameters
    ----------
    folder : Path
        The folder; `at` makes it, `existing` expects it.
    request : Request, optional
        What a command asks for, for the record of its run.
    resumed : Resumed, optional
        What is gone on with; no other run may begin.

    Examples
    --------
    >>> import tempfile
    >>> store = Store.at(tempfile.mkdtemp())
    >>> store.find(("model", "data")), store.runs()
    (None, ())
    """

    def __init__(
        self, folder: Path, request: Request | None = None, resumed: Resumed | None = None
    ) -> None:
        super().__init__(folder)
        self.request = request if resumed is None else resumed.request
        self.resumed = resumed

    @classmethod
    def at(
        cls,
        place: "str | os.PathLike[str] | Store",
        request: Request | None = None,
        resumed: Resumed | None = None,
    ) -> "Store":
        """The store in a folder, made if it is not there.

        Parameters
        ----------
        place : Store, str or Path
            The folder, or a store, which is given back.
        request : Request, optional
            What a command asks for, for the record of its run.
        resumed : Resumed, optional
            What is gone on with; no other run may begin.

        Returns
        -------
        Store
            The store.

        Raises
        ------
        InputError
            If the folder cannot be made.
        """
        if isinstance(place, Store):
            return place
        folder = Path(str(place)).expanduser()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            in_the_way = isinstance(error, (FileExistsError, NotADirectoryError))
            why = "a file of that name is there" if in_the_way else error.strerror
            raise InputError(
                f"store {place}: cannot make this folder ({why}); name another"
            ) from None
        return cls(folder, request, resumed)

    @classmethod
    @told(
        {"place": "str or Path: The folder."},
        returns="Store: The store.",
        raises="If there is no such folder, or it holds no store.",
    )
    def existing(cls, place: str | os.PathLike[str]) -> "Store":
        """The store that is in a folder already."""
        folder = Path(str(place)).expanduser()
        if not folder.is_dir():
            what = "a file, not a folder" if folder.exists() else "no such folder"
            raise InputError(f"store {place}: {what}")
        store = cls(folder)
        try:
            if not store._records.is_dir() and not _files.shelves(folder):
                raise InputError(f"store {place}: this folder holds no run of heliast")
        except OSError as error:
            raise store._cannot("read", error) from None
        return store

    # --- runs ------------------------------------------------------------------------------

    @told(Run, returns="Run: The record.")
    def begin(
        self, data: str, plan: str, models: Mapping[str, str], work: Work, subject: Subject
    ) -> Run:
        """Record a run before its first cell; what is on record already stays, but the request.

        Parameters
        ----------
        work : Work
            Model, identity and number of cells of each batch.
        subject : Subject
            What the table needs beside the cells.
        """
        batches = tuple(Batch(model, name_of(identity), cells) for model, identity, cells in work)
        content = subject.to_bytes()
        run = Run(
            identity_of(batches), now(), data, subject.data_fingerprint, subject.truth.size,
            dict(models), plan, subject.plan_fingerprint, subject.seed, dict(subject.versions),
            batches, _files.checksum(content), self.request,
        )  # fmt: skip
        self._refuse_another(run)
        before = self._recorded(self._records / f"{run.id}.json", of_bytes)
        if before is not None and _files.is_plain(self._subject_path(before)):
            asked = run.request
            run = before
            if asked is not None:
                run = replace(before, request=asked, command=None, folder=None)
        elif before is None:
            self._tell_of_older(run)
        try:
            self._sweep()
            lacking = not _files.is_plain(self._subject_path(run))
            if run != before or lacking:
                _files.make_folder(self._records)
                if lacking:
                    self._write_subject(self._subject_path(run), content)
                record = self._records / f"{run.id}.json"
                _files.write_whole(record, to_bytes(run), _files.RECORD_LIMIT)
        except OSError as error:
            raise self._cannot("write", error) from None
        return run

    def _write_subject(self, path: Path, content: bytes) -> None:
        if os.path.lexists(path):
            self._set_aside(path, "it is a link or a folder, not a file")
        _files.write_whole(path, content, _files.largest())

    def _tell_of_older(self, run: Run) -> None:
        """Say that cells of the same call are there whose names do not cover all that decides them.

        They have other names now, so they are not found; nothing is taken from them.
        """
        asked = (run.data_fingerprint, run.plan_fingerprint, run.seed, set(run.models))
        for older in self._older:
            said = (older.data_fingerprint, older.plan_fingerprint, older.seed, set(older.models))
            if said == asked:
                warnings.warn(
                    f"store {self.folder}: run {older.id} is of an older heliast, which did not "
                    "see every change of what a model uses; its cells are kept but not used, and "
                    f"the work is done again as run {run.id}",
                    NotReused,
                    stacklevel=4,
                )

    @cached_property
    def _older(self) -> tuple[Run, ...]:
        """Runs on record whose models are marked as an older heliast did."""
        return tuple(r for r in self.runs() if not all(map(is_current, r.models.values())))

    def _refuse_another(self, run: Run) -> None:
        """Refuse to begin a run in place of the one that was to go on."""
        other = None if self.resumed is None else self.resumed.other(run)
        if other is None:
            return
        there = self.progress(other, read=False)
        raise InputError(
            f"run {other.id} cannot go on: {difference(other, run)}. {there.finished} of its "
            f"{there.cells} cells stand, in {self.folder}; nothing was fitted or written. To go "
            "on, put back what was changed and resume it again; for a new run with things as they "
            "are, give the command itself"
        )

    @contextmanager
    @told(
        {"verb": "str: The verb.", "parts": "sequence of str: What the runs are about."},
        returns="context manager: Of the promise, which is taken off the record at the end.",
    )
    def promised(self, verb: str, parts: Sequence[str]) -> Iterator[Promise]:
        """Have on record what a verb of several runs was asked for, as long as it is not done.

        A refusal is an answer, too: the same call would give it again; whoever is killed or
        interrupted is not done.
        """
        promise = None if self.resumed is None else self.resumed.promise
        promise = promise or Promise.of(verb, parts, self.request)
        try:
            _files.make_folder(self._records)
            path, content = self._promise_path(promise), promise_to_bytes(promise)
            _files.write_whole(path, content, _files.RECORD_LIMIT)
        except OSError as error:
            raise self._cannot("write", error) from None
        try:
            yield promise
        except HeliastError:
            _files.forget(self._promise_path(promise))
            raise
        _files.forget(self._promise_path(promise))

    @told({}, returns="tuple of Promise: The oldest first.")
    def promises(self) -> tuple[Promise, ...]:
        """What was asked for and is not done; a damaged record is set aside."""
        return self._every(PROMISE, promise_of_bytes)

    def _promise_path(self, promise: Promise) -> Path:
        return self._records / f"{promise.id}.promise.json"

    @told({}, returns="tuple of Run: The records.")
    def runs(self) -> tuple[Run, ...]:
        """The runs on record, the oldest first; a damaged record is set aside."""
        return self._every(RECORD, of_bytes)

    def _every(self, name: re.Pattern[str], of: Callable[[bytes, str], R]) -> tuple[R, ...]:
        """What the records with such names say, the oldest first."""
        try:
            paths = _files.files(self._records, name)
        except OSError as error:
            raise self._cannot("read", error) from None
        found = [self._recorded(path, of) for path in paths]
        there = [record for record in found if record is not None]
        return tuple(sorted(there, key=lambda record: (record.begun, record.id)))

    def _recorded(self, path: Path, of: Callable[[bytes, str], R]) -> R | None:
        try:
            content = _files.read(path, _files.RECORD_LIMIT)
            return of(content, path.name.partition(".")[0])
        except ValueError as error:
            self._set_aside(path, str(error))
        except (FileNotFoundError, NewerRecord):
            pass
        except OSError as error:
            raise self._cannot("read", error, path) from None
        return None

    @told(
        {"start": "str, default '': The run's id, or how it starts; empty is the only one."},
        returns="Run: The record.",
        raises="If no run, or more than one, starts so.",
    )
    def run(self, start: str = "") -> Run:
        """The run whose id starts so; the only one if nothing is said."""
        every = self.runs()
        fitting = [run for run in every if run.id.startswith(start)]
        if len(fitting) == 1:
            return fitting[0]
        listed = ", ".join(run.id for run in every[:8]) or "none"
        if not fitting:
            raise InputError(f"store {self.folder}: no run {start!r:.40}; there are: {listed}")
        raise InputError(
            f"store {self.folder}: {len(fitting)} runs"
            f"{f' start with {start!r}' if start else ''}; name one of: {listed}"
        )

    def progress(self, run: Run, read: bool = True) -> Progress:
        """How many cells of a run are there, and how many of these failed.

        `read=False` trusts the names of the files, which is quick, and does not know of failures.

        Parameters
        ----------
        run : Run
            The run.
        read : bool, default True
            Whether to read the files; False trusts their names.

        Returns
        -------
        Progress
            Counts, in all and for each model.
        """
        counts = {model: [0, 0, 0] for model in run.models}
        told: dict[str, str] = {}
        for batch in run.batches:
            here = counts[batch.model]
            here[0] += batch.cells
            if not read:
                here[1] += batch.cells if self.files_of(batch.key) else 0
                continue
            cells = self.read(batch.key) or []
            here[1] += len(cells)
            broken = [cell for cell in cells if cell.status != "ok"]
            here[2] += len(broken)
            if broken:
                told.setdefault(batch.model, broken[0].failure)
        parts = {
            model: Progress(every, finished, failed if read else None, failure=told.get(model, ""))
            for model, (every, finished, failed) in counts.items()
        }
        finished, failed = (sum(count[at] for count in counts.values()) for at in (1, 2))
        return Progress(run.cells, finished, failed if read else None, parts)

    @told(
        {"start": "str, default '': The run's id, or how it starts; empty is the only one."},
        returns="Predictions: The table, as `run` gives it.",
        raises="If no run, or more than one, starts so.",
    )
    def table(self, start: str = "") -> Predictions:
        """The predictions of a run as far as they are there; an unfinished one says so in a note.

        It needs neither the data nor the models. `start` is the run's id or how it starts.
        """
        run = self.run(start)
        subject = self._subject(run)
        found = [(batch.model, self.read(batch.key) or []) for batch in run.batches]
        progress = Progress(run.cells, sum(len(cells) for _, cells in found))
        if not progress.finished:
            raise NotEnoughData(f"run {run.id}: none of its {run.cells} cells is finished yet")
        if progress.unfinished:
            subject = replace(subject, notes=(progress.unfinished, *subject.notes))
        return assemble(found, list(run.models), subject)

    def _subject(self, run: Run) -> Subject:
        path = self._subject_path(run)
        try:
            content = _files.read(path, _files.largest())
            if _files.checksum(content) != run.subject:
                raise NotCells("its checksum is wrong")
            return Subject.of_bytes(content)
        except ValueError as error:
            self._set_aside(path, str(error))
            self._set_aside(self._records / f"{run.id}.json", "what it is about is lost")
            why = "is damaged"
        except FileNotFoundError:
            why = "is lost"
        except OSError as error:
            raise self._cannot("read", error, path) from None
        raise InputError(
            f"run {run.id}: what it is about ({path.name}) {why}; its cells are not: call run "
            "again with the same arguments"
        )

    # --- leftovers -------------------------------------------------------------------------

    @told({}, returns="list of Path: The files.")
    def leftovers(self) -> list[Path]:
        """Temporary files that nobody writes any more: their writers were killed."""
        return list(self._left(_files.PART))

    @told({}, returns="list of Path: The files.")
    def old_claims(self) -> list[Path]:
        """Claims of processes that are gone, or that gave no sign of life for long."""
        return list(self._left(_files.CLAIM))

    def _sweep(self) -> None:
        # One by one, just after the look: a name may soon be that of a new claim.
        for path in chain(self._left(_files.PART), self._left(_files.CLAIM)):
            _files.forget(path)

    def _left(self, name: re.Pattern[str]) -> Iterator[Path]:
        """Files with such a name, in all places, that nobody is at any more."""
        # The store itself may be a link, its own folders may not.
        root = self.folder.resolve()
        try:
            places = [root, self._records, *_files.shelves(self.folder)]
            every = [path for place in places for path in _files.files(place, name)]
        except OSError as error:
            raise self._cannot("read", error) from None
        clock = self._clock() if every else 0.0
        return (path for path in every if _files.is_left(path, clock))

    def _clock(self) -> float:
        """The time by the clock that dates the files, which may be another machine's."""
        probe = self.folder.resolve() / f".{'0' * 32}.{owner()}.{secrets.token_hex(4)}.part"
        try:
            return _files.create(probe, b"")
        except OSError:
            return time.time()
        finally:
            _files.forget(probe)

    @property
    def _records(self) -> Path:
        return self.folder / "runs"

    def _subject_path(self, run: Run) -> Path:
        return self._records / f"{run.id}-{run.subject}.parquet"
