"""Dask: a scheduler with two worker processes, one of them killed."""

import os
from pathlib import Path

import joblib
import pytest
from sklearn.naive_bayes import GaussianNB
from tests.fitting.engines.marked import Fitting, Misfit, marks
from tests.fitting.engines.same import (
    assert_engine_gives_the_same,
    assert_same,
    iris,
    killing,
)

import heliast as hl

pytestmark = [
    pytest.mark.engines,
    pytest.mark.filterwarnings("ignore::heliast.fitting.cell.FitFailed"),
]


@pytest.fixture
def engine(scheduler: str) -> str:
    return scheduler.replace("tcp://", "dask://")


def test_the_same_table_as_local_bit_for_bit(engine: str, tmp_path: Path) -> None:
    assert_engine_gives_the_same(engine, tmp_path)


def test_a_worker_killed_in_mid_run_costs_nothing_but_time(engine: str, tmp_path: Path) -> None:
    models = {"tree": Fitting(str(tmp_path), seconds=0.1)}
    plan = hl.KFold(5, repeats=8)
    quiet = hl.run({"tree": Fitting(str(tmp_path))}, iris(), plan, seed=3, jobs=1, progress=False)
    (tmp_path / "fitted").unlink()
    with killing(tmp_path, after=6) as killed:
        table = hl.run(models, iris(), plan, seed=3, engine=engine, progress=False)
    assert_same(quiet, table)
    fitted = marks(tmp_path, "fitted")
    assert killed[0] in fitted
    assert fitted[-1] != killed[0]


def test_a_cell_that_kills_every_worker_is_given_up(engine: str) -> None:
    models = {"bad": Misfit("die"), "good": GaussianNB()}
    table = hl.run(models, iris(), 3, seed=1, engine=engine, progress=False)
    wrong = [cell for cell in table.cells if cell["status"] != "ok"]
    assert [(cell["model"], cell["status"]) for cell in wrong] == [("bad", "lost")], wrong


def test_an_address_where_nobody_listens() -> None:
    with pytest.raises(hl.InputError, match=r"engine='dask://127\.0\.0\.1:9': "):
        hl.run({"bad": Misfit()}, iris(), 3, engine="dask://127.0.0.1:9", progress=False)


def test_an_open_context_of_joblib_is_used(scheduler: str, tmp_path: Path) -> None:
    from distributed import Client

    model = {"tree": Fitting(str(tmp_path))}
    one = hl.run(model, iris(), 4, seed=4, jobs=1, progress=False)
    (tmp_path / "fitted").unlink()
    with Client(scheduler), joblib.parallel_config("dask"):
        two = hl.run(model, iris(), 4, seed=4, progress=False)
        three = hl.run(model, iris(), 4, seed=4, engine="dask", progress=False)
    assert_same(one, two)
    assert_same(one, three)
    assert os.getpid() not in marks(tmp_path, "fitted")
