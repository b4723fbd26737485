"""A requirement in words: `new:recall[spam].low >= 0.85`, `error(new - old).high <= 0.01`.

`by region` behind the threshold asks it of every slice, `worst(recall by region)` of the worst one,
and `corrected(accuracy)` of labels of people, where a judge gave most of them.
"""

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import isfinite, nan
from typing import Literal

from heliast._core.errors import InputError
from heliast.verbs.sliced_by import as_by

End = Literal["low", "high"]
Bounds = tuple[float, float]
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip
# The smallest difference that matters, for measures between 0 and 1.
USUAL_MARGIN = 0.01
# Characters that a requirement may have.
MOST = 2000
SHAPES = (
    '"error.high <= 0.1", "new:recall[spam].low >= 0.85", "error(new - old).high <= 0.01", '
    '"above(bar=0.7).low >= 0.6", "recall.low >= 0.7 by region" or '
    '"worst(recall by region).low >= 0.6"'
)
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_SETTING = r"\s*[a-z_]{1,30}\s*=\s*[^()=,\s]{1,60}\s*"
_WORDS = re.compile(
    rf"""
    (?:(?P<model>[^:()\[\]"'<>]+):)?+ \s*+
    (?:(?P<of>worst|corrected)\s*+\()?+ \s*+
    (?P<measure>[A-Za-z_][A-Za-z0-9_.]*?(?:[@^][0-9]{{1,6}})?
        (?:\({_SETTING}(?:,{_SETTING}){{0,5}}\))?) \s*+
    (?:\[(?P<class>[^:()\[\]"'<>]+)\])?+ \s*+
    (?:\((?P<pair>[^:()\[\]"'<>]+)\))?+ \s*+
    (?P<within>by\s[^()"'<>]+)?+
    (?P<close>\))?+ \s*+
    (?:\.(?P<end>low|high|value))?+ \s*+
    (?P<operator>[<>]=?) \s*+
    (?P<threshold>[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?) \s*+
    (?P<percent>%?) \s*+
    (?P<by>by\s.+)?
    """,
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True)
class Requirement:
    """A confidence limit that has to lie on the right side of a threshold, `bar`.

    `model` is None where every model has to meet it; `pair` names the two models of a difference.
    `by` are columns whose every slice has to meet it, or, with `worst`, whose worst slice has to.

    >>> one = Requirement.parse("new:recall[spam].low >= 85%")
    >>> one.model, one.measure, one.class_, one.end, one.bar
    ('new', 'recall', 'spam', 'low', 0.85)
    >>> Requirement.parse("error(new - old).high <= 0.01").pair
    ('new', 'old')
    >>> Requirement.parse("recall.low >= 0.7 by region").by
    (('region',),)
    """

    words: str
    measure: str
    end: End
    operator: str
    bar: float
    model: str | None = None
    class_: str | None = None
    pair: tuple[str, str] | None = None
    by: tuple[tuple[str, ...], ...] = ()
    worst: bool = False
    corrected: bool = False

    @classmethod
    def parse(cls, words: str) -> "Requirement":
        """Read the words; the error for what cannot be read shows how to write it."""
        shown = words if len(words) <= 200 else f"{words[:200]}..."
        if len(words) > MOST:
            raise InputError(
                f"requirement {shown!r} has {len(words):,} characters; it may have {MOST:,}"
            )
        text = words.strip()
        match = _WORDS.fullmatch(_QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text))
        part = {} if match is None else {
            name: text[slice(*match.span(name))].strip()
            for name in match.groupdict() if match[name] is not None
        }  # fmt: skip
        pair = _split_pair(part["pair"]) if "pair" in part else None
        of, within = part.get("of", ""), part.get("within", "")
        if (
            match is None
            or ("pair" in part and pair is None)
            or bool(of) != ("close" in part)
            or (of == "worst") != bool(within)
            or (of and "by" in part)
            or not all(part.get(name, "x") for name in ("model", "class"))
        ):
            raise InputError(f"requirement {shown!r} is not understood; write for example {SHAPES}")
        value = float(part["threshold"]) / (100 if part["percent"] else 1)
        subject = text[: match.start("operator")].strip().removesuffix(f".{part.get('end', '')}")
        cls._check(words, part, pair, subject, text[match.start("operator") :], value)
        columns = (within or part.get("by", "")).removeprefix("by").strip()
        end: End = "low" if part["end"] == "low" else "high"
        return cls(
            text, part["measure"], end, part["operator"], value,
            _unquote(part["model"]) if "model" in part else None,
            _unquote(part["class"]) if "class" in part else None,
            pair, as_by(_unquote(columns) or None), of == "worst", of == "corrected",
        )  # fmt: skip

    @staticmethod
    def _check(
        words: str, part: dict[str, str], pair: object, subject: str, bound: str, value: float
    ) -> None:
        head = f"requirement {words!r}"
        end = "low" if part["operator"].startswith(">") else "high"
        if not isfinite(value):
            raise InputError(f"{head}: its threshold is too large for a number")
        if part.get("end", "value") == "value":
            raise InputError(
                f"{head} asks for the value alone, which varies by chance; ask for a confidence "
                f"limit: {subject}.{end} {bound}"
            )
        if pair and "model" in part:
            raise InputError(
                f"{head} names a model and a difference of models: leave out {part['model']}:"
            )
        if part["end"] != end:
            raise InputError(
                f"{head} asks for the easy limit, which few enough rows always meet; ask for the "
                f"other: {subject}.{end} {bound}"
            )
        if pair and "class" in part:
            raise InputError(f"{head}: a difference has no class; leave it out")

    def met(self, value: float) -> bool:
        """Whether this number lies on the right side of the threshold."""
        return OPERATORS[self.operator](value, self.bar)

    @property
    def up(self) -> bool:
        """Whether more is required, not less."""
        return self.end == "low"

    def range(self, bounds: Bounds) -> Bounds:
        """The range of what is required: of the measure, or of a difference of two."""
        low, high = bounds
        return (low - high, high - low) if self.pair else (low, high)

    def check(self, bounds: Bounds) -> None:
        """Refuse a threshold that every value of a measure between these bounds meets, or none.

        >>> Requirement.parse("error.high <= 15").check((0, 1))
        Traceback (most recent call last):
        heliast._core.errors.InputError: requirement 'error.high <= 15': ... did you mean 15%?
        """
        low, high = self.range(bounds)
        if self.met(low) != self.met(high):
            return
        many = "every" if self.met(low) else "no"
        name = f"{self.measure}({' - '.join(self.pair)})" if self.pair else self.measure
        percent = replace(self, bar=self.bar / 100)
        forgotten = high <= 1 and not self.words.endswith("%")
        meant = forgotten and percent.met(low) != percent.met(high)
        hint = f"; did you mean {self.bar:g}%?" if meant else ""
        raise InputError(
            f"requirement {self.words!r}: {many} value of {name}, which lies between {low:g} and "
            f"{high:g}, meets this threshold{hint}"
        )

    def planned(self, bounds: Bounds, margin: float | None = None) -> float:
        """The true value that rows are planned for: better than the threshold by the margin.

        Without a margin: a tenth of the way to the best value; for a difference 0 where that is
        better than the threshold, else 0.01 beyond it. NaN where none of these is known.

        >>> round(Requirement.parse("auc.low >= 0.8").planned((0, 1)), 4)
        0.82
        """
        sign, (low, high) = (1 if self.up else -1), self.range(bounds)
        if margin is None and self.pair:
            if sign * self.bar < 0:
                return 0.0
            margin = USUAL_MARGIN if high <= 1 else nan
        elif margin is None:
            margin = abs((high if self.up else low) - self.bar) / 10
        value = self.bar + sign * margin
        return min(high, max(low, value)) if isfinite(value) else nan


def _split_pair(text: str) -> tuple[str, str] | None:
    """The names of `a - b`, split at the first dash between spaces."""
    masked = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    dash = re.search(r"\s-\s", masked)
    if dash is None:
        return None
    a, b = _unquote(text[: dash.start()].strip()), _unquote(text[dash.end() :].strip())
    return (a, b) if a and b else None


def _unquote(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1] if quoted else name.strip()
