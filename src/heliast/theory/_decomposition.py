"""Decomposition: the expected loss of models told apart into noise, bias and variance."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from heliast._core.drawn import Drawn
from heliast._core.errors import InputError
from heliast._core.frames import Listing, to_frame
from heliast._core.kinds import Array
from heliast._core.records import named
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.theory._views import html_table, text_table

LOSS = "loss"


@told(
    {
        "row": "array: Names of the rows.",
        "count": "array: How many predictions each row has.",
        "parts": "mapping of str to array: Values of each part, one a row.",
    }
)
@dataclass(frozen=True, eq=False)
class RowParts:
    """The parts at each row of one model; `found["bias"][i]` is that of the row named `row[i]`.

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
        if part not in self.parts:
            raise KeyError(f"no part {part!r}; there are: {', '.join(self.parts)}")
        return self.parts[part]

    @told(Listing.to_frame, returns="table: Of the kind asked for.")
    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One line a row of the data, as a pyarrow table (or `pandas`, `polars`)."""
        columns = {"row": self.row, "predictions": self.count, **self.parts}
        lists = {name: np.asarray(values).tolist() for name, values in columns.items()}
        records = [
            dict(zip(lists, line, strict=True)) for line in zip(*lists.values(), strict=True)
        ]
        return to_frame(records, backend)


@told(
    {
        "estimates": "tuple of Estimate: Every part of every model.",
        "models": "tuple of str: Names of the models.",
        "loss": "str: Name of the loss.",
        "definition": "str: Name of the definition.",
        "adding": "tuple of str: Parts that add up to the expected loss.",
        "noise_known": "bool: Whether noise was told from bias.",
        "deviation": "float: The most by which the parts fail to add up at any row, never above "
        "1e-12 of the loss.",
        "level": "float, default 0.95: Confidence level of the intervals.",
        "n": "int, default 0: Number of rows.",
        "splits": "int, default 0: Number of splits.",
        "rows": "mapping of str to RowParts: Parts row by row, for each model.",
        "notes": "tuple of str: What to know of the figures.",
    }
)
@dataclass(frozen=True, eq=False)
class Decomposition(Listing[Estimate], Drawn):
    """Every part of every model, with its interval; `found[model, part]` is an Estimate.

    `found[model, "loss"]` is the expected loss.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.theory import bias_variance
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> found = bias_variance(table, posteriors=[[0.7, 0.3]])
    >>> print(found.identity())
    noise 0.300 + systematic effect 0.400 + variance effect -0.100 adds up to 0.600
    """

    _listed: ClassVar[str] = "estimates"
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
        model, part = key if isinstance(key, tuple) else (self._only, key)
        for one in self.estimates:
            if (one.model, one.measure) == (model, part):
                return one
        if model not in self.models:
            raise KeyError(f"no model named {model!r}; there are: {', '.join(self.models)}")
        raise KeyError(f"no part {part!r}; there are: {', '.join(self.parts)}")

    @property
    def _only(self) -> str:
        if len(self.models) > 1:
            raise InputError(
                f"several models ({', '.join(self.models[:4])}): ask for [model, part]"
            )
        return self.models[0]

    @property
    def model(self) -> str:
        """The model, or the models, in words."""
        return ", ".join(self.models)

    @property
    def class_(self) -> None:
        """None: a decomposition speaks of all classes."""

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts, the expected loss first."""
        return tuple(dict.fromkeys(one.measure for one in self.estimates))

    @property
    def title(self) -> str:
        """What was decomposed, and by whose definition."""
        return f"{self.loss.replace('_', '-')} loss, {self.definition}"

    @told(
        {"model": "str, optional: Which model; None is the only one."},
        returns="str: A sentence with figures.",
    )
    def identity(self, model: str | None = None) -> str:
        """The sum of the parts in words and figures: what it adds up to."""
        name = self._only if model is None else model
        shown = [self[name, part] for part in self.adding]
        terms = " + ".join(
            f"{one.measure.replace('_', ' ')} {one.value:.3f}" for one in shown if one.defined
        )
        total = sum(one.value for one in shown if one.defined)
        return f"{terms} adds up to {total:.3f}"

    @property
    def sentence(self) -> str:
        """The answer in a sentence a model."""
        return "; ".join(f"{model}: {self.identity(model)}" for model in self.models)

    @told({}, returns="dict: Plain values.")
    def to_dict(self) -> dict[str, object]:
        """Everything but the single rows, as plain values that JSON can hold."""
        return named(
            self,
            "sentence loss definition adding noise_known deviation level n splits models estimates "
            "notes",
        )

    def __str__(self) -> str:
        return text_table(self)

    def __repr__(self) -> str:
        return f"<Decomposition of {self.title}: {self.sentence}>"

    def _repr_html_(self) -> str:
        return self.svg() + html_table(self)
