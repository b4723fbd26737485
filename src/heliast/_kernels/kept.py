"""Compiled kernels on disk: used where they are whole and made from this source, else made anew.

What lies there is run, so a file is read only if nobody but us, root or the owner of this code can
have written it, and its bytes are checked before anything is made of them: native code with one
wrong bit would end the process. Numba's own files have no checksum, fail where they are damaged,
and do not notice that a helper in another file has changed.

A file holds the kernel for one signature, and is named after all that decides it: the source with
whatever it imports from this folder, the signature, the processor, and the versions of Numba, LLVM
and Python. So files can be read where nothing can be written, such as in an image or a wheel.

Code is made for a `LEVEL` that processors of the last ten years have, not for the one at hand: a
wheel can carry it, sums are taken in the same order everywhere, and it is as fast. Elsewhere, and
where NUMBA_CPU_NAME says so, it is made for that processor.
"""

import gc
import os
import pickle
import re
import secrets
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from time import monotonic, thread_time
from typing import Any, NamedTuple

import llvmlite.binding
import numba
from numba.core import event, serialize
from numba.core.caching import CompileResultCacheImpl, NullCache

HERE = Path(__file__).parent
SEAL = 32
"""Bytes of the checksum, with which a file begins."""
MOST = 1 << 26
"""Bytes of the largest file that is read; a kernel has some 100,000."""
SHIPPED = HERE / "compiled"
"""What a wheel brings; nothing is ever written here."""
LEVEL = "x86-64-v3"
HAS = (
    "avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse3",
    "sse4.1", "sse4.2", "ssse3", "xsave",
)  # fmt: skip
"""What a processor of that level has, in LLVM's words."""
MADE_BY = numba.__version__, llvmlite.__version__, sys.implementation.cache_tag
PATIENCE = 1.5
"""Seconds of compiling after which it is said that this happens, unless HELIAST_PATIENCE is set."""


@cache
def aim() -> bool:
    """Have code made for the level, if this processor has it and nothing else was asked for.

    Numba has one aim for all that a process compiles, and takes it when it first compiles.
    """
    config: Any = numba.config
    asked = config.CPU_NAME is not None or config.CPU_FEATURES is not None or not config.ENABLE_AVX
    features = llvmlite.binding.get_host_cpu_features()
    if asked or any(not features.get(one) for one in HAS):
        return False
    config.CPU_NAME, config.CPU_FEATURES = LEVEL, ""
    return True


def places() -> Iterator[Path]:
    """Folders of compiled kernels: read in this order, and written to the first that can be."""
    here = blake2b(os.fsencode(HERE), digest_size=6).hexdigest()  # two trees, two folders
    asked = os.environ.get("NUMBA_CACHE_DIR")
    if asked:
        yield Path(asked, f"heliast-{here}")
    yield SHIPPED
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
            for module, names in re.findall(rb"^ *from \.(\w*) import (.*)", found[path], re.M):
                words = re.findall(rb"\w+", module or names)
                left += [path.with_name(f"{word.decode()}.py") for word in words]
    every = b"".join(blake2b(found[path]).digest() for path in sorted(found))
    return blake2b(every, digest_size=8).hexdigest()


class Kept(NullCache):  # type: ignore[misc, unused-ignore]
    """What is compiled of one kernel in one form, in place of Numba's own cache."""

    def __init__(self, function: Callable[..., Any], form: str) -> None:
        path = Path(function.__code__.co_filename)
        self._stem, self._source = f"{path.stem}.{function.__name__}", source(path)
        self._form = form

    @property
    def cache_path(self) -> str:
        """The folder that is looked at first."""
        return str(next(places()))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for a signature; None if there is none, or none that can be used."""
        target_context.refresh()
        made_for = target_context.codegen().magic_tuple()
        # Who has used Numba before us compiles for this processor, and can run the other as well.
        known = [(made_for[0], LEVEL, "")] if aim() else []
        for key in dict.fromkeys(self._key(sig, one) for one in (*known, made_for)):
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
        compiling.begin()
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a kernel where that is possible, and say once where it is not."""
        key = self._key(sig, data.codegen.magic_tuple())
        # The types of its variables, for people to read, name files of this machine.
        content: bytes = _dumps((key, _form.reduce(data._replace(type_annotation=""))))
        compiling.end(self._stem, len(content))
        if data.library.has_dynamic_globals:
            return  # it holds addresses of this process
        why = ""
        for folder in places():
            try:
                if folder == SHIPPED:
                    continue
                _write(
                    folder / self._name(key), blake2b(content, digest_size=SEAL).digest() + content
                )
                self._drop_old(folder)
                return
            except OSError as error:
                why += f"; {folder}: {error.strerror or error}"
        _say_once(
            "CACHE",
            f"heliast: compiled code cannot be kept, so each start compiles again ({why[2:]}); "
            "NUMBA_CACHE_DIR names a folder for it",
        )

    def _key(self, sig: Any, made_for: tuple[Any, ...]) -> str:
        return repr((self._stem, self._form, self._source, sig, made_for, MADE_BY))

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


class Compiled(NamedTuple):
    """A kernel that this process has compiled for one signature."""

    name: str
    seconds: float
    """Of a processor, without the kernels that it calls."""
    bytes: int
    """What is kept of it."""


@dataclass
class _Begun:
    """When a kernel was begun, and the processor seconds then and of those that it calls."""

    at: float
    worked: float
    of_others: float = 0.0


class _Compiling:
    """What was compiled; who waits for it is told, once."""

    def __init__(self) -> None:
        self.kernels: list[Compiled] = []
        self._waited = 0.0
        self._begun: list[_Begun] = []  # a kernel waits for those that it calls
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        if not self._begun and not os.environ.get("HELIAST_QUIET"):
            self._timer = threading.Timer(max(0.0, _patience() - self._waited), _say_compiling)
            self._timer.daemon = True
            self._timer.start()
        self._begun.append(_Begun(monotonic(), thread_time()))

    def end(self, name: str, size: int) -> None:
        done = self._begun.pop()
        worked = thread_time() - done.worked
        self.kernels.append(Compiled(name, worked - done.of_others, size))
        if self._begun:
            self._begun[-1].of_others += worked
            return
        self._waited += monotonic() - done.at
        if self._timer is not None:
            self._timer.cancel()


compiling = _Compiling()


class _Uncollected(event.Listener):  # type: ignore[misc, unused-ignore]
    """No search for garbage while something is compiled: it would take a tenth of that time.

    Numba makes millions of objects that live until it is done, and Python goes through all of them
    again and again. Numba tells of the end, too, where compiling fails or is stopped.
    """

    def __init__(self) -> None:
        self._depth, self._was_on = 0, False

    def on_start(self, event: Any) -> None:
        if self._depth == 0:
            self._was_on = gc.isenabled()
            gc.disable()
        self._depth += 1

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._was_on:
            gc.enable()


event.register("numba:compile", _Uncollected())  # type: ignore[no-untyped-call, unused-ignore]


def _patience() -> float:
    try:
        return float(os.environ.get("HELIAST_PATIENCE", PATIENCE))
    except ValueError:
        return PATIENCE


def _say_compiling() -> None:
    _say_once(
        "COMPILING",
        "heliast: compiling for this machine, once; this takes from seconds up to a minute",
    )


def _say_once(what: str, words: str) -> None:
    """In this process and those that it starts."""
    if not os.environ.get(f"HELIAST_{what}_TOLD"):
        os.environ[f"HELIAST_{what}_TOLD"] = "1"
        print(words, file=sys.stderr, flush=True)
