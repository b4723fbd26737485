"""Sources: the data sets of a benchmark, each read when its turn comes."""

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.data._bundled import PREFIX
from heliast.data._make import make
from heliast.data._read import _table
from heliast.data._table import Table, listed
from heliast.data._target import _GUESSES as NAMES
from heliast.data._target import as_written
from heliast.fitting.run import as_dataset

ENDINGS = (".csv", ".parquet", ".pq", ".arff")
PACKED = (".gz", ".zst", ".bz2")
AGAIN = "name it with target= (a name, 'first', 'last', or a place counted from 0)"


@dataclass(frozen=True)
class Source:
    """A data set by name, not read yet."""

    name: str
    load: Callable[[], Dataset]


@dataclass(frozen=True)
class Reading:
    """How files become data sets; `task` is what the measure is for."""

    target: str | int | None = None
    task: str = "classes"
    ignore: tuple[str, ...] = ()
    missing: str = "refuse"

    def __call__(self, place: object) -> Dataset:
        """Read a file, a bundled set or a data frame."""
        table = _table(place, None)
        try:
            target = target_of(table, self.target, self.task, self.ignore)
        except InputError as error:
            raise InputError(f"{table.title}: {error}") from None
        # Whole numbers may be classes: where numbers are to be predicted, they are numbers.
        counts = self.task == "number" and target in table.names and _numeric(table, target)
        task: Any = "number" if counts else None
        ignore = [name for name in self.ignore if name in table.names and name != target]
        return make(Dataset, table, target=target, task=task, ignore=ignore, missing=self.missing)


def sources(datasets: object, reading: Reading) -> list[Source]:
    """The data sets of a folder, a list or a mapping, in order, under names that differ.

    A folder stands for the CSV, Parquet and ARFF files in it (not those in its folders), by name.
    """
    if isinstance(datasets, Mapping):
        found = [_named(str(name), one, reading) for name, one in datasets.items()]
    elif isinstance(datasets, (str, os.PathLike, Dataset)):
        found = _told_apart([datasets], reading)
    elif isinstance(datasets, Sequence):
        found = _told_apart(datasets, reading)
    else:
        raise InputError(
            f"datasets: expected a folder, a list of files or data sets, or a mapping of names to "
            f"them, got {datasets!r:.60}"
        )
    if not found:
        raise InputError("no data sets: give a folder of files, a list, or a mapping of names")
    return found


def _named(name: str, one: object, reading: Reading) -> Source:
    if isinstance(one, (Dataset, tuple)):
        return Source(name, lambda: as_dataset(one))
    return Source(name, lambda: reading(one))


def _told_apart(given: Sequence[object], reading: Reading) -> list[Source]:
    """Files are named after themselves; those of one name keep their ending, then their folder."""
    places = [place for one in given for place in _expanded(one)]
    names = [_stem(place) for place in places]
    for longer in (_file, str):
        names = [
            longer(place) if names.count(name) > 1 else name
            for name, place in zip(names, places, strict=True)
        ]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice: every data set counts once")
    return [_named(name, one, reading) for name, one in zip(names, places, strict=True)]


def _stem(place: object) -> str:
    if isinstance(place, Dataset):
        return place.name
    text = str(place)
    if text.startswith(PREFIX):
        return text.removeprefix(PREFIX)
    path = Path(text)
    return (path.with_suffix("") if path.suffix.lower() in PACKED else path).stem


def _file(place: object) -> str:
    if isinstance(place, Dataset) or str(place).startswith(PREFIX):
        return place.name if isinstance(place, Dataset) else str(place)
    return Path(str(place)).name


def _expanded(one: object) -> Iterator[object]:
    """A folder as the files in it; anything else as it is."""
    if isinstance(one, Dataset):
        yield one
        return
    if not isinstance(one, (str, os.PathLike)):
        raise InputError(
            f"datasets: expected a path or a Dataset, got {one!r:.60}; name others in a mapping"
        )
    text = os.fspath(one)
    if str(text).startswith(PREFIX):
        yield str(text)
        return
    try:
        path = Path(str(text)).expanduser()
        there, folder = path.exists(), path.is_dir()
        inside = sorted(path.iterdir()) if folder else []
        files = [file for file in inside if _is_data(file) and file.is_file()]
    except (OSError, RuntimeError, ValueError) as error:  # no permission, no home, NUL
        raise InputError(f"{str(text)[:200]!r}: cannot be opened ({error})") from None
    if not there:
        raise InputError(f"{path}: there is no such file or folder")
    if not folder:
        yield path
        return
    if not files:
        raise InputError(f"{path}: no CSV, Parquet or ARFF file in this folder")
    yield from files


