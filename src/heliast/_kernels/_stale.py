"""Compiled kernels on disk that are older than their source.

Numba takes a cached kernel for fresh if the file of the kernel has the age and size that it had.
It does not look at helpers in other files, and files from wheels may all have the same age. So what
the files hold is noted beside the cache: kernels of a file that reads differently are compiled
anew, and all of them if one of the files that kernels share (`_*.py`) does.
"""

import json
import os
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path

HERE = Path(__file__).parent
NOTE = "heliast-kernels.json"


@cache
def digests(folder: Path = HERE) -> Mapping[str, str]:
    """What each file holds, in short."""
    return {
        path.stem: blake2b(path.read_bytes(), digest_size=8).hexdigest()
        for path in sorted(folder.glob("*.py"))
    }


@cache
def drop_stale(place: str) -> None:
    """Remove what was compiled from other source, once a process and folder of the cache."""
    folder, now = Path(place), digests()
    try:
        was = json.loads((folder / NOTE).read_text())
    except (OSError, ValueError):
        was = {}
    if was == now:
        return
    changed = [name for name in now if was.get(name) != now[name]]
    shared = any(name.startswith("_") for name in changed)
    try:
        for code in folder.glob("*.nb[ic]"):
            if shared or code.name.split(".")[0] in changed:
                code.unlink(missing_ok=True)
        folder.mkdir(parents=True, exist_ok=True)
        part = folder / f"{NOTE}.{os.getpid()}"
        part.write_text(json.dumps(dict(now)))
        part.replace(folder / NOTE)
    except OSError:
        pass  # a cache that cannot be written holds nothing of ours to remove
