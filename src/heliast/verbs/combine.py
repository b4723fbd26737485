"""combine: would an ensemble do better? Ensembles of a base estimator beside single models."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, Literal

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.records import named
from heliast.ensembles import Selection, select
from heliast.estimates import Estimate
from heliast.estimates.resampled import Parts, selected_of
from heliast.fitting.run import as_dataset, run
from heliast.fitting.store import Store
from heliast.measures import Measure
from heliast.predictions import Predictions, as_predictions, failures
from heliast.verbs.advice import (
    NEGLIGIBLE,
    Advice,
    Cost,
    costs_of,
    distance_to_perfect,
    expected_losses,
    recommend,
    standard_errors,
)
from heliast.verbs.assess import Assessment, assess_table
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.headline import Headline, select_headline
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models
from heliast.verbs.recipes import ENSEMBLES, ROUNDS, SELECTION, recipes_of
from heliast.verbs.voted import Voted, vote_of_predictions
from heliast.views.numbers import (
    Measured,
    capital,
    count,
    measure_name,
    plural,
    seconds,
    short_name,
    storage,
    unit_of_difference,
)
from heliast.views.record import Column, Record, Table

if TYPE_CHECKING:
    from heliast.views.plots import Plot

_MEMBERS = re.compile(r"^(?P<vote>.+)/B=(?P<members>[0-9]{1,9})$")


@dataclass(frozen=True, eq=False, repr=False)
class Combination(Record):
    """Ensembles at each number of members, other models, and which one is recommended.

    Parameters
    ----------
    base : str
        The name of the base estimator.
    votes : mapping
        Each ensemble to {members: Estimate}.
    singles : mapping
        Each other model to its Estimate.
    best : str
        The best ensemble with all its members.
    best_single : str
        The best other model.
    pairs : Comparison
        The best ensemble, its base and the best other model compared.
    assessment : Assessment
        Every ensemble at every number of members, and every other model.
    predictions : Predictions
        The table that everything is computed from.
    advice : Advice
        Which candidate is recommended and why, and what every candidate costs.
    losses : Comparison or None
        The best observed, and simpler candidates, minus the recommended one.
    selected : Estimate or None
        The estimate of the recommended one, adjusted for the selection.
    selection : Selection or None
        The weighted vote of all candidates, `selection` in the table.
    recipes : mapping
        Each candidate as what `fit` fits; empty where a table was read.

    Examples
    --------
    >>> truth, rows = list("aabb") * 20, range(80)
    >>> vote = Predictions.of(truth, truth, model="vote/B=5", row=rows)
    >>> base = Predictions.of(truth, list("abbb") * 20, model="base", row=rows)
    >>> combined = combine(vote.join(base))
    >>> combined.best, combined.against_base.value, combined.recommended
    ('vote', -0.25, 'vote/B=5')
    """

    base: str
    votes: Mapping[str, Mapping[int, Estimate]]
    singles: Mapping[str, Estimate]
    best: str
    best_single: str
    pairs: Comparison
    assessment: Assessment
    predictions: Predictions
    advice: Advice
    losses: Comparison | None = None
    selected: Estimate | None = None
    selection: Selection | None = None
    recipes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        """The measure that candidates are ranked by."""
        return self.pairs.measure

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of members that were assessed, rising."""
        return tuple(sorted({b for by in self.votes.values() for b in by}))

    @property
    def candidates(self) -> dict[str, Estimate]:
        """All candidates: ensembles with all members, other models, the selection."""
        lasts = map(self.last, self.votes)
        candidates = {entry.model: entry for entry in lasts} | dict(self.singles)
        if self.selection is not None:
            candidates[SELECTION] = self.assessment[SELECTION, self.measure]
        return candidates

    def last(self, vote: str) -> Estimate:
        """An ensemble with all its members.

        Parameters
        ----------
        vote : str
            One of `votes`.

        Returns
        -------
        Estimate
            Its value with interval.
        """
        return self.votes[vote][max(self.votes[vote])]

    @property
    def against_base(self) -> Difference:
        """The best ensemble minus its base."""
        return self.pairs[self.last(self.best).model, self.base]

    @property
    def against_best(self) -> Difference:
        """The best ensemble minus the best other model."""
        return self.pairs[self.last(self.best).model, self.best_single]

    @property
    def recommended(self) -> str:
        """The candidate recommended."""
        return self.advice.recommended

    @property
    def averaged(self) -> list[str]:
        """The single models whose mean and median are ensembles, too."""
        singles = [name for name in self.singles if name not in ENSEMBLES]
        return _averaged(singles, self.predictions)

    @property
    def lost(self) -> dict[str, Difference]:
        """The loss of taking another than the recommended one: its value minus that one's."""
        return {} if self.losses is None else {pair.a: pair for pair in self.losses.pairs}

    # --- words -----------------------------------------------------------------------------

    @property
    def headline(self) -> Headline:
        """The estimate of the recommended candidate, as it may be stated."""
        return select_headline([*self.candidates.values()], self.recommended, self.selected)

    @property
    def summary(self) -> str:
        """Which candidate is recommended, its estimate, and why."""
        advice, name = self.advice, self._name(self.recommended)
        stated = self.headline.sentence("Recommended", name=name)
        where = "on the validation rows" if self.headline.validated else "observed"
        if advice.leader == advice.recommended:
            best = "lowest" if self.pairs.better == "low" else "highest"
            why = f"the {best} expected {measure_name(self.measure)}"
            if self.headline.validated:
                why = "the best value on the validation rows"
            return f"{stated} It has {why} of {plural(len(self.candidates), 'candidate')}."
        expected = max(0.0, advice.expected[advice.recommended])
        return (
            f"{stated} {self._name(advice.leader)} is best {where}, but this one is "
            f"simpler and expected to lose {self._size(expected)}, within the margin of "
            f"{self._size(advice.margin)}."
        )

    def _size(self, value: float) -> str:
        figures = Measured(value, unit=unit_of_difference(self.measure)).figures.value.lstrip("+")
        return f"{figures} points" if unit_of_difference(self.measure) == "points" else figures

    def _name(self, model: str) -> str:
        """A candidate in prose."""
        for vote, by in self.votes.items():
            if by[max(by)].model == model:
                return f"{short_name(vote)} ({plural(max(by), 'member')})"
        if model != SELECTION or self.selection is None:
            return short_name(model)
        used = sum(weight > 0 for weight in self.selection.weights.values())
        return f"selection (weighted vote of {plural(used, 'candidate')})"

    @property
    def remarks(self) -> tuple[str, ...]:
        """The best ensemble against its base, simpler candidates, and the weights of the vote."""
        pair = self.against_base
        remarks = [] if pair.a == pair.b else [self.pairs.pair_summary(pair)]
        for name in dict.fromkeys((self.advice.leader, *self.advice.simpler)):
            if name in self.lost:
                cost = self._cost_ratio(name)
                words = self.losses.pair_summary(self.lost[name]) if self.losses else ""
                remarks.append(f"{words[:-1]}{f'; {cost}' if cost else ''}.")
        if self.recommended == SELECTION and self.selection is not None:
            ranked = sorted(self.selection.weights.items(), key=lambda item: -item[1])
            used = ", ".join(f"{name} {weight:.2f}" for name, weight in ranked if weight > 0)
            remarks.append(f"Weights of the selection: {used}.")
        return tuple(remarks)

    def _cost_ratio(self, name: str) -> str:
        """The cost of a candidate relative to the recommended one, by that which differs most."""
        titles = ("time to fit", "time to predict", "size")
        costs = self.advice.costs
        pairs = zip(titles, costs[name].felt, costs[self.recommended].felt, strict=True)
        ratios = {title: theirs / own for title, own, theirs in pairs if own > 0 and theirs > 0}
        if not ratios:
            return ""
        title = max(ratios, key=lambda key: max(ratios[key], 1 / ratios[key]))
        ratio = max(ratios[title], 1 / ratios[title])
        if ratio < 2:
            return ""
        times = count(round(ratio)) if ratio >= 10 else f"{ratio:.1f}"
        side = f"1/{times}" if ratios[title] > 1 else f"{times} times"
        return f"{short_name(name)} has {side} the {title}"

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the assessment."""
        return self.assessment.notes

    # --- tables ----------------------------------------------------------------------------

    def tables(self) -> tuple[Table, ...]:
        """The candidates with their costs, and ensembles by number of members.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        title, costs = measure_name(self.measure), self.advice.costs
        columns = (
            Column("candidate", kind="name"),
            Column(self.measure, title, "measured", True),
            Column("loss", "vs recommended", "measured"),
            Column("fit", "fit"), Column("predict", "predict"), Column("size", "size"),
        )  # fmt: skip
        rows = [
            (
                name, Measured.of(entry),
                Measured.difference(self.lost[name]) if name in self.lost else None,
                seconds(costs[name].fit), seconds(costs[name].predict), storage(costs[name].size),
            )
            for name, entry in self._ranked(self.candidates)
        ]  # fmt: skip
        note = "time to fit, to predict 1,000 rows, and size of the fitted model"
        candidates = Table("candidates", "Candidates", columns, rows, most_rows=40, note=note)
        return candidates, self._members_table()

    def _members_table(self) -> Table:
        lasts = {vote: self.last(vote) for vote in self.votes}
        columns = (
            Column("ensemble", kind="name"),
            Column("last", "all members", "measured", True),
            *(Column(f"B={b}", kind="measured") for b in reversed(self.members)),
        )
        rows = []
        for vote, last in self._ranked(lasts):
            stages = [self.votes[vote].get(b) for b in reversed(self.members)]
            cells = [None if entry is None else replace(Measured.of(entry), low=float("nan"))
                     for entry in stages]  # fmt: skip
            rows.append((vote, Measured.of(last), *cells))
        title = f"{capital(measure_name(self.measure))} by number of members B"
        return Table("members", title, columns, rows, most_rows=40)

    def _ranked(self, estimates: Mapping[str, Estimate]) -> list[tuple[str, Estimate]]:
        sign = 1.0 if self.pairs.better == "low" else -1.0
        return sorted(estimates.items(), key=lambda item: sign * item[1].value)

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """A forest plot of the candidates.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        from heliast.views import plots

        ranked = [replace(entry, model=name) for name, entry in self._ranked(self.candidates)]
        return {"forest": lambda **options: plots.forest(ranked, **options)}

    def to_dict(self) -> dict[str, object]:
        """Everything but the table and the estimators.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        names = "summary measure recommended base best best_single votes singles selected"
        return {
            **named(self, f"{names} against_base against_best lost"),
            **named(self.advice, "leader margin expected costs"),
            "selection": None if self.selection is None else self.selection.to_dict(),
            "notes": list(self.notes),
        }


