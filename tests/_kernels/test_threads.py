import multiprocessing
import sys
import threading

import pytest

from heliast._kernels import threads


@pytest.fixture(autouse=True)
def three_threads(monkeypatch):
    monkeypatch.setenv("HELIAST_THREADS", "3")


def test_results_in_order():
    assert threads.spread(lambda a, b: a - b, [(i, 1) for i in range(50)]) == list(range(-1, 49))


def test_nothing_to_do():
    assert threads.spread(lambda: 1, []) == []


def test_uses_several_threads():
    meeting = threading.Barrier(3, timeout=20)
    assert threads.spread(lambda i: meeting.wait() >= 0, [(i,) for i in range(3)]) == [True] * 3


def test_nested_spread_does_not_wait_for_itself():
    def outer(i):
        return sum(threads.spread(lambda j: i * j, [(j,) for j in range(4)]))

    assert threads.spread(outer, [(i,) for i in range(9)]) == [6 * i for i in range(9)]


def test_error_reaches_the_caller_and_work_goes_on():
    def fail(i):
        raise IndexError(i)

    with pytest.raises(IndexError):
        threads.spread(fail, [(i,) for i in range(9)])
    assert threads.spread(abs, [(-1,), (-2,)]) == [1, 2]


def _in_child(queue):
    queue.put(threads.spread(abs, [(-i,) for i in range(5)]))


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_works_in_a_forked_child():
    threads.spread(abs, [(1,), (2,)])
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    child = context.Process(target=_in_child, args=(queue,))
    child.start()
    child.join(20)
    assert child.exitcode == 0
    assert queue.get() == [0, 1, 2, 3, 4]


def test_pieces_cover_all_rows_once():
    assert threads.pieces(0) == []
    assert threads.pieces(5, 2) == [(0, 2), (2, 4), (4, 5)]
