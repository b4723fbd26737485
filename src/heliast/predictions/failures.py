"""failures: which models failed where, and why, in a line each."""

from collections.abc import Iterable, Mapping

from heliast._core.numbers import shorten

LONGEST = 300
"""Letters of a reason at most: models say what they like."""


def failures(cells: Iterable[Mapping[str, object]]) -> dict[str, str]:
    """Of each model that failed somewhere: how often, where first, and the last line of why.

    Parameters
    ----------
    cells : iterable of mapping
        The `cells` of a table.

    Returns
    -------
    dict
        Words by model; empty if all went well.

    Examples
    --------
    >>> cell = {"model": "svm", "split": 0, "status": "failed", "failure": "...\\nValueError: NaN"}
    >>> failures([cell, {"model": "svm", "split": 1, "status": "ok", "failure": ""}])
    {'svm': 'failed in 1 of 2 splits, first in split 0: ValueError: NaN'}
    """
    tried: dict[str, list[Mapping[str, object]]] = {}
    for cell in cells:
        tried.setdefault(str(cell["model"]), []).append(cell)
    said = {}
    for model, mine in tried.items():
        broken = [cell for cell in mine if cell.get("status", "ok") != "ok"]
        if broken:
            told = str(broken[0].get("failure", "")).strip().splitlines()
            why = told[-1] if told else "no reason is on record"
            many = f"{len(broken)} of {len(mine)} split{'s' if len(mine) > 1 else ''}"
            said[model] = (
                f"failed in {many}, first in split {broken[0]['split']}: {shorten(why, LONGEST)}"
            )
    return said
