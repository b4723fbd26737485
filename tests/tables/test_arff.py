"""ARFF files: every feature of the format, small."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from heliast._core.errors import InputError
from heliast.data import Dataset, read
from heliast.tables.arff import split_row

HEAD = "@relation r\n@attribute x numeric\n@attribute c {a,b}\n@data\n"


def load(folder: Path, text: str, **options: object) -> Dataset:
    path = folder / "some.arff"
    path.write_text(text, encoding="utf-8")
    return read(path, **options)  # type: ignore[arg-type]


EVERYTHING = r"""% A file with everything
%
@RELATION 'all of it'

@Attribute 'wage increase' REAL
@attribute "it's" {'none', "two words", new car, 10, 9}   % values
@ATTRIBUTE n	INTEGER
@attribute when DATE "yyyy-MM-dd HH:mm"
@attribute flag {TRUE,FALSE}
@attribute Class {pos , neg}

@DATA
% a comment
1.5, none, 3, "1970-01-01 00:01", TRUE, pos
-2e3 , 'two words', ?, ?, FALSE, neg   % after a row

?,new car,7,'1970-01-02 00:00',?,pos
4,	10,8,"1970-01-01 00:00",TRUE,neg
5,9,1,?,FALSE,'pos'
"""


def test_everything(tmp_path: Path) -> None:
    data = load(tmp_path, EVERYTHING)
    assert data.n == 5
    assert data.names == ("wage increase", "it's", "n", "when", "flag")
    assert data.target == "Class"
    assert data.y.tolist() == ["pos", "neg", "pos", "neg", "pos"]
    wage, its, n, when, flag = data.inputs
    np.testing.assert_array_equal(wage.values, [1.5, -2000.0, np.nan, 4.0, 5.0])
    assert its.categories == ("10", "9", "new car", "none", "two words")
    assert its.values.tolist() == [3, 4, 2, 0, 1]
    np.testing.assert_array_equal(n.values, [3, np.nan, 7, 8, 1])
    np.testing.assert_array_equal(when.values, [60, np.nan, 86400, 0, np.nan])
    assert flag.categories == ("false", "true")
    assert flag.values.tolist() == [1, 0, -1, 1, 0]
    assert any("read as dates" in note for note in data.notes)


def test_number_classes_are_numbers_as_in_csv(tmp_path: Path) -> None:
    data = load(tmp_path, "@relation r\n@attribute x real\n@attribute c {0,1}\n@data\n1,0\n2,1\n")
    assert data.classes == (0, 1)
    flags = load(tmp_path, "@relation r\n@attribute x real\n@attribute c {F,T}\n@data\n1,T\n2,F\n")
    assert flags.classes == ("F", "T")


def test_the_target_without_a_telling_name(tmp_path: Path) -> None:
    text = "@relation r\n@attribute kind {a,b}\n@attribute x real\n@data\na,1\nb,2\n"
    data = load(tmp_path, text)
    assert data.target == "kind"
    assert data.notes[0] == "target: 'kind', the last nominal attribute (say target= otherwise)"
    assert load(tmp_path, text, target="x", task="regression").target == "x"


def test_strings_are_free_text_unless_few(tmp_path: Path) -> None:
    head = "@relation r\n@attribute t string\n@attribute x real\n@attribute c {a,b}\n@data\n"
    rows = [f"'text {row}',{row % 7},{'ab'[row % 2]}\n" for row in range(40)]
    data = load(tmp_path, head + "".join(rows))
    assert data.names == ("x",)
    assert any("'t': left out: free text" in note for note in data.notes)
    assert load(tmp_path, head + "".join(rows), nominal="t").names == ("t", "x")
    assert load(tmp_path, head + "".join(rows[:10])).names == ("t", "x")


def test_other_line_ends_marks_and_packing(tmp_path: Path) -> None:
    plain = load(tmp_path, HEAD + "0,a\n3,b\n").fingerprint
    for change in ("\r\n", "\r"):
        path = tmp_path / "ends.arff"
        path.write_bytes((HEAD + "0,a\n3,b").replace("\n", change).encode("utf-8-sig"))
        assert read(path).fingerprint == plain
    path = tmp_path / "some.arff.gz"
    path.write_bytes(gzip.compress((HEAD + "0,a\n3,b\n").encode()))
    assert read(path).fingerprint == plain
    assert read(path).name == "some"


def test_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "old.arff"
    path.write_bytes((HEAD.replace("a,b", "é,b") + "0,é\n3,b\n").encode("latin-1"))
    assert read(path).classes == ("b", "é")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "1,a\n2,c\n", r"'c' in 1 row \(line 6\) is not one of 'a', 'b', as declared"),
        (HEAD + "1,a\n\nx,b\n", r"column 'x': 'x' in 1 row \(line 7\) is not a number"),
        (HEAD + "1,a\n1,a,3\n", "line 6: 3 values but 2 attributes"),
        (HEAD + "1\n", "line 5: 1 value but 2 attributes"),
        (HEAD + "1,'a\n", "line 5: .* cannot be read"),
        (HEAD + "1,'a' 'b'\n", "line 5: .* cannot be read"),
        (HEAD + "{0 1, 1 b}\n", "line 5: .* sparse rows and weights of rows are not read"),
        (HEAD + "1,a,{2}\n", "line 5: .* sparse rows and weights of rows are not read"),
        (HEAD, "a header but no row"),
        (HEAD + "1,a\n2,?\n", r"target 'c' is missing in 1 row \(line 6\)"),
        (HEAD + "1,a\n2,a\n", "one class only"),
        ("@relation r\n@attribute x real\n", "no @data line"),
        ("@relation r\n@data\n1\n", "no @attribute line"),
        ("@relation r\n@attribute x crap\n@data\n1\n", "line 2: attribute 'x': the type 'crap'"),
        ("@relation r\n@attribute x\n@data\n1\n", "line 2: @attribute needs a name and a type"),
        ("@relation r\n@attribute x {a,b\n@data\na\n", "line 2: .* must end with '}'"),
        ("@relation r\n@attribute x {a,{b}\n@data\na\n", "line 2: .* cannot be read"),
        ("@relation r\n@attribute x real\n@attribute x real\n@data\n1,1\n", "two columns"),
        ("@relation r\n@attribute b relational\n", "line 2: .* the type 'relational'"),
        (
            "@relation r\n@attribute d date yyyy\n@attribute c {a,b}\n@data\n1990,a\n1991,b\n",
            "attribute 'd': dates must be written",
        ),
        ("hello\n", "line 1: expected @relation"),
    ],
)
def test_refusals_name_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith("some.arff: ")


def test_names_are_for_csv(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="names= is for text files"):
        load(tmp_path, HEAD + "1,a\n2,b\n", names=["x", "y"])


# --- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("  a ,\tb  ", ["a", "b"]),
        ("new car, old", ["new car", "old"]),
        ("'a, b',\"c 'd'\"", ["a, b", "c 'd'"]),
        (r"'it\'s','back\\slash','tab\there'", ["it's", "back\\slash", "tab\there"]),
        (r'"a \"b\"",5', ['a "b"', "5"]),
        ("a,b % the rest, is a comment", ["a", "b"]),
        ("'50%',50%", ["50%", "50%"]),
        ("don't,x", ["don't", "x"]),
        ("a,,b", ["a", None, "b"]),
        ("?,'?',''", [None, "?", ""]),
        (r"'\%'", ["%"]),
    ],
)
def test_values(line: str, expected: list[str]) -> None:
    assert split_row(line, 1) == expected
