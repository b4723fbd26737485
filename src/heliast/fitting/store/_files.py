"""Files of the store: their names, who writes them, and how they come to be whole or not at all."""

import errno
import hashlib
import os
import platform
import re
import secrets
from contextlib import suppress
from functools import cache
from pathlib import Path


def owner() -> str:
    """This process by machine and number, in letters that may stand in a file's name."""
    return f"{_machine()}.{os.getpid()}"


def is_gone(name: str) -> bool:
    """Whether the owner is a process of this machine that has ended; of others nobody can tell.

    >>> is_gone(owner()), is_gone("elsewhere.1"), is_gone("no owner at all")
    (False, False, False)
    """
    machine, _, number = name.partition(".")
    number = number.partition(".")[0]
    if machine != _machine() or not number.isdecimal() or os.name != "posix":
        return False
    return int(number) != os.getpid() and not _runs(int(number))


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    try:  # ended, but its parent has not asked how
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    return state.rpartition(")")[2].split()[:1] != ["Z"]


@cache
def _machine() -> str:
    """The machine since it started, and the space in which it numbers processes (a container)."""
    said = [platform.node()]
    for read in (_boot, _numbering):
        try:
            said.append(read())
        except OSError:  # not Linux: the name has to do
            said.append("")
    return hashlib.sha256(repr(said).encode()).hexdigest()[:10]


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def _numbering() -> str:
    return os.readlink("/proc/self/ns/pid")


SHELF = re.compile(r"[0-9a-f]{2}")
KEY = re.compile(r"[0-9a-f]{32}")
CELLS = re.compile(r"([0-9a-f]{32})-([0-9a-f]{16})\.parquet")
PART = re.compile(r"\.[0-9a-f]+\.([0-9a-z]+\.[0-9]+)\.[0-9a-f]{8}\.part|\.[0-9a-z_]{8}\.part")
CLAIM = re.compile(r"([0-9a-f]{32})\.claim")
OLD = 3600.0
"""Seconds after which a file that is still being written, or a claim, is a leftover."""


def checksum(content: bytes) -> str:
    """The first 64 bits of the SHA-256 of the bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


def write_whole(path: Path, content: bytes) -> None:
    """Write a temporary file beside the target, flush it to disk, give it its name, flush that."""
    stem = path.name.partition(".")[0].partition("-")[0]
    part = path.with_name(f".{stem}.{owner()}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except BaseException:
        forget(part)
        raise
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """A new name is safe only when the folder that holds it is on disk, too."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network folders cannot
            raise
    finally:
        os.close(handle)


def make_folder(folder: Path) -> bool:
    """Make a folder of the store, if it is not there; a link is refused: it could lead out."""
    if folder.is_symlink():
        raise OSError(errno.ELOOP, f"{folder.name} is a link")
    if folder.is_dir():
        return False
    folder.mkdir(exist_ok=True)
    return True


def forget(path: Path) -> None:
    """Remove a file that may be gone already."""
    with suppress(OSError):  # gone already, or the disk is: the error that came first matters
        path.unlink()


def shelves(folder: Path) -> list[Path]:
    """The folders that hold cells; links are not followed, they could lead out of the store."""
    return [
        Path(entry.path)
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if SHELF.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
    ]


def files(folder: Path, name: re.Pattern[str]) -> list[Path]:
    """The plain files of a folder with such a name, in order; none if there is no such folder."""
    if folder.is_symlink():
        return []
    try:
        with os.scandir(folder) as entries:
            return sorted(
                Path(entry.path)
                for entry in entries
                if name.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
            )
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_left(path: Path, now: float) -> bool:
    """Whether nobody is at this temporary file or claim any more: its owner is gone, or it is old.

    `now` is the time by the clock that dates the files.
    """
    try:
        named = PART.fullmatch(path.name)
        whose = named[1] if named is not None else path.read_text("ascii", "replace")
        return bool(whose and is_gone(whose)) or now - path.stat().st_mtime > OLD
    except OSError:
        return False
