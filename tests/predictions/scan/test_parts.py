"""Parts that do not fit together: on the command line, by name, with exit code 2."""

import gzip
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from heliast.cli import main

PARTS = 3


def table(n: int = 200) -> pa.Table:
    draw = np.random.default_rng(n)
    truth = draw.integers(0, 2, n)
    return pa.table({"y_true": truth, "prob": np.clip(truth * 0.3 + draw.uniform(0, 0.7, n), 0, 1)})


@pytest.fixture
def parquet(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    for at in range(PARTS):
        pq.write_table(table(), folder / f"part-{at}.parquet")
    return folder


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    for at in range(PARTS):
        rows = zip(*table().to_pydict().values(), strict=True)
        lines = "".join(f"{truth},{prob}\n" for truth, prob in rows)
        (folder / f"part-{at}.csv").write_text(f"y_true,prob\n{lines}")
    return folder


def heliast(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run the command line as a shell would; its exit code."""
    monkeypatch.setattr(sys, "argv", ["heliast", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def blot(path: Path) -> None:
    whole = bytearray(path.read_bytes())
    whole[20:200] = np.random.default_rng(5).bytes(180)
    path.write_bytes(whole)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_link(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "gone")


def renamed(path: Path) -> None:
    pq.write_table(table().rename_columns(["y_true", "p"]), path)


def retyped(path: Path) -> None:
    one = table()
    pq.write_table(one.set_column(0, "y_true", one["y_true"].cast(pa.string())), path)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda path: path.write_bytes(b""), "damaged or cut short"),
        (lambda path: path.write_bytes(b"junk"), "damaged or cut short"),
        (cut, "damaged or cut short"),
        (as_folder, "not a file"),
        (as_link, "not a file"),
        (renamed, "column 'p' is not the same"),
        (retyped, "column 'y_true' is not the same"),
    ],
)
@pytest.mark.parametrize("pattern", ["", "*.parquet"])
def test_a_spoilt_part_is_named(
    parquet: Path,
    spoil: Callable[[Path], None],
    words: str,
    pattern: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    spoil(parquet / "part-1.parquet")
    assert heliast(monkeypatch, "assess", "--scan", parquet / pattern) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert words in said.err
    assert "part-1.parquet" in said.err


def test_a_part_damaged_within_is_refused(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blot(parquet / "part-1.parquet")
    assert heliast(monkeypatch, "assess", "--scan", parquet) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "a file may be damaged" in said.err


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is unreadable for the superuser")
def test_a_part_without_permission_is_named(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (parquet / "part-1.parquet").chmod(0)
    assert heliast(monkeypatch, "assess", "--scan", parquet) == 2
    assert "part-1.parquet: no permission" in capsys.readouterr().err


def test_an_empty_part_is_a_part(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(parquet / "part-0.parquet", parquet.parent / "alone.parquet")
    pq.write_table(table().slice(0, 0), parquet / "part-1.parquet")
    (parquet / "part-2.parquet").unlink()
    outputs = []
    for source in (parquet, parquet.parent / "alone.parquet"):
        assert heliast(monkeypatch, "--quiet", "assess", source, "--scan") == 0
        words = capsys.readouterr().out.split()  # lines break by the length of the name
        outputs.append([word.replace("alone", "run") for word in words])
    assert outputs[0] == outputs[1]


def test_no_rows_and_no_parts(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in parquet.iterdir():
        pq.write_table(table().slice(0, 0), part)
    assert heliast(monkeypatch, "assess", "--scan", parquet) == 2
    assert "columns but no row" in capsys.readouterr().err
    for part in parquet.iterdir():
        part.unlink()
    assert heliast(monkeypatch, "assess", "--scan", parquet) == 2
    assert "a folder without a Parquet, CSV, JSON or Arrow file" in capsys.readouterr().err


def test_parts_in_folders_are_never_left_out(
    parquet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (parquet / "more").mkdir()
    (parquet / "part-1.parquet").rename(parquet / "more" / "part-1.parquet")
    assert heliast(monkeypatch, "assess", "--scan", parquet) == 2
    assert "**/*.parquet" in capsys.readouterr().err
    assert heliast(monkeypatch, "assess", "--scan", parquet / "**/*.parquet") == 0
    assert "n = 600)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "the file is empty"),
        (b"y_true,other\n1,2\n", "the header names other columns"),
        (b"y_true,prob\n1,0.5\n1,much\n", "'much'"),
        (b"y_true,prob\n1,0.5\n1\n", "line 3 has 1 field"),
        (b"y_true,prob\n1,0.5\n\xff,0.5\n", "not UTF-8"),
    ],
)
def test_a_spoilt_csv_part_is_named(
    texts: Path,
    content: bytes,
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (texts / "part-1.csv").write_bytes(content)
    assert heliast(monkeypatch, "assess", "--scan", texts) == 2
    said = capsys.readouterr().err
    assert words in said
    assert "part-1.csv" in said or "much" in said
    assert len(said) < 1000


def test_a_cut_gzip_part_is_named(
    texts: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in sorted(texts.iterdir()):
        (texts / f"{part.name}.gz").write_bytes(gzip.compress(part.read_bytes()))
        part.unlink()
    cut(texts / "part-1.csv.gz")
    assert heliast(monkeypatch, "assess", "--scan", texts) == 2
    assert "part-1.csv.gz" in capsys.readouterr().err
