"""Benchmark: what `benchmark` found, as a record with its views."""

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.frames import to_frame
from heliast._core.records import Says, Shown, Spoken, named
from heliast.comparisons import NemenyiResult, row_ranks
from heliast.estimates import Estimate
from heliast.verbs.comparison import Comparison
from heliast.verbs.question import Question
from heliast.verbs.ranking import Possible, judged_over, possible
from heliast.views.benchmarking import benchmark_html, benchmark_sentence, benchmark_text
from heliast.views.methods import Methods, benchmark_methods
from heliast.views.papers import benchmark_sheet, check_style
from heliast.views.sheets import Sheet

if TYPE_CHECKING:
    from heliast.views.plots import Plot


@dataclass(frozen=True)
class Entry(Shown):
    """One model on one data set: its value with interval, and its rank there (1 is best).

    Parameters
    ----------
    data, model, measure : str
        Which.
    value, low, high : float
        The value and its interval over the rows of the data set; NaN where the model failed.
    level : float
        The confidence level of the interval.
    rank : float
        Among the models; NaN on a data set that is not ranked.
    n, n_train : float
        Rows tested, and rows trained on.
    method, target : str
        How the interval was made, and what it speaks of.
    reason : str
        Why there is no value or no interval.
    se : float
        The standard error.
    key : str
        The interval's method by its name, such as `wilson`.
    n_effective : float
        How many independent rows the tested ones are worth.
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


class Entries(tuple[Entry, ...]):
    """The entries of a benchmark; called, the same as a table for a paper."""

    found: "Benchmark"

    @classmethod
    def of(cls, found: "Benchmark", entries: Iterable[Entry]) -> "Entries":
        """The entries of that benchmark."""
        made = cls(entries)
        made.found = found
        return made

    def __call__(
        self,
        style: str = "paper",
        *,
        spread: str = "interval",
        caption: str = "",
        label: str = "",
    ) -> Sheet:
        """Data sets by models as a table to print, with the mean ranks below.

        Parameters
        ----------
        style : {"paper"}
            The best of each row in bold, a dagger at what is not told apart from it.
        spread : {"interval", "se", "none"}
            What stands beside each value: its interval, its standard error, nothing.
        caption, label : str
            Those of the table; if empty they are made, and the caption says which tests were used.

        Returns
        -------
        Sheet
            With `to_latex()`, `to_markdown()`, `to_html()` and `to_csv()`.

        Raises
        ------
        InputError
            If there is no such style or spread.
        """
        check_style(style, spread)
        return benchmark_sheet(self.found, spread, caption, label)


@dataclass(frozen=True)
class Wins(Shown):
    """On how many data sets a is better than b, as good, worse; counts, without a test.

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
    """One data set of a benchmark: what it holds and what the models reached on it.

    `identical` holds the pairs of models that predict the same throughout; `seconds` what each
    took to fit and predict, wherever and whenever that was. `unbeaten` are the best model and those
    not told apart from it on this data set, by `test` (in words `method`); none without a test.
    """

    name: str
    n: int
    inputs: int
    classes: int
    target: str
    estimates: Mapping[str, Estimate]
    splits: int = 0
    identical: frozenset[tuple[str, str]] = frozenset()
    seconds: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    data_fingerprint: str = ""
    plan_fingerprint: str = ""
    target_by: str = "told"
    unbeaten: tuple[str, ...] = ()
    test: str = ""
    method: str = ""

    def lacks(self, models: tuple[str, ...]) -> list[str]:
        """The models without a value here, or with an infinite one."""
        known = {name: math.isfinite(one.value) for name, one in self.estimates.items()}
        return [model for model in models if not known.get(model, False)]

    def to_dict(self) -> dict[str, object]:
        """What is known of the data set, without values and times, as plain values."""
        about = "name n inputs classes target splits data_fingerprint plan_fingerprint notes"
        return {
            **named(self, f"{about} target_by unbeaten test method"),
            "identical": sorted(map(list, self.identical)),
        }


