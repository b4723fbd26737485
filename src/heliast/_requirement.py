"""A requirement in words: `new:recall[spam].low >= 0.85`, `error(new - old).high <= 0.01`."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from heliast._core.errors import InputError

End = Literal["low", "high"]
ENDS: dict[str, End] = {"low": "low", "high": "high"}
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip

_QUOTED = r""""[^"]*"|'[^']*'"""
_SHAPE = re.compile(
    rf"""\s*(?:(?P<model>{_QUOTED}|[^:"'()\[\]]+?)\s*:)?
    \s*(?P<measure>[A-Za-z_][A-Za-z0-9_.]*?)
    \s*(?:\[\s*(?P<class>{_QUOTED}|[^\[\]"']+?)\s*\])?
    \s*(?:\(\s*(?P<a>{_QUOTED}|[^()"']+?)\s+-\s+(?P<b>{_QUOTED}|[^()"']+?)\s*\))?
    \s*(?:\.(?P<end>low|high|value))?
    \s*(?P<operator>>=|<=|>|<)
    \s*(?P<bar>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(?P<percent>%?)\s*""",
    re.VERBOSE,
)
SHAPES = '"error.high <= 0.1", "new:recall[spam].low >= 0.85" or "error(new - old).high <= 0.01"'


@dataclass(frozen=True)
class Requirement:
    """An end of an interval that has to lie on the right side of a bar.

    `model` is None where every model has to meet it; `pair` names the two models of a difference.

    >>> one = Requirement.parse("new:recall[spam].low >= 85%")
    >>> one.model, one.measure, one.class_, one.end, one.bar
    ('new', 'recall', 'spam', 'low', 0.85)
    >>> Requirement.parse("error(new - old).high <= 0.01").pair
    ('new', 'old')
    """

    words: str
    measure: str
    end: End
    operator: str
    bar: float
    model: str | None = None
    class_: str | None = None
    pair: tuple[str, str] | None = None

    @classmethod
    def parse(cls, words: str) -> "Requirement":
        """Read the words; what is not understood is an error that shows how to write it."""
        found = _SHAPE.fullmatch(words)
        if found is None:
            raise InputError(f"requirement {words!r} is not understood; write for example {SHAPES}")
        part = found.groupdict()
        asked = ENDS.get(part["end"] or "")
        if asked is None:
            end = "low" if part["operator"].startswith(">") else "high"
            raise InputError(
                f"requirement {words!r} asks for the value alone, which chance moves; ask for an "
                f"end of its interval: {_with_end(words, end)}"
            )
        if part["a"] and part["model"]:
            raise InputError(
                f"requirement {words!r} names a model and a difference of models: leave out "
                f"{part['model']}:"
            )
        pair = (_bare(part["a"]), _bare(part["b"])) if part["a"] else None
        if pair and part["class"]:
            raise InputError(f"requirement {words!r}: a difference has no class; leave it out")
        return cls(
            words.strip(), part["measure"], asked, part["operator"],
            float(part["bar"]) / (100 if part["percent"] else 1),
            _bare(part["model"]) if part["model"] else None,
            _bare(part["class"]) if part["class"] else None, pair,
        )  # fmt: skip

    def met(self, value: float) -> bool:
        """Whether this number lies on the right side of the bar."""
        return OPERATORS[self.operator](value, self.bar)


def _bare(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1] if quoted else name.strip()


def _with_end(words: str, end: str) -> str:
    found = re.search(r"(\.value)?\s*(>=|<=|>|<)", words)
    assert found is not None
    return f"{words[: found.start()]}.{end} {words[found.start(2) :]}"
