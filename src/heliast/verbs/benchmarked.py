"""Benchmark: several models on several data sets, ranked and compared over the data sets."""

import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.notes import Note
from heliast._core.records import Shown, named
from heliast.comparisons import NemenyiResult, row_ranks
from heliast.estimates import Estimate
from heliast.verbs.comparison import Comparison
from heliast.verbs.options import Options
from heliast.verbs.pairs import FEWEST_SETS, Matrix, compare_matrix
from heliast.views.methods import Facts
from heliast.views.numbers import (
    Measured,
    capital,
    ci,
    join_words,
    measure_name,
    plural,
    short_name,
)
from heliast.views.record import IMPORTANT, Column, Record, Table

if TYPE_CHECKING:
    from heliast.views.plots import Plot

ABOUT = (
    "p values and ranks are over data sets, each of which counts once; intervals in the table are "
    "over the rows of one"
)


@dataclass(frozen=True)
class Entry(Shown):
    """One model on one data set: its value with interval, and its rank there (1 is best).

    Parameters
    ----------
    data, model, measure : str
        Which.
    value, low, high : float
        The value and its interval; NaN where the model failed.
    level : float
        The confidence level.
    rank : float
        Among the models; NaN on a data set that is not ranked.
    n, n_train : float
        Test rows, and training rows.
    method, target : str
        The method of the interval, and what it is of.
    reason : str
        Why there is no value or no interval.
    se : float
        The standard error.
    key : str
        The name of the method, such as `wilson`.
    n_effective : float
        The effective sample size.
    """

    data: str
    model: str
    measure: str
    value: float = math.nan
    low: float = math.nan
    high: float = math.nan
    level: float = 0.95
    rank: float = math.nan
    n: float = math.nan
    n_train: float | None = None
    method: str = ""
    target: str = ""
    reason: str = ""
    se: float = math.nan
    key: str = ""
    n_effective: float = math.nan


@dataclass(frozen=True)
class Wins(Shown):
    """Data sets on which a is better than b, as good, worse; counts, without a test.

    Parameters
    ----------
    a, b : str
        The models, the better ranked first.
    wins, ties, losses : int
        Data sets on which a is better, as good, worse.
    """

    a: str
    b: str
    wins: int
    ties: int
    losses: int


@dataclass(frozen=True, eq=False)
class Tried:
    """One data set of a benchmark, and the estimates of the models on it.

    `identical` holds the pairs of models with the same predictions. `unbeaten` are the best model
    and those not significantly different from it on this data set, by `test` (in words `method`).
    """

    name: str
    n: int
    inputs: int
    classes: int
    target: str
    estimates: Mapping[str, Estimate]
    splits: int = 0
    identical: frozenset[tuple[str, str]] = frozenset()
    notes: tuple[str, ...] = ()
    data_fingerprint: str = ""
    plan_fingerprint: str = ""
    target_by: str = "told"
    unbeaten: tuple[str, ...] = ()
    test: str = ""
    method: str = ""

    def lacks(self, models: tuple[str, ...]) -> list[str]:
        """The models without a finite value here."""
        known = {name for name, item in self.estimates.items() if math.isfinite(item.value)}
        return [model for model in models if model not in known]

    def to_dict(self) -> dict[str, object]:
        """What is known of the data set, without values and times."""
        about = "name n inputs classes target splits data_fingerprint plan_fingerprint notes"
        identical = sorted(map(list, self.identical))
        return {**named(self, f"{about} target_by unbeaten test method"), "identical": identical}


