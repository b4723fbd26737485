"""Bundled tables to try things on: `path("tumours.csv")` holds predictions, `answers.csv` graded
answers of three models, three attempts at each of 120 items, which are simulated.
"""

from pathlib import Path


def path(name: str = "tumours.csv") -> Path:
    """Where a bundled file lies."""
    return Path(__file__).parent / name
