"""Sources: the data sets of a benchmark, each read when its turn comes."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.data import BUNDLED, Dataset, read_surely
from heliast.fitting.run import as_dataset

ENDINGS = (".csv", ".parquet", ".pq", ".arff")
PACKED = (".gz", ".zst", ".bz2")


@dataclass(frozen=True)
class Source:
    """A data set by name, not read yet."""

    name: str
    load: Callable[[], Dataset]


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
        found = {str(name): place for name, place in datasets.items()}
    elif isinstance(datasets, (str, os.PathLike, Dataset)):
        found = _by_name([datasets])
    elif isinstance(datasets, Sequence):
        found = _by_name(datasets)
    else:
        raise InputError(
            f"datasets: expected a folder, a list of files or data sets, or a mapping of names to "
            f"them, got {datasets!r:.60}"
        )
    if not found:
        raise InputError("no data sets: give a folder of files, a list, or a mapping of names")
    return [Source(name, partial(_load, place, reading)) for name, place in found.items()]


def _load(place: object, reading: Reading) -> Dataset:
    return as_dataset(place) if isinstance(place, (Dataset, tuple)) else reading(place)


def _by_name(places: Sequence[object]) -> dict[str, object]:
    """Files by their names; those of one name by their paths."""
    places = [part for place in places for part in _expanded(place)]
    names = [_stem(place) for place in places]
    found: dict[str, object] = {}
    for name, place in zip(names, places, strict=True):
        if names.count(name) > 1 and not isinstance(place, Dataset):
            name = str(place)
        if name in found:
            raise InputError(f"{name} is given twice: every data set counts once")
        found[name] = place
    return found


def _stem(place: object) -> str:
    if isinstance(place, Dataset):
        return place.name
    text = str(place)
    if text.startswith(BUNDLED):
        return text.removeprefix(BUNDLED)
    path = Path(text)
    return (path.with_suffix("") if path.suffix.lower() in PACKED else path).stem


def _expanded(one: object) -> Iterator[object]:
    """A folder as the files in it; anything else as it is."""
    if isinstance(one, Dataset):
        yield one
        return
    if not isinstance(one, (str, os.PathLike)):
        raise InputError(
            f"datasets: expected a path or a Dataset, got {one!r:.60}; name others in a mapping"
        )
    text = str(os.fspath(one))
    if text.startswith(BUNDLED):
        yield text
        return
    try:
        path = Path(text).expanduser()
        exists, files = path.exists(), inside(path) if path.is_dir() else [path]
    except (OSError, RuntimeError, ValueError) as error:  # no permission, no home, NUL
        raise InputError(f"{text[:200]!r}: cannot be opened ({error})") from None
    if not exists:
        raise InputError(f"{path}: there is no such file or folder")
    if not files:
        raise InputError(f"{path}: no CSV, Parquet or ARFF file in this folder")
    yield from files


def inside(folder: Path) -> list[Path]:
    """The files of data that lie in a folder, by name."""
    return [file for file in sorted(folder.iterdir()) if _is_data(file) and file.is_file()]


def _is_data(file: Path) -> bool:
    inner = file.with_suffix("") if file.suffix.lower() in PACKED else file
    return not file.name.startswith(".") and inner.suffix.lower() in ENDINGS
