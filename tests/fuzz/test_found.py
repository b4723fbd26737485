"""What bad inputs have brought to light, one small test each."""

import json
import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.base import BaseEstimator, ClassifierMixin
from typer.main import get_command

import heliast as hl
from heliast.cli import _words, app, main
from heliast.cli._settings import read_settings
from heliast.cli._terminal import plain
from heliast.plans import as_plan

COMMANDS = get_command(app).commands  # type: ignore[attr-defined]
quick = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def run(*words: str, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> tuple[int, str, str]:
    """The command line in this process: code, stdout, stderr."""
    monkeypatch.setattr(sys, "argv", ["heliast", *words])
    with pytest.raises(SystemExit) as end:
        main()
    out, err = capsys.readouterr()
    return int(end.value.code or 0), out, err


# --- settings ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "require = " + "[" * 10_000,
        "x = " + "{a=" * 10_000,
        "level = " + "9" * 5000,
        "a" + ".a" * 10_000 + " = 1",
    ],
    ids=["deep list", "deep table", "long number", "deep name"],
)
def test_settings_that_no_parser_survives_are_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "heliast.toml"
    file.write_text(f"[gate]\n{text}\n")
    with pytest.raises(hl.InputError, match=r"heliast\.toml"):
        read_settings("gate", COMMANDS, str(file))


