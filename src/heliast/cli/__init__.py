"""The command line: parse, call a verb, print.

Exit codes: 0 fine, 1 the answer is no, 2 bad input, usage or a fault, 3 not enough data; 128 + the
number of the signal that ended it (130 Ctrl-C, 143 SIGTERM).
"""

import atexit
import gc
import sys

from heliast.cli._guard import guarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from heliast.cli._main import app as app
    from heliast.cli._main import main as main


def _leave() -> None:
    """Nothing is looked through any more, unless DuckDB would report what is left as leaked."""
    if "duckdb" not in sys.modules:
        gc.freeze()


def start() -> None:
    """The command `heliast`: the guard first, so that a signal meets it, and not an import."""
    guarded()
    # Hardly anything that is imported becomes garbage, and what is left at the end goes with the
    # process: looking through all of it would take a quarter of the time of a small job.
    gc.set_threshold(300_000)
    atexit.register(_leave)
    try:
        from heliast.cli._main import main
    except Exception as error:  # a package is missing or broken: Python would end in 1
        print(
            f"heliast: cannot start ({type(error).__name__}: {error}); install it again, or "
            "ask `python -m pip check`",
            file=sys.stderr,
        )
        sys.exit(2)
    main()


def __getattr__(name: str) -> object:
    """`app` and `main`, imported when they are asked for."""
    if name in ("app", "main"):
        from heliast.cli import _main

        return getattr(_main, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
