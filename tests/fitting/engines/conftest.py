"""Engines for the tests: started once, by the tests themselves."""

import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
REQUIRED = "HELIAST_ENGINES"
"""Set by `make test-engines`: an engine that is missing is then a failure, not a skipped test."""


def need(package: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        missing(str(error))


def missing(why: str) -> None:
    if os.environ.get(REQUIRED):
        pytest.fail(f"{why}, and {REQUIRED} says that it has to be there")
    pytest.skip(why)


@pytest.fixture(scope="module")
def workers_path() -> Iterator[None]:
    """Processes started from here import the tests as we do."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(ROOT), *([before] if before else [])])
    yield
    if before is None:
        del os.environ["PYTHONPATH"]
    else:
        os.environ["PYTHONPATH"] = before


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory: pytest.TempPathFactory, workers_path: None) -> Iterator[str]:
    """The address of a Dask scheduler with two worker processes, whose nannies restart them."""
    need("distributed")
    folder = tmp_path_factory.mktemp("dask")
    found = folder / "scheduler.json"
    env = {**os.environ, "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}
    tool = [sys.executable, "-m", "dask"]
    said = (folder / "log").open("w")
    started = [
        subprocess.Popen(
            [*tool, *words, "--scheduler-file", found, "--no-dashboard"],
            env=env, stdout=said, stderr=said, cwd=folder,
        )
        for words in (
            ["scheduler", "--host", "127.0.0.1", "--port", "0"],
            ["worker", "--nworkers", "2", "--nthreads", "1", "--host", "127.0.0.1"],
        )
    ]  # fmt: skip
    try:
        yield _address(found)
    finally:
        for process in reversed(started):
            process.terminate()
        for process in reversed(started):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:  # a nanny that restarts a worker may not listen
                process.kill()
                process.wait()
        said.close()


def _address(found: Path) -> str:
    import json

    until = time.monotonic() + 60
    while time.monotonic() < until:
        if found.exists() and found.read_text():
            return str(json.loads(found.read_text())["address"])
        time.sleep(0.1)
    raise TimeoutError("the Dask scheduler did not start")


@pytest.fixture(scope="module")
def ray_session(workers_path: None) -> Iterator[None]:
    """A Ray head on this machine with two processors."""
    ray = need("ray")
    quiet = {"include_dashboard": False, "log_to_driver": False, "logging_level": "ERROR"}
    ray.init("local", num_cpus=2, **quiet)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def java(workers_path: None) -> None:
    """Spark's packages, and Java for it."""
    need("joblibspark")
    if not (os.environ.get("JAVA_HOME") or shutil.which("java")):
        missing("Java is not installed")
