"""The answer in one or two sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from heliast import measures
from heliast._core.notes import FAILED, VALIDATED, key_of
from heliast._core.numbers import count, figures, number, shorten
from heliast._core.numbers import limits as heading
from heliast.estimates import Estimate
from heliast.views.numbers import unit_of, writes

if TYPE_CHECKING:
    from heliast.verbs.assess import Assessment
    from heliast.verbs.baseline import Baseline

_WORDS = {"error": "error rate", "mae": "mean absolute error", "grade": "mean grade"}
_ROWS = {
    "none": "new rows",
    "some": "rows, some of which it was trained on",
    "all": "the rows it was trained on",
}


def assessment_sentence(found: "Assessment") -> str:
    """What a reader should take away first of an assessment."""
    return opening(found.estimates, found.models, found.selected, found.in_train, found.by)


def opening(
    estimates: Sequence[Estimate],
    models: Sequence[str],
    selected: Estimate | None = None,
    seen: str = "none",
    by: str = "",
) -> str:
    """What a reader should take away first; of several models the best, as it may be announced.

    Parameters
    ----------
    estimates : sequence of Estimate
        Those of every model and measure.
    models : sequence of str
        The models.
    selected : Estimate, optional
        The best model's value, corrected for having been chosen, or chosen on validation rows.
    seen : {'none', 'some', 'all'}
        How many of the rows the models were trained on.
    by : str
        The title of what models are ranked by; else a usual measure.

    Returns
    -------
    str
        One or two sentences.

    Examples
    --------
    >>> one = Estimate(0.031, 0.027, 0.036, method="Wilson", n=20000, model="coded",
    ...                measure="error")
    >>> opening([one], ["coded"])
    'coded errs on 3.1% of new rows (95% interval 2.7% to 3.6%, from 20,000 rows).'
    """
    spoken = _headline(estimates, selected, by)
    if not spoken:
        return "Nothing could be assessed."
    if len(models) == 1:
        return _capital(" ".join(claims(spoken[0], together=True, seen=seen)), spoken[0])
    ranked = best_first(spoken)
    listed = "; ".join(_brief(one) for one in ranked[:5])
    more = f"; and {len(ranked) - 5} more" if len(ranked) > 5 else ""
    told = "The verb compare tests whether they really differ."
    if not ranked[0].defined:
        return f"{_name(ranked[0]).capitalize()}: {listed}{more}. {told}"
    best = announced(spoken, ranked[0].model, selected)
    (said,) = claims(best.estimate, best.words, together=True, seen=seen)
    said = _capital(said, best.estimate)
    rows = (
        "On test rows that had no part in the choice" if best.apart else "On these rows, best first"
    )
    return f"{said} {rows}: {listed}{more}. {told}"


def _capital(said: str, one: Estimate) -> str:
    """A sentence that begins with our own words has a capital; the name of a model stays."""
    return said[:1].upper() + said[1:] if one.target == "algorithm" else said


def best_first(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Estimates of one measure, the best first; those without a value last.

    Parameters
    ----------
    estimates : sequence of Estimate
        One measure of several models.

    Returns
    -------
    list of Estimate
        The same in order.
    """
    return sorted(estimates, key=lambda one: (math.isnan(one.value), _badness(one)))


@dataclass(frozen=True)
class Announced:
    """What may be said of the best of several models, and whether it is corrected.

    Parameters
    ----------
    estimate : Estimate
        The corrected one, or that of the best model where none is to be had.
    among : int
        How many models it was chosen among.
    corrected : bool
        Whether its having been chosen is taken into account.
    apart : bool
        Whether it was chosen on validation rows, so that there is nothing to correct.
    """

    estimate: Estimate
    among: int = 1
    corrected: bool = False
    apart: bool = False

    @property
    def words(self) -> str:
        """Whether it is corrected, in words; empty where there was no choice."""
        if self.among < 2:
            return ""
        if self.apart:
            return f"chosen among {self.among} on validation rows"
        word = "corrected" if self.corrected else "not corrected"
        return f"{word} for having been chosen among {self.among}"


def announced(estimates: Sequence[Estimate], best: str, selected: Estimate | None) -> Announced:
    """What may be said of the best of several models, chosen by the rows that it is judged by.

    Parameters
    ----------
    estimates : sequence of Estimate
        One measure of every model.
    best : str
        The model that is best by it.
    selected : Estimate or None
        What the choice is worth, as `Assessment.selected`.

    Returns
    -------
    Announced
        The estimate to announce. A correction in favour of the model is chance, as resamples are
        drawn: its own value is then announced.

    Examples
    --------
    >>> seen = [Estimate(0.2, model="a", measure="error"), Estimate(0.3, model="b")]
    >>> announced(seen, "a", Estimate(0.22, model="a", measure="error")).words
    'corrected for having been chosen among 2'
    """
    by_model = {one.model: one for one in estimates}
    plain, whole = by_model[best], [one for one in estimates if not math.isnan(one.low)]
    among = len(whole) if len(whole) > 1 else len(by_model)
    if selected is not None and chosen_apart(selected):
        return Announced(selected, among, apart=True)
    # Of models that share the best value any may be named.
    if (
        selected is None
        or selected.measure != plain.measure
        or by_model[selected.model].value != plain.value
    ):
        return Announced(plain, among)
    worse = max if measures.titled(plain.measure).better == "low" else min
    value = worse(selected.value, plain.value)
    found = replace(selected, model=best, value=value, reason=plain.reason)
    if math.isnan(plain.low):  # no interval was asked for
        found = replace(found, low=math.nan, high=math.nan)
    return Announced(found, among, True)


