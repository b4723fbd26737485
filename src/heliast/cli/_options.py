"""Options that several verbs share, in groups: each declared once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import typer

from heliast._core.errors import InputError
from heliast.cli import _words
from heliast.cli._app import show, write_report
from heliast.cli._stored import how_to_go_on, recorded, told_of_damage
from heliast.cli._verb import Group, shared
from heliast.verbs.honoured import HONOURED
from heliast.verbs.sliced_by import to_keep

if TYPE_CHECKING:
    from heliast.data import Dataset

Text = str | None
Texts = list[str] | None


def column(words: str) -> Any:
    """An option that names a column."""
    return typer.Option(metavar="COLUMN", help=words)


def told(words: str, *names: str, metavar: str | None = None) -> Any:
    """An option with its help."""
    return typer.Option(*names, metavar=metavar, help=words)


Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="CSV or Parquet predictions.")]
DataFile = Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")]
Trust = Annotated[Texts, told("Type in a .skops file whose code may run.", metavar="TYPE")]
PlanWords = Annotated[str, told("Folds, or a plan such as 'kfold(10, repeats=5)'.", metavar="PLAN")]
MODEL = "A model to fit: a short name, an import path (runs its code), .skops"
Json = Annotated[bool, told("Print JSON instead of tables.", "--json")]


# --- a table of predictions --------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Reading(Group):
    """How files of predictions are read."""

    panel = "Predictions"

    truth: Annotated[Text, column("True class.")] = None
    label: Annotated[Texts, column("Decided class; one for each of several models.")] = None
    score: Annotated[Texts, column("Score of the positive class, or CLASS=COLUMN.")] = None
    model: Annotated[Texts, told("Column with the model's name.", metavar="MODEL")] = None
    split: Annotated[Text, column("Split of the plan.")] = None
    row: Annotated[Text, column("Data row, or graded item.")] = None
    weight: Annotated[Text, column("Row weight.")] = None
    group: Annotated[Text, column("Group of rows.")] = None
    time: Annotated[Text, column("When each row was: rows are in order of time.")] = None
    grade: Annotated[Texts, column("What answers were found worth; each a model.")] = None
    attempt: Annotated[Text, column("Attempt at the item, or repeats.")] = None
    bounds: Annotated[Text, told("Least and largest grade: 1:5.", metavar="LOW:HIGH")] = None
    keep: Annotated[Texts, column("Kept beside the predictions, to slice by.")] = None
    positive: Annotated[Text, told("The positive class of two.", metavar="CLASS")] = None
    classes: Annotated[Text, told("All classes: a,b,c.", metavar="CLASSES")] = None
    order: Annotated[Text, told("All classes from least to most.", metavar="CLASSES")] = None
    task: Annotated[Text, told("classes, number or graded.", metavar="TASK")] = None
    scores: Annotated[Text, told("probability, decision or votes.", metavar="KIND")] = None
    weights: Annotated[Text, told("frequency or sampling.", metavar="KIND")] = None
    fixed_classes: Annotated[
        bool, told("Rows per class were fixed by design.", "--fixed-classes")
    ] = False
    drop_missing: Annotated[bool, told("Leave out rows with missing values.", "--drop-missing")] = (
        False
    )
    common_rows: Annotated[
        bool, told("Judge all models on the rows that all have.", "--common-rows")
    ] = False

    def keeping(self, by: Texts) -> "Reading":
        """The same, keeping the columns that are to be sliced by."""
        return replace(self, keep=[*(self.keep or ()), *to_keep(by)]) if by else self

    def keywords(self) -> dict[str, Any]:
        """As `Predictions.read` takes them."""
        said = dict(vars(self))
        said.pop("common_rows")  # of several tables, once they are read
        return {
            "design": "classes" if said.pop("fixed_classes") else "rows",
            "missing": "drop" if said.pop("drop_missing") else "refuse",
            **said,
            "label": _words.one_or_all(self.label),
            "grade": _words.one_or_all(self.grade),
            "score": _words.score_columns(self.score),
            "model": _words.only_one(self.model) if self.model else None,
            "classes": _words.class_list(self.classes),
            "order": _words.class_list(self.order),
            "bounds": _words.two_numbers(self.bounds, "--bounds"),
            "keep": self.keep or (),
        }

    @property
    def mapped(self) -> bool:
        """Whether a column of predictions is named, so that the file is meant to hold them."""
        return any((self.truth, self.label, self.score, self.split, self.row, self.weight,
                    self.scores, self.grade, self.attempt, self.bounds))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Scanning(Group):
    """Whether a table is counted where it lies."""

    panel = "Predictions"

    scan: Annotated[
        bool | None,
        typer.Option(
            "--scan/--no-scan",
            help="Count the table where it lies (default: from 500 MB on, folders, databases).",
            show_default=False,
        ),
    ] = None
    table: Annotated[Text, told("Table of a database.", metavar="NAME")] = None
    memory: Annotated[
        Text, told("What a scan may use before it goes to disk: 1GB.", metavar="SIZE")
    ] = None


# --- data, and models to fit on them -----------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Data(Group):
    """How a file of data is read."""

    panel = "Data"

    target: Annotated[Text, column("What is to be predicted: the file holds data.")] = None
    ignore: Annotated[Texts, column("Not an input.")] = None
    group: Annotated[Text, column("Group of rows.")] = None
    time: Annotated[Text, column("When each row was: rows are in order of time.")] = None
    order: Annotated[Text, told("All classes from least to most.", metavar="CLASSES")] = None
    task: Annotated[Text, told("classes or number.", metavar="TASK")] = None
    drop_missing: Annotated[bool, told("Leave out rows with missing values.", "--drop-missing")] = (
        False
    )

    def read(self, source: str) -> "Dataset":
        """The data to fit models on."""
        from heliast.data import read

        return read(
            source,
            self.target,
            ignore=tuple(self.ignore or ()),
            group=self.group,
            time=self.time,
            order=_words.class_list(self.order),
            task=self.task,  # type: ignore[arg-type]
            missing="drop" if self.drop_missing else "refuse",
        )


@dataclass(frozen=True, kw_only=True)
class Work(Group):
    """Where models are fitted, and what it may cost."""

    panel = "Work"
    line = ("engine", "store")

    engine: Annotated[
        Text,
        told("local, dask://HOST:PORT, ray://HOST:PORT or spark://HOST:PORT.", metavar="ENGINE"),
    ] = None
    jobs: Annotated[int | None, told("Worker processes.", metavar="N")] = None
    store: Annotated[
        Text, told("Folder that keeps finished work: goes on when interrupted.", metavar="DIR")
    ] = None
    fit_timeout: Annotated[
        float | None, told("End a fit that takes longer.", metavar="SECONDS")
    ] = None
    fit_memory: Annotated[Text, told("End a fit that needs more: 2GB (Linux).", metavar="SIZE")] = (
        None
    )

    @contextmanager
    def begun(self, again: str = "") -> Iterator[dict[str, Any]]:
        """What was said, as the verbs take it; the store tells of damage and how to go on."""
        place = recorded(self.store)
        said = {name: value for name, value in vars(self).items() if value is not None}
        with told_of_damage(place), how_to_go_on(self.store, again):
            yield said if place is None else {**said, "store": place}


@dataclass(frozen=True, kw_only=True)
class Models(Data):
    """Which models are fitted on data, and on which splits."""

    line: ClassVar[tuple[str, ...]] = ("model", "trust")

    keep: Annotated[Texts, column("Kept beside the predictions, to slice by.")] = None
    model: Annotated[Texts, told(f"{MODEL}.", metavar="MODEL")] = None
    trust: Trust = None
    plan: PlanWords = "10"

    def keeping(self, by: Texts) -> Self:
        """The same, keeping the columns that are to be sliced by."""
        return replace(self, keep=[*(self.keep or ()), *to_keep(by)]) if by else self

    @classmethod
    def options(cls, verb: str) -> dict[str, Any]:
        """A fitted model has no predictions beside which columns could be kept."""
        return {name: one for name, one in cls.every().items() if (verb, name) != ("fit", "keep")}


@dataclass(frozen=True, kw_only=True)
class Candidates(Models):
    """Models to fit, or fitted ones as they are."""

    line = ("model", "trust", "fitted")

    fitted: Annotated[
        bool, told("The models are fitted: only predict, on all rows.", "--fitted")
    ] = False

    @property
    def meant(self) -> bool:
        """Whether the file holds data: a target is named, or several models, or a model's file."""
        from heliast.fitting.loading import is_model_file

        several = self.model or ()
        named = len(several) > 1 or any(is_model_file(one) for one in several)
        return self.target is not None or self.fitted or named


