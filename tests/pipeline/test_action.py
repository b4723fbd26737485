"""The GitHub Action: its steps, run one by one by bash against a repository of their own."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))


def rows(errors, n=200):
    truth = ["ham", "spam"] * (n // 2)
    other = {"ham": "spam", "spam": "ham"}
    label = [other[one] if at < errors else one for at, one in enumerate(truth)]
    lines = [f"{at},{one},{two}" for at, (one, two) in enumerate(zip(truth, label, strict=True))]
    return "\n".join(["row,y_true,y_pred", *lines]) + "\n"


GH = """#!/bin/sh
# What `gh` would fetch from GitHub lies in a folder here.
[ ! -e "$ARTIFACTS/fails on $2" ] || exit 1
case "$1 $2" in
  "run list") if [ -e "$ARTIFACTS/last" ]; then cat "$ARTIFACTS/last"; fi ;;
  "run download") cp "$ARTIFACTS/$3/$5"/* "$7" ;;
  "api repos/me/it/actions/runs/17/artifacts") [ ! -e "$ARTIFACTS/fails on api" ] || exit 1
    ls "$ARTIFACTS/17" 2> /dev/null | grep -cx "${6#name=}" || true ;;
esac
"""


class Runner:
    """What a runner of GitHub does with a composite action, as far as this one needs it."""

    def __init__(self, folder, heliast):
        self.folder, self.temp, self.tools = folder / "repo", folder / "temp", folder / "bin"
        for one in (self.folder, self.temp, self.tools, folder / "artifacts"):
            one.mkdir()
        subprocess.run(["git", "init", "-q", self.folder], check=True)
        (self.tools / "gh").write_text(GH)
        (self.tools / "gh").chmod(0o755)
        (self.tools / "heliast").write_text(f'#!/bin/sh\nexec {heliast} -m heliast.cli "$@"\n')
        (self.tools / "heliast").chmod(0o755)
        self.artifacts, self.summary = folder / "artifacts", folder / "summary.md"

    def __call__(self, **given):
        inputs = {name: one.get("default", "") for name, one in ACTION["inputs"].items()}
        inputs |= {"version": "", "python-version": ""}
        inputs |= {name.replace("_", "-"): value for name, value in given.items()}
        outputs, code = {}, 0
        for step in ACTION["runs"]["steps"]:
            if "run" not in step or not self.wanted(step.get("if", ""), inputs) or code:
                continue
            code, more = self.step(step, inputs)
            outputs |= more
        log = self.log
        return code, outputs, log

    def wanted(self, condition, inputs):
        found = re.fullmatch(r"inputs\.([\w-]+) (!=|==) '(.*)'", condition)
        if not found:
            return True
        name, sign, value = found.groups()
        return (inputs[name] == value) == (sign == "==")

    def step(self, step, inputs):
        out = self.temp / "output"
        out.write_text("")
        context = {"github.event.repository.default_branch": "main", "github.workflow": "ci"}

        def said(match):
            word = match[1]
            return inputs[word[7:]] if word.startswith("inputs.") else context.get(word, "")

        env = {
            name: re.sub(r"\$\{\{ (\S+) \}\}", said, str(value))
            for name, value in step.get("env", {}).items()
        }
        assert "${{" not in step["run"]  # what users write never becomes part of a script
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder, capture_output=True, text=True, timeout=300,
            env={
                **os.environ, **env, "PATH": f"{self.tools}:{os.environ['PATH']}",
                "RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(out), "GITHUB_ACTIONS": "true",
                "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_REPOSITORY": "me/it",
                "ARTIFACTS": str(self.artifacts),
            },
        )  # fmt: skip
        self.log = done.stdout + done.stderr
        pairs = [line.split("=", 1) for line in out.read_text().splitlines()]
        return done.returncode, dict(pairs)


@pytest.fixture
def runner(tmp_path):
    import sys

    return Runner(tmp_path, sys.executable)


@pytest.mark.parametrize(
    ("errors", "code", "outcome"), [(2, 0, "pass"), (100, 1, "fail"), (20, 3, "undecided")]
)
def test_go_no_go_and_too_few(runner, errors, code, outcome):
    (runner.folder / "new.csv").write_text(rows(errors))
    found, outputs, log = runner(predictions="new.csv", require="error.high <= 0.1\n")
    assert (found, outputs["outcome"], outputs["exit-code"]) == (code, outcome, str(code))
    comment = Path(outputs["comment"]).read_text()
    assert "error.high &lt;= 0.1" in comment
    assert comment == runner.summary.read_text()
    assert Path(outputs["report"]).read_text().startswith("<!doctype html>")
    kind = {"pass": "::", "fail": "::error title=heliast", "undecided": "::warning title=heliast"}
    assert (kind[outcome] in log) == (outcome != "pass")


def test_undecided_may_pass(runner):
    (runner.folder / "new.csv").write_text(rows(20))
    given = {"predictions": "new.csv", "require": "error.high <= 0.1", "undecided": "pass"}
    code, outputs, _ = runner(**given)
    assert (code, outputs["outcome"], outputs["exit-code"]) == (0, "undecided", "3")


def test_bad_input_is_told_apart(runner):
    code, outputs, log = runner(predictions="none.csv", require="error.high <= 0.1")
    assert (code, outputs["outcome"]) == (2, "error")
    assert "none.csv" in log
    assert "could not judge" in Path(outputs["comment"]).read_text()


def test_against_the_last_run_on_the_default_branch(runner):
    (runner.folder / "new.csv").write_text(rows(2))
    given = {
        "predictions": "new.csv",
        "require": "error(new - baseline).high <= 0.01",
        "baseline": "predictions",
        "keep_baseline": "true",
    }
    code, outputs, _ = runner(**given)  # the first run: nothing to compare with, kept for the next
    assert (code, outputs["outcome"], outputs["file"]) == (0, "undecided", "new.csv")
    assert "no baseline yet" in Path(outputs["comment"]).read_text()
    both = given["require"] + "\nnew:error.high <= 0.001"  # what can be judged is
    assert runner(**{**given, "require": both})[1]["outcome"] in ("fail", "undecided")
    (runner.artifacts / "last").write_text("17\n")
    assert runner(**given)[1]["outcome"] == "undecided"  # that run has kept no predictions
    kept = runner.artifacts / "17" / "predictions"
    kept.mkdir(parents=True)
    (kept / "new.csv").write_text(rows(40))
    code, outputs, _ = runner(**given)
    assert (code, outputs["outcome"], outputs["file"]) == (0, "pass", "new.csv")
    assert "new - baseline" in Path(outputs["comment"]).read_text()


@pytest.mark.parametrize("call", ["list", "api", "download"])
def test_a_baseline_that_cannot_be_fetched_fails(runner, call):
    """Its requirements are not dropped because of a network or a permission."""
    (runner.folder / "new.csv").write_text(rows(2))
    (runner.artifacts / "last").write_text("17\n")
    kept = runner.artifacts / "17" / "predictions"
    kept.mkdir(parents=True)
    (kept / "new.csv").write_text(rows(40))
    (runner.artifacts / f"fails on {call}").touch()
    require = "error(new - baseline).high <= 0.01\nnew:error.high <= 0.1"
    code, outputs, log = runner(predictions="new.csv", require=require, baseline="predictions")
    assert code == 1
    assert "outcome" not in outputs
    assert "::error title=heliast gate::the baseline cannot be fetched: gh" in log


def test_words_of_users_are_never_run(runner):
    (runner.folder / "new.csv").write_text(rows(2))
    code, outputs, _ = runner(
        predictions="new.csv", require='error.high <= 0.1\n"; touch hacked; $(touch hacked)'
    )
    assert (code, outputs["outcome"]) == (2, "error")
    assert not (runner.folder / "hacked").exists()
