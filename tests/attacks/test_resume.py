"""Records of runs that strangers wrote: what `heliast runs` must not do with them.

Each file in `resume` is one attack: what it tries, how the record of a harmless unfinished run is
changed (its request, other fields, words of a command as in records of old, a promise, or the whole
text), and what is said. Nothing may run, be written or reached, nothing may hang; where nothing
else is said the exit code is 2. Commands are real processes.
"""

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).parent
ATTACKS = sorted((HERE / "resume").glob("*.json"))
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
RUN = ("run", "d.csv", "--model", "bayes", "--plan", "3", "--store", "kept")


class Said(NamedTuple):
    code: int | None
    text: str


Heliast = Callable[..., Said]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    (home / ".profile").write_text("a,class\n1,x\n2,y\n")
    return home


@pytest.fixture(scope="module")
def heliast(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Heliast]:
    out = tmp_path_factory.mktemp("out") / "said"
    environment = {**os.environ, "HOME": str(home), "SHELL": "/bin/bash"}
    driver = subprocess.Popen(
        [sys.executable, HERE / "driver.py"], text=True, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    told, heard = driver.stdin, driver.stdout
    if told is None or heard is None:
        raise AssertionError("the driver has no pipes")

    def call(folder: Path, *words: object) -> Said:
        asked = {"folder": str(folder), "words": [*map(str, words)], "out": str(out), "seconds": 90}
        told.write(json.dumps(asked) + "\n")
        told.flush()
        return Said(json.loads(heard.readline()), out.read_text())

    yield call
    told.close()
    heard.close()
    driver.wait()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, heliast: Heliast) -> Path:
    """A folder with data and a store with a run, of which one cell is missing."""
    top = tmp_path_factory.mktemp("whole")
    work, outside = top / "work", top / "outside"
    work.mkdir()
    outside.mkdir()
    table = "a,class\n" + "".join(f"{i * 37 % 11}.5,{'xy'[i * 5 % 7 % 2]}\n" for i in range(60))
    for place in (work / "d.csv", work / ".hidden.csv", outside / "secret.csv"):
        place.write_text(table)
    (outside / "profile").write_text("mine")
    (outside / "s.toml").write_text('plan = "2"\n')
    assert heliast(work, *RUN).code == 0
    next((work / "kept").glob("??/*.parquet")).unlink()
    (work / "link.csv").symlink_to(Path("..", "outside", "secret.csv"))
    (work / "loop.csv").symlink_to("loop.csv")
    return top


@pytest.fixture
def place(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "top", symlinks=True)
    os.mkfifo(tmp_path / "top" / "work" / "pipe.csv")
    return tmp_path / "top"


def forge(store: Path, attack: dict[str, Any]) -> None:
    """The attack as a record with a right checksum."""
    (path,) = (store / "runs").glob("*.json")
    if "raw" in attack:
        path.write_text(attack["raw"])
        return
    if "promise" in attack:
        path = path.with_name("0123456789.promise.json")
        path.write_text(sealed("promise", {"id": "0123456789", **attack["promise"]}, 2))
        return
    record = json.loads(path.read_text())["run"]
    request = attack.get("request", {})
    if isinstance(request, dict):
        request = {**record["request"], "folder": str(store.parent), **request}
    record |= {"request": request}
    if "command" in attack:
        del record["request"]
        record |= {"command": attack["command"], "folder": str(store.parent)}
    record |= attack.get("run", {})
    path.write_text(sealed("run", record, 1 if "command" in attack else 2))


def sealed(kind: str, said: object, form: int) -> str:
    mark = hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]
    return json.dumps({"format": form, kind: said, "checksum": mark})


def everything(*tops: Path) -> dict[str, bytes]:
    """All files but those of the store."""
    paths = [path for top in tops for path in top.rglob("*") if path.is_file()]
    return {str(path): path.read_bytes() for path in paths if "kept" not in path.parts}


def cells(store: Path) -> list[str]:
    return sorted(path.name for path in store.glob("??/*"))


