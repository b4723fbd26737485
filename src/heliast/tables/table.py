"""A table of named columns, whatever file or data frame it came from."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np

from heliast._core.columns import Column, Kind, column
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.places import ROWS, Places
from heliast.tables.dates import dates, from_dates
from heliast.tables.vectors import spread


class UnusableError(InputError):
    """A column of a type that no model here can take; left out of the inputs, with a note."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"column {name!r} {why}")
        self.why = why


@dataclass
class Table:
    """Columns by name, read when they are needed.

    `fetch` reads one column; `prepare` says which columns will be read, so that one pass over the
    file reads them all; `vector` reads a column of lists as one column for each place. `nested`
    names what records inside of columns hold (`metrics.f1`), which `fetch` reads as well.
    `declared` are the columns that the source itself calls nominal; `written` says that values
    were written as text; `frame` is the user's data frame, through narwhals. `left_out` says of
    columns that are not used why; `metadata` is what a Parquet file says of itself.
    """

    title: str
    stem: str
    names: list[str]
    fetch: Callable[[str], Column]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)
    declared: frozenset[str] = frozenset()
    nominal_target: bool = False
    written: bool = False
    frame: Any = None
    left_out: dict[str, str] = field(default_factory=dict)
    nested: tuple[str, ...] = ()
    metadata: dict[str, str] = field(default_factory=dict)
    prepare: Callable[[Sequence[str]], None] = lambda names: None
    vector: Callable[[str], dict[str, Column] | None] = lambda name: None


