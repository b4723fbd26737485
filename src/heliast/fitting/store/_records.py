"""Cells: what one model said on one split, and how it went."""

from dataclasses import dataclass, field

from heliast._core.kinds import Array
from heliast._core.told import told


@dataclass(frozen=True, eq=False)
class Output:
    """What one fit says of some rows: label codes (or numbers) and scores, if it has any.

    Parameters
    ----------
    suffix : str
        What is added to the model's name; empty for a single output.
    label : array
        Class codes, or numbers, one a row.
    scores : array, optional
        One column a class, or None.
    kind : str, optional
        Kind of the scores: `probability`, `decision` or `votes`.

    Examples
    --------
    >>> import numpy as np
    >>> Output("B=20", np.array([0, 1])).kind is None
    True
    """

    suffix: str
    label: Array
    scores: Array | None = None
    kind: str | None = None


@dataclass(eq=False)
class Cell:
    """A finished cell: its rows, how often each was seen in training, outputs, times, failure.

    Parameters
    ----------
    split : int
        Number of the split.
    row : array
        Positions of the predicted rows.
    seen : array
        How often each was in the training sample.
    outputs : list of Output
        What the fit said, one or more.
    status : str, default 'ok'
        `ok`, or why there is nothing.
    fit_seconds : float, default 0.0
        Seconds to fit.
    predict_seconds : float, default 0.0
        Seconds to predict.
    size : int, optional
        Bytes of the model, if known.
    failure : str, default ''
        The traceback of a failure, or empty.
    warnings : tuple of str
        Warnings of the fit.

    Examples
    --------
    >>> import numpy as np
    >>> Cell(0, np.array([3, 4]), np.zeros(2, int)).status
    'ok'
    """

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

    @told(
        {"model": "str: Name of the model.", "split": "int or str: Name of the split."},
        returns="dict: Plain values.",
    )
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
