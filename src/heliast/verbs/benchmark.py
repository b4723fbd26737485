"""benchmark: several models on several data sets, ranked, and compared over the data sets."""

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
from heliast.estimates import Estimate
from heliast.fitting.cell import FitFailed
from heliast.fitting.run import as_frozen, named_models, run
from heliast.fitting.store import Store
from heliast.measures import Measure
from heliast.plans import as_plan
from heliast.predictions import Predictions, failures
from heliast.verbs.assess import assessed
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.verbs.compare import asked_of, of_field, paired
from heliast.verbs.question import Question, refuse
from heliast.verbs.sources import Clock, Reading, Source, content_of, sources

Told = Callable[[str], None]


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
    cost: Costs | None = None,
    ignore: str | Sequence[str] = (),
    missing: str = "refuse",
    order: Sequence[Label] | None = None,
    engine: str = "local",
    jobs: int | None = None,
    store: str | os.PathLike[str] | Store | None = None,
    shortcuts: bool = True,
    progress: bool = True,
    told: Told | None = None,
    **unusable: object,
) -> Benchmark:
    """Fit every model on every split of every data set; rank the models and compare them.

    One data set is in memory at a time, and of its predictions only the summary stays. Ranks and
    tests are over data sets: each counts once, however many rows and splits it has. A data set
    that cannot be read, or is of the other task, is left out by name. Where a model fails on a
    data set, no value is made up: all models are ranked on the data sets that all finished, and
    beside that the models that never failed on all data sets (`Benchmark.rankings`). A model that
    fails on every data set is left out itself.

    Parameters
    ----------
    datasets : folder, sequence or mapping
        A folder (its CSV, Parquet and ARFF files), a list of paths, `sklearn:` names and Datasets,
        or a mapping of names to these.
    models : mapping, sequence or estimator
        Two or more models by name, as `run` takes them.
    plan : plan, splitter or int
        How the rows of each data set are split.
    seed : int
        Seed of splits and fits.
    target : str or int, optional
        The column to predict, or its place ('last', 'first', a number from 0); without it, see
        `docs/benchmark.md`.
    measure : str or Measure, optional
        What models are ranked by: the error if not given, or the expected cost where costs are.
    test : str
        The test over data sets: `auto`, or a name from `heliast.comparisons`.
    level : float
        The confidence level of intervals and tests.
    margin : float, optional
        The largest difference that does not matter.
    correction : str
        `holm` corrects for the number of pairs, `none` does not.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label; data sets with other classes
        are left out.
    ignore : str or sequence of str
        Columns that are no inputs.
    missing : str
        `refuse` or `drop` rows without a target.
    order : sequence, optional
        All classes from least to most, where those of all data sets are in one order.
    engine, jobs, store, progress
        How the work is done: those of `run`. With `store`, finished work is kept, and the same
        call goes on where it was interrupted.
    shortcuts : bool
        Save fits where the result is the same.
    told : callable, optional
        Called with a line as each data set is done.
    **unusable : object
        Parts of a question that other verbs answer (`threshold`, `role`, ...): refused by name.

    Returns
    -------
    Benchmark
        Values, ranks, wins, and the comparison over data sets.

    Raises
    ------
    InputError
        If the question cannot be answered, or no data set can be used.

    Examples
    --------
    >>> from heliast.learners import Majority
    >>> from sklearn.naive_bayes import GaussianNB
    >>> names = ["sklearn:iris", "sklearn:wine"]
    >>> found = benchmark(names, {"bayes": GaussianNB(), "majority": Majority()}, 5, progress=False)
    >>> found.ranks, found.comparison
    ({'bayes': 1.0, 'majority': 2.0}, None)
    >>> found["iris", "bayes"]
    Estimate(bayes error: 0.06 [0.02649, 0.1302], Wilson, effective n 88 from 5 splits)

    References
    ----------
    J. Demsar (2006), Statistical comparisons of classifiers over multiple data sets, JMLR 7.
    """
    refuse("benchmark", unusable)
    question = Question(
        measures=measure, test=test, level=level, margin=margin, correction=correction, cost=cost,
        seed=seed,
    )  # fmt: skip
    question = asked_of(question, "classification")
    chosen = question.only_measure("classification")
    check_test(test, SETS)
    if need := _lacks(chosen, 2, True):
        raise InputError(f"measure {chosen.name!r}: {need}")
    named = named_models(models)
    if len(named) < 2:
        raise InputError("one model has no rank: give two or more")
    aside = (ignore,) if isinstance(ignore, str) else tuple(ignore)
    given = sources(datasets, Reading(target, chosen.task, aside, missing, order))
    options = {
        "store": store, "engine": engine, "jobs": jobs, "shortcuts": shortcuts,
        "progress": progress,
    }  # fmt: skip
    work = _Work(named, as_plan(plan), question, options, told or (lambda line: None))
    return work.over(given)


