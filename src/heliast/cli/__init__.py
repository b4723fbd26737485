"""The command line: parse, call a verb, print.

Exit codes: 0 fine, 1 the answer is no, 2 bad input or usage, 3 not enough data.
"""

import os
import signal
import sys
import traceback
from contextlib import suppress

# Each joins the app, in the order of its help.
from heliast.cli import _judge, _fit, _runs, _demo, _reproduce, _doctor  # noqa: F401  # isort: skip
from heliast.cli._app import app, in_front, refuse_overwriting, say, worded


def main(again: object = None) -> None:
    """Run the command line; whatever goes wrong becomes a message and a code.

    `again` is what a command is given that goes on from a record.

    An exit code of 1 says that the answer is no, so nothing else may end in it: a fault of our own
    is told as one, with the place (all of the way there with HELIAST_TRACEBACK=1), and ends in 2.
    """
    from heliast._core.errors import HeliastError

    _tidy_when_told_to_end()
    try:
        refuse_overwriting(sys.argv[1:])
        app(in_front(sys.argv[1:]), obj=again)
    except HeliastError as error:
        _end(str(error), error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except MemoryError:
        _end("not enough memory for this input; take a smaller one, or assess it with --scan", 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}cannot be read or written ({error.strerror or error})", 2)
    except Exception as error:
        if os.environ.get("HELIAST_TRACEBACK"):
            raise
        last = traceback.extract_tb(error.__traceback__)[-1]
        _end(
            f"{type(error).__name__}: {error} (in {last.name}, {os.path.basename(last.filename)} "
            f"line {last.lineno}): a fault of heliast, please report it; HELIAST_TRACEBACK=1 shows "
            "the whole way there",
            2,
        )


def _tidy_when_told_to_end() -> None:
    """Leave as if by Ctrl-C: temporary files are removed, which a bare signal would not do."""
    with suppress(ValueError):  # not in the main thread: somebody else's process, and affair
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def _end(words: str, code: int) -> None:
    say(f"heliast: {worded(words)}", err=True)
    sys.exit(code)
