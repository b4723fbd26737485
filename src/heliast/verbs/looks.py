"""Sequential analyses: how often rows are analyzed, and the limits that allow for it."""

import re
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.errors import InputError
from heliast.estimates import ASYMPTOTIC, any_level, bet, look_level
from heliast.predictions import Predictions
from heliast.verbs.comparison import Difference
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models, pair_models


@dataclass(frozen=True)
class Looks:
    """One analysis, analysis number `look` of `of` planned ones, or `always`: any number of them.

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
        match = re.fullmatch("([0-9]{1,4})/([0-9]{1,4})", str(words))
        if match is None:
            raise InputError(f"looks={words!r}: choose 'one', 'any', or a planned one like '2/5'")
        look, of = map(int, match.groups())
        look_level(look, of)  # refuses a look out of range
        return cls(words, look, of)

    def level(self, level: float) -> float:
        """The level of this analysis."""
        return level if self.of == 1 else look_level(self.look, self.of, level)

    @property
    def next(self) -> str:
        """The next planned analysis in words; empty if none is planned."""
        return f"analysis {self.look + 1} of {self.of}" if self.look < self.of else ""

    def options(self, options: Options, table: Predictions) -> Options:
        """The options of these analyses: any number of them has intervals of its own."""
        if self.words != "one" and len(options.rows(table).splits) > 1:
            raise InputError(
                f"looks={self.words!r} is for one test set, here are several splits: with more "
                "rows they train other models; test one model on out-of-sample rows"
            )
        if not self.always:
            return options
        if (options.method, options.test) != ("auto", "auto"):
            raise InputError("looks='any' has intervals of its own: leave out interval= and test=")
        return options.but(interval="sequence")


def single_difference(table: Predictions, options: Options, a: str, b: str) -> Difference:
    """The difference a - b for one analysis, with its caveats; no equivalence margin is used."""
    comparison = compare_models(table, options.but(margin=0.0))
    pair = comparison[a, b]
    notes = dict.fromkeys((*pair.notes, *comparison.notes))
    return replace(pair, notes=tuple(note for note in notes if note not in table.notes))


def anytime_difference(table: Predictions, options: Options, a: str, b: str) -> Difference:
    """The difference a - b with limits that hold at all analyses together.

    Losses of known bounds: a betting confidence sequence of the differences of rows. Everything
    else, and rows in groups: the usual interval at the level of one of any number of analyses.
    """
    measure, level = options.only_measure(table.task), options.level
    field = pair_models(table, options.but(measures=measure))
    first = field.rows[field.models[0]]
    n = float(first.n if field.groups is None else field.groups)
    each = any_level(n, level)
    low, high = measure.range(first.classes)
    span = high - low
    plain = first.group is None and first.weight_kind != "sampling" and first.design == "rows"
    if field.losses is None or not (np.isfinite(span) and plain):
        pair = single_difference(table, options.but(level=each), a, b)
        method = f"asymptotic confidence sequence, {pair.method} at {100 * each:.5g}%"
        return replace(
            pair, level=level, each_level=each, method=method, test="sequence",
            notes=(*pair.notes, ASYMPTOTIC),
        )  # fmt: skip
    losses = field.losses[a] - field.losses[b]
    counts = np.ones(losses.size) if first.weight is None else first.weight
    low, high = bet(losses, counts, (-span, span), level)
    return Difference(
        a, b, measure.title, float(np.average(losses, weights=counts)), low, high, level=level,
        method="confidence sequence of the paired difference by betting", n=float(counts.sum()),
        each_level=each, unit="items" if table.task == "graded" else "test rows", test="sequence",
    )  # fmt: skip
