"""MLflow: a real server on this machine, asked for what was logged."""

import json
import os
import socket
import subprocess
import time
from urllib.request import urlopen

import pytest

import heliast as hl
from heliast import InputError

SERVER = os.environ.get("HELIAST_MLFLOW")


def test_without_mlflow_the_command_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mlflow", None)
    with pytest.raises(InputError, match=r"pip install 'heliast\[mlflow\]'"):
        hl.to_mlflow(["a", "b"], ["a", "b"])


@pytest.fixture
def server(tmp_path):
    if SERVER is None:
        pytest.skip("HELIAST_MLFLOW names no mlflow: make test-engines sets it up")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["server", "--host", "127.0.0.1", "--port", str(port), "--workers", "1"]
    words += ["--backend-store-uri", f"sqlite:///{tmp_path}/runs.db"]
    words += ["--artifacts-destination", str(tmp_path / "artifacts")]
    env = {name: one for name, one in os.environ.items() if name != "PYTHONPATH"}
    with (tmp_path / "log").open("w") as log:
        started = subprocess.Popen([SERVER, *words], stdout=log, stderr=log, env=env)
    try:
        for _ in range(600):
            try:
                urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
                break
            except OSError:
                assert started.poll() is None, (tmp_path / "log").read_text()
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}"
    finally:
        started.terminate()
        started.wait(30)


@pytest.mark.engines
@pytest.mark.filterwarnings("ignore")
def test_what_is_logged_comes_back(server, tmp_path, monkeypatch):
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(server)
    truth, labels = ["ham", "spam"] * 40, ["ham", "spam", "ham", "ham"] * 20
    with mlflow.start_run() as run:
        logged = hl.to_mlflow(truth, {"new": labels, "a|b": ["ham"] * 80}, prefix="test/")
    metrics = mlflow.get_run(run.info.run_id).data.metrics
    assert metrics == logged
    error = hl.assess(truth, labels)["model", "error"]
    ends = [metrics[f"test/new/error{end}"] for end in ("", ".low", ".high")]
    assert (
        ends
        == [error.value, error.low, error.high]
        == pytest.approx([0.25, 0.168, 0.355], abs=1e-3)
    )
    assert "test/new/recall.spam.low" in metrics
    assert "test/a_b/error" in metrics
    folder = mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="heliast")
    with open(f"{folder}/assessment.json", encoding="utf-8") as file:
        assert json.load(file)["models"] == ["new", "a|b"]
    with open(f"{folder}/report.html", encoding="utf-8") as file:
        assert file.read().startswith("<!doctype html>")
    once = mlflow.start_run()
    mlflow.end_run()
    hl.to_mlflow(truth, labels, "error", run_id=once.info.run_id, page=False)
    kept = mlflow.get_run(once.info.run_id).data.metrics
    assert sorted(kept) == ["error", "error.high", "error.low"]
