"""Compiled kernels on disk: used where they are whole and made from this source, else made anew.

What lies there is run, so a file is read only if nobody but us, root or the owner of this code can
have written it, and its bytes are checked before anything is made of them: native code with one
wrong bit would end the process. Numba's own files have no checksum, fail where they are damaged,
and do not notice that a helper in another file has changed.

A file holds the kernel for one signature, and is named after all that decides it: the source with
whatever it imports from this folder, the signature, the processor, and the versions of Numba, LLVM
and Python. So files can be read where nothing can be written, such as in an image or a wheel.
"""

import os
import pickle
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import serialize
from numba.core.caching import CompileResultCacheImpl, NullCache

HERE = Path(__file__).parent
SEAL = 32
"""Bytes of the checksum, with which a file begins."""
MOST = 1 << 26
"""Bytes of the largest file that is read; a kernel has some 100,000."""


def places() -> Iterator[Path]:
    """Folders of compiled kernels: read in this order, and written to the first that can be."""
    here = blake2b(os.fsencode(HERE), digest_size=6).hexdigest()  # two trees, two folders
    asked = numba.config.CACHE_DIR  # type: ignore[attr-defined, unused-ignore]
    if asked:
        yield Path(asked, f"heliast-{here}")
    yield HERE / "__pycache__"
    home = os.path.expanduser("~")
    user = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    if user or os.path.isdir(home):  # there may be none
        yield Path(user or os.path.join(home, ".cache"), "heliast", f"kernels-{here}")


@cache
def source(path: Path) -> str:
    """What a file and all that it imports from its folder hold, in short."""
    found, left = dict[Path, bytes](), [path]
    while left:
        path = left.pop()
        if path not in found and path.is_file():
            found[path] = path.read_bytes()
            for module, names in re.findall(rb"^from \.(\w*) import (.*)", found[path], re.M):
                words = re.findall(rb"\w+", module or names)
                left += [path.with_name(f"{word.decode()}.py") for word in words]
    every = b"".join(blake2b(found[path]).digest() for path in sorted(found))
    return blake2b(every, digest_size=8).hexdigest()


class Kept(NullCache):  # type: ignore[misc, unused-ignore]
    """The compiled forms of one kernel, in place of Numba's own cache."""

    def __init__(self, function: Callable[..., Any]) -> None:
        path = Path(function.__code__.co_filename)
        self._stem, self._source = f"{path.stem}.{function.__name__}", source(path)

    @property
    def cache_path(self) -> str:
        """The folder that is looked at first."""
        return str(next(places()))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for a signature; None if there is none, or none that can be used."""
        target_context.refresh()
        key = self._key(sig, target_context.codegen())
        for folder in places():
            path = folder / self._name(key)
            try:
                kept, form = pickle.loads(_opened(path))
                if kept == key:
                    return _form.rebuild(target_context, form)
            except FileNotFoundError:
                continue
            except Exception:  # damaged: it could say anything
                pass
            with suppress(OSError):
                path.unlink()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel where that is possible, and say once where it is not."""
        if data.library.has_dynamic_globals:
            return  # it holds addresses of this process
        key = self._key(sig, data.codegen)
        content: bytes = _dumps((key, _form.reduce(data)))
        why = ""
        for folder in places():
            try:
                _write(
                    folder / self._name(key), blake2b(content, digest_size=SEAL).digest() + content
                )
                self._drop_old(folder)
                return
            except OSError as error:
                why += f"; {folder}: {error.strerror or error}"
        _say_once(why[2:])

    def _key(self, sig: Any, codegen: Any) -> str:
        made_by = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag
        return repr((self._stem, self._source, sig, codegen.magic_tuple(), made_by))

    def _name(self, key: str) -> str:
        return f"{self._stem}.{self._source}.{blake2b(key.encode(), digest_size=8).hexdigest()}.nbc"

    def _drop_old(self, folder: Path) -> None:
        """Remove what was compiled from what this file held before."""
        for path in folder.glob(f"{self._stem.partition('.')[0]}.*.nb[ic]"):
            if f".{self._source}." not in path.name:
                path.unlink(missing_ok=True)


class _Form(CompileResultCacheImpl):  # type: ignore[misc, unused-ignore]
    """How Numba takes a compiled function apart and puts it together again."""

    def __init__(self) -> None:
        """It looks for no place of its own."""


_form: Any = _Form()
_dumps: Any = serialize.dumps


def _opened(path: Path) -> bytes:
    """What was kept, if it is whole and nobody else can have written it."""
    flags = ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY")  # a FIFO would wait for who writes to it
    handle = os.open(path, sum((getattr(os, flag, 0) for flag in flags), os.O_RDONLY))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST or not _is_ours(status):
            raise ValueError("not a file of ours")
        content = file.read()
    if blake2b(content[SEAL:], digest_size=SEAL).digest() != content[:SEAL]:
        raise ValueError("damaged")
    return content[SEAL:]


def _is_ours(status: os.stat_result) -> bool:
    if not hasattr(os, "geteuid"):
        return True
    trusted = (0, os.geteuid(), os.stat(__file__).st_uid)
    return status.st_uid in trusted and not status.st_mode & stat.S_IWOTH


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, for its owner alone to change."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(part, flags, 0o644), "wb") as file:
            file.write(content)
        os.replace(part, path)
    finally:
        with suppress(OSError):
            part.unlink()


def _say_once(why: str) -> None:
    """In this process and those that it starts."""
    if not os.environ.get("HELIAST_CACHE_TOLD"):
        os.environ["HELIAST_CACHE_TOLD"] = "1"
        print(
            f"heliast: compiled code cannot be kept, so each start compiles again ({why}); "
            "NUMBA_CACHE_DIR names a folder for it",
            file=sys.stderr,
        )
