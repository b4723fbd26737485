"""Voted: the weighted vote that `combine` makes of models that have predicted already."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from heliast._core.notes import Note
from heliast._core.records import named
from heliast.ensembles import Selection, select
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.verbs.assess import Assessment, assess_table
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.headline import Headline
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models
from heliast.views.numbers import Measured, measure_name, short_name
from heliast.views.record import IMPORTANT, Column, Record, Table

# The chosen vote in the table of a selection; the simpler ones stand behind it.
VOTE = "vote"


@dataclass(frozen=True, eq=False, repr=False)
class Voted(Record):
    """A weighted vote of models that have predicted already, against simpler ones.

    Parameters
    ----------
    selection : Selection
        The weights, and the table in which no row assesses what it helped to choose.
    assessment : Assessment
        The vote, the best single model and the plain votes on that table.
    pairs : Comparison
        Each simpler one minus the vote.
    singles : mapping
        Each model to its own Estimate.
    recommended : str
        `vote`, or a simpler one.
    caveats : tuple of str
        Models and rows that do not vote.

    Examples
    --------
    >>> truth, rows = [0, 1] * 60, range(120)
    >>> label = {m: [t ^ (i % 3 == at) for i, t in enumerate(truth)] for at, m in enumerate("abc")}
    >>> tables = [Predictions.of(truth, y, model=m, row=rows) for m, y in label.items()]
    >>> voted = vote_of_predictions(tables[0].join(*tables[1:]), Options())
    >>> voted.vote.value, voted.recommended, voted.against["best single"].verdict
    (0.0, 'majority', 'worse')
    """

    selection: Selection
    assessment: Assessment
    pairs: Comparison
    singles: Mapping[str, Estimate]
    recommended: str
    caveats: tuple[str, ...] = ()

    @property
    def measure(self) -> str:
        """The measure that votes are ranked by."""
        return self.pairs.measure

    @property
    def predictions(self) -> Predictions:
        """The table that everything is computed from."""
        return self.selection.predictions

    @property
    def vote(self) -> Estimate:
        """The chosen vote, assessed on rows that did not choose its weights."""
        return self.assessment[VOTE, self.measure]

    @property
    def against(self) -> dict[str, Difference]:
        """The loss of each simpler one: its value minus that of the vote."""
        return {pair.a: pair for pair in self.pairs.pairs}

    @property
    def summary(self) -> str:
        """The estimate of the weighted vote, and which is recommended."""
        stated = Headline(replace(self.vote, model="weighted vote")).sentence()
        if self.recommended == VOTE:
            return f"{stated} Recommended: the weighted vote."
        return (
            f"{stated} Recommended: {self._name(self.recommended)}, which is simpler and not worse."
        )

    def _name(self, name: str) -> str:
        if name == "best single":
            return f"the best single model ({short_name(self.selection.best)})"
        what = {
            "majority": "labels",
            "mean": "numbers" if self.selection.kind == "mean" else "scores",
        }
        return f"the plain {name} of {what[name]}" if name in what else name

    @property
    def remarks(self) -> tuple[str, ...]:
        """How the weights were chosen, and the vote against each simpler one."""
        pairs = (self.pairs.pair_summary(pair) for pair in self.against.values())
        chosen = (
            f"Weights: {self.selection.method} selection, assessed on rows that did not choose."
        )
        return (*pairs, chosen)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the assessment and of the comparison."""
        left_out = [Note(note, IMPORTANT) for note in self.caveats]
        return tuple(dict.fromkeys((*left_out, *self.assessment.notes, *self.pairs.notes)))

    def tables(self) -> tuple[Table, ...]:
        """The vote beside simpler ones, and the weights.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        title = measure_name(self.measure)
        columns = (
            Column("vote", "", "name"),
            Column(self.measure, title, "measured", True),
            Column("loss", "vs weighted vote", "measured"),
            Column("p", kind="p", never_cut=True),
            Column("verdict", kind="verdict", never_cut=True),
        )
        rows = []
        for name in self.assessment.models:
            pair = self.against.get(name)
            tested: tuple[object, ...] = (None, None, None)
            if pair is not None:
                tested = (Measured.difference(pair), pair.p, pair.verdict)
            rows.append((name, Measured.of(self.assessment[name, self.measure]), *tested))
        return (
            Table("votes", "The weighted vote and simpler ones", columns, rows),
            self._weights(),
        )

    def _weights(self) -> Table:
        weights, folds = self.selection.weights, self.selection.by_fold
        columns = (
            Column("model", kind="name"), Column("weight", kind="number"),
            Column("folds", "over folds"),
            Column(self.measure, measure_name(self.measure), "measured"),
        )  # fmt: skip
        rows = []
        for name in sorted(weights, key=lambda name: -weights[name]):
            part = folds[:, list(weights).index(name)]
            spread = f"{part.min():.2f} to {part.max():.2f}"
            rows.append((name, weights[name], spread, Measured.of(self.singles[name])))
        return Table("weights", "Weights", columns, rows)

    def to_dict(self) -> dict[str, object]:
        """Everything but the table.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        return {
            **named(self, "summary measure recommended"),
            **self.selection.to_dict(),
            **named(self, "vote against singles"),
            **named(self.assessment, "estimates"),
            "notes": list(self.notes),
        }


def vote_of_predictions(table: Predictions, options: Options, method: str = "greedy") -> Voted:
    """A vote of the models of a table, chosen and assessed as `ensembles.select` does."""
    measure = options.only_measure(table.task)
    options.check_used([measure])
    options = options.about(measure)
    quick = options.but(interval="none", role=None, stages=True)
    sign = 1.0 if measure.better == "low" else -1.0

    def loss(part: Predictions) -> float:
        return sign * assess_table(part, quick)[part.models[0], measure.title].value

    judge = None if measure.name == "error" else loss
    chosen = select(table, method, judge=judge, seed=options.seed)  # type: ignore[arg-type]
    assessment = assess_table(chosen.predictions, options)
    pairs = compare_models(chosen.predictions, options, against=VOTE)
    singles = assess_table(table.only([*chosen.weights]), options)
    worth = {name: sign * assessment[name, measure.title].value for name in assessment.models}
    good = [
        name
        for name in worth
        if name != VOTE
        and (
            worth[name] <= worth[VOTE]
            or (pairs.tested(name, VOTE) and pairs[name, VOTE].equivalent)
        )
    ]
    return Voted(
        chosen, assessment, pairs, {name: singles[name, measure.title] for name in singles.models},
        min(good, key=worth.__getitem__) if good else VOTE,
        tuple(note for note in chosen.predictions.notes if note not in table.notes),
    )  # fmt: skip