@pytest.mark.parametrize("file", ATTACKS, ids=lambda file: file.stem)
def test_an_attack_does_nothing(file: Path, place: Path, home: Path, heliast: Heliast) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        text = file.read_text().replace("{outside}", str(place / "outside"))
        attack = json.loads(text.replace("{port}", str(server.getsockname()[1])))
        work = place / "work"
        forge(work / "kept", attack)
        shutil.copytree(work / "kept", work / "shown" / "kept")
        before, had = everything(place, home), cells(work / "kept")
        for words in ("list", "--json"), ("show",):
            said = heliast(work, "runs", *words, "shown/kept")
            assert said.code == 0, said
            assert not CONTROL.search(said.text)
        resumed = heliast(work, "runs", "resume", "kept")
        assert resumed.code == attack.get("code", 2), resumed
        assert attack["says"] in resumed.text
        for bad in ("Traceback", "a fault of heliast", "Error:"):
            assert bad not in resumed.text
        assert not CONTROL.search(resumed.text)
        assert len(resumed.text) < 5_000
        assert everything(place, home) == before
        assert not [path for path in place.rglob("*harm*") if path.suffix != ".json"]
        if resumed.code == 2:
            assert cells(work / "kept") == had
        with pytest.raises(BlockingIOError):
            server.accept()


def test_the_harmless_record_is_resumed_in_one_plain_command(place: Path, heliast: Heliast) -> None:
    """Otherwise the attacks would fail for reasons of their own."""
    work = place / "work"
    forge(work / "kept", {})
    done = heliast(work, "runs", "resume", "kept")
    assert done.code == 0, done
    assert len(cells(work / "kept")) == 3
    assert "finished: 3 cells" in heliast(work, "runs", "list", "kept").text


def test_with_a_yes_what_lies_elsewhere_is_read(place: Path, heliast: Heliast) -> None:
    other = place / "other"
    other.mkdir()
    forge(place / "work" / "kept", {})
    refused = heliast(other, "runs", "resume", "../work/kept")
    assert refused.code == 2
    assert f"({place / 'work' / 'd.csv'}); if you trust this store, give --yes" in refused.text
    done = heliast(other, "runs", "resume", "../work/kept", "--yes", "-o", "p.csv")
    assert done.code == 0, done
    assert [path.name for path in other.iterdir()] == ["p.csv"]


def test_a_store_that_came_with_its_data_is_resumed(place: Path, heliast: Heliast) -> None:
    """The folder of then is not on this machine: names start from where we are."""
    forge(place / "work" / "kept", {"request": {"folder": "/nowhere/at/all"}})
    done = heliast(place / "work", "runs", "resume", "kept")
    assert done.code == 0, done


# --- things that have changed since --------------------------------------------------------------


def begun(work: Path, heliast: Heliast, *words: str) -> None:
    """A run of whose cells one is missing, and what it wrote, with a mark to know it again."""
    done = heliast(work, *words, "--store", "new", "-o", "out.csv", "--report", "out.html")
    assert done.code == 0, done
    next((work / "new").glob("??/*.parquet")).unlink()
    for output in ("out.csv", "out.html"):
        (work / output).write_text("mine")


def refused(work: Path, heliast: Heliast, *says: str) -> None:
    """Resuming is refused in these words, and nothing is fitted or written."""
    before, had = everything(work), sorted((work / "new").rglob("*"))
    done = heliast(work, "runs", "resume", "new", "-o", "out.csv", "--report", "out.html")
    assert done.code == 2, done
    for words in says:
        assert words in done.text, done
    assert everything(work) == before
    assert sorted((work / "new").rglob("*")) == had


FIT = ("run", "d.csv", "--model", "bayes", "--plan", "3")