def chosen_apart(selected: Estimate) -> bool:
    """Whether the model was chosen on validation rows, and not on those that it is judged by."""
    return any(key_of(note) == VALIDATED for note in selected.notes)


def claims(
    one: Estimate, choice: str = "", *, together: bool = False, seen: str = "none"
) -> list[str]:
    """What is claimed, and how sure that is: two sentences, or `together` one."""
    name, shown = shorten(one.model, 40), figures(one, writes(one.measure))
    if not one.defined:
        return [f"The {_name(one)} of {name} is undefined: {one.reason}."]
    unit = unit_of(one.measure)
    rows = f"from {count(one.n)} {unit}" if not math.isnan(one.n) else f"from the given {unit}"
    sure = f"{heading(one.level)} {shown.between}, {rows}"
    subject = name
    if one.target == "algorithm":
        trained = f" on {count(one.n_train)} rows" if one.n_train is not None else ""
        subject = f"the recipe {name}, trained{trained},"
    said = {
        "error": f"{subject} errs on {shown.value} of {_ROWS[seen]}",
        "accuracy": f"{subject} is right on {shown.value} of {_ROWS[seen]}",
        "mae": f"{subject} is off by {shown.value} on average",
    }.get(one.measure, f"The {_name(one)} of {subject} is {shown.value}")
    said += f", {choice}" if choice else ""
    if not shown.known:
        return [f"{said} ({rows}; {one.reason})." if one.reason else f"{said} ({rows})."]
    return [f"{said} ({sure})."] if together else [f"{said}.", f"{sure}."]


def selected_words(found: "Assessment") -> str:
    """The best of several models in one line: what it shows, and what may be announced of it."""
    best = found.selected
    if best is None:
        return ""
    if chosen_apart(best):
        why = next(note for note in best.notes if key_of(note) == VALIDATED)
        return f"selected: {shorten(best.model, 20)}, {why}: {best.measure} {figures(best).inside}"
    every = [one for one in found.estimates if (one.measure, one.class_) == (best.measure, None)]
    plain = next(one.value for one in every if one.model == best.model)
    worth = announced(every, best.model, best)
    return (
        f"selected: {shorten(best.model, 20)}, best of {worth.among} by {best.measure} "
        f"({number(plain)}), corrected {figures(worth.estimate).inside}"
    )


def _headline(estimates: Sequence[Estimate], selected: Estimate | None, by: str) -> list[Estimate]:
    """The measure that the sentence speaks of, of every model: that by which the best is chosen."""
    overall = [one for one in estimates if one.class_ is None]
    if not overall:
        return []
    known = [one.measure for one in overall]
    wanted = by if by in known else measures.headline(known)
    wanted = wanted if selected is None else selected.measure
    return [one for one in overall if one.measure == wanted]


def baseline_sentence(found: "Baseline") -> str:
    """What always giving one answer does on the same rows, and who beats it, or does not."""
    value = writes(found.measure)(found.value, 0)
    does = f"errs on {value} of these rows"
    if found.measure != "error":
        does = f"has {_title(found.measure)} {value} on these rows"
    said = f"Always answering {shorten(repr(found.answer), 40)} {does}"
    if found.pairs is None:
        stand = f"who beats that is not tested: {found.reason}" if found.reason else ""
    else:
        undecided = [model for model in found.unbeaten if model not in found.worse]
        parts = [
            _standing(found, found.worse, "shown to be worse than that", "all"),
            _standing(found, undecided, "not shown to beat that", "none"),
        ]
        stand = "; ".join(part for part in parts if part)
        if not stand:
            one = len(found.models) == 1
            stand = f"{shorten(found.models[0], 40)} is" if one else "all are"
            stand += " shown to beat that"
    return f"{said}; {stand}.{_cut(found)}" if stand else f"{said}.{_cut(found)}"


def _standing(found: "Baseline", models: Sequence[str], how: str, every: str) -> str:
    """Which models stand like that against always the same answer; empty if there are none."""
    names = [shorten(one, 40) for one in models]
    if len(names) < 2:
        return f"{names[0]} is {how}" if names else ""
    if len(names) == len(found.models):
        verb = f"of the {len(names):,} models is" if every == "none" else f"{len(names):,} are"
        return f"{every} {verb} {how.removeprefix('not ')}"
    more = f" and {len(names) - 5:,} more" if len(names) > 5 else ""
    return f"{how}: {', '.join(names[:5])}{more}"


def _cut(found: "Baseline") -> str:
    """At which threshold labels were decided, and which one the costs call for."""
    if found.positive is None:
        return ""
    answer, cut = shorten(repr(found.positive), 40), found.threshold
    best = None if found.cheapest is None else f"{found.cheapest:.3g}"
    said = ""
    if cut is not None:
        said = f" Rows are labelled {answer} where its probability is {cut:.3g} or more."
    if best is None or (cut is not None and best == f"{cut:.3g}"):
        return said
    return (
        f"{said} For these costs {best} is the best threshold of {answer}, if the probabilities "
        "can be trusted (are calibrated)."
    )


def baseline_words(found: "Assessment") -> str:
    """The same of an assessment; empty where there is no baseline."""
    return "" if found.baseline is None else found.baseline.sentence


def _badness(one: Estimate) -> float:
    return one.value if measures.titled(one.measure).better == "low" else -one.value


def _name(one: Estimate) -> str:
    return _WORDS.get(one.measure, _title(one.measure))


def _title(measure: str) -> str:
    return measure.replace("_", " ")


def _brief(one: Estimate) -> str:
    name, shown = shorten(one.model, 40), figures(one, writes(one.measure))
    if not one.defined:
        return f"{name} {FAILED if key_of(one.reason) == FAILED else 'undefined'}"
    return f"{name} {shown.value}" + (f" [{shown.between}]" if shown.known else "")
