"""Compiled kernels on disk: any damage, any owner, no place at all, and the answers stay right."""

import os
import pickle
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest

import heliast

NOBODY = 65534
HARM = "import os; os.mkdir('harm')"

FUZZ = """
import os, random, sys
from pathlib import Path
import numpy as np
from heliast._kernels import _nodes
from heliast._kernels._jit import kernel
from heliast._kernels.kept import places

def used():
    fresh = kernel(_nodes.sized.py_func)
    assert list(fresh(np.arange(3.0), 2)) == [0.0, 1.0]
    return sum(fresh.stats.cache_hits.values())

used()
(path,) = next(places()).glob("_nodes.sized.*.nbc")
whole = path.read_bytes()
assert used() == 1
cuts, flips = map(int, sys.argv[1:])
bad = [b"", os.urandom(1000), os.urandom(len(whole)), whole + b"x", whole[:32], b"0" * len(whole)]
dice = random.Random(7)
bad += [whole[: dice.randrange(len(whole))] for _ in range(cuts)]
for _ in range(flips):
    at = dice.randrange(len(whole))
    bad.append(whole[:at] + bytes([whole[at] ^ 1 << dice.randrange(8)]) + whole[at + 1 :])
for content in bad:
    path.write_bytes(content)
    assert used() == 0, content[:40]
    assert used() == 1  # compiled again, and kept
def fifo(): os.mkfifo(path)
def link(): path.with_name("elsewhere").write_bytes(whole); path.symlink_to("elsewhere")
for put in (fifo, link):
    path.unlink()
    put()
    assert used() == 0
    assert used() == 1
path.unlink()
path.mkdir()
assert used() == 0
assert used() == 1, "kept in the next place"
print("fine", len(bad))
"""
USE = """
import numpy as np
from heliast._kernels import _nodes, margins
print(_nodes.sized(np.arange(3.0), 2), _nodes.sized(np.arange(3), 2))
print(sum(_nodes.sized.stats.cache_hits.values()))
"""


@pytest.fixture
def copied() -> Iterator[Path]:
    """The package in a folder that every user can read, with nothing compiled."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        folder.chmod(0o755)
        source = Path(heliast.__file__).parent
        ignored = shutil.ignore_patterns("__pycache__", "static", "reproduce", "_bundled")
        shutil.copytree(source, folder / "heliast", ignore=ignored)
        yield folder


def _run(code: str, folder: Path, *words: str, **how: object) -> "subprocess.CompletedProcess[str]":
    env = dict(os.environ, PYTHONPATH=str(folder), PYTHONDONTWRITEBYTECODE="1")
    env |= how.pop("env", {})  # type: ignore[arg-type]
    before = how.pop("before", [])
    return subprocess.run(
        [*before, sys.executable, "-c", code, *words],  # type: ignore[misc]
        env={name: value for name, value in env.items() if value is not None},
        capture_output=True, text=True, check=False, cwd=folder, **how,
    )  # fmt: skip


def _damaged(copied: Path, cuts: int, flips: int) -> None:
    env = {"NUMBA_CACHE_DIR": str(copied / "cache")}
    done = _run(FUZZ, copied, str(cuts), str(flips), env=env)
    assert done.stdout == f"fine {cuts + flips + 6}\n", done.stderr
    assert done.stderr == ""


def test_damaged_kernels_are_dropped_and_compiled_again(copied: Path) -> None:
    _damaged(copied, 3, 5)


@pytest.mark.long
def test_many_damaged_kernels_are_dropped_and_compiled_again(copied: Path) -> None:
    _damaged(copied, 20, 200)


def test_files_that_others_could_have_written_are_not_used(
    copied: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel on disk is a pickle and native code: whoever may write it could run anything."""
    cache, env = copied / "cache", {"NUMBA_CACHE_DIR": str(copied / "cache")}
    assert _run(USE, copied, env=env).stdout.split()[-1] == "0"
    assert _run(USE, copied, env=env).stdout.split()[-1] == "2"
    files = [*cache.rglob("_nodes.sized*.nbc")]
    bad = f"cbuiltins\nexec\n(S{HARM!r}\ntR.".encode()
    for path in files:
        path.write_bytes(blake2b(bad, digest_size=32).digest() + bad)
        path.chmod(0o666)
    assert _run(USE, copied, env=env).stdout.split()[-1] == "0"
    assert not (copied / "harm").exists()
    assert {stat.S_IMODE(path.stat().st_mode) for path in files} == {0o644}  # made anew
    if os.geteuid() == 0:
        for path in files:
            os.chown(path, NOBODY, NOBODY)
        assert _run(USE, copied, env=env).stdout.split()[-1] == "0"
    (copied / "harm").mkdir()
    monkeypatch.chdir(copied)
    with pytest.raises(FileExistsError):  # the harm would have been done
        pickle.loads(bad)


