"""Verb x option on the command line: the answer is that of the Python verb, or it is refused.

An option that a verb honours gives the very answer that the verb gives in Python with the keyword
of that part, and another than without; one that it does not honour is no option there.
"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cli.conftest import Caller

import heliast as hl
from heliast.cli._options import OPTIONS_OF, PARTS

REQUIRE = ("x:error.high <= 0.3", "error(x - y).high <= 0.02", "x:expected_cost.high <= 1.9")
SPOKEN: dict[str, tuple[str, Any]] = {
    "measures": ("recall", "recall"),
    "level": ("0.8", 0.8),
    "interval": ("jeffreys", "jeffreys"),
    "test": ("permutation", "permutation"),
    "margin": ("0.2", 0.2),
    "correction": ("none", "none"),
    "cost": ("0,1;6,0", [[0.0, 1.0], [6.0, 0.0]]),
    "prevalences": ("a=0.9,b=0.1", {"a": 0.9, "b": 0.1}),
    "threshold": ("0.3", 0.3),
    "role": ("validation", "validation"),
    "in_train": ("any", None),
    "seed": ("5", 5),
    "stages": ("", True),
    "by": ("y_true", ["y_true"]),
}
"""Each part of a question: a word of the command line, and what it is in Python."""
OPTION = {part: part.replace("_", "-") for part in SPOKEN}
OPTION |= {part: name for name, part in PARTS.items()}
JUDGES = ("assess", "compare", "gate")
EXPORTS = {"measures": "assess", "differences": "compare"}
CASES = [(verb, part) for verb in JUDGES for part in SPOKEN]


def words_of(*parts: str) -> list[str]:
    """These parts of a question on the command line."""
    pairs = ((f"--{OPTION[part]}", SPOKEN[part][0]) for part in parts)
    return [word for pair in pairs for word in pair if word]  # --stages has no value


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three models on one test set (in `stages.parquet` one of another), and rows of each role."""
    place = tmp_path_factory.mktemp("asked")
    rng = np.random.default_rng(3)
    truth = np.where(rng.random(240) < 0.4, "b", "a")
    tables = [
        hl.Predictions.of(
            truth, y_score=np.clip(rng.beta(2, 4, 240) + 0.25 * (truth == "b") + more, 0, 1),
            positive="b", scores="probability", row=np.arange(240), model=name,
        )
        for name, more in (("x", 0.0), ("y", 0.05), ("z", 0.1))
    ]  # fmt: skip
    whole = tables[0].join(tables[1]).join(tables[2])
    whole.write(place / "p.parquet")
    replace(whole, meta=replace(whole.meta, stages={"z": "y"})).write(place / "stages.parquet")
    data = hl.Dataset.of(rng.normal(0, 1, (240, 2)) + (truth == "b")[:, None], truth)
    models = {"x": hl.learners.Tree(max_depth=2), "y": hl.learners.Majority()}
    found = hl.run(models, data, hl.ThreeWay(), progress=False, in_sample=True)
    found.write(place / "roles.parquet")
    return place


@pytest.fixture
def ask(heliast: Caller, folder: Path) -> Any:
    """The answer of the command line, and of Python, to some parts of a question, as JSON."""

    def both(verb: str, file: str, *parts: str) -> tuple[Any, Any]:
        question = {part: SPOKEN[part][1] for part in parts}
        require = REQUIRE[:1] if file == "roles.parquet" else REQUIRE
        words = [verb, folder / file, "--json", *words_of(*parts)]
        table = hl.Predictions.read(folder / file)
        if verb == "gate":
            words += [word for one in require for word in ("--require", one)]
            if len(require) > 1 and "cost" not in parts:
                words += ["--cost", "0,2;2,0"]
                question["cost"] = [[0, 2], [2, 0]]
            answer: Any = hl.gate(table, require, **question)
        elif verb == "assess":
            answer = hl.assess(table, **question)
        else:
            one = {"measure": question.pop("measures")} if "measures" in parts else {}
            answer = hl.compare(table, **one, **question)
        code, out, err = heliast(*words)
        assert code in (0, 1, 3), err
        return json.loads(out), json.loads(json.dumps(answer.to_dict()))

    return both


