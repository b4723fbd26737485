"""Real servers on this machine, started by the tests that ask them."""

import os
import socket
import subprocess
import time
from contextlib import contextmanager
from urllib.request import urlopen

import pytest


@pytest.fixture
def serving(tmp_path):
    """Start `program words --port=...`, wait until it answers at `health`, give its address."""

    @contextmanager
    def served(program, words, health, **env):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        inherited = {name: one for name, one in os.environ.items() if name != "PYTHONPATH"}
        words = [program, *words, f"--port={port}"]
        with (tmp_path / "log").open("w") as log:
            started = subprocess.Popen(words, stdout=log, stderr=log, env={**inherited, **env})
        address = f"http://127.0.0.1:{port}"
        try:
            for _ in range(600):
                try:
                    urlopen(f"{address}/{health}", timeout=1).close()
                    break
                except OSError:
                    assert started.poll() is None, (tmp_path / "log").read_text()
                    time.sleep(0.2)
            yield address
        finally:
            started.terminate()
            started.wait(30)

    return served
