"""A table of named columns, wherever it came from: what every reader gives and `make` takes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast._core.places import ROWS, Places
from heliast.tables.dates import dates, from_dates


class UnusableError(InputError):
    """A column of a type that no model here can take; left out of the inputs, with a note."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(f"column {name!r} {why}")
        self.why = why


@dataclass
class Table:
    """Columns by name, read when asked for.

    `declared` says which columns the source itself calls nominal; `written` that values were
    written as text, so that `1` is a number; `frame` is the user's data frame, through narwhals.
    `left_out` says of columns that were not used why.
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
    inner = (one for one in columns.values() if isinstance(one, Mapping))
    named = [*columns.items(), *(pair for one in inner for pair in one.items())]
    indexed = [(name, one) for name, one in named if hasattr(getattr(one, "index", 0), "equals")]
    first, known = indexed[0] if indexed else ("", None)
    for name, one in indexed[1:]:
        if other_order(known, one):
            raise InputError(
                f"{first} and {name} have the same index in another order: say "
                f"{name}.reindex({first}.index) to pair rows by it, or give plain arrays"
            )


def as_names(given: object, argument: str) -> tuple[str, ...]:
    """One name or several, as text."""
    if given is None:
        return ()
    if isinstance(given, (str, int)):
        return (str(given),)
    try:
        return tuple(str(name) for name in given)  # type: ignore[attr-defined]
    except TypeError:
        raise InputError(f"{argument}={given!r}: give the names of columns in a list") from None


def known(name: str, names: Sequence[str], argument: str) -> str:
    """The name, if there is such a column; else the closest names are shown."""
    if name in names:
        return name
    folded = {one.lower(): one for one in names}
    close = [folded[one] for one in get_close_matches(name.lower(), folded, n=3, cutoff=0.5)]
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
    columns, table = frame_columns(frame)
    if columns is None or table is None:
        found = columns or {}
        made = Table(title, stem, list(found), lambda name: _fetched(found[name], name, made.notes))
        return None if columns is None else made
    import narwhals as nw

    notes: list[str] = []

    def of(*kinds: Any) -> frozenset[str]:
        return frozenset(name for name, one in columns.items() if isinstance(one.dtype, kinds))

    return Table(
        title, stem, list(columns), lambda name: _fetched(columns[name], name, notes), ROWS, notes,
        of(nw.Categorical, nw.Enum), frame=table,
    )  # fmt: skip


def _fetched(values: Any, name: str, notes: list[str]) -> Column:
    import narwhals as nw

    series = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        return from_dates(values, name) or column(values, name)
    kind = series.dtype
    if isinstance(kind, (nw.Datetime, nw.Date)):
        stamps = series.cast(nw.Datetime("us")) if isinstance(kind, nw.Date) else series
        return dates(column(stamps.dt.timestamp("us").to_native(), name))
    if isinstance(kind, nw.Duration):
        notes.append(f"duration {name!r} read as seconds")
        return replace(dates(column(series.dt.total_microseconds().to_native(), name)), date=False)
    if isinstance(kind, nw.Object):
        return from_dates(series.to_list(), name) or column(series.to_native(), name)
    if isinstance(kind, (nw.List, nw.Array, nw.Struct, nw.Binary, nw.Time)):
        raise UnusableError(name, f"holds {kind}, neither numbers nor text")
    if isinstance(kind, (nw.Int128, nw.UInt128)):  # wider than NumPy knows
        series = series.cast(nw.Float64)
    return column(series.to_native(), name)
