"""Shelves: finished batches by name, each one Parquet file, written whole or not at all."""

import hashlib
import os
import re
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from heliast._core.errors import InputError
from heliast._core.files import NotPlain
from heliast._core.told import told
from heliast.fitting.store import _claims, _files
from heliast.fitting.store._format import NotCells, OtherFormat, dump, load
from heliast.fitting.store._records import Cell

QUARANTINE = "quarantine"
ASIDE = re.compile(r"[0-9a-f]{10,32}(-[0-9a-f]{16}|\.promise)?\.(parquet|json|claim)(\.\d+)?")
"""What may lie in the quarantine: files of the store, numbered where one of that name was there."""
_LOOK = 0.05
"""Seconds from one look at another's claim to the next, at first; at most a second."""


class Damaged(UserWarning):
    """A file of the store was not what had been written, and was set aside.

    Examples
    --------
    >>> issubclass(Damaged, Warning)
    True
    """


class Shelves:
    """The part of a store that holds cells; see `Store`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stuck: dict[Path, str] = {}
        """Damaged files that could not be moved to quarantine, and why."""
        self._watches: dict[Path, _claims.Watch] = {}

    def __getstate__(self) -> dict[str, object]:
        """Workers may have been started in another folder, from which a relative path misleads."""
        return {**self.__dict__, "folder": self.folder.absolute()}

    def find(self, identity: tuple[object, ...]) -> list[Cell] | None:
        """The cells of a batch finished before, or None.

        Parameters
        ----------
        identity : tuple of object
            What decides the result: fingerprints of model, data, plan and splits.

        Returns
        -------
        list of Cell or None
            The cells, or None.
        """
        return self.read(name_of(identity))

    def keep(self, identity: tuple[object, ...], cells: Sequence[Cell]) -> None:
        """Write a finished batch: a temporary file, flushed to disk, then renamed.

        Parameters
        ----------
        identity : tuple of object
            What decides the result: fingerprints of model, data, plan and splits.
        cells : sequence of Cell
            The finished cells.
        """
        self._write(name_of(identity), cells)

    @told(keep, returns="list of Cell or None: The cells, or None if another process is at it.")
    def done(
        self, identity: tuple[object, ...], work: Callable[[], list[Cell]], wait: bool = True
    ) -> list[Cell] | None:
        """The cells of a batch: those that are there, or else made by `work` here and kept.

        If another process is at it, wait for it; with `wait=False` answer None instead.

        Parameters
        ----------
        work : callable
            Makes the cells, if they are not there.
        wait : bool, default True
            Whether to wait for another process that is at it.
        """
        key = name_of(identity)
        claim = self._shelf(key) / f"{key}.claim"
        # Kept from call to call, so that many claims of the dead are waited for at once.
        watch, pause = self._watches.setdefault(claim, _claims.Watch(claim)), _LOOK
        while True:
            if self._claimed(key, claim):
                try:
                    return self._found_or_made(key, work)
                finally:
                    _claims.release(claim)
            found = self.read(key)
            if found is not None:
                return found
            if self._is_over(watch, claim):
                time.sleep(_LOOK / 10)  # a network disk may not see for a while that it is taken
                continue
            if not wait:
                return None
            time.sleep(pause)
            pause = min(1.0, 1.5 * pause)

    @told(keep)
    def replace(self, identity: tuple[object, ...], cells: Sequence[Cell]) -> None:
        """Write a batch of which some cells were tried again, then take the older one away."""
        before = self.files_of(name_of(identity))
        self.keep(identity, cells)
        now = self.files_of(name_of(identity))
        for path in before:
            if len(now) > len(before):  # otherwise the same bytes were written again
                _files.forget(path)

    @told(
        {"key": "str: The name of a batch: the fingerprint of its identity."},
        returns="list of Cell or None: The cells, or None if there are none that can be read.",
    )
    def read(self, key: str) -> list[Cell] | None:
        """The cells under a name; of several files, which all say the same, the first by name."""
        for path in self.files_of(key):
            try:
                return loaded(path)
            except OtherFormat:
                continue  # a newer heliast may want it
            except (NotCells, NotPlain) as error:
                self._set_aside(path, str(error))
            except FileNotFoundError:
                continue  # another process has just set it aside
            except OSError as error:
                raise self._cannot("read", error, path) from None
        return None

    @told(read, returns="list of Path: The files, none if there are none.")
    def files_of(self, key: str) -> list[Path]:
        """The files under a name: one, or more where processes did the same work."""
        try:
            there = _files.files(self._shelf(key), _files.CELLS)
        except OSError as error:
            raise self._cannot("read", error) from None
        return [path for path in there if path.name.startswith(key)]

    def quarantined(self) -> tuple[Path, ...]:
        """The damaged files that were set aside.

        Returns
        -------
        tuple of Path
            The files, and what else lay under the name of one; none if the folder is a link.
        """
        try:
            return tuple(_files.files(self.folder / QUARANTINE, ASIDE))
        except _files.OddFolder:
            return ()
        except OSError as error:
            raise self._cannot("read", error) from None

    # --- writing ---------------------------------------------------------------------------

    def _found_or_made(self, key: str, work: Callable[[], list[Cell]]) -> list[Cell]:
        cells = self.read(key)
        if cells is None:
            cells = work()
            self._write(key, cells)
        return cells

    def _write(self, key: str, cells: Sequence[Cell]) -> None:
        content = dump(key, cells)
        path = self._shelf(key) / f"{key}-{_files.checksum(content)}.parquet"
        try:
            self._make_shelf(key)
            _files.write_whole(path, content, _files.largest())
        except OSError as error:
            raise self._cannot("write", error) from None

    def _make_shelf(self, key: str) -> None:
        if _files.make_folder(self._shelf(key)):
            _files.flush_folder(self.folder)

    def _claimed(self, key: str, claim: Path) -> bool:
        try:
            self._make_shelf(key)
            return _claims.take(claim)
        except OSError as error:
            raise self._cannot("write", error) from None

    def _is_over(self, watch: _claims.Watch, claim: Path) -> bool:
        try:
            over = watch.is_over()
            if over:
                with suppress(FileNotFoundError):
                    _files.remove(claim)
        except NotPlain as error:
            self._set_aside(claim, str(error))
            return not os.path.lexists(claim)
        except OSError as error:
            raise self._cannot("write", error) from None
        return over

    def _set_aside(self, path: Path, why: str) -> None:
        """Move a damaged file out of the way; where nothing can be moved it is passed over."""
        aside = self.folder / QUARANTINE
        told = f"was moved to {QUARANTINE}"
        try:
            _files.make_folder(aside)
            target, again = aside / path.name, 0
            while os.path.lexists(target):
                again += 1
                target = aside / f"{path.name}.{again}"
            _files.move(path, target)
        except FileNotFoundError:
            return  # another process was quicker
        except OSError as error:
            self.stuck[path] = str(error.strerror or error)
            told = f"cannot be moved to {QUARANTINE} ({self.stuck[path]})"
        warnings.warn(
            f"store {self.folder}: {path.name} is damaged ({why}); it {told} and is not used",
            Damaged,
            stacklevel=2,
        )

    def _shelf(self, key: str) -> Path:
        return self.folder / key[:2]

    def _cannot(self, what: str, error: OSError, path: Path | None = None) -> InputError:
        why = error.strerror or error
        if path is not None:
            what += f" {path.relative_to(self.folder)}"
        if isinstance(error, _files.OddFolder):
            do = "remove it, or name another store"
        elif not self.folder.is_dir():
            why, do = "the folder is gone", "what was finished before is gone with it"
        elif what.startswith("write"):
            do = (
                "what was finished before is kept, so make room or let it be written, and run again"
            )
        else:
            do = "check who may read it"
        return InputError(f"store {self.folder}: cannot {what} ({why}); {do}")


def loaded(path: Path) -> list[Cell]:
    """The cells of a file of the store; `NotCells`, `NotPlain` if it is not as it was written."""
    key, _, summed = path.name.partition(".")[0].partition("-")
    content = _files.read(path, _files.largest())
    if _files.checksum(content) != summed:
        raise NotCells("its checksum is wrong")
    return load(key, content)


def name_of(identity: tuple[object, ...]) -> str:
    """The name of a batch: a hash of all that decides its result."""
    return hashlib.sha256(repr(identity).encode()).hexdigest()[:32]
