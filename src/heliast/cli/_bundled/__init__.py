"""Bundled predictions to try things on: `path("tumours.csv")`."""

from pathlib import Path


def path(name: str = "tumours.csv") -> Path:
    """Where a bundled file lies."""
    return Path(__file__).parent / name