def combine(
    data: object,
    estimator: Any = None,
    n_estimators: int = 200,
    plan: Any = None,
    *,
    measure: str | Measure | None = None,
    level: float = 0.95,
    margin: float | None = None,
    correction: str = "holm",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    seed: int = 0,
    engine: str = "local",
    jobs: int | None = None,
    store: str | os.PathLike[str] | Store | None = None,
    progress: bool = False,
    method: Literal["greedy", "stacked"] = "greedy",
) -> Combination | Voted:
    """Fit ensembles of a base estimator beside single models and recommend one of them.

    ECOC (every decoder), bagging (hard and soft) and AdaBoost of up to `n_estimators` members, each
    fitted once a split and assessed at several numbers of members, beside the base, the nearest
    neighbor, single models, a random forest and gradient boosting, on the splits of one resampling
    plan; and a weighted vote of all of these, assessed on rows that did not choose its weights. For
    regression the mean of a bag, the boosted median and mean, and the mean and median of the single
    models. The recommendation weighs expected error, selection and cost: docs/ensembles.md. `fit`
    takes what is returned and fits the recommended candidate on all rows.

    Of predictions nothing is fitted: the weights of a vote of their models are chosen, and the vote
    is assessed on rows that did not choose them, beside the best single model and the plain vote.

    Parameters
    ----------
    data : Dataset, pair (X, y), what `read` takes, or Predictions
        Rows with classes or numbers; or predictions of several models, one table or several.
    estimator : estimator, optional
        The base estimator. None is `Tree()` (for regression scikit-learn's tree): pruned alone,
        grown fully in ECOC and bagging, small in boosting.
    n_estimators : int
        Members of each ensemble, at most.
    plan : plan, splitter or int, optional
        The resampling plan: 10 folds if not given.
    measure : str or Measure, optional
        What candidates are ranked by: the error, the expected cost where costs are given, the mean
        absolute error for regression.
    level : float
        The confidence level of intervals and tests.
    margin : float, optional
        The equivalence margin.
    correction : {"holm", "none"}
        Whether p values are adjusted for the number of pairs.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    seed : int
        Random seed of splits and fits.
    engine, jobs, store, progress
        Those of `run`.
    method : {'greedy', 'stacked'}
        Of predictions: how the weights are chosen.

    Returns
    -------
    Combination or Voted
        Ensembles, single models and the recommendation; of predictions the weights, the vote and
        what simpler ones lose.

    Raises
    ------
    InputError
        If part of the ensembles gives no predictions.

    Examples
    --------
    >>> from heliast.learners import Tree
    >>> combined = combine("sklearn:iris", Tree(), n_estimators=3, plan=3)
    >>> combined.base, "coded/l1" in combined.votes, len(combined.members)
    ('base', True, 3)

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation, Machine Learning 107.
    """
    options = Options(
        measures=measure, level=level, margin=margin, correction=correction, cost=cost,
        prevalences=prevalences, seed=seed,
    )  # fmt: skip
    table = _as_table(data)
    if table is not None:
        has_family = "base" in table.models and any(map(_MEMBERS.match, table.models))
        if has_family:
            return combine_table(table, options)
        return vote_of_predictions(table, options, method)
    source = as_dataset(data)
    if n_estimators < 2:
        raise InputError(f"n_estimators must be 2 or more, got {n_estimators}")
    options.check_used([options.only_measure(source.task)])
    recipes = recipes_of(source.task, estimator, n_estimators)
    table = run(
        recipes.models, source, 10 if plan is None else plan, seed, engine=engine, jobs=jobs,
        store=store, progress=progress,
    )  # fmt: skip
    _check_family(table, recipes.family)
    if source.task == "regression":
        table = _with_averages(recipes.singles, table)
    combination = combine_table(table, options)
    return replace(combination, recipes=recipes.candidates(combination))


