"""The first arguments of a verb as one prediction table, the others as its options."""

import difflib
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from heliast._core.aliases import rename_keywords
from heliast._core.errors import InputError, NotPredictions
from heliast.predictions import Predictions, as_tables, split_arguments

# Parameters of tables in the making; `in_train` is an option of the verbs.
OF_TABLES = {
    *inspect.signature(Predictions.of).parameters,
    *inspect.signature(Predictions.read).parameters,
    "common_rows",
} - {"in_train"}
Tables = Predictions | Mapping[str, Predictions]


def read_tables(
    verb: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    names: Sequence[str],
    keep: Sequence[str] = (),
) -> tuple[Tables, dict[str, Any]]:
    """Return the table, or the tables of data sets by name, and the options given by position.

    Parameters
    ----------
    verb : str
        The verb, for messages.
    arguments : sequence
        What was given by position: what makes the table, then options.
    keywords : mapping
        Keywords that are no parameters of the verb: those of the table.
    names : sequence of str
        The options that may be given by position, in order.
    keep : sequence of str
        Columns of files and frames that the verb needs.

    Returns
    -------
    tuple
        The table or tables, and the options by name.
    """
    columns = rename_keywords(keywords)
    unknown = next((name for name in columns if name not in OF_TABLES), None)
    if unknown is not None:
        close = difflib.get_close_matches(unknown, [*names, *OF_TABLES], 1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise TypeError(f"{verb}() got an unexpected keyword argument {unknown!r}{hint}")
    positional = arguments if arguments and arguments[0] is not None else arguments[1:]
    (source, y_pred, y_score), rest = split_arguments(positional)
    if len(rest) > len(names):
        raise InputError(
            f"{verb}: cannot read {rest[len(names)]!r:.60}; give options by name, as in {names[0]}="
        )
    parts = {"source": source, "y_pred": y_pred, "y_score": y_score}
    columns |= {name: value for name, value in parts.items() if value is not None}
    kept = columns.pop("keep", ())
    kept = [kept] if isinstance(kept, str) else kept or ()
    try:
        tables = as_tables(**columns, keep=tuple(dict.fromkeys([*keep, *kept])))
    except NotPredictions as error:
        fit = "hl.run(models, hl.read(...)) fits models on data and gives such a table"
        raise InputError(f"{verb}: {error}. In Python {fit}") from None
    return tables, dict(zip(names, rest, strict=False))


def read_table(
    verb: str,
    arguments: Sequence[Any],
    keywords: Mapping[str, Any],
    names: Sequence[str],
    keep: Sequence[str] = (),
) -> tuple[Predictions, dict[str, Any]]:
    """Return one table, and the options given by position; see `read_tables`."""
    tables, options = read_tables(verb, arguments, keywords, names, keep)
    if isinstance(tables, Mapping):
        raise InputError(
            f"{verb}: one table expected, got {len(tables)} tables of several models: ask for "
            "each by itself"
        )
    return tables, options
