"""Never silent for long: who waits is told what is being done, once a step, on stderr."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from heliast._core.waiting import doing, patience, step
from heliast.cli._app import remark


@contextmanager
def told() -> Iterator[None]:
    """Tell, from time to time, which step is being done; and after that, how long it took."""
    began, ended, said = monotonic(), threading.Event(), [""]

    def watch() -> None:
        while not ended.wait(patience()):
            now = step()
            if now and now != said[-1]:
                said.append(now)
                remark(f"heliast: {now} ...")

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
        doing("")
    if len(said) > 1:
        remark(f"heliast: done after {monotonic() - began:.0f} s")