def _as_table(data: object) -> Predictions | None:
    """The prediction table, where predictions were given: one table, several in a list or dict."""
    if isinstance(data, Predictions):
        return data
    parts = [*data.values()] if isinstance(data, Mapping) else data
    if not isinstance(parts, (list, tuple)) or not parts:
        return None
    return as_predictions(data) if all(isinstance(part, Predictions) for part in parts) else None


def _check_family(table: Predictions, family: Iterable[str]) -> None:
    """Refuse to recommend anything if part of the ensembles is not in the table."""
    voting = {name.split("/")[0] for name in table.models if _MEMBERS.match(name)}
    silent = [name for name in family if name not in voting]
    if silent:
        broken = failures(cell for cell in table.cells if cell["model"] in silent)
        why = "; ".join(f"{name} {reason}" for name, reason in broken.items())
        why = why or "the estimator does not give the votes of its members"
        raise InputError(
            f"combine: no predictions of {' and '.join(silent)} ({why}), so nothing is "
            "recommended; try another base estimator"
        )


def _with_averages(singles: Iterable[str], table: Predictions) -> Predictions:
    """The table with the mean and the median of its single models."""
    from heliast.ensembles import majority

    names = _averaged(singles, table)
    kinds: tuple[Literal["mean", "median"], ...] = ("mean", "median")
    for kind in kinds if len(names) > 1 else ():
        table = majority(table, names, kind=kind, name=f"singles/{kind}/B={len(names)}")
    return table


