"""A requirement in words: `new:recall[spam].low >= 0.85`, `error(new - old).high <= 0.01`.

`by region` behind the bar asks it of every slice, `worst(recall by region)` of the worst one, and
`corrected(accuracy)` of what people say, told from their grades of some rows.
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
ENDS: dict[str, End] = {"low": "low", "high": "high"}
OPERATORS: dict[str, Callable[[float, float], bool]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip

USUAL_MARGIN = 0.01
"""The smallest difference that matters, for measures between 0 and 1."""

MOST = 2000
"""Characters that a requirement may have."""
_QUOTED = re.compile(r""""[^"]*"|'[^']*'""")
_OPERATOR = re.compile("[<>]=?")
_SETTING = r"\s*[a-z_]{1,30}\s*=\s*[^()=,\s]{1,60}\s*"
_SETTINGS = rf"\({_SETTING}(?:,{_SETTING}){{0,5}}\)"
_NAME = re.compile(rf"[A-Za-z_][A-Za-z0-9_.]*(?:[@^][0-9]{{1,6}})?(?:{_SETTINGS})?", re.ASCII)
_PARAMETERS = re.compile(_SETTINGS, re.ASCII)
_OF = re.compile(r"(worst|corrected)\s*\(")
_BAR = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*(%?)", re.ASCII)
_SPECIAL = frozenset(":()[]\"'")
SHAPES = (
    '"error.high <= 0.1", "new:recall[spam].low >= 0.85", "error(new - old).high <= 0.01", '
    '"above(bar=0.7).low >= 0.6", "recall.low >= 0.7 by region" or '
    '"worst(recall by region).low >= 0.6"'
)


@dataclass(frozen=True)
class Requirement:
    """An end of an interval that has to lie on the right side of a bar.

    `model` is None where every model has to meet it; `pair` names the two models of a difference.
    `by` are columns whose every slice has to meet it, or, with `worst`, whose worst slice has to;
    `corrected` says that rows are graded by a judge that errs, and some by people.

    >>> one = Requirement.parse("new:recall[spam].low >= 85%")
    >>> one.model, one.measure, one.class_, one.end, one.bar
    ('new', 'recall', 'spam', 'low', 0.85)
    >>> Requirement.parse("error(new - old).high <= 0.01").pair
    ('new', 'old')
    >>> Requirement.parse("new:above(bar=4).low >= 0.6").measure
    'above(bar=4)'
    >>> Requirement.parse("recall.low >= 0.7 by region").by
    (('region',),)
    >>> Requirement.parse("worst(pass@1 by region).low >= 0.6").worst
    True
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
        """Read the words; what is not understood is an error that shows how to write it."""
        shown = words if len(words) <= 200 else f"{words[:200]}..."
        if len(words) > MOST:
            raise InputError(
                f"requirement {shown!r} has {len(words):,} characters; it may have {MOST:,}"
            )
        part = _parts(words)
        if part is None:
            raise InputError(f"requirement {shown!r} is not understood; write for example {SHAPES}")
        if not isfinite(part.bar):
            raise InputError(f"requirement {shown!r}: its bar is too large for a number")
        asked = ENDS.get(part.end)
        if asked is None:
            end = "low" if part.operator.startswith(">") else "high"
            raise InputError(
                f"requirement {words!r} asks for the value alone, which chance moves; ask for an "
                f"end of its interval: {part.subject}.{end} {part.bound}"
            )
        if part.pair and part.model:
            raise InputError(
                f"requirement {words!r} names a model and a difference of models: leave out "
                f"{part.model}:"
            )
        if (asked == "low") != part.operator.startswith(">"):
            end = "low" if asked == "high" else "high"
            raise InputError(
                f"requirement {words!r} asks for the easy end, which few enough rows always meet; "
                f"ask for the other end: {part.subject}.{end} {part.bound}"
            )
        if part.pair and part.class_:
            raise InputError(f"requirement {words!r}: a difference has no class; leave it out")
        return cls(
            words.strip(), part.measure, asked, part.operator, part.bar,
            _bare(part.model) if part.model else None, _bare(part.class_) if part.class_ else None,
            part.pair, as_by(_bare(part.by) or None), part.of == "worst", part.of == "corrected",
        )  # fmt: skip

    def met(self, value: float) -> bool:
        """Whether this number lies on the right side of the bar."""
        return OPERATORS[self.operator](value, self.bar)

    @property
    def up(self) -> bool:
        """Whether more is required, not less."""
        return self.end == "low"

    def range(self, bounds: Bounds) -> Bounds:
        """Between which values lies what the bar is for: the measure, or a difference of two."""
        low, high = bounds
        return (low - high, high - low) if self.pair else (low, high)

    def decides(self, bounds: Bounds) -> bool:
        """Whether some values of a measure between these bounds meet the bar and others do not."""
        low, high = self.range(bounds)
        return self.met(low) != self.met(high)

    def check(self, bounds: Bounds) -> None:
        """Refuse a bar that every value of a measure between these bounds meets, or none.

        >>> Requirement.parse("error.high <= 15").check((0, 1))
        Traceback (most recent call last):
        heliast._core.errors.InputError: requirement 'error.high <= 15': ... did you mean 15%?
        """
        if self.decides(bounds):
            return
        low, high = self.range(bounds)
        many = "every" if self.met(low) else "no"
        said = f"{self.measure}({' - '.join(self.pair)})" if self.pair else self.measure
        forgotten = high <= 1 and not self.words.endswith("%")
        meant = forgotten and replace(self, bar=self.bar / 100).decides(bounds)
        hint = f"; did you mean {self.bar:g}%?" if meant else ""
        raise InputError(
            f"requirement {self.words!r}: {many} value of {said}, which lies between {low:g} and "
            f"{high:g}, meets this bar{hint}"
        )

    def planned(self, bounds: Bounds, margin: float | None = None) -> float:
        """The true value for which rows are planned: better than the bar by the margin.

        Without a margin: a tenth of the way from the bar to the best value; for a difference 0
        where that is better than the bar, else 0.01 beyond it for measures between 0 and 1. NaN
        where none of these is known.

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


