"""A requirement in words: `new:recall[spam].low >= 0.85`, `error(new - old).high <= 0.01`."""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, nan
from typing import Literal

from heliast._core.errors import InputError
from heliast.measures import Measure

End = Literal["low", "high"]
ENDS: dict[str, End] = {"low": "low", "high": "high"}
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip

USUAL_MARGIN = 0.01
"""The smallest difference that matters, for measures between 0 and 1."""

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
        if (asked == "low") != part["operator"].startswith(">"):
            end = "low" if asked == "high" else "high"
            raise InputError(
                f"requirement {words!r} asks for the easy end, which few enough rows always meet; "
                f"ask for the other end: {_with_end(words, end)}"
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

    @property
    def up(self) -> bool:
        """Whether more is required, not less."""
        return self.end == "low"

    def range(self, measure: Measure) -> tuple[float, float]:
        """Between which values the measure lies, or the difference of two."""
        low, high = measure.bounds
        return (low - high, high - low) if self.pair else (low, high)

    def check(self, measure: Measure) -> None:
        """Refuse a bar that every value of the measure meets, or none.

        >>> from heliast import measures
        >>> Requirement.parse("error.high <= 15").check(measures.get("error"))
        Traceback (most recent call last):
        heliast._core.errors.InputError: requirement 'error.high <= 15': ... did you mean 15%?
        """
        low, high = self.range(measure)
        if self.met(low) != self.met(high):
            return
        many = "every" if self.met(low) else "no"
        said = f"{self.measure}({' - '.join(self.pair)})" if self.pair else self.measure
        hint = f"; did you mean {self.bar:g}%?" if abs(self.bar) >= 1 >= high else ""
        raise InputError(
            f"requirement {self.words!r}: {many} value of {said}, which lies between {low:g} and "
            f"{high:g}, meets this bar{hint}"
        )

    def planned(self, measure: Measure, margin: float | None = None) -> float:
        """The true value for which rows are planned: better than the bar by the margin.

        Without a margin: a tenth of the way from the bar to the best value; for a difference 0
        where that is better than the bar, else 0.01 beyond it for measures between 0 and 1. NaN
        where none of these is known.

        >>> from heliast import measures
        >>> round(Requirement.parse("auc.low >= 0.8").planned(measures.get("auc")), 4)
        0.82
        """
        sign, (low, high) = (1 if self.up else -1), self.range(measure)
        if margin is None and self.pair:
            if sign * self.bar < 0:
                return 0.0
            margin = USUAL_MARGIN if high <= 1 else nan
        elif margin is None:
            margin = abs((high if self.up else low) - self.bar) / 10
        value = self.bar + sign * margin
        return min(high, max(low, value)) if isfinite(value) else nan


def _bare(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1] if quoted else name.strip()


def _with_end(words: str, end: str) -> str:
    found = re.search(r"(\.(?:value|low|high))?\s*(>=|<=|>|<)", words)
    assert found is not None
    return f"{words[: found.start()]}.{end} {words[found.start(2) :]}"
