"""Prediction-powered means against ppi-python (make_ppi.py), to 1e-8."""

import json
from pathlib import Path

import numpy as np
import pytest

from heliast.estimates import prediction_powered

CASES = json.loads(Path(__file__).with_name("ppi.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['name']}-{case['n']}")
def test_value_and_interval(case) -> None:
    human = np.full(len(case["judge"]), np.nan)
    human[: case["n"]] = case["human"]
    found = prediction_powered(case["judge"], human, 0.9, interval="normal")
    for name in ("value", "low", "high"):
        assert getattr(found, name) == pytest.approx(case[name], abs=1e-8)
