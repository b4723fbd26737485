"""Claims: one process does the work, others wait for it or take over when it is gone."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from heliast.fitting.store import Cell, Output, Store, _claims, _files
from heliast.fitting.store._files import is_gone, owner
from heliast.fitting.store._shelves import name_of

WORK = ("work",)

# Newer Pythons warn of forks beside threads; what is forked here ends at once.
pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")


def cells() -> list[Cell]:
    return [Cell(0, np.array([1, 2]), np.zeros(2, np.int32), [Output("", np.array([0, 1]))])]


def never() -> list[Cell]:
    raise AssertionError("done although another is at it")


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.at(tmp_path)


@pytest.fixture
def claim(store: Store) -> Path:
    """Where the claim on the work lies."""
    key = name_of(WORK)
    path = store.folder / key[:2] / f"{key}.claim"
    path.parent.mkdir()
    return path


def ended() -> int:
    """The number of a process that has ended."""
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    return child


def machine() -> str:
    return owner().partition(".")[0]


def test_the_claim_is_there_during_the_work_and_gone_after_it(store: Store, claim: Path) -> None:
    def work() -> list[Cell]:
        assert claim.read_text().startswith(owner())
        return cells()

    assert store.done(WORK, work) is not None
    assert not claim.exists()
    assert store.done(WORK, never) is not None


def test_the_claim_is_gone_after_a_failure(store: Store, claim: Path) -> None:
    def work() -> list[Cell]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.done(WORK, work)
    assert not claim.exists()


def test_who_does_not_wait_is_told(store: Store, claim: Path) -> None:
    claim.write_text("elsewhere.1.00000000")
    assert store.done(WORK, never, wait=False) is None
    assert claim.exists()


def test_who_waits_gets_what_the_other_finds(store: Store, claim: Path) -> None:
    claim.write_text("elsewhere.1.00000000")

    def other() -> None:
        time.sleep(0.2)
        store.keep(WORK, cells())

    thread = threading.Thread(target=other)
    thread.start()
    assert store.done(WORK, never) is not None
    thread.join()


def test_the_claim_of_a_process_that_ended_is_taken_over_at_once(store: Store, claim: Path) -> None:
    claim.write_text(f"{machine()}.{ended()}.00000000")
    assert store.done(WORK, cells, wait=False) is not None
    assert not claim.exists()


def test_the_claim_of_an_earlier_process_of_our_number(store: Store, claim: Path) -> None:
    claim.write_text(f"{owner()}.00000000")
    assert store.done(WORK, cells, wait=False) is not None


def test_a_claim_that_was_never_signed(
    store: Store, claim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim.touch()
    assert store.done(WORK, never, wait=False) is None
    monkeypatch.setattr(_claims, "NEWBORN", 0.2)
    assert store.done(WORK, cells) is not None


def test_a_claim_without_a_sign_of_life_is_taken_over(
    store: Store, claim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the time on the other machine: only whether it changes counts."""
    claim.write_text("elsewhere.1.00000000")
    os.utime(claim, (4e9, 4e9))
    monkeypatch.setattr(_claims, "PATIENCE", 0.3)
    start = time.monotonic()
    assert store.done(WORK, cells) is not None
    assert time.monotonic() - start > 0.3
    assert not claim.exists()


def test_signs_of_life_are_given_and_respected(
    store: Store, claim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_claims, "BEAT", 0.02)
    monkeypatch.setattr(_claims, "_signs", [])
    assert _claims.take(claim)
    os.utime(claim, (1, 1))
    until = time.monotonic() + 10
    while claim.stat().st_mtime == 1 and time.monotonic() < until:
        time.sleep(0.01)
    assert claim.stat().st_mtime > 1
    watch = _claims.Watch(claim)
    monkeypatch.setattr(_claims, "PATIENCE", 1.0)
    for _ in range(5):
        assert not watch.is_over()
        time.sleep(0.05)
    _claims.release(claim)
    assert watch.is_over()


def test_a_claim_taken_over_is_not_removed_by_who_lost_it(claim: Path) -> None:
    assert _claims.take(claim)
    claim.write_text("elsewhere.1.00000000")
    _claims.release(claim)
    assert claim.read_text() == "elsewhere.1.00000000"


def test_only_processes_of_this_machine_are_known_to_be_gone() -> None:
    assert not is_gone(owner())
    assert not is_gone(f"{machine()}.{os.getppid()}")
    assert is_gone(f"{machine()}.{ended()}.00000000")
    assert not is_gone(f"elsewhere.{ended()}")
    assert not is_gone("")