@pytest.mark.parametrize(("verb", "part"), CASES)
def test_an_option_is_answered_as_in_python_or_does_not_exist(
    verb: str, part: str, heliast: Caller, folder: Path, ask: Any
) -> None:
    if part not in OPTIONS_OF[verb]:
        code, out, err = heliast(verb, folder / "p.parquet", *words_of(part))
        assert (code, out) == (2, "")
        assert f"No such option: --{OPTION[part]}" in err
        return
    files = {"role": "roles", "in_train": "roles", "stages": "stages"}
    file = f"{files.get(part, 'p')}.parquet"
    told, asked = ask(verb, file, part)
    assert told == asked
    if part != "seed":  # nothing is drawn here
        assert told != ask(verb, file)[0]


@pytest.mark.parametrize("what", EXPORTS)
@pytest.mark.parametrize("part", [part for part in SPOKEN if part != "by"])  # slices: to_frame()
def test_export_answers_as_its_verb(
    what: str, part: str, heliast: Caller, folder: Path, ask: Any
) -> None:
    file = "roles.parquet" if part in ("role", "in_train") else "p.parquet"
    words = ("export", folder / file, "--to", "json", "--what", what, *words_of(part))
    code, out, err = heliast(*words)
    if part not in OPTIONS_OF[EXPORTS[what]]:
        assert (code, out) == (2, "")
        assert f"--{OPTION[part]} has no use for --what {what}" in err
        return
    assert code == 0, err
    _, answer = ask(EXPORTS[what], file, part)
    assert json.loads(out) == answer["pairs" if what == "differences" else "estimates"]


@pytest.mark.parametrize("verb", JUDGES)
def test_the_report_gets_the_whole_question(
    verb: str, heliast: Caller, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    got: dict[str, Any] = {}
    monkeypatch.setattr(hl, "report", lambda table, path, **question: got.update(question) or path)
    parts = [
        part
        for part in OPTIONS_OF[verb]
        if part in SPOKEN and part not in ("role", "in_train", "test", "interval")
    ]
    words, more = ["--report", "r.html"], {}
    if verb == "compare":  # the measure that has a use for costs
        parts.remove("measures")
        words += ["--measure", "expected_cost"]
        more = {"measure": "expected_cost"}
    words += words_of(*parts)
    if verb == "gate":
        words += ["--require", REQUIRE[0], "--require", REQUIRE[2]]
        parts.remove("margin")  # of the gate's bar, not of differences
        more = {"measure": "error"}  # of the first requirement
    code, _, err = heliast(verb, folder / "p.parquet", *words)
    assert code in (0, 1, 3), err
    assert got.pop("command").startswith(f"heliast {verb}")
    assert len(got.pop("results")) == 1  # the answer itself stands on top
    want = {"measure" if part == "measures" else part: SPOKEN[part][1] for part in parts}
    assert got == {**want, **more}


def test_the_gates_report_is_headed_by_its_first_requirement(
    heliast: Caller, folder: Path, tmp_path: Path
) -> None:
    """The page that `report` writes when it is asked the same, whatever the gate was asked."""
    table = hl.Predictions.read(folder / "p.parquet").only("x")
    table.write(tmp_path / "x.parquet")
    words = ("--level", "0.8", "--interval", "wilson", "--threshold", "0.4")
    code, _, err = heliast(
        "gate", "x.parquet", "--require", "recall.low >= 0.5", *words, "--report", "r.html"
    )
    assert code in (0, 1, 3), err
    assert "one look" not in err
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    recall = hl.assess(table, "recall", level=0.8, interval="wilson", threshold=0.4)["x", "recall"]
    heading = page.split("<h1")[1][:1000]
    assert "recall" in heading.lower()
    assert f"{recall.value:.3f}" in heading
    assert f"80% CI {recall.low:.3f} to {recall.high:.3f}" in " ".join(heading.split())


@pytest.mark.parametrize(
    ("words", "looks"), [(("--sequential",), "any"), (("--look", "2/5"), "2/5")]
)
def test_the_gates_report_says_where_its_limits_are_not_the_gates(
    words: tuple[str, ...], looks: str, heliast: Caller, folder: Path, tmp_path: Path
) -> None:
    gate = ("gate", folder / "p.parquet", "--require", "x:error.high <= 0.9", *words)
    assert "one look" not in heliast(*gate)[2]
    _, _, err = heliast(*gate, "--report", "r.html")
    said = f"intervals of one look, not of the gate's (looks: {looks})"
    assert f"r.html: {said}" in err
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert said in page.replace("&#39;", "'")


# --- where models are fitted --------------------------------------------------------------------

FITTING = ("run", "fit", "assess", "compare", "combine", "explain", "benchmark")


@pytest.fixture
def data(tmp_path: Path) -> Path:
    rows = [f"{x / 7:.3f},{x % 5},{'ab'[x % 2]}" for x in range(40)]
    path = tmp_path / "d.csv"
    path.write_text("\n".join(["u,v,class", *rows]))
    return path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--jobs", "0"), "jobs must be >= 1, got 0"),
        (("--engine", "nowhere://"), "nowhere://"),
    ],
)
@pytest.mark.parametrize("verb", FITTING)
def test_every_verb_that_fits_has_the_options_of_the_work(
    verb: str, words: tuple[str, str], said: str, heliast: Caller, data: Path
) -> None:
    """Each reaches the fitting, which refuses it."""
    target = ("--target", "class")
    small: dict[str, tuple[str, ...]] = {
        "run": ("-o", "out.csv", "--model", "tree", "--plan", "2"),
        "fit": ("-o", "out.skops", "--model", "tree", "--plan", "2"),
        "assess": ("--model", "tree", "--plan", "2"),
        "compare": ("--model", "tree", "--model", "lda", "--plan", "2"),
        "combine": ("--n-estimators", "3", "--plan", "2"),
        "explain": ("--model", "tree", "--times", "3"),
        "benchmark": ("--models", "tree,lda", "--plan", "2"),
    }
    code, out, err = heliast(verb, data, *target, *small[verb], *words)
    assert (code, out) == (2, ""), err
    assert said in err


