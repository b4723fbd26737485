"""combine: would a vote do better? The family of votes beside its base and single models."""

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import inf
from typing import Any, Literal

from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.records import named
from heliast.estimates import Estimate
from heliast.fitting import panel as _panel
from heliast.fitting.run import as_dataset, run
from heliast.fitting.store import Store
from heliast.measures import Measure
from heliast.predictions import Predictions, failures
from heliast.verbs.assess import Assessment, assessed
from heliast.verbs.compare import compared
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.given import Door
from heliast.verbs.question import Question, refuse
from heliast.verbs.voted import Voted, voted
from heliast.views.combining import combination_html, combination_sentence, combination_text

_MEMBERS = re.compile(r"^(?P<vote>.+)/B=(?P<members>[0-9]{1,9})$")


@dataclass(frozen=True, eq=False)
class Combination:
    """What `combine` found: votes at each number of members, single models, who beats whom.

    Parameters
    ----------
    base : str
        The name of the model that votes.
    votes : mapping
        Each way to vote to {members: Estimate}.
    singles : mapping
        Each model that stands alone to its Estimate.
    best : str
        The vote that is best at all its members.
    best_single : str
        The best model that stands alone.
    pairs : Comparison
        The best vote, its base and the best single model against each other.
    found : Assessment
        Every vote at every number of members, and every single model.
    predictions : Predictions
        The table that everything is read from.
    selected : Estimate or None
        The best vote, its value corrected for having been chosen among the votes.

    Examples
    --------
    >>> truth, rows = list("aabb") * 20, range(80)
    >>> vote = Predictions.of(truth, truth, model="vote/B=5", row=rows)
    >>> base = Predictions.of(truth, list("abbb") * 20, model="base", row=rows)
    >>> it = combination(vote.join(base))
    >>> it.best, it.against_base.value, it.recommended
    ('vote', -0.25, 'vote/B=5')
    """

    base: str
    votes: Mapping[str, Mapping[int, Estimate]]
    singles: Mapping[str, Estimate]
    best: str
    best_single: str
    pairs: Comparison
    found: Assessment
    predictions: Predictions
    selected: Estimate | None = None

    @property
    def measure(self) -> str:
        """What votes are judged by."""
        return self.pairs.measure

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of members at which votes were counted, rising."""
        return tuple(sorted({b for by in self.votes.values() for b in by}))

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
        """The best vote minus the best single model."""
        return self.pairs[self.last(self.best).model, self.best_single]

    @property
    def recommended(self) -> str:
        """The vote if it is told to be better than the best single model, else that model."""
        return self.last(self.best).model if self.against_best.better else self.best_single

    @property
    def sentence(self) -> str:
        """The answer in a few sentences."""
        return combination_sentence(self)

    def to_dict(self) -> dict[str, object]:
        """Everything but the table.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        names = "sentence measure recommended base best best_single votes singles selected"
        return {
            **named(self, f"{names} against_base against_best"),
            "notes": list(self.found.notes),
        }

    def __str__(self) -> str:
        return combination_text(self)

    def __repr__(self) -> str:
        return f"<Combination: {self.sentence}>"

    def _repr_html_(self) -> str:
        return combination_html(self)


