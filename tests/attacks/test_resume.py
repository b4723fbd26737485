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
            assert len(said.text) < 20_000
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
