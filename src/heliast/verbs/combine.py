"""combine: would a vote do better? The family of votes beside its base and single models."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.estimates import Estimate
from heliast.fitting import panel as _panel
from heliast.fitting.run import run
from heliast.plans import KFold
from heliast.predictions import Predictions
from heliast.verbs.assess import Assessment, assess
from heliast.verbs.compare import compare
from heliast.verbs.comparison import Comparison, Difference
from heliast.views.combining import combination_html, combination_sentence, combination_text

_MEMBERS = re.compile(r"^(?P<vote>.+)/B=(?P<members>\d+)$")


@dataclass(frozen=True, eq=False)
class Combination:
    """What `combine` found: votes at each number of members, single models, who beats whom.

    `votes` maps each way to vote to {members: error}, `singles` each model that stands alone to
    its error; `best` is the vote with the least error at all members, `against` its differences to
    the base and to the best single model, `pairs` the whole comparison. `predictions` is the table
    that everything is read from.
    """

    base: str
    votes: Mapping[str, Mapping[int, Estimate]]
    singles: Mapping[str, Estimate]
    best: str
    best_single: str
    pairs: Comparison
    found: Assessment
    predictions: Predictions

    @property
    def members(self) -> tuple[int, ...]:
        """The numbers of members at which votes were counted, rising."""
        return tuple(sorted({b for by in self.votes.values() for b in by}))

    def last(self, vote: str) -> Estimate:
        """The error of a vote of all its members."""
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
        better = self.against_best.verdict.startswith("better")
        return self.last(self.best).model if better else self.best_single

    @property
    def sentence(self) -> str:
        """The answer in a few sentences."""
        return combination_sentence(self)

    def to_dict(self) -> dict[str, object]:
        """Everything but the table, as plain values."""
        return {
            "sentence": self.sentence,
            "recommended": self.recommended,
            "base": self.base,
            "best": self.best,
            "best_single": self.best_single,
            "votes": {
                vote: {str(b): one.to_dict() for b, one in by.items()}
                for vote, by in self.votes.items()
            },
            "singles": {name: one.to_dict() for name, one in self.singles.items()},
            "against_base": self.against_base.to_dict(),
            "against_best": self.against_best.to_dict(),
            "notes": list(self.found.notes),
        }

    def __str__(self) -> str:
        return combination_text(self)

    def __repr__(self) -> str:
        return f"<Combination: {self.sentence}>"

    def _repr_html_(self) -> str:
        return combination_html(self)


def combine(
    data: Dataset,
    base: Any = None,
    members: int = 200,
    plan: Any = None,
    *,
    seed: int = 0,
    level: float = 0.95,
    store: Any = None,
    progress: bool = False,
) -> Combination:
    """Fit the family of votes on a base, and see whether voting pays.

    Coded (every decoder), bagged (hard and soft) and boosted votes of up to `members` members, each
    fitted once a split and read at several numbers of members, beside the base itself, the
    nearest neighbour and the panel of single models, on the splits of one plan (10 folds). `base`
    is any scikit-learn classifier; None is `Tree()`, grown deep for coding and bagging, small for
    boosting, which needs members that err.
    """
    if data.task != "classes":
        raise InputError("combine takes classes; for numbers use BaggedMean and BoostedMedian")
    if members < 2:
        raise InputError(f"members={members}: a vote needs 2 or more")
    models = {**_single(base), **_family(base, members)}
    table = run(models, data, KFold(10) if plan is None else plan, seed, store=store,
                progress=progress)  # fmt: skip
    return combination(table, level, seed)


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
    from heliast.learners import Tree

    deep = Tree(min_deviance=0) if base is None else base
    small = Tree() if base is None else base
    return {
        "coded": CodedVote(deep, columns=members),
        "bagged": BaggedVote(deep, members),
        "boosted": BoostedVote(small, members, multiclass="samme", on_weak="stop"),
    }


def combination(table: Predictions, level: float = 0.95, seed: int = 0) -> Combination:
    """Read a table of votes (`coded/l1/B=20`) and single models, `base` among them."""
    found = assess(table, "error", level, seed=seed)
    errors = {one.model: one for one in found.estimates if one.class_ is None}
    votes: dict[str, dict[int, Estimate]] = {}
    for name, one in errors.items():
        part = _MEMBERS.match(name)
        if part is not None:
            votes.setdefault(part["vote"], {})[int(part["members"])] = one
    voting = {name.split("/")[0] for name in votes}
    singles = {name: one for name, one in errors.items() if name.split("/")[0] not in voting}
    if not votes or "base" not in singles:
        raise InputError("the table has no votes with their numbers of members, or no 'base'")
    best = min(votes, key=lambda vote: votes[vote][max(votes[vote])].value)
    best_single = min(singles, key=lambda name: singles[name].value)
    last = votes[best][max(votes[best])].model
    few = list(dict.fromkeys((last, "base", best_single)))
    pairs = compare(table.only(model=few), "error", level=level, seed=seed)
    return Combination("base", votes, singles, best, best_single, pairs, found, table)
