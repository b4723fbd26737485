"""Comparison: what `compare` found, as a record with its views."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.notes import Note
from heliast._core.records import Says, Shown, Spoken, named
from heliast.comparisons import (
    Answer,
    BayesResult,
    Finding,
    NemenyiResult,
    TestResult,
    finding,
    gives_probabilities,
    holm,
)
from heliast.measures import Measure
from heliast.verbs.difference import Difference as Difference
from heliast.verbs.question import Question
from heliast.verbs.slices import Slices
from heliast.views.comparing import (
    comparison_html,
    comparison_sentence,
    comparison_text,
    more_words,
    ranking_words,
)
from heliast.views.methods import Methods, comparison_methods
from heliast.views.papers import check_style, comparison_sheet
from heliast.views.sheets import Sheet

if TYPE_CHECKING:
    from heliast.views.plots import Plot

USUAL, RARE, NEAR = 0.01, 10, 2
MOST_MODELS = 50
"""Of more models than this not every pair is tested: their number grows with the square."""
"""The usual margin of measures between 0 and 1, and how often that the rest must be: the share
of other classes, and the distance from perfection."""


@dataclass(frozen=True)
class Rank(Shown):
    """The ranks that a model may truly have among those compared, 1 the best.

    Parameters
    ----------
    model : str
        The model.
    value : float
        Its value.
    best, worst : int
        The first and the last rank that it may have: so many models are shown to be better, and
        worse. The ranks of all models hold together with the level of the comparison.

    Examples
    --------
    >>> Rank("tree", 0.12, 1, 2).words
    '1 to 2'
    """

    model: str
    value: float
    best: int
    worst: int

    @property
    def words(self) -> str:
        """The ranks in words."""
        return str(self.best) if self.best == self.worst else f"{self.best} to {self.worst}"


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Spoken, Listing[Difference]):
    """Every pair of models on one measure; `comparison[a, b]` finds one, also the other way round.

    Parameters
    ----------
    pairs : tuple of Difference
        Each pair of models.
    models : tuple of str
        The models compared.
    measure : str
        What they are compared by.
    values : mapping of str to float
        Each model's own value.
    better : {"low", "high"}
        Which values are better.
    level : float
        The level of intervals; 1 minus it is that of tests.
    margin : float, optional
        The largest difference that does not matter, if there is one.
    correction : {"holm", "none"}
        Whether p and intervals are corrected for the number of pairs.
    reason_for_test : str
        Why this test was taken.
    omnibus : TestResult, optional
        Whether any model differs, where such a test exists.
    nemenyi : NemenyiResult, optional
        Mean ranks and the critical difference over many data sets: for display, as it depends on
        the pool of models.
    notes : tuple of str
        What is to be said beside.
    left_out : mapping of str to str
        Models that could not be compared, and why.
    slices : Slices, optional
        The differences in each slice, where slices were asked for: whether they change with it.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.verbs.compare import compare
    >>> truth = ["a", "b"] * 20
    >>> table = hl.Predictions.of(truth, truth, model="first", row=range(40))
    >>> other = hl.Predictions.of(truth, ["a"] * 40, model="second", row=range(40))
    >>> found = compare(table.join(other))
    >>> found["first", "second"].value, found["second", "first"].verdict
    (-0.5, 'worse')
    """

    _says: ClassVar[Says] = comparison_sentence, comparison_text, comparison_html
    _listed: ClassVar[str] = "pairs"
    pairs: tuple[Difference, ...]
    models: tuple[str, ...]
    measure: str
    values: Mapping[str, float]
    better: str = "low"
    level: float = 0.95
    margin: float | None = None
    correction: str = "none"
    reason_for_test: str = ""
    omnibus: TestResult | None = None
    nemenyi: NemenyiResult | None = None
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    slices: Slices | None = None

    def __getitem__(self, key: tuple[str, str]) -> Difference:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError("ask for two models: [a, b]")
        if self.tested(*key):
            one = self._places.get(key)
            return self._places[key[1], key[0]].reversed if one is None else one
        raise KeyError(self._missing(*key))

    @cached_property
    def _places(self) -> dict[tuple[str, str], Difference]:
        return {(one.a, one.b): one for one in reversed(self.pairs)}

    def tested(self, a: str, b: str) -> bool:
        """Whether two models were compared: of very many, the best is compared with each.

        Parameters
        ----------
        a, b : str
            Names of models.

        Returns
        -------
        bool
            Whether there is a difference of the two.
        """
        return (a, b) in self._places or (b, a) in self._places

    def _missing(self, a: object, b: object) -> str:
        for name in (a, b):
            if name in self.left_out:
                return f"{name} was left out: {self.left_out[str(name)]}"
            if name not in self.models:
                return f"no model named {name!r}; there are: {', '.join(self.models)}"
        if a != b:
            return f"{a!r} and {b!r} were not compared, as there are very many: take the two alone"
        return f"{a!r} is one model: name two"

    @property
    def order(self) -> tuple[str, ...]:
        """The models, best first: by their value, or by mean rank over several data sets."""
        if self.nemenyi is not None:
            ranks = dict(zip(self.models, self.nemenyi.ranks, strict=True))
            return tuple(sorted(self.models, key=ranks.__getitem__))
        sign = 1.0 if self.better == "low" else -1.0
        return tuple(sorted(self.models, key=lambda model: sign * self.values[model]))

    @property
    def ranking(self) -> str:
        """The models, best first, and in words which of them are not told apart."""
        return ranking_words(self)

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The ranks that each model may truly have, those of all models together; best first.

        A model has as many before it as are shown to be better, and as many after it as are shown
        to be worse. All intervals of differences hold together (Bonferroni), and then so do the
        ranks. Empty where intervals were not corrected, and for several data sets.

        References
        ----------
        D. Al Mohamad, J. J. Goeman and E. W. van Zwet (2022), Simultaneous confidence intervals for
        ranks with application to ranking institutions, Biometrics 78; M. Mogstad, J. Romano, A.
        Shaikh and D. Wilhelm (2024), Inference for ranks, Review of Economic Studies 91.
        """
        corrected = self.correction == "holm" or len(self.pairs) == 1
        if not corrected or self.nemenyi is not None or self.unit == "data sets":
            return ()
        above, below = dict.fromkeys(self.models, 0), dict.fromkeys(self.models, 0)
        for one in self.pairs:
            if one.significant:
                first, last = (one.a, one.b) if one.better else (one.b, one.a)
                below[first] += 1
                above[last] += 1
        count = len(self.models)
        return tuple(
            Rank(model, self.values[model], 1 + above[model], count - below[model])
            for model in self.order
        )

    @property
    def unit(self) -> str:
        """What models were compared by: rows, items, data sets."""
        return self.pairs[0].unit if self.pairs else "rows"

    @property
    def more_cases(self) -> str:
        """About how many more cases would decide what is undecided of the best; empty if none."""
        return more_words(self)

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The fields, the sentence and the ranking.
        """
        names = (
            "sentence more_cases measure better level margin correction reason_for_test models "
            "values ranking ranks pairs omnibus nemenyi left_out notes"
        )
        return named(self, names if self.slices is None else f"{names} slices")

    def table(self, style: str = "paper", *, caption: str = "", label: str = "") -> Sheet:
        """Every pair as a table to print: difference, interval, p and verdict.

        Parameters
        ----------
        style : {"paper"}
            Differences that are told from 0 in bold.
        caption, label : str
            Those of the table; if empty they are made, and the caption says which test was used.

        Returns
        -------
        Sheet
            With `to_latex()`, `to_markdown()`, `to_html()` and `to_csv()`.

        Raises
        ------
        InputError
            If there is no such style.
        """
        check_style(style)
        return comparison_sheet(self, caption, label)

    def methods(self) -> Methods:
        """How the numbers were made, in sentences for a paper, with references.

        Returns
        -------
        Methods
            `text`, `latex`, `markdown` and `bibtex`.
        """
        return comparison_methods(self)

    def plot(self, **options: Any) -> "Plot":
        """Every model against every other: `plots.comparison_matrix`.

        `plots.critical_difference` shows the mean ranks over several data sets.

        Parameters
        ----------
        **options : Any
            Options of the plot.

        Returns
        -------
        Plot
            A plot with `save`, `to_svg` and `to_axes`.
        """
        from heliast.views import plots

        return plots.comparison_matrix(self, **options)

    def svg(self, **options: Any) -> str:
        """The same as SVG.

        Parameters
        ----------
        **options : Any
            Options of the plot.

        Returns
        -------
        str
            A standalone SVG.
        """
        return self.plot(**options).to_svg()


# --- from tests to verdicts --------------------------------------------------------------------


class Models(Protocol):
    """What is compared: models with values on the same rows."""

    left_out: dict[str, str]
    values: dict[str, float]
    notes: tuple[str, ...]

    @property
    def models(self) -> tuple[str, ...]: ...
    def identical(self, a: str, b: str) -> bool: ...


@dataclass(frozen=True)
class Design:
    """How pairs of these models are tested, and what that speaks of."""

    tested: Answer
    target: str
    unit: str
    n_train: float | None = None
    nemenyi: NemenyiResult | None = None
    bayes: Callable[[str, str], BayesResult] | None = None
    kind: str = ""
    """In the words of the map of coverage."""
    won: Callable[[str, str], tuple[int, int, int] | None] | None = None


def judged(
    found: Models, design: Design, question: Question, measure: Measure, against: str = ""
) -> Comparison:
    """Every pair tested, p corrected, intervals made to hold together, verdicts given.

    With `against`, the pairs of each other model and that one.
    """
    tested, level = design.tested, question.level
    pairs, untested = _tested(found, design, measure)
    if against:
        pairs, untested = [(one, against) for one in found.models if one != against], 0
    alone = [tested.pair(a, b, level) for a, b in pairs]
    margin, said = with_margin(found, question, measure)
    raw, why = [one.p for one in alone], tested.why
    adjusted, joint, notes = raw, level, (*found.notes, *tested.notes, *said)
    if len(pairs) > 1 and question.correction == "holm":
        corrected = holm(raw, level, untested)
        adjusted, joint = list(corrected.p), corrected.joint_level
        why += f"; p corrected for {len(pairs) + untested} pairs by Holm"
        notes += (f"intervals hold together: each has level {joint:.4g} (Bonferroni)",)
    elif len(pairs) > 1:
        notes += (f"p and intervals are not corrected for {len(pairs)} pairs",)
    if untested:
        notes += (
            f"{len(found.models)} models: the best is compared with each other, and corrected for "
            "all pairs, as it was chosen by these rows; for other pairs take the two models alone",
        )
    asked = question.but(margin=margin)
    differences = tuple(
        _judge(found, design, asked, measure, one, pair, p, joint)
        for pair, one, p in zip(pairs, alone, adjusted, strict=True)
    )
    return Comparison(
        pairs=differences, models=found.models, measure=measure.title, values=dict(found.values),
        better=measure.better, level=level, margin=margin,
        correction=question.correction if len(pairs) > 1 else "none", reason_for_test=why,
        omnibus=tested.omnibus, nemenyi=design.nemenyi, notes=notes, left_out=dict(found.left_out),
    )  # fmt: skip


def _tested(found: Models, design: Design, measure: Measure) -> tuple[list[tuple[str, str]], int]:
    """The pairs to test, and how many are left untested: of very many models those of the best."""
    models = found.models
    every = len(models) * (len(models) - 1) // 2
    if len(models) <= MOST_MODELS or design.nemenyi is not None:
        return list(combinations(models, 2)), 0
    sign = 1.0 if measure.better == "low" else -1.0
    best = min(models, key=lambda model: sign * found.values[model])
    at = models.index(best)
    pairs = [(one, best) for one in models[:at]] + [(best, one) for one in models[at + 1 :]]
    return pairs, every - len(pairs)


def usual_margin(question: Question, measure: Measure) -> float | None:
    """The margin that the user gives, or that is usual for such a measure."""
    if question.margin is not None:
        return _smaller(question.margin, measure)
    bounded = measure.bounds[0] >= 0 and measure.bounds[1] <= 1
    if not bounded and gives_probabilities(question.test):
        raise InputError(
            f"test={question.test!r}: give margin=, the largest difference of {measure.title} that "
            "does not matter (0 if each does)"
        )
    return USUAL if bounded else None


def _smaller(margin: float, measure: Measure) -> float:
    """The margin, if some values of the measure differ by more."""
    low, high = measure.bounds
    if margin < high - low:
        return margin
    hint = f" (did you mean {margin / 100:g}?)" if margin / 100 < high - low else ""
    raise InputError(
        f"margin={margin:g}: {measure.title} lies between {low:g} and {high:g}, so that no "
        f"difference would matter; give a smaller one{hint}"
    )


def with_margin(
    found: Models, question: Question, measure: Measure
) -> tuple[float | None, tuple[str, ...]]:
    """The margin, but not the usual one d where that is too coarse, and why.

    Where nearly all rows are of one class, or a model is nearly perfect, models that differ by
    all that matters can lie within d of each other. Three probabilities need a margin and show it.
    """
    margin = usual_margin(question, measure)
    if question.margin is not None or margin is None or gives_probabilities(question.test):
        return margin, ()
    (low, high), values = measure.bounds, found.values.values()
    left = high - max(values) if measure.better == "high" else min(values) - low
    rest, why = getattr(found, "rarest", math.nan), ""  # data sets have shares of their own
    if rest < RARE * margin:
        why = f"only {rest:.1%} of the rows are outside the largest class"
    elif left < NEAR * margin:
        why = f"the best model is only {left:.2g} away from a perfect {measure.title}"
    if not why:
        return margin, ()
    need = "give margin=, the largest difference that does not matter, to ask for equivalence"
    return None, (f"no margin of {margin:g} is taken: {why}; {need}",)


def _judge(
    found: Models, design: Design, question: Question, measure: Measure, alone: TestResult,
    names: tuple[str, str], p: float, joint: float,
) -> Difference:  # fmt: skip
    test, level = design.tested.pair, question.level
    one = alone if joint == level else test(*names, joint, again=True)
    inner = test(*names, max(0.01, 1 - 2 * (1 - joint)), again=True)
    notes = tuple(dict.fromkeys((*alone.notes, *one.notes)))
    same = alone.identical or one.identical
    if same and not found.identical(*names):
        same, notes = False, ("no difference seen here, though the predictions differ",)
    if not math.isnan(one.low) and (p < 1 - level) != (one.low > 0 or one.high < 0):
        notes += (Note("p and interval do not agree: undecided", "disagree"),)
    kind = Finding("identical")
    if not same:
        kind = finding(
            one.value, one.low, one.high, inner.low, inner.high, question.margin or 0.0,
            measure.better, p=p, level=level,
        )  # fmt: skip
    span = measure.bounds[1] - measure.bounds[0]
    return Difference(
        *names, measure.title, value=one.value, low=-span if one.low < -span else one.low,
        high=span if one.high > span else one.high, p=p, level=level, method=alone.method,
        target=design.target, n=alone.n, n_train=design.n_train, n_effective=alone.n_effective,
        finding=kind, notes=notes, reason=one.reason, p_alone=alone.p, each_level=joint,
        df=alone.df if isinstance(alone.df, float) else math.nan, unit=design.unit,
        bayes=None if design.bayes is None else design.bayes(*names), margin=question.margin,
        low90=inner.low, high90=inner.high, test=alone.test, design=design.kind,
        won=None if design.won is None else design.won(*names),
    )  # fmt: skip
