"""Guard: the process that is started waits, and its child works, which it can end at any moment.

Python runs the handler of a signal between two steps of its own. While compiled code runs (a fit,
a query, a table that is decoded, a module that is loaded) the signal waits; an exception that is
raised elsewhere may be swallowed by whoever stands between, or end in a traceback. So the signals
go to a process that does nothing but wait for them. It asks the worker to end, which then takes
back its claims and temporary files and says nothing more; after `GRACE` it ends it, with all that
it has started, and removes what they have left.

Only what Python needs to start is imported here: until the guard waits, Ctrl-C shows a traceback.
"""

import os
import sys
from time import monotonic, sleep

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from collections.abc import Callable
    from mmap import mmap
else:
    import _signal as signal  # without names for its numbers, which take as long as all the rest

STOPS = ("SIGINT", "SIGTERM", "SIGHUP")
"""Signals that end a command, with exit code 128 + their number."""
GRACE, LAST = 0.5, 0.3
"""Seconds in which a worker may end by itself, and those that it has started after it."""
FAULT = 2
SUBREAPER = 36
"""What Linux calls PR_SET_CHILD_SUBREAPER."""

_said = ""
_page: "mmap | None" = None
"""What the guard says after an interrupt, in memory that both see."""


def last_words(words: str) -> None:
    """What is said if the command is stopped from now on: what was kept, and how to go on."""
    global _said
    _said = words
    if _page is not None:
        content = words.encode("utf-8", "backslashreplace")[: len(_page) - 1]
        _page[: len(content) + 1] = content + b"\0"


def farewell(number: int) -> str:
    """What is said when the command is stopped by this signal."""
    said = _said if _page is None else _page[:].partition(b"\0")[0].decode("utf-8", "replace")
    how = "interrupted" if number == signal.SIGINT else f"ended by {_name(number)}"
    return f"heliast: {how}{said and '; '}{said}"


def _name(number: int) -> str:
    import signal

    return signal.Signals(number).name


def guarded() -> None:
    """Return in the worker; the process that was started waits for it here and ends as it does."""
    global _page
    if not hasattr(os, "fork"):
        return
    stops = {getattr(signal, name) for name in STOPS}
    stops = {one for one in stops if signal.getsignal(one) != signal.SIG_IGN}  # nohup, say
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {*stops, signal.SIGCHLD})
    from mmap import mmap

    _page = mmap(-1, 4096)
    folder = _private_folder()
    alive, guard = os.pipe()
    signal.signal(signal.SIGCHLD, lambda *_: None)  # one that is ignored could not be waited for
    try:
        worker = os.fork()
    except OSError:  # no more processes are allowed: it has to do without
        _remove(folder)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return
    if worker:
        os.close(alive)
        os._exit(_waited(worker, stops, folder))
    os.close(guard)
    _become_worker(stops, alive, folder)
    signal.pthread_sigmask(signal.SIG_SETMASK, before)


# --- the worker --------------------------------------------------------------------------------


def _become_worker(stops: set[int], alive: int, folder: str) -> None:
    import _thread

    if folder:
        os.environ["TMPDIR"] = folder
    # Python's helper that tidies up after a worker which was ended would complain about having to.
    said = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join([*([said] if said else []), "ignore:resource_tracker"])
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for one in stops:  # a terminal sends them to all of its processes, who leave it to the guard
        signal.signal(one, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _stop)
    _thread.start_new_thread(_end_with_guard, (alive, folder))


