"""benchmark: several models on several data sets, ranked and compared over the data sets."""

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import nan
from typing import Any

from heliast._core.costs import Costs, cost_matrix
from heliast._core.errors import HeliastError, InputError, NothingFitted
from heliast._core.labels import Label
from heliast.comparisons import SETS, check_test
from heliast.data import Dataset
from heliast.fitting.cell import FitFailed
from heliast.fitting.run import as_frozen, named_models, run
from heliast.fitting.store import Store
from heliast.measures import Measure
from heliast.plans import as_plan
from heliast.predictions import Predictions, failures
from heliast.verbs.assess import assess_table
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_field, pair_models, with_measure
from heliast.verbs.sources import Reading, Source, sources


def benchmark(
    datasets: object,
    models: object,
    plan: object = 10,
    seed: int = 0,
    *,
    target: str | int | None = None,
    measure: str | Measure | None = None,
    test: str = "auto",
    level: float = 0.95,
    margin: float | None = None,
    correction: str = "holm",
    against: str = "",
    cost: Costs | None = None,
    ignore: str | Sequence[str] = (),
    missing: str = "refuse",
    order: Sequence[Label] | None = None,
    engine: str = "local",
    jobs: int | None = None,
    store: str | os.PathLike[str] | Store | None = None,
    shortcuts: bool = True,
    progress: bool = True,
    told: Callable[[str], None] | None = None,
) -> Benchmark:
    """Fit every model on every split of every data set, rank the models and compare them.

    Ranks and tests are over data sets: each counts once. A data set that cannot be read, or is of
    the other task, is left out by name. Where a model fails on a data set, nothing is imputed: all
    models are ranked on the data sets that all finished. A model that fails on every data set is
    left out.

    Parameters
    ----------
    datasets : folder, sequence or mapping
        A folder (its CSV, Parquet and ARFF files), a list of paths, `sklearn:` names and Datasets,
        or a mapping of names to these.
    models : mapping, sequence or estimator
        Two or more models by name, as `run` takes them.
    plan : plan, splitter or int
        The resampling plan of each data set.
    seed : int
        Random seed of splits and fits.
    target : str or int, optional
        The column to predict, or its place ('last', 'first', a number from 0).
    measure : str or Measure, optional
        What models are ranked by: the error, or the expected cost where costs are given.
    test : str
        The test over data sets: `auto`, or a name from `heliast.comparisons`.
    level : float
        The confidence level of intervals and tests.
    margin : float, optional
        The equivalence margin.
    correction : {"holm", "none"}
        Whether p values are adjusted for the number of pairs.
    against : str
        `best`, or a model that every other is compared with; all pairs if empty.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class; data sets with other classes are
        left out.
    ignore : str or sequence of str
        Columns that are no features.
    missing : str
        `refuse` or `drop` rows without a target.
    order : sequence, optional
        All classes from least to most, where those of all data sets are ordinal.
    engine, jobs, store, progress
        Those of `run`; with `store` the same call resumes where it was interrupted.
    shortcuts : bool
        Save fits where the result is the same.
    told : callable, optional
        Called with a line as each data set is done.

    Returns
    -------
    Benchmark
        Values, ranks, wins, and the comparison over data sets.

    Raises
    ------
    InputError
        If no data set can be used.

    Examples
    --------
    >>> from heliast.learners import Majority
    >>> from sklearn.naive_bayes import GaussianNB
    >>> names = ["sklearn:iris", "sklearn:wine"]
    >>> found = benchmark(names, {"bayes": GaussianNB(), "majority": Majority()}, 5, progress=False)
    >>> found.ranks, found.comparison
    ({'bayes': 1.0, 'majority': 2.0}, None)

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7.
    """
    options = Options(
        measures=measure, test=test, level=level, margin=margin, correction=correction, cost=cost,
        seed=seed,
    )  # fmt: skip
    options = with_measure(options, "classification")
    chosen = options.only_measure("classification")
    check_test(test, SETS)
    if need := _lacks(chosen, 2, True):
        raise InputError(f"measure {chosen.name!r}: {need}")
    named = named_models(models)
    if len(named) < 2:
        raise InputError("one model has no rank: give two or more")
    if against not in ("", "best", *named):
        raise InputError(f"against={against!r}: no such model; there are {', '.join(named)}")
    ignored = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    listed = sources(datasets, Reading(target, chosen.task, ignored, missing, order))
    how = {
        "store": store, "engine": engine, "jobs": jobs, "shortcuts": shortcuts,
        "progress": progress,
    }  # fmt: skip
    work = _Work(named, as_plan(plan), options, how, told or (lambda line: None), against)
    return work.over(listed)


# --- data set by data set ------------------------------------------------------------------


class _Unusable(InputError):  # noqa: N818 - it names the finding
    """This data set cannot be used; others may."""


