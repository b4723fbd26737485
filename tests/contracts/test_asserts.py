"""Answers do not depend on `python -O`, which takes asserts away."""

import ast
from pathlib import Path

import pytest

import heliast

SOURCE = Path(heliast.__file__).parent


def for_the_type_checker(test: ast.expr) -> bool:
    """`x is not None` or `isinstance(x, ...)` of a plain name: asking them does nothing."""
    match test:
        case ast.Compare(left, [ast.IsNot()], [ast.Constant(None)]):
            return plain(left)
        case ast.Call(ast.Name("isinstance"), [subject, _]):
            return plain(subject)
    return False


def plain(value: ast.expr) -> bool:
    while isinstance(value, ast.Attribute):
        value = value.value
    return isinstance(value, ast.Name)


def asserts(text: str) -> list[ast.Assert]:
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Assert)]


def test_asserts_only_tell_types() -> None:
    """What must be refused is refused by a raise."""
    wrong = [
        f"{path.relative_to(SOURCE)}:{found.lineno}: {ast.unparse(found)}"
        for path in sorted(SOURCE.rglob("*.py"))
        for found in asserts(path.read_text(encoding="utf-8"))
        if not for_the_type_checker(found.test)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "fine"),
    [
        ("assert a.b is not None", True),
        ("assert isinstance(a, (B, C))", True),
        ("assert f(a) is not None", False),
        ("assert isinstance(f(a), B)", False),
        ("assert a.rows", False),
        ("assert a is None", False),
    ],
)
def test_what_counts_as_telling_a_type(text: str, fine: bool) -> None:
    (found,) = asserts(text)
    assert for_the_type_checker(found.test) == fine
