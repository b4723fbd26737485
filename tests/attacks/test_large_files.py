"""Files that are far too large for what they are, which a stranger may make at no cost."""

import os
from pathlib import Path

import pytest

from heliast.cli._settings import read_settings
from heliast.fitting import loading


def test_settings_and_models_of_10_gb_are_not_read(tmp_path: Path) -> None:
    for name in ("heliast.toml", "m.skops"):
        (tmp_path / name).touch()
        os.truncate(tmp_path / name, 10 << 30)
    with pytest.raises(ValueError, match="10,737,418,240 bytes"):
        read_settings("gate", {}, folder=tmp_path)
    with pytest.raises(ValueError, match="10,737,418,240 bytes"):
        loading.load_model(tmp_path / "m.skops")
