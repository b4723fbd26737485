"""Assessment: what `assess` found, as a record with its views."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from heliast._core.errors import InputError
from heliast._core.frames import to_frame
from heliast._core.labels import Label
from heliast._core.records import plain
from heliast.estimates import Estimate
from heliast.measures.summaries import Contingency
from heliast.views.html import assessment_html
from heliast.views.sentences import opening
from heliast.views.terminal import assessment_text


@dataclass(frozen=True, eq=False)
class Assessment:
    """Every measure of every model, with its interval; `assessment[model, measure]` finds one.

    `left_out` says which measures could not be computed and why; `notes` tells what was inferred
    and what to be careful about; `tables` holds each model's contingency table; `selected` is the
    best of several models with its value corrected for having been chosen.

    >>> import heliast as hl
    >>> found = hl.assess(hl.Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    >>> found["model", "recall", "a"].value
    0.5
    """

    estimates: tuple[Estimate, ...]
    models: tuple[str, ...]
    classes: tuple[Label, ...] = ()
    task: str = "classes"
    positive: Label | None = None
    level: float = 0.95
    n: int = 0
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    tables: Mapping[str, Contingency] = field(default_factory=dict)
    selected: Estimate | None = None

    def __getitem__(self, key: tuple[Any, ...]) -> Estimate:
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise InputError("ask for [model, measure] or [model, measure, class]")
        model, measure, *rest = key
        class_ = rest[0] if rest else None
        for one in self.estimates:
            if (one.model, one.measure, one.class_) == (model, measure, class_):
                return one
        raise KeyError(self._missing(model, measure, class_))

    def _missing(self, model: object, measure: object, class_: object) -> str:
        if model not in self.models:
            return f"no model named {model!r}; there are: {', '.join(self.models)}"
        if measure in self.left_out:
            return f"{measure} was left out: {self.left_out[str(measure)]}"
        if class_ is not None and class_ not in self.classes:
            return f"no class {class_!r}; the classes are {', '.join(map(repr, self.classes))}"
        return f"{measure!r} was not assessed; ask for it with measures=[...]"

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures assessed."""
        return tuple(dict.fromkeys(one.measure for one in self.estimates))

    @property
    def sentence(self) -> str:
        """The answer in one or two sentences."""
        return opening(self.estimates, self.models)

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold."""
        return {
            "sentence": self.sentence,
            "task": self.task,
            "level": self.level,
            "n": self.n,
            "models": list(self.models),
            "classes": plain(list(self.classes)),
            "positive": plain(self.positive),
            "estimates": [one.to_dict() for one in self.estimates],
            "tables": {model: plain(table.counts) for model, table in self.tables.items()},
            "selected": None if self.selected is None else self.selected.to_dict(),
            "left_out": dict(self.left_out),
            "notes": list(self.notes),
        }

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One row an estimate, as a pyarrow table (or `pandas`, `polars`)."""
        return to_frame([one.to_dict() for one in self.estimates], backend)

    def __str__(self) -> str:
        return assessment_text(self)

    def __repr__(self) -> str:
        return f"<Assessment: {self.sentence}>"

    def _repr_html_(self) -> str:
        return assessment_html(self)
