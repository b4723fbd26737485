"""Settings of a file: shared keys, a section for each verb, the command line before both."""

import json
from pathlib import Path

import pytest
from tests.cli.conftest import Caller

import heliast as hl
from heliast.cli._config import VERBS

VERBS_ON_P = ("assess", "compare", "gate")
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


def level_of(verb: str, heliast: Caller, *words: str) -> float:
    code, out, err = heliast(verb, "p.parquet", "--json", *words)
    assert code in (0, 1, 3), err
    answer = json.loads(out)
    where = {"assess": "estimates", "compare": "pairs"}
    found = answer[where[verb]][0]["level"] if verb in where else answer["level"]
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize("verb", VERBS_ON_P)
def test_the_line_before_the_section_before_the_top(
    verb: str, heliast: Caller, folder: Path
) -> None:
    top = "" if verb == "gate" else REQUIRE
    section = f"[{verb}]\n" + (REQUIRE if verb == "gate" else "")
    for text, words, level in [
        (top + section, (), 0.95),
        ("level = 0.9\n" + top + section, (), 0.9),
        ("level = 0.9\n" + top + section + "level = 0.8\n", (), 0.8),
        ("level = 0.9\n" + top + section + "level = 0.8\n", ("--level", "0.7"), 0.7),
    ]:
        (folder / "heliast.toml").write_text(text)
        assert level_of(verb, heliast, *words) == level


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_where_its_settings_come_from(
    verb: str, heliast: Caller, folder: Path
) -> None:
    """And a section of its own with a key of another verb is refused, wherever it stands."""
    given = {"run": ("-o", "o.csv"), "export": ("--to", "csv"), "benchmark": ()}
    words = (verb, "gone.csv", *given.get(verb, ()))
    (folder / "heliast.toml").write_text("seed = 3\n")
    code, _, err = heliast(*words)
    assert code == 2
    assert err.startswith("settings from heliast.toml")
    assert "gone.csv" in err
    assert not heliast("--quiet", *words)[2].startswith("settings")
    (folder / "pyproject.toml").write_text(f"[tool.heliast.{verb}]\ncolour = 1\n")
    (folder / "heliast.toml").unlink()
    code, _, err = heliast(*words)
    assert code == 2
    assert f"pyproject.toml: [{verb}] does not know 'colour'; it knows" in err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("margin = 0.1", None),  # compare's: no use here
        ("[compare]\nmargin = 0.1", None),
        ("[assess]\nmargin = 0.1", "heliast.toml: [assess] does not know 'margin'"),
        ("margins = 0.1", "heliast.toml: no verb knows 'margins'"),
        ("[asess]\nlevel = 0.9", "heliast.toml: no verb knows 'asess'"),
        ("assess = 1", "heliast.toml: [assess] has to be a table"),
        ("level = 'high'", "heliast.toml: level = 'high' has to be a number"),
        ("level = true", "heliast.toml: level = True has to be a number"),
        ("level = 95", "did you mean 0.95?"),
        ("seed = -1", "heliast.toml: seed = -1 has to be 0 or more"),
        ("measure = [1]", "heliast.toml: measure holds 1, which is not a string"),
        ("drop_missing = 1", "heliast.toml: drop_missing = 1 has to be a true or false"),
        ("measure = 'error'\nseen = 0\n[assess]\npositive = 'b'", None),
    ],
)
def test_which_keys_are_taken(text: str, said: str | None, heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text(text)
    code, _, err = heliast("assess", "p.parquet")
    assert code == (0 if said is None else 2), err
    assert said is None or said in err


def test_the_gate_is_told_its_looks_and_margin(heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text(f'[gate]\n{REQUIRE}looks = "2/5"\nmargin = 0.2\n')
    assert json.loads(heliast("gate", "p.parquet", "--json")[1])["looks"] != "one look"
    table = hl.Predictions.read(folder / "p.parquet")
    asked = hl.gate(table, "x:error.high <= 0.5", looks="2/5", margin=0.2).to_dict()
    assert json.loads(heliast("gate", "p.parquet", "--json")[1]) == json.loads(json.dumps(asked))
    any_time = json.loads(heliast("gate", "p.parquet", "--json", "--sequential")[1])
    assert any_time["looks"] == hl.gate(table, "x:error.high <= 0.5", looks="any").looks.words
    code, _, err = heliast("gate", "p.parquet", "--sequential", "--look", "1/5")
    assert (code, "leave out --look" in err) == (2, True)


def test_help_needs_no_settings(heliast: Caller, folder: Path) -> None:
    (folder / "heliast.toml").write_text("[assess")
    assert heliast("assess", "--help")[0] == 0
    assert heliast("assess", "p.parquet")[0] == 2
