"""Output files: whole or not at all, with the permissions that any new file would have."""

import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from heliast._core.errors import InputError


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
