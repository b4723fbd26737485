"""Ray: a head on this machine."""

from pathlib import Path

import pytest
from tests.fitting.engines.same import assert_engine_gives_the_same

pytestmark = pytest.mark.engines


def test_the_same_table_as_local_bit_for_bit_though_a_worker_is_killed(
    ray_session: None, tmp_path: Path
) -> None:
    assert_engine_gives_the_same("ray", tmp_path, kill=True)
