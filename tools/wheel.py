"""Build the wheel and the sdist of the last commit twice; keep them if their bytes agree.

The two builds differ in all that must not matter: the folder's name, the order and the times of the
files, permissions, time zone, language, the seed of hashes. The time in the archives is that of the
commit. The wheel holds the package and nothing else.
"""

import argparse
import hashlib
import io
import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
SURROUNDINGS = [
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {"TZ": "Pacific/Chatham", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"},
]


def main() -> int:
    parser = argparse.ArgumentParser("python tools/wheel.py", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for both files")
    parser.add_argument("--commit", default="HEAD")
    options = parser.parse_args()
    commit = git("rev-parse", options.commit).decode().strip()  # it may move on meanwhile
    with tempfile.TemporaryDirectory() as folder:
        first, second = (
            build(Path(folder) / name, at, commit) for at, name in enumerate(("a", "other b"))
        )
        errors = [
            f"not the same bytes: {name}" for name in first if first[name] != second.get(name)
        ]
        for name, content in first.items():
            errors += check_contents(name, content, folder)
    if len(first) != 2:
        errors.append(f"expected a wheel and an sdist, got {', '.join(first)}")
    if errors:
        print(*errors, sep="\n", file=sys.stderr)
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    for name, content in first.items():
        (options.out / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {options.out / name}")
    return 0


def build(folder: Path, at: int, commit: str) -> dict[str, bytes]:
    """The files that a build of the commit gives in surroundings number `at`."""
    source, out = folder / f"source{at}", folder / "out"
    source.mkdir(parents=True)
    umask = os.umask([0o022, 0o077][at])
    try:
        unpack(git("archive", "--format=tar", commit), source, at)
        time = git("log", "-1", "--format=%ct", commit).decode().strip()
        command = [
            sys.executable,
            "-m",
            "hatchling",
            "build",
            "-t",
            "sdist",
            "-t",
            "wheel",
            "-d",
            out,
        ]
        environment = {**os.environ, "SOURCE_DATE_EPOCH": time, **SURROUNDINGS[at]}
        done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"hatchling could not build: {done.stderr.strip()[-2000:]}")
        return {path.name: path.read_bytes() for path in sorted(out.iterdir())}
    finally:
        os.umask(umask)


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def unpack(archive: bytes, source: Path, at: int) -> None:
    """Files in their order with the time of the commit, or backwards with the time of now."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as file:
        for member in [*file][:: -1 if at else 1]:
            if member.isfile():
                path = source / member.name
                path.parent.mkdir(parents=True, exist_ok=True)
                content = file.extractfile(member)
                assert content is not None
                path.write_bytes(content.read())
                os.chmod(path, (0o777 if member.mode & 0o100 else 0o666) & ~[0o022, 0o077][at])
                if not at:
                    os.utime(path, (member.mtime, member.mtime))


def check_contents(name: str, content: bytes, folder: str) -> list[str]:
    """What a wheel or sdist should not hold: caches, files beside the package, local paths."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            inside = {path: file.read(path) for path in file.namelist()}
    else:
        with tarfile.open(fileobj=io.BytesIO(content)) as file:
            files = [(member.name, file.extractfile(member)) for member in file if member.isfile()]
            inside = {path: opened.read() for path, opened in files if opened is not None}
    local = [place.encode() for place in (folder, str(ROOT), str(Path.home())) if len(place) > 3]
    errors = []
    for path, text in inside.items():
        top = path.split("/")[0]
        if name.endswith(".whl") and top != "heliast" and not top.endswith(".dist-info"):
            errors.append(f"{name}: {path} is no part of the package")
        if "__pycache__" in path or path.endswith((".pyc", ".nbi", ".nbc", ".so")):
            errors.append(f"{name}: {path} is compiled")
        errors += [f"{name}: {path} names {place.decode()}" for place in local if place in text]
    return errors


if __name__ == "__main__":
    sys.exit(main())