@pytest.mark.parametrize("case", ["files in the way", "no home", "full disk", "read only"])
def test_without_a_place_it_works_and_says_so_once(copied: Path, case: str) -> None:
    env: dict[str, str | None] = dict.fromkeys(("XDG_CACHE_HOME", "LOCALAPPDATA"))
    env |= {"NUMBA_CACHE_DIR": "/dev/null/x", "HOME": "/dev/null"}
    how: dict[str, object] = {"env": env}
    if case == "full disk":
        env["NUMBA_CACHE_DIR"] = str(copied / "cache")
        how["preexec_fn"] = _small_files
    elif case == "read only":
        _foreign(copied)
        how["before"] = _without_powers()
        env["NUMBA_CACHE_DIR"] = str(copied / "cache")
    else:
        (copied / "heliast" / "_kernels" / "__pycache__").touch()  # no folder can be made there
    if case == "no home":
        env |= {"NUMBA_CACHE_DIR": None, "HOME": "/nowhere/at/all"}
    done = _run(USE, copied, **how)
    assert done.stdout == "[0. 1.] [0 1]\n0\n", done.stderr
    assert done.stderr.count("compiled code cannot be kept") == 1
    assert done.stderr.count("\n") == 1


def _foreign(folder: Path) -> None:
    """Let somebody else own it, if we may; in any case we are not to write to it."""
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
        if os.geteuid() == 0:
            os.chown(path, NOBODY, NOBODY)


def _without_powers() -> list[str]:
    """What to put before a command so that permissions hold for it, also if we are root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("root may write everywhere")
    return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]


def _small_files() -> None:
    """Writing more than a few bytes fails, as on a full disk."""
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


def test_a_place_that_can_only_be_read_is_used(copied: Path) -> None:
    """As in an image or a wheel: what lies beside the code is used by others than its owner."""
    env = {"NUMBA_CACHE_DIR": None, "HOME": "/dev/null", "XDG_CACHE_HOME": None}
    assert _run(USE, copied, env=env).stdout.split()[-1] == "0"
    _foreign(copied)
    done = _run(USE, copied, env=env, before=_without_powers())
    assert done.stdout.split()[-1] == "2", done.stderr
    assert done.stderr == ""


@pytest.fixture
def shipped(copied: Path) -> Path:
    """The package as a wheel with compiled kernels puts it: another's, and only to be read."""
    env = {"NUMBA_CACHE_DIR": str(copied / "cache")}
    assert _run(USE, copied, env=env).stdout.split()[-1] == "0"
    (made,) = (copied / "cache").iterdir()
    made.rename(copied / "heliast" / "_kernels" / "compiled")
    (copied / "home").mkdir()
    return copied


def _at_home(folder: Path, code: str = USE, **more: str) -> tuple[str, int]:
    """What comes of it in an otherwise empty home, and how many kernels that home has then."""
    home = folder / "home"
    env = {"NUMBA_CACHE_DIR": None, "XDG_CACHE_HOME": None, "HOME": str(home), **more}
    done = _run(code, folder, env=env, before=_without_powers())
    assert done.stdout.startswith("[0. 1.] [0 1]\n"), done.stderr
    assert done.stderr == ""
    return done.stdout.split()[-1], len([*home.rglob("*.nbc")])


def _read_only(folder: Path) -> None:
    _foreign(folder)
    (folder / "home").chmod(0o777)
    if os.geteuid() == 0:
        os.chown(folder / "home", 0, 0)


