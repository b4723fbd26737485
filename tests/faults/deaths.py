"""Processes that are forked to die: by themselves, in one of several ways, or by another's hand."""

import os
import random
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any


def within_a_write(chance: random.Random) -> None:
    """The system ends the process in the middle of a write, which leaves a torn file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    size = chance.randint(60, 1500)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def beside_a_write(chance: random.Random) -> None:
    """Just before a claim is made or removed, or a file opened or renamed, for the nth time."""
    event = chance.choice(["os.rename", "open", "os.remove"])
    ending = {"os.rename": ".part", "open": chance.choice([".part", ".claim"]), "os.remove": ""}
    left = chance.randint(1, 12)

    def hook(name: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if name == event and str(arguments[0]).endswith(ending[event]):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


ALONE = {"within": within_a_write, "beside": beside_a_write}


def keep_time_by(clock: Path) -> None:
    """Time of day, and the dates that are given to files, are wrong by so much as the file says."""
    true_time, true_utime = time.time, os.utime

    def wrong_time() -> float:
        try:
            return true_time() + float(clock.read_text())
        except (OSError, ValueError):  # nothing is wrong, or it is just being set
            return true_time()

    def wrong_utime(path: Any, times: Any = None, **more: Any) -> None:
        if times is None and "ns" not in more:
            times = (wrong_time(), wrong_time())
        true_utime(path, times, **more)

    time.time, os.utime = wrong_time, wrong_utime


def forked(doing: Callable[[], object], group: bool = False) -> int:
    """Do something in a process of its own, which has all that this one has imported; its number.

    It ends with 0, or as the command line would; with 70 and a traceback if anything is raised.
    `group` makes it the first of a group of processes, which can be killed and stopped together.
    """
    child = os.fork()
    if group:
        os.setpgid(child, child)  # here and there, as nobody knows who comes first
    if child:
        return child
    code = 70
    try:
        doing()
        code = 0
    except SystemExit as end:
        code = int(end.code or 0)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
