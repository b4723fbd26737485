"""Files of the store: their names, who writes them, and how they come to be whole or not at all.

Whatever is read, written, moved or removed here is a name in a folder of the store that was opened
first, and neither the folder nor the name may be a link: nothing leads out of the store.
"""

import errno
import hashlib
import os
import platform
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, wraps
from pathlib import Path
from typing import IO, ParamSpec, TypeVar

from heliast._core.files import NOFOLLOW, NotPlain, plain

P = ParamSpec("P")
R = TypeVar("R")
_RETRIES = 3
_UNSURE = (errno.EIO, errno.ENOENT, errno.ESTALE, errno.ETIMEDOUT)
_PAUSES = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 0.0)
"""Seconds from one look to the next for a name whose making ended in such an error."""


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
    if machine != _machine() or not re.fullmatch("[0-9]{1,10}", number) or os.name != "posix":
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


LIMIT = 2**32
"""Bytes of the largest file that is written or read, be it packed or unpacked."""
RECORD_LIMIT = 2**26
"""The same for records of runs, which take more room when they are read."""
CLAIM_LIMIT = 1000
"""The same for claims."""


class OddFolder(OSError):  # noqa: N818 - it names the finding
    """A folder of the store is a link, or no folder; its text says which."""


def checksum(content: bytes) -> str:
    """The first 64 bits of the SHA-256 of the bytes."""
    return hashlib.sha256(content).hexdigest()[:16]


@cache
def largest() -> int:
    """Bytes of cells that are written or read at most: `LIMIT`, or a quarter of the memory."""
    try:
        memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not every system tells
        return LIMIT
    return min(LIMIT, memory // 4)


# --- inside the store --------------------------------------------------------------------------


@contextmanager
def opened(folder: Path) -> Iterator[int | None]:
    """The handle of a folder of the store, for `_name`; `OddFolder` if it is a link or a file.

    Whatever takes the folder's place meanwhile, the handle is of the one that was looked at.
    Where a system has no such handles (Windows) it is None.
    """
    if os.open not in os.supports_dir_fd:
        _refuse_link(folder)
        yield None
        return
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP, errno.EMLINK):
            _refuse_link(folder)
        raise
    try:
        yield handle
    finally:
        os.close(handle)


def _refuse_link(folder: Path) -> None:
    if folder.is_symlink():
        raise OddFolder(errno.ELOOP, f"{folder.name} is a link, which could lead out of the store")
    if os.path.lexists(folder) and not folder.is_dir():
        raise OddFolder(errno.ENOTDIR, f"{folder.name} is not a folder")


def retried(ask: Callable[P, R]) -> Callable[P, R]:
    """Ask again where a network disk says that what it knows of a file is out of date."""

    @wraps(ask)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        for _ in range(_RETRIES):
            try:
                return ask(*args, **kwargs)
            except OSError as error:
                if error.errno != errno.ESTALE:
                    raise
        return ask(*args, **kwargs)

    return asked


def _name(path: Path, folder: int | None) -> str:
    """The path as it is called from its open folder."""
    return str(path) if folder is None else path.name


@contextmanager
def reading(path: Path, limit: int) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """A plain file of the store, open; `NotPlain` if it is a link, no file, or larger than that."""
    with (
        opened(path.parent) as folder,
        plain(_name(path, folder), limit, follow=False, folder=folder) as found,
    ):
        yield found


@retried
def read(path: Path, limit: int) -> bytes:
    """The bytes of a plain file of the store; see `reading`."""
    with reading(path, limit) as (file, about):
        return file.read(about.st_size)


