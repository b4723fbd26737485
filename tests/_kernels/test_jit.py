import multiprocessing
import sys
import threading

import pytest

from heliast._kernels import _jit


@pytest.fixture(autouse=True)
def three_threads(monkeypatch):
    monkeypatch.setenv("HELIAST_THREADS", "3")


def test_results_in_order():
    assert _jit.spread(lambda a, b: a - b, [(i, 1) for i in range(50)]) == list(range(-1, 49))


def test_nothing_to_do():
    assert _jit.spread(lambda: 1, []) == []


def test_uses_several_threads():
    meeting = threading.Barrier(3, timeout=20)
    assert _jit.spread(lambda i: meeting.wait() >= 0, [(i,) for i in range(3)]) == [True] * 3


def test_nested_spread_does_not_wait_for_itself():
    def outer(i):
        return sum(_jit.spread(lambda j: i * j, [(j,) for j in range(4)]))

    assert _jit.spread(outer, [(i,) for i in range(9)]) == [6 * i for i in range(9)]


def test_error_reaches_the_caller_and_the_crew_survives():
    def fail(i):
        raise IndexError(i)

    with pytest.raises(IndexError):
        _jit.spread(fail, [(i,) for i in range(9)])
    assert _jit.spread(abs, [(-1,), (-2,)]) == [1, 2]


def _in_child(queue):
    queue.put(_jit.spread(abs, [(-i,) for i in range(5)]))


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_works_in_a_forked_child():
    _jit.spread(abs, [(1,), (2,)])
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    child.join(20)
    assert child.exitcode == 0
    assert queue.get() == [0, 1, 2, 3, 4]


def test_pieces_cover_all_rows_once():
    assert _jit.pieces(0) == []
    assert _jit.pieces(5, 2) == [(0, 2), (2, 4), (4, 5)]
