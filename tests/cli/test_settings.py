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
    given = {"run": ("-o", "o.csv"), "fit": ("-o", "m.skops"), "export": ("--to", "csv"),
             "draw": ("-o", "o.svg")}  # fmt: skip
    words = (verb, *(["roc"] if verb == "draw" else []), "gone.csv", *given.get(verb, ()))
    key = {"predict": 'target = "y"\n', "draw": "level = 0.95\n"}  # these draw nothing by lot
    (folder / "heliast.toml").write_text(key.get(verb, "seed = 3\n"))
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
        (
            "[compare]\nmagrin = 2",
            "[compare] does not know 'magrin' (did you mean 'margin'?); it knows",
        ),
        ("[compare]\nmargin = 'much'", "heliast.toml: margin = 'much' has to be a number"),
        ("[benchmark]\nthreshold = 0.3", "heliast.toml: [benchmark] does not know 'threshold'"),
        ("gate = 1", "heliast.toml: [gate] has to be a table"),
        ("[assess]\nmargin = 0.1", "heliast.toml: [assess] does not know 'margin'"),
        ("margins = 0.1", "heliast.toml: no verb knows 'margins'"),
        (
            "[asess]\nlevel = 0.9",
            "heliast.toml: no verb is called 'asess' (did you mean 'assess'?)",
        ),
        ("[columns]\ntruth = 'y'", "no verb is called 'columns'; sections are [assess], [compare]"),
        (
            "levle = 0.9",
            "heliast.toml: no verb knows 'levle' (did you mean 'level'?); assess knows",
        ),
        ("[tool.heliast]\nlevle = 0.9", "no verb knows 'levle'"),
        ("[tool.heliast]\nlevel = 0.9", None),
        ("stages = true", None),
        ("stages = 'yes'", "heliast.toml: stages = 'yes' has to be a true or false"),
        ("cost = [[0, 'a,b'], [1, 0]]", "has to be a string"),
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


# --- of no use to this question -----------------------------------------------------------------

COST = 'cost = "0,1;40,0"\n'
UNUSED = [
    (("gate", "--require", "x:accuracy.low >= 0.1"), COST, "cost: accuracy has no use for it"),
    (("compare", "--measure", "error"), COST, "cost: error has no use for it"),
    (("export", "--to", "json", "--what", "differences", "--measure", "error"), COST,
     "cost: error has no use for it"),
    (("export", "--to", "json"), "margin = 0.1\n", "assess: margin= cannot be answered here"),
    (("assess", "--measure", "auc"), "threshold = 0.3\n", "it decides labels; auc has none"),
    (("gate", "--require", "x:auc.low >= 0.1"), "threshold = 0.3\n", "it decides labels"),
]  # fmt: skip


@pytest.mark.parametrize(("words", "text", "said"), UNUSED)
def test_what_this_question_has_no_use_for_is_skipped_at_the_top_alone(
    words: tuple[str, ...], text: str, said: str, heliast: Caller, folder: Path
) -> None:
    verb, *more = words
    truth, score = ["a", "b"] * 30, [0.2, 0.6, 0.4, 0.9, 0.7, 0.8] * 10
    one, other = (
        hl.Predictions.of(truth, score=score[at:] + score[:at], positive="b", model=name,
                          scores="probability")
        for at, name in ((0, "x"), (2, "y"))
    )  # fmt: skip
    one.join(other).write(folder / "s.parquet")
    asked = (verb, "s.parquet", *more)
    without = heliast(*asked)
    assert without[0] in (0, 1, 3)
    (folder / "heliast.toml").write_text(text)
    assert heliast(*asked)[:2] == without[:2]
    (folder / "heliast.toml").write_text(f"[{verb}]\n{text}")
    code, out, err = heliast(*asked)
    assert (code, out, said in err) == (2, "", True)
    (folder / "heliast.toml").unlink()
    key, value = text.strip().split(" = ")
    code, out, err = heliast(*asked, f"--{key}", value.strip('"'))
    assert (code, out, said in err) == (2, "", True)


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
        "[tool.heliast]\nlevel = 0.9\nfixed_classes = true\ncost = [[0, 1], [40, 0]]\n"
        'classes = ["a", "b"]\nprevalence = {a = 0.8, b = 0.2}\npositive = "a"\n'
        'truth = "truth"\nlabel = "label"\n'
    )
    words = ("--level", "0.9", "--fixed-classes", "--cost", "0,1;40,0", "--classes", "a,b",
             "--prevalence", "a=0.8,b=0.2", "--positive", "a", "--truth", "truth",
             "--label", "label")  # fmt: skip
    for verb in (("assess",), ("compare",), ("gate", "--require", "expected_cost.high <= 9")):
        told = heliast(verb[0], "p.parquet", "--json", *verb[1:])
        assert told[0] in (0, 1, 3), told[2]
        (folder / "empty.toml").write_text("")
        said = heliast(verb[0], "p.parquet", "--json", *verb[1:], *words, "--config", "empty.toml")
        assert told[:2] == said[:2]


def test_the_settings_of_the_docs(heliast: Caller, folder: Path) -> None:
    """The example is taken by every verb that it speaks to."""
    page = Path(__file__).parents[2] / "docs" / "question.md"
    text = page.read_text(encoding="utf-8").split("```toml\n")[1].split("```")[0]
    (folder / "heliast.toml").write_text(text)
    truth = ["ham", "spam"] * 150
    hl.Predictions.of(truth, ["spam", *truth[1:]], positive="spam").write(folder / "mail.csv")
    code, out, err = heliast("gate", "mail.csv", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert (answer["level"], answer["looks"], len(answer["rulings"])) == (0.9, "2/5", 2)
    _, out, _ = heliast("assess", "mail.csv", "--json")
    assert "expected_cost" in {one["measure"] for one in json.loads(out)["estimates"]}