def test_changed_data_are_refused(place: Path, heliast: Heliast) -> None:
    work = place / "work"
    (work / "pipe.csv").unlink()
    begun(work, heliast, *FIT)
    data = (work / "d.csv").read_bytes()
    new = "say: heliast run d.csv --model bayes --plan 3 --store"
    (work / "d.csv").write_bytes(data.replace(b"3.5,x", b"4.5,x", 1))
    refused(work, heliast, "d.csv has changed. 2 of 3 cells stand, in new", "resume new", new)
    (work / "d.csv").write_bytes(data + b"1.5,x\n")
    refused(work, heliast, "d.csv has changed. 2 of 3 cells stand, in new", "resume new", new)
    (work / "d.csv").rename(work / "e.csv")
    refused(work, heliast, "d.csv is gone")
    (work / "e.csv").write_bytes(data)
    (work / "e.csv").rename(work / "d.csv")
    os.utime(work / "d.csv", (1, 1))  # the content decides
    assert heliast(work, "runs", "resume", "new", "-o", "out.csv").code == 0
    assert (work / "out.csv").read_text().startswith('"model","split"')
    assert (work / "out.html").read_text() == "mine"


def test_changed_data_of_a_record_of_old_are_refused(place: Path, heliast: Heliast) -> None:
    work = place / "work"
    (work / "pipe.csv").unlink()
    begun(work, heliast, *FIT)
    forge(work / "new", {"command": [*FIT, "-o", "out.csv", "--store", "new"]})
    with (work / "d.csv").open("a") as file:
        file.write("1.5,x\n")
    refused(work, heliast, "the data 'd' have changed. 2 of its 3 cells stand", "put back")


def test_settings_are_those_of_then(place: Path, heliast: Heliast) -> None:
    work = place / "work"
    (work / "pipe.csv").unlink()
    settings = work / "heliast.toml"
    settings.write_text('plan = "4"\nmargin = 0.1\n[run]\nseed = 3\n')
    begun(work, heliast, "run", "d.csv", "--model", "bayes")
    settings.write_text('plan = "2"\n[run]\nseed = 4\nignore = ["a"]\n')
    done = heliast(work, "runs", "resume", "new")
    assert done.code == 0, done
    listed = heliast(work, "runs", "list", "new").text
    assert "finished: 4 cells" in listed
    assert len(listed.splitlines()) == 1


def test_a_changed_model_file_is_refused(place: Path, heliast: Heliast) -> None:
    from sklearn.naive_bayes import GaussianNB

    skops = pytest.importorskip("skops.io")
    work = place / "work"
    (work / "pipe.csv").unlink()
    skops.dump(GaussianNB(), work / "m.skops")
    begun(work, heliast, "run", "d.csv", "--model", "m.skops", "--plan", "3")
    skops.dump(GaussianNB(var_smoothing=0.1), work / "m.skops")
    refused(work, heliast, "m.skops has changed. 2 of 3 cells stand, in new")
    skops.dump(GaussianNB(), work / "m.skops")


def test_a_changed_set_of_a_benchmark_is_refused(place: Path, heliast: Heliast) -> None:
    """A benchmark that was killed before its first run: files are known by the promise alone."""
    work = place / "work"
    sets, records = work / "sets", work / "kept" / "runs"
    sets.mkdir()
    whole = (work / "d.csv").read_bytes()
    for name in ("a.csv", "b.csv"):
        (sets / name).write_bytes(whole)
    files = {f"sets/{path.name}": mark(path) for path in sets.iterdir()}
    asked = {"verb": "benchmark", "data": ["sets"], "models": ["bayes", "tree"], "files": files}
    promise = {"begun": "2026-01-01T00:00:00+00:00", "verb": "benchmark", "parts": ["a", "b"]}
    next(records.glob("*.json")).unlink()
    forge_promise = sealed("promise", {"id": "0123456789", **promise, "request": asked}, 2)
    (records / "0123456789.promise.json").write_text(forge_promise)

    def says(words: str) -> None:
        done = heliast(work, "runs", "resume", "kept")
        assert (done.code, words in done.text) == (2, True), done
        assert [path.name for path in records.glob("*.json")] == ["0123456789.promise.json"]

    (sets / "c.csv").write_bytes(whole)
    says("sets/c.csv is new")
    (sets / "c.csv").replace(sets / "b.csv")
    (sets / "b.csv").write_bytes(whole + b"1.5,x\n")
    says("sets/b.csv has changed")
    (sets / "b.csv").unlink()
    says("sets/b.csv is gone")


def mark(path: Path) -> str:
    content = path.read_bytes()
    return f"{len(content)}-{hashlib.sha256(content).hexdigest()[:32]}"
