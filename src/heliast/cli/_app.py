"""The application that every verb of the command line joins, and how results are printed."""

import json
import os
import re
import shlex
import stat
import sys
from typing import Annotated, Any

import typer

from heliast import __version__
from heliast._core.errors import InputError
from heliast._core.waiting import doing
from heliast.cli._narrow import Commands, folded

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""What a terminal obeys instead of showing it, and what has no UTF-8."""
_COMMAND = re.compile(r"(?m)^(?P<blank>[^\S\n]*):(?=:)|#(?=#\w*\[)")
"""What the log of a build obeys: `::error::` at the start of a line, `##[error]`, `##vso[...]` and
`##teamcity[...]` anywhere. (The marks of sections in GitLab need control characters.)
"""
_LONG_WORD, _LONG_TEXT = 300, 3000
_WRITES = ("-o", "--output", "--report", "--junit")
"""Options that name a file to write."""

app = typer.Typer(
    name="heliast",
    cls=Commands,
    help="Assess, compare and combine classifiers, and say how sure you are.",
    no_args_is_help=True,
    add_completion=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"heliast {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Nothing but the result and errors.")
    ] = False,
    no_color: Annotated[bool, typer.Option("--no-color", help="No colours.")] = False,
) -> None:
    """Assess, compare and combine classifiers, and say how sure you are.

    --quiet and --no-color may stand anywhere on the line. Results go to stdout, progress and
    remarks to stderr.
    """
    if quiet:
        os.environ["HELIAST_QUIET"] = "1"
    if no_color:
        os.environ["NO_COLOR"] = "1"


def in_front(words: list[str]) -> list[str]:
    """The words with the options that every verb has put first, where they are looked for.

    >>> in_front(["assess", "a.csv", "--quiet"])
    ['--quiet', 'assess', 'a.csv']
    """
    end = words.index("--") if "--" in words else len(words)
    common = [word for word in words[:end] if word in ("--quiet", "-q", "--no-color")]
    rest = [word for word in words[:end] if word not in common]
    return [*common, *rest, *words[end:]]


def refuse_overwriting(words: list[str]) -> None:
    """Refuse to write where one of the other words says to read: a slip would cost the data."""
    outputs: list[str] = []
    others: list[str] = []
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if at and words[at - 1] in _WRITES:
            outputs.append(word)
        elif option in _WRITES and equals:
            outputs.append(value)
        else:
            others.append(value if option.startswith("--") and equals else word)
    for output in outputs:
        if any(_same(output, other) for other in others):
            raise InputError(f"{output}: read and written by one command; write to another file")


def _same(one: str, other: str) -> bool:
    try:
        return os.path.isfile(one) and os.path.samefile(one, other)
    except (OSError, ValueError):
        return False


def plain(text: str) -> str:
    """Text that a terminal, or the log of a build, only shows: names come from files of strangers.

    What is shown instead means the same in JSON.

    >>> plain("a\\x1b[31mb")
    'a\\\\u001b[31mb'
    >>> plain("::error::x")
    '\\\\u003a:error::x'
    """
    text = _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return _COMMAND.sub(lambda found: f"{found['blank'] or ''}\\u{ord(found[0][-1]):04x}", text)


def worded(text: str) -> str:
    """A message of a length that can be read: very long words and texts lose their middle.

    >>> worded("'" + "x" * 1000 + "' is not a number")[:90]
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx ... xxxxx"
    """
    short = re.sub(
        rf"\S{{{_LONG_WORD},}}", lambda found: f"{found[0][:80]} ... {found[0][-20:]}", text
    )
    if len(short) <= _LONG_TEXT:
        return short
    return f"{short[: _LONG_TEXT - 500]} ... {short[-400:]}"


def say(text: str, err: bool = False) -> None:
    """Print text to stdout or stderr as a terminal may show it, in lines that fit it."""
    typer.echo(plain(folded(text)), err=err)


def say_json(found: object) -> None:
    """Print plain values as JSON."""
    typer.echo(plain(json.dumps(found, ensure_ascii=False, indent=2)))


def annotate(command: str) -> None:
    """Print a command of our own that the log of a build is to obey; nothing within it may be."""
    typer.echo(f"::{plain(command.removeprefix('::'))}")


def hand_over(text: str) -> None:
    """Print a file's text for another program, letter by letter, unless a log would obey it."""
    if _COMMAND.search(text) and not _is_file(sys.stdout):
        raise InputError(
            "stdout: a name in this table begins like a command to the log of a build, such as "
            "::error:: or ##[error]; write the table to a file with -o"
        )
    typer.echo(text, nl=False)


def _is_file(stream: Any) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except (OSError, ValueError):  # no stream of the system
        return False


def remark(words: str) -> None:
    """Something beside the result, on stderr; nothing if the user wants quiet."""
    if not os.environ.get("HELIAST_QUIET"):
        say(worded(words), err=True)


def write_report(table: Any, path: str | None, **options: Any) -> None:
    """Write the report, if one is asked for, and say where it is."""
    if path is None:
        return
    import heliast as hl

    doing(f"writing {path}")
    command = shlex.join(["heliast", *sys.argv[1:]])
    remark(f"report: {hl.report(table, path, command=command, **options)}")


def show(found: Any, as_json: bool) -> None:
    """Print a record: its terminal view, or its plain dict as JSON."""
    if as_json:
        say_json(found.to_dict())
    else:
        say(str(found))
