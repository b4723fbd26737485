"""Estimate: one number, how sure we are of it, and how we know."""

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from heliast._core.records import Shown, as_dict

if TYPE_CHECKING:
    from heliast.estimates._coverage import Coverage
    from heliast.estimates._needed import Needed

Target = Literal["model", "procedure"]


@dataclass(frozen=True)
class Estimate(Shown):
    """A value with its interval, the method that made it and the target it speaks of.

    `target` is `model` (this fitted model on new rows) or `procedure` (this recipe trained on
    `n_train` rows). `reason` says why the value or its interval is undefined; `notes` are caveats.
    `design` is the kind of design in the words of the map of coverage, `rarest` the rows of the
    rarest class; both are known of estimates that `assess` made.

    >>> from heliast.estimates import wilson
    >>> wilson(8, 30)
    Estimate(0.2667 [0.1418, 0.4445], Wilson)
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    se: float = math.nan
    level: float = 0.95
    method: str = ""
    target: Target = "model"
    n: float = math.nan
    n_train: float | None = None
    n_effective: float = math.nan
    reason: str = ""
    model: str = ""
    measure: str = ""
    class_: object = None
    notes: tuple[str, ...] = ()
    design: str = field(default="", compare=False)
    rarest: float = field(default=math.nan, compare=False)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; what is undefined is None."""
        return as_dict(self)

    @property
    def defined(self) -> bool:
        """Whether there is a value at all."""
        return not math.isnan(self.value)

    @property
    def coverage(self) -> "Coverage | None":
        """How often default intervals like this one covered in the map of coverage.

        The nearest cells of the same measure and design; None where nothing was measured: another
        method by name, another level than 0.95, a design that the map does not have.
        """
        from heliast.estimates._coverage import of_estimate

        return of_estimate(self)

    def cases_for(
        self,
        *,
        width: float | None = None,
        bar: float | None = None,
        value: float | None = None,
        power: float = 0.8,
    ) -> "Needed":
        """How many cases make the interval this narrow, or leave out the bar: `cases_needed`."""
        from heliast.estimates._needed import cases_needed

        return cases_needed(self, width=width, bar=bar, value=value, power=power)

    def __repr__(self) -> str:
        name = " ".join(str(part) for part in (self.model, self.measure, self.class_) if part)
        head = f"{name}: " if name else ""
        if not self.defined:
            return f"Estimate({head}undefined, {self.reason})"
        if math.isnan(self.low) and math.isnan(self.high):
            return f"Estimate({head}{self.value:.4g}, no interval: {self.reason})"
        return f"Estimate({head}{self.value:.4g} [{self.low:.4g}, {self.high:.4g}], {self.method})"
