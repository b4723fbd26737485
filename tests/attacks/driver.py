"""Imports heliast once and forks a process for each command: hundreds of attacks take seconds.

Reads a line of JSON for each: folder, words, where its output goes, and the seconds that it has.
Answers with its exit code, or null if it did not end.
"""

import json
import os
import signal
import sys
import time

import joblib  # noqa: F401 - these are imported so that no process has to do it
import narwhals  # noqa: F401
import pandas as pd  # noqa: F401
import pyarrow.parquet  # noqa: F401
import sklearn.ensemble
import sklearn.pipeline  # noqa: F401

import heliast.fitting.panel
import heliast.fitting.shortcuts
import heliast.verbs.assess
import heliast.verbs.benchmark
import heliast.views.terminal  # noqa: F401
from heliast.cli import main


def forked(folder: str, words: list[str], out: str, seconds: float) -> int | None:
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        handle = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(handle, 1)
        os.dup2(handle, 2)
        sys.argv = ["heliast", *words]
        code = 70
        try:
            main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 71
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    limit = time.monotonic() + seconds
    while time.monotonic() < limit:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(forked(**json.loads(line))), flush=True)
