"""Build the wheel and the sdist of the last commit twice; keep them if their bytes agree.

The two builds differ in all that must not matter: the folder's name, the order and the times of the
files, permissions, time zone, language, the seed of hashes. The time in the archives is that of the
commit. The wheel may hold the package and nothing else.
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
    options = argparse.ArgumentParser("python tools/wheel.py", description=__doc__)
    options.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for both files")
    options.add_argument("--commit", default="HEAD")
    said = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = [
            built(Path(folder) / name, at, said.commit) for at, name in enumerate(("a", "other b"))
        ]
        differing = [name for name in found[0] if found[0][name] != found[1].get(name)]
        odd = [one for name, content in found[0].items() for one in strange(name, content, folder)]
    if differing or len(found[0]) != 2 or odd:
        print(
            *(f"not the same bytes: {name}" for name in differing), *odd, sep="\n", file=sys.stderr
        )
        return 1
    said.out.mkdir(parents=True, exist_ok=True)
    for name, content in found[0].items():
        (said.out / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {said.out / name}")
    return 0


def built(place: Path, at: int, commit: str) -> dict[str, bytes]:
    """The files that a build of the commit gives in these surroundings."""
    source, out = place / f"source{at}", place / "out"
    source.mkdir(parents=True)
    mask = os.umask([0o022, 0o077][at])
    try:
        unpack(git("archive", "--format=tar", commit), source, at)
        time = git("log", "-1", "--format=%ct", commit).decode().strip()
        words = [
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
        around = {**os.environ, "SOURCE_DATE_EPOCH": time, **SURROUNDINGS[at]}
        done = subprocess.run(words, cwd=source, env=around, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"hatchling could not build: {done.stderr.strip()[-2000:]}")
    finally:
        os.umask(mask)
    return {one.name: one.read_bytes() for one in sorted(out.iterdir())}


def git(*words: str) -> bytes:
    return subprocess.run(["git", *words], cwd=ROOT, check=True, capture_output=True).stdout


def unpack(archive: bytes, source: Path, at: int) -> None:
    """Files in their order with the time of the commit, or backwards with the time of now."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as file:
        for one in [*file][:: -1 if at else 1]:
            if one.isfile():
                path = source / one.name
                path.parent.mkdir(parents=True, exist_ok=True)
                content = file.extractfile(one)
                assert content is not None
                path.write_bytes(content.read())
                os.chmod(path, (0o777 if one.mode & 0o100 else 0o666) & ~[0o022, 0o077][at])
                if not at:
                    os.utime(path, (one.mtime, one.mtime))


def strange(name: str, content: bytes, folder: str) -> list[str]:
    """What a wheel or sdist should not hold: caches, tests beside the package, places of ours."""
    if name.endswith(".whl"):
        with zipfile.ZipFile(io.BytesIO(content)) as file:
            inside = {one: file.read(one) for one in file.namelist()}
    else:
        with tarfile.open(fileobj=io.BytesIO(content)) as file:
            files = [(one.name, file.extractfile(one)) for one in file if one.isfile()]
            inside = {one: opened.read() for one, opened in files if opened is not None}
    places = [place.encode() for place in (folder, str(ROOT), str(Path.home())) if len(place) > 3]
    found = []
    for one, text in inside.items():
        top = one.split("/")[0]
        if name.endswith(".whl") and top != "heliast" and not top.endswith(".dist-info"):
            found.append(f"{name}: {one} is no part of the package")
        if "__pycache__" in one or one.endswith((".pyc", ".nbi", ".nbc", ".so")):
            found.append(f"{name}: {one} is compiled")
        found += [f"{name}: {one} names {place.decode()}" for place in places if place in text]
    return found


if __name__ == "__main__":
    sys.exit(main())
