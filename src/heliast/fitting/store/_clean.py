"""What of a store may go: leftovers, damaged files, and cells that belong to no run."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from heliast._core.files import NotPlain
from heliast._core.told import told
from heliast.fitting.store import _files
from heliast.fitting.store._format import NotCells
from heliast.fitting.store._runs import RECORD, SUBJECT
from heliast.fitting.store._shelves import loaded
from heliast.fitting.store._store import Store


@dataclass(frozen=True)
class Removable:
    """Files of the store that nothing needs, by why; `kept` says what is left alone, and why.

    Parameters
    ----------
    leftovers : tuple of Path
        Temporary files whose writers were killed.
    claims : tuple of Path
        Claims of processes that are gone.
    quarantined : tuple of Path
        Damaged files that were set aside.
    doubled : tuple of Path
        Second files of the same work.
    unowned : tuple of Path
        Files of no recorded run.
    kept : str, default ''
        What is left alone, and why; or empty.

    Examples
    --------
    >>> Removable().remove()
    0
    """

    leftovers: tuple[Path, ...] = ()
    claims: tuple[Path, ...] = ()
    quarantined: tuple[Path, ...] = ()
    doubled: tuple[Path, ...] = ()
    unowned: tuple[Path, ...] = ()
    kept: str = ""

    @property
    def files(self) -> tuple[Path, ...]:
        """All of them."""
        return (
            *self.leftovers, *self.claims, *self.quarantined, *self.doubled, *self.unowned,
        )  # fmt: skip

    @told({}, returns="dict: Names and plain values.")
    def to_dict(self) -> dict[str, object]:
        """The names by why, and how many bytes they are in all."""
        listed = {
            "leftovers": self.leftovers,
            "claims": self.claims,
            "quarantined": self.quarantined,
            "doubled": self.doubled,
            "unowned": self.unowned,
        }
        said: dict[str, object] = {
            why: [str(path) for path in paths] for why, paths in listed.items()
        }
        return {**said, "bytes": sum(_size(path) for path in self.files), "kept": self.kept}

    @told({}, returns="int: The number of files that are gone.")
    def remove(self) -> int:
        """Remove them; how many went."""
        for path in self.files:
            _files.forget(path)
        return sum(not os.path.lexists(path) for path in self.files)


def removable(store: Store) -> Removable:
    """What may go: only files with the names and in the places that the store itself uses.

    Parameters
    ----------
    store : Store
        The store to look through.

    Returns
    -------
    Removable
        Files that may go, by why.

    Examples
    --------
    >>> import tempfile
    >>> removable(Store.at(tempfile.mkdtemp())).files
    ()
    """
    runs = store.runs()
    ids = {run.id for run in runs}
    # The cells of a run whose record is damaged are not lost: the record comes back with the run.
    aside = store.quarantined()
    lost = [path for path in aside if RECORD.match(path.name) and path.name[:10] not in ids]
    cells = [
        path for shelf in _files.shelves(store.folder) for path in _files.files(shelf, _files.CELLS)
    ]
    owned = {batch.key for run in runs for batch in run.batches}
    unowned = [path for path in cells if path.name[:32] not in owned]
    subjects = {f"{run.id}-{run.subject}.parquet" for run in runs}
    unowned += [
        path for path in _files.files(store.folder / "runs", SUBJECT) if path.name not in subjects
    ]
    kept = ""
    if lost and unowned:
        kept = (
            f"{len(unowned)} files of no recorded run stay, since {len(lost)} damaged record"
            f"{'s' if len(lost) > 1 else ''} in quarantine may be theirs: run again with the "
            "same arguments, or remove the damaged record yourself"
        )
    return Removable(
        tuple(store.leftovers()),
        tuple(store.old_claims()),
        _no_folders(path for path in aside if not kept or path not in lost),
        tuple(_doubled([path for path in cells if path.name[:32] in owned])),
        () if kept else _no_folders(unowned),
        kept,
    )


def _no_folders(paths: Iterable[Path]) -> tuple[Path, ...]:
    """What may go with its name: a folder holds names that are not the store's."""
    return tuple(path for path in paths if not _files.is_folder(path))


def _doubled(cells: list[Path]) -> list[Path]:
    """Of several files of one batch all but the one that is read."""
    by_key: dict[str, list[Path]] = {}
    for path in cells:
        by_key.setdefault(path.name[:32], []).append(path)
    extra = []
    for paths in by_key.values():
        whole = [path for path in paths if len(paths) > 1 and _is_whole(path)]
        extra += whole[1:]
    return extra


def _is_whole(path: Path) -> bool:
    try:
        loaded(path)
    except (NotCells, NotPlain, OSError):
        return False
    return True


def _size(path: Path) -> int:
    about = _files.about(path)
    return 0 if about is None else about.st_size
