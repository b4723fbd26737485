"""Records of runs: what is there is counted, tables need no data, strangers are held off."""

import json
import os
import random
import shutil
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_diabetes, load_iris
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.store import Damaged, Request, Store, removable
from heliast.fitting.store._runs import identity_of, of_bytes, to_bytes

MODELS = {"bayes": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}


def go(store: object, **options: object) -> hl.Predictions:
    arguments: dict = {"shortcuts": False, "seed": 4, "jobs": 1, "progress": False, **options}
    return hl.run(MODELS, load_iris(return_X_y=True), 10, store=store, **arguments)


def take_away(store: Path, count: int, seed: int = 0) -> None:
    for path in random.Random(seed).sample(sorted(store.glob("??/*.parquet")), count):
        path.unlink()


class TestRecord:
    def test_says_what_was_asked_for(self, tmp_path: Path) -> None:
        table = go(tmp_path)
        (run,) = Store.at(tmp_path).runs()
        assert (run.cells, run.rows, run.seed) == (20, 150, 4)
        assert list(run.models) == ["bayes", "tree"]
        assert run.plan.startswith("KFold(k=10")
        assert run.data_fingerprint == table.meta.data_fingerprint
        assert run.plan_fingerprint == table.meta.plan_fingerprint
        assert run.versions == table.meta.versions
        assert run.command is None

    def test_the_same_run_again_is_the_same_record(self, tmp_path: Path) -> None:
        go(tmp_path)
        (before,) = Store.at(tmp_path).runs()
        go(tmp_path)
        assert Store.at(tmp_path).runs() == (before,)

    def test_another_run_is_another_record(self, tmp_path: Path) -> None:
        go(tmp_path)
        go(tmp_path, seed=5)
        first, second = Store.at(tmp_path).runs()
        assert first.id != second.id

    def test_is_there_before_the_first_cell(self, tmp_path: Path) -> None:
        class Stopping(DecisionTreeClassifier):
            def fit(self, X: object, y: object) -> None:
                raise KeyboardInterrupt

        globals()["Stopping"] = Stopping
        Stopping.__qualname__ = "Stopping"
        with pytest.raises(KeyboardInterrupt):
            hl.run(
                {"s": Stopping()},
                load_iris(return_X_y=True),
                5,
                store=tmp_path,
                jobs=1,
                progress=False,
            )
        store = Store.at(tmp_path)
        assert store.progress(store.run()).unfinished == "unfinished: 0 of 5 cells"
        with pytest.raises(hl.NotEnoughData, match="none of its 5 cells"):
            store.table()

    def test_a_request_is_noted_and_the_latest_counts(self, tmp_path: Path) -> None:
        go(tmp_path)
        before = Store.at(tmp_path).run()
        request = Request("run", ("iris.csv",), ("tree",), {"seed": 3, "ignore": ("a", "b")})
        go(Store.at(tmp_path, request=Request("run", ("other.csv",))))
        go(Store.at(tmp_path, request=request))
        after = Store.at(tmp_path).run()
        assert after.request == request
        assert after.begun == before.begun
        go(tmp_path)
        assert Store.at(tmp_path).run() == after

    def test_progress_is_counted_not_believed(self, tmp_path: Path) -> None:
        go(tmp_path)
        store = Store.at(tmp_path)
        assert store.progress(store.run()).unfinished == ""
        take_away(tmp_path, 7)
        for read in (True, False):
            assert store.progress(store.run(), read).unfinished == "unfinished: 13 of 20 cells"
        torn = next(tmp_path.glob("??/*.parquet"))
        torn.write_bytes(torn.read_bytes()[:100])
        with pytest.warns(Damaged):
            assert store.progress(store.run()).finished == 12

    def test_failed_cells_are_counted(self, tmp_path: Path) -> None:
        models = {**MODELS, "wrong": DecisionTreeClassifier(max_depth=-1)}
        with pytest.warns(UserWarning, match="'wrong' failed in 5 of 5 splits"):
            hl.run(models, load_iris(return_X_y=True), 5, store=tmp_path, jobs=1, progress=False)
        store = Store.at(tmp_path)
        progress = store.progress(store.run())
        assert (progress.finished, progress.failed) == (15, 5)
        assert progress.models["wrong"].failed == 5
        assert progress.models["tree"].failed == 0

    def test_ids_may_be_cut_short(self, tmp_path: Path) -> None:
        go(tmp_path)
        go(tmp_path, seed=5)
        store = Store.at(tmp_path)
        one, other = store.runs()
        assert store.run(one.id[:8]) == one
        with pytest.raises(hl.InputError, match=r"2 runs; name one of"):
            store.run()
        for unknown in ("zzz", "../runs", "/etc/passwd", f"{other.id}x"):
            with pytest.raises(hl.InputError, match="no run"):
                store.run(unknown)


