"""From a table to a model in use, by processes in a fresh folder: combine, fit, predict, assess."""

import csv
import json
import os
import pickle
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import heliast as hl
from heliast.fitting.loading import load_card, to_trust


def rows(n: int, seed: int, new: bool = False) -> list[dict[str, str]]:
    """Numbers, a category and holes; in new rows a category that training does not have."""
    rng = np.random.default_rng(seed)
    found = []
    for at in range(n):
        a, b, kind = *rng.normal(size=2), "rgb"[rng.integers(3)]
        label = "yes" if a + (kind == "g") + 0.3 * rng.normal() > 0.3 else "no"
        kind = "purple" if new and at == 3 else kind
        hole = "" if at % 9 == 0 else f"{b:.3f}"
        found.append({"a": f"{a:.3f}", "b": hole, "kind": kind, "class": label, "id": f"r{at}"})
    return found


def write(path: Path, lines: list[dict[str, str]], names: str) -> Path:
    with path.open("w", newline="") as file:
        made = csv.DictWriter(file, names.split(), extrasaction="ignore")
        made.writeheader()
        made.writerows(lines)
    return path


class Shell:
    """Runs the command line in a process of its own, in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "heliast.cli", *words],
            cwd=self.folder, capture_output=True, text=True, env={**os.environ, "COLUMNS": "100"},
        )  # fmt: skip


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """A folder with rows to train on, new ones without the target, and with it; a kept model."""
    folder = tmp_path_factory.mktemp("loop")
    write(folder / "train.csv", rows(90, 1), "a b kind class")
    write(folder / "new.csv", rows(30, 2, new=True), "id kind b a")
    write(folder / "judged.csv", rows(30, 2, new=True), "id kind b a class")
    shell = Shell(folder)
    done = shell(
        "fit", "train.csv", "--target", "class", "--model", "combine(n_estimators=3)", "--plan",
        "3",
        "--seed", "5", "--jobs", "1", "-o", "m.skops",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "fitting 10 candidates: base, 1-nn, bayes" in done.stderr
    (folder / "said.txt").write_text(done.stderr)
    return shell


def test_what_combine_recommends_is_fitted_kept_applied_and_judged(shell: Shell) -> None:
    folder = shell.folder
    told = " ".join((folder / "said.txt").read_text().split())
    line = re.search(r"on new rows: heliast (predict m\.skops NEW\.csv .*)", told)
    assert line is not None
    words = shlex.split(line[1].replace("NEW", "new").replace("PREDICTIONS", "p"))
    done = shell(*words, "--row", "id")  # the line that fit has said
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stderr.split())
    assert "columns stand in another order than in training" in said
    assert "kind: categories that training did not have ('purple'), in 1 of 30 rows" in said
    with (folder / "p.csv").open() as file:
        found = list(csv.DictReader(file))
    assert [one["row"] for one in found] == [f"r{at}" for at in range(30)]
    assert "y_true" not in found[0]
    trust = [word for one in to_trust(folder / "m.skops") for word in ("--trust", one)]
    done = shell("predict", "m.skops", "judged.csv", "-o", "q.csv", *trust)
    assert done.returncode == 0, done.stderr
    assert "heliast assess q.csv" in done.stdout
    assert "not used: 'id'" in done.stderr
    table = hl.Predictions.read(folder / "q.csv")
    labels = np.array(table.classes)[table.y_pred].tolist()
    assert labels == [one["y_pred"] for one in found]
    done = shell("assess", "q.csv", "--json")
    assert done.returncode == 0, done.stderr
    errors = [one for one in json.loads(done.stdout)["estimates"] if one["measure"] == "error"]
    assert errors[0]["value"] == pytest.approx(np.mean(table.y_true != table.y_pred))
    again = hl.predict(
        folder / "m.skops", folder / "judged.csv", trusted=to_trust(folder / "m.skops")
    )
    assert again.only(table.models[0]).y_pred.tolist() == table.y_pred.tolist()


def test_the_model_is_what_combine_recommends_and_its_card_says_so(shell: Shell) -> None:
    data = hl.read(shell.folder / "train.csv", target="class")
    it = hl.combine(data, n_estimators=3, plan=3, seed=5, jobs=1)
    card = load_card(shell.folder / "m.skops")
    assert card["name"] in it.candidates
    assert card["data_fingerprint"] == data.fingerprint
    assert card["plan_fingerprint"] == hl.KFold(3).on(data, 5).fingerprint
    assert (card["target"], card["classes"], card["n"]) == ("class", ["no", "yes"], 90)
    assert card["inputs"][2] == {"name": "kind", "kind": "nominal", "categories": ["b", "g", "r"]}
    assert card["estimate"]["low"] < card["estimate"]["value"] < card["estimate"]["high"]
    assert "adjusted for selecting the best of 16 models" in card["summary"]
    assert "heliast" in card["versions"]
    done = shell("predict", "m.skops")
    assert json.loads(done.stdout) == card


def test_a_type_that_is_not_trusted_is_refused_with_what_to_type(shell: Shell) -> None:
    done = shell("predict", "m.skops", "new.csv", "-o", "no.csv")
    assert done.returncode == 2
    assert f"--trust {to_trust(shell.folder / 'm.skops')[0]}" in " ".join(done.stderr.split())
    assert not (shell.folder / "no.csv").exists()
    (shell.folder / "m.pkl").write_bytes(pickle.dumps({}))
    done = shell("predict", "m.pkl", "new.csv", "-o", "no.csv")
    assert done.returncode == 2
    assert "A pickle may run any code" in done.stderr


def test_columns_that_are_missing_are_named(shell: Shell) -> None:
    write(shell.folder / "few.csv", rows(5, 3), "a class")
    trust = [word for one in to_trust(shell.folder / "m.skops") for word in ("--trust", one)]
    done = shell("predict", "m.skops", "few.csv", "-o", "no.csv", *trust)
    assert done.returncode == 2
    assert "fitted on 'b', 'kind', which" in " ".join(done.stderr.split())
