"""A soak: three processes, one store, and everything that can go wrong, for a minute or an hour."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = float(os.environ.get("HELIAST_SOAK_SECONDS", 75))
SEED = int(os.environ.get("HELIAST_SOAK_SEED", 18))


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="signals and file systems of Linux")
def test_nothing_is_lost_doubled_or_stale(capfd: pytest.CaptureFixture[str]) -> None:
    words = [sys.executable, "-m", "tests.faults.soak", str(SECONDS), str(SEED)]
    if os.geteuid() == 0 and shutil.which("setpriv"):  # root, but not above permissions
        words = ["setpriv", "--bounding-set=-dac_override,-dac_read_search", *words]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    with capfd.disabled():
        print(f"\n{done.stdout}")
    assert done.returncode == 0, done.stdout + done.stderr
