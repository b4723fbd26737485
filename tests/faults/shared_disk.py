"""A disk that machines share, and that behaves as badly as such disks do: a FUSE file system.

Usage: python shared_disk.py FOLDER MOUNT {"delay": 2, ...}

Each mount of the same folder is a machine. What may be told:

- delay: seconds for which a machine believes what it has seen of names, listings and times, and of
  names that were not there, as NFS clients do; what it changes itself it sees at once.
- stubborn: it does not even see its own changes in a listing that it has seen.
- late: seconds until a renamed file has its new name, for everybody; the rename says it is done.
- lost: every so many renames, one is done, but the answer is an error.
- stale: every so many openings of a file that is there, one fails with ESTALE.
- weak: two machines may both make the same file anew (no O_EXCL, as in NFS of old).

There are no hard links and no locks.
"""

import errno
import json
import os
import sys
import threading
import time
from itertools import count
from typing import Any

from mfusepy import FUSE, FuseOSError, Operations


class Disk(Operations):  # type: ignore[misc]
    """What is asked of a mount, passed on to the folder, with what was told going wrong."""

    use_ns = True

    def __init__(self, folder: str, told: dict[str, float]) -> None:
        self.folder, self.told = folder, told
        self.listed: dict[str, tuple[float, list[str]]] = {}
        self.renames, self.openings = count(1), count(1)

    def at(self, path: str) -> str:
        return self.folder + path

    def _every(self, what: str, counter: Any) -> bool:
        nth = self.told.get(what, 0)
        return bool(nth) and next(counter) % nth == 0

    def _changed(self, path: str) -> None:
        if not self.told.get("stubborn"):
            self.listed.pop(os.path.dirname(path), None)

    # --- looking ---------------------------------------------------------------------------

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        about = os.lstat(self.at(path)) if fh is None else os.fstat(fh)
        names = ("mode", "nlink", "size", "uid", "gid", "ino")
        times = {f"st_{one}time": getattr(about, f"st_{one}time_ns") for one in "amc"}
        return {f"st_{name}": getattr(about, f"st_{name}") for name in names} | times

    def readdir(self, path: str, fh: int) -> list[str]:
        now = time.monotonic()
        seen = self.listed.get(path)
        if seen is None or now - seen[0] > self.told.get("delay", 0):
            seen = self.listed[path] = now, os.listdir(self.at(path))
        return [".", "..", *(name for name in seen[1] if not name.endswith(".late"))]

    def readlink(self, path: str) -> str:
        return os.readlink(self.at(path))

    # --- files -----------------------------------------------------------------------------

    def open(self, path: str, flags: int) -> int:
        handle = os.open(self.at(path), flags)
        if self._every("stale", self.openings):
            os.close(handle)
            raise FuseOSError(errno.ESTALE)
        return handle

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        self._changed(path)
        anew = 0 if self.told.get("weak") else os.O_EXCL  # the store makes files in no other way
        return os.open(self.at(path), os.O_RDWR | os.O_CREAT | anew, mode)

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        return os.pread(fh, size, offset)

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        return os.pwrite(fh, data, offset)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        os.truncate(self.at(path) if fh is None else fh, length)
        return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        return 0  # no power is cut here

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        return 0

    def release(self, path: str, fh: int) -> int:
        os.close(fh)
        return 0

    def utimens(self, path: str, times: Any = None) -> int:
        os.utime(self.at(path), ns=times, follow_symlinks=False)
        return 0

    # --- names -----------------------------------------------------------------------------

    def mkdir(self, path: str, mode: int) -> int:
        self._changed(path)
        os.mkdir(self.at(path), mode)
        return 0

    def rmdir(self, path: str) -> int:
        self._changed(path)
        os.rmdir(self.at(path))
        return 0

    def unlink(self, path: str) -> int:
        self._changed(path)
        os.unlink(self.at(path))
        return 0

    def rename(self, old: str, new: str) -> int:
        for path in (old, new):
            self._changed(path)
        if late := self.told.get("late"):
            kept = f"{self.at(new)}.{os.getpid()}.late"
            os.rename(self.at(old), kept)
            threading.Timer(late, os.rename, (kept, self.at(new))).start()
        else:
            os.rename(self.at(old), self.at(new))
        if self._every("lost", self.renames):
            raise FuseOSError(errno.EIO)
        return 0

    def link(self, target: str, source: str) -> int:
        raise FuseOSError(errno.EPERM)


def mount(folder: str, place: str, told: dict[str, float]) -> None:
    seconds = told.get("delay", 0)
    FUSE(
        Disk(folder, told), place, foreground=True, attr_timeout=seconds, entry_timeout=seconds,
        negative_timeout=seconds, default_permissions=False,
    )  # fmt: skip


if __name__ == "__main__":
    mount(sys.argv[1], sys.argv[2], json.loads(sys.argv[3]))
