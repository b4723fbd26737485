"""What is being done, for whoever waits for it."""

import os

PATIENCE = 2.0
"""Seconds of silence after which somebody who waits is told what is being done."""

_step = ""


def patience() -> float:
    """HELIAST_PATIENCE, or two seconds."""
    try:
        return max(0.01, float(os.environ.get("HELIAST_PATIENCE", PATIENCE)))
    except ValueError:
        return PATIENCE


def doing(step: str) -> None:
    """From now on this is being done, as in `reading a.csv`; nothing is said of an empty step."""
    global _step
    _step = step


def step() -> str:
    """What is being done."""
    return _step