def _averaged(singles: Iterable[str], table: Predictions) -> list[str]:
    """The single models that are averaged: without the mean, and what failed in some split."""
    incomplete = table.incomplete()
    return [name for name in singles if name != "mean" and name not in incomplete]


def combine_table(table: Predictions, options: Options | None = None) -> Combination:
    """Compare the ensembles (`coded/l1/B=20`) and other models of a table, `base` among them."""
    options = options or Options()
    options = options.about(options.only_measure(table.task)).but(stages=True)
    votes, others = _ensembles(table)
    last = {vote: by[max(by)] for vote, by in votes.items()}
    costs = _costs(table, votes, others)
    selection, why = _select(table, (*others, *last.values()), options)
    if selection is None:
        table = table.noted(why)
    else:
        table = _joined(table, selection)
        used = [name for name, weight in selection.weights.items() if weight > 0]
        costs[SELECTION] = Cost.together([costs[name] for name in used])
    assessment = assess_table(table, options)
    advice, worth = _advise(table, options, assessment, costs)
    values = {entry.model: entry for entry in assessment.overall}
    best = min(last, key=lambda vote: worth[last[vote]])
    best_single = min(others, key=worth.__getitem__)
    few = list(dict.fromkeys((last[best], "base", best_single)))
    recommended = advice.recommended
    rivals = [
        name for name in dict.fromkeys((advice.leader, *advice.simpler)) if name != recommended
    ]
    losses = (
        compare_models(table.only([recommended, *rivals]), options, recommended) if rivals else None
    )
    return Combination(
        "base",
        {vote: {b: values[name] for b, name in by.items()} for vote, by in votes.items()},
        {name: values[name] for name in others},
        best,
        best_single,
        compare_models(table.only(model=few), options),
        assessment,
        table,
        advice,
        losses,
        _adjusted(table.only([*costs]), options, recommended),
        selection,
    )


