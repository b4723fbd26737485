"""Finished cells on disk, so that a study that stopped goes on where it was."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Found = dict[str, Array]
FOLDER = Path(__file__).resolve().parents[3] / "build" / "coverage"


def kept(name: str, make: Callable[[], Found]) -> Found:
    """The arrays of that name, made now if they are not there yet."""
    path = FOLDER / f"{name}.npz"
    if path.exists():
        with np.load(path) as file:
            return {key: file[key] for key in file.files}
    found = make()
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part.npz")
    np.savez_compressed(part, **found)
    part.replace(path)
    return found


def listed(name: str, make: Callable[[], list[dict[str, object]]]) -> list[dict[str, Any]]:
    """The records of that name, made now if they are not there yet."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        found = make()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found))
    return list(json.loads(path.read_text()))


def longest(name: str, seconds: float) -> float:
    """The most that this took in any run: one that finds its cells on disk is no measure."""
    path = FOLDER / "seconds" / f"{name}.txt"
    known = float(path.read_text()) if path.exists() else 0.0
    if seconds > known:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{seconds:.1f}")
    return max(seconds, known)
