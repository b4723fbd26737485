"""Difference and Comparison: what `compare` found, pair by pair."""

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heliast._core.errors import InputError
from heliast._core.level import quantile
from heliast._core.records import Shown, as_dict, named
from heliast.comparisons import (
    BayesResult,
    Finding,
    NemenyiResult,
    TestResult,
    cases_for_equivalence,
    cases_for_mcnemar,
    cases_to_decide,
    out_of_reach,
)
from heliast.estimates import LEVEL, Coverage, Needed, of_difference
from heliast.verbs.slices import Slices
from heliast.views.methods import Facts
from heliast.views.numbers import (
    Measured,
    capital,
    ci,
    interval,
    join_words,
    measure_name,
    method_name,
    p_value,
    short_name,
    size_of_difference,
    two_digits,
    unit_of_difference,
    value_text,
)
from heliast.views.record import Column, Record, Table
from heliast.views.tables import pairs_table

if TYPE_CHECKING:
    from heliast.views.plots import Plot

NAME = 30
NO_FINDING = Finding()
DECIDED = ("better", "worse", "equivalent", "identical")
FRESH = "plan them for one analysis: the rows at hand were looked at already"


@dataclass(frozen=True)
class Difference(Shown):
    """Model a compared with model b: the difference a minus b, its interval, p value and verdict.

    Parameters
    ----------
    a, b : str
        The two models.
    measure : str
        What is compared.
    value, low, high : float
        a minus b, and its interval.
    p : float
        The p value, adjusted for the number of pairs.
    level : float
        The simultaneous level of the intervals of all pairs.
    method : str
        The test in words.
    target : {"model", "algorithm"}
        What the difference is of: these fitted models, or the learning algorithms.
    n, n_effective : float
        Units compared, and how many bear on the test; `unit` says what is counted.
    n_train : float, optional
        Training rows of an algorithm.
    finding : Finding
        The verdict on a.
    notes : tuple of str
        Caveats.
    reason : str
        Why something is missing.
    p_alone : float
        The p value of this pair, not adjusted.
    each_level : float
        The level of this interval by itself.
    df : float
        Degrees of freedom of a t test.
    unit : str
        What `n` counts.
    bayes : BayesResult, optional
        Posterior probabilities, if asked for.
    margin : float, optional
        The equivalence margin.
    low90, high90 : float
        The interval that must lie inside the margin for equivalence.
    test : str
        The name of the test, such as `mcnemar`.
    won : tuple of int, optional
        Rows on which a is better, as good, worse.
    design : str
        The design in the words of the coverage map.

    Examples
    --------
    >>> Difference("tree", "knn", "error", 0.03, 0.01, 0.05, 0.002, finding=Finding("worse"))
    Difference(tree - knn, error: 0.03 [0.01, 0.05], p = 0.002, worse)
    """

    a: str
    b: str
    measure: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    p: float = math.nan
    _: KW_ONLY
    level: float = 0.95
    method: str = ""
    target: str = "model"
    n: float = math.nan
    n_train: float | None = None
    n_effective: float = math.nan
    finding: Finding = NO_FINDING
    notes: tuple[str, ...] = ()
    reason: str = ""
    p_alone: float = math.nan
    each_level: float = math.nan
    df: float = math.nan
    unit: str = "rows"
    bayes: BayesResult | None = None
    margin: float | None = None
    low90: float = math.nan
    high90: float = math.nan
    test: str = ""
    won: tuple[int, int, int] | None = None
    design: str = field(default="", compare=False, repr=False)

    @property
    def verdict(self) -> str:
        """What may be said of a, in words."""
        return "inconclusive" if self.inconclusive else str(self.finding)

    @property
    def better(self) -> bool:
        """Whether a is significantly better."""
        return self.finding.kind == "better"

    @property
    def worse(self) -> bool:
        """Whether a is significantly worse."""
        return self.finding.kind == "worse"

    @property
    def significant(self) -> bool:
        """Whether the two differ significantly: p and the interval agree."""
        return self.finding.significant

    @property
    def beyond(self) -> bool:
        """Whether they differ significantly by more than the margin."""
        return self.finding.significant and self.finding.beyond

    @property
    def equivalent(self) -> bool:
        """Whether the difference is shown to lie within the margin."""
        return self.finding.kind == "equivalent"

    @property
    def identical(self) -> bool:
        """Whether no prediction differs."""
        return self.finding.kind == "identical"

    @property
    def inconclusive(self) -> bool:
        """Whether neither a difference nor equivalence is shown."""
        return self.finding.kind not in DECIDED

    @property
    def se(self) -> float:
        """The standard error that the interval implies."""
        df = None if math.isnan(self.df) else self.df
        return (self.high - self.low) / 2 / quantile(self._own_level, df)

    def cases_to_decide(
        self,
        *,
        bar: float = 0.0,
        margin: float | None = None,
        power: float = 0.8,
        value: float | None = None,
    ) -> Needed:
        """How many new cases decide between these models, from the margin and the spread.

        The observed difference is no guide: after an inconclusive comparison it is mostly chance.
        The number is enough that a true difference as large as the margin is significant with
        probability `power` and, where `bar` is 0, that models without a difference are shown to be
        equivalent as often. McNemar's test is planned exactly; the others by their standard error.

        Parameters
        ----------
        bar : float
            The difference to be told from.
        margin : float, optional
            The equivalence margin; that of the comparison if not given.
        power : float
            The probability to decide.
        value : float, optional
            A true difference to plan for, instead of the margin.

        Returns
        -------
        Needed
            The number of cases, all of them new.

        Examples
        --------
        >>> seen = Difference("tree", "knn", "error", 0.02, -0.01, 0.05, 0.2, n=500)
        >>> seen.cases_to_decide(value=0.03).cases
        1022
        """
        margin = self.margin if margin is None else margin
        why = ""
        if not margin and value is None:
            why = "give margin=, the smallest difference that matters, to plan with"
        elif not (self._spread > 0 and self.n > 0):
            why = self.reason or "the difference has no interval"
        if why:
            return Needed(f"the difference is told from {bar:g}", unit=self.unit, reason=why)
        true = bar + (margin or 0.0) if value is None else value
        needed = self._cases_for(true, bar, power)
        if value is None and bar == 0:
            same = cases_for_equivalence(
                0.0, self._spread, true, power=power, level=self._own_level, df=self._freedom,
                now=self.n,
            )  # fmt: skip
            what = f"{needed.what}, and no difference shown to be within it,"
            needed = replace(needed, cases=max(needed.cases, same.cases), what=what)
        notes: tuple[str, ...] = (FRESH,)
        if self.target == "algorithm" and self.unit == "rows":
            notes += ("more rows also train other models, whose difference may be another",)
        return replace(needed, more=needed.cases, fresh=True, unit=self.unit, notes=notes)

    def _cases_for(self, true: float, bar: float, power: float) -> Needed:
        if bar == 0 and self.test == "mcnemar" and true != 0:
            # The share of discordant rows stays; the margin divides them.
            share = max(self.n_effective, abs(true) * self.n)
            more, fewer = (max(0.0, (share + sign * true * self.n) / 2) for sign in (1, -1))
            needed = cases_for_mcnemar(more, fewer, self.n, power=power, level=self._own_level)
        else:
            needed = cases_to_decide(
                true, self._spread, bar=bar, power=power, level=self._own_level, df=self._freedom,
                now=self.n,
            )  # fmt: skip
        return replace(needed, what=f"a difference of {true:g} is told from {bar:g}")

    @property
    def _spread(self) -> float:
        """The standard deviation of one case."""
        return self.se * math.sqrt(self.n)

    @property
    def _own_level(self) -> float:
        return self.level if math.isnan(self.each_level) else self.each_level

    @property
    def _freedom(self) -> float:
        return math.inf if math.isnan(self.df) else self.df

    @property
    def reversed(self) -> "Difference":
        """The same difference as b minus a."""
        bayes = self.bayes
        if bayes is not None:
            bayes = replace(
                bayes, value=0.0 - bayes.value, low=0.0 - bayes.high, high=0.0 - bayes.low,
                a_better=bayes.b_better, b_better=bayes.a_better,
            )  # fmt: skip
        return replace(
            self, a=self.b, b=self.a, value=0.0 - self.value, low=0.0 - self.high,
            high=0.0 - self.low, low90=0.0 - self.high90, high90=0.0 - self.low90,
            finding=self.finding.reversed, bayes=bayes,
            won=None if self.won is None else self.won[::-1],
        )  # fmt: skip

    @property
    def coverage(self) -> Coverage | None:
        """How often such intervals covered in the coverage map; None where nothing was measured."""
        if self.level != LEVEL or self.unit == "data sets" or not self.low <= self.high:
            return None
        return of_difference(self.measure, self.test, self.design, self.n)

    def to_dict(self) -> dict[str, object]:
        """The fields as plain values; `verdict` and `significant` stand for the finding.

        Returns
        -------
        dict
            Field names and plain values.
        """
        fields = as_dict(self)
        del fields["finding"]
        return {**fields, "verdict": self.verdict, "significant": self.significant}

    def __repr__(self) -> str:
        limits = "" if math.isnan(self.low) else f" [{self.low:.4g}, {self.high:.4g}]"
        head = f"{self.a} - {self.b}, {self.measure}: {self.value:.4g}{limits}"
        return f"Difference({head}, p = {self.p:.3g}, {self.verdict})"


