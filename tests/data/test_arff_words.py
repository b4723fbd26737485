"""Words of ARFF lines."""

import pytest

from heliast._core.errors import InputError
from heliast.data._arff_values import unescaped, values, words


def texts(line: str) -> list[str]:
    return [word.text for word in values(line, words(line))]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a,b", ["a", "b"]),
        ("  a ,\tb  ", ["a", "b"]),
        ("a b\tc", ["a", "b", "c"]),
        ("new car, old", ["new car", "old"]),
        ("'a, b',\"c 'd'\"", ["a, b", "c 'd'"]),
        (r"'it\'s','back\\slash','tab\there'", ["it's", "back\\slash", "tab\there"]),
        (r'"a \"b\"",5', ['a "b"', "5"]),
        ("a,b % the rest, is a comment", ["a", "b"]),
        ("'50%',50%", ["50%", "50%"]),
        ("don't,x", ["don't", "x"]),
        ("a,,b", ["a", "?", "b"]),
        ("''", [""]),
    ],
)
def test_values(line: str, expected: list[str]) -> None:
    assert texts(line) == expected


def test_a_quoted_question_mark_is_a_value() -> None:
    assert [word.missing for word in values("?,'?'", words("?,'?'"))] == [True, False]


@pytest.mark.parametrize("line", ["'open", '"open', "a,'b"])
def test_open_quotes_are_refused(line: str) -> None:
    with pytest.raises(InputError, match="not closed"):
        words(line)


def test_two_quoted_values_need_a_comma() -> None:
    with pytest.raises(InputError, match="comma is missing"):
        texts("1,'a' 'b'")


def test_escapes() -> None:
    assert unescaped(r"\u00e9\n\%") == "é\n%"
    assert unescaped(r"\ud800") == "\ufffd"
