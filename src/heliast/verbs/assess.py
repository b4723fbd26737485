"""assess: every measure of every model with its interval, and the majority-class baseline."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heliast import measures as registry
from heliast._core.costs import Costs
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast._core.notes import Note, key_of
from heliast._core.records import named, plain
from heliast.estimates import Estimate, estimate, placed, proven
from heliast.estimates.resampled import (
    Case,
    Parts,
    chosen_on,
    over_one,
    over_splits,
    resampled_methods,
    selected_of,
)
from heliast.measures import Measure
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions, Role
from heliast.predictions.scan import Scanned
from heliast.verbs.arguments import read_table
from heliast.verbs.baseline import Baseline, baseline_of
from heliast.verbs.headline import Headline, best_first, headline_of, is_validated
from heliast.verbs.options import Measures, Options
from heliast.verbs.pairs import lacking_input, missing_rows
from heliast.verbs.sliced_by import By, to_keep
from heliast.verbs.slices import Ask, Slices, Subject, slice_subjects
from heliast.views.methods import Facts
from heliast.views.numbers import Measured, measure_name
from heliast.views.record import Column, Record, Table
from heliast.views.tables import (
    chance_table,
    classes_table,
    confusion_table,
    measures_table,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from heliast.views.plots import Plot

# More values than this are computed for single classes of the BEST models alone.
MOST_VALUES, BEST = 25_000, 8
# Of more classes than this the cells that occur are listed, and no matrix is shown.
MOST_LISTED, MOST_CLASSES = 1000, 12
# Intervals that keep their coverage at the levels near 1 that many slices need.
NEAR_ONE = {
    "wilson": "clopper_pearson",
    "wilson_guarded": "clopper_pearson",
    "wilson_mean": "exact_mean",
    "student_t": "hall",
}


@dataclass(frozen=True, eq=False, repr=False)
class Assessment(Record):
    """Estimates of models; `assessment[model, measure]` or `[model, measure, class]` finds one.

    Parameters
    ----------
    estimates : tuple of Estimate
        One for each model, measure and class.
    models : tuple of str
        The models assessed.
    classes : tuple
        The classes in order; empty for regression.
    task : {"classification", "regression", "graded"}
        What was predicted.
    positive : label, optional
        The positive class of two.
    level : float
        The confidence level.
    n : int
        Rows assessed, of all models.
    notes : tuple of str
        Caveats, and what was inferred from the table.
    left_out : mapping
        Measures that could not be computed, and why.
    confusion : mapping
        The confusion matrix of each model.
    selected : Estimate or None
        The best of several models, adjusted for the selection; with validation rows the model
        that these selected, with its estimate from the test rows.
    in_train : {'none', 'some', 'all'}
        How many of the rows are in-sample.
    by : str
        The measure that models are ranked by, unless measures were named.
    baseline : Baseline or None
        The majority-class baseline.
    slices : Slices or None
        The estimates in each slice.

    Examples
    --------
    >>> import heliast as hl
    >>> found = hl.assess(hl.Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"]))
    >>> found["model", "recall", "a"].value
    0.5
    """

    estimates: tuple[Estimate, ...]
    models: tuple[str, ...]
    classes: tuple[Label, ...] = ()
    task: str = "classification"
    positive: Label | None = None
    level: float = 0.95
    n: int = 0
    notes: tuple[str, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    confusion: Mapping[str, Contingency] = field(default_factory=dict)
    selected: Estimate | None = None
    in_train: str = "none"
    by: str = ""
    baseline: Baseline | None = None
    slices: Slices | None = None

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def __getitem__(self, key: tuple[Any, ...]) -> Estimate:
        if not isinstance(key, tuple) or len(key) not in (2, 3):
            raise InputError("ask for [model, measure] or [model, measure, class]")
        model, measure, *rest = key
        class_ = rest[0] if rest else None
        with suppress(InputError, AttributeError):
            if (model, measure, class_) not in self._places:
                measure = registry.get(measure).title
        if (model, measure, class_) in self._places:
            return self._places[model, measure, class_]
        if model not in self.models:
            raise KeyError(f"no model named {model!r}; there are: {', '.join(self.models)}")
        if measure in self.left_out:
            raise KeyError(f"{measure} was left out: {self.left_out[measure]}")
        if class_ is not None and class_ not in self.classes:
            classes = ", ".join(map(repr, self.classes))
            raise KeyError(f"no class {class_!r}; the classes are {classes}")
        raise KeyError(f"{measure!r} was not assessed; ask for it with measures=[...]")

    @cached_property
    def _places(self) -> dict[tuple[object, ...], Estimate]:
        return {
            (entry.model, entry.measure, entry.class_): entry for entry in reversed(self.estimates)
        }

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures assessed."""
        return tuple(dict.fromkeys(entry.measure for entry in self.estimates))

    @cached_property
    def overall(self) -> tuple[Estimate, ...]:
        """The estimates over all classes."""
        return tuple(entry for entry in self.estimates if entry.class_ is None)

    @cached_property
    def headline(self) -> Headline | None:
        """The estimate that the summary states: that of the best of several models."""
        return headline_of(self.overall, self.selected, self.by)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The models, best first by the measure of the headline."""
        if self.headline is None:
            return self.models
        measure = self.headline.estimate.measure
        ranked = best_first([entry for entry in self.overall if entry.measure == measure])
        return tuple(dict.fromkeys((*(entry.model for entry in ranked), *self.models)))

    @property
    def summary(self) -> str:
        """The best model and its estimate, and the majority-class baseline."""
        if self.headline is None:
            return "Nothing could be assessed."
        words = self.headline.sentence("Best" if len(self.models) > 1 else "", self.in_train)
        if self.baseline is not None:
            words = f"{words} {self.baseline.summary}"
        return words

    @property
    def next_step(self) -> str:
        """The command to run next."""
        return "heliast compare FILE" if len(self.models) > 1 else ""

    # --- tables ----------------------------------------------------------------------------

    def tables(self) -> tuple[Table, ...]:
        """Measures by models; of one model its classes and confusion matrix; all values; slices.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        tables = [measures_table(self.overall, self.order)] if self.overall else []
        if len(self.models) == 1 and 0 < len(self.classes) <= MOST_CLASSES:
            (model,) = self.models
            classes = classes_table(self.estimates, model, self.classes)
            tables += [classes] if classes is not None and len(self.classes) > 2 else []
            tables += [confusion_table(matrix) for matrix in self.confusion.values()]
            kappa = (model, "kappa", None) in self._places
            tables += [chance_table(matrix) for matrix in self.confusion.values() if kappa]
        tables.append(self._every_value())
        return (*tables, *(self.slices.tables() if self.slices is not None else ()))

    def _every_value(self) -> Table:
        columns = (
            Column("model", kind="name"), Column("measure"), Column("class"),
            Column("value", kind="measured", never_cut=True), Column("method"),
        )  # fmt: skip
        rows = [
            (
                entry.model, measure_name(entry.measure),
                "" if entry.class_ is None else str(entry.class_), Measured.of(entry), entry.method,
            )
            for entry in self.estimates
        ]  # fmt: skip
        return Table("estimates", "Every value", columns, rows, detail=True)

    def records(self) -> list[dict[str, object]]:
        """A row for each estimate.

        Returns
        -------
        list of dict
            A dict for each row.
        """
        return [entry.to_dict() for entry in self.estimates]

    def facts(self) -> Facts:
        """The facts of a paragraph on methods.

        Returns
        -------
        Facts
            For `methods()`.
        """
        adjusted = self.selected is not None and not is_validated(self.selected)
        return Facts(
            self.models,
            self.level,
            self.estimates,
            in_train=self.in_train,
            selected=self.selected.measure if adjusted and self.selected is not None else "",
        )

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """A forest plot of the headline measure, and of one model its confusion matrix.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        from heliast.views import plots

        makers: dict[str, Any] = {}
        if self.headline is not None:
            measure = self.headline.estimate.measure
            ones = [self._places[model, measure, None] for model in self.order]
            makers["forest"] = lambda **options: plots.forest(ones, **options)
        if len(self.confusion) == 1:
            (matrix,) = self.confusion.values()
            makers["confusion_matrix"] = lambda **options: plots.confusion_matrix(matrix, **options)
        return makers

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The summary, the estimates, the confusion matrices, what was left out, the notes.
        """
        return {
            **named(self, "summary baseline task level n models classes positive estimates"),
            "confusion": {model: _cells(matrix) for model, matrix in self.confusion.items()},
            **named(self, "selected left_out notes"),
            **({} if self.slices is None else named(self, "slices")),
        }


def _cells(matrix: Contingency) -> object:
    """The counts as a table; of many classes the cells that occur."""
    if matrix.k <= MOST_LISTED:
        return plain(matrix.counts)
    cells = zip(matrix.rows.tolist(), matrix.columns.tolist(), matrix.count.tolist(), strict=True)
    return [
        {"y_true": matrix.classes[row], "y_pred": matrix.classes[column], "count": count}
        for row, column, count in cells
    ]


def assess(
    source: Any = None,
    *arguments: Any,
    measures: Measures = None,
    level: float = 0.95,
    interval: str | None = "auto",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    in_train: int | None = 0,
    seed: int = 0,
    stages: bool = False,
    by: By = (),
    **columns: Any,
) -> Assessment:
    """Return every measure that a prediction table allows, each with its confidence interval.

    Parameters
    ----------
    source : Predictions, path, data frame, mapping or array-like
        The prediction table, or what `as_predictions` makes one of; or `y_true`.
    *arguments : array-like
        After `y_true`: `y_pred`, or {model: y_pred}, and `y_score`. Then `measures`, `level` and
        `interval` may follow.
    measures : str, Measure, callable or sequence of these, optional
        Which measures; the panel of the task if not given.
    level : float
        The confidence level.
    interval : str or None
        The method of intervals: `auto`, or a name from `heliast.estimates`; None gives values
        alone.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class: adds the expected cost.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    role : str or None
        The role of the splits that count: `test`, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on a row that counts; None is any number.
    seed : int
        Random seed.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    by : str or sequence of str
        Kept columns to slice by, each by itself; `region*age:3` crosses two, with numbers cut into
        three parts.
    **columns : Any
        Columns and options of the table, as in `Predictions.of` (`y_score`, `positive`, `group`)
        and `Predictions.read`; `common_rows=True` keeps the rows that all models have.

    Returns
    -------
    Assessment
        `assessment[model, measure]` is an `Estimate`.

    Raises
    ------
    InputError
        If there is no such row or measure, or the table does not allow the measure.

    Examples
    --------
    >>> table = Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> assess(table)["model", "error"]
    Estimate(model error: 0.25 [0.01274, 0.7514], Wilson, exact lower and upper limit)
    >>> assess(["a", "a", "b", "b"], ["a", "b", "b", "b"])["model", "accuracy"].value
    0.75
    >>> assess([0, 1, 1, 0], y_score=[0.2, 0.4, 0.9, 0.1])["model", "roc_auc"].value
    1.0
    """
    names = ("measures", "level", "interval")
    table, positional = read_table("assess", (source, *arguments), columns, names, to_keep(by))
    options = {"measures": measures, "level": level, "interval": interval, **positional}
    return assess_beside_baseline(
        table,
        Options(
            **options, cost=cost, prevalences=prevalences, threshold=threshold, role=role,
            in_train=in_train, seed=seed, stages=stages, by=by,
        ),
    )  # fmt: skip


def assess_beside_baseline(
    predictions: Predictions, options: Options, by: Measure | None = None
) -> Assessment:
    """The assessment of a table with the majority-class baseline, and its slices if asked for."""
    assessment = assess_table(predictions, options, by)
    baseline = baseline_of(assessment.confusion, predictions, options)
    slices = assess_slices(predictions, options) if options.by else None
    return replace(assessment, baseline=baseline, slices=slices)


def assess_slices(predictions: Predictions, options: Options) -> Slices:
    """Estimates in each slice: of the measures named, else of the usual one."""
    table = options.rows(predictions)
    measures = options.measures or (options.usual(table.task),)
    subjects = [
        Subject(model, entry, table.only(model), ask_estimate(entry, options), ((model, 1.0),))
        for entry in measures
        for model in table.models
    ]
    return slice_subjects(subjects, options)


def ask_estimate(measure: Measure, options: Options) -> Ask:
    """How a slice is estimated: with an interval that keeps its coverage at levels near 1."""
    about = options.about(measure).but(by=())

    def overall(rows: Predictions, level: float, **more: Any) -> Estimate:
        return assess_table(rows, about.but(level=level, **more)).overall[0]

    def ask(rows: Predictions, level: float) -> Estimate:
        usual = overall(rows, level)
        other = NEAR_ONE.get(usual.key)
        plain_wilson = level <= options.level and usual.key.startswith("wilson")
        if plain_wilson or other is None or about.interval != "auto":
            return usual
        exact = overall(rows, level, interval=other)
        return usual if exact.reason else exact

    return ask


# --- computed ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Field:
    """The rows assessed, all rows of every role, and each model's part."""

    table: Predictions
    all_rows: Predictions
    options: Options
    parts: Mapping[str, Parts]
    incomplete: Mapping[str, int]

    @classmethod
    def of(cls, predictions: Predictions, options: Options) -> "_Field":
        table = options.rows(predictions)
        options = options.on(table)
        if isinstance(table, Scanned):
            table = table.of_one_split()
        incomplete = table.incomplete() if len(table.models) > 1 else {}
        parts = {model: Parts(table, model, options.prevalences) for model in table.models}
        return cls(table, options.decided(predictions), options, parts, incomplete)

    def estimate(
        self, model: str, all_rows: Predictions, measure: Measure, class_: Label | None
    ) -> Estimate:
        """The estimate of one model, measure and class, or the reason why there is none."""
        parts, level = self.parts[model], self.options.level
        lacking = parts.failed or lacking_input(measure, self.table, model)
        if lacking:
            value = Estimate(
                float("nan"), level=level, measure=measure.title, class_=class_, reason=lacking
            )
        else:
            case = Case(parts, all_rows, measure, class_, level, seed=self.options.seed)
            value = placed(_estimate_case(case, self.options.method), case)
        why = parts.unfinished or missing_rows(self.incomplete.get(model))
        if why:
            nan = float("nan")
            reason = why if value.defined else value.reason
            value = replace(value, low=nan, high=nan, se=nan, reason=reason)
        return replace(value, model=model)

    def lacks(self, measure: Measure) -> list[str]:
        """What each model lacks for a measure."""
        return [lacking_input(measure, self.table, model) for model in self.table.models]


def _estimate_case(case: Case, interval: str) -> Estimate:
    """One test set, or several splits: each has methods of its own."""
    single = case.parts.single
    if single is None:
        pooled = over_splits(case, interval)
        return proven(pooled, case) if interval == "auto" else pooled
    if interval == "auto" or interval in resampled_methods():
        return over_one(case, interval)
    return estimate(case.measure, single, case.class_, case.level, interval, case.seed)


def assess_table(
    predictions: Predictions, options: Options, by: Measure | None = None
) -> Assessment:
    """The assessment of a table without its baseline; `by` is what ranks models."""
    rows = _Field.of(predictions, options)
    table, options = rows.table, rows.options
    chosen, left_out = _choose_measures(rows)
    over_classes, single = {}, {}
    for model in table.models:
        all_rows = rows.all_rows.only(model)
        for measure, class_ in chosen:
            if class_ is None:
                over_classes[model, measure.title] = rows.estimate(model, all_rows, measure, None)
    best = _select(rows, [measure for measure, class_ in chosen if class_ is None], over_classes)
    shown = set(table.models)
    if options.measures is None and len(chosen) * len(shown) > MOST_VALUES:
        shown = set(_best_models(over_classes, by or options.usual(table.task), table))
        shown |= {best.model} if best is not None else set()
    for model in shown if any(class_ is not None for _, class_ in chosen) else ():
        all_rows = rows.all_rows.only(model)
        for measure, class_ in chosen:
            if class_ is not None:
                key = (model, measure.title, class_)
                single[key] = rows.estimate(model, all_rows, measure, class_)
    estimates = [
        over_classes[model, measure.title]
        if class_ is None
        else single[model, measure.title, class_]
        for model in table.models
        for measure, class_ in chosen
        if class_ is None or model in shown
    ]
    notes = _notes(table, estimates, left_out)
    if len(shown) < len(table.models):
        notes += (
            f"values of single classes are those of the best {len(shown)} of {len(table.models)} "
            "models: for others name the measure, or take one model alone",
        )
    unselected = isinstance(table, Scanned) or table.meta.design == "time"
    if unselected and len(table.models) > 1 and best is None:
        what = "a scanned table" if isinstance(table, Scanned) else "a time series"
        notes += (f"{what}: the best of several models is not adjusted for the selection",)
    return Assessment(
        tuple(estimates), models=table.models, classes=table.classes, task=table.task,
        positive=table.positive, level=options.level, n=len(table), notes=notes, left_out=left_out,
        confusion={
            model: parts.pooled.contingency
            for model, parts in rows.parts.items()
            if table.task == "classification" and not parts.failed
        },
        selected=best, in_train=_in_sample(table),
        by=options.usual(table.task).title if options.measures is None else "",
    )  # fmt: skip


def _best_models(
    over_classes: Mapping[tuple[str, str], Estimate], by: Measure, table: Predictions
) -> list[str]:
    """The best few models, whose values of single classes are of interest."""
    ones = [
        over_classes[model, by.title] for model in table.models if (model, by.title) in over_classes
    ]
    ranked = [entry.model for entry in best_first(ones) if entry.defined]
    return (ranked or list(table.models))[:BEST]


def _in_sample(table: Predictions) -> str:
    """How many of the rows are in-sample: none, some or all."""
    counts = table.in_train
    if counts is None or not counts.any():
        return "none"
    return "all" if counts.all() else "some"


def _notes(
    table: Predictions, estimates: Sequence[Estimate], left_out: Mapping[str, str]
) -> tuple[str, ...]:
    of_measures: dict[str, list[str]] = {}
    for entry in estimates:
        for note in entry.notes:
            of_measures.setdefault(note, []).append(entry.measure)
    grouped: dict[str, list[str]] = {}
    for name, why in left_out.items():
        grouped.setdefault(why, []).append(name)
    notes = [
        Note(f"{', '.join(dict.fromkeys(names))}: {note}", key_of(note))
        for note, names in of_measures.items()
    ]
    gone = [f"left out: {', '.join(names)} ({why})" for why, names in grouped.items()]
    return tuple(dict.fromkeys((*table.notes, *notes, *gone)))


# --- the best of several models ------------------------------------------------------------


def _select(
    rows: _Field, overall: Sequence[Measure], over_classes: Mapping[tuple[str, str], Estimate]
) -> Estimate | None:
    """The best of several models by the first measure that allows it; None without a choice.

    Validation rows select where there are some, and the estimate is that of the test rows; else
    the value is adjusted for the selection.
    """
    table, options = rows.table, rows.options
    complete = {
        model: parts
        for model, parts in rows.parts.items()
        if not rows.incomplete.get(model) and not parts.unfinished
    }
    if len(complete) < 2 or _in_sample(table) != "none":
        return None
    named_measures = options.measures or overall
    usual = [entry for entry in named_measures if entry.name == options.usual(table.task).name]
    candidates = usual or [entry for entry in named_measures if entry in overall] or overall
    choosing = options.choosing(rows.all_rows)
    for measure in candidates:
        if any(lacking_input(measure, table, model) for model in complete):
            continue
        try:
            if choosing is not options:
                return _validated(
                    rows.all_rows.only([*complete]), measure, options, choosing, over_classes
                )
            return selected_of(
                complete, measure, None, options.level, options.seed,
                own=lambda case: _estimate_case(case, options.method),
            )  # fmt: skip
        except InputError:
            continue
    return None


def _validated(
    predictions: Predictions, measure: Measure, options: Options, choosing: Options,
    over_classes: Mapping[tuple[str, str], Estimate],
) -> Estimate | None:  # fmt: skip
    """The model that validation rows select, with its estimate from the test rows."""
    if options.role is None:
        return assess_table(predictions, options.but(role="test", measures=measure)).selected
    tested, checked = options.rows(predictions), choosing.rows(predictions)
    best, why = chosen_on(checked, tested, measure, None, options.prevalences)
    own = over_classes[best, measure.title]
    return replace(own, notes=(why, *own.notes))


# --- which measures ------------------------------------------------------------------------


def _choose_measures(
    rows: _Field,
) -> tuple[list[tuple[Measure, Label | None]], dict[str, str]]:
    """The (measure, class) pairs to compute, and why some measures are left out."""
    table, options = rows.table, rows.options
    wanted = list(_panel(table, options) if options.measures is None else options.measures)
    if options.cost is not None:
        wanted = [measure for measure in wanted if measure.name != "expected_cost"]
        wanted.append(options.measure("expected_cost"))
    options.check_used(wanted)
    left_out: dict[str, str] = {}
    pairs: list[tuple[Measure, Label | None]] = []
    for measure in wanted:
        lacking = rows.lacks(measure)
        if all(lacking):
            if options.measures is not None:
                raise InputError(f"measure {measure.name!r}: {lacking[0]}")
            left_out[measure.name] = lacking[0]
            continue
        pairs.append((measure, None))
        if measure.classwise and measure.average is None and _by_class(measure, table, options):
            pairs += [(measure, class_) for class_ in table.classes]
    return pairs, left_out


def _panel(table: Predictions, options: Options) -> list[Measure]:
    """The measures shown if none are named."""
    return [
        options.measure(measure).on(table)
        for measure in registry.everything()
        if measure.panel
        and measure.task == table.task
        and (table.meta.ordinal or not measure.ordinal)
        and (table.attempts > 1 or not measure.repeated)
        and (not measure.spends or measure.spends in table.columns)
    ]


def _by_class(measure: Measure, table: Predictions, options: Options) -> bool:
    """Whether to add a value per class: not where two classes are one order of scores, nor
    unasked where each interval would cost a bootstrap.
    """
    if measure.needs == "label":
        return True
    unasked = options.measures is None and measure.name == "average_precision"
    return len(table.classes) > 2 and not unasked