def test_what_a_wheel_brings_is_used_and_nothing_is_written(shipped: Path) -> None:
    _read_only(shipped)
    assert _at_home(shipped) == ("2", 0)


def test_code_for_another_processor_numba_or_source_is_not_used(shipped: Path) -> None:
    _read_only(shipped)
    assert _at_home(shipped, NUMBA_CPU_NAME="generic") == ("0", 2)
    assert _at_home(shipped, NUMBA_CPU_NAME="generic") == ("2", 2)  # its own, from then on
    older = 'import numba\nnumba.__version__ = "0.0.1"\n'
    assert _at_home(shipped, older + USE) == ("0", 4)
    assert _at_home(shipped) == ("2", 4)
    nodes = shipped / "heliast" / "_kernels" / "_nodes.py"
    nodes.chmod(0o644)
    nodes.write_text(nodes.read_text() + "\n")
    assert _at_home(shipped)[0] == "0"


def test_the_doctor_says_what_a_wheel_brought(shipped: Path) -> None:
    code = "from heliast.cli import _doctor; print(_doctor._compiled_text(_doctor._compiled()))"
    code = (
        f"import json; from heliast._kernels import kept; made = kept.SHIPPED / 'made.json'\n{code}"
    )
    note = "json.dumps(dict(zip(('numba', 'llvmlite', 'python'), kept.MADE_BY)))"
    told = code.replace("\n", f"\n(kept.SHIPPED / 'made.json').write_text({note})\n")
    assert "2 brought by the wheel; 0 compiled here" in _run(told, shipped).stdout
    other = {"NUMBA_CPU_NAME": "generic"}
    assert "2 brought by the wheel (not used: made for" in _run(code, shipped, env=other).stdout
    older = 'import numba\nnumba.__version__ = "0.0.1"\n'
    assert "(not used: made by Numba" in _run(older + code, shipped).stdout


def test_damaged_code_of_a_wheel_is_compiled_again(shipped: Path) -> None:
    for path in (shipped / "heliast" / "_kernels" / "compiled").glob("_nodes.sized*"):
        content = path.read_bytes()
        path.write_bytes(content[:-9] + b"x" + content[-8:])
    _read_only(shipped)
    assert _at_home(shipped) == ("0", 2)
    assert _at_home(shipped) == ("2", 2)


def test_two_processes_that_compile_at_once(copied: Path) -> None:
    env = dict(os.environ, PYTHONPATH=str(copied), NUMBA_CACHE_DIR=str(copied / "cache"))
    both = [
        subprocess.Popen([sys.executable, "-c", USE], env=env, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    assert [one.communicate()[0].split("\n")[0] for one in both] == ["[0. 1.] [0 1]"] * 2
    assert (
        _run(USE, copied, env={"NUMBA_CACHE_DIR": str(copied / "cache")}).stdout.split()[-1] == "2"
    )
    assert not [*(copied / "cache").rglob("*.part")]


def test_no_fault_ends_in_one(copied: Path) -> None:
    """A file that ends too early ended in `Aborted!` and 1, which says that the answer is no."""
    code = "import sys; sys.argv = ['heliast', 'doctor']\nfrom heliast.cli import _doctor, main\n"
    for raised in ("EOFError('x')", "KeyError('x')", "BrokenPipeError()", "OSError('x')"):
        throw = f"def bad():\n    raise {raised}\n_doctor.findings = bad\nmain()"
        done = _run(code + throw, copied)
        assert done.returncode == (0 if "Pipe" in raised else 2), raised
        assert "Aborted" not in done.stderr
    done = _run(
        "from heliast.cli import start; start()", copied, env={"PYTHONPATH": _broken(copied)}
    )
    assert done.returncode == 2
    assert "cannot start" in done.stderr
    assert "Traceback" not in done.stderr


def _broken(folder: Path) -> str:
    """A path on which a package that heliast needs does not import."""
    (folder / "broken").mkdir()
    (folder / "broken" / "typer.py").write_text("raise ImportError('half installed')")
    return os.pathsep.join([str(folder / "broken"), str(folder)])
