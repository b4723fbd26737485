"""combine: would a vote do better? The family of votes beside its base and single models."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, ClassVar, Literal

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.records import Says, Spoken, named
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
    advised,
    costs_of,
    expected_losses,
    lacks,
    standard_errors,
)
from heliast.verbs.assess import Assessment, assessed
from heliast.verbs.compare import compared
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.question import Question, refuse
from heliast.verbs.recipes import ENSEMBLES, ROUNDS, SELECTION, recipes_of
from heliast.verbs.voted import Voted, voted
from heliast.views.combining import combination_html, combination_sentence, combination_text

_MEMBERS = re.compile(r"^(?P<vote>.+)/B=(?P<members>[0-9]{1,9})$")


@dataclass(frozen=True, eq=False, repr=False)
class Combination(Spoken):
    """What `combine` found: votes at each number of members, other models, and what to take.

    Parameters
    ----------
    base : str
        The name of the model that votes.
    votes : mapping
        Each way to vote to {members: Estimate}.
    singles : mapping
        Each model that is no vote of the base to its Estimate.
    best : str
        The vote that is best at all its members.
    best_single : str
        The best model that is no vote of the base.
    pairs : Comparison
        The best vote, its base and the best other model against each other.
    found : Assessment
        Every vote at every number of members, and every other model.
    predictions : Predictions
        The table that everything is read from.
    advice : Advice
        What to take and why, and what every candidate costs.
    losses : Comparison or None
        The best as seen, and simpler candidates, minus the recommended one; None if there are none.
    selected : Estimate or None
        What the recommended one is worth, corrected for the choice among all candidates.
    selection : Selection or None
        The vote of all candidates by what they predicted, `selection` in the table; None where
        there are no splits to judge it by.
    recipes : mapping
        Each candidate as what `fit` fits; empty where a table was read.

    Examples
    --------
    >>> truth, rows = list("aabb") * 20, range(80)
    >>> vote = Predictions.of(truth, truth, model="vote/B=5", row=rows)
    >>> base = Predictions.of(truth, list("abbb") * 20, model="base", row=rows)
    >>> it = combination(vote.join(base))
    >>> it.best, it.against_base.value, it.recommended
    ('vote', -0.25, 'vote/B=5')
    """

    _says: ClassVar[Says] = combination_sentence, combination_text, combination_html
    base: str
    votes: Mapping[str, Mapping[int, Estimate]]
    singles: Mapping[str, Estimate]
    best: str
    best_single: str
    pairs: Comparison
    found: Assessment
    predictions: Predictions
    advice: Advice
    losses: Comparison | None = None
    selected: Estimate | None = None
    selection: Selection | None = None
    recipes: Mapping[str, Any] = field(default_factory=dict)

    @property
    def measure(self) -> str:
        """What votes are judged by."""
        return self.pairs.measure

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of members at which votes were counted, rising."""
        return tuple(sorted({b for by in self.votes.values() for b in by}))

    @property
    def candidates(self) -> dict[str, Estimate]:
        """All that is chosen among: votes of all their members, other models, the selection."""
        found = {one.model: one for one in map(self.last, self.votes)} | dict(self.singles)
        if self.selection is not None:
            found[SELECTION] = self.found[SELECTION, self.measure]
        return found

    def last(self, vote: str) -> Estimate:
        """A vote of all its members.

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
        """The best vote minus its base."""
        return self.pairs[self.last(self.best).model, self.base]

    @property
    def against_best(self) -> Difference:
        """The best vote minus the best other model."""
        return self.pairs[self.last(self.best).model, self.best_single]

    @property
    def recommended(self) -> str:
        """The candidate to take, as the rule of `docs/ensembles.md` finds it."""
        return self.advice.recommended

    @property
    def averaged(self) -> list[str]:
        """The single models whose mean and median are votes, too."""
        return _averaged((one for one in self.singles if one not in ENSEMBLES), self.predictions)

    @property
    def lost(self) -> dict[str, Difference]:
        """What is lost by taking another than the recommended one: its value minus that one's."""
        return {} if self.losses is None else {one.a: one for one in self.losses.pairs}

    def to_dict(self) -> dict[str, object]:
        """Everything but the table and the models.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        names = "sentence measure recommended base best best_single votes singles selected"
        return {
            **named(self, f"{names} against_base against_best"),
            **named(self, "lost"),
            **named(self.advice, "leader margin expected costs"),
            "selection": None if self.selection is None else self.selection.to_dict(),
            "notes": list(self.found.notes),
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
    **unusable: object,
) -> Combination | Voted:
    """Fit the family of votes on a base, and see whether voting pays; or vote on predictions.

    Coded (every decoder), bagged (hard and soft) and boosted votes of up to `n_estimators` members,
    each fitted once a split and read at several numbers of members, beside the base itself, the
    nearest neighbour, single models, a random forest and gradient boosting, on the splits of one
    plan; and the selection of all of these by what they predicted, judged by rows that did not
    choose it. For numbers the mean of a bag, the boosted median and mean, and the mean and median
    of the single models. The recommendation weighs expected error, luck and cost:
    docs/ensembles.md. `fit` takes what is returned, and fits the recommended recipe on all rows.

    Of predictions nothing is fitted: `ensembles.select` chooses the weights of a vote of their
    models, and it is judged by rows that did not choose, beside the best single model and the
    plain vote.

    Parameters
    ----------
    data : Dataset, pair (X, y), what `read` takes, or Predictions
        Rows with classes or numbers; or a table of predictions of several models, or several such
        tables in a list or by name.
    estimator : estimator, optional
        What votes: any scikit-learn classifier, or predictor of numbers. None is `Tree()` (for
        numbers scikit-learn's tree): alone it is pruned, coding and bagging grow it until its
        leaves are pure, and boosting keeps it small, since it needs members that err.
    n_estimators : int
        Members of each vote, at most.
    plan : plan, splitter or int, optional
        How rows are split: 10 folds if not given.
    measure : str or Measure, optional
        What votes are judged by: the error if not given, or the expected cost where costs are;
        for numbers the mean absolute error.
    level : float
        The confidence level of intervals and tests.
    margin : float, optional
        The largest difference that does not matter.
    correction : str
        `holm` corrects for the number of pairs, `none` does not.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
    seed : int
        Seed of splits and fits.
    engine, jobs, store, progress
        How the work is done: those of `run`.
    method : {'greedy', 'stacked'}
        Of predictions: how the weights are chosen.
    **unusable : object
        Parts of a question that other verbs answer (`threshold`, `test`, ...): refused by name.

    Returns
    -------
    Combination or Voted
        Votes, single models, and what to take; of predictions (but for those of such a family)
        the weights, the vote and what simpler ones lose.

    Raises
    ------
    InputError
        If part of the family gives no votes, or the question cannot be answered.

    Examples
    --------
    >>> from heliast.learners import Tree
    >>> it = combine("sklearn:iris", Tree(), n_estimators=3, plan=3)
    >>> it.base, "coded/l1" in it.votes, len(it.members)
    ('base', True, 3)

    References
    ----------
    I. Tsamardinos, E. Greasidou and G. Borboudakis (2018), Bootstrapping the out-of-sample
    predictions for efficient and accurate cross-validation, Machine Learning 107: how the value of
    the best vote is corrected for having been chosen.
    """
    refuse("combine", unusable)
    question = Question(
        measures=measure, level=level, margin=margin, correction=correction, cost=cost,
        prevalences=prevalences, seed=seed,
    )  # fmt: skip
    table = _predicted(data)
    if table is not None:
        return combination(table, question) if _family_in(table) else voted(table, question, method)
    source = as_dataset(data)
    if n_estimators < 2:
        raise InputError(f"n_estimators={n_estimators}: a vote needs 2 or more")
    question.check_used([question.only_measure(source.task)])
    recipes = recipes_of(source.task, estimator, n_estimators)
    table = run(
        recipes.models, source, 10 if plan is None else plan, seed, engine=engine, jobs=jobs,
        store=store, progress=progress,
    )  # fmt: skip
    _all_voted(table, recipes.family)
    if source.task == "regression":
        table = _with_vote_of(recipes.singles, table)
    found = combination(table, question)
    return replace(found, recipes=recipes.each(found))


def _predicted(data: object) -> Predictions | None:
    """The predictions, if that is what was given: one table, several in a list or by name."""
    if isinstance(data, Predictions):
        return data
    given = [*data.values()] if isinstance(data, Mapping) else data
    if not isinstance(given, (list, tuple)) or not given:
        return None
    if not all(isinstance(one, Predictions) for one in given):
        return None
    return as_predictions(data)


def _family_in(table: Predictions) -> bool:
    """Whether the table has votes at several numbers of members, and their base."""
    return "base" in table.models and any(_MEMBERS.match(name) for name in table.models)


def _all_voted(table: Predictions, family: Iterable[str]) -> None:
    """Refuse to recommend anything if part of the family is not in the table."""
    voting = {name.split("/")[0] for name in table.models if _MEMBERS.match(name)}
    silent = [name for name in family if name not in voting]
    if silent:
        broken = failures(cell for cell in table.cells if cell["model"] in silent)
        why = "; ".join(f"{name} {said}" for name, said in broken.items())
        why = why or "what was fitted does not say how its members vote"
        raise InputError(
            f"combine: no votes of {' and '.join(silent)} ({why}), so nothing is recommended; try "
            "another base"
        )


def _with_vote_of(single: Iterable[str], table: Predictions) -> Predictions:
    """The table with the mean and the median of its single models: votes that cost no fit."""
    from heliast.ensembles import majority

    names = _averaged(single, table)
    kinds: tuple[Literal["mean", "median"], ...] = ("mean", "median")
    for kind in kinds if len(names) > 1 else ():
        table = majority(table, names, kind=kind, name=f"singles/{kind}/B={len(names)}")
    return table


def _averaged(single: Iterable[str], table: Predictions) -> list[str]:
    """The single models that are averaged: not what failed in some split, nor the mean.

    The mean of the training rows is what others are held against, and knows no inputs.
    """
    lacking = table.incomplete()
    return [name for name in single if name != "mean" and name not in lacking]


@dataclass(frozen=True)
class _Named:
    """The models of a table by what they are: votes at numbers of members, and others."""

    votes: Mapping[str, Mapping[int, str]]
    others: tuple[str, ...]

    @classmethod
    def of(cls, table: Predictions) -> "_Named":
        votes: dict[str, dict[int, str]] = {}
        for name in table.models:
            part = _MEMBERS.match(name)
            if part is not None:
                votes.setdefault(part["vote"], {})[int(part["members"])] = name
        voting = {vote.split("/")[0] for vote in votes}
        others = tuple(name for name in table.models if name.split("/")[0] not in voting)
        if not votes or "base" not in others:
            raise InputError("the table has no votes with their numbers of members, or no 'base'")
        return cls(votes, others)

    @property
    def last(self) -> dict[str, str]:
        """Each vote of all its members."""
        return {vote: by[max(by)] for vote, by in self.votes.items()}

    @property
    def singles(self) -> tuple[str, ...]:
        return tuple(name for name in self.others if name not in ENSEMBLES)

    @property
    def candidates(self) -> tuple[str, ...]:
        return (*self.others, *self.last.values())

    def costs(self, table: Predictions) -> dict[str, Cost]:
        """What each candidate costs; a mean of single models what these do together."""
        ensembles = dict.fromkeys(ENSEMBLES, ROUNDS)
        members = {name: float(ensembles.get(name, 1)) for name in self.others}
        members |= {by[max(by)]: float(max(by)) for by in self.votes.values()}
        found = costs_of(table, members)
        averaged = Cost.together([found[name] for name in _averaged(self.singles, table)])
        means = [name for vote, name in self.last.items() if vote.startswith("singles/")]
        return found | dict.fromkeys(means, averaged)


def combination(table: Predictions, question: Question | None = None) -> Combination:
    """Read a table of votes (`coded/l1/B=20`) and other models, `estimator` among them."""
    question = question or Question()
    question = question.about(question.only_measure(table.task)).but(stages=True)
    names = _Named.of(table)
    selection, why = _selection_of(table, names.candidates, question)
    costs = names.costs(table)
    if selection is None:
        table = table.noted(why)
    else:
        table = _joined(table, selection)
        used = [name for name, weight in selection.weights.items() if weight > 0]
        costs[SELECTION] = Cost.together([costs[name] for name in used])
    found = assessed(table, question)
    advice, worth = _advice(table, question, found, costs)
    values = {one.model: one for one in found.estimates if one.class_ is None}
    best = min(names.last, key=lambda vote: worth[names.last[vote]])
    best_single = min(names.others, key=worth.__getitem__)
    few = list(dict.fromkeys((names.last[best], "base", best_single)))
    return Combination(
        "base",
        {vote: {b: values[name] for b, name in by.items()} for vote, by in names.votes.items()},
        {name: values[name] for name in names.others},
        best,
        best_single,
        compared(table.only(model=few), question),
        found,
        table,
        advice,
        _losses(table, question, advice),
        _announced(table.only([*costs]), question, advice.recommended),
        selection,
    )


def _selection_of(
    table: Predictions, names: Iterable[str], question: Question
) -> tuple[Selection | None, str]:
    """The vote of all candidates by what they predicted, or why there is none."""
    lacking = table.incomplete()
    whole = [name for name in names if name not in lacking]
    sure = [name for name in whole if table.score_kind_of(name) == "probability"]
    if table.splits.of_role("validation"):
        why = "as validation rows would choose both its weights and it"
        return None, f"{SELECTION}: left out, {why}"
    if len(table.splits.of_role("test")) < 2:
        why = "as a vote of candidates is judged over several splits"
        return None, f"{SELECTION}: left out, {why}"
    try:
        return select(table, models=sure if len(sure) > 1 else whole, seed=question.seed), ""
    except InputError as error:
        return None, f"{SELECTION}: left out ({error})"


def _joined(table: Predictions, selection: Selection) -> Predictions:
    """The table with what the selection says of rows that did not choose it."""
    vote = replace(selection.predictions.only("vote"), models=(SELECTION,))
    notes = tuple(f"in the {SELECTION}, {note}" for note in vote.notes if note not in table.notes)
    return table.join(replace(vote, meta=replace(vote.meta, notes=notes)))


def _advice(
    table: Predictions, question: Question, found: Assessment, costs: Mapping[str, Cost]
) -> tuple[Advice, dict[str, float]]:
    """What to take, and what each candidate is worth where it is chosen: the less the better."""
    measure = question.only_measure(table.task)
    sign = 1.0 if measure.better == "low" else -1.0
    by = question.choosing(table)  # validation rows, where there are some
    judges = found if by is question else assessed(table, by.but(interval="none"))
    lacking = by.rows(table).incomplete()
    known = {
        one.model: sign * one.value
        for one in judges.estimates
        if one.class_ is None and one.defined and one.model not in lacking
    }
    worth = {name: known.get(name, inf) for name in costs}
    whole = [name for name, value in worth.items() if value < inf]
    lack = lacks(measure, sign * min(worth.values()))

    def losses(leader: str) -> dict[str, float]:
        errors = standard_errors(table.only(whole), by, leader)
        return expected_losses(worth, leader, errors, lack)

    margin = NEGLIGIBLE * lack if question.margin is None else question.margin
    return advised(worth, costs, losses, margin), worth


def _losses(table: Predictions, question: Question, advice: Advice) -> Comparison | None:
    """The best as seen and simpler candidates against the recommended one."""
    taken = advice.recommended
    others = [one for one in dict.fromkeys((advice.leader, *advice.simpler)) if one != taken]
    return compared(table.only([taken, *others]), question, taken) if others else None


def _announced(table: Predictions, question: Question, taken: str) -> Estimate | None:
    """What the recommended one is worth, corrected for the choice; None where that is not known."""
    found = assessed(table, question)
    best = found.selected
    if best is None or best.model == taken:
        return best
    measure = question.only_measure(table.task)
    if question.choosing(table) is not question:
        return replace(found[taken, measure.title], notes=best.notes)
    rows = question.rows(table)
    parts = {name: Parts(rows, name, question.prevalences) for name in rows.models}
    lacking = rows.incomplete()
    whole = {name: one for name, one in parts.items() if name not in lacking}
    return selected_of(whole, measure, None, question.level, question.seed, of=taken)
