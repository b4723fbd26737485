"""Wheels and sdists that anyone can build again, byte by byte."""

import importlib.util
import io
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel():
    """The tool as a module."""
    spec = importlib.util.spec_from_file_location("wheel_tool", ROOT / "tools" / "wheel.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.skipif(not (ROOT / ".git").exists() or not shutil.which("git"), reason="no repository")
@pytest.mark.skipif(not importlib.util.find_spec("hatchling"), reason="hatchling is not installed")
def test_two_builds_of_a_commit_have_the_same_bytes(tmp_path):
    words = [sys.executable, str(ROOT / "tools" / "wheel.py"), "--out", str(tmp_path)]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (made,) = tmp_path.glob("*.whl")
    assert len(list(tmp_path.iterdir())) == 2
    with zipfile.ZipFile(made) as file:
        names = file.namelist()
        modes = {one.external_attr >> 16 & 0o777 for one in file.infolist()}
    tracked = subprocess.run(
        ["git", "ls-tree", "-r", "--name-only", "HEAD", "src"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    package = {name for name in names if name.startswith("heliast/")}
    assert package == {name.removeprefix("src/") for name in tracked}
    assert modes <= {0o644, 0o755}


def test_what_does_not_belong_in_a_wheel_is_found(wheel, tmp_path):
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w") as file:
        file.writestr("heliast/__init__.py", "")
        file.writestr("heliast/__pycache__/a.pyc", "")
        file.writestr("tests/data.csv", "1")
        file.writestr("heliast/b.py", f"PLACE = {str(ROOT)!r}")
    found = wheel.check_contents("x.whl", place.getvalue(), str(tmp_path))
    assert len(found) == 3
    assert any("compiled" in one for one in found)
    assert any("no part of the package" in one for one in found)
    assert any(str(ROOT) in one for one in found)
