"""Files: read only if plain; written complete or not at all, private, never through a trap."""

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import IO

import pytest

from heliast._core.errors import InputError
from heliast._core.files import NotPlain, plain, read_plain, write_text, write_whole


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_is_left_of_a_write_that_fails(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("before")

    def fill(file: IO[bytes]) -> None:
        file.write(b"half")
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError):
        write_whole(path, fill)
    assert path.read_text() == "before"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_reader_never_sees_half_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    whole = {"x" * 200_000, "y" * 300_000}
    write_text(path, "x" * 200_000)
    stop = threading.Event()
    seen = set()

    def read() -> None:
        while not stop.is_set():
            seen.add(path.read_text())

    reader = threading.Thread(target=read)
    reader.start()
    for _ in range(20):
        for text in whole:
            write_text(path, text)
    stop.set()
    reader.join()
    assert seen <= whole


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o027])
def test_a_new_file_has_ordinary_permissions(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        write_text(tmp_path / "a", "x")
        (tmp_path / "b").write_text("x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "a") == mode(tmp_path / "b") == 0o666 & ~mask


def test_a_private_file_stays_private(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("secret")
    path.chmod(0o600)
    write_text(path, "also secret")
    assert mode(path) == 0o600


def test_links_are_followed_and_stay(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "a")
    for text in ("one", "two"):
        write_text(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real" / "a").read_text() == text


def test_a_link_laid_beside_the_target_is_not_written_through(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("mine")
    for name in (".a.txt.part", ".a.txt.tmp", "a.txt.part", "a.txt.tmp", ".heliast.part"):
        (tmp_path / name).symlink_to(victim)
    write_text(tmp_path / "a.txt", "x")
    assert victim.read_text() == "mine"


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    code = "from heliast._core.files import write_text; write_text('/dev/stdout', 'said')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "said"
    assert stat.S_ISLNK(os.lstat("/dev/stdout").st_mode)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("none/a", "there is no folder"),
        ("", "it is a folder"),
        ("a\0b", "null"),
        ("a" * 300, "too long"),
        ("\0", "null"),
    ],
)
def test_places_that_cannot_be_written(tmp_path: Path, name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        write_text(f"{tmp_path}/{name}", "x")
    assert os.listdir(tmp_path) == []


def test_a_name_as_long_as_the_disk_allows(tmp_path: Path) -> None:
    assert write_text(tmp_path / ("a" * 255), "x").read_text() == "x"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is for reading only for the superuser")
def test_a_file_for_reading_only_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("kept")
    path.chmod(0o444)
    with pytest.raises(InputError, match="for reading only"):
        write_text(path, "x")
    assert path.read_text() == "kept"


def test_a_full_disk(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    (tmp_path / "a").symlink_to("/dev/full")
    with pytest.raises(InputError, match="No space left"):
        write_text(tmp_path / "a", "x" * 100_000)


def test_bytes_of_names_that_are_no_text(tmp_path: Path) -> None:
    odd = os.fsdecode(b"\xff")
    assert write_text(tmp_path / "a", odd).read_text() == "\\udcff"


# --- reading -----------------------------------------------------------------------------------


def test_only_plain_files_are_read_and_nothing_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    for name in ("pipe", "endless", "loop", "."):
        with pytest.raises(NotPlain, match="not a file"):
            read_plain(tmp_path / name, 1000)
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "nowhere", 1000)


def test_a_link_is_followed_unless_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("mine")
    (tmp_path / "link").symlink_to("a")
    assert read_plain(tmp_path / "link", 4) == b"mine"
    with pytest.raises(NotPlain, match="a link"):
        read_plain(tmp_path / "link", 4, follow=False)


def test_size_is_judged_before_reading_and_growth_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.touch()
    os.truncate(path, 10 << 40)
    with pytest.raises(NotPlain, match="10,995,116,277,760 bytes"):
        read_plain(path, 1000)
    path.write_bytes(b"first")
    with plain(path, 1000) as (file, about):
        with path.open("ab") as writer:
            writer.write(b"more" * 1000)
        assert file.read(about.st_size) == b"first"
