"""Voted: the vote that `combine` makes of models that have predicted already, as a record."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from heliast._core.records import Says, Spoken, named
from heliast.ensembles import Selection, select
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.verbs.assess import Assessment, assessed
from heliast.verbs.compare import compared
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.question import Question
from heliast.views.voting import voted_html, voted_sentence, voted_text

VOTE = "vote"
"""The chosen vote in the table of a selection; the simpler ones stand behind it."""


@dataclass(frozen=True, eq=False, repr=False)
class Voted(Spoken):
    """What `combine` found of predictions: a vote of their models against simpler ones.

    Parameters
    ----------
    selection : Selection
        The weights, and the table in which no row judges what it helped to choose.
    found : Assessment
        The vote, the best single model and the plain votes on that table.
    pairs : Comparison
        Each simpler one minus the vote.
    singles : mapping
        Each model that was given to its own Estimate, as seen.
    recommended : str
        What to take: `vote`, or a simpler one.

    Examples
    --------
    >>> truth, rows = [0, 1] * 60, range(120)
    >>> label = {m: [t ^ (i % 3 == at) for i, t in enumerate(truth)] for at, m in enumerate("abc")}
    >>> tables = [Predictions.of(truth, said, model=m, row=rows) for m, said in label.items()]
    >>> it = voted(tables[0].join(*tables[1:]), Question())
    >>> it.vote.value, it.recommended, it.against["best single"].verdict
    (0.0, 'majority', 'worse')
    """

    _says: ClassVar[Says] = voted_sentence, voted_text, voted_html
    selection: Selection
    found: Assessment
    pairs: Comparison
    singles: Mapping[str, Estimate]
    recommended: str

    @property
    def measure(self) -> str:
        """What votes are judged by."""
        return self.pairs.measure

    @property
    def predictions(self) -> Predictions:
        """The table that everything is read from."""
        return self.selection.predictions

    @property
    def vote(self) -> Estimate:
        """The chosen vote, judged by rows that did not choose its weights."""
        return self.found[VOTE, self.measure]

    @property
    def against(self) -> dict[str, Difference]:
        """What is lost with each simpler one: its value minus that of the vote."""
        return {one.a: one for one in self.pairs.pairs}

    def to_dict(self) -> dict[str, object]:
        """Everything but the table.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        return {
            **named(self, "sentence measure recommended"),
            **self.selection.to_dict(),
            **named(self, "vote against singles"),
            "estimates": named(self.found, "estimates")["estimates"],
            "notes": [*dict.fromkeys((*self.found.notes, *self.pairs.notes))],
        }


def voted(table: Predictions, question: Question, method: str = "greedy") -> Voted:
    """A vote of the models of a table, chosen and judged as `ensembles.select` does."""
    measure = question.only_measure(table.task)
    question.check_used([measure])
    question = question.about(measure)
    quick = question.but(interval="none", role=None, stages=True)
    sign = 1.0 if measure.better == "low" else -1.0

    def judge(part: Predictions) -> float:
        return sign * assessed(part, quick)[part.models[0], measure.title].value

    usual = measure.name == "error"
    chosen = select(table, method, judge=None if usual else judge, seed=question.seed)  # type: ignore[arg-type]
    found = assessed(chosen.predictions, question)
    pairs = compared(chosen.predictions, question, against=VOTE)
    each = assessed(table.only([*chosen.weights]), question)
    singles = {name: each[name, measure.title] for name in each.models}
    worth = {one: sign * found[one, measure.title].value for one in found.models}
    return Voted(chosen, found, pairs, singles, _recommended(worth, pairs))


def _recommended(worth: Mapping[str, float], pairs: Comparison) -> str:
    """The simplest that is no worse than the vote, or shown to be as good within the margin."""
    simpler = [one for one in worth if one != VOTE]
    good = [
        one
        for one in simpler
        if worth[one] <= worth[VOTE] or (pairs.tested(one, VOTE) and pairs[one, VOTE].equivalent)
    ]
    return min(good, key=worth.__getitem__) if good else VOTE
