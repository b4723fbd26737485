"""Processes that are forked to die: by themselves, in one of several ways, or by another's hand."""

import os
import random
import resource
import signal
import sys
import traceback
from collections.abc import Callable


def within_a_write(chance: random.Random) -> None:
    """The system ends the process in the middle of a write, which leaves a torn file."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    size = chance.randint(60, 1500)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def beside_a_write(chance: random.Random) -> None:
    """Just before a temporary file is opened, renamed or removed, for the nth time."""
    event = chance.choice(["os.rename", "open", "os.remove"])
    left = chance.randint(1, 12)

    def hook(name: str, arguments: tuple[object, ...]) -> None:
        nonlocal left
        if name == event and str(arguments[0]).endswith(".part"):
            left -= 1
            if not left:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(hook)


def forked(doing: Callable[[], object]) -> int:
    """Do something in a process of its own, which has all that this one has imported; its number.

    It ends with 0, or with 70 and a traceback if anything is raised.
    """
    child = os.fork()
    if child:
        return child
    code = 70
    try:
        doing()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
