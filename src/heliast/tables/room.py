"""How much memory a table may take, and what a file would take that is small when packed."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError

VARIABLE = "HELIAST_MEMORY"
"""The environment variable that says how much memory there is for a table, such as 8GB."""
SHARE = 0.5
"""Of what the machine has free: columns are held twice while they are read."""
NARROWEST = 8
"""Bytes that a value takes at least on the way from a file to a column, however it is packed."""
INSTEAD = (
    "take fewer rows or columns; assess can scan a file of predictions where it lies (--scan), or "
    f"allow more memory with the environment variable {VARIABLE}, such as {VARIABLE}=8GB"
)
"""What to do about a table that does not fit."""
_UNITS = {"KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_GROUP = Path("/sys/fs/cgroup")


def room() -> int:
    """The bytes that a table may take: as the variable says, or half of what is free."""
    said = os.environ.get(VARIABLE, "").strip()
    return bytes_of(said) if said else int(SHARE * free())


def bytes_of(said: str) -> int:
    """An amount of memory in words.

    >>> bytes_of("1.5GB"), bytes_of("300 mb")
    (1500000000, 300000000)
    """
    number, unit = said[:-2].strip(), _UNITS.get(said[-2:].upper())
    digits = number.replace(".", "", 1)
    if unit is None or not (digits.isascii() and digits.isdigit() and len(digits) < 16):
        raise InputError(f"{VARIABLE}={said!r}: say how much memory there is, such as 8GB or 500MB")
    return int(float(number) * unit)


def free() -> int:
    """The bytes that are free on this machine, or in the group that this process is confined to."""
    found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    about = dict(line.split(":", 1) for line in _lines(Path("/proc/meminfo")))
    if "MemAvailable" in about:
        found.append(1024 * int(about["MemAvailable"].split()[0]))
    for most, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        limit, taken = (next(_lines(_GROUP / name), "") for name in (most, used))
        if limit.isdigit() and taken.isdigit():
            found.append(max(0, int(limit) - int(taken)))
    return min(found)


def _lines(path: Path) -> Iterator[str]:
    try:
        return iter(path.read_text(encoding="ascii").splitlines())
    except (OSError, UnicodeDecodeError):
        return iter(())  # another system, or another layout


def decoded(file: Any, names: Sequence[str] | None = None) -> int:
    """The bytes that columns of a Parquet file (pyarrow) take in memory, at the least.

    From its rows and types: equal values in a row are packed into nothing, so neither the size of
    the file nor the sizes that it tells of its columns say it.
    """
    kinds = [one.type for one in file.schema_arrow if names is None or one.name in names]
    return int(file.metadata.num_rows) * sum(_width(kind) for kind in kinds)


def _width(kind: Any) -> int:
    try:
        return max(NARROWEST, int(kind.bit_width) // 8)
    except ValueError:  # text, lists: at least where they start
        return NARROWEST


def written(table: Any) -> int:
    """The bytes of the texts of an Arrow table, were each written out in its row."""
    import pyarrow as pa
    import pyarrow.compute as pc

    total = 0
    for column in table.columns:
        for chunk in column.chunks if pa.types.is_dictionary(column.type) else ():
            if pa.types.is_string(chunk.type.value_type):
                each = pc.cast(pc.binary_length(chunk.dictionary), pa.int64())
                total += pc.sum(pc.take(each, chunk.indices)).as_py() or 0
    return int(total)


def refuse_more(needed: int, what: str) -> None:
    """Refuse a table that does not fit; `what` says what takes the room."""
    most = room()
    if needed > most:
        raise InputError(
            f"{what}, which takes about {_said(needed)} of memory, more than the {_said(most)} "
            f"that a table may take here; {INSTEAD}"
        )


def _said(count: int) -> str:
    unit = "GB" if count >= 10**9 else "MB"
    return f"{count / _UNITS[unit]:,.1f} {unit}"
