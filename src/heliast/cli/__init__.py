"""The command line: parse, call the function of the same name, print.

Exit codes: 0 done, 1 the answer is no, 2 bad input or a bug, 3 not enough data, 130 after Ctrl-C,
143 after SIGTERM.
"""

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from heliast.cli._main import app as app
    from heliast.cli._main import main as main

stops: list[int] = []  # the signals that have asked this process to end


def start() -> None:
    """Run the command `heliast` and end the process."""
    import signal

    os.environ["PYTHONSAFEPATH"] = "1"  # worker processes import nothing from the current folder

    def handle(handler: "Any") -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
                signal.signal(number, handler)

    def stop(number: int, frame: object) -> None:
        handle(signal.SIG_DFL)  # a second signal ends the process at once
        stops.append(number)
        raise KeyboardInterrupt

    handle(stop)
    try:
        from heliast.cli._main import main

        main()
    except KeyboardInterrupt:
        last = stops[-1] if stops else signal.SIGINT
        stored = any(word.startswith("--store") for word in sys.argv)
        again = "; the same command goes on from the finished work" if stored else ""
        how = "interrupted" if last == signal.SIGINT else "ended by SIGTERM"
        print(f"heliast: {how}{again}", file=sys.stderr, flush=True)
        # CPython ends with SIGINT's own status if an interrupt went through a library's exec() of
        # text, as dataclasses use while they are imported; the next exec() makes it forget that.
        exec("")
        sys.exit(128 + last)
    except ImportError as error:
        print(f"heliast: cannot start: {error}; see `python -m pip check`", file=sys.stderr)
        sys.exit(2)
    finally:
        handle(signal.SIG_DFL)
        if "duckdb" not in sys.modules:  # it would report what is not collected as leaked
            gc.freeze()  # else the search for garbage at exit takes 0.35 of 1.2 s of `assess`


def start_module() -> None:
    """The same for `python -m`, which puts the current folder first in the search for modules."""
    if not sys.flags.safe_path:
        del sys.path[0]
    start()


def __getattr__(name: str) -> object:
    """`app` and `main`, imported when they are used."""
    if name in ("app", "main"):
        from heliast.cli import _main

        return getattr(_main, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