def refuse_duplicates(names: Sequence[str]) -> None:
    """Two columns of one name cannot be told apart."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise InputError(
                f"two columns are named {name!r}; rename one (a file without a header line needs "
                "names= for its columns)"
            )
        seen.add(name)


def other_order(first: Any, other: Any) -> bool:
    """Whether two series or frames of pandas have the same index in another order."""
    index: Any = getattr(first, "index", None)
    twin: Any = getattr(other, "index", None)
    if not hasattr(index, "equals") or not hasattr(twin, "equals") or index.equals(twin):
        return False
    return len(index) == len(twin) and set(index) == set(twin)


def refuse_other_index(columns: Mapping[str, Any]) -> None:
    """Refuse columns that have the index of the first in another order.

    Looked for in columns of columns as well, such as scores by class.
    """
    inner = (each for each in columns.values() if isinstance(each, Mapping))
    named = [*columns.items(), *(pair for each in inner for pair in each.items())]
    indexed = [(name, each) for name, each in named if hasattr(getattr(each, "index", 0), "equals")]
    first, known = indexed[0] if indexed else ("", None)
    for name, other in indexed[1:]:
        if other_order(known, other):
            raise InputError(
                f"{first} and {name} have the same index in another order: say "
                f"{name}.reindex({first}.index) to pair rows by it, or give plain arrays"
            )


def as_names(names: object, argument: str) -> tuple[str, ...]:
    """One name or several, as text."""
    if names is None:
        return ()
    if isinstance(names, (str, int)):
        return (str(names),)
    try:
        return tuple(str(name) for name in names)  # type: ignore[attr-defined]
    except TypeError:
        raise InputError(f"{argument}={names!r}: give the names of columns in a list") from None


def known(name: str, names: Sequence[str], argument: str) -> str:
    """The name, if there is such a column; else the closest names are shown."""
    if name in names:
        return name
    folded = {each.lower(): each for each in names}
    close = [folded[each] for each in get_close_matches(name.lower(), folded, n=3, cutoff=0.5)]
    if close:
        hint = f"did you mean {' or '.join(map(repr, close))}?"
    else:
        hint = f"the columns are {listed(names)}"
    raise InputError(f"{argument}={name!r}: there is no such column; {hint}")


def listed(names: Sequence[object], most: int = 8) -> str:
    """The first few names, and how many more there are.

    >>> listed(["a", "b", "c"], most=2)
    "'a', 'b' and 1 more"
    """
    shown = ", ".join(map(repr, names[:most]))
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


# --- text as numbers -----------------------------------------------------------------------------

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?|nan", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_LEADING_ZERO = re.compile(r"[+-]?0\d")


def is_number(text: str) -> bool:
    """Whether a text is a number as programs write it."""
    return _NUMBER.fullmatch(text.strip()) is not None


def typed(texts: Column) -> Column:
    """A column of text as booleans or numbers if all of its texts are such, else as it is.

    >>> typed(column(["1", "-2"], "y")).kind, typed(column(["007", "1"], "y")).kind
    ('whole', 'text')
    """
    if texts.kind != "text" or not texts.texts:
        return texts
    kind, table = typed_texts(texts.texts)
    if kind == "text":
        return texts
    return Column(texts.name, table[texts.values], kind, texts.missing)


def typed_texts(texts: Sequence[str]) -> tuple[Kind, Array]:
    """What these texts are, and their values with one more for what is missing."""
    if all(text.lower() in ("true", "false") for text in texts):
        return "bool", np.array([text.lower() == "true" for text in texts] + [False])
    if not all(_NUMBER.fullmatch(text) and not _LEADING_ZERO.match(text) for text in texts):
        return "text", np.empty(0)
    if all(_WHOLE.fullmatch(text) for text in texts):
        return "whole", np.array([*map(int, texts), 0], np.int64)
    if any(text.lstrip("+-").isdigit() for text in texts if len(text) > 15):
        return "text", np.empty(0)  # more digits than a number can hold
    return "number", np.array([*map(float, texts), np.nan])


def numbers(texts: Column, places: Places = ROWS) -> Column:
    """A column that must hold numbers, read from text if need be."""
    if texts.kind != "text":
        return texts
    bad = [code for code, text in enumerate(texts.texts) if text.strip() and not is_number(text)]
    rows = np.flatnonzero(np.isin(texts.values, bad))
    if rows.size:
        value = texts.texts[texts.values[rows[0]]]
        hint = "correct it or leave it empty"
        if value.lstrip().startswith(("[", "(")):
            hint = "lists written as text are read into memory (command line: --no-scan)"
        elif "," in value:
            hint = "write a decimal point, or name the mark with decimal_separator=','"
        elif value.rstrip().endswith("%"):
            hint = "write per cent as a fraction: 0.45 for 45%"
        raise InputError(
            f"column {texts.name!r}: {value[:60]!r} in {places.some(rows)} is not a number; {hint}"
        )
    table = [float(text) if text.strip() else np.nan for text in texts.texts]
    values = np.array([*table, np.nan])[texts.values]
    return Column(texts.name, values, "number", np.flatnonzero(np.isnan(values)))


# --- data frames -------------------------------------------------------------------------------


def frame_columns(frame: Any) -> tuple[dict[str, Any] | None, Any]:
    """The columns of a dict or of a data frame of any library, and that frame through narwhals.

    Neither, and there are no columns.
    """
    import narwhals as nw

    if isinstance(frame, Mapping):
        refuse_other_index(frame)
        return {str(name): frame[name] for name in frame}, None
    try:
        table = nw.from_native(frame)
        if isinstance(table, nw.LazyFrame):
            table = table.collect()
    except TypeError:
        table = _arrow_frame(frame)
        if table is None:
            return None, None
    except nw.exceptions.NarwhalsError as error:
        raise InputError(f"the data frame cannot be used: {error}") from None
    names = [str(name) for name in table.columns]
    refuse_duplicates(names)
    # By position, because a library may allow names that are numbers.
    return dict(zip(names, table.iter_columns(), strict=True)), table


def _arrow_frame(frame: Any) -> Any:
    """What narwhals does not know but Arrow does, such as a dataset of Hugging Face; else None."""
    import narwhals as nw
    import pyarrow as pa

    if hasattr(frame, "with_format") and hasattr(frame, "features"):
        return nw.from_native(frame.with_format("arrow")[:])
    try:
        return nw.from_native(pa.table(frame)) if hasattr(frame, "__arrow_c_stream__") else None
    except pa.ArrowInvalid:  # one column, such as a series
        return None


def frame_table(frame: Any, title: str, stem: str) -> Table | None:
    """The columns of a data frame or a dict of columns; None if it is neither."""
    import narwhals as nw

    columns, table = frame_columns(frame)
    if columns is None:
        return None
    kinds = (nw.Categorical, nw.Enum)
    categories = {
        name
        for name, series in columns.items()
        if table is not None and isinstance(series.dtype, kinds)
    }
    return Table(
        title,
        stem,
        list(columns),
        lambda name: _fetched(columns[name], name),
        declared=frozenset(categories),
        frame=table,
        vector=lambda name: spread(columns[name], name),
    )


def _fetched(values: Any, name: str) -> Column:
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return from_dates(values, name) or column(values, name)
    kind = series.dtype
    if isinstance(kind, (nw.Datetime, nw.Date)):
        stamps = series.cast(nw.Datetime("us")) if isinstance(kind, nw.Date) else series
        return dates(column(stamps.dt.timestamp("us").to_native(), name))
    if isinstance(kind, nw.Object):
        return from_dates(series.to_list(), name) or column(series.to_native(), name)
    if isinstance(kind, (nw.List, nw.Array, nw.Struct, nw.Binary, nw.Time, nw.Duration)):
        raise UnusableError(name, f"holds {kind}, neither numbers nor text")
    if isinstance(kind, (nw.Int128, nw.UInt128)):  # wider than NumPy knows
        series = series.cast(nw.Float64)
    return column(series.to_native(), name)