class TestTable:
    def test_of_a_finished_run_is_that_of_the_run(self, tmp_path: Path) -> None:
        assert Store.at(tmp_path).folder == tmp_path
        table = go(tmp_path)
        again = Store.at(tmp_path).table()
        assert again.equals(table)
        assert again.unfinished == ""

    def test_of_numbers_and_of_groups(self, tmp_path: Path) -> None:
        X, y = load_diabetes(return_X_y=True)
        group = np.arange(y.size) // 4
        data = hl.Dataset.of(X, y, group=group)
        table = hl.run(
            {"linear": LinearRegression()}, data, 5, store=tmp_path, jobs=1, progress=False
        )
        again = Store.at(tmp_path).table()
        assert again.equals(table)
        assert again.group is not None

    def test_of_an_unfinished_run_holds_what_is_there(self, tmp_path: Path) -> None:
        whole = go(tmp_path)
        take_away(tmp_path, 7)
        part = Store.at(tmp_path).table()
        assert part.unfinished == "unfinished: 13 of 20 cells"
        assert len(part.cells) == 13
        assert part.splits == whole.splits
        for cell in part.cells:
            one, other = (
                table.only(str(cell["model"]), cell["split"])  # type: ignore[arg-type]
                for table in (part, whole)
            )
            np.testing.assert_array_equal(one.label, other.label)
            np.testing.assert_array_equal(one.scores, other.scores)
            np.testing.assert_array_equal(one.row, other.row)
        assert go(tmp_path).equals(whole)


class TestStrangers:
    def test_a_damaged_record_is_set_aside_and_comes_back_with_its_run(
        self, tmp_path: Path
    ) -> None:
        whole = go(tmp_path)
        (path,) = (tmp_path / "runs").glob("*.json")
        content = path.read_bytes()
        for at in range(0, len(content), 97):
            path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
            with pytest.warns(Damaged):
                assert Store.at(tmp_path).runs() == ()
            shutil.rmtree(tmp_path / "quarantine")
        assert go(tmp_path).equals(whole)
        assert Store.at(tmp_path).table().equals(whole)

    def test_what_a_run_is_about_is_checked_too(self, tmp_path: Path) -> None:
        whole = go(tmp_path)
        (path,) = (tmp_path / "runs").glob("*.parquet")
        path.write_bytes(path.read_bytes()[:-9])
        with pytest.warns(Damaged), pytest.raises(hl.InputError, match="its cells are not"):
            Store.at(tmp_path).table()
        go(tmp_path)
        assert Store.at(tmp_path).table().equals(whole)
        path.unlink()
        with pytest.raises(hl.InputError, match="is lost"):
            Store.at(tmp_path).table()
        go(tmp_path)
        assert Store.at(tmp_path).table().equals(whole)

    @pytest.mark.parametrize(
        "key", ["../../../../etc/passwd", "/etc/passwd", "..", "", "a" * 31, "A" * 32]
    )
    def test_no_name_in_a_record_leads_out_of_the_store(self, tmp_path: Path, key: str) -> None:
        """Even a record with a right checksum."""
        from dataclasses import replace

        go(tmp_path)
        run = Store.at(tmp_path).run()
        batches = (replace(run.batches[0], key=key), *run.batches[1:])
        forged = replace(run, id=identity_of(batches), batches=batches)
        with pytest.raises(ValueError, match="not of the store"):
            of_bytes(to_bytes(forged), forged.id)
        other = replace(run, subject="../../secret12345")
        with pytest.raises(ValueError, match="not of the store"):
            of_bytes(to_bytes(other), other.id)

    @pytest.mark.parametrize(
        "content",
        [b"", b"[]", b"{}", b"null", b"\xff\xfe", b'{"format": 0}', b"[" * 100_000,
         b'{"format": 1, "run": {}, "checksum": ""}'],
    )  # fmt: skip
    def test_whatever_lies_there_is_no_record(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "runs").mkdir()
        (tmp_path / "runs" / "0123456789.json").write_bytes(content)
        with pytest.warns(Damaged):
            assert Store.existing(tmp_path).runs() == ()

    def test_a_record_of_a_newer_heliast_is_left_alone(self, tmp_path: Path) -> None:
        (tmp_path / "runs").mkdir()
        path = tmp_path / "runs" / "0123456789.json"
        path.write_text('{"format": 3, "what": "ever"}')
        assert Store.existing(tmp_path).runs() == ()
        assert path.exists()

    def test_links_are_not_followed(self, tmp_path: Path) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        go(tmp_path / "runs")
        (cell,) = sorted((tmp_path / "runs").glob("??/*.parquet"))[:1]
        mine = outside / cell.name.replace(cell.name[:4], "0000", 1)
        mine.write_bytes(b"mine")
        shelf = tmp_path / "runs" / "00"
        if shelf.exists():
            shutil.rmtree(shelf)
        shelf.symlink_to(outside)
        (tmp_path / "runs" / "quarantine").symlink_to(outside)
        found = removable(Store.existing(tmp_path / "runs"))
        assert not [path for path in found.files if path.name == mine.name]
        found.remove()
        assert mine.read_bytes() == b"mine"

    def test_a_folder_of_something_else_is_no_store(self, tmp_path: Path) -> None:
        (tmp_path / "notes.txt").write_text("mine")
        for place in (tmp_path, tmp_path / "nowhere", tmp_path / "notes.txt"):
            with pytest.raises(hl.InputError, match=r"no run|no such|not a folder"):
                Store.existing(place)


