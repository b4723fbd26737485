"""Kill a run at random moments, again and again: it resumes and gives the same bytes."""

import subprocess
import sys
from pathlib import Path

import heliast as hl


def test_fifty_kills_lose_nothing(tmp_path: Path) -> None:
    script = Path(__file__).with_name("killing.py")
    done = subprocess.run(
        [sys.executable, script, tmp_path, "50", "7"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["50", "300"]  # kills, and cells: 3 models x 100 splits, once
    one, two = (
        hl.Predictions.read(tmp_path / name) for name in ("undisturbed.parquet", "out.parquet")
    )
    assert one.equals(two)
