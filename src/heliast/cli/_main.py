"""Run a command in this process: whatever goes wrong becomes one line on stderr and an exit code.

Exit code 1 says that the answer is no, so nothing else ends in it: a bug of ours ends in 2.
"""

import io
import os
import sys
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from heliast._core.errors import HeliastError
from heliast.cli import stops

# Each adds its commands to the app, in the order of `heliast --help`.
from heliast.cli import _judge, _plot, _fit, _runs, _demo  # noqa: F401  # isort: skip
from heliast.cli._app import app as app
from heliast.cli._terminal import say

MOST = 3000  # characters of a message: it may quote a file


def main() -> None:
    """Run the command line and end the process with its exit code."""
    sys.exit(_run())


def _run() -> int:
    try:
        with _short_warnings():
            code = app(standalone_mode=False)
        say("", end=False)  # what models have printed is flushed
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # the reader of --help has gone
            return 0
        raise
    except Exception as error:
        code = 2 if stops else _report_error(error)
    if stops:  # libraries and Typer make other errors, or codes, of a KeyboardInterrupt
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _report_error(error: BaseException) -> int:
    """Say in one line what went wrong; the exit code."""
    if isinstance(error, typer.Abort):  # so Typer reports a file that ends too early
        error = error.__cause__ or error
    show_usage = getattr(error, "show", None)
    if show_usage is not None:  # Typer's own, of options that do not fit
        usage = io.StringIO()
        show_usage(usage)
        say(usage.getvalue(), err=True, end=False)
    else:
        message = _message(error)
        if len(message) > MOST:
            message = f"{message[: MOST - 500]} ... {message[-400:]}"
        say(f"heliast: {message}", err=True)
    return getattr(error, "exit_code", 2)


def _message(error: BaseException) -> str:
    if isinstance(error, HeliastError):
        return str(error)
    if isinstance(error, MemoryError):
        return "not enough memory for this input; take a smaller one, or assess it with --scan"
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}cannot be read or written ({error.strerror or error})"
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("heliast"):
        package = str(error.name).partition(".")[0]
        return f"this needs the package {package}: `python -m pip install {package}`"
    if os.environ.get("HELIAST_TRACEBACK"):
        traceback.print_exception(error)
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {error} (in {frame.name}, {os.path.basename(frame.filename)} "
        f"line {frame.lineno}): a bug in heliast, please report it; HELIAST_TRACEBACK=1 shows the "
        "traceback"
    )


@contextmanager
def _short_warnings() -> Iterator[None]:
    """Print warnings of heliast, such as a model that failed, as a line each without its source."""
    with warnings.catch_warnings():
        warnings.filterwarnings("always", category=UserWarning, module="heliast")
        show_others = warnings.showwarning

        def show(message: Any, category: type[Warning], *args: Any, **kwargs: Any) -> None:
            if category.__module__.startswith("heliast"):
                say(str(message), err=True)
            else:
                show_others(message, category, *args, **kwargs)

        warnings.showwarning = show
        yield
