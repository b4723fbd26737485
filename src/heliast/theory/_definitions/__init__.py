"""Definitions of bias and variance: one file each, one line here."""

from heliast.theory._definitions._breiman import breiman
from heliast.theory._definitions._classical import classical
from heliast.theory._definitions._domingos import domingos
from heliast.theory._definitions._james import james
from heliast.theory._definitions._kohavi_wolpert import kohavi_wolpert
from heliast.theory._definitions._kong_dietterich import kong_dietterich
from heliast.theory._definitions._registry import Definition, Part, definition_of, definitions
from heliast.theory._definitions._tibshirani import tibshirani

__all__ = [
    "Definition",
    "Part",
    "breiman",
    "classical",
    "definition_of",
    "definitions",
    "domingos",
    "james",
    "kohavi_wolpert",
    "kong_dietterich",
    "tibshirani",
]