def combine(
    data: object,
    base: Any = None,
    members: int = 200,
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
    fit_timeout: float | None = None,
    fit_memory: float | str | None = None,
    progress: bool = False,
    method: Literal["greedy", "stacked"] = "greedy",
    **unusable: object,
) -> Combination | Voted:
    """Fit the family of votes on a base, and see whether voting pays; or vote on predictions.

    Coded (every decoder), bagged (hard and soft) and boosted votes of up to `members` members, each
    fitted once a split and read at several numbers of members, beside the base itself, the
    nearest neighbour and the panel of single models, on the splits of one plan. For numbers the
    mean of a bag, the boosted median and mean, and the mean and median of the single models.

    Of predictions nothing is fitted: `ensembles.select` chooses the weights of a vote of their
    models, and it is judged by rows that did not choose, beside the best single model and the
    plain vote.

    Parameters
    ----------
    data : Dataset, pair (X, y), what `read` takes, or Predictions
        Rows with classes or numbers; or a table of predictions of several models, or several such
        tables in a list or by name.
    base : estimator, optional
        What votes: any scikit-learn classifier, or predictor of numbers. None is `Tree()` (for
        numbers scikit-learn's tree): alone it is pruned, coding and bagging grow it until its
        leaves are pure, and boosting keeps it small, since it needs members that err.
    members : int
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
    engine, jobs, store, fit_timeout, fit_memory, progress
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
    >>> it = combine("sklearn:iris", Tree(), members=3, plan=3)
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
    if members < 2:
        raise InputError(f"members={members}: a vote needs 2 or more")
    question.check_used([question.only_measure(source.task)])
    numbers = source.task == "number"
    family = (_number_family if numbers else _family)(base, members)
    single = (_number_single if numbers else _single)(base)
    table = run(
        {**single, **family}, source, 10 if plan is None else plan, seed, engine=engine,
        jobs=jobs, store=store, fit_timeout=fit_timeout, fit_memory=fit_memory, progress=progress,
    )  # fmt: skip
    _all_voted(table, family)
    return combination(_with_vote_of(single, table) if numbers else table, question)


def _predicted(data: object) -> Predictions | None:
    """The predictions, if that is what was given: one table, several in a list or by name."""
    if isinstance(data, Predictions):
        return data
    given = [*data.values()] if isinstance(data, Mapping) else data
    if not isinstance(given, (list, tuple)) or not given:
        return None
    if not all(isinstance(one, Predictions) for one in given):
        return None
    table: Predictions = Door("combine").opened((data,), {})[0]
    return table


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


def _single(base: Any) -> dict[str, Any]:
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    from heliast.learners import Tree

    nearest = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
    known = _panel.panel("classes")
    others = {name: known[name] for name in ("bayes", "lda", "logistic")}
    return {"base": Tree() if base is None else base, "1-nn": nearest, **others}


def _family(base: Any, members: int) -> dict[str, Any]:
    from heliast.ensembles import BaggedVote, BoostedVote, CodedVote

    return {
        "coded": CodedVote(base, columns=members),
        "bagged": BaggedVote(base, members),
        "boosted": BoostedVote(base, members, on_weak="stop"),
    }


def _number_single(base: Any) -> dict[str, Any]:
    from sklearn.neighbors import KNeighborsRegressor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    nearest = make_pipeline(StandardScaler(), KNeighborsRegressor(1))
    known = _panel.panel("number")
    others = {name: known[name] for name in ("mean", "linear", "knn")}
    return {"base": known["tree"] if base is None else base, "1-nn": nearest, **others}


def _number_family(base: Any, members: int) -> dict[str, Any]:
    from heliast.ensembles import BaggedMean, BoostedMedian

    # Without a base, a deep tree is averaged and a small one is boosted, as for classes.
    return {"bagged": BaggedMean(base, members), "boosted": BoostedMedian(base, members)}


def _with_vote_of(single: Iterable[str], table: Predictions) -> Predictions:
    """The table with the mean and the median of its single models: votes that cost no fit."""
    from heliast.ensembles import majority

    lacking = table.incomplete()  # of what failed in some split no vote is known there
    # The mean of the training rows is what others are held against, and knows no inputs.
    names = [name for name in single if name != "mean" and name not in lacking]
    kinds: tuple[Literal["mean", "median"], ...] = ("mean", "median")
    for kind in kinds if len(names) > 1 else ():
        table = majority(table, names, kind=kind, name=f"singles/{kind}/B={len(names)}")
    return table


def combination(table: Predictions, question: Question | None = None) -> Combination:
    """Read a table of votes (`coded/l1/B=20`) and single models, `base` among them."""
    question = question or Question()
    measure = question.only_measure(table.task)
    question = question.about(measure).but(stages=True)
    found = assessed(table, question)
    values = {one.model: one for one in found.estimates if one.class_ is None}
    votes: dict[str, dict[int, Estimate]] = {}
    for name, estimate in values.items():
        part = _MEMBERS.match(name)
        if part is not None:
            votes.setdefault(part["vote"], {})[int(part["members"])] = estimate
    voting = {name.split("/")[0] for name in votes}
    singles = {name: one for name, one in values.items() if name.split("/")[0] not in voting}
    if not votes or "base" not in singles:
        raise InputError("the table has no votes with their numbers of members, or no 'base'")
    last = {vote: by[max(by)] for vote, by in votes.items()}
    chosen_by = question.choosing(table)  # validation rows, where there are some
    judges = found if chosen_by is question else assessed(table, chosen_by.but(interval="none"))
    sign = 1.0 if measure.better == "low" else -1.0
    known = [one for one in judges.estimates if one.class_ is None and one.defined]
    worth = {**dict.fromkeys(values, inf), **{one.model: sign * one.value for one in known}}
    best = min(last, key=lambda vote: worth[last[vote].model])
    best_single = min(singles, key=worth.__getitem__)
    few = list(dict.fromkeys((last[best].model, "base", best_single)))
    pairs = compared(table.only(model=few), question)
    among = table.only(model=[one.model for one in last.values()])
    selected = assessed(among, question).selected if len(last) > 1 else None
    return Combination("base", votes, singles, best, best_single, pairs, found, table, selected)
