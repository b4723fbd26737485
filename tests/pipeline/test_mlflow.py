"""MLflow: a real server on this machine, asked for what was logged."""

import json
import os

import pytest

import heliast as hl
from heliast import InputError

SERVER = os.environ.get("HELIAST_MLFLOW")


def test_without_mlflow_the_command_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "mlflow", None)
    with pytest.raises(InputError, match=r"pip install 'heliast\[mlflow\]'"):
        hl.to_mlflow(["a", "b"], ["a", "b"])


@pytest.fixture
def server(tmp_path, serving):
    if SERVER is None:
        pytest.skip("HELIAST_MLFLOW names no mlflow: make test-engines sets it up")
    words = ["server", "--host=127.0.0.1", "--workers=1"]
    words += [f"--backend-store-uri=sqlite:///{tmp_path}/runs.db"]
    words += [f"--artifacts-destination={tmp_path / 'artifacts'}"]
    with serving(SERVER, words, "health") as address:
        yield address


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