@dataclass(frozen=True)
class _Work:
    """What is done on each data set."""

    models: Mapping[str, Any]
    plan: Any
    options: Options
    how: Mapping[str, Any]
    report: Callable[[str], None]
    against: str

    @property
    def measure(self) -> Measure:
        return self.options.only_measure("classification")

    def over(self, listed: list[Source]) -> Benchmark:
        """The benchmark over all data sets that can be used."""
        tried: list[Tried] = []
        left_out: dict[str, str] = {}
        seen: dict[str, str] = {}
        for at, source in enumerate(listed, 1):
            head = f"[{at}/{len(listed)}] {source.name}"
            try:
                done = self.on(source, seen, head)
            except (_Unusable, NothingFitted) as error:
                first, *rest = str(error).strip().splitlines()
                left_out[source.name] = why = f"{first} {rest[-1]}" if rest else first
                self.report(f"{head}: left out: {why}")
                continue
            tried.append(done)
            words = f"{done.n:,} rows, {done.splits} splits"
            for model in done.lacks(tuple(done.estimates)):
                words += f"; {model} {done.estimates[model].reason}"
            self.report(f"{head}: {words}")
        if not tried:
            reasons = "".join(f"\n  {name}: {why}" for name, why in left_out.items())
            raise InputError(f"none of {len(left_out)} data sets can be used:{reasons}")
        return self.rank(tuple(tried), left_out)

    def on(self, source: Source, seen: dict[str, str], head: str = "") -> Tried:
        """Read, run, summarize one data set; its predictions are freed when this returns."""
        try:
            data = source.load()
            frozen = as_frozen(self.plan, data, self.options.seed)
            if self.options.cost is not None:
                cost_matrix(self.options.cost, data.classes)
        except InputError as error:
            raise _Unusable(str(error)) from None
        if why := self._unusable(data):
            raise _Unusable(why)
        twin = seen.setdefault(data.fingerprint, source.name)
        if twin != source.name:
            raise _Unusable(f"the same data as {twin}: every data set counts once")
        how = {**self.how, "progress": self.how["progress"] and head}
        # What goes wrong from here on is no matter of the data: store, engine, models.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailed)  # the record says it, data set by data set
            table = run(self.models, data, frozen, self.options.seed, **how)
        return self.summarize(source.name, data, table)

    def _unusable(self, data: Dataset) -> str:
        measure = self.measure
        if data.task != measure.task:
            return f"a {data.task} task: {measure.title} is for {measure.task}"
        if need := _lacks(measure, len(data.classes), data.ordinal):
            return f"{measure.title} is {need}"
        if not data.inputs:
            why = [f"{name!r}: left out: {reason}" for name, reason in data.left_out.items()]
            return "; ".join(["no feature is left to learn from", *why[:8]])
        return ""

    def summarize(self, name: str, data: Dataset, table: Predictions) -> Tried:
        """The values with their intervals, and what is worth knowing of the data set."""
        # One fit may have many outputs (all B of a vote): what was named is ranked, not these.
        table = table.only(model=[model for model in table.models if model in self.models])
        assessment = assess_table(table, self.options)
        estimates = {model: assessment[model, self.measure.title] for model in assessment.models}
        for model, why in failures(table.cells).items():  # what failed may be the hard part
            estimates[model] = replace(
                estimates[model], value=nan, low=nan, high=nan, se=nan, method="", reason=why
            )
        return Tried(
            name, data.n, len(data.inputs), len(data.classes), data.target, estimates,
            len(table.only(role="test").splits), notes=assessment.notes,
            data_fingerprint=data.fingerprint, plan_fingerprint=table.meta.plan_fingerprint or "",
            target_by=data.target_by, **_unbeaten(table, self.options),
        )  # fmt: skip

    def rank(self, tried: tuple[Tried, ...], left_out: dict[str, str]) -> Benchmark:
        """The ranks over data sets; models without any value are left out."""
        models = dict.fromkeys(model for entry in tried for model in entry.estimates)
        valued = tuple(m for m in models if any(not entry.lacks((m,)) for entry in tried))
        gone = {
            model: next(
                entry.estimates[model].reason for entry in tried if model in entry.estimates
            )
            for model in models
            if model not in valued
        }
        measure = self.measure
        return Benchmark(
            tried, valued, measure.title, measure.better, self.options.level, left_out=left_out,
            models_left_out=gone, plan=str(self.plan), seed=self.options.seed,
            options=self.options,
            split_by=self.plan.words(measure.task), against=self.against,
        ).tested()  # fmt: skip


def _lacks(measure: Measure, classes: int, ordinal: bool) -> str:
    """Why such data have no such measure, whatever the models give; empty if they may have it."""
    kind = measure.needs if measure.needs in ("probability", "votes") else "probability"
    return measure.lacks(measure.task, classes, kind, ordinal)


def _unbeaten(table: Predictions, options: Options) -> dict[str, Any]:
    """Which models predict the same, and which do not differ significantly from the best here."""
    try:
        field = pair_models(table, options)
        pairs = frozenset(pair for pair in combinations(field.models, 2) if field.identical(*pair))
    except HeliastError:  # fewer than two models with a value
        return {}
    try:
        compared = compare_field(field, options.but(test="auto"))
    except HeliastError:  # the splits allow no test
        return {"identical": pairs}
    best, *others = compared.order
    same = [model for model in others if not compared[best, model].better]
    pair = compared[best, others[0]]
    return {"identical": pairs, "unbeaten": (best, *same), "test": pair.test, "method": pair.method}
