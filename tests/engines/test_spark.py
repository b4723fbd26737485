"""Spark in local mode: its own Java machine and Python workers."""

from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB
from tests.engines.marked import Misfit
from tests.engines.same import assert_engine_gives_the_same, iris

import heliast as hl

pytestmark = pytest.mark.engines


def test_the_same_table_as_local_bit_for_bit(java: None, tmp_path: Path) -> None:
    assert_engine_gives_the_same("spark://local[2]", tmp_path)


def test_a_cell_that_kills_its_worker_is_given_up(java: None) -> None:
    models = {"bad": Misfit("die"), "good": GaussianNB()}
    table = hl.run(models, iris(), 3, seed=1, engine="spark://local[2]", progress=False)
    wrong = [(cell["model"], cell["status"]) for cell in table.cells if cell["status"] != "ok"]
    assert wrong == [("bad", "killed")]
