"""Claims: who is at work on a batch, so that others who share the store turn to another one.

A claim saves work, it guards nothing: if two work on one batch all the same, they find the same
predictions. So it needs no lock and no common clock: a claim is over when it is taken away, when
its process is gone from this machine, or when whoever waits has seen no sign of life for a while.
"""

import secrets
import threading
import time
from contextlib import suppress
from pathlib import Path

from heliast._core.files import NotPlain
from heliast.fitting.store import _files
from heliast.fitting.store._files import is_gone, owner

BEAT = 5.0
"""Seconds from one sign of life to the next."""
PATIENCE = 60.0
"""Seconds without a sign of life after which the work is taken over."""
NEWBORN = 2.0
"""The same for a claim without an owner: its process ended between making and signing it."""

_held: dict[Path, str] = {}
_signs: list[threading.Thread] = []


def take(path: Path) -> bool:
    """Make the claim; False if there is one already."""
    said = f"{owner()}.{secrets.token_hex(4)}"
    try:
        _files.create(path, said.encode())
    except FileExistsError:
        return False
    _held[path] = said
    _give_signs()
    return True


def release(path: Path) -> None:
    """Take the claim away, unless somebody has taken it over."""
    said = _held.pop(path, None)
    with suppress(OSError, NotPlain):  # gone, or cannot be removed: it will be seen as over
        if said is not None and _said(path)[0] == said:
            _files.remove(path)


@_files.retried
def _said(path: Path) -> tuple[str, int]:
    """Who made a claim, and when the last sign of life was given."""
    with _files.reading(path, _files.CLAIM_LIMIT) as (file, about):
        return file.read(about.st_size).decode("ascii", "replace"), about.st_mtime_ns


def _give_signs() -> None:
    if not _signs or not _signs[-1].is_alive():  # the second: this process was forked
        _signs[:] = [threading.Thread(target=_signs_of_life, name="heliast-claims", daemon=True)]
        _signs[-1].start()


def _signs_of_life() -> None:
    while True:
        time.sleep(BEAT)
        for path in list(_held):
            try:
                _files.touch(path)
            except OSError:
                continue


class Watch:
    """Looks at the claim of another again and again, by this process's own clock."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[str, int] | None = None
        self._since = 0.0

    def is_over(self) -> bool:
        """Whether nobody is at work any more, as far as can be seen; `NotPlain`: it is no file."""
        try:
            seen = _said(self.path)
        except FileNotFoundError:
            return True
        now = time.monotonic()
        if seen != self._seen:
            self._seen, self._since = seen, now
        said = seen[0]
        mine_no_more = said.startswith(f"{owner()}.") and said not in _held.values()
        if mine_no_more or is_gone(said):
            return True
        return now - self._since > (PATIENCE if said else NEWBORN)
