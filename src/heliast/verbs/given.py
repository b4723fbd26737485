"""The first arguments of a verb as one prediction table."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from heliast._core.aliases import rename_keywords
from heliast._core.errors import InputError, NotPredictions
from heliast.predictions import Predictions, as_tables, name_models, split_arguments
from heliast.predictions.source import Source
from heliast.verbs.sliced_by import to_keep

Given = Source
P = ParamSpec("P")
R = TypeVar("R")

# Parameters of tables in the making; `in_train` is a parameter of the verbs.
OF_TABLES = {
    *inspect.signature(Predictions.of).parameters,
    *inspect.signature(Predictions.read).parameters,
    "common_rows",
} - {"source", "in_train"}

named_apart = name_models


def together(tables: Sequence[Predictions], common: bool = False) -> Predictions:
    """All models in one table; with `common` on the rows that all have."""
    return tables[0].join(*tables[1:], common_rows=common)


def sliced_by(arguments: Sequence[Any], options: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns that a verb slices by, which are kept."""
    return to_keep(options.get("by"))


def takes_a_table(
    *others: type,
    sets: bool = False,
    keeps: Callable[[Sequence[Any], Mapping[str, Any]], tuple[str, ...]] = sliced_by,
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """A verb takes whatever `as_predictions` takes, in its first one to three arguments.

    `others` are records that the verb takes as they are, `sets` says that it takes several data
    sets by name as well. `keeps` tells which columns of files and frames it needs.
    """

    def decorate(verb: Callable[P, R]) -> Callable[P, R]:
        own = inspect.signature(verb).parameters

        @wraps(verb)
        def call(*arguments: Any, **options: Any) -> R:
            options = rename_keywords(options)
            if "source" in options:
                arguments = (options.pop("source"), *arguments)
            if arguments and isinstance(arguments[0], others):
                return verb(*arguments, **options)
            if "requirements" in own and "require" in options:
                options.setdefault("requirements", options.pop("require"))
            columns = {name: options.pop(name) for name in [*options] if name in OF_TABLES - {*own}}
            kept = [*keeps(arguments, options), *_names(columns.pop("keep", ()))]
            columns["keep"] = tuple(dict.fromkeys(kept))
            named, rest = split_arguments(arguments)
            table = _table(verb.__name__, named, columns, sets)
            return verb(table, *rest, **options)

        return cast("Callable[P, R]", call)

    return decorate


def _table(verb: str, named: tuple[Any, Any, Any], columns: dict[str, Any], sets: bool) -> Any:
    given = {
        name: value
        for name, value in zip(("source", "y_pred", "y_score"), named, strict=True)
        if value is not None
    }
    try:
        tables = as_tables(**given, **columns)
    except NotPredictions as error:
        fit = "hl.run(models, hl.read(...)) fits models on data and gives such a table"
        raise InputError(f"{verb}: {error}. In Python {fit}") from None
    if sets or isinstance(tables, Predictions):
        return tables
    raise InputError(
        f"{verb}: one table, got {len(tables)} of several models; say "
        f"{{name: hl.{verb}(table) for name, table in tables.items()}}"
    )


def _names(keep: Any) -> Sequence[str]:
    return [keep] if isinstance(keep, str) else keep or ()