@pytest.mark.parametrize("content", [b"0,\xe9\n1,0\n", b'0,"' + b"1" * 200_000 + b'"\n', b"\0"])
def test_costs_that_are_no_text(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "c.csv"
    file.write_bytes(content)
    with pytest.raises(hl.InputError, match="--cost"):
        _words.costs(str(file), ["a", "b"])


def test_costs_with_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    file = tmp_path / "c.csv"
    file.write_bytes(b"\xef\xbb\xbf0,1\n5,0\n")
    assert _words.costs(str(file), ["a", "b"]) == [[0, 1], [5, 0]]


@pytest.mark.parametrize("level", ["0", "1", "10", "nan", "-1", "inf"])
def test_a_level_is_refused_before_anything_is_read(
    level: str, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    words = ("combine", "nowhere.csv", "--level", level)
    code, _, err = run(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert code == 2
    assert "lies between 0 and 1" in err


def test_a_negative_seed_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    words = ("assess", "nowhere.csv", "--seed", "-1")
    code, _, err = run(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert code == 2
    assert "--seed" in err


# --- what is no file ---------------------------------------------------------------------------


def test_a_pipe_without_a_writer_is_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "p.csv"
    os.mkfifo(pipe)
    for reader in (hl.Predictions.read, hl.Predictions.scan, hl.read):
        with pytest.raises(hl.InputError, match="a pipe or a device"):
            reader(pipe)
    with pytest.raises(hl.InputError, match="a pipe or a device"):
        read_settings("gate", COMMANDS, str(pipe))


@pytest.mark.parametrize("option", [["--report", "p.csv"], ["--report=./p.csv"]])
def test_what_is_read_is_not_written_over(
    option: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    file = tmp_path / "p.csv"
    file.write_text("y_true,y_pred\n" + "a,a\nb,a\nb,b\n" * 9)
    before = file.read_bytes()
    monkeypatch.chdir(tmp_path)
    code, _, err = run("assess", "p.csv", *option, monkeypatch=monkeypatch, capsys=capsys)
    assert code == 2
    assert "write to another file" in err
    assert file.read_bytes() == before


# --- metadata ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("splits", 0, "n_train"), "many"),
        (("splits", 0), 3),
        (("meta", "score_kinds"), []),
        (("meta", "score_kinds"), {"model": "odds"}),
        (("meta",), []),
        (("classes",), [[], "b"]),
        (("positive",), ["a"]),
    ],
)
def test_metadata_that_we_do_not_write_are_refused(tmp_path: Path, where: Any, value: Any) -> None:
    path = tmp_path / "p.parquet"
    hl.Predictions.of(list("abab"), list("abba")).write(path)
    table = pq.read_table(path)
    stored = json.loads(table.schema.metadata[b"heliast"])
    holder = stored
    for step in where[:-1]:
        holder = holder[step]
    holder[where[-1]] = value
    pq.write_table(table.replace_schema_metadata({b"heliast": json.dumps(stored)}), path)
    with pytest.raises(hl.InputError, match=r"p\.parquet: its heliast metadata"):
        hl.Predictions.read(path)
    with pytest.raises(hl.InputError):
        hl.Predictions.scan(path)


def test_metadata_nested_too_deeply(tmp_path: Path) -> None:
    path = tmp_path / "p.parquet"
    hl.Predictions.of(list("abab"), list("abba")).write(path)
    deep = b'{"format": 1, "x": ' + b"[" * 100_000
    pq.write_table(pq.read_table(path).replace_schema_metadata({b"heliast": deep}), path)
    with pytest.raises(hl.InputError, match=r"p\.parquet: its heliast metadata"):
        hl.Predictions.read(path)


def test_text_of_a_damaged_file_that_is_no_utf8(tmp_path: Path) -> None:
    ends = np.arange(5, dtype=np.int32)
    bad = pa.Array.from_buffers(
        pa.string(), 4, [None, pa.py_buffer(ends.tobytes()), pa.py_buffer(b"\xff\xfea\xff")]
    )
    pq.write_table(pa.table({"y_true": list("abab"), "y_pred": bad}), tmp_path / "p.parquet")
    with pytest.raises(hl.InputError):
        hl.Predictions.scan(tmp_path / "p.parquet")


def test_splits_named_by_numbers_that_are_not_whole(tmp_path: Path) -> None:
    columns = {"y_true": list("abab"), "y_pred": list("abba"), "split": [0.5, 0.5, 1.5, 1.5]}
    pq.write_table(pa.table(columns), tmp_path / "p.parquet")
    table = hl.Predictions.scan(tmp_path / "p.parquet")
    assert len(table.only(split=1.5)) == 2


def test_counts_that_no_number_can_hold() -> None:
    with pytest.raises(hl.InputError, match="more than can be counted"):
        hl.Predictions.of(list("abab"), list("abba"), weight=[2.0**63, 1.0, 1.0, 1.0])


def test_rows_fixed_by_class_need_classes(tmp_path: Path) -> None:
    numbers = {"y_true": [1.5, 2.5, 3.25], "y_pred": [1.5, 2.0, 3.5]}
    pq.write_table(pa.table(numbers), tmp_path / "p.parquet")
    for reader in (hl.Predictions.read, hl.Predictions.scan):
        with pytest.raises(hl.InputError, match="is for classes"):
            reader(tmp_path / "p.parquet", design="classes")


# --- what is said ------------------------------------------------------------------------------


class Never(ClassifierMixin, BaseEstimator):
    """Cannot be fitted."""

    def fit(self, X: Any, y: Any) -> "Never":
        raise ValueError("never")


def test_where_nothing_can_be_fitted_the_last_line_says_why() -> None:
    data = hl.Dataset.of(np.arange(20.0)[:, None], list("ab") * 10)
    with pytest.raises(hl.InputError) as found:
        hl.run({"never": Never()}, data, 2, progress=False)
    assert str(found.value).endswith("the first failure: ValueError: never")
    assert "Traceback" in found.value.__notes__[0]


def test_what_a_terminal_would_obey_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    rows = ["y_true,y_pred", *["\x1b[31ma,\x1b[31ma", "b,\x1b[31ma", "b,b"] * 9]
    (tmp_path / "p.csv").write_text("\n".join(rows))
    monkeypatch.chdir(tmp_path)
    words = ("assess", "p.csv", "--y-true", "\x1b[2Jx")
    code, _, err = run(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert code == 2
    assert "\x1b" not in err
    done = subprocess.run(
        [sys.executable, "-m", "heliast.cli", "assess", "p.csv"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0
    assert "\x1b" not in done.stdout


@quick
@given(st.text(max_size=60))
def test_what_is_shown_obeys_nothing_and_stays_json(text: str) -> None:
    shown = plain(text)
    assert not any(ord(one) < 32 and one not in "\n\t" for one in shown)
    shown.encode()
    record = {text: text}
    assert json.loads(plain(json.dumps(record, ensure_ascii=False))) == record


def test_a_fault_of_ours_is_told_as_one_and_never_as_a_no(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise KeyError("lost")

    (tmp_path / "p.csv").write_text("y_true,y_pred\na,a\nb,a\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("heliast.cli._judge.read_all", broken)
    words = ("gate", "p.csv", "--require", "error.high <= 1")
    code, _, err = run(*words, monkeypatch=monkeypatch, capsys=capsys)
    assert code == 2
    assert "a bug in heliast" in err
    assert "'lost'" in err
    assert "Traceback" not in err


# --- any text ----------------------------------------------------------------------------------

CELLS = st.one_of(
    st.sampled_from(["a", "b", "1", "0.5", "", "NA", "true", "=1", "'=1", '"', "é", "1e400", "-0"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=5),
)


@quick
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=8), quoted=st.booleans())
def test_any_text_is_refused_or_comes_back(
    tmp_path: Path, rows: list[tuple[str, str]], quoted: bool
) -> None:
    def shown(text: str) -> str:
        return '"' + text.replace('"', '""') + '"' if quoted else text

    path = tmp_path / "p.csv"
    lines = ["y_true,y_pred", *(",".join(map(shown, row)) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8", newline="")
    try:
        table = hl.Predictions.read(path)
    except hl.InputError:
        return
    for name in ("again.parquet", "again.csv"):
        ends = [label != label.strip() for label in map(str, table.classes)]
        if name == "again.csv" and any(ends):  # such as a line break at the end of a class
            with suppress(hl.InputError):
                table.write(tmp_path / name)
            continue
        again = hl.Predictions.read(table.write(tmp_path / name))
        assert again.classes == table.classes
        np.testing.assert_array_equal(again.y_true, table.y_true)
        np.testing.assert_array_equal(again.y_pred, table.y_pred)


# --- numbers and words -------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["²", "٣", "9" * 5000, "2_0", "½", "0x2", "1e400", "+2", "nan"])
def test_folds_are_plain_digits(words: str) -> None:
    with pytest.raises(hl.InputError, match="no plan"):
        as_plan(words)
    with pytest.raises(hl.InputError, match="--in-train"):
        _words.times(words)


@pytest.mark.parametrize(
    "words",
    [
        "a" + ".a" * 4000,
        "tree(" + "-" * 3000 + "1)",
        "tree({[]: 1})",
        "tree(**{'a': 1})",
        "tree(a=1, a=2)",
        "(" * 9000,
        "x" * 20_000,
    ],
    ids=["deep name", "deep number", "no key", "stars", "twice", "brackets", "long"],
)
def test_models_in_words_that_no_parser_survives_are_refused(words: str) -> None:
    with pytest.raises(hl.InputError, match="--model"):
        _words.model(words)


def test_python_does_not_talk_about_words_that_are_refused(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("u,class\n" + "1,a\n2,b\n" * 9)
    words = ("assess", "d.csv", "--model", "majority", "--plan", "1if 2else 3")
    done = subprocess.run(
        [sys.executable, "-m", "heliast.cli", *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Warning" not in done.stderr


def test_what_a_strangers_module_raises_is_not_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_one.py").write_text("1 / 0")
    (tmp_path / "broken_two.py").write_text("class M:\n def __init__(self): raise KeyError('k')")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(hl.InputError, match="ZeroDivisionError: division by zero"):
        _words.model("broken_one.M")
    with pytest.raises(hl.InputError, match="KeyError: 'k'"):
        _words.model("broken_two.M()")


@pytest.mark.parametrize("threads", ["²", "9" * 5000, "0", "-1", "x"])
def test_threads_that_are_no_number_are_not_counted(
    threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heliast._kernels.threads import threads as counted

    monkeypatch.delenv("HELIAST_THREADS", raising=False)
    usual = counted()
    monkeypatch.setenv("HELIAST_THREADS", threads)
    assert counted() == usual


def test_a_vote_of_very_many_members_is_a_name_like_any(tmp_path: Path) -> None:
    name = "vote/B=" + "9" * 5000
    table = hl.Predictions.of(list("abab") * 9, list("abba") * 9, model=name)
    assert hl.report(table, tmp_path / "r.html").exists()


# --- graded answers and pictures ---------------------------------------------------------------


def test_graded_answers_may_be_separated_by_semicolons(tmp_path: Path) -> None:
    file = tmp_path / "g.csv"
    file.write_text("model;item;correct\n" + "".join(f"u;{at};{at % 2}\n" for at in range(20)))
    assert hl.assess(hl.Predictions.read(file), "grade")["u", "grade"].value == 0.5


@pytest.mark.parametrize("what", ["weight", "group"])
def test_a_row_has_one_weight_and_one_group_for_all_models(what: str) -> None:
    """Rows were written out as often as they count, so that others stood beside each other."""
    given: dict[str, Any] = {what: [*np.tile([1, 2], 20), *np.tile([2, 1], 20)]}
    table = hl.Predictions.graded(
        [1, 0, 1, 1] * 20, model=["u"] * 40 + ["v"] * 40, item=[*range(40)] * 2, **given
    )
    with pytest.raises(hl.InputError, match=f"some rows have another {what} for 'v' than for 'u'"):
        hl.compare(table)


def test_numbers_have_no_table_of_classes(tmp_path: Path) -> None:
    table = hl.Predictions.of([1.5, 2.5, 3.25], [1.0, 2.0, 3.0])
    with pytest.raises(hl.InputError, match="the task is 'regression'"):
        table.summary(hl.summaries.Contingency)
