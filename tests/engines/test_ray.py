"""Ray: a head on this machine."""

from pathlib import Path

import pytest
from sklearn.naive_bayes import GaussianNB
from tests.engines.marked import Misfit
from tests.engines.same import assert_engine_gives_the_same, iris

import heliast as hl

pytestmark = pytest.mark.engines


def test_the_same_table_as_local_bit_for_bit(ray_session: None, tmp_path: Path) -> None:
    assert_engine_gives_the_same("ray", tmp_path)


def test_a_cell_that_kills_its_worker_is_given_up(ray_session: None) -> None:
    models = {"bad": Misfit("die"), "good": GaussianNB()}
    table = hl.run(models, iris(), 3, seed=1, engine="ray", progress=False)
    wrong = [(cell["model"], cell["status"]) for cell in table.cells if cell["status"] != "ok"]
    assert wrong == [("bad", "killed")]
