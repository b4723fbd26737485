"""Attacks from the input: each is tried, and nothing comes of it. See docs/safety.md."""

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast._core.errors import HeliastError, InputError
from heliast.cli import main
from heliast.cli._settings import KEYS
from heliast.fitting.cell import FitFailed

ESCAPED = str(Path(tempfile.gettempdir()) / "heliast-escaped")

FORMULAS = ["=1+1", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "'=x", "＝1+1", "=HYPERLINK(1)"]
PLACES = [
    "../../escaped",
    ESCAPED,
    "a/../../../escaped",
    "..",
    "con",
    "~/escaped",
    "$(touch escaped)",
    "`touch escaped`",
    "x" * 400,
]
SCRIPT = "</script><script>alert('heliast')</script>"
ATTRIBUTE = "\" onmouseover=alert('heliast') x='"


def heliast(monkeypatch: pytest.MonkeyPatch, *words: object) -> int:
    """Run the command line as a shell would; its exit code."""
    monkeypatch.setattr(sys, "argv", ["heliast", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def two_models(names: tuple[str, str], classes: tuple[str, str], n: int = 80) -> hl.Predictions:
    draw = np.random.default_rng(1)
    truth = draw.integers(0, 2, n)
    labels = np.array(classes, object)
    tables = [
        hl.Predictions.of(
            labels[truth], labels[truth ^ (draw.random(n) < 0.2)], model=name, row=np.arange(n)
        )
        for name in names
    ]
    return tables[0].join(tables[1])


# --- config files run nothing --------------------------------------------------------------------


@pytest.fixture
def canary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A module that leaves a mark when it is imported; the mark."""
    mark = tmp_path / "imported"
    (tmp_path / "canary.py").write_text(f"import os\nos.mkdir({str(mark)!r})\nclass Model: pass\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield mark
    sys.modules.pop("canary", None)


@pytest.mark.parametrize(
    ("key", "file"),
    [(key, "heliast.toml") for key in sorted(KEYS)]
    + [("model", "pyproject.toml"), ("model", "elsewhere.toml")],
)
def test_no_setting_of_a_config_file_runs_code(
    canary: Path, key: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    attack = "canary.Model()" if key != "require" else ["canary.Model().low >= 0.1"]
    section = "[tool.heliast.gate]" if file == "pyproject.toml" else "[gate]"
    settings = {"require": ["error.high <= 0.9"], key: attack}
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (tmp_path / file).write_text("\n".join([section, *lines]))
    two_models(("m", "k"), ("a", "b")).write(tmp_path / "p.parquet")
    words = ["--config", file] if file == "elsewhere.toml" else []
    assert heliast(monkeypatch, "gate", "p.parquet", *words) in (0, 2, 3)
    assert not canary.exists()


@pytest.mark.parametrize(
    "content",
    [
        '[gate]\nmodels = ["canary.Model()"]',
        '[gate]\nplugin = "canary"',
        '[run]\nmodel = ["canary.Model()"]\n[gate]\nrequire = ["error.high <= 0.9"]',
        "[gate]\nrequire = [\"error.high <= __import__('canary')\"]",
    ],
)
def test_no_section_of_a_config_file_runs_code(
    canary: Path, content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heliast.toml").write_text(content)
    two_models(("m", "k"), ("a", "b")).write(tmp_path / "p.parquet")
    heliast(monkeypatch, "gate", "p.parquet")
    assert not canary.exists()


@pytest.mark.parametrize("verb", ["assess", "compare"])
@pytest.mark.parametrize("more", ["", 'target = "class"\n'])
def test_a_model_of_a_config_file_is_a_column_and_nothing_to_fit(
    canary: Path, verb: str, more: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heliast.toml").write_text(f'{more}[{verb}]\nmodel = "canary.Model"\n')
    (tmp_path / "d.csv").write_text("a,class\n1,x\n2,y\n" * 10)
    assert heliast(monkeypatch, verb, "d.csv", "--plan", "2") in (0, 2)
    assert not canary.exists()


@pytest.mark.parametrize(
    "key", ["trust", "fitted", "store", "engine", "report", "estimator", "output"]
)
def test_no_config_file_says_what_runs_writes_or_goes_out(
    key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d.csv").write_text("a,class\n1,x\n2,y\n" * 10)
    for verb in ("assess", "combine", "run"):
        (tmp_path / "heliast.toml").write_text(f'[{verb}]\n{key} = "made"\n')
        words = ("-o", "p.csv") if verb == "run" else ()
        assert heliast(monkeypatch, verb, "d.csv", *words) == 2
        assert f"[{verb}] has no '{key}'" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()


def test_an_import_path_on_the_command_line_does_run_code(
    canary: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What docs/safety.md says of --model; and that the canary sings at all."""
    (tmp_path / "d.csv").write_text("a,class\n1,x\n2,y\n" * 10)
    words = ("run", tmp_path / "d.csv", "-o", tmp_path / "p.csv", "--model", "canary.Model")
    assert heliast(monkeypatch, *words) == 2  # not an estimator
    assert canary.exists()


@pytest.mark.parametrize(
    "words", ["__import__('canary')", "knn(canary)", "canary", "knn(1 if 1 else canary)"]
)
def test_arguments_of_models_and_plans_are_never_evaluated(
    canary: Path, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "d.csv").write_text("a,class\n1,x\n2,y\n" * 10)
    for option in ("--model", "--plan"):
        given = ("run", tmp_path / "d.csv", "-o", tmp_path / "p.csv", option, words)
        assert heliast(monkeypatch, *given) == 2
    assert not canary.exists()


# --- CSV files hold no formulas ------------------------------------------------------------------


def formulas(text: str, delimiter: str = ",") -> list[str]:
    """The cells that a spreadsheet would run: those that begin so and are no numbers."""
    cells = [cell for row in csv.reader(text.splitlines(), delimiter=delimiter) for cell in row]
    number = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|-?inf|-?nan")
    begin = [cell for cell in cells if cell and cell[0] in "=+-@\t\r＝"]
    return [cell for cell in begin if not number.fullmatch(cell)]


@pytest.mark.parametrize("formula", FORMULAS)
def test_no_csv_file_of_ours_holds_a_formula(
    formula: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = two_models((formula, "k"), (formula, "b"))
    source = table.write(tmp_path / "p.parquet")
    for ending in ("csv", "tsv"):
        path = table.write(tmp_path / f"p.{ending}")
        text = path.read_text(encoding="utf-8")
        assert formulas(text, "\t" if ending == "tsv" else ",") == []
        again = hl.Predictions.read(path)
        assert again.models == table.models
        assert again.classes == table.classes
        assert np.array_equal(again.y_true, table.y_true)
    scanned = hl.Predictions.scan(tmp_path / "p.csv")
    assert set(scanned.models) == set(table.models)
    assert scanned.classes == table.classes
    for what in ("measures", "differences"):
        out = tmp_path / "out.csv"
        words = ("export", source, "--to", "csv", "--what", what, "-o", out)
        assert heliast(monkeypatch, *words) == 0
        text = out.read_text(encoding="utf-8")
        assert formula in text
        assert formulas(text) == []
        assert re.search(r",-?0\.\d+", text), "numbers stay numbers"


# --- names never become places -------------------------------------------------------------------


class Fails(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    def fit(self, X: object, y: object) -> "Fails":
        raise RuntimeError(SCRIPT)

    def predict(self, X: object) -> object:
        raise NotImplementedError


def test_names_from_the_input_stay_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    work = tmp_path / "deep" / "deeper" / "work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(work))
    draw = np.random.default_rng(1)
    y = np.array([*PLACES, "z"], object)[np.arange(60) % (len(PLACES) + 1)]
    X = draw.normal(size=(60, 2))
    data = hl.Dataset.of(
        X, y.astype(str), names=[PLACES[0], "b"], target=PLACES[1], name=PLACES[0], group=y
    )
    models = {name: GaussianNB() for name in PLACES[:3]}
    plan = hl.plans.KFold(3, stratify=False)
    table = hl.run(models, hl.Dataset.of(X, y.astype(str)), plan, store="kept", progress=False)
    table.write("out.parquet")
    table.write("out.csv")
    hl.report(table, "out.html", title=PLACES[0])
    hl.run({PLACES[0]: GaussianNB()}, data, hl.plans.Holdout(), store="kept", progress=False)
    every = {path for path in tmp_path.rglob("*") if path.is_file()}
    inside = {path for path in every if path.parent == work or work / "kept" in path.parents}
    assert every == inside
    assert {path.name for path in inside if path.parent == work} == {
        "out.parquet", "out.csv", "out.html"
    }  # fmt: skip
    assert not Path(ESCAPED).exists()


@pytest.mark.parametrize("name", ["../../../etc", "/etc", "..", "x" * 300, "*"])
def test_ids_of_runs_stay_in_their_store(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "a" / "store"
    hl.run(GaussianNB(), ([[0.0], [1.0]] * 20, [0, 1] * 20), 2, store=store, progress=False)
    outside = tmp_path / "etc"
    outside.mkdir()
    (outside / "kept.txt").write_text("kept")
    before = sorted(tmp_path.rglob("*"))
    for verb in ("show", "resume", "clean"):
        assert heliast(monkeypatch, "runs", verb, store, name) != 0
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["a\0b.csv", "x" * 400 + ".csv", "none/a.csv", "/proc/none/a.csv"])
def test_outputs_that_cannot_be(name: str, tmp_path: Path) -> None:
    table = two_models(("m", "k"), ("a", "b"))
    with pytest.raises(InputError, match="cannot be written"):
        table.write(tmp_path / name)
    with pytest.raises(InputError, match="cannot be written"):
        hl.report(table, tmp_path / name.replace(".csv", ".html"))
    assert os.listdir(tmp_path) == []


# --- no network ----------------------------------------------------------------------------------

AUDIT = """
import os, sys

def hook(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        seen(event)
    elif event == "socket.connect" and arguments[0].family.name in ("AF_INET", "AF_INET6"):
        seen(event)

def seen(event):
    with open(os.environ["HELIAST_HEARD"], "a") as file:
        file.write(event + "\\n")

sys.addaudithook(hook)
"""


def test_no_verb_asks_the_network(tmp_path: Path) -> None:
    """In a namespace without a network where the system allows one; and nobody even asks."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(AUDIT)
    (tmp_path / "d.csv").write_text(
        "a,b,class\n" + "".join(f"{i % 7},{i % 5},{'xy'[(i % 7) > 3]}\n" for i in range(70))
    )
    rows = "".join(f"{'xy'[i % 2]},{(i % 10) / 10}\n" for i in range(200))
    (tmp_path / "s.csv").write_text("y_true,prob_y\n" + rows)
    verbs = [
        "run d.csv -o p.parquet --model bayes --model lda --plan 3",
        "assess p.parquet --report a.html",
        "compare p.parquet --report c.html",
        "assess s.csv --scan",
        "assess d.csv --target class --model bayes --plan 2",
        "gate s.csv --require error.high<=0.99",
        "export p.parquet --to csv -o e.csv",
        "explain d.csv --target class --model bayes --times 5",
        "demo --report demo.html",
    ]
    code = (
        "import sys\nfrom heliast.cli import main\n"
        f"for words in {verbs!r}:\n"
        "    sys.argv = ['heliast', '--quiet', *words.split()]\n"
        "    try:\n        main()\n"
        "    except SystemExit as end:\n"
        "        assert not end.code, (words, end.code)\n"
    )
    alone = ["unshare", "-rn"] if _can_be_alone() else []
    heard = tmp_path / "heard"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site"), "HELIAST_HEARD": str(heard)}
    done = subprocess.run(
        [*alone, sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert not heard.exists(), heard.read_text()
    assert (tmp_path / "demo.html").exists()


def _can_be_alone() -> bool:
    return (
        shutil.which("unshare") is not None
        and subprocess.run(["unshare", "-rn", "true"], capture_output=True).returncode == 0
    )


def test_the_hook_hears_who_asks(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(AUDIT)
    heard = tmp_path / "heard"
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "HELIAST_HEARD": str(heard)}
    code = "import socket\ntry: socket.create_connection(('127.0.0.1', 9), 1)\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert "socket.connect" in heard.read_text()


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9/a.parquet", "s3://b/a.parquet", "hf://a/b.csv"]
)
def test_addresses_are_never_fetched(url: str) -> None:
    for read in (hl.Predictions.read, hl.Predictions.scan, hl.read):
        with pytest.raises(HeliastError):
            read(url)  # type: ignore[operator]


def test_the_engine_never_installs_or_loads_an_extension() -> None:
    from heliast.tables.engine import Engine

    engine = Engine("1GB")
    settings = dict(
        engine.rows(
            "SELECT name, value FROM duckdb_settings() WHERE name IN ("
            "'autoinstall_known_extensions', 'autoload_known_extensions', "
            "'allow_unsigned_extensions', 'allow_community_extensions', 'allow_persistent_secrets')"
        )
    )
    assert set(settings.values()) == {"false"}
    assert len(settings) == 5
    with pytest.raises(InputError):
        engine.rows("SELECT * FROM read_parquet('https://127.0.0.1:9/a.parquet')")
    engine.close()


# --- temporary files -----------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["ends", "fails", "interrupted", "terminated"])
def test_temporary_files_are_private_and_go(how: str, tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    n = 200_000
    path = tmp_path / "p.csv"
    text = "\n".join(
        f"{t},{s}" for t, s in zip(draw.integers(0, 2, n), draw.random(n), strict=True)
    )
    path.write_text(f"y_true,prob\n{text}\n" + ("1,nonsense\n" if how == "fails" else ""))
    place = tmp_path / "tmp"
    place.mkdir()
    words = [sys.executable, "-m", "heliast.cli", "assess", str(path), "--scan"]
    env = {**os.environ, "TMPDIR": str(place)}
    child = subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    modes = set()
    while child.poll() is None:
        made = list(place.iterdir())
        modes |= {one.stat().st_mode & 0o077 for one in made if one.exists()}
        if how in ("interrupted", "terminated") and made:
            time.sleep(0.1)
            child.send_signal(signal.SIGINT if how == "interrupted" else signal.SIGTERM)
            break
        time.sleep(0.02)
    child.communicate()
    assert child.returncode == {"ends": 0, "fails": 2, "interrupted": 130, "terminated": 143}[how]
    assert modes == {0}
    assert list(place.iterdir()) == []


def test_nothing_of_a_failed_command_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "tmp"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    (tmp_path / "d.csv").write_text("a,class\n1,x\n2,x\n")
    before = sorted(tmp_path.rglob("*"))
    for words in (
        ("run", tmp_path / "d.csv", "-o", tmp_path / "p.csv"),
        ("assess", tmp_path / "d.csv", "--report", tmp_path / "r.html"),
        ("export", tmp_path / "d.csv", "--to", "csv", "-o", tmp_path / "e.csv"),
    ):
        assert heliast(monkeypatch, *words) in (2, 3)
    assert sorted(tmp_path.rglob("*")) == before


# --- pages ---------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The elements of a page and the names and values of their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))


def assert_calm(text: str) -> None:
    """No script but our two, no attribute that runs, no address that does, nothing from outside."""
    page = Page(text)
    assert [tag for tag, _ in page.elements].count("script") == 2
    for tag, attributes in page.elements:
        assert tag not in ("img", "iframe", "object", "embed", "base"), tag
        assert not [name for name in attributes if name.startswith("on")], attributes
        for name in ("href", "src", "xlink:href", "action"):
            value = attributes.get(name) or "#"
            assert value.startswith(("#", "data:image/")), value


def test_no_text_of_the_input_runs_in_a_report(tmp_path: Path) -> None:
    draw = np.random.default_rng(1)
    X = draw.normal(size=(60, 2))
    labels = np.array([SCRIPT, ATTRIBUTE, "<img src=x onerror=alert(1)>"])
    y = labels[np.arange(60) % 3]
    data = hl.Dataset.of(X, y, names=[SCRIPT, ATTRIBUTE], target=SCRIPT, name=SCRIPT)
    models = {SCRIPT: GaussianNB(), ATTRIBUTE: GaussianNB(var_smoothing=0.1), "fails": Fails()}
    with pytest.warns(FitFailed, match="'fails' failed in 3 of 3 splits"):
        table = hl.run(models, data, 3, progress=False)
    assert any(SCRIPT in str(cell["failure"]) for cell in table.cells)
    noted = table.noted(SCRIPT, f"note {ATTRIBUTE}")
    path = hl.report(noted, tmp_path / "r.html", title=SCRIPT, command=f"heliast {ATTRIBUTE}")
    text = path.read_text(encoding="utf-8")
    assert_calm(text)
    assert "alert(&#39;heliast&#39;)" in text or "alert('heliast')" in text, "the names are shown"
    assert SCRIPT not in text


def test_no_name_of_a_file_or_data_set_runs_in_a_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "<script>alert('heliast')<"
    table = two_models((name, SCRIPT), (ATTRIBUTE, "b"))
    path = table.write(tmp_path / f"{name}.parquet")
    out = tmp_path / "r.html"
    assert heliast(monkeypatch, "--quiet", "compare", path, "--report", out) == 0
    assert_calm(out.read_text(encoding="utf-8"))
    sets = {SCRIPT: table, ATTRIBUTE: table, **dict.fromkeys("cdef", table)}
    hl.report(sets, out, title=SCRIPT, command=SCRIPT)
    assert_calm(out.read_text(encoding="utf-8"))


def test_names_do_not_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    steer = "\x1b]0;title\x07\x1b[2Jm\u202e"
    path = two_models((steer, "k"), (steer, "b")).write(tmp_path / "p.parquet")
    for verb in ("assess", "compare"):
        assert heliast(monkeypatch, verb, path) == 0
        said = capsys.readouterr()
        assert not set("\x1b\x07\u202e") & set(said.out + said.err)
    assert heliast(monkeypatch, "assess", tmp_path / f"{steer}.csv") == 2
    said = capsys.readouterr()
    assert not set("\x1b\x07\u202e") & set(said.out + said.err)
