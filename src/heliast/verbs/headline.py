"""The estimate that a summary states: of several models the best, adjusted for the selection."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from heliast import measures
from heliast._core.notes import VALIDATED, key_of
from heliast.estimates import Estimate
from heliast.views.numbers import (
    Measured,
    capital,
    interval,
    measure_name,
    plural,
    short_name,
    unit_of,
    value_text,
)


@dataclass(frozen=True)
class Headline:
    """What may be said of the best of several models.

    Parameters
    ----------
    estimate : Estimate
        The adjusted one, or that of the best model where no adjustment is known.
    among : int
        How many models it was selected among.
    adjusted : bool
        Whether it is adjusted for the selection.
    validated : bool
        Whether validation rows selected it, so that there is nothing to adjust.
    """

    estimate: Estimate
    among: int = 1
    adjusted: bool = False
    validated: bool = False

    @property
    def words(self) -> str:
        """How it was selected, in words; empty where there was no choice."""
        if self.among < 2:
            return ""
        models = plural(self.among, "model")
        if self.validated:
            return f"selected among {models} on validation rows"
        how = "adjusted" if self.adjusted else "not adjusted"
        return f"{how} for selecting the best of {models}"

    def sentence(self, label: str = "", in_train: str = "none", name: str = "") -> str:
        """The estimate with its confidence interval, and the selection.

        >>> one = Estimate(0.031, 0.027, 0.036, n=20000, model="coded", measure="error")
        >>> Headline(one).sentence("Best")
        'Best: coded, error rate 3.1% (95% CI 2.7% to 3.6%, n = 20,000).'
        """
        entry = self.estimate
        name, title = name or short_name(entry.model), measure_name(entry.measure)
        head = f"{label}: {name}, {title}" if label else f"{name}: {title}"
        if not entry.defined:
            return f"{capital(title)} of {name} is undefined: {entry.reason}."
        facts = [interval(Measured.of(entry), entry.level)]
        if not math.isnan(entry.n):
            counted = "" if unit_of(entry.measure) == "rows" else f" {unit_of(entry.measure)}"
            facts.append(f"n = {entry.n:,.0f}{counted}")
        if entry.target == "algorithm" and entry.n_train is not None:
            facts.append(f"trained on {entry.n_train:,.0f} rows")
        if in_train != "none":
            facts.append("in-sample" if in_train == "all" else "partly in-sample")
        known = ", ".join(fact for fact in facts if fact)
        words = f", {self.words}" if self.words else ""
        return f"{head} {value_text(entry.value, entry.measure)} ({known}){words}."


def best_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Estimates of one measure, the best first; those without a value last."""
    return sorted(estimates, key=lambda entry: (math.isnan(entry.value), _loss(entry)))


def _loss(entry: Estimate) -> float:
    return entry.value if measures.titled(entry.measure).better == "low" else -entry.value


def headline_of(
    overall: Sequence[Estimate], selected: Estimate | None, by: str = ""
) -> Headline | None:
    """The headline of the measure that models are ranked by; None where nothing was assessed."""
    known = [entry.measure for entry in overall]
    if not known:
        return None
    measure = by if by in known else measures.headline(known)
    measure = measure if selected is None else selected.measure
    ranked = best_first([entry for entry in overall if entry.measure == measure])
    return select_headline(ranked, ranked[0].model, selected)


def select_headline(
    estimates: Sequence[Estimate], best: str, selected: Estimate | None
) -> Headline:
    """What may be said of the best of several models.

    Parameters
    ----------
    estimates : sequence of Estimate
        One measure of every model.
    best : str
        The model that is best by it.
    selected : Estimate or None
        The estimate adjusted for the selection, as `Assessment.selected`.

    Returns
    -------
    Headline
        An adjustment in favor of the model is chance, as resamples are random: its own value is
        then stated.

    Examples
    --------
    >>> both = [Estimate(0.2, model="a", measure="error"), Estimate(0.3, model="b")]
    >>> select_headline(both, "a", Estimate(0.22, model="a", measure="error")).words
    'adjusted for selecting the best of 2 models'
    """
    by_model = {entry.model: entry for entry in estimates}
    own, complete = by_model[best], [entry for entry in estimates if not math.isnan(entry.low)]
    among = len(complete) if len(complete) > 1 else len(by_model)
    if selected is not None and is_validated(selected):
        return Headline(selected, among, validated=True)
    # Of models that share the best value any may be named.
    if (
        selected is None
        or selected.measure != own.measure
        or by_model[selected.model].value != own.value
    ):
        return Headline(own, among)
    worse = max if measures.titled(own.measure).better == "low" else min
    adjusted = replace(
        selected, model=best, value=worse(selected.value, own.value), reason=own.reason
    )
    if math.isnan(own.low):
        adjusted = replace(adjusted, low=math.nan, high=math.nan)
    return Headline(adjusted, among, adjusted=True)


def is_validated(selected: Estimate) -> bool:
    """Whether the model was selected on validation rows, and not on those that assess it."""
    return any(key_of(note) == VALIDATED for note in selected.notes)
