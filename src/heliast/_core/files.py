"""Files by name: read only if they are plain and not too large, written whole or not at all."""

import errno
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from heliast._core.errors import InputError

NOFOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_CAREFULLY: int = os.O_RDONLY
for _flag in ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY"):  # no system has all of them
    _CAREFULLY |= getattr(os, _flag, 0)
_ODD = (errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.ENODEV, errno.EOPNOTSUPP)
"""What systems say when a link that is not to be followed, a socket or a device is opened."""


class NotPlain(ValueError):  # noqa: N818 - it names the finding
    """What lies under a name is no plain file, or too large to be read; the message says which."""


@contextmanager
def plain(
    path: "str | os.PathLike[str]", limit: int, *, follow: bool = True
) -> Iterator[tuple[IO[bytes], os.stat_result]]:
    """A plain file of at most `limit` bytes, open, and what is known of it; else `NotPlain`.

    A pipe is not waited for, and what was opened is what is judged: nothing can be put in its
    place after a look. With `follow=False` a link is refused as well.
    """
    try:
        handle = os.open(path, _CAREFULLY | (0 if follow else NOFOLLOW))
    except OSError as error:
        if error.errno not in _ODD:
            raise
        raise NotPlain("it is a link or a device, not a file") from None
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise NotPlain("it is a folder, a pipe or a device, not a file")
        if about.st_size > limit:
            raise NotPlain(f"it has {about.st_size:,} bytes, more than the {limit:,} that are read")
        with os.fdopen(handle, "rb", closefd=False) as file:
            yield file, about
    finally:
        os.close(handle)


def read_plain(path: "str | os.PathLike[str]", limit: int, *, follow: bool = True) -> bytes:
    """The bytes of what `plain` opens; of a file that grows meanwhile, those it had at first.

    >>> import tempfile
    >>> path = write_text(Path(tempfile.mkdtemp()) / "a.txt", "12345")
    >>> read_plain(path, 5)
    b'12345'
    >>> read_plain(path, 4)
    Traceback (most recent call last):
        ...
    heliast._core.files.NotPlain: it has 5 bytes, more than the 4 that are read
    """
    with plain(path, limit, follow=follow) as (file, about):
        return file.read(about.st_size)


def write_text(target: "str | os.PathLike[str]", text: str) -> Path:
    """Write text as UTF-8, whole or not at all; gives the path.

    >>> import tempfile
    >>> path = write_text(Path(tempfile.mkdtemp()) / "a.txt", "é")
    >>> path.read_text(encoding="utf-8")
    'é'
    """
    # Names of files may hold bytes that are no UTF-8, which the text then shows as such.
    content = text.encode("utf-8", "backslashreplace")
    return write_whole(target, lambda file: file.write(content))


def write_whole(
    target: "str | os.PathLike[str]", fill: Callable[[IO[bytes]], object], name: str = "a file"
) -> Path:
    """Let `fill` write the file; it takes its name only when it is complete.

    The bytes go to a new file beside the target, under a name that nobody can foresee, which is
    renamed at the end and removed after any error. A link is followed, a file that is replaced
    keeps its permissions, and what is no plain file (a pipe, `/dev/stdout`) is written to directly.
    `name` is an example for the message to who names a folder.
    """
    path = Path(target).expanduser()
    try:
        _refuse_place(path, name)
        if path.exists() and not path.is_file():
            with path.open("wb") as file:
                fill(file)
        else:
            _beside(path.resolve(), fill)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be written ({reason}); check the folder") from None
    return path


def _refuse_place(path: Path, name: str) -> None:
    if path.is_dir():
        raise InputError(
            f"{path}: cannot be written: it is a folder; name a file in it, such as {path / name}"
        )
    if not path.parent.is_dir():
        folder = str(path.parent)
        raise InputError(f"{path}: cannot be written: there is no folder {folder!r}; make it first")
    if path.exists() and not os.access(path, os.W_OK):
        raise InputError(f"{path}: cannot be written: the file is there and is for reading only")


def _beside(path: Path, fill: Callable[[IO[bytes]], object]) -> None:
    beside = path.with_name(f".heliast-{secrets.token_hex(8)}.part")
    try:
        with beside.open("xb") as file:
            if path.exists():
                beside.chmod(path.stat().st_mode & 0o777)
            fill(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        with suppress(OSError):  # renamed already, or the disk is gone: the first error matters
            beside.unlink()