def test_a_zombie_is_gone() -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    until = time.monotonic() + 10
    while not is_gone(f"{machine()}.{child}") and time.monotonic() < until:
        time.sleep(0.01)
    assert is_gone(f"{machine()}.{child}")
    os.waitpid(child, 0)


def test_two_files_of_one_batch_are_read_in_one_order(store: Store) -> None:
    """Two processes that did the same work differ in times only: everybody reads the same file."""
    for seconds in (1.0, 2.0, 3.0):
        made = cells()
        made[0].fit_seconds = seconds
        store.keep(WORK, made)
    assert len(store.files_of(name_of(WORK))) == 3
    found = [Store.at(store.folder).find(WORK) for _ in range(3)]
    assert len({one[0].fit_seconds for one in found if one is not None}) == 1


def test_signs_of_life_are_given_to_the_store_only(tmp_path: Path) -> None:
    """Whoever puts a link in the place of a claim, or of its shelf, has nothing of his dated."""
    outside, shelf = tmp_path / "outside", tmp_path / "ab"
    outside.mkdir()
    shelf.mkdir()
    claim = shelf / f"{'a' * 32}.claim"
    for victim in (outside / "victim", outside / claim.name):
        victim.write_text("mine")
        os.utime(victim, (1, 1))
    claim.symlink_to(outside / "victim")
    _files.touch(claim)
    shelf.rename(tmp_path / "away")
    shelf.symlink_to(outside)
    for act in (_files.touch, _files.remove, lambda path: _files.read(path, 100)):
        with pytest.raises(_files.OddFolder, match="ab is a link"):
            act(claim)
    with pytest.raises(_files.OddFolder):
        _files.create(shelf / "new", b"")
    assert {path.stat().st_mtime for path in outside.iterdir()} == {1.0}
    assert len(list(outside.iterdir())) == 2


# --- what the soak (tests/faults/soak.py) met ----------------------------------------------------


def test_who_wakes_up_after_another_took_over_harms_nobody(
    store: Store, claim: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped for longer than others wait: both do the work, and both files say the same."""
    monkeypatch.setattr(_claims, "PATIENCE", 0.3)
    begun, go_on = tmp_path / "begun", tmp_path / "go on"

    def slow() -> list[Cell]:
        begun.touch()
        while not go_on.exists():
            time.sleep(0.01)
        made = cells()
        made[0].fit_seconds = 1.0
        return made

    child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if store.done(WORK, slow) is not None else 2
        finally:
            os._exit(code)
    while not begun.exists():
        time.sleep(0.01)
    os.kill(child, signal.SIGSTOP)
    assert store.done(WORK, cells) is not None
    go_on.touch()
    os.kill(child, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert len(store.files_of(name_of(WORK))) == 2
    found = store.find(WORK)
    assert found is not None
    np.testing.assert_array_equal(found[0].outputs[0].label, cells()[0].outputs[0].label)
    assert not claim.exists()


def test_a_file_that_is_taken_for_a_leftover_while_it_is_written_is_written_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock jumps, or the machine sleeps, for more than an hour between writing and naming."""
    monkeypatch.setattr(_files, "_PAUSES", (0.0,))
    move, swept = _files.move, []

    def late(part: Path, path: Path) -> None:
        if not swept:
            os.utime(part, (1, 1))
            store._sweep()
            swept.append(part)
        move(part, path)

    monkeypatch.setattr(_files, "move", late)
    store.keep(WORK, cells())
    assert not swept[0].exists()
    assert store.find(WORK) is not None
    assert not store.leftovers()


def test_a_claim_made_while_old_ones_are_swept_stays(
    store: Store, claim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another takes over what the sweeper has not come to yet."""
    others = [claim, claim.with_name(f"{'f' * 32}.claim")]
    for path in others:
        path.write_text(f"{machine()}.{ended()}.00000000")
    forget = _files.forget
    first, second = sorted(others)

    def meanwhile(path: Path) -> None:
        forget(path)
        if path == first:
            second.write_text("elsewhere.1.00000000")

    monkeypatch.setattr(_files, "forget", meanwhile)
    store._sweep()
    assert not first.exists()
    assert second.read_text() == "elsewhere.1.00000000"


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_set_takes_nobodys_work(
    store: Store, claim: Path, monkeypatch: pytest.MonkeyPatch, hours: int
) -> None:
    """Only a claim that does not change is over, whatever date it bears."""
    monkeypatch.setattr(_claims, "PATIENCE", 0.3)
    claim.write_text("elsewhere.1.00000000")
    watch = _claims.Watch(claim)
    until = time.monotonic() + 0.7
    while time.monotonic() < until:
        date = time.time() + hours * 3700 + time.monotonic()
        os.utime(claim, (date, date))
        assert not watch.is_over()
        time.sleep(0.02)
