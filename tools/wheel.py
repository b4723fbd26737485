"""Build wheels and the sdist of the last commit twice; keep them if their bytes agree.

The two builds differ in all that must not matter: the folder's name, the order and the times of the
files, permissions, time zone, language, the seed of hashes. The time in the archives is that of the
commit. A wheel may hold the package and nothing else.

Beside the wheel for every platform comes one for this platform and Python, which carries the
kernels compiled for `LEVEL` (`heliast warm`), so that nobody waits for a compiler. Compiled code
names the files it was made from, and its symbols follow the order of sets and of compiling: so it
is made in a folder of a fixed name, with one seed of hashes, and no kernel runs as it is written.
"""

import argparse
import base64
import hashlib
import io
import json
import os
import platform
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
NEUTRAL = Path("/tmp/heliast-wheel")
"""Where kernels are compiled, whoever does it."""
PLATFORM = "manylinux_2_17_x86_64"
NOTED = """
import json, sys
sys.argv = ["heliast", "warm", "--quiet"]
from heliast._kernels import _jit
from heliast.cli import main
_jit.BUDGET = 0.0  # whether a light kernel is compiled must not hang on how busy the machine is
try:
    main()
except SystemExit as end:
    if end.code:
        raise
from heliast._kernels import kept
if not kept.aim():
    sys.exit("this processor is below " + kept.LEVEL)
print(json.dumps({"cpu": kept.LEVEL, "numba": kept.MADE_BY[0], "llvmlite": kept.MADE_BY[1],
                  "python": kept.MADE_BY[2]}))
"""
SURROUNDINGS = [
    {"TZ": "UTC", "LC_ALL": "C", "PYTHONHASHSEED": "1"},
    {"TZ": "Pacific/Chatham", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "2"},
]


def main() -> int:
    options = argparse.ArgumentParser("python tools/wheel.py", description=__doc__)
    options.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for both files")
    options.add_argument("--commit", default="HEAD")
    options.add_argument("--pure", action="store_true", help="no wheel with compiled kernels")
    said = options.parse_args()
    carries = not said.pure and can_carry()
    commit = git("rev-parse", said.commit).decode().strip()  # it may move on meanwhile
    with tempfile.TemporaryDirectory() as folder:
        found = [
            built(Path(folder) / name, at, commit, carries)
            for at, name in enumerate(("a", "other b"))
        ]
        differing = [name for name in found[0] if found[0][name] != found[1].get(name)]
        odd = [one for name, content in found[0].items() for one in strange(name, content, folder)]
    if differing or len(found[0]) != 2 + carries or odd:
        print(
            *(f"not the same bytes: {name}" for name in differing), *odd, sep="\n", file=sys.stderr
        )
        return 1
    said.out.mkdir(parents=True, exist_ok=True)
    for name, content in found[0].items():
        (said.out / name).write_bytes(content)
        print(f"{hashlib.sha256(content).hexdigest()}  {said.out / name}")
    return 0


def can_carry() -> bool:
    """Whether code for the level can be made here."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def built(place: Path, at: int, commit: str, carries: bool) -> dict[str, bytes]:
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
        made = {one.name: one.read_bytes() for one in sorted(out.iterdir())}
        if carries:
            (pure,) = (name for name in made if name.endswith(".whl"))
            name, content = carrying(pure, made[pure], compiled(source / "src", place, at))
            made[name] = content
    finally:
        os.umask(mask)
    return made


def compiled(source: Path, place: Path, at: int) -> dict[str, bytes]:
    """The kernels of this source, compiled, and a note of what made them."""
    NEUTRAL.mkdir(mode=0o700)  # ours alone, or not at all
    try:
        (NEUTRAL / "src").symlink_to(source)
        (NEUTRAL / "site").symlink_to(sysconfig.get_path("purelib"))
        around = {
            **{name: one for name, one in os.environ.items() if not name.startswith("NUMBA_")},
            **SURROUNDINGS[at],
            "PYTHONHASHSEED": "0",
            "PYTHONPATH": os.pathsep.join([str(NEUTRAL / "src"), str(NEUTRAL / "site")]),
            "NUMBA_CACHE_DIR": str(place / "kernels"),
            "HELIAST_THREADS": "1",
        }
        words = [sys.executable, "-S", "-c", NOTED]
        done = subprocess.run(words, env=around, capture_output=True, text=True, cwd=NEUTRAL)
        if done.returncode:
            sys.exit(f"kernels could not be compiled: {done.stderr.strip()[-2000:]}")
        note = json.loads(done.stdout.splitlines()[-1])
    finally:
        for link in NEUTRAL.iterdir():
            link.unlink()
        NEUTRAL.rmdir()
    files = {one.name: one.read_bytes() for one in sorted(place.glob("kernels/*/*.nbc"))}
    note["kernels"] = len(files)
    return {**files, "made.json": json.dumps(note, indent=2).encode() + b"\n"}


def carrying(name: str, content: bytes, files: dict[str, bytes]) -> tuple[str, bytes]:
    """The wheel with these files among its kernels, and its name."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    tag = f"{python}-{python}-{PLATFORM}"
    inside: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(content)) as old:
        about = {one.filename: one for one in old.infolist()}
        inside = {one: old.read(one) for one in about}
    like = about["heliast/_kernels/__init__.py"]
    inside |= {f"heliast/_kernels/compiled/{one}": bits for one, bits in files.items()}
    (record,) = (one for one in inside if one.endswith(".dist-info/RECORD"))
    wheel = record.replace("RECORD", "WHEEL")
    said = inside[wheel].replace(b"Root-Is-Purelib: true", b"Root-Is-Purelib: false")
    inside[wheel] = said.replace(b"Tag: py3-none-any", f"Tag: {tag}".encode())
    lines = [f"{one},{digest(bits)},{len(bits)}" for one, bits in inside.items() if one != record]
    inside[record] = "\n".join([*lines, f"{record},,", ""]).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for one in [*sorted(inside.keys() - {record}), record]:
            info = zipfile.ZipInfo(one, like.date_time)
            info.external_attr = about.get(one, like).external_attr
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, inside[one])
    return name.replace("py3-none-any", tag), out.getvalue()


def digest(content: bytes) -> str:
    """As RECORD wants it."""
    found = base64.urlsafe_b64encode(hashlib.sha256(content).digest())
    return f"sha256={found.decode().rstrip('=')}"


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
        meant = "-none-any" not in name and one.startswith("heliast/_kernels/compiled/")
        if "__pycache__" in one or (one.endswith((".pyc", ".nbi", ".nbc", ".so")) and not meant):
            found.append(f"{name}: {one} is compiled")
        found += [f"{name}: {one} names {place.decode()}" for place in places if place in text]
    return found


if __name__ == "__main__":
    sys.exit(main())
