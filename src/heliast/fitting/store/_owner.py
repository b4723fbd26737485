"""Who works here: a process of a machine, and whether it is surely gone."""

import hashlib
import os
import platform
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