@dataclass(frozen=True, eq=False, repr=False)
class Benchmark(Record):
    """Several models on several data sets; `benchmark[data, model]` finds one `Estimate`.

    Parameters
    ----------
    sets : tuple of Tried
        The data sets, with the estimate of each model.
    models : tuple of str
        The models with a value anywhere.
    measure, better : str
        What they are ranked by, and whether `low` or `high` is better.
    level : float
        The confidence level.
    comparison : Comparison or None
        The test over data sets; None if there are too few.
    reason : str
        Why there is no test.
    left_out, models_left_out : mapping
        Data sets that could not be used and models without any value, and why.
    plan, split_by : str
        The resampling plan, and in words.
    seed : int
        Random seed.
    options : Options or None
        The test over data sets, its margin and its correction.
    against : str
        `best`, or the model that every other is compared with.

    Examples
    --------
    >>> ones = {"a": Estimate(0.1, model="a"), "b": Estimate(0.2, model="b")}
    >>> found = Benchmark((Tried("iris", 150, 4, 3, "kind", ones),), ("a", "b"), "error")
    >>> found.ranks, found["iris", "b"].value, found.wins[0].wins
    ({'a': 1.0, 'b': 2.0}, 0.2, 1)
    """

    sets: tuple[Tried, ...]
    models: tuple[str, ...]
    measure: str
    better: str = "low"
    level: float = 0.95
    comparison: Comparison | None = None
    reason: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    models_left_out: Mapping[str, str] = field(default_factory=dict)
    plan: str = ""
    seed: int = 0
    options: Options | None = None
    split_by: str = ""
    against: str = ""

    def __getitem__(self, key: tuple[str, str]) -> Estimate:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError("ask for a data set and a model: [data, model]")
        data, model = key
        for tried in self.sets:
            if tried.name == data and model in tried.estimates:
                return tried.estimates[model]
        if data in self.left_out:
            raise KeyError(f"{data} was left out: {self.left_out[data]}")
        raise KeyError(f"no {model!r} on {data!r}; the models are {', '.join(self.models)}")

    @cached_property
    def incomplete(self) -> dict[str, str]:
        """The data sets that are not ranked, and the models that have no value there."""
        lacking = {tried.name: tried.lacks(self.models) for tried in self.sets}
        return {name: ", ".join(models) for name, models in lacking.items() if models}

    @property
    def complete(self) -> tuple[Tried, ...]:
        """The data sets that are ranked: every model has a value."""
        return tuple(tried for tried in self.sets if tried.name not in self.incomplete)

    def without(self, *models: str) -> "Benchmark":
        """The same data sets ranked and tested without some models.

        Parameters
        ----------
        *models : str
            Models to leave out.

        Returns
        -------
        Benchmark
            Of the other models.

        Raises
        ------
        InputError
            If there is no such model, or fewer than two are left.

        Examples
        --------
        >>> nothing = Estimate(math.nan, reason="failed")
        >>> ones = {"a": Estimate(0.1), "b": Estimate(0.2), "c": nothing}
        >>> found = Benchmark((Tried("iris", 150, 4, 3, "kind", ones),), ("a", "b", "c"), "error")
        >>> found.ranks, found.without("c").ranks
        ({}, {'a': 1.0, 'b': 2.0})
        """
        for model in models:
            if model not in self.models:
                raise InputError(f"no model {model!r}; the models are {', '.join(self.models)}")
        rest = tuple(model for model in self.models if model not in models)
        if len(rest) < 2:
            raise InputError(f"without {', '.join(models)}: a rank needs two models or more")
        return replace(self, models=rest, comparison=None).tested()

    def tested(self) -> "Benchmark":
        """The same with the test over data sets, or with the reason why there is none.

        Returns
        -------
        Benchmark
            With `comparison` or `reason`.
        """
        if why := self._too_few():
            return replace(self, comparison=None, reason=why)
        options = self.options or Options(measures=self.measure, level=self.level)
        matrix = Matrix(self.models, self.values, self.identical)
        against = self.against if self.against in ("", "best", *self.models) else ""
        return replace(self, comparison=compare_matrix(matrix, options, against), reason="")

    def _too_few(self) -> str:
        """Why no test is possible; empty if one is."""
        if len(self.models) < 2:
            return "fewer than two models have a value anywhere"
        n = len(self.complete)
        if n >= FEWEST_SETS:
            return ""
        lost = len(self.incomplete)
        more = f" ({lost} more where a model failed)" if lost else ""
        fix = ", or leave out the models that fail" if lost else ""
        return (
            f"{plural(n, 'complete data set')}{more}: with fewer than {FEWEST_SETS} no p below "
            f"0.05 exists; add data sets{fix}"
        )

    def identical(self, a: str, b: str) -> bool:
        """Whether two models make the same predictions on every data set that is ranked.

        Parameters
        ----------
        a, b : str
            Names of models.

        Returns
        -------
        bool
            Whether they do.
        """
        return all((a, b) in item.identical or (b, a) in item.identical for item in self.complete)

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """A row for each complete data set, a column for each model."""
        rows = [[tried.estimates[m].value for m in self.models] for tried in self.complete]
        return np.array(rows, np.float64).reshape(len(rows), len(self.models))

    @cached_property
    def _ranked(self) -> npt.NDArray[np.float64]:
        if not self.complete or not self.models:
            return np.empty((0, len(self.models)))
        return row_ranks(self.values, self.better)

    @property
    def ranks(self) -> dict[str, float]:
        """The mean rank of each model over the complete data sets; ties share their mean rank."""
        if not self.complete:
            return {}
        return dict(zip(self.models, self._ranked.mean(axis=0).tolist(), strict=True))

    @property
    def order(self) -> tuple[str, ...]:
        """The models, best mean rank first."""
        ranks = self.ranks
        return tuple(sorted(self.models, key=lambda model: ranks.get(model, 0.0)))

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Every data set and model: value, interval, rank."""
        ranks = {
            (tried.name, model): float(rank)
            for tried, row in zip(self.complete, self._ranked, strict=True)
            for model, rank in zip(self.models, row, strict=True)
        }
        return tuple(
            Entry(
                tried.name, model, self.measure, item.value, item.low, item.high, self.level,
                ranks.get((tried.name, model), math.nan), item.n, item.n_train, item.method,
                item.target, item.reason, item.se, item.key, item.n_effective,
            )
            for tried in self.sets
            for model, item in tried.estimates.items()
        )  # fmt: skip

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    @property
    def wins(self) -> tuple[Wins, ...]:
        """Each pair, the better ranked model first: data sets won, tied, lost."""
        columns = dict(zip(self.models, self._ranked.T, strict=True))
        pairs = []
        for a, b in combinations(self.order, 2):
            ahead = columns[b] - columns[a]
            counts = (int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()))
            pairs.append(Wins(a, b, *counts))
        return tuple(pairs)

    @property
    def nemenyi(self) -> NemenyiResult | None:
        """Mean ranks with their critical difference, for the diagram; None without a test."""
        return None if self.comparison is None else self.comparison.nemenyi

    # --- words -----------------------------------------------------------------------------

    @property
    def summary(self) -> str:
        """Which model ranks best, over how many data sets, and from which it differs."""
        n, k = len(self.complete), len(self.models)
        if not n or k < 2:
            return f"No model is ranked: {self.reason}."
        ranks = self.ranks
        first = [short_name(m, 30) for m in self.order if ranks[m] == ranks[self.order[0]]]
        verb = "rank" if len(first) > 1 else "ranks"
        head = (
            f"{join_words(first, 5)} {verb} best over {plural(n, 'data set')} (mean rank "
            f"{ranks[self.order[0]]:.2f} of {k})"
        )
        if self.comparison is None:
            return f"{head}. No test: {self.reason}."
        if self.comparison.limit:
            return f"{self.comparison.limit}. {head}."
        if len(self.comparison.pairs) == 1:
            pair = self.comparison.pairs[0]
            return f"{head}. {self.comparison.pair_summary(pair)}"
        return f"{head}. {self.comparison.verdict}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """The test that was used."""
        return () if self.comparison is None else self.comparison.remarks

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out or not ranked and why, and what to be careful about."""
        notes: list[str] = []
        reasons: dict[str, list[str]] = {}
        for name, why in self.left_out.items():
            reasons.setdefault(why, []).append(short_name(name))
        notes += [
            Note(f"left out: {join_words(names, 5)}: {why}", IMPORTANT)
            for why, names in reasons.items()
        ]
        notes += [
            Note(
                f"model left out: {short_name(name)}: no finite value on any data set ({why})",
                IMPORTANT,
            )
            for name, why in self.models_left_out.items()
        ]
        notes += self._failures()
        guessed = [
            f"{tried.name} ({tried.target})"
            for tried in self.sets
            if tried.target_by in ("last", "nominal")
        ]
        if guessed:
            notes.append(
                f"the last column was taken for the target of {', '.join(guessed)}; target= sets "
                "another"
            )
        if self.comparison is not None:
            notes += self.comparison.notes
        return tuple(dict.fromkeys([*notes, ABOUT]))

    def _failures(self) -> list[str]:
        """Where a model has no value and why."""
        if not self.incomplete:
            return []
        have = "data set has" if len(self.incomplete) == 1 else "data sets have"
        notes: list[str] = [
            Note(
                f"{len(self.incomplete)} {have} no value of some model, and none is imputed: all "
                "models are ranked on the data sets that all of them finished, perhaps the easier "
                "ones (benchmark.without(model) ranks the others)",
                IMPORTANT,
            )
        ]
        alike: dict[tuple[str, str], list[str]] = {}
        for tried in self.sets:
            for model in tried.lacks(self.models):
                item = tried.estimates.get(model)
                why = "was not fitted" if item is None else item.reason or "has no finite value"
                alike.setdefault((model, why), []).append(tried.name)
        notes += [
            f"{join_words(sets, 5)}: {short_name(model)} {why}"
            for (model, why), sets in alike.items()
        ]
        return notes

    # --- tables ----------------------------------------------------------------------------

    def tables(self) -> tuple[Table, ...]:
        """Values with mean ranks, and the pairs.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        return (self._values_table(), *((self._pairs_table(),) if self.wins else ()))

    def _values_table(self) -> Table:
        columns = (
            Column("data", "data set", "name", True),
            Column("n", "rows", "count"),
            *(Column(model, short_name(model, 20), "measured", True) for model in self.order),
        )
        better = min if self.better == "low" else max
        rows = []
        for tried in self.sets:
            finite = [item.value for item in tried.estimates.values() if math.isfinite(item.value)]
            best = better(finite, default=math.nan)
            cells: list[object] = []
            for model in self.order:
                item = tried.estimates.get(model)
                if item is None:
                    cells.append(None)
                    continue
                mark = (
                    "best" if item.value == best else "unbeaten" if model in tried.unbeaten else ""
                )
                cells.append(Measured.of(replace(item, measure=self.measure), mark))
            rows.append((tried.name, tried.n, *cells))
        ranks = self.ranks
        means = [f"{ranks[model]:.2f}" for model in self.order if ranks]
        foot = [("mean rank", "", *means)] if means else []
        title = f"{capital(measure_name(self.measure))} on each data set ({ci(self.level)})"
        return Table("values", title, columns, rows, foot, most_rows=60)

    def _pairs_table(self) -> Table:
        comparison = self.comparison
        columns = [
            Column("a", kind="name"), Column("b", kind="name"), Column("wins", "win-tie-loss"),
        ]  # fmt: skip
        if comparison is not None:
            columns += [
                Column("difference", "a - b", "measured", True),
                Column("p", kind="p", never_cut=True),
                Column("verdict", "a is", "verdict", True),
            ]
        rows: list[tuple[Any, ...]] = []
        for win in self.wins:
            row: tuple[Any, ...] = (win.a, win.b, f"{win.wins}-{win.ties}-{win.losses}")
            if comparison is not None and comparison.tested(win.a, win.b):
                pair = comparison[win.a, win.b]
                row += (Measured.difference(pair), pair.p, pair.verdict)
            elif comparison is not None:
                row += (None, None, None)
            rows.append(row)
        detail = len(rows) > 1 and len(self.models) > 7
        return Table("pairs", "Pairs over data sets", tuple(columns), rows, detail=detail)

    def records(self) -> list[dict[str, object]]:
        """A row for each data set and model.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [entry.to_dict() for entry in self.entries]

    def facts(self) -> Facts:
        """The facts of a paragraph on methods.

        Returns
        -------
        Facts
            For `methods()`.
        """
        estimates = [
            item for tried in self.sets for item in tried.estimates.values() if item.defined
        ]
        tested = self.comparison
        return Facts(
            self.models, self.level, estimates, measure=self.measure,
            pairs=() if tested is None else tested.pairs,
            correction="none" if tested is None else tested.correction,
            margin=None if tested is None else tested.margin,
            omnibus=None if tested is None else tested.omnibus,
            nemenyi=self.nemenyi is not None and self.nemenyi.differing is None,
            data_sets=[tried.name for tried in self.sets], plan=self.split_by or self.plan,
            seed=self.seed,
        )  # fmt: skip

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """The critical-difference diagram, of two models their comparison; the data sets.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        from heliast.views import plots

        makers: dict[str, Any] = {}
        if self.nemenyi is not None:
            makers["critical_difference"] = lambda **options: plots.critical_difference(
                self, **options
            )
        elif self.comparison is not None:
            makers["comparison_matrix"] = lambda **options: plots.plot(self.comparison, **options)
        makers["data_sets"] = lambda **options: plots.data_sets(self, **options)
        return makers

    def to_dict(self) -> dict[str, object]:
        """Everything.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        after = "wins comparison reason incomplete left_out models_left_out notes"
        options = self.options or Options(measures=self.measure, level=self.level)
        return {
            **named(self, "summary measure better level plan split_by seed models ranks against"),
            "question": named(options, "test margin correction"),
            "data": [tried.to_dict() for tried in self.sets],
            "table": self.records(),
            **named(self, after),
        }

    @classmethod
    def read(cls, source: "str | os.PathLike[str]") -> "Benchmark":
        """What `heliast benchmark -o FILE.json` wrote; ranks and tests are computed again.

        Parameters
        ----------
        source : path
            A JSON file.

        Returns
        -------
        Benchmark
            The same values.

        Raises
        ------
        InputError
            If the file is none of a benchmark.
        """
        from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of

        content = benchmark_in(source)
        if content is None:
            raise InputError(
                f"{source}: no benchmark; `heliast benchmark DIR -o FILE.json` writes one"
            )
        return benchmark_of(content, str(source))
