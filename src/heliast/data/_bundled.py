"""The data sets that come with scikit-learn, read from its own files: never from a network."""

from difflib import get_close_matches
from typing import Any

from heliast._core.columns import Column, column
from heliast._core.errors import InputError
from heliast.data._table import Table

PREFIX = "sklearn:"
_NAMES = ("breast_cancer", "diabetes", "digits", "iris", "wine")


def bundled_table(source: str) -> Table:
    """The columns of one of scikit-learn's sets, such as `sklearn:iris`; the last is `class`."""
    name = source.removeprefix(PREFIX)
    if name not in _NAMES:
        close = get_close_matches(name, _NAMES, n=1)
        hint = f"did you mean {PREFIX}{close[0]}?" if close else "they are " + ", ".join(_NAMES)
        raise InputError(f"{source}: not one of scikit-learn's sets; {hint}")
    from sklearn import datasets

    found: Any = getattr(datasets, f"load_{name}")()
    truth = found.target
    # Digits and diabetes name no classes: their numbers are the classes, or the target itself.
    if name not in ("digits", "diabetes"):
        truth = found.target_names[truth]
    target = "target" if name == "diabetes" else "class"
    columns = {str(one): found.data[:, at] for at, one in enumerate(found.feature_names)}
    columns[target] = truth

    def fetch(one: str) -> Column:
        return column(columns[one], one)

    return Table(source, name, list(columns), fetch)
