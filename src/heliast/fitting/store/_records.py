"""Cells: what one model said on one split, and how it went."""

from dataclasses import dataclass, field
from typing import Any

import numpy.typing as npt

Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Output:
    """What one fit says of some rows: label codes (or numbers) and scores, if it has any."""

    suffix: str
    label: Array
    scores: Array | None = None
    kind: str | None = None


@dataclass(eq=False)
class Cell:
    """A finished cell: its rows, how often each was seen in training, outputs, times, failure."""

    split: int
    row: Array
    seen: Array
    outputs: list[Output] = field(default_factory=list)
    status: str = "ok"
    fit_seconds: float = 0.0
    predict_seconds: float = 0.0
    size: int | None = None
    failure: str = ""
    warnings: tuple[str, ...] = ()

    def about(self, model: str, split: int | str) -> dict[str, object]:
        """The record for the `cells` side table."""
        return {
            "model": model,
            "split": split,
            "status": self.status,
            "fit_seconds": self.fit_seconds,
            "predict_seconds": self.predict_seconds,
            "size": self.size,
            "failure": self.failure,
            "warnings": list(self.warnings),
        }
