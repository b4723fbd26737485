"""What a report is made from: the table, what was found in it, and what the user asked for."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heliast import measures
from heliast._core.labels import Label
from heliast.curves import Regions
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.views.report.tables import shown
from heliast.views.sentences import Announced, announced, chosen_apart

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment
    from heliast.verbs.comparison import Comparison

Part = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Material:
    """The test rows (`table`) and the whole of the predictions, assessed and compared.

    `compared` is None when there is nothing to compare, and `alone` says why.
    """

    table: Predictions
    every: Predictions
    found: "Assessment"
    compared: "Comparison | None" = None
    alone: str = ""
    measure: str = "error"
    cost: object = None
    prevalences: Mapping[Label, float] | None = None
    title: str = ""
    command: str = ""
    seed: int = 0
    regions: Sequence[Regions] = ()
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def level(self) -> float:
        return self.found.level

    @cached_property
    def better(self) -> str:
        return measures.titled(self.measure).better

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The models, best first, as compared; those left out or without a value last."""
        sign = 1.0 if self.better == "low" else -1.0
        judged = () if self.compared is None else self.compared.order

        def place(model: str) -> tuple[bool, float]:
            value = self.headline(model).value
            return math.isnan(value), sign * value

        others = [model for model in self.found.models if model not in judged]
        return (*judged, *sorted(others, key=place))

    @property
    def best(self) -> str:
        """The model that validation rows chose, where there are some; else the first in order."""
        chosen = self.found.selected
        return chosen.model if chosen is not None and chosen_apart(chosen) else self.order[0]

    @cached_property
    def model_names(self) -> dict[str, str]:
        """Models as shown."""
        return dict(zip(self.found.models, shown(self.found.models), strict=True))

    @cached_property
    def class_names(self) -> dict[Label, str]:
        """Classes as shown."""
        return dict(zip(self.found.classes, shown(self.found.classes), strict=True))

    @cached_property
    def _estimates(self) -> dict[tuple[str, str, object], Estimate]:
        return {(one.model, one.measure, one.class_): one for one in self.found.estimates}

    def estimate(self, model: str, measure: str, class_: object = None) -> Estimate | None:
        return self._estimates.get((model, measure, class_))

    def headline(self, model: str) -> Estimate:
        """The estimate that models are ranked by."""
        one = self.estimate(model, self.measure)
        return one if one is not None else Estimate(math.nan, reason="not assessed")

    @cached_property
    def tested(self) -> float:
        """How many rows the best model was tested on; some measures count but a part of them."""
        one = self.estimate(self.best, measures.headline(self.overall)) if self.overall else None
        if one is None or math.isnan(one.n):
            return len(self.table) / max(len(self.found.models), 1)
        return one.n

    @cached_property
    def announced(self) -> Announced:
        """The best model's headline as it may be announced."""
        every = [self.headline(model) for model in self.found.models]
        named = [one for one in every if one.model]
        if self.best not in {one.model for one in named}:
            return Announced(self.headline(self.best))
        return announced(named, self.best, self.found.selected)

    @cached_property
    def overall(self) -> tuple[str, ...]:
        """The measures that have a value over all classes."""
        return tuple(
            dict.fromkeys(one.measure for one in self.found.estimates if one.class_ is None)
        )

    @property
    def scored(self) -> tuple[str, ...]:
        """The models with scores, best first."""
        return tuple(m for m in self.order if self.table.score_kind_of(m) is not None)

    @cached_property
    def splits(self) -> int:
        """How many splits the assessed rows come from."""
        return len(self.table.splits)


@dataclass(frozen=True)
class Section:
    """A part of the report. `build` gives its dict, or None where it does not apply.

    The dict may hold `lead` (a sentence), `figures`, `tables`, `notes` (see `tables`), and
    whatever the section's own `template` reads.
    """

    key: str
    title: str
    build: Callable[[Material], Part | None]
    template: str = "section.html"
    short: str = ""
