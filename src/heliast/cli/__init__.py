"""The command line: parse, call a verb, print. One file a verb, one line here.

Exit codes: 0 fine, 1 the answer is no, 2 bad input or usage, 3 not enough data.
"""

import os
import sys

import typer

from heliast.cli import (  # noqa: F401 - each joins the app
    _assess,
    _benchmark,
    _combine,
    _compare,
    _demo,
    _doctor,
    _explain,
    _export,
    _gate,
    _reproduce,
    _run,
)
from heliast.cli._app import app, in_front


def main() -> None:
    """Run the command line; turn the errors we raise on purpose into a message and a code."""
    from heliast._core.errors import HeliastError

    try:
        app(in_front(sys.argv[1:]))
    except HeliastError as error:
        typer.echo(f"heliast: {error}", err=True)
        sys.exit(error.exit_code)
    except BrokenPipeError:  # the reader of our output has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
