"""Child: a process of its own that does one cell after another, so that it can be stopped.

A fit may hang, or die, in compiled code, where no exception reaches it: only the end of its process
ends it. The child is started afresh, never forked, because a fork of a process with threads (of
BLAS, OpenMP, Numba or an engine) may hang. It speaks over its standard input and output.
"""

import atexit
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any

from heliast.fitting.engines._limits import LIMITED, Limits
from heliast.fitting.engines._shared import Fetched, File, Sent, Shared, carried, hold, payload

IDLE = 120.0
"""Seconds after which a child that nobody asks ends by itself."""
START = 120.0
"""Seconds that it may take to start and to unpickle its work."""


class TookTooLong(Exception):  # noqa: N818 - it names the finding
    """The child was stopped."""


class Died(Exception):  # noqa: N818
    """The child ended before it answered; `code` is its exit code, negative for a signal."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Child:
    """The parent's side: start it, give it work, wait for answers at most so long, stop it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from heliast.fitting.engines._child import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # it is stopped with whatever it has started itself
            env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
        )
        self.knows: str | None = None
        self.answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def begin(self, task: Any, shared: Shared[Any], memory: int | None) -> None:
        """Give it the work whose places are to be asked for; the shared value only once."""
        import cloudpickle

        if isinstance(shared, Fetched) and isinstance(shared.carrier, File):
            self._ask(("task", cloudpickle.dumps(task), memory), START)  # it can read the file too
            return
        if self.knows != shared.key:
            self._ask(("value", shared.key, payload(shared.value)), START)
            self.knows = shared.key
        with carried(shared, Sent()):
            content = cloudpickle.dumps(task)
        self._ask(("task", content, memory), START)

    def do(self, place: int, seconds: float | None) -> Any:
        """The answer for one place of the work."""
        return self._ask(("do", place, seconds), seconds)

    def stop(self) -> None:
        """End it, now."""
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]

    def _ask(self, message: tuple[Any, ...], seconds: float | None) -> Any:
        assert self.process.stdin is not None
        with suppress(OSError):  # it is gone: so the answer will say
            _send(self.process.stdin, message)
        try:
            kind, answer = self.answers.get(timeout=seconds)
        except queue.Empty:
            self.stop()
            raise TookTooLong from None
        if kind == "gone":
            code = self.process.wait()
            self.stop()
            raise Died(code)
        if kind == "raised":
            raise answer
        return answer

    def _listen(self) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                self.answers.put(_receive(self.process.stdout))
        except (EOFError, OSError, ValueError, pickle.UnpicklingError):
            self.answers.put(("gone", None))


_own: dict[int, Child] = {}
"""The child of this process, by its id: a forked copy of this process must not use it."""


def child() -> Child:
    """This process's child, started if there is none or the last one has ended."""
    found = _own.get(os.getpid())
    if found is None or found.process.poll() is not None:
        dismiss()
        found = _own[os.getpid()] = Child()
    return found


def dismiss() -> None:
    """End this process's child, if it has one."""
    found = _own.pop(os.getpid(), None)
    if found is not None:
        found.stop()


atexit.register(dismiss)


def limited(
    task: Any, shared: Shared[Any], places: list[int], limits: Limits
) -> dict[int, Any | tuple[str, str]]:
    """Each place's result, or status and reason if it met a limit or killed its process twice."""
    done: dict[int, Any] = {}
    begun: Child | None = None
    for place in places:
        for attempt in (1, 2):
            try:
                if begun is None:
                    begun = child()
                    begun.begin(task, shared, limits.memory)
                done[place] = begun.do(place, limits.seconds)
                break
            except TookTooLong:
                begun = None
                done[place] = (LIMITED, limits.too_slow)
                break
            except Died as end:
                begun = None
                if attempt == 2:
                    done[place] = limits.died(end.code)
            except MemoryError:
                done[place] = (LIMITED, limits.too_large)
                break
    return done


# --- the child's side ------------------------------------------------------------------------


def main() -> None:
    """Answer until nobody asks any more."""
    ask, answer = _own_pipes()
    parent = os.getppid()
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    work: Callable[[int], Any] | None = None
    while _is_asked(ask):
        try:
            kind, *rest = _receive(ask)
        except EOFError:
            return
        try:
            result = None
            if kind == "value":
                _limit_memory(None)
                hold(rest[0], pickle.loads(rest[1]))
            elif kind == "task":
                _limit_memory(None)
                work = _opened(rest[0])
                _limit_memory(rest[1])
            else:
                assert work is not None
                with _alarm(rest[1]):
                    result = work(rest[0])
            _send(answer, ("done", result))
        except Exception as error:
            _send(answer, ("raised", error))


def _opened(content: bytes) -> Callable[[int], Any]:
    from heliast.fitting.engines._threads import one_thread

    opened: Callable[[int], Any] = pickle.loads(content).opened()

    def work(place: int) -> Any:
        with one_thread():
            return opened(place)

    return work


def _own_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for us alone; what a model prints goes to standard error."""
    ask, answer = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)
    return ask, answer


def _is_asked(ask: IO[bytes]) -> bool:
    if os.name != "posix":
        return True
    import select

    return bool(select.select([ask], [], [], IDLE)[0])


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)


class _alarm:  # noqa: N801 - used as a function
    """The kernel ends this process a little after its time, should the parent not be there to."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds if hasattr(signal, "setitimer") else None

    def __enter__(self) -> None:
        if self.seconds is not None:
            signal.signal(signal.SIGALRM, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, self.seconds + 10.0)

    def __exit__(self, *_: object) -> None:
        if self.seconds is not None:
            signal.setitimer(signal.ITIMER_REAL, 0.0)


def _limit_memory(allowed: int | None) -> None:
    """Let this process hold so many bytes more than it holds now; None: as many as it wants."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    soft = hard if allowed is None else _data_bytes() + allowed
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_bytes() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        pages = int(file.read().split()[5])
    return pages * os.sysconf("SC_PAGE_SIZE")


# --- messages --------------------------------------------------------------------------------


def _send(pipe: IO[bytes], message: object) -> None:
    import cloudpickle

    content = cloudpickle.dumps(message)
    pipe.write(len(content).to_bytes(8, "little"))
    pipe.write(content)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    size = pipe.read(8)
    if len(size) < 8:
        raise EOFError
    content = pipe.read(int.from_bytes(size, "little"))
    return pickle.loads(content)
