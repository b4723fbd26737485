"""Spark in local mode: its own Java machine and Python workers."""

from pathlib import Path

import pytest
from tests.fitting.engines.same import assert_engine_gives_the_same

pytestmark = pytest.mark.engines


def test_the_same_table_as_local_bit_for_bit_though_a_worker_is_killed(
    java: None, tmp_path: Path
) -> None:
    assert_engine_gives_the_same("spark://local[2]", tmp_path, kill=True)