# --- data set by data set ----------------------------------------------------------------------


@dataclass(frozen=True)
class _Work:
    """What is done on each data set."""

    named: Mapping[str, Any]
    plan: Any
    question: Question
    options: Mapping[str, Any]
    told: Told

    @property
    def measure(self) -> Measure:
        return self.question.only_measure("classification")

    def over(self, given: list[Source]) -> Benchmark:
        """The ranks over all data sets that can be used."""
        tried, left_out = self.all_of(given)
        if not tried:
            said = "".join(f"\n  {name}: {why}" for name, why in left_out.items())
            raise InputError(f"none of {len(left_out)} data sets can be used:{said}")
        return _ranked(tuple(tried), left_out, self)

    def all_of(self, given: list[Source]) -> tuple[list[Tried], dict[str, str]]:
        """Each in turn; what cannot be used is told and left out, and the rest goes on."""
        tried: list[Tried] = []
        left_out: dict[str, str] = {}
        before: dict[str, str] = {}
        clock = Clock([source.size for source in given])
        for at, source in enumerate(given, 1):
            head = f"[{at}/{len(given)}] {source.name}"
            try:
                one = self.on(source, before, head + clock.left)
            except (_Unusable, NothingFitted) as error:
                left_out[source.name] = why = _line(error)
                clock.passed(idle=True)
                self.told(f"{head}: left out: {why}")
                continue
            tried.append(one)
            said = _words(one, clock.passed())
            self.told(f"{head}: {said}{clock.left}")
        return tried, left_out

    def on(self, source: Source, before: dict[str, str], head: str = "") -> Tried:
        """Read, run, summarise one data set; its predictions are gone when this returns."""
        try:
            data = source.load()
            frozen = as_frozen(self.plan, data, self.question.seed)
        except InputError as error:
            raise _Unusable(str(error)) from None
        measure = self.measure
        if data.task != measure.task:
            what = "classes" if data.task == "classification" else "numbers"
            raise _Unusable(f"a task of {what}: {measure.title} is for the other")
        if need := _lacks(measure, len(data.classes), data.ordinal):
            raise _Unusable(f"{measure.title} is {need}")
        if self.question.cost is not None:
            try:
                cost_matrix(self.question.cost, data.classes)
            except InputError as error:
                raise _Unusable(str(error)) from None
        if not data.inputs:
            said = [f"{name!r}: left out: {why}" for name, why in data.left_out.items()]
            raise _Unusable("; ".join(["no input is left to learn from", *said[:8]]))
        twin = before.setdefault(content_of(data), source.name)
        if twin != source.name:
            raise _Unusable(f"the same data as {twin}, names aside: every data set counts once")
        options = {**self.options, "progress": self.options["progress"] and head}
        # What goes wrong from here on is no matter of the data: store, engine, models.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FitFailed)  # the record says it, data set by data set
            table = run(self.named, data, frozen, self.question.seed, **options)
        return self.summary(source.name, data, table)

    def summary(self, name: str, data: Dataset, table: Predictions) -> Tried:
        """The values with their intervals, and what is worth knowing of the data set."""
        measure = self.measure
        # One fit may have many outputs (all B of a vote): what was named is ranked, not these.
        table = table.only(model=[model for model in table.models if model in self.named])
        found = assessed(table, self.question)
        estimates = {model: found[model, measure.title] for model in found.models}
        for model, why in failures(table.cells).items():
            estimates[model] = _nothing(estimates[model], why)
        seconds = dict.fromkeys(estimates, 0.0)
        for cell in table.cells:
            seconds[str(cell["model"])] += _seconds(cell)
        return Tried(
            name, data.n, len(data.inputs), len(data.classes), data.target, estimates,
            len(table.only(role="test").splits), seconds=seconds, notes=found.notes,
            data_fingerprint=data.fingerprint, plan_fingerprint=table.meta.plan_fingerprint or "",
            target_by=data.target_by, **_told_apart(table, self.question),
        )  # fmt: skip


