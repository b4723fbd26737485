"""Records out as a data frame, in the library the user has."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from heliast._core.errors import InputError
from heliast._core.records import Shown

Record = TypeVar("Record", bound=Shown)
FIRST = ("model", "measure", "class_", "value", "low", "high", "method")
"""The columns that come first in a frame of estimates, where `class_` is called `class`."""


def to_frame(records: Sequence[Mapping[str, object]], backend: str = "pyarrow") -> Any:
    """One row a record: a pyarrow table, or a pandas or polars data frame.

    >>> to_frame([{"a": 1}, {"a": 2}]).num_rows
    2
    """
    import pyarrow as pa

    names = [*records[0]]
    if {*FIRST} <= {*names}:
        names = [*FIRST, *(name for name in names if name not in FIRST)]
    columns = {name.rstrip("_"): [_cell(record[name]) for record in records] for name in names}
    return in_library(pa.table({name: _array(one) for name, one in columns.items()}), backend)


def in_library(table: Any, backend: str) -> Any:
    """An Arrow table as it is, or as a pandas or polars data frame."""
    if backend == "pyarrow":
        return table
    if backend == "pandas":
        return table.to_pandas()
    if backend == "polars":
        import polars

        return polars.from_arrow(table)
    raise InputError(f"backend={backend!r}: choose 'pyarrow', 'pandas' or 'polars'")


def _cell(value: object) -> object:
    return "; ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def _array(values: list[object]) -> Any:
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # classes of several types, such as 1 and 'a'
        return pa.array([None if value is None else str(value) for value in values])


class Listing(Generic[Record]):
    """A result that goes through, counts and puts into a frame the records of one of its fields."""

    _listed: ClassVar[str]

    def __iter__(self) -> Iterator[Record]:
        return iter(getattr(self, self._listed))

    def __len__(self) -> int:
        return len(getattr(self, self._listed))

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One row for each record that it is made of.

        Parameters
        ----------
        backend : str
            `pyarrow`, `pandas` or `polars`: what kind of table.

        Returns
        -------
        table
            Of the kind asked for.
        """
        return to_frame([one.to_dict() for one in self], backend)
