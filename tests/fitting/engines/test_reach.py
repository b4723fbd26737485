"""Addresses that are no engine: refused in one sentence, within the time limit."""

import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.fitting.engines.hostile import KINDS, Answer, listening, silent

import heliast as hl
from heliast.fitting.engines import _dask, _ray, _spark
from heliast.fitting.engines._reach import LIMIT, Speech, answer_limit, in_time, reach

SPEECHES = {"dask": _dask.SPEECH, "ray": _ray.CLIENT, "spark": _spark.SPEECH}
SAID = {
    "silent": "says nothing within 1 s",
    "http": "speaks HTTP",
    "tls": "speaks TLS",
    "drip": "speaks otherwise",
    "flood": "speaks otherwise",
    "reset": "hangs up",
    "closing": "hangs up",
}
PACKAGES = {"dask": "distributed", "ray": "ray", "spark": "joblibspark"}


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, "1")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("engine", SPEECHES)
def test_a_stranger_is_refused_within_the_limit(engine: str, kind: str) -> None:
    speech = SPEECHES[engine]
    with listening(kind) as address:
        start = time.monotonic()
        if engine == "spark" and kind in ("reset", "closing"):  # as one does that is encrypted
            reach(f"{engine}://{address}", address, speech)
        else:
            # A web server waits for a request, and Dask makes none: its scheduler speaks first.
            said = SAID["silent" if (engine, kind) == ("dask", "http") else kind]
            with pytest.raises(hl.InputError) as refused:
                reach(f"{engine}://{address}", address, speech)
            words = f"whoever listens at {address} {said}"
            assert words in str(refused.value)
            assert f"it is not {speech.who}, whose usual port is {speech.port}" in str(
                refused.value
            )
        assert time.monotonic() - start < 5


def test_a_name_that_is_not_known_and_one_that_is_no_name() -> None:
    def refused(address: str) -> str:
        with pytest.raises(hl.InputError) as found:
            reach(f"dask://{address}", address, _dask.SPEECH)
        return str(found.value)

    assert "'nobody.invalid'" in refused("nobody.invalid:8786")  # in time, whatever the resolver
    for address in ("somewhere:port", ":8786", "host:99999", "", "[::1"):
        assert f"expected HOST:PORT, got {address!r}" in refused(address)


def test_a_name_that_nobody_resolves_in_time_is_refused_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with a name server that does not answer, which no test can do to the system's own."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(30))
    start = time.monotonic()
    with pytest.raises(hl.InputError, match=r"nobody answers at far:8786 \(no answer within 1 s\)"):
        reach("dask://far", "far", _dask.SPEECH)
    assert time.monotonic() - start < 5


def test_addresses_in_brackets() -> None:
    with pytest.raises(hl.InputError, match=r"nobody answers at ::1:9 \("):
        reach("dask://[::1]:9", "[::1]:9", _dask.SPEECH)


def test_what_is_encrypted_only_has_to_listen() -> None:
    speech = Speech("x", 1, b"", lambda _: False)
    with listening("silent") as address:
        reach("tls://x", f"tls://{address}", speech, encrypted=True)


@pytest.mark.parametrize("words", ["soon", "0", "-1", "inf", "nan"])
def test_a_limit_that_is_none_is_refused(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIMIT, words)
    with pytest.raises(hl.InputError, match=f"{LIMIT}='{words}': expected seconds above 0"):
        answer_limit()


def test_a_call_that_takes_too_long_is_left_to_itself() -> None:
    with pytest.raises(TimeoutError, match="no answer within"):
        in_time(0.1, time.sleep, 5)
    with pytest.raises(ZeroDivisionError):
        in_time(5, lambda: 1 // 0)


@pytest.mark.parametrize("engine", SPEECHES)
def test_the_command_line_ends_in_2_with_one_sentence(engine: str, tmp_path: Path) -> None:
    pytest.importorskip(PACKAGES[engine])
    with listening("silent") as address:
        done = _ran(f"{engine}://{address}", tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"heliast: engine='{engine}://{address}': whoever listens at {address}")
    assert not (tmp_path / "preds.csv").exists()


@pytest.mark.engines
@pytest.mark.parametrize("engine", SPEECHES)
def test_one_that_begins_well_and_then_says_nothing(engine: str, tmp_path: Path) -> None:
    """It passes our first look, so that the engine's own handshake is what has to end."""
    pytest.importorskip(PACKAGES[engine])
    start = time.monotonic()
    with listening(_half(engine)) as address:
        done = _ran(f"{engine}://{address}", tmp_path)
    assert done.returncode == 2, done.stderr
    # Java has its own remarks, before and after.
    said = [line for line in done.stderr.splitlines() if line.startswith("heliast: ")]
    assert [line.partition(": ")[2].partition(": ")[0] for line in said] == [
        f"engine='{engine}://{address}'"
    ]
    assert "Traceback" not in done.stderr
    assert time.monotonic() - start < 60


def _half(engine: str) -> Answer:
    words = {
        "dask": (200).to_bytes(8, "little"),
        "ray": bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]),
        "spark": (30).to_bytes(8, "big") + b"\x08",
    }

    def answer(peer: socket.socket, over: threading.Event) -> None:
        peer.sendall(words[engine])
        silent(peer, over)

    return answer


def _ran(engine: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    data = folder / "data.csv"
    data.write_text("x,y\n" + "".join(f"{n},{'ab'[n % 2]}\n" for n in range(12)))
    words = ["run", data, "--target", "y", "--model", "bayes", "--plan", "2", "--engine", engine]
    return subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words, "-o", folder / "preds.csv"],
        capture_output=True,
        text=True,
        timeout=120,
    )
