"""Columns of text, as a CSV file has them, to booleans, numbers or text: careful, and stated."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heliast._core.columns import Column, Kind, column
from heliast._core.errors import InputError
from heliast._core.formulas import STARTS, unguarded

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?inf(inity)?", re.IGNORECASE)
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?")
_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2}[.,]\d{3}")
_WHOLE = re.compile(r"[+-]?\d+")
_LEADING_ZERO = re.compile(r"[+-]?0\d")
_MAY_BE_TYPED = frozenset("+-.0123456789iItTfF")
_MANY = 100_000
"""A column with more different texts than this is parsed by Arrow, not value by value."""


@dataclass(frozen=True)
class Reading:
    """What a set of texts can be read as, and why not as numbers."""

    kind: Kind
    reason: str = ""
    some: str = ""
    grouped: bool = False
    """Whether commas group the digits of numbers: 1,234.5."""
    truths: bool = False
    """Whether some of the texts are `true` or `false`."""


def reading_of(texts: Iterable[str]) -> Reading:
    """The narrowest type that loses nothing of these texts.

    >>> reading_of(["0", "1"]).kind, reading_of(["1.0", "2"]).kind, reading_of(["007"]).kind
    ('whole', 'number', 'text')
    """
    texts = tuple(texts)
    numbers: list[str] = []
    words = others = 0
    whole = True
    odd = ""
    for text in texts:
        if text[:1] not in _MAY_BE_TYPED:  # most text shows at once that it is no number
            others += 1
            odd = odd or text
            if numbers:
                break
        elif text.lower() in ("true", "false"):
            words += 1
        elif _NUMBER.fullmatch(text):
            if _LEADING_ZERO.match(text):
                return Reading("text", "leading zeros", text)
            numbers.append(text)
            if not _WHOLE.fullmatch(text):
                whole = False
            elif len(text) > 18 and not -(2**63) <= int(text[:4000]) < 2**63:
                return Reading("text", "more digits than a number can hold", text[:40])
        else:
            others += 1
            odd = odd or text
    if not numbers and not others and words:
        return Reading("bool")
    if others and not words and _GROUPED.fullmatch(odd):
        plain = [text.replace(",", "") if _GROUPED.fullmatch(text) else text for text in texts]
        if all(map(_NUMBER.fullmatch, plain)):
            return Reading(reading_of(plain).kind, "commas group digits", odd, grouped=True)
    if numbers and not others and not words:
        return Reading("whole" if whole else "number")
    if numbers:
        return Reading("text", "a mixture of numbers and text", numbers[0])
    return Reading("text", some="true" if words else odd, truths=words > 0)


def refuse_thousands(name: str, texts: Iterable[str]) -> None:
    """Refuse `1.234` beside `567`, where a comma may be what separates decimals, and vice versa.

    Of fractions with three digits a tenth are written with two; so each one with a mark that has
    three after it, and others that have none at all, are thousands rather than fractions.

    >>> refuse_thousands("price", ["1.5", "2"]), refuse_thousands("price", ["1.250", "0.125"])
    (None, None)
    """
    parted = [text for text in texts if "." in text or "," in text]
    plain = [text for text in texts if _WHOLE.fullmatch(text)]
    small = bool(plain) and all(abs(int(text[:20])) < 1000 for text in plain)
    if parted and small and all(map(_THOUSANDS.fullmatch, parted)):
        digits = re.sub("[.,]", "", parted[0])
        raise InputError(
            f"column {name!r}: {parted[0]!r} beside {plain[0]!r} may be {digits} or a "
            f"fraction; write {digits} without a mark, or all numbers with as many decimals"
        )


def is_number(text: str) -> bool:
    """Whether a text is a number as people and programs write them."""
    return _NUMBER.fullmatch(text.strip()) is not None


def textual(chunks: Any, name: str) -> Column:
    """A column of strings (Arrow) as text, with missing fields found and spaces removed."""
    import pyarrow.compute as pc

    one = column(chunks, name)
    words = chunks.unique().drop_null()
    trimmed = pc.utf8_trim_whitespace(words)
    odd = pc.match_substring_regex(trimmed, f"^$|^'+{STARTS}")
    if trimmed.equals(words) and not pc.any(odd).as_py():
        return one
    texts = [unguarded(text.strip()) for text in one.texts]
    place: dict[str, int] = {}
    recode = [place.setdefault(text, len(place)) if text else -1 for text in texts]
    values = np.array([*recode, -1], np.int32)[one.values]
    return Column(name, values, "text", np.flatnonzero(values < 0), tuple(place))


def written(chunks: Any, name: str) -> Column:
    """A column of strings (Arrow) as text, or as numbers if very many differ and all are some."""
    numbers = long_numbers(chunks, name) if many_different(chunks) else None
    return textual(chunks, name) if numbers is None else numbers


def state(name: str, reading: Reading, notes: list[str]) -> None:
    """Say why a column that holds numbers is read as text."""
    if reading.grouped:
        instead = reading.some.replace(",", "")
        notes.append(f"column {name!r}: commas group digits, {reading.some!r} read as {instead}")
    if reading.kind == "text" and reading.reason:
        notes.append(f"column {name!r} read as text: {reading.reason} ({reading.some!r})")


def typed(one: Column, reading: Reading) -> Column:
    """The column as what its texts were found to be."""
    if reading.kind == "text":
        return one
    if reading.grouped:
        one = replace(one, texts=tuple(text.replace(",", "") for text in one.texts))
    table: Any
    if reading.kind == "bool":
        table = np.array([text.lower() == "true" for text in one.texts] + [False], np.bool_)
    elif reading.kind == "whole":
        table = np.array([*map(int, one.texts), 0], np.int64)
    else:
        table = np.array([*map(float, one.texts), np.nan], np.float64)
    return Column(one.name, table[one.values], reading.kind, one.missing)


def long_numbers(chunks: Any, name: str) -> Column | None:
    """A column of very many different texts, if all are numbers that lose nothing; else None."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        chunks.slice(0, 1000).cast(pa.float64())  # most text shows at once that it is no number
    except pa.ArrowInvalid:
        return None
    try:
        whole = chunks.cast(pa.int64())
        # Written back the same: no leading zeros, no sign, nothing lost.
        if pc.all(pc.equal(whole.cast(chunks.type), chunks)).as_py() is not False:
            return column(whole, name)
    except pa.ArrowInvalid:
        pass
    try:
        numbers = chunks.cast(pa.float64())
    except pa.ArrowInvalid:
        return None
    odd = pc.match_substring_regex(chunks, r"^[+-]?0\d|^[+-]?\d{16,}$")  # floats hold 15 digits
    return None if pc.any(odd).as_py() else column(numbers, name)


def many_different(chunks: Any) -> bool:
    """Whether a column of strings has too many different texts to look at each."""
    if len(chunks) <= _MANY:
        return False
    head = chunks.slice(0, _MANY)
    return bool(len(head.unique()) > _MANY // 2)
