"""How often rows are looked at, and the difference of two models for those who look again."""

import re
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.errors import InputError
from heliast.estimates import ASYMPTOTIC, FROM, any_level, bet, look_level
from heliast.predictions import Predictions
from heliast.verbs.compare import compared, paired
from heliast.verbs.comparison import Difference
from heliast.verbs.question import Question


@dataclass(frozen=True)
class Looks:
    """One look at the rows, look number `look` of `of` planned ones, or `always`: any number.

    >>> Looks.parse("2/5").look, round(Looks.parse("2/5").level(0.95), 5)
    (2, 0.99921)
    """

    words: str = "one"
    look: int = 1
    of: int = 1
    always: bool = False

    @classmethod
    def parse(cls, words: str) -> "Looks":
        """Read `one`, `any` or `2/5`."""
        if words in ("one", "any"):
            return cls(words, always=words == "any")
        found = re.fullmatch("([0-9]{1,4})/([0-9]{1,4})", str(words))
        if found is None:
            raise InputError(f"looks={words!r}: choose 'one', 'any', or a planned one like '2/5'")
        look, of = map(int, found.groups())
        look_level(look, of)  # refuses a look that there is not
        return cls(words, look, of)

    def level(self, level: float) -> float:
        """The level at which this look is judged."""
        return level if self.of == 1 else look_level(self.look, self.of, level)

    @property
    def next(self) -> str:
        """The next planned look in words; empty if none is planned."""
        return f"look {self.look + 1} of {self.of}" if self.look < self.of else ""

    def asked(self, question: Question, table: Predictions) -> Question:
        """The question of this look: its level, and for any number of looks its own interval.

        Looking again is for one test set: folds of more rows train other models.
        """
        if self.words != "one" and len(question.rows(table).splits) > 1:
            raise InputError(
                f"looks={self.words!r} is for one test set, here are several splits: with more "
                "rows they train other models; test one model on rows that it has not seen"
            )
        if not self.always:
            return question
        if (question.method, question.test) != ("auto", "auto"):
            raise InputError("looks='any' has intervals of its own: leave out interval= and test=")
        return question.but(interval="sequence")


def one_difference(table: Predictions, question: Question, a: str, b: str) -> Difference:
    """The difference a - b at a level, with all that is to be said of it."""
    # A bar is asked for here, so that the usual margin is not.
    said = compared(table, question.but(margin=0.0))
    notes = (note for note in said.notes if note not in table.notes)
    return replace(said[a, b], notes=(*said[a, b].notes, *notes))


def any_difference(table: Predictions, question: Question, a: str, b: str) -> Difference:
    """The difference a - b with limits that hold at all looks together.

    Losses of known bounds: bets on the differences of rows. Everything else, and rows in groups:
    the usual interval at the level of one of any number of looks.
    """
    measure, level = question.only_measure(table.task), question.level
    field = paired(table, question.but(measures=measure))
    first = field.rows[field.models[0]]
    n = float(first.n if field.groups is None else field.groups)
    each = any_level(n, level)
    low, high = measure.range(first.classes)
    span = high - low
    plain = first.group is None and first.weight_kind != "sampling" and first.design == "rows"
    if field.losses is None or not (np.isfinite(span) and plain):
        found = one_difference(table, question.but(level=each), a, b)
        words = f"asymptotic confidence sequence, {found.method} at {100 * each:.5g}%"
        notes = (*found.notes, ASYMPTOTIC) if n < FROM else found.notes
        return replace(
            found, level=level, each_level=each, method=words, notes=notes, test="sequence"
        )
    losses = field.losses[a] - field.losses[b]
    counts = np.ones(losses.size) if first.weight is None else first.weight
    low, high = bet(losses, counts, (-span, span), level)
    return Difference(
        a, b, measure.title, float(np.average(losses, weights=counts)), low, high, level=level,
        method="confidence sequence of the paired difference by betting", n=float(counts.sum()),
        each_level=each, unit="items" if table.task == "graded" else "test rows", test="sequence",
    )  # fmt: skip
