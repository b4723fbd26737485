"""Compiled kernels are used as long as their source reads as it did, and no longer."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import heliast

USE = """
import numpy as np
from heliast._kernels.{name} import {what} as kernel
found = kernel({given})
print(found, sum(kernel.stats.cache_hits.values()))
"""


def _copied(folder: Path) -> Path:
    source = Path(heliast.__file__).parent
    shutil.copytree(
        source, folder / "heliast", ignore=shutil.ignore_patterns("__pycache__", "static")
    )
    return folder / "heliast" / "_kernels"


def _used(folder: Path, name: str, what: str, given: str) -> list[str]:
    return _said(folder, USE.format(name=name, what=what, given=given))


def _said(folder: Path, code: str) -> list[str]:
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(folder / "cache")},
        capture_output=True,
        text=True,
        check=True,
    )
    return run.stdout.split()


def _changed(path: Path, old: str, new: str) -> None:
    """Other words of the same length in a file of the same age, as two wheels may have them."""
    age = path.stat().st_mtime_ns
    text = path.read_text()
    assert old in text
    assert len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(age, age))


def test_changed_kernels_are_compiled_anew_and_others_are_not(tmp_path: Path) -> None:
    kernels = _copied(tmp_path)
    asked = ("_nodes", "sized", "np.arange(3.0), 2")
    assert _used(tmp_path, *asked) == ["[0.", "1.]", "0"]
    assert _used(tmp_path, *asked) == ["[0.", "1.]", "1"]  # from the cache
    _changed(kernels / "counting.py", '"""', "'''")
    assert _used(tmp_path, *asked) == ["[0.", "1.]", "1"]  # another file that shares nothing
    _changed(kernels / "_nodes.py", "found[i] = values[i]", "found[i] = values[0]")
    assert _used(tmp_path, *asked) == ["[0.", "0.]", "0"]
    assert _used(tmp_path, *asked) == ["[0.", "0.]", "1"]


def test_a_change_of_what_a_file_imports_counts(tmp_path: Path) -> None:
    kernels = _copied(tmp_path)
    code = "from pathlib import Path; from heliast._kernels.kept import source; "
    code += f"print(source(Path({str(kernels / 'streamed_curve.py')!r})))"
    before = _said(tmp_path, code)
    _changed(kernels / "counting.py", '"""', "'''")
    assert _said(tmp_path, code) == before
    _changed(kernels / "hulling.py", '"""', "'''")  # whose kernel it calls
    assert _said(tmp_path, code) != before
