"""No prose as data: nothing in src branches on the words of a method, a note, a reason, a verdict.

Keys are for code (`Estimate.key`, `Difference.finding`, `TestResult.test`, `Note.key`), words for
people. Here every comparison with such words, and every search in them, is an offence.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import heliast

WORDS = {"verdict", "note", "notes", "reason", "why", "sentence", "warning"}
TOLD = {*WORDS, "method"}
"""Attributes; a plain name `method` is mostly an option, which is a key."""
SEARCHES = {"startswith", "endswith", "split", "partition", "rpartition", "find", "index", "search"}
FORMAT = {"_core/notes.py"}
"""Reads words of files that were written before notes had keys."""


def offences(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            texts = any(isinstance(side, ast.Constant) and _words(side.value) for side in sides)
            if texts and any(_is_prose(side) for side in sides):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            searched = [node.func.value, *node.args]
            if node.func.attr in SEARCHES and any(_is_prose(one) for one in searched):
                yield node.lineno


def _words(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _is_prose(node: ast.expr) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in TOLD
    return isinstance(node, ast.Name) and node.id in WORDS


def test_the_rule_sees_what_it_is_for() -> None:
    bad = """
if one.method.startswith("McNemar"): pass
if "the last column" in note: pass
if verdict == "better": pass
if re.search("few rows", note): pass
"""
    assert sorted(offences(ast.parse(bad))) == [2, 3, 4, 5]
    assert not list(offences(ast.parse('if one.key == "wilson" or not note: pass')))


def test_nothing_branches_on_words() -> None:
    root = Path(heliast.__file__).parent
    found = [
        f"{file.relative_to(root)}:{line}"
        for file in sorted(root.rglob("*.py"))
        for line in offences(ast.parse(file.read_text(encoding="utf-8")))
        if str(file.relative_to(root)) not in FORMAT
    ]
    assert not found
