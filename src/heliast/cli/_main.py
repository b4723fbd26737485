"""Run a command in this process; whatever goes wrong becomes a message and a code."""

import os
import signal
import sys
import traceback

import typer

from heliast._core.errors import HeliastError

# Each joins the app, in the order of its help.
from heliast.cli import _judge, _draw, _fit, _runs, _demo, _reproduce, _doctor, _warm  # noqa: F401  # isort: skip
from heliast.cli._app import app as app
from heliast.cli._app import in_front, refuse_overwriting, say, worded
from heliast.cli._guard import farewell
from heliast.cli._waiting import told


def main(again: object = None) -> None:
    """Run the command line; whatever goes wrong becomes a message and a code.

    `again` is what a command is given that goes on from a record.

    An exit code of 1 says that the answer is no, so nothing else may end in it: a fault of our own
    is told as one, with the place (all of the way there with HELIAST_TRACEBACK=1), and ends in 2.
    """
    try:
        refuse_overwriting(sys.argv[1:])
        # Typer on its own would end in 1 where a file ends too early.
        with told():
            code = app(in_front(sys.argv[1:]), standalone_mode=False, obj=again)
            sys.stdout.flush()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # so ends Typer
            _seen_enough()
        raise
    except KeyboardInterrupt:
        code = 130
    except HeliastError as error:
        _end(str(error), error.exit_code)
    except BrokenPipeError:
        _seen_enough()
    except MemoryError:
        _end("not enough memory for this input; take a smaller one, or assess it with --scan", 2)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        _end(f"{where}cannot be read or written ({error.strerror or error})", 2)
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package in ("", "heliast"):
            _fault(error)
        _end(f"this needs the package {package}: `python -m pip install {package}`", 2)
    except typer.Abort as abort:
        _fault(abort.__cause__ or abort)
    except Exception as error:
        show = getattr(error, "show", None)
        if show is None:
            _fault(error)
        else:
            show()  # Typer's own, of words that do not fit
            sys.exit(2)
    if code == 130:
        say(farewell(signal.SIGINT), err=True)
    sys.exit(code if isinstance(code, int) else 0)


def _seen_enough() -> None:
    """End well: the reader of our output has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _fault(error: BaseException) -> None:
    if os.environ.get("HELIAST_TRACEBACK"):
        traceback.print_exception(error)
    last = traceback.extract_tb(error.__traceback__)[-1]
    _end(
        f"{type(error).__name__}: {error} (in {last.name}, {os.path.basename(last.filename)} "
        f"line {last.lineno}): a fault of heliast, please report it; HELIAST_TRACEBACK=1 shows "
        "the whole way there",
        2,
    )


def _end(words: str, code: int) -> None:
    say(f"heliast: {worded(words)}", err=True)
    sys.exit(code)