class TestClean:
    def test_takes_what_nothing_needs_and_nothing_else(self, tmp_path: Path) -> None:
        whole = go(tmp_path)
        own = sorted(path for path in tmp_path.rglob("*") if path.is_file())
        cell = next(tmp_path.glob("??/*.parquet"))
        mine = [tmp_path / "notes.txt", cell.parent / "notes.parquet", tmp_path / ".part"]
        mine += [tmp_path / "runs" / "mine.json", tmp_path / "zz" / cell.name]
        for path in mine:
            path.parent.mkdir(exist_ok=True)
            path.write_text("mine")
        old = cell.parent / f".{cell.name[:32]}.elsewhere.7.00000000.part"
        young = cell.parent / f".{cell.name[:32]}.elsewhere.8.00000000.part"
        for path in (old, young):
            path.write_text("half")
        os.utime(old, (1, 1))
        claims = [cell.parent / f"{digit * 32}.claim" for digit in "ab"]
        for claim in claims:
            claim.write_text("elsewhere.1.0")
        os.utime(claims[0], (1, 1))
        unowned = cell.parent / f"{'0' * 32}-{'0' * 16}.parquet"
        unowned.write_text("")
        twice = cell.with_name(f"{cell.name[:33]}{'f' * 16}.parquet")
        twice.write_text("damaged")
        cell.rename(cell.with_suffix(".away"))
        with pytest.warns(Damaged):
            assert Store.at(tmp_path).read(cell.name[:32]) is None
        cell.with_suffix(".away").rename(cell)
        found = removable(Store.existing(tmp_path))
        assert found.leftovers == (old,)
        assert found.claims == (claims[0],)
        assert found.unowned == (unowned,)
        assert found.quarantined == (tmp_path / "quarantine" / twice.name,)
        assert found.remove() == 4
        for path in (*own, *mine, young, claims[1]):
            assert path.exists(), path
        assert go(tmp_path).equals(whole)

    def test_of_two_files_of_one_batch_the_one_that_is_read_stays(self, tmp_path: Path) -> None:
        go(tmp_path)
        store = Store.at(tmp_path)
        key = store.run().batches[0].key
        found = store.read(key)
        assert found is not None
        found[0].fit_seconds += 1
        store._write(key, found)
        _, second = store.files_of(key)
        assert removable(store).doubled == (second,)

    def test_two_stores_copied_into_one_agree(self, tmp_path: Path) -> None:
        """As of two machines that did the same work: everything is there twice, and the same."""
        whole = go(tmp_path / "a")
        assert go(tmp_path / "b").equals(whole)
        shutil.copytree(tmp_path / "b", tmp_path / "a", dirs_exist_ok=True)
        store = Store.at(tmp_path / "a")
        twice = [store.files_of(batch.key) for batch in store.run().batches]
        assert sum(len(paths) for paths in twice) > 30  # of 20 batches; times seldom agree
        assert store.table().equals(whole)
        assert go(tmp_path / "a").equals(whole)
        removable(store).remove()
        assert all(len(store.files_of(batch.key)) == 1 for batch in store.run().batches)
        assert store.table().equals(whole)

    def test_cells_of_a_lost_record_stay(self, tmp_path: Path) -> None:
        whole = go(tmp_path)
        (path,) = (tmp_path / "runs").glob("*.json")
        path.write_text(path.read_text().replace('"seed": 4', '"seed": 5'))
        with pytest.warns(Damaged):
            found = removable(Store.existing(tmp_path))
        assert not found.files
        assert "files of no recorded run stay" in found.kept
        assert go(tmp_path).equals(whole)
        assert json.loads(path.read_text())["run"]["seed"] == 4
        (tmp_path / "quarantine" / "0123456789.json").write_text("of no cell that is there")
        after = removable(Store.existing(tmp_path))
        assert {one.name for one in after.files} == {path.name, "0123456789.json"}
