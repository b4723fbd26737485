"""Torn and bit-flipped cells: always seen, set aside, and done again."""

import copy
import json
import os
import random
import shutil
import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.store import Cell, Damaged, Output, Store
from heliast.fitting.store._files import checksum

WORK = ("work",)


def cells() -> list[Cell]:
    scores = np.array([[0.1, 0.9], [0.5, 0.5]])
    made = Output("", np.array([1, 0]), scores, "probability")
    return [Cell(3, np.array([4, 7]), np.array([0, 1], np.int32), [made], fit_seconds=0.5)]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.at(tmp_path / "runs")


@pytest.fixture
def kept(store: Store) -> Path:
    """The one file of cells in the store."""
    store.keep(WORK, cells())
    (path,) = store.folder.glob("??/*.parquet")
    return path


def refused(store: Store, path: Path) -> bool:
    """Whether the damaged file is told, not used, and in quarantine."""
    with pytest.warns(Damaged, match="moved to quarantine"):
        found = store.find(WORK)
    (aside,) = store.quarantined()
    aside.unlink()
    return found is None and not path.exists()


def test_every_truncation_is_seen(store: Store, kept: Path) -> None:
    whole = kept.read_bytes()
    assert len(whole) > 500
    for length in range(len(whole)):
        kept.write_bytes(whole[:length])
        assert refused(store, kept), length


def test_random_bit_flips_are_seen(store: Store, kept: Path) -> None:
    whole, chance = kept.read_bytes(), random.Random(1)
    for _ in range(500):
        content = bytearray(whole)
        content[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        kept.write_bytes(content)
        assert refused(store, kept)


def test_bytes_added_or_exchanged_are_seen(store: Store, kept: Path) -> None:
    whole = kept.read_bytes()
    for content in (whole + b"\0", b"\0" + whole, whole + whole, whole[1:] + whole[:1], b""):
        kept.write_bytes(content)
        assert refused(store, kept)


def test_every_bit_flip_in_the_name_is_seen(store: Store, kept: Path) -> None:
    """Cells under a name that is not theirs are never given out, to nobody."""
    name, content = os.fsencode(kept.name), kept.read_bytes()
    kept.unlink()
    for at in range(len(name)):
        for bit in range(8):
            other = name[:at] + bytes([name[at] ^ (1 << bit)]) + name[at + 1 :]
            if other[at] in b"/\0" or other in (b".", b".."):
                continue
            key = os.fsdecode(other)[:32]
            place = kept.parent / os.fsdecode(other)
            place.write_bytes(content)
            shelf = store.folder / key[:2]
            if at < 2 and key[:2].isalnum() and key[:2].islower():  # it may fall on another shelf
                shelf.mkdir(exist_ok=True)
                place = place.rename(shelf / place.name)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", Damaged)
                assert store.find(WORK) is None
                assert store.read(key) is None
            place.unlink(missing_ok=True)
            shutil.rmtree(store.folder / "quarantine", ignore_errors=True)


def test_a_whole_file_of_something_else_is_set_aside(store: Store, kept: Path) -> None:
    key = kept.name[:32]
    for content in (b"no Parquet at all", _parquet({}), _parquet({b"heliast-cells": b"[{]"})):
        kept.unlink(missing_ok=True)
        path = kept.with_name(f"{key}-{checksum(content)}.parquet")
        path.write_bytes(content)
        assert refused(store, path)


def test_cells_of_another_format_are_left_to_those_who_read_them(store: Store, kept: Path) -> None:
    kept.unlink()
    content = _parquet({b"heliast-cells": b'{"format": 99, "cells": []}'})
    path = kept.with_name(f"{kept.name[:32]}-{checksum(content)}.parquet")
    path.write_bytes(content)
    assert store.find(WORK) is None
    assert path.exists()
    store.keep(WORK, cells())
    assert store.find(WORK) is not None


def test_a_run_redoes_what_is_damaged(tmp_path: Path) -> None:
    model, data = {"tree": DecisionTreeClassifier(random_state=0)}, load_iris(return_X_y=True)

    def go() -> hl.Predictions:
        return hl.run(model, data, 10, store=tmp_path, jobs=1, progress=False)

    first = go()
    chance = random.Random(2)
    damaged = chance.sample(sorted(tmp_path.glob("??/*.parquet")), 4)
    for path in damaged:
        content = bytearray(path.read_bytes())
        content[chance.randrange(len(content))] ^= 16
        path.write_bytes(content)
    with pytest.warns(Damaged) as told:
        again = go()
    assert len(told) == 4
    assert again.equals(first)
    store = Store.at(tmp_path)
    assert {path.name for path in store.quarantined()} == {path.name for path in damaged}
    assert store.progress(store.run()).unfinished == ""


def _parquet(metadata: dict[bytes, bytes]) -> bytes:
    return _written(pa.table({"row": [1]}), metadata)


def _written(table: pa.Table, metadata: dict[bytes, bytes]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink)
    return bytes(sink.getvalue())


def test_forged_cells_are_refused_or_read_but_never_break_anything(tmp_path: Path) -> None:
    """Files with a right checksum whose content somebody changed."""
    model, data = {"tree": DecisionTreeClassifier(random_state=0)}, load_iris(return_X_y=True)
    hl.run(model, data, 3, store=tmp_path, jobs=1, progress=False)
    path = sorted(tmp_path.glob("??/*.parquet"))[0]
    table, store, chance = pq.read_table(path), Store.at(tmp_path), random.Random(5)
    whole = json.loads(table.schema.metadata[b"heliast-cells"])
    path.unlink()
    seen = set()
    for _ in range(300):
        said, changed = copy.deepcopy(whole), table
        if chance.random() < 0.7:
            _change(said, chance)
        else:
            name = chance.choice(table.column_names)
            at = table.column_names.index(name)
            junk = [chance.choice(JUNK[:6])] * len(table)
            changed = table.drop_columns([name])
            if chance.random() < 0.7:
                changed = changed.add_column(at, name, pa.array(junk))
        content = _written(changed, {b"heliast-cells": json.dumps(said).encode()})
        forged = path.with_name(f"{path.name[:32]}-{checksum(content)}.parquet")
        forged.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Damaged)
            try:
                seen.add(store.table().unfinished)
            except hl.InputError:
                seen.add("refused")
        forged.unlink(missing_ok=True)
        shutil.rmtree(tmp_path / "quarantine", ignore_errors=True)
    assert seen == {"", "unfinished: 2 of 3 cells", "refused"}


JUNK: list = [-1, 99, 2**40, 1.5, float("nan"), "x", None, True, [], {}, [[]], "\0"]


def _change(said: object, chance: random.Random) -> None:
    """Put junk somewhere into a tree of dicts and lists."""
    while True:
        keys = list(said) if isinstance(said, dict) else list(range(len(said)))  # type: ignore[arg-type]
        key = chance.choice(keys)
        inner = said[key]  # type: ignore[index]
        if isinstance(inner, (dict, list)) and inner and chance.random() < 0.8:
            said = inner
            continue
        said[key] = chance.choice(JUNK)  # type: ignore[index]
        return