class Stop(Exception):  # noqa: N818 - nothing went wrong
    """The verb was called; nothing is to be fitted."""


@pytest.mark.parametrize("verb", ["combine", "explain", "fit", "benchmark"])
def test_verbs_that_fit_are_asked_what_they_honour_and_nothing_else(
    verb: str, heliast: Caller, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The keywords that reach the verb in Python are those of the question."""
    got: dict[str, Any] = {}

    def called(*_: Any, **question: Any) -> None:
        got.update(question)
        raise Stop

    monkeypatch.setattr(f"heliast.verbs.{verb}.{verb}", called)
    parts = [part for part in OPTIONS_OF[verb] if part in SPOKEN]
    kept = ("-o", "m.skops") if verb == "fit" else ()
    code, _, err = heliast(verb, data, *kept, *words_of(*parts))
    assert code == 2
    assert "Stop" in err
    want = {"measure" if part == "measures" else part: SPOKEN[part][1] for part in parts}
    assert {name: got[name] for name in want} == want
    for part in set(SPOKEN) - set(parts):
        code, _, err = heliast(verb, data, *words_of(part))
        assert code == 2
        assert f"No such option: --{OPTION[part]}" in err


def test_explain_answers_as_in_python(heliast: Caller, data: Path) -> None:
    words = ("--target", "class", "--model", "lda", "--times", "8", "--level", "0.8", "--seed", "5")
    code, out, err = heliast("explain", data, *words, "--json")
    assert code == 0, err
    models = {"lda": hl.fitting.panel.CLASSES["lda"]()}
    asked = hl.explain(models=models, data=hl.read(data, "class"), times=8, level=0.8, seed=5)
    assert json.loads(out) == json.loads(json.dumps(asked.to_dict()))


def test_what_assess_has_fitted_is_kept(heliast: Caller, data: Path) -> None:
    words = ("assess", data, "--target", "class", "--model", "lda", "--plan", "2", "--json")
    code, out, err = heliast(*words, "--store", "kept")
    assert code == 0, err
    assert heliast(*words, "--store", "kept")[1] == out
    assert heliast(*words)[1] == out