def _stop(number: int, frame: object) -> None:
    """Unwind without a word: whatever meets the exception on its way may complain about it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.exit(128 + number)


def _end_with_guard(alive: int, folder: str) -> None:
    os.read(alive, 1)  # nothing is ever written: it ends when the guard does
    _send(_family(os.getpid(), folder), signal.SIGTERM)
    os._exit(128 + signal.SIGKILL)


# --- the guard ---------------------------------------------------------------------------------


def _waited(worker: int, stops: set[int], folder: str) -> int:
    """The exit code, once the worker has ended."""
    while True:
        heard = signal.sigwait({*stops, signal.SIGCHLD})
        done, status = os.waitpid(worker, os.WNOHANG)
        if done:
            code = _code(os.waitstatus_to_exitcode(status))
            if code:
                _end_orphans(worker, folder)
            break
        if heard != signal.SIGCHLD:
            _end(worker, folder)
            _say(farewell(heard))
            code = 128 + heard
            break
    _remove(folder)
    return code


def _code(code: int) -> int:
    if code >= 0:
        return code
    name = _name(-code)
    if name in STOPS:
        return 128 - code
    why = "memory may have run out" if name == "SIGKILL" else "a fault of compiled code"
    _say(f"heliast: the process was ended by {name} ({why}); what was kept in a store stays")
    return FAULT


def _end(worker: int, folder: str) -> None:
    """Ask the worker to end; then make sure that it has, with all that it has started."""
    _adopt_orphans()
    family, parts = _family(worker), list[str]()
    os.kill(worker, signal.SIGTERM)
    os.kill(worker, signal.SIGCONT)  # it may be stopped
    if not _within(GRACE, lambda: _is_done(worker)):
        os.kill(worker, signal.SIGSTOP)  # it starts and writes nothing more
        family.update(_family(worker))
        parts = [part for process in (worker, *family) for part in _parts(process)]
        os.kill(worker, signal.SIGKILL)
    family.update(_family(worker, folder))  # what it was just starting, and orphans
    _send(family, signal.SIGTERM)  # what libraries have started tidies up, too
    _within(LAST, lambda: not _alive(family) and _is_done(worker))
    _within(LAST, lambda: _none_left(folder))
    for part in parts:
        _tried(os.unlink, part)


def _adopt_orphans() -> None:
    """Become the parent of those whose parent ends (Linux): so they are found, whatever they are.

    One that was just forked has nothing of its own yet by which it could be known.
    """
    try:
        import ctypes

        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass


def _none_left(folder: str) -> bool:
    """Whether nothing is left of what was started; what is left is ended at once."""
    family = _family(os.getpid(), folder)
    _send(family, signal.SIGKILL)
    while _tried(os.waitpid, -1, os.WNOHANG) not in (None, (0, 0)):
        pass
    return not _alive(family)


def _end_orphans(worker: int, folder: str) -> None:
    """After a refusal, end what libraries have started and left behind: Java waits for ever."""
    family = _family(worker, folder) if folder else {}
    for number in (0, signal.SIGTERM, signal.SIGKILL):
        if family and number:
            _send(family, number)
        if not family or _within(LAST, lambda: not _alive(family)):
            return


def _is_done(worker: int) -> bool:
    try:
        return os.waitpid(worker, os.WNOHANG)[0] != 0
    except ChildProcessError:  # it was already
        return True


def _within(seconds: float, done: "Callable[[], bool]") -> bool:
    end = monotonic() + seconds
    while not done():
        if monotonic() > end:
            return False
        sleep(0.01)
    return True


def _family(process: int, folder: str = "") -> dict[int, str]:
    """The processes that this one has started, and those that they have, each with its birth.

    They are known by their parent, or by the worker's folder in what they were started with: that
    of an orphan stays.
    """
    children: dict[int, list[tuple[int, str]]] = {}
    found: dict[int, str] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
        if name.isdecimal() and (status := _status(int(name))):
            children.setdefault(int(status[1]), []).append((int(name), status[19]))
            if folder and os.fsencode(folder) in _started_with(int(name)):
                found[int(name)] = status[19]
    left = [process, *found]
    while left:
        for child, born in children.get(left.pop(), ()):
            found[child] = born
            left.append(child)
    return found


def _started_with(process: int) -> bytes:
    try:
        with open(f"/proc/{process}/environ", "rb") as file:
            return file.read()
    except OSError:  # gone, or somebody else's
        return b""


def _status(process: int) -> list[str]:
    """State, parent, ..., birth of a process; nothing if it has ended."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            status = file.read().rpartition(")")[2].split()
    except OSError:
        return []
    return [] if status[:1] in (["Z"], ["X"]) else status


def _alive(family: dict[int, str]) -> list[int]:
    """Those that have not ended; a number may have been given to another process since."""
    return [process for process, born in family.items() if _status(process)[19:20] == [born]]


def _send(family: dict[int, str], number: int) -> None:
    for process in _alive(family):
        _tried(os.kill, process, number)


def _tried(function: "Callable[..., object]", *arguments: object) -> object:
    """What a function gives; nothing if the file or process is gone meanwhile."""
    try:
        return function(*arguments)
    except OSError:
        return None


def _parts(process: int) -> list[str]:
    """The files that a process is writing and that have no name of their own yet."""
    folder = f"/proc/{process}/fd"
    try:
        paths = [str(_tried(os.readlink, f"{folder}/{handle}")) for handle in os.listdir(folder)]
    except OSError:
        return []
    names = {path: os.path.basename(path) for path in paths}
    return [path for path in paths if names[path][0:1] == "." and names[path].endswith(".part")]


# --- a place for temporary files ---------------------------------------------------------------


def _private_folder() -> str:
    """A new folder for what the worker and its libraries put aside; none if there is no place."""
    place = os.environ.get("TMPDIR") or "/tmp"
    folder = os.path.join(os.path.abspath(place), f"heliast-{os.urandom(6).hex()}")
    try:
        os.mkdir(folder, 0o700)
    except OSError:
        return ""
    return folder


def _remove(folder: str) -> None:
    if not folder:
        return
    try:
        os.rmdir(folder)
    except OSError:  # there is something in it
        from shutil import rmtree

        rmtree(folder, ignore_errors=True)


def _say(words: str) -> None:
    if os.isatty(2):  # a bar of progress may have hidden the cursor
        words = f"\r\x1b[K\x1b[?25h{words}"
    _tried(os.write, 2, f"{words}\n".encode("utf-8", "backslashreplace"))
