"""The record of bias and variance, and how it reads."""

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar

import numpy as np

from heliast._core.errors import InputError
from heliast._core.frames import Listing, to_frame
from heliast._core.kinds import Array
from heliast._core.numbers import figures, shorten
from heliast._core.plotted import Plotted
from heliast._core.records import named
from heliast.estimates import Estimate

WIDTH = 80


@dataclass(frozen=True, eq=False)
class RowParts:
    """The parts of one model's loss row by row; `parts["bias"][i]` is that of row `row[i]`.

    Parameters
    ----------
    row : array
        Names of the rows.
    count : array
        How many predictions each row has.
    parts : mapping of str to array
        Values of each part, one a row.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.theory import bias_variance
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> bias_variance(table).rows["model"].count.tolist()
    [4]
    """

    row: Array
    count: Array
    parts: Mapping[str, Array]

    def __getitem__(self, part: str) -> Array:
        return self.parts[part]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Return one line for each row of the data.

        Parameters
        ----------
        backend : str
            `pyarrow`, `pandas` or `polars`: what kind of table.

        Returns
        -------
        table
            A table of that kind.
        """
        columns = {"row": self.row, "predictions": self.count, **self.parts}
        lines = zip(*(np.asarray(values).tolist() for values in columns.values()), strict=True)
        return to_frame([dict(zip(columns, line, strict=True)) for line in lines], backend)


@dataclass(frozen=True, eq=False)
class Decomposition(Listing[Estimate], Plotted):
    """Every part of every model's loss with its interval; `[model, part]` is an Estimate.

    Parameters
    ----------
    estimates : tuple of Estimate
        Every part of every model, the expected loss as `loss`.
    models : tuple of str
        Names of the models.
    loss : str
        Name of the loss.
    definition : str
        Name of the definition.
    adding : tuple of str
        Parts that add up to the expected loss.
    noise_known : bool
        Whether noise is separated from bias.
    deviation : float
        The most by which the parts fail to add up at any row, never above 1e-12 of the loss.
    level : float, default 0.95
        Confidence level of the intervals.
    n : int, default 0
        Number of rows.
    splits : int, default 0
        Number of splits.
    rows : mapping of str to RowParts
        Parts row by row, for each model.
    notes : tuple of str
        Remarks.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.theory import bias_variance
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> print(bias_variance(table, posteriors=[[0.7, 0.3]]).identity())
    noise 0.300 + systematic effect 0.400 + variance effect -0.100 adds up to 0.600
    """

    _listed: ClassVar[str] = "estimates"
    class_: ClassVar[None] = None

    estimates: tuple[Estimate, ...]
    models: tuple[str, ...]
    loss: str
    definition: str
    adding: tuple[str, ...]
    noise_known: bool
    deviation: float
    level: float = 0.95
    n: int = 0
    splits: int = 0
    rows: Mapping[str, RowParts] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: str | tuple[str, str]) -> Estimate:
        model, part = key if isinstance(key, tuple) else (self._single_model(), key)
        for estimate in self.estimates:
            if (estimate.model, estimate.measure) == (model, part):
                return estimate
        if model not in self.models:
            raise KeyError(f"no model named {model!r}; choose one of {', '.join(self.models)}")
        raise KeyError(f"no part {part!r}; choose one of {', '.join(self.parts)}")

    def _single_model(self) -> str:
        if len(self.models) > 1:
            raise InputError(
                f"several models ({', '.join(self.models[:4])}): ask for [model, part]"
            )
        return self.models[0]

    @property
    def model(self) -> str:
        """The names of the models, joined."""
        return ", ".join(self.models)

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts, the expected loss first."""
        return tuple(dict.fromkeys(estimate.measure for estimate in self.estimates))

    @property
    def title(self) -> str:
        """The loss and the definition."""
        return f"{self.loss.replace('_', '-')} loss, {self.definition}"

    def identity(self, model: str | None = None) -> str:
        """Return the sum of the parts as a sentence.

        Parameters
        ----------
        model : str, optional
            Which model; None is the only one.

        Returns
        -------
        str
            A sentence with figures.
        """
        name = self._single_model() if model is None else model
        parts = [part for part in (self[name, part] for part in self.adding) if part.defined]
        terms = " + ".join(f"{part.measure.replace('_', ' ')} {part.value:.3f}" for part in parts)
        return f"{terms} adds up to {sum(part.value for part in parts):.3f}"

    @property
    def sentence(self) -> str:
        """What the parts add up to, for each model."""
        return "; ".join(f"{model}: {self.identity(model)}" for model in self.models)

    def to_dict(self) -> dict[str, object]:
        """Return everything but the single rows, as plain values that JSON can hold.

        Returns
        -------
        dict
            Plain values.
        """
        names = "sentence loss definition adding noise_known deviation level n splits models"
        return named(self, f"{names} estimates notes")

    def __str__(self) -> str:
        lines = [["model", "part", "value"]]
        for estimate in self.estimates:
            part = "expected loss" if estimate.measure == "loss" else estimate.measure
            name = shorten(estimate.model, 30) if estimate.measure == "loss" else ""
            value = figures(estimate, _three_digits).inside
            lines.append([name, part.replace("_", " "), value])
        widths = [max(len(line[column]) for line in lines) for column in range(2)]
        table = [f"{a:{widths[0]}}  {b:{widths[1]}}  {value}" for a, b, value in lines]
        head = f"Bias and variance: {self.title}; {self.n:,} rows, {self.splits} splits"
        sums = [f"{shorten(model, 30)}: {self.identity(model)}" for model in self.models]
        notes = [f"{number}. {note}" for number, note in enumerate(self.notes, 1)]
        blocks = [[head], table, sums, ["Notes", *notes] if notes else []]
        return "\n\n".join(
            "\n".join(line if block is table else _wrap(line) for line in block)
            for block in blocks
            if block
        )

    def __repr__(self) -> str:
        return f"<Decomposition of {self.title}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return f"{self.svg()}<pre>{escape(str(self))}</pre>"


def _three_digits(value: float, more: int = 0) -> str:
    return "-" if math.isnan(value) else f"{value:.{3 + more}f}"


def _wrap(line: str) -> str:
    return textwrap.fill(line, WIDTH, subsequent_indent="   ", break_on_hyphens=False)
