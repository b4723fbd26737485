"""The engine's types of columns as our kinds."""

from heliast._core.columns import MULTI, Kind
from heliast._core.errors import InputError

__all__ = ["Kind", "kind_of"]

_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")


def kind_of(stored: str, name: str) -> Kind:
    """Text, truth values, whole numbers or numbers; anything else cannot be a label.

    >>> kind_of("UTINYINT", "truth"), kind_of("DECIMAL(18,3)", "truth")
    ('whole', 'number')
    """
    if stored == "VARCHAR" or stored.startswith("ENUM"):
        return "text"
    if stored == "BOOLEAN":
        return "bool"
    if stored.removeprefix("U") in _WHOLE:
        return "whole"
    if stored in ("FLOAT", "DOUBLE", "HUGEINT", "UHUGEINT") or stored.startswith("DECIMAL"):
        return "number"
    listed = stored.endswith("]") or stored.startswith(("STRUCT", "MAP"))
    hint = MULTI if listed else "convert to text"
    raise InputError(f"{name}: values of type {stored} are not labels; {hint}")