def _is_data(file: Path) -> bool:
    inner = file.with_suffix("") if file.suffix.lower() in PACKED else file
    return not file.name.startswith(".") and inner.suffix.lower() in ENDINGS


# --- the same data twice -----------------------------------------------------------------------


def content_of(data: Dataset) -> str:
    """A hash of what the data say, whatever columns, classes and categories are called.

    Columns may stand in another order, and so may rows if there are numeric inputs to sort them
    by: a file and its copy in another format are the same data.

    >>> one = Dataset.of([[1.0, 5.0], [2.0, 4.0]], ["a", "b"])
    >>> content_of(one) == content_of(Dataset.of([[4.0, 2.0], [5.0, 1.0]], ["no", "yes"]))
    True
    """
    numeric = [one.values + 0.0 for one in data.inputs if not one.nominal]
    numeric.sort(key=lambda values: np.sort(values).tobytes())
    order = np.lexsort(numeric[::-1]) if numeric else np.arange(data.n)
    truth = data.truth[order]
    truth = truth if data.task == "number" else _by_appearance(truth)
    nominal = [_by_appearance(one.values[order]) for one in data.inputs if one.nominal]
    digest = hashlib.sha256(repr((data.task, data.n, len(numeric))).encode())
    for values in (*(values[order] for values in numeric), truth):
        digest.update(np.ascontiguousarray(values).tobytes())
    for part in sorted(values.tobytes() for values in nominal):
        digest.update(part)
    return digest.hexdigest()


def _by_appearance(codes: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Codes numbered as they first appear; what is missing (below 0) stays so."""
    known, first, inverse = np.unique(codes, return_index=True, return_inverse=True)
    place = np.argsort(np.argsort(first, kind="stable"), kind="stable").astype(np.int64)
    place[known < 0] = -1
    return place[inverse]


# --- the target --------------------------------------------------------------------------------


def target_of(table: Table, target: str | int | None, task: str, ignore: Sequence[str] = ()) -> str:
    """The name of the target: as told, else by its name, else the last column if it can only be it.

    A last column of text, or one declared nominal, is the target of a task of classes; one of
    numbers may as well be an input, so it must be named. In a task of numbers it is the other way
    round.
    """
    names = [name for name in table.names if name not in ignore]
    if not names:
        raise InputError("no column is left for the target")
    if target is not None:
        return _told(target, table.names, names)
    by_name = [name for name in names if name.lower() in NAMES]
    if len(by_name) > 1:
        raise InputError(f"{listed(by_name)} may each be the target: {AGAIN}")
    if by_name:
        table.notes.append(f"target: {by_name[0]!r}, by its name (say target= otherwise)")
        return by_name[0]
    if len(names) == 1:
        raise InputError("one column only: nothing to learn from")
    last, numeric = names[-1], _numeric(table, names[-1])
    if numeric != (task == "number"):
        what = "numbers" if numeric else "words"
        raise InputError(
            f"which column is the target? The last, {last!r}, holds {what}, and none is "
            f"called {', '.join(NAMES[:-1])} or {NAMES[-1]}: {AGAIN}"
        )
    table.notes.append(f"target: {last!r}, the last column (say target= otherwise)")
    return last


def _numeric(table: Table, name: str) -> bool:
    """Whether a column holds numbers, and is not declared to hold classes."""
    one = as_written(table.fetch(name), table)
    return one.kind not in ("text", "bool") and name not in table.declared


def _told(target: str | int, every: Sequence[str], names: Sequence[str]) -> str:
    """A column by name, or by its place; a name wins over a place."""
    text = str(target)
    if text in every:
        return text
    place = {"first": 0, "last": -1}.get(text.lower())
    if place is None and text.removeprefix("-").isascii() and text.removeprefix("-").isdigit():
        place = int(text[:12])
    if place is None:
        return text  # the reader says which names are close
    if not -len(names) <= place < len(names):
        raise InputError(f"target={text}: there are {len(names)} columns, 0 to {len(names) - 1}")
    return names[place]
