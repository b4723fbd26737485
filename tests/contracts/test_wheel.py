"""Wheels and sdists that anyone can build again, byte by byte."""

import base64
import hashlib
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
    words = [sys.executable, str(ROOT / "tools" / "wheel.py"), "--pure", "--out", str(tmp_path)]
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
    found = wheel.strange("x.whl", place.getvalue(), str(tmp_path))
    assert len(found) == 3
    assert any("compiled" in one for one in found)
    assert any("no part of the package" in one for one in found)
    assert any(str(ROOT) in one for one in found)


def test_a_wheel_that_carries_kernels(wheel):
    """It is the other wheel with more files, another tag, and a record of all of them."""
    place = io.BytesIO()
    with zipfile.ZipFile(place, "w") as file:
        file.writestr("heliast/_kernels/__init__.py", "")
        said = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        file.writestr("heliast-1.dist-info/WHEEL", said)
        file.writestr("heliast-1.dist-info/RECORD", "")
    given = "heliast-1-py3-none-any.whl", place.getvalue(), {"a.b.nbc": b"code"}
    name, content = wheel.carrying(*given)
    assert (name, content) == wheel.carrying(*given)
    tag = f"cp3{sys.version_info.minor}-cp3{sys.version_info.minor}-manylinux_2_17_x86_64"
    assert name == f"heliast-1-{tag}.whl"
    assert wheel.strange(name, content, "nowhere at all") == []
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        assert file.read("heliast/_kernels/compiled/a.b.nbc") == b"code"
        about = file.read("heliast-1.dist-info/WHEEL").decode()
        lines = file.read("heliast-1.dist-info/RECORD").decode().split()
        record = [line.split(",") for line in lines]
        assert sorted(one[0] for one in record) == sorted(file.namelist())
        sums = {one[0]: one[1:] for one in record}
    assert f"Tag: {tag}" in about
    assert "Root-Is-Purelib: false" in about
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"code").digest()).decode().rstrip("=")
    assert sums["heliast/_kernels/compiled/a.b.nbc"] == [f"sha256={digest}", "4"]