class _Unusable(InputError):  # noqa: N818 - it names the finding
    """This data set cannot be used; others may."""


def _line(error: Exception) -> str:
    """What went wrong in one line; of a traceback, how it begins and ends."""
    first, *rest = str(error).strip().splitlines()
    return f"{first} {rest[-1]}" if rest else first


def _lacks(measure: Measure, classes: int, ordinal: bool) -> str:
    """Why such data have no such measure, whatever the models give; empty if they may have it."""
    kind = measure.needs if measure.needs in ("probability", "votes") else "probability"
    return measure.lacks(measure.task, classes, kind, ordinal)


def _nothing(one: Estimate, why: str) -> Estimate:
    """No value: what failed may have been the hard part."""
    return replace(one, value=nan, low=nan, high=nan, se=nan, method="", reason=why)


def _seconds(cell: Mapping[str, Any]) -> float:
    return float(cell["fit_seconds"] or 0) + float(cell["predict_seconds"] or 0)


def _told_apart(table: Predictions, question: Question) -> dict[str, Any]:
    """Who predicts the same, and who is not told apart from the best here, by which test."""
    try:
        field = paired(table, question)
        pairs = frozenset(pair for pair in combinations(field.models, 2) if field.identical(*pair))
    except HeliastError:  # fewer than two models with a value
        return {}
    try:
        compared = of_field(field, question.but(test="auto"))
    except HeliastError:  # the splits allow no test
        return {"identical": pairs}
    best, *others = compared.order
    same = [model for model in others if not compared[best, model].better]
    one = compared[best, others[0]]
    return {"identical": pairs, "unbeaten": (best, *same), "test": one.test, "method": one.method}


def _words(one: Tried, seconds: float) -> str:
    failed = one.lacks(tuple(one.estimates))
    said = f"{one.n:,} rows, {one.splits} splits, {seconds:.1f} s"
    return said + "".join(f"; {model} {one.estimates[model].reason}" for model in failed)


# --- over data sets ----------------------------------------------------------------------------


def _ranked(tried: tuple[Tried, ...], left_out: dict[str, str], work: _Work) -> Benchmark:
    every = dict.fromkeys(model for one in tried for model in one.estimates)
    valued = tuple(m for m in every if any(not one.lacks((m,)) for one in tried))
    nowhere = {
        model: next(one.estimates[model].reason for one in tried if model in one.estimates)
        for model in every
        if model not in valued
    }
    measure = work.measure
    return Benchmark(
        tried, valued, measure.title, measure.better, work.question.level, left_out=left_out,
        models_left_out=nowhere, plan=str(work.plan), seed=work.question.seed, notes=_notes(tried),
        question=work.question, split_by=work.plan.words(measure.task),
    ).tested()  # fmt: skip


def _notes(tried: tuple[Tried, ...]) -> tuple[str, ...]:
    said = [
        f"{one.name} and {other.name} have as many rows and inputs, and every model the same "
        "value: perhaps the same data, which ought to count once"
        for one, other in combinations(tried, 2)
        if _alike(one, other)
    ]
    guessed = [one for one in tried if one.target_by in ("last", "nominal")]
    if guessed:
        listed = ", ".join(f"{one.name} ({one.target})" for one in guessed)
        said.append(f"the last column was taken for the target of {listed}; target= says otherwise")
    return tuple(said)


def _alike(one: Tried, other: Tried) -> bool:
    """Whether two data sets look the same, though their contents differ somewhere."""
    if (one.n, one.inputs, one.classes) != (other.n, other.inputs, other.classes):
        return False
    values = [{model: est.value for model, est in it.estimates.items()} for it in (one, other)]
    return values[0] == values[1] and len(set(values[0].values())) > 1