# --- what is asked, and where the answer goes --------------------------------------------------


def _level(value: float | None) -> float | None:
    """Refused before anything is fitted."""
    if value is not None and not 0 < value < 1:
        hint = f" (did you mean {value / 100:g}?)" if 1 < value < 100 else ", as 0.95"
        raise InputError(f"--level {value:g}: a confidence level lies between 0 and 1{hint}")
    return value


PARTS = {"measure": "measures", "prevalence": "prevalences"}
"""Parts of a question that have another name on the command line."""


@dataclass(frozen=True, kw_only=True)
class Asked(Group):
    """The question: a verb has the options of those parts that it honours."""

    panel = "Question"

    measure: Annotated[Texts, told("What is measured: error, auc, ...", metavar="MEASURE")] = None
    level: Annotated[
        float | None,
        typer.Option(callback=_level, metavar="LEVEL", help="Confidence level, 0.95 if not set."),
    ] = None
    interval: Annotated[Text, told("Interval method, auto or none.", metavar="METHOD")] = None
    test: Annotated[Text, told("Name of a test, or auto.", metavar="TEST")] = None
    margin: Annotated[
        float | None, told("Smallest difference that matters.", metavar="DIFFERENCE")
    ] = None
    correction: Annotated[
        Text, told("For the number of pairs: holm or none.", metavar="METHOD")
    ] = None
    cost: Annotated[
        Text, told("Costs, rows = true class: '0,1;5,0', or a CSV file.", metavar="COSTS")
    ] = None
    prevalence: Annotated[
        Text, told("Class shares of the population: a=0.9,b=0.1.", metavar="SHARES")
    ] = None
    threshold: Annotated[
        float | None, told("Decide labels again: positive from this score on.", metavar="SCORE")
    ] = None
    role: Annotated[
        Text, told("Splits that count: test, validation, full, inner, all.", metavar="ROLE")
    ] = None
    seen: Annotated[
        Text, told("Rows that count: trained on so often; 0 (if not set), 1, any.", metavar="TIMES")
    ] = None
    seed: Annotated[
        int | None, typer.Option(min=0, metavar="SEED", help="Seed of whatever is drawn.")
    ] = None
    stages: Annotated[
        bool | None,
        typer.Option("--stages", help="Also stages of one fit: votes of fewer members."),
    ] = None
    by: Annotated[
        Texts, told("Slice by this column; age:3 cuts, a*b crosses.", metavar="COLUMN")
    ] = None

    @classmethod
    def options(cls, verb: str) -> dict[str, Any]:
        """Those of the parts that the verb answers; export answers as assess or compare."""
        several = {"export": ("assess", "compare"), "slices": ("find_slices",)}
        of = several.get(verb, (verb,))
        parts = {part for name in of for part in HONOURED[name]}
        parts -= {"by"} if verb == "export" else set()
        every = cls.every().items()
        return {name: option for name, option in every if PARTS.get(name, name) in parts}

    def keywords(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """What was said, as the verbs take it, but for measures; nothing where nothing was said."""
        said = {PARTS.get(name, name): word for name, word in vars(self).items()}
        said = {part: word for part, word in said.items() if word is not None}
        said.pop("measures", None)
        if self.cost is not None:
            said["cost"] = _words.costs(self.cost, classes)
        if self.prevalence is not None:
            said["prevalences"] = _words.shares(self.prevalence, classes)
        if self.role == "all":
            said["role"] = None
        if self.seen is not None:
            said["seen"] = _words.times(self.seen)
        return said

    def useful(
        self, context: typer.Context, verb: str, measures: Sequence[str] | None = None
    ) -> "Asked":
        """Without what the top level of a file gives and the verb has no use for here.

        That are parts that it does not answer, and costs or a threshold that change none of the
        measures, if some are asked for.
        """
        tops = [
            name for name, word in vars(self).items() if word is not None and shared(context, name)
        ]
        idle = [name for name in tops if PARTS.get(name, name) not in HONOURED[verb]]
        names = list(measures if measures is not None else self.measure or ())
        if names and verb == "assess" and self.cost is not None:
            names.append("expected_cost")  # it stands beside the others
        if names and {"cost", "threshold"} & {*tops}:
            from heliast.measures import get
            from heliast.verbs.question import Question

            given = Question(cost=_words.costs(self.cost, ()), threshold=self.threshold)
            idle += [name for name in given.unused([get(one) for one in names]) if name in tops]
        return replace(self, **dict.fromkeys(idle))

    def of_one(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """The same with the one measure that is asked about."""
        one = {"measure": _words.only_one(self.measure)} if self.measure else {}
        return one | self.keywords(classes)

    def of_report(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """The same with the first measure, by which the report ranks."""
        first = {"measure": self.measure[0]} if self.measure else {}
        return first | self.keywords(classes)


@dataclass(frozen=True, kw_only=True)
class Output(Group):
    """Where the answer goes."""

    panel = "Output"
    line = ("report", "as_json")

    report: Annotated[Text, told("Also write everything as one HTML file.", metavar="FILE")] = None
    as_json: Json = False

    def show(self, answer: Any, table: Any = None, **question: Any) -> None:
        """Print the answer, and write the report on the table if one is asked for."""
        show(answer, self.as_json)
        write_report(table, self.report, **question)
