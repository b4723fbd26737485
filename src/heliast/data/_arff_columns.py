"""Values of ARFF attributes to columns: each checked against what the attribute declares."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.places import Places
from heliast.data._arff_dates import date_reader
from heliast.data._table import listed
from heliast.predictions._textual import is_number

Field = str | None
"""One value as it is written; None where it is missing."""


@dataclass
class Attribute:
    """One declared column: its name, what it holds, and how a value is read."""

    name: str
    kind: str
    values: tuple[str, ...] = ()
    pattern: str = ""


def arff_column(one: Attribute, fields: Sequence[Field], places: Places) -> Column:
    """The column of one attribute; a value that does not fit its type is refused with its line."""
    place: dict[Field, int] = {}
    codes = np.fromiter(
        (place.setdefault(text, len(place)) for text in fields), np.int32, len(fields)
    )
    texts = list(place)
    if one.kind in ("nominal", "string"):
        if one.kind == "nominal":
            allowed = {*one.values, None}
            _refuse_values(one, texts, codes, lambda text: text in allowed, places)
        return _texts(one.name, codes, texts)
    if one.kind == "numeric":
        _refuse_values(one, texts, codes, lambda text: text is None or is_number(text), places)
        table = [np.nan if text is None else float(text) for text in texts]
    else:
        table = _dates(one, texts, codes, places)
    numbers = np.array(table)[codes]
    return Column(one.name, numbers, "number", np.flatnonzero(np.isnan(numbers)))


def _texts(name: str, codes: Any, texts: Sequence[Field]) -> Column:
    kept = [text for text in texts if text is not None]
    place = {text: code for code, text in enumerate(kept)}
    recode = np.array([-1 if text is None else place[text] for text in texts], np.int32)
    whole = recode[codes]
    return Column(name, whole, "text", np.flatnonzero(whole < 0), tuple(kept))


def _dates(one: Attribute, texts: Sequence[Field], codes: Any, places: Places) -> list[float]:
    read, table = date_reader(one.pattern), []
    for code, text in enumerate(texts):
        try:
            table.append(np.nan if text is None else read(text))
        except InputError as error:
            rows = np.flatnonzero(codes == code)
            raise InputError(f"attribute {one.name!r}: {error}, in {places.some(rows)}") from None
    return table


def _refuse_values(
    one: Attribute,
    texts: Sequence[Field],
    codes: Any,
    fits: Callable[[Field], bool],
    places: Places,
) -> None:
    bad = [code for code, text in enumerate(texts) if not fits(text)]
    if not bad:
        return
    rows = np.flatnonzero(np.isin(codes, bad))
    meant = "a number" if one.kind == "numeric" else f"one of {listed(one.values)}, as declared"
    raise InputError(
        f"attribute {one.name!r}: {texts[codes[rows[0]]]!r} in {places.some(rows)} is not {meant}"
    )
