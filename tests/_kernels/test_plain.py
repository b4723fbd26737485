"""Kernels without compilation, for a debugger: slow, and the same numbers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding
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
    coded = hl.CodedVote(hl.Tree(), columns=3, random_state=1).fit(three.matrix, three.y)
    table = hl.Predictions.of(two.y, score=two.posteriors, scores="probability")
    measures = ("error", "auc", "average_precision", "log_loss")
    return {
        "compiled": not numba.config.DISABLE_JIT,
        "trees": [
            hl.Tree(min_size=4, min_cut=2).fit(three.matrix, three.y).text(),
            hl.Tree("gini", max_leaves=4).fit(three.matrix, three.y).text(),
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
    said, compiled = json.loads(plain.stdout), numbers()
    assert compiled.pop("compiled") is not said.pop("compiled")
    assert said["trees"] == compiled["trees"]
    for name in ("coded", "measures", "limits"):
        assert np.asarray(said[name]) == pytest.approx(np.asarray(compiled[name]), rel=1e-12)


@pytest.mark.long
def test_the_same_bits_for_this_processor_and_for_the_level(tmp_path):
    """What a wheel brings is made for a level of processors: native code gives the same bits.

    But for sums that run in lanes (`summing_kernel`): wider registers have more of them.
    """
    code = (
        "import json; from tests._kernels.test_plain import numbers; print(json.dumps(numbers()))"
    )
    features = ",".join(
        f"{'+' if have else '-'}{name}"
        for name, have in llvmlite.binding.get_host_cpu_features().items()
    )
    native = {
        "NUMBA_CPU_NAME": llvmlite.binding.get_host_cpu_name(),
        "NUMBA_CPU_FEATURES": features,
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, cwd=ROOT, env={**os.environ, **native},
    )  # fmt: skip
    assert any(tmp_path.rglob("*.nbc"))
    said, here = json.loads(done.stdout), json.loads(json.dumps(numbers()))
    assert said["measures"].pop() == pytest.approx(here["measures"].pop(), rel=1e-14)  # log loss
    assert said == here
