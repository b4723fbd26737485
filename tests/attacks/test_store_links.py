"""A store full of links, pipes, devices and folders: nothing hangs, nothing outside is touched."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from heliast.cli import _config
from heliast.fitting import loading
from tests.attacks.store_attacks import REFUSED

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks, and looks into /proc")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    shelf = Path("/dev/shm")  # no disk is waited for
    made = Path(tempfile.mkdtemp(prefix="attacks-", dir=shelf if shelf.is_dir() else None))
    yield made
    shutil.rmtree(made)


def attacked(folder: Path, how_many: str) -> dict[str, Any]:
    words = [sys.executable, str(Path(__file__).with_name("store_attacks.py")), str(folder)]
    done = subprocess.run([*words, how_many], capture_output=True, text=True, timeout=1000)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def wrong(name: str, came: dict[str, Any], table: str) -> Iterator[str]:
    """All that an attack must not do."""
    attack, _, verb = name.partition(" / ")
    if not came["untouched"]:
        yield "what lies outside was changed"
    if came["code"] not in (0, 2):
        yield f"ended in {came['code']} after {came['seconds']:.0f} s"
    if "Traceback" in came["err"] or "a fault of heliast" in came["err"]:
        yield "a traceback"
    if came["code"] == 2 and "heliast: " not in came["err"]:
        yield "refused without a word"
    if came["err"].count("\n") > 3:
        yield "more than a few sentences"
    told = attack.startswith(("cell: ", "record: ", "a quarantine")) and verb in ("show -o", "run")
    if told and "quarantine" not in came["err"]:
        yield "not told"
    if verb == "run" and attack not in REFUSED and (came["code"], came["table"]) != (0, table):
        yield "the work was not done again"
    if attack in REFUSED and verb in ("run", "show -o") and came["code"] != 2:
        yield "not refused"


@pytest.mark.parametrize("how_many", ["few", pytest.param("all", marks=pytest.mark.long)])
def test_no_trap_in_a_store_does_harm(folder: Path, how_many: str) -> None:
    found = attacked(folder, how_many)
    table = found.pop("table")
    assert len(found) > 60
    bad = [f"{name}: {why}: {came['err'][-300:]}" for name, came in found.items()
           for why in wrong(name, came, table)]  # fmt: skip
    assert not bad, "\n".join(bad)


def test_settings_and_models_of_10_gb_are_not_read(tmp_path: Path) -> None:
    for name in ("heliast.toml", "m.skops"):
        (tmp_path / name).touch()
        os.truncate(tmp_path / name, 10 << 30)
    with pytest.raises(ValueError, match="10,737,418,240 bytes"):
        _config.settings("gate", folder=tmp_path)
    with pytest.raises(ValueError, match="10,737,418,240 bytes"):
        loading.load_model(tmp_path / "m.skops")
