"""Options as the caller writes them: `y_true=` in Python, `--y-true` on the command line."""

from contextvars import ContextVar
from typing import Any

COMMAND_LINE = ContextVar("COMMAND_LINE", default=False)
# Values that are options of their own on the command line.
FLAGS = {
    ("missing", "drop"): "--drop-missing",
    ("design", "classes"): "--fixed-classes",
    ("common_rows", True): "--common-rows",
}


def option(name: str, *values: Any) -> str:
    """Return an option with its values in the syntax of the caller.

    >>> option("y_true", "COLUMN"), option("missing", "drop"), option("weight")
    ("y_true='COLUMN'", "missing='drop'", 'weight=')
    """
    if not COMMAND_LINE.get():
        if not values:
            return f"{name}="
        return f"{name}={values[0]!r}" if len(values) == 1 else f"{name}={list(values)!r}"
    flag = FLAGS.get((name, values[0])) if values else None
    if flag is not None:
        return flag
    word = f"--{name.replace('_', '-')}"
    return " ".join(f"{word} {_word(value)}" for value in values) if values else word


def _word(value: Any) -> str:
    from shlex import quote

    if isinstance(value, dict):
        return " ".join(quote(f"{key}={part}") for key, part in value.items())
    return quote(str(value))