@dataclass(frozen=True, eq=False, repr=False)
class Benchmark(Spoken):
    """Several models on several data sets; `benchmark[data, model]` finds one `Estimate`.

    Parameters
    ----------
    sets : tuple of Tried
        The data sets used, with each model's estimate.
    models : tuple of str
        The models with a value anywhere.
    measure, better : str
        What they are ranked by, and whether `low` or `high` is better.
    level : float
        The confidence level of intervals and tests.
    comparison : Comparison or None
        The test over data sets; None if there are too few.
    reason : str
        Why there is no test.
    left_out, models_left_out : mapping
        Data sets that could not be used and models without any value, and why.
    notes : tuple of str
        What to be careful about.
    plan, split_by : str
        How rows were split: the plan, and in words.
    seed : int
        Seed of splits and fits.
    question : Question or None
        What was asked: the test over data sets, its margin and its correction.

    Examples
    --------
    >>> ones = {"a": Estimate(0.1, model="a"), "b": Estimate(0.2, model="b")}
    >>> found = Benchmark((Tried("iris", 150, 4, 3, "kind", ones),), ("a", "b"), "error")
    >>> found.ranks, found["iris", "b"].value, found.wins[0].wins
    ({'a': 1.0, 'b': 2.0}, 0.2, 1)
    """

    _says: ClassVar[Says] = benchmark_sentence, benchmark_text, benchmark_html
    sets: tuple[Tried, ...]
    models: tuple[str, ...]
    measure: str
    better: str = "low"
    level: float = 0.95
    comparison: Comparison | None = None
    reason: str = ""
    left_out: Mapping[str, str] = field(default_factory=dict)
    models_left_out: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    plan: str = ""
    seed: int = 0
    question: Question | None = None
    split_by: str = ""

    def __getitem__(self, key: tuple[str, str]) -> Estimate:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError("ask for a data set and a model: [data, model]")
        data, model = key
        for one in self.sets:
            if one.name == data and model in one.estimates:
                return one.estimates[model]
        if data in self.left_out:
            raise KeyError(f"{data} was left out: {self.left_out[data]}")
        raise KeyError(f"no {model!r} on {data!r}; the models are {', '.join(self.models)}")

    @cached_property
    def incomplete(self) -> dict[str, str]:
        """The data sets on which some model has no value, and which; they are not ranked."""
        found = {one.name: one.lacks(self.models) for one in self.sets}
        return {name: ", ".join(lacking) for name, lacking in found.items() if lacking}

    @property
    def complete(self) -> tuple[Tried, ...]:
        """The data sets that are ranked: every model has a value."""
        return tuple(one for one in self.sets if one.name not in self.incomplete)

    # --- what ranking is possible --------------------------------------------------------------

    @property
    def fragile(self) -> dict[str, int]:
        """The models that have no value on some data sets, and on how many."""
        counts = {model: sum(bool(s.lacks((model,))) for s in self.sets) for model in self.models}
        return {model: count for model, count in counts.items() if count}

    @property
    def possible(self) -> tuple[Possible, ...]:
        """The rankings that are possible: of all models, then without the most fragile ones."""
        return possible([one.lacks(self.models) for one in self.sets], self.models)

    def without(self, *models: str) -> "Benchmark":
        """The same data sets ranked and tested without some models.

        Where a model fails on many data sets, the others can be ranked on all of these without it.

        Parameters
        ----------
        *models : str
            Names of models that are left out.

        Returns
        -------
        Benchmark
            Of the other models, each of which keeps its values.

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

    @cached_property
    def rankings(self) -> tuple["Benchmark", ...]:
        """This one; and, where a model fails on some data sets, that of the others on all of them.

        The second is that of the most data sets. Each is tested and corrected by itself.
        """
        *_, most = self.possible
        return (self, self.without(*most.without)) if most.without else (self,)

    @property
    def asked(self) -> Question:
        """What was asked, or the usual question about the measure."""
        return self.question or Question(measures=self.measure, level=self.level)

    def tested(self) -> "Benchmark":
        """The same with the test over data sets, or with the reason why there is none.

        Returns
        -------
        Benchmark
            With `comparison` or `reason`.
        """
        comparison, reason = judged_over(self, self.asked)
        return replace(self, comparison=comparison, reason=reason)

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
        return all((a, b) in one.identical or (b, a) in one.identical for one in self.complete)

    # --- values and ranks ----------------------------------------------------------------------

    @cached_property
    def values(self) -> npt.NDArray[np.float64]:
        """A row for each complete data set, a column for each model."""
        return values_of(self.complete, self.models)

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
    def table(self) -> Entries:
        """Every data set and model: value, interval, rank; `table(style="paper")` to print."""
        places = {one.name: at for at, one in enumerate(self.complete)}
        columns = {model: at for at, model in enumerate(self.models)}
        entries = (
            Entry(
                one.name, model, self.measure, est.value, est.low, est.high, self.level,
                float(self._ranked[places[one.name], columns[model]])
                if one.name in places and model in columns else math.nan,
                est.n, est.n_train, est.method, est.target, est.reason, est.se, est.key,
                est.n_effective,
            )
            for one in self.sets
            for model, est in one.estimates.items()
        )  # fmt: skip
        return Entries.of(self, entries)

    @property
    def wins(self) -> tuple[Wins, ...]:
        """Each pair, the better ranked model first: data sets won, tied, lost."""
        columns = dict(zip(self.models, self._ranked.T, strict=True))
        found = []
        for a, b in combinations(self.order, 2):
            ahead = columns[b] - columns[a]
            counts = (int((ahead > 0).sum()), int((ahead == 0).sum()), int((ahead < 0).sum()))
            found.append(Wins(a, b, *counts))
        return tuple(found)

    @property
    def nemenyi(self) -> NemenyiResult | None:
        """Mean ranks with their critical difference, for the diagram; None if not to be had."""
        return None if self.comparison is None else self.comparison.nemenyi

    def to_dict(self) -> dict[str, object]:
        """Everything.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        after = "table wins comparison reason incomplete left_out models_left_out notes"
        ranking = "models ranks wins comparison reason"
        return {
            **named(self, "sentence measure better level plan split_by seed models ranks"),
            "question": named(self.asked, "test margin correction"),
            "data": [one.to_dict() for one in self.sets],
            **named(self, f"{after} fragile possible"),
            "without_fragile": [
                {**named(other, ranking), "data": [one.name for one in other.complete]}
                for other in self.rankings[1:]
            ],
        }

    @classmethod
    def read(cls, source: "str | os.PathLike[str]") -> "Benchmark":
        """What `heliast benchmark -o FILE.json` wrote, or `json.dump(found.to_dict(), file)`.

        Parameters
        ----------
        source : path
            A JSON file.

        Returns
        -------
        Benchmark
            The same values; ranks and tests are computed from them again.

        Raises
        ------
        InputError
            If the file is none of a benchmark.
        """
        from heliast.verbs.kept_benchmark import benchmark_in, benchmark_of

        said = benchmark_in(source)
        if said is None:
            raise InputError(
                f"{source}: no benchmark; `heliast benchmark DIR -o FILE.json` writes one"
            )
        return benchmark_of(said, str(source))

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """One row for each data set and model.

        Parameters
        ----------
        backend : str
            `pyarrow`, `pandas` or `polars`: what kind of table.

        Returns
        -------
        table
            Of the kind asked for.
        """
        return to_frame([one.to_dict() for one in self.table], backend)

    def to_text(self) -> str:
        """What the terminal shows.

        Returns
        -------
        str
            The answer, every data set, every pair, notes.
        """
        return benchmark_text(self)

    def methods(self) -> Methods:
        """How the numbers were made, in sentences for a paper, with references.

        Returns
        -------
        Methods
            `text`, `latex`, `markdown` and `bibtex`.
        """
        return benchmark_methods(self)

    def plot(self, **options: Any) -> "Plot":
        """The critical-difference diagram; of two models, their comparison.

        Where a model fails on too many data sets for a test of all, that of the others.

        Parameters
        ----------
        **options : Any
            Those of `plots.critical_difference`, or `plots.comparison_matrix`.

        Returns
        -------
        Plot
            A plot with `save`, `to_svg` and `to_axes`.

        Raises
        ------
        InputError
            If there are too few data sets for a test.
        """
        from heliast.views import plots

        tested = [one for one in self.rankings if one.comparison is not None]
        if not tested:
            raise InputError(f"nothing to plot: {self.reason}")
        if tested[0].nemenyi is None:
            return plots.plot(tested[0].comparison, **options)
        return plots.critical_difference(tested[0].nemenyi, tested[0].models, **options)

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


def values_of(sets: tuple[Tried, ...], models: tuple[str, ...]) -> npt.NDArray[np.float64]:
    """A row for each data set, a column for each model."""
    rows = [[one.estimates[model].value for model in models] for one in sets]
    return np.array(rows, np.float64).reshape(len(sets), len(models))
