"""What the commands print: results on stdout, remarks on stderr, both as plain text."""

import json
import os
import re
import shlex
import sys
from typing import Any

import typer

# Characters that a terminal obeys, and those that have no UTF-8.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
# Commands to the log of a build: `::error::` at the start of a line (GitHub), `##[error]` and
# `##vso[...]` (Azure), `##teamcity[...]`.
_LOG_COMMAND = re.compile(r"(?m)^(?P<blank>[^\S\n]*):(?=:)|#(?=#\w*\[)")


def plain(text: str) -> str:
    """Text that a terminal or the log of a build shows but does not obey.

    Names in it may come from files of strangers. In JSON the result means the same.

    >>> plain("a\\x1b[31mb"), plain("::error::x")
    ('a\\\\u001b[31mb', '\\\\u003a:error::x')
    """
    text = _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
    return _LOG_COMMAND.sub(lambda match: f"{match['blank'] or ''}\\u{ord(match[0][-1]):04x}", text)


def say(text: str, *, err: bool = False, obeyed: str = "", end: bool = True) -> None:
    """Print plain text to stdout or stderr; `obeyed` in front of it is meant as a command.

    If the reader has gone, as in `| head -1`, the rest is dropped: the exit code of the command is
    that of its answer.
    """
    try:
        typer.echo(obeyed + plain(text), err=err, nl=end)
    except BrokenPipeError:
        stream = sys.stderr if err else sys.stdout
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def say_json(value: object) -> None:
    """Print plain values as JSON."""
    say(json.dumps(value, ensure_ascii=False, indent=2))


def remark(text: str) -> None:
    """Print on stderr what stands beside the result, unless --quiet is given."""
    if not os.environ.get("HELIAST_QUIET"):
        say(text, err=True)


def show(record: Any, as_json: bool, verbose: bool = False) -> None:
    """Print a record: its terminal view, with all tables if `verbose`, or its values as JSON."""
    if as_json:
        say_json(record.to_dict())
    else:
        say(record.to_text(verbose=verbose))


def write_report(table: Any, path: str | None, **options: Any) -> None:
    """Write the HTML report, if a path is given, and say where it is."""
    if path is not None:
        import heliast as hl

        command = shlex.join(["heliast", *sys.argv[1:]])
        remark(f"report: {hl.report(table, path, command=command, **options)}")
