"""Settings of a file: shared keys, a section for each command, the command line before both."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Caller
from typer.main import get_command

import heliast as hl
from heliast.cli import app
from heliast.cli._settings import KEYS

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
CONFIGURED = [name for name in COMMANDS if any(p.name == "config" for p in COMMANDS[name].params)]
REQUIRE = 'require = ["x:error.high <= 0.5"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    truth = ["a", "b"] * 30
    tables = [
        hl.Predictions.of(truth, [*["b"] * wrong, *truth[wrong:]], positive="b", model=name)
        for name, wrong in (("x", 10), ("y", 22))
    ]
    tables[0].join(tables[1]).write(tmp_path / "p.parquet")
    return tmp_path


def level_of(command: str, heliast: Caller, *words: str) -> float:
    code, out, err = heliast(command, "p.parquet", "--json", *words)
    assert code in (0, 1, 3), err
    level = json.loads(out)[{"assess": "estimates", "compare": "pairs"}[command]][0]["level"]
    assert isinstance(level, float)
    return level


@pytest.mark.parametrize("command", ["assess", "compare"])
def test_the_line_before_the_section_before_the_top(
    command: str, heliast: Caller, folder: Path
) -> None:
    section = f"[{command}]\n"
    for text, words, level in [
        (REQUIRE + section, (), 0.95),
        ("level = 0.9\n" + section, (), 0.9),
        ("level = 0.9\n" + section + "level = 0.8\n", (), 0.8),
        ("level = 0.9\n" + section + "level = 0.8\n", ("--level", "0.7"), 0.7),
    ]:
        (folder / "heliast.toml").write_text(text)
        assert level_of(command, heliast, *words) == level


def test_no_file_sets_the_level_of_a_gate(heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text(f"level = 0.5\n[gate]\n{REQUIRE}")
    assert json.loads(heliast("gate", "p.parquet", "--json")[1])["level"] == 0.95
    (folder / "heliast.toml").write_text(f"[gate]\n{REQUIRE}level = 0.5\n")
    code, _, err = heliast("gate", "p.parquet")
    assert (code, "[gate] has no 'level'" in err) == (2, True)


BANNED = "jobs engine store memory scan report output trust fitted base junit github config"


@pytest.mark.parametrize("key", BANNED.split())
def test_no_file_sets_processes_engines_limits_or_outputs(
    key: str, heliast: Caller, folder: Path
) -> None:
    assert key not in KEYS
    for text in (f"{key} = 40\n", f"[assess]\n{key} = 40\n"):
        (folder / "heliast.toml").write_text(text)
        code, _, err = heliast("assess", "p.parquet")
        assert code == 2
        assert repr(key) in err


def test_no_file_names_a_file_outside_its_folder(heliast: Caller, folder: Path) -> None:
    inside = folder / "project"
    inside.mkdir()
    for place in (folder, inside):
        (place / "costs.csv").write_text("0,1\n9,0\n")
    for path, code in (("costs.csv", 0), ("../costs.csv", 2), (str(folder / "costs.csv"), 2)):
        (inside / "heliast.toml").write_text(f'cost = "{path}"\n')
        got, _, err = heliast("assess", "p.parquet", "--config", "project/heliast.toml")
        assert got == code, err
        assert code == 0 or "is not in the folder of this file" in err


@pytest.mark.parametrize("command", CONFIGURED)
def test_every_command_says_where_its_settings_come_from(
    command: str, heliast: Caller, folder: Path
) -> None:
    known = [str(param.name) for param in COMMANDS[command].params if param.name in KEYS]
    if not known:
        return  # demo
    given = {"run": ("-o", "o.csv"), "fit": ("-o", "m.skops"), "export": ("--to", "csv"),
             "draw": ("-o", "o.svg"), "plot": ("-o", "o.svg")}  # fmt: skip
    kind = ["roc"] if command in ("draw", "plot") else []
    words = (command, *kind, "gone.csv", *given.get(command, ()))
    (folder / "heliast.toml").write_text("seed = 3\n" if "seed" in known else "target = 'y'\n")
    code, _, err = heliast(*words)
    assert code == 2
    if {"seed", "target"} & {*known}:
        assert err.startswith("settings from heliast.toml")
        assert not heliast("--quiet", *words)[2].startswith("settings")
    assert "gone.csv" in err
    (folder / "pyproject.toml").write_text(f"[tool.heliast.{command}]\ncolour = 1\n")
    (folder / "heliast.toml").unlink()
    code, _, err = heliast(*words)
    assert code == 2
    assert f"pyproject.toml: [{command}] has no 'colour'" in err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("margin = 0.1", None),  # compare's: no use here
        ("[compare]\nmargin = 0.1", None),
        ("[compare]\nmagrin = 2", "[compare] has no 'magrin' (did you mean 'margin'?); it has"),
        ("[benchmark]\nthreshold = 0.3", "heliast.toml: [benchmark] has no 'threshold'"),
        ("gate = 1", "heliast.toml: [gate] has to be a table"),
        ("[assess]\nmargin = 0.1", "heliast.toml: [assess] has no 'margin'"),
        ("margins = 0.1", "heliast.toml: no setting 'margins'"),
        ("[asess]\nlevel = 0.9", "heliast.toml: no section 'asess' (did you mean 'assess'?)"),
        ("[columns]\ntruth = 'y'", "no section 'columns'; there are [assess], [compare]"),
        ("levle = 0.9", "heliast.toml: no setting 'levle' (did you mean 'level'?); there are"),
        ("[tool.heliast]\nlevle = 0.9", "no setting 'levle'"),
        ("[tool.heliast]\nlevel = 0.9", None),
        ("stages = true", None),
        ("cost = [[0, 'a,b'], [1, 0]]", "a part holds , or ;"),
        ("level = 'high'", "'--level'"),
        ("level = 95", "did you mean 0.95?"),
        ("seed = -1", "'--seed'"),
        ("measure = [1]", "no measure named '1'"),
        (
            "y_true = 'y_true'\ny_pred = 'y_true'",
            "--y-true and --y-pred are both the column 'y_true'",
        ),
        ("[assess", "not a TOML file"),
        ("measure = 'error'\nin_train = 0\n[assess]\npositive = 'b'", None),
    ],
)
def test_which_keys_are_taken(
    text: str, message: str | None, heliast: Caller, folder: Path
) -> None:
    (folder / "heliast.toml").write_text(text)
    code, _, err = heliast("assess", "p.parquet")
    assert code == (0 if message is None else 2), err
    assert message is None or message in err


def test_a_named_file_has_to_exist(heliast: Caller, folder: Path) -> None:
    code, _, err = heliast("assess", "p.parquet", "--config", "none.toml")
    assert (code, "none.toml: cannot be read" in err) == (2, True)


def test_the_gate_is_told_its_looks_and_margin(heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text(f'[gate]\n{REQUIRE}looks = "2/5"\nmargin = 0.2\n')
    assert json.loads(heliast("gate", "p.parquet", "--json")[1])["looks"] != "one look"
    asked = hl.gate("p.parquet", "x:error.high <= 0.5", looks="2/5", margin=0.2).to_dict()
    assert json.loads(heliast("gate", "p.parquet", "--json")[1]) == json.loads(json.dumps(asked))
    any_time = json.loads(heliast("gate", "p.parquet", "--json", "--sequential")[1])
    words = hl.gate("p.parquet", "x:error.high <= 0.5", looks="any").looks.words
    assert any_time["looks"] == words
    code, _, err = heliast("gate", "p.parquet", "--sequential", "--look", "1/5")
    assert (code, "--look plans looks, and --sequential allows any" in err) == (2, True)


def test_help_needs_no_settings(heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text("[assess")
    assert heliast("assess", "--help")[0] == 0
    assert heliast("assess", "p.parquet")[0] == 2


# --- of no use to this question -----------------------------------------------------------------

COST = 'cost = "0,1;40,0"\n'
UNUSED = [
    (("gate", "--require", "x:accuracy.low >= 0.1"), COST, "cost: accuracy does not use costs"),
    (("compare", "--measure", "error"), COST, "cost: error does not use costs"),
    (("export", "--to", "json", "--what", "differences", "--measure", "error"), COST,
     "cost: error does not use costs"),
    (("export", "--to", "json"), "margin = 0.1\n", "--margin has no use for --what measures"),
    (("assess", "--measure", "auc"), "threshold = 0.3\n", "auc does not use predicted classes"),
    (("gate", "--require", "x:auc.low >= 0.1"), "threshold = 0.3\n", "not use predicted classes"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "text", "message"), UNUSED)
def test_what_this_question_has_no_use_for_is_skipped_in_a_file_and_refused_on_the_line(
    words: tuple[str, ...], text: str, message: str, heliast: Caller, folder: Path
) -> None:
    command, *more = words
    truth, score = ["a", "b"] * 30, [0.2, 0.6, 0.4, 0.9, 0.7, 0.8] * 10
    one, other = (
        hl.Predictions.of(truth, y_score=score[at:] + score[:at], positive="b", model=name,
                          scores="probability")
        for at, name in ((0, "x"), (2, "y"))
    )  # fmt: skip
    one.join(other).write(folder / "s.parquet")
    asked = (command, "s.parquet", *more)
    without = heliast(*asked)
    assert without[0] in (0, 1, 3)
    for section in ("", f"[{command}]\n"):
        (folder / "heliast.toml").write_text(section + text)
        assert heliast(*asked)[:2] == without[:2]
    (folder / "heliast.toml").unlink()
    key, value = text.strip().split(" = ")
    code, out, err = heliast(*asked, f"--{key}", value.strip('"'))
    assert (code, out, message in err) == (2, "", True)


def test_what_is_of_use_at_the_top_is_used(heliast: Caller, folder: Path) -> None:
    """Costs add a measure to those that assess is asked for; the gate's second one has a use."""
    (folder / "heliast.toml").write_text(COST)
    table, cost = hl.Predictions.read(folder / "p.parquet"), [[0, 1], [40, 0]]
    _, out, _ = heliast("assess", "p.parquet", "--measure", "error", "--json")
    assert json.loads(out) == json.loads(json.dumps(hl.assess(table, "error", cost=cost).to_dict()))
    require = ["x:error.high <= 0.5", "x:expected_cost.high <= 9"]
    words = [word for one in require for word in ("--require", one)]
    _, out, _ = heliast("gate", "p.parquet", "--json", *words)
    assert json.loads(out) == json.loads(json.dumps(hl.gate(table, require, cost=cost).to_dict()))


