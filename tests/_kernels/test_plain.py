"""Kernels without compilation, for a debugger: slow, and the same numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest

import heliast as hl
from heliast.data import simulate

ROOT = Path(__file__).parents[2]


def numbers():
    """Trees of each kind of kernel, a vote of coded columns, and measures that rank and sum."""
    three = simulate.gaussian_classes(k=3, spread=2, seed=1).sample(60, seed=2)
    two = simulate.two_gaussians(0.2).sample(60, seed=3)
    weighted = hl.Tree().fit(two.matrix, two.y, np.linspace(0.5, 2, two.n))
    coded = hl.CodedVote(hl.Tree(), code_length=3, random_state=1).fit(three.matrix, three.y)
    table = hl.Predictions.of(two.y, y_score=two.posteriors, scores="probability")
    measures = ("error", "auc", "average_precision", "log_loss")
    return {
        "compiled": not numba.config.DISABLE_JIT,
        "trees": [
            hl.Tree(min_samples_split=4, min_samples_leaf=2).fit(three.matrix, three.y).text(),
            hl.Tree("gini", max_leaf_nodes=4).fit(three.matrix, three.y).text(),
            weighted.text(),
        ],
        "coded": coded.scores(three.matrix).tolist(),
        "measures": [hl.measures.get(name).of(table) for name in measures],
        "limits": [hl.assess(table, "auc")["model", "auc"].low],
    }


def test_the_same_without_compilation():
    code = (
        "import json; from tests._kernels.test_plain import numbers; print(json.dumps(numbers()))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    interpreted, compiled = json.loads(plain.stdout), numbers()
    assert compiled.pop("compiled") is not interpreted.pop("compiled")
    assert interpreted["trees"] == compiled["trees"]
    for name in ("coded", "measures", "limits"):
        assert np.asarray(interpreted[name]) == pytest.approx(np.asarray(compiled[name]), rel=1e-12)