@dataclass(frozen=True)
class Rank(Shown):
    """The rank confidence set of a model among those compared; 1 is best.

    Parameters
    ----------
    model : str
        The model.
    value : float
        Its value.
    best, worst : int
        The first and the last rank that it may have, simultaneously for all models.

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
class Comparison(Record):
    """Pairs of models on one measure; `comparison[a, b]` finds one, in either order.

    Parameters
    ----------
    pairs : tuple of Difference
        The pairs tested.
    models : tuple of str
        The models compared.
    measure : str
        What they are compared by.
    values : mapping of str to float
        Each model's own value.
    better : {"low", "high"}
        Which values are better.
    level : float
        The simultaneous level of intervals; 1 minus it is the family-wise level of tests.
    margin : float, optional
        The equivalence margin.
    correction : {"holm", "none"}
        How p values are adjusted.
    reason_for_test : str
        Why this test was used.
    omnibus : TestResult, optional
        The test of all models at once.
    nemenyi : NemenyiResult, optional
        Mean ranks and critical difference over data sets, for display.
    notes : tuple of str
        Caveats.
    left_out : mapping of str to str
        Models that could not be compared, and why.
    slices : Slices, optional
        The differences in each slice.
    against : str
        The model that every other is compared with; empty where all pairs are.

    Examples
    --------
    >>> import heliast as hl
    >>> truth = ["a", "b"] * 20
    >>> found = hl.compare(truth, {"first": truth, "second": ["a"] * 40})
    >>> found["first", "second"].value, found["second", "first"].verdict
    (-0.5, 'worse')
    """

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
    against: str = ""

    def __iter__(self) -> Iterator[Difference]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, key: tuple[str, str]) -> Difference:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError("ask for two models: [a, b]")
        a, b = key
        if self.tested(a, b):
            pair = self._places.get(key)
            return self._places[b, a].reversed if pair is None else pair
        for name in key:
            if name in self.left_out:
                raise KeyError(f"{name} was left out: {self.left_out[name]}")
            if name not in self.models:
                raise KeyError(f"no model named {name!r}; there are: {', '.join(self.models)}")
        if a == b:
            raise KeyError(f"{a!r} is one model: name two")
        raise KeyError(
            f"{a!r} and {b!r} were not compared: each model is compared with {self.against!r}"
        )

    @cached_property
    def _places(self) -> dict[tuple[str, str], Difference]:
        return {(pair.a, pair.b): pair for pair in reversed(self.pairs)}

    def tested(self, a: str, b: str) -> bool:
        """Whether two models were compared.

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

    @property
    def order(self) -> tuple[str, ...]:
        """The models, best first: by value, or by mean rank over several data sets."""
        if self.nemenyi is not None:
            ranks = dict(zip(self.models, self.nemenyi.ranks, strict=True))
            return tuple(sorted(self.models, key=ranks.__getitem__))
        sign = 1.0 if self.better == "low" else -1.0
        return tuple(sorted(self.models, key=lambda model: sign * self.values[model]))

    @property
    def reference(self) -> str:
        """The model that the summary compares the others with: that of `against`, or the best."""
        return self.against or self.order[0]

    @property
    def ranks(self) -> tuple[Rank, ...]:
        """The rank confidence set of each model, simultaneous, best first.

        A model has as many before it as are significantly better, and as many after it as are
        significantly worse. Empty without adjustment, and for several data sets.

        References
        ----------
        D. Al Mohamad, J. J. Goeman and E. W. van Zwet (2022), Simultaneous confidence intervals for
        ranks with application to ranking institutions, Biometrics 78; M. Mogstad, J. Romano, A.
        Shaikh and D. Wilhelm (2024), Inference for ranks, Review of Economic Studies 91.
        """
        adjusted = self.correction == "holm" or len(self.pairs) == 1
        if not adjusted or self.nemenyi is not None or self.unit == "data sets":
            return ()
        above, below = dict.fromkeys(self.models, 0), dict.fromkeys(self.models, 0)
        for pair in self.pairs:
            if pair.significant:
                first, last = (pair.a, pair.b) if pair.better else (pair.b, pair.a)
                below[first] += 1
                above[last] += 1
        count = len(self.models)
        return tuple(
            Rank(model, self.values[model], 1 + above[model], count - below[model])
            for model in self.order
        )

    @property
    def unit(self) -> str:
        """What models were compared on: rows, items, data sets."""
        return self.pairs[0].unit if self.pairs else "rows"

    # --- words -----------------------------------------------------------------------------

    @property
    def summary(self) -> str:
        """Which model is best and which others differ from it significantly."""
        return f"{self.limit}. {self._answer}" if self.limit else self._answer

    @property
    def limit(self) -> str:
        """Why no data could make a pair significant (Wilcoxon, sign test); empty if some could."""
        if self.unit != "data sets" or self.pairs[0].test == "paired_t":
            return ""
        pair = self.pairs[0]
        family = round((1 - self.level) / (1 - pair._own_level))
        return out_of_reach(int(pair.n), family, self.level)

    @property
    def _answer(self) -> str:
        if len(self.pairs) == 1:
            return self.pair_summary(self.pairs[0])
        reference = self.reference
        head = "Best" if reference == self.order[0] else "Reference"
        value = f"{measure_name(self.measure)} {value_text(self.values[reference], self.measure)}"
        return f"{head}: {short_name(reference, NAME)}, {value}. {self.verdict}"

    @property
    def verdict(self) -> str:
        """Which models differ significantly from the best, or from that of `against`."""
        reference, parts = self.reference, []
        others = [model for model in self.order if model != reference]
        for words, attribute in (("better than", "better"), ("worse than", "worse")):
            names = [m for m in others if getattr(self[reference, m], attribute)]
            if names:
                all_rows = "both models" if len(others) == 2 else f"all {len(others)} models"
                which = f"{len(names)} of {len(others)} models"
                which = all_rows if len(names) == len(others) else which
                parts.append(f"significantly {words} {which}")
        same = [short_name(m, NAME) for m in others if not self[reference, m].significant]
        if same and parts:
            parts.append(f"no significant difference from {join_words(same, 5)}")
        elif same:
            parts.append("no significant difference from any other model")
        return f"{capital('; '.join(parts))} ({self.family})."

    @property
    def family(self) -> str:
        """How p values are adjusted, and the level of the tests."""
        alpha = f"{100 * (1 - self.level):.3g}%"
        if self.correction == "holm":
            return f"Holm-adjusted, family-wise {alpha}"
        return f"each at {alpha}, not adjusted"

    def pair_summary(self, pair: Difference) -> str:
        """A pair in words.

        Parameters
        ----------
        pair : Difference
            One of the pairs, in either order.

        Returns
        -------
        str
            A sentence.
        """
        if pair.value > 0 if self.better == "low" else pair.value < 0:
            pair = pair.reversed
        a, b = short_name(pair.a, NAME), short_name(pair.b, NAME)
        name = measure_name(self.measure)
        if pair.identical:
            return f"{a} and {b} make identical predictions."
        gain = self._gain(pair, pair.low, pair.high)
        limits = f"{interval(gain, pair.level)}, ".replace("+", "") if gain.figures.known else ""
        p = "" if math.isnan(pair.p) else f"{p_value(pair.p)}, "
        sure = f"({limits}{p}{method_name(pair.method)})"
        side = "lower" if self.better == "low" else "higher"
        size = f"{side} by {size_of_difference(gain)}" if pair.value else "equal"
        head = f"{a} vs {b}: {name} {size} {sure}"
        if pair.significant:
            return f"{head}: significantly better{self._beyond(pair)}."
        if pair.equivalent:
            inner = self._gain(pair, pair.low90, pair.high90)
            level = 2 * pair._own_level - 1
            limits = interval(inner, level).replace("+", "")
            return f"{head}: equivalent within {self.margin_text} ({limits})."
        why = f" {capital(pair.reason)}." if pair.reason and math.isnan(pair.low + pair.p) else ""
        return f"{head}: inconclusive.{why}"

    def _gain(self, pair: Difference, low: float, high: float) -> Measured:
        """The difference turned so that more is better."""
        ends = (pair.value, low, high)
        if self.better == "low":
            ends = (0.0 - pair.value, 0.0 - high, 0.0 - low)
        return Measured(*ends, unit_of_difference(self.measure))

    def _beyond(self, pair: Difference) -> str:
        if not self.margin:
            return ""
        more = "by more" if pair.beyond else "perhaps by less"
        return f", {more} than the equivalence margin of {self.margin_text}"

    @property
    def margin_text(self) -> str:
        """The equivalence margin with its unit."""
        if unit_of_difference(self.measure) != "points":
            return f"{self.margin or 0.0:g}"
        points = 100 * (self.margin or 0.0)
        return f"{points:g} point{'' if points == 1 else 's'}"

    @property
    def more_cases(self) -> str:
        """How many new cases would decide between the best and the next; empty if decided."""
        others = (self[self.reference, model] for model in self.order if model != self.reference)
        pair = next((pair for pair in others if pair.inconclusive), None)
        if pair is None or not self.margin:
            return ""
        needed = pair.cases_to_decide(margin=self.margin)
        if not math.isfinite(needed.cases):
            return ""
        which = "" if len(self.pairs) == 1 else f" for {short_name(pair.a)} vs {short_name(pair.b)}"
        return (
            f"About {two_digits(needed.cases)} new {needed.unit} give {needed.power:.0%} power"
            f"{which} at an equivalence margin of {self.margin_text}; do not reuse these "
            f"{pair.n:,.0f} {pair.unit}."
        )

    @property
    def remarks(self) -> tuple[str, ...]:
        """The test that was used, and how many cases would decide."""
        remarks = [f"Test: {self.reason_for_test}."]
        if self.omnibus is not None:
            remarks.append(f"All models at once: {self.omnibus.method}, {p_value(self.omnibus.p)}.")
        if self.more_cases:
            remarks.insert(0, self.more_cases)
        return tuple(remarks)

    # --- tables ----------------------------------------------------------------------------

    def tables(self) -> tuple[Table, ...]:
        """The models against the reference, all pairs, probabilities where asked for, slices.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        title = f"Pairs: {measure_name(self.measure)} of a minus b, {self._heading}"
        tables = [pairs_table(self.pairs, self.level, title=title)]
        if len(self.models) > 2:
            tables = [self._models_table(), replace(tables[0], detail=True)]
        if any(pair.bayes is not None for pair in self.pairs):
            tables.append(self._probabilities())
        return (*tables, *(self.slices.tables() if self.slices is not None else ()))

    def _models_table(self) -> Table:
        reference, ranks = self.reference, {rank.model: rank.words for rank in self.ranks}
        unit = " (points)" if unit_of_difference(self.measure) == "points" else ""
        columns = [
            Column("model", kind="name"),
            Column(self.measure, measure_name(self.measure), "number"),
            Column("difference", f"vs {short_name(reference, 16)}{unit}", "measured", True),
            Column("p", kind="p", never_cut=True),
            Column("verdict", kind="verdict", never_cut=True),
        ]
        if ranks:
            columns.append(Column("ranks", "ranks"))
        rows = []
        for model in self.order:
            pair = None if model == reference else self[model, reference]
            cells: list[Any] = [model, value_text(self.values[model], self.measure)]
            if pair is None:
                cells += [None, None, None]
            else:
                cells += [Measured.difference(pair), pair.p, pair.verdict]
            rows.append((*cells, ranks[model]) if ranks else tuple(cells))
        title = f"{capital(measure_name(self.measure))}, differences with {self._heading}"
        return Table("models", title, tuple(columns), rows, most_rows=40)

    @property
    def _heading(self) -> str:
        many = len(self.pairs) > 1 and self.correction == "holm"
        return f"{'simultaneous ' if many else ''}{ci(self.level)}"

    def _probabilities(self) -> Table:
        pairs = [pair for pair in self.pairs if pair.bayes is not None]
        columns = (
            Column("a", kind="name"),
            Column("b", kind="name"),
            Column("a_better", "P(a better)", "share", True),
            Column("equivalent", f"P(within {self.margin or 0:g})", "share", True),
            Column("b_better", "P(b better)", "share", True),
        )
        rows = [
            (pair.a, pair.b, pair.bayes.a_better, pair.bayes.equivalent, pair.bayes.b_better)
            for pair in pairs
            if pair.bayes is not None
        ]
        note = f"{pairs[0].bayes.method if pairs[0].bayes else ''}: not adjusted for several pairs"
        return Table("probabilities", "Posterior probabilities", columns, rows, note=note)

    def records(self) -> list[dict[str, object]]:
        """A row for each pair.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [pair.to_dict() for pair in self.pairs]

    def facts(self) -> Facts:
        """The facts of a paragraph on methods.

        Returns
        -------
        Facts
            For `methods()`.
        """
        return Facts(
            self.models,
            self.level,
            measure=self.measure,
            pairs=self.pairs,
            correction=self.correction,
            margin=self.margin,
            omnibus=self.omnibus,
            nemenyi=self.nemenyi is not None and self.nemenyi.differing is None,
        )

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """The comparison matrix, and over data sets the critical-difference diagram.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        from heliast.views import plots

        makers: dict[str, Any] = {
            "comparison_matrix": lambda **options: plots.comparison_matrix(self, **options)
        }
        if self.nemenyi is not None:
            makers["critical_difference"] = lambda **options: plots.critical_difference(
                self, **options
            )
        return makers

    def to_dict(self) -> dict[str, object]:
        """The summary and the fields as plain values.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        names = (
            "summary more_cases measure better level margin correction against reason_for_test "
            "models values ranks pairs omnibus nemenyi left_out notes"
        )
        return named(self, names if self.slices is None else f"{names} slices")