@dataclass(frozen=True)
class _Parts:
    """A requirement taken apart: `subject` is what stands before the end, `bound` what after it."""

    subject: str
    bound: str
    measure: str
    operator: str
    bar: float
    end: str = ""
    model: str = ""
    class_: str = ""
    pair: tuple[str, str] | None = None
    by: str = ""
    of: str = ""


def _parts(words: str) -> _Parts | None:
    """The parts of `model:measure[class](a - b).end >= bar`, from right to left; None if it is not
    such. A measure may have parameters, `above(bar=0.7)`. Each step looks at the words once, so
    that no words take long.
    """
    compared = list(_OPERATOR.finditer(_unquoted(words)))
    if len(compared) != 1:
        return None
    start, stop = compared[0].span()
    behind, by = _sliced(words[stop:])
    bar = _BAR.fullmatch(behind)
    subject, dot, end = words[:start].strip().rpartition(".")
    if not dot or end not in ("low", "high", "value"):
        subject, end = words[:start].strip(), ""
    subject, of, within = _wrapped(subject.strip())
    if (of == "worst") != bool(within) or (of and by):
        return None
    rest, inside = (subject, None) if _set(subject) else _bracketed(subject, "()")
    pair = _two(inside) if inside is not None else None
    rest, class_ = _bracketed(rest, "[]")
    at = _unquoted(rest).rfind(":")
    model, measure = rest[: max(at, 0)].strip(), rest[at + 1 :].strip()
    wrong = (at >= 0 and not _is_name(model)) or (class_ is not None and not _is_name(class_))
    if (
        bar is None
        or wrong
        or (inside is not None and pair is None)
        or not _NAME.fullmatch(measure)
    ):
        return None
    value = float(bar[1]) / (100 if bar[2] else 1)
    return _Parts(
        words[:start].strip().removesuffix(f".{end}"), words[start:].strip(), measure,
        words[start:stop], value, end, model, class_ or "", pair, by or within, of,
    )  # fmt: skip


def _sliced(text: str) -> tuple[str, str]:
    """What stands before ` by `, and the columns behind it; nothing without any."""
    found = list(re.finditer(r"\sby\s", _unquoted(text)))
    if not found:
        return text.strip(), ""
    start, stop = found[-1].span()
    return text[:start].strip(), text[stop:].strip()


def _wrapped(text: str) -> tuple[str, str, str]:
    """What `worst(... by column)` or `corrected(...)` is of, which of them it is, and by what.

    >>> _wrapped("new:worst(recall by region)")
    ('new:recall', 'worst', 'region')
    """
    plain = _unquoted(text)
    at = plain.rfind(":", 0, plain.find("(") if "(" in plain else None) + 1
    found = _OF.match(plain, at + len(plain[at:]) - len(plain[at:].lstrip()))
    if found is None or not plain.endswith(")"):
        return text, "", ""
    inside, by = _sliced(text[found.end() : -1])
    return text[:at] + inside, found[1], by


def _unquoted(text: str) -> str:
    """The same text with what stands in quotes blotted out."""
    return _QUOTED.sub(lambda found: "_" * len(found[0]), text)


def _bracketed(text: str, marks: str) -> tuple[str, str | None]:
    """What stands before brackets at the end of the text, and what inside; None without any."""
    plain = _unquoted(text)
    at = plain.rfind(marks[0])
    if not plain.endswith(marks[1]) or at < 0:
        return text, None
    return text[:at].strip(), text[at + 1 : -1].strip()


def _set(text: str) -> bool:
    """Whether the text ends with parameters of a measure, as `above(bar=0.7)` does.

    >>> _set("above(bar=0.7)"), _set("grade(new - old)"), _set("above(bar=0.7)(new - old)")
    (True, False, False)
    """
    plain = _unquoted(text)
    return plain.endswith(")") and bool(_PARAMETERS.fullmatch(plain[plain.rfind("(") :]))


def _two(text: str) -> tuple[str, str] | None:
    """The names of `a - b`; the first dash between spaces parts them."""
    at = [found.start() for found in re.finditer(r"\s-\s", _unquoted(text))]
    names = (text[: at[0]].strip(), text[at[0] + 3 :].strip()) if at else ("", "")
    return (_bare(names[0]), _bare(names[1])) if all(map(_is_name, names)) else None


def _is_name(text: str) -> bool:
    """Whether this is a name in quotes, or one that needs none."""
    return bool(text) and (bool(_QUOTED.fullmatch(text)) or _SPECIAL.isdisjoint(text))


def _bare(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] and name[0] in "\"'"
    return name[1:-1] if quoted else name.strip()
