"""Sources: the data sets of a benchmark, each read when its turn comes."""

import hashlib
import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.numbers import duration
from heliast.data import BUNDLED, Dataset, read_surely
from heliast.fitting.run import as_dataset

ENDINGS = (".csv", ".parquet", ".pq", ".arff")
PACKED = (".gz", ".zst", ".bz2")


@dataclass(frozen=True)
class Source:
    """A data set by name, not read yet; its size in bytes, about, if that is known."""

    name: str
    load: Callable[[], Dataset]
    size: float = math.nan


class Clock:
    """How long the data sets that are left will take, if work grows with their size."""

    def __init__(self, sizes: Sequence[float]) -> None:
        known = [size for size in sizes if size > 0]
        usual = sum(known) / len(known) if known else 1.0
        self._sizes = [size if size > 0 else usual for size in sizes]
        self._at, self._rates, self._since = 0, list[float](), time.perf_counter()

    def passed(self, idle: bool = False) -> float:
        """One more is done: its seconds; `idle` says that nothing was fitted on it."""
        now = time.perf_counter()
        seconds, self._since = now - self._since, now
        if not idle:
            self._rates.append(seconds / self._sizes[self._at])
        self._at += 1
        return seconds

    @property
    def left(self) -> str:
        """The time left in words; empty before anything is known, and at the end."""
        ahead = sum(self._sizes[self._at :])
        if not self._rates or not ahead:
            return ""
        # The median, as the first data set also pays for all that is loaded and compiled.
        return f"; about {duration(ahead * median(self._rates))} left for all"


@dataclass(frozen=True)
class Reading:
    """How files become data sets; `task` is what the measure is for."""

    target: str | int | None = None
    task: str = "classification"
    ignore: tuple[str, ...] = ()
    missing: str = "refuse"
    order: Sequence[Label] | None = None

    def __call__(self, place: object) -> Dataset:
        """Read a file, a bundled set or a data frame."""
        options: Any = {"task": self.task, "ignore": self.ignore, "missing": self.missing}
        return read_surely(place, self.target, order=self.order, **options)


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
        size = 8.0 * one.n * (len(one.inputs) + 1) if isinstance(one, Dataset) else math.nan
        return Source(name, lambda: as_dataset(one), size)
    size = math.nan
    with suppress(OSError, ValueError, TypeError):
        size = float(os.path.getsize(one))  # type: ignore[arg-type]
    return Source(name, lambda: reading(one), size)


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
    if text.startswith(BUNDLED):
        return text.removeprefix(BUNDLED)
    path = Path(text)
    return (path.with_suffix("") if path.suffix.lower() in PACKED else path).stem


def _file(place: object) -> str:
    if isinstance(place, Dataset) or str(place).startswith(BUNDLED):
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
    if str(text).startswith(BUNDLED):
        yield str(text)
        return
    try:
        path = Path(str(text)).expanduser()
        there, folder = path.exists(), path.is_dir()
        files = inside(path) if folder else []
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


def inside(folder: Path) -> list[Path]:
    """The files of data that lie in a folder, by name."""
    return [file for file in sorted(folder.iterdir()) if _is_data(file) and file.is_file()]


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
    truth = data.y_true[order]
    truth = truth if data.task == "regression" else _by_appearance(truth)
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
