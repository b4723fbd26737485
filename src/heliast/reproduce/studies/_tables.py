"""Printed tables of errors against B, and how ours are set beside them."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from heliast.reproduce._study import Value
from heliast.reproduce.studies._votes import B, Errors

SLACK = 2.5
"""Points by which implementations of trees may differ: S-Plus chose splits in ways not stated."""

WORDS = f"""An entry is within tolerance if it is no further from ours than 3 joint standard errors
(the printed average and that of our repetitions), or {SLACK} points."""
RELATIVE = f"""The same entries divided by the error of 1NN: within 3 joint standard errors, or
{SLACK} points of the error of 1NN."""


def parsed(text: str) -> dict[str, list[float]]:
    """A printed table: a line a classifier, its name and one number for each B."""
    table = {}
    for line in text.strip().splitlines():
        cells = line.split()
        width = len(cells) - sum(_is_number(cell) for cell in cells)
        table[" ".join(cells[:width])] = [float(cell) for cell in cells[width:]]
    return table


def _is_number(cell: str) -> bool:
    return cell.replace(".", "", 1).isdigit()


def beside(
    group: str, printed: dict[str, list[float]], found: Errors, printed_se: float
) -> Iterator[Value]:
    """Each printed error beside the mean of ours."""
    for row, numbers in printed.items():
        for b, number in zip(_columns(numbers), numbers, strict=True):
            ours = found[row, b]
            se = _se(ours)
            joint = 3 * math.hypot(printed_se, 0.0 if math.isnan(se) else se)
            yield Value(
                group, row, f"B={b}", number, float(ours.mean()), max(joint, SLACK), se, printed_se
            )


def relative(
    group: str, printed: dict[str, list[float]], found: Errors, printed_se: float
) -> Iterator[Value]:
    """Each printed ratio to the error of 1NN beside the ratio of our means."""
    nearest = float(found["1NN", B[0]].mean())
    for row, numbers in printed.items():
        for b, number in zip(_columns(numbers), numbers, strict=True):
            each = found[row, b] / nearest
            se = _se(each)
            joint = 3 * math.hypot(printed_se, 0.0 if math.isnan(se) else se)
            slack = max(joint, SLACK / nearest)
            yield Value(group, row, f"B={b}", number, float(each.mean()), slack, se, printed_se)


def _columns(numbers: Sequence[float]) -> tuple[int, ...]:
    return B if len(numbers) == len(B) else (B[-1],)


def _se(ours: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> float:
    return float(ours.std(ddof=1) / math.sqrt(len(ours))) if len(ours) > 1 else math.nan
