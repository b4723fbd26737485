"""One definition, two ways to run it: light kernels give the same bits as written and compiled."""

import gc
import os
import pickle
import subprocess
import sys
from copy import deepcopy

import numpy as np
import pytest

from heliast._kernels import _jit, _sorting, counting, deciding, ranking
from heliast._kernels._jit import Kernel, kernel, light_kernel, part


@light_kernel
def _halves(values, out):
    total = 0.0
    for i in range(values.size):
        out[i] = _half(values[i])
        total += out[i]
    return total, values.size


@part
def _half(value):
    return value / 2


def _bits(found):
    """Whatever a kernel gives or fills, as something that is equal only to the same bits."""
    if isinstance(found, tuple | list):
        return [_bits(one) for one in found]
    if isinstance(found, np.ndarray):
        return found.dtype.str, found.shape, found.tobytes()
    return type(found), np.asarray(found).tobytes()


@pytest.fixture
def both(monkeypatch):
    """Every light kernel runs both ways, and has to give and fill the same; which ones have."""
    ran = set()

    def run(self, *given):
        if not self._light:
            return self.compiled(*given)
        again = deepcopy(given)
        found = _jit._timed(self.plain, again)
        compiled = self.compiled(*given)
        assert _bits(found) == _bits(compiled), self.__name__
        assert _bits(again) == _bits(given), self.__name__
        ran.add(f"{self.__module__.rpartition('.')[2]}.{self.__name__}")
        return compiled

    monkeypatch.setattr(Kernel, "__call__", run)
    return ran


def _scores(rng, n):
    """Scores with ties, both zeros, the ends of the floats."""
    odd = np.array([0.0, -0.0, np.inf, -np.inf, 5e-324, 1.7e308, -1.7e308])
    smooth, rough = rng.normal(size=n), rng.integers(0, 5, n) / 3
    return np.where(
        rng.random(n) < 0.2, rng.choice(odd, n), np.where(rng.random(n) < 0.5, smooth, rough)
    )


def test_the_same_bits_as_written_and_compiled(both):
    for n in (0, 1, 2, 3, 17, 300):
        rng = np.random.default_rng(n)
        _use(rng, n)
    light = {
        f"{kernel.__module__.rpartition('.')[2]}.{kernel.__name__}"
        for name, module in list(sys.modules.items())
        if name.startswith("heliast._kernels.")
        for kernel in vars(module).values()
        if isinstance(kernel, Kernel) and kernel._light
    }
    assert both == light


def _use(rng, n):
    truth, score, weight = rng.random(n) < 0.4, _scores(rng, n), rng.random(n) * 3
    classes, labels = rng.integers(0, 5, (2, n))
    matrix = rng.dirichlet(np.ones(5), n)
    for many in (np.uint8, np.int32):
        for k, (a, b) in {2: (classes % 2, labels % 2), 5: (classes, labels)}.items():
            counting.contingency(a.astype(many), b.astype(many), k)
            counting.contingency(a.astype(many), b.astype(many), k, weight)
    counting.contingency(classes, labels, 70)
    deciding.largest(np.round(matrix, 1))
    deciding.excess(matrix)
    for values in (score, matrix, np.append(score, np.nan)):
        if values.size:
            deciding.extremes(values)
    for weighed in (None, weight):
        streams = ranking.split_sorted(truth, score, weighed)
        ranking.merge(*streams)
        ranking.curve(*streams)
        ranking.placements(truth, score, weighed)
        ranking.class_merges(classes, matrix, weighed)
    ranking.thin(*rng.random((2, n)))
    if n:
        _sorting._split_values(truth.astype(np.uint8), score)


def test_a_light_kernel_needs_no_compiler_for_little():
    code = """
import sys
import numpy as np
from heliast._kernels import _jit, counting, deciding
deciding.excess(np.ones((9, 2)) / 2)
counting.contingency(np.zeros(9, np.uint8), np.zeros(9, np.uint8), 2)
assert "numba" not in sys.modules
{more}
deciding.excess(np.ones(({rows}, 2)) / 2)
print("numba" in sys.modules)
"""
    said = []
    for more, rows in (("", 9), ("", _jit.LIGHT), ("_jit._spent = 9.0", 9)):
        done = subprocess.run(
            [sys.executable, "-c", code.format(more=more, rows=rows)],
            capture_output=True, text=True, check=True, env=os.environ,
        )  # fmt: skip
        said.append(done.stdout.strip())
    assert said == ["False", "True", "True"]


def test_parts_and_what_comes_back_are_the_same_both_ways():
    values, out = np.arange(3.0), np.empty(3)
    plain = _jit._timed(_halves.plain, (values, out))
    assert plain == _halves.compiled(values, out) == (1.5, 3)
    assert [type(one) for one in plain] == [float, int]


@kernel
def _third(value):
    return value / 3


@kernel
def _thirds(values, number):
    total = 0.0
    for i in range(values.size):
        total += _third(values[i])
    return total + _third(number)


def test_python_and_kernels_call_the_same_kernel():
    """What kernels call has no way in from Python, so it is another form of it."""
    values = np.array([1.0, 5.0, 7.0])
    expected = sum(value / 3 for value in values) + 2.0 / 3
    assert _thirds(values, 2.0) == _thirds.plain(values, 2.0) == expected
    assert _third(7.0) == 7.0 / 3
    assert _third.called is not _third.compiled
    assert "called" not in vars(_thirds)


def test_a_kernel_is_pickled_by_its_name():
    assert pickle.loads(pickle.dumps(_halves)) is _halves


@kernel
def _cannot_be_compiled(values):
    return values.no_such_thing


@pytest.mark.skipif(_jit.PLAIN, reason="nothing is compiled")
def test_garbage_is_collected_again_after_compiling_even_if_it_fails():
    numba = pytest.importorskip("numba")
    for was_on in (False, True):
        (gc.enable if was_on else gc.disable)()
        try:
            with pytest.raises(numba.TypingError):
                _cannot_be_compiled(np.zeros(1))
            assert kernel(_halves.py_func)(np.ones(2), np.empty(2)) == (1.0, 2)
            assert gc.isenabled() == was_on
        finally:
            gc.enable()