def create(path: Path, content: bytes, flush: bool = False) -> float:
    """Make a file that is not there yet; when it was made, by the clock that dates it.

    With `flush` it is on disk before anything else is done.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | getattr(os, "O_BINARY", 0)
    with opened(path.parent) as folder:
        handle = os.open(_name(path, folder), flags, 0o666, dir_fd=folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                if flush:
                    os.fsync(file.fileno())
                return os.fstat(file.fileno()).st_mtime
        except BaseException:
            forget(path)
            raise


def move(path: Path, target: Path) -> None:
    """Give a name of the store to what has another; of a link the link itself is meant."""
    with opened(path.parent) as here, opened(target.parent) as there:
        os.replace(_name(path, here), _name(target, there), src_dir_fd=here, dst_dir_fd=there)


def forget(path: Path) -> None:
    """Remove a name that may be gone already; what it links to stays."""
    with suppress(OSError):  # gone already, or the disk is: the error that came first matters
        remove(path)


def remove(path: Path) -> None:
    """Remove a name of the store; what it links to stays."""
    with opened(path.parent) as folder:
        os.unlink(_name(path, folder), dir_fd=folder)


def touch(path: Path) -> None:
    """Date a file of the store now, if it is one."""
    follow = os.utime not in os.supports_follow_symlinks
    with opened(path.parent) as folder:
        os.utime(_name(path, folder), dir_fd=folder, follow_symlinks=follow)


def about(path: Path) -> os.stat_result | None:
    """What is known of a name, of a link and not of what it links to; None if it is not there."""
    try:
        return os.stat(path, follow_symlinks=False)
    except OSError:
        return None


def is_plain(path: Path) -> bool:
    """Whether a plain file is there."""
    found = about(path)
    return found is not None and stat.S_ISREG(found.st_mode)


def is_folder(path: Path) -> bool:
    """Whether a folder is there, and not a link to one."""
    found = about(path)
    return found is not None and stat.S_ISDIR(found.st_mode)


def write_whole(path: Path, content: bytes, limit: int) -> None:
    """Write a temporary file beside the target, flush it to disk, give it its name, flush that.

    Who sleeps meanwhile, or whose clock is set, may find that another took it for a leftover.
    """
    if len(content) > limit:  # it could not be read again
        raise OSError(
            errno.EFBIG, f"{len(content):,} bytes of one file, at most {limit:,} are kept"
        )
    try:
        _write_whole(path, content)
    except FileNotFoundError:
        _write_whole(path, content)


def _write_whole(path: Path, content: bytes) -> None:
    stem = path.name.partition(".")[0].partition("-")[0]
    part = path.with_name(f".{stem}.{owner()}.{secrets.token_hex(4)}.part")
    create(part, content, flush=True)
    try:
        move(part, path)
    except BaseException as error:
        if not (isinstance(error, OSError) and _was_done(error, path, content)):
            forget(part)
            raise
    flush_folder(path.parent)


def _was_done(error: OSError, path: Path, content: bytes) -> bool:
    """Whether a rename that ended in an error was done: a network disk may lose the answer.

    It may also remember for a while that the name was not there.
    """
    for pause in _PAUSES if error.errno in _UNSURE else ():
        with suppress(OSError, NotPlain):
            if read(path, len(content)) == content:
                return True
        time.sleep(pause)
    return False


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
    _refuse_link(folder)
    if folder.is_dir():
        return False
    folder.mkdir(exist_ok=True)
    return True


def shelves(folder: Path) -> list[Path]:
    """The folders that hold cells; links are not followed, they could lead out of the store."""
    with os.scandir(folder) as entries:
        return sorted(
            Path(entry.path)
            for entry in entries
            if SHELF.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
        )


@retried
def files(folder: Path, name: re.Pattern[str]) -> list[Path]:
    """What has such a name in a folder, in order, be it a file or not; none without a folder."""
    try:
        with opened(folder) as handle:
            names = os.listdir(folder if handle is None else handle)
    except FileNotFoundError:
        return []
    return sorted(folder / one for one in names if name.fullmatch(one))


def is_left(path: Path, now: float) -> bool:
    """Whether nobody is at this temporary file or claim any more: its owner is gone, or it is old.

    `now` is the time by the clock that dates the files.
    """
    try:
        named = PART.fullmatch(path.name)
        with reading(path, LIMIT if named else CLAIM_LIMIT) as (file, found):
            whose = named[1] if named else file.read().decode("ascii", "replace")
        return bool(whose and is_gone(whose)) or now - found.st_mtime > OLD
    except NotPlain:
        return not is_folder(path)  # a link or a pipe: no writer of ours left it
    except OSError:
        return False