def _ensembles(table: Predictions) -> tuple[dict[str, dict[int, str]], tuple[str, ...]]:
    """The models that are ensembles at numbers of members, and the others."""
    votes: dict[str, dict[int, str]] = {}
    for name in table.models:
        match = _MEMBERS.match(name)
        if match is not None:
            votes.setdefault(match["vote"], {})[int(match["members"])] = name
    voting = {vote.split("/")[0] for vote in votes}
    others = tuple(name for name in table.models if name.split("/")[0] not in voting)
    if not votes or "base" not in others:
        raise InputError("the table has no votes with their numbers of members, or no 'base'")
    return votes, others


def _costs(
    table: Predictions, votes: Mapping[str, Mapping[int, str]], others: tuple[str, ...]
) -> dict[str, Cost]:
    """What each candidate costs; a mean of single models what these do together."""
    members = {name: float(ROUNDS if name in ENSEMBLES else 1) for name in others}
    members |= {by[max(by)]: float(max(by)) for by in votes.values()}
    costs = costs_of(table, members)
    singles = _averaged([name for name in others if name not in ENSEMBLES], table)
    means = [by[max(by)] for vote, by in votes.items() if vote.startswith("singles/")]
    return costs | dict.fromkeys(means, Cost.together([costs[name] for name in singles]))


def _select(
    table: Predictions, names: Iterable[str], options: Options
) -> tuple[Selection | None, str]:
    """The weighted vote of all candidates, or why there is none."""
    incomplete = table.incomplete()
    complete = [name for name in names if name not in incomplete]
    probable = [name for name in complete if table.score_kind_of(name) == "probability"]
    if table.splits.of_role("validation"):
        return None, f"{SELECTION}: left out, as validation rows would choose its weights and it"
    if len(table.splits.of_role("test")) < 2:
        return None, f"{SELECTION}: left out, as a vote of candidates needs several splits"
    chosen = probable if len(probable) > 1 else complete
    try:
        return select(table, models=chosen, seed=options.seed), ""
    except InputError as error:
        return None, f"{SELECTION}: left out ({error})"


def _joined(table: Predictions, selection: Selection) -> Predictions:
    """The table with the predictions of the selection for rows that did not choose its weights."""
    vote = replace(selection.predictions.only("vote"), models=(SELECTION,))
    notes = tuple(f"in the {SELECTION}, {note}" for note in vote.notes if note not in table.notes)
    return table.join(replace(vote, meta=replace(vote.meta, notes=notes)))


def _advise(
    table: Predictions, options: Options, assessment: Assessment, costs: Mapping[str, Cost]
) -> tuple[Advice, dict[str, float]]:
    """The advice, and the worth of each candidate where it is selected: better when low."""
    measure = options.only_measure(table.task)
    sign = 1.0 if measure.better == "low" else -1.0
    choosing = options.choosing(table)  # validation rows, where there are some
    if choosing is not options:
        assessment = assess_table(table, choosing.but(interval="none"))
    incomplete = choosing.rows(table).incomplete()
    known = {
        entry.model: sign * entry.value
        for entry in assessment.overall
        if entry.defined and entry.model not in incomplete
    }
    worth = {name: known.get(name, inf) for name in costs}
    complete = [name for name, value in worth.items() if value < inf]
    lacking = distance_to_perfect(measure, sign * min(worth.values()))

    def losses(leader: str) -> dict[str, float]:
        errors = standard_errors(table.only(complete), choosing, leader)
        return expected_losses(worth, leader, errors, lacking)

    margin = NEGLIGIBLE * lacking if options.margin is None else options.margin
    return recommend(worth, costs, losses, margin), worth


def _adjusted(table: Predictions, options: Options, recommended: str) -> Estimate | None:
    """The estimate of the recommended one, adjusted for the selection; None where not known."""
    assessment = assess_table(table, options)
    best = assessment.selected
    if best is None or best.model == recommended:
        return best
    measure = options.only_measure(table.task)
    if options.choosing(table) is not options:
        return replace(assessment[recommended, measure.title], notes=best.notes)
    rows = options.rows(table)
    incomplete = rows.incomplete()
    parts = {
        name: Parts(rows, name, options.prevalences)
        for name in rows.models
        if name not in incomplete
    }
    return selected_of(parts, measure, None, options.level, options.seed, of=recommended)