def test_settings_as_toml_writes_them(heliast: Caller, folder: Path) -> None:
    """Rows of costs, a table of shares and a list of classes say what their words say."""
    (folder / "pyproject.toml").write_text(
        "[tool.heliast]\nfixed_classes = true\ncost = [[0, 1], [40, 0]]\n"
        'classes = ["a", "b"]\nprevalence = {a = 0.8, b = 0.2}\npositive = "a"\n'
        'y_true = "y_true"\ny_pred = "y_pred"\n'
    )
    words = ("--fixed-classes", "--cost", "0,1;40,0", "--classes", "a,b",
             "--prevalence", "a=0.8,b=0.2", "--positive", "a", "--y-true", "y_true",
             "--y-pred", "y_pred")  # fmt: skip
    for command in (("assess",), ("compare",), ("gate", "--require", "expected_cost.high <= 9")):
        told = heliast(command[0], "p.parquet", "--json", *command[1:])
        assert told[0] in (0, 1, 3), told[2]
        (folder / "empty.toml").write_text("")
        said = heliast(
            command[0], "p.parquet", "--json", *command[1:], *words, "--config", "empty.toml"
        )
        assert told[:2] == said[:2]


def test_the_settings_of_the_docs(heliast: Caller, folder: Path) -> None:
    """The example is taken by every command that it speaks to."""
    page = Path(__file__).parents[2] / "docs" / "question.md"
    text = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    (folder / "heliast.toml").write_text(text)
    truth = ["ham", "spam"] * 150
    hl.Predictions.of(truth, ["spam", *truth[1:]], positive="spam").write(folder / "mail.csv")
    code, out, err = heliast("gate", "mail.csv", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert (answer["level"], answer["looks"], len(answer["rulings"])) == (0.95, "2/5", 2)
    _, out, _ = heliast("assess", "mail.csv", "--json")
    answer = json.loads(out)
    assert "expected_cost" in {one["measure"] for one in answer["estimates"]}
    assert {one["level"] for one in answer["estimates"]} == {0.9}
