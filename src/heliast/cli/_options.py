"""Groups of options that several commands share, each declared once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from inspect import Parameter
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from heliast._core.errors import InputError
from heliast.cli import _words
from heliast.cli._app import Group, is_on_line
from heliast.cli._terminal import show, write_report
from heliast.verbs.sliced_by import to_keep

if TYPE_CHECKING:
    from heliast.data import Dataset

Text = str | None
Texts = list[str] | None


def option(text: str, *names: str, metavar: str | None = None) -> Any:
    """An option with its help."""
    return typer.Option(*names, metavar=metavar, help=text)


def column(text: str) -> Any:
    """An option that names a column."""
    return typer.Option(metavar="COLUMN", help=text)


MODEL = "A model: a short name, an import path (runs its code), .skops."
Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="CSV or Parquet predictions.")]
DataFile = Annotated[str, typer.Argument(metavar="DATA", help="CSV, Parquet or ARFF data.")]
Trust = Annotated[Texts, option("Type in a .skops file whose code may run.", metavar="TYPE")]
PlanWords = Annotated[str, option("Folds, or a plan: 'kfold(10, repeats=5)'.", metavar="PLAN")]
OutputFile = Annotated[Text, option("File to write.", "-o", "--output", metavar="FILE")]
Json = Annotated[bool, option("Print JSON instead of tables.", "--json")]
DropMissing = Annotated[bool, option("Leave out rows with missing values.", "--drop-missing")]
Order = Annotated[Text, option("All classes from least to most.", metavar="CLASSES")]
GroupColumn = Annotated[Text, column("Group of rows.")]
TimeColumn = Annotated[Text, column("When each row was: rows are a time series.")]
Keep = Annotated[Texts, column("Kept beside the predictions, to slice by.")]
Task = Annotated[Text, option("classification, regression or graded.", metavar="TASK")]


@dataclass(frozen=True, kw_only=True)
class ReadOptions(Group):
    """How files of predictions are read."""

    panel = "Predictions"

    y_true: Annotated[Text, column("True class or number.")] = None
    y_pred: Annotated[Texts, column("Predicted class; one for each of several models.")] = None
    y_score: Annotated[
        Texts,
        option(
            "Score of the positive class, or CLASS=COLUMN.",
            "--y-score",
            "--score",
            metavar="COLUMN",
        ),
    ] = None
    model: Annotated[
        Texts, option("Column of model names. With data, a model to fit.", metavar="MODEL")
    ] = None
    model_column: Annotated[
        Texts, column("Column of model names; of several, each combination is a model.")
    ] = None
    split: Annotated[Text, column("Split of the plan.")] = None
    row: Annotated[Text, column("Data row, or graded item.")] = None
    weight: Annotated[Text, column("Row weight.")] = None
    group: GroupColumn = None
    time: TimeColumn = None
    grade: Annotated[Texts, column("Grade of a response; each column a model.")] = None
    attempt: Annotated[Text, column("Attempt at the item, or repeats.")] = None
    bounds: Annotated[Text, option("Least and largest grade: 1:5.", metavar="LOW:HIGH")] = None
    keep: Keep = None
    positive: Annotated[Text, option("The positive class of two.", metavar="CLASS")] = None
    classes: Annotated[Text, option("All classes: a,b,c.", metavar="CLASSES")] = None
    order: Order = None
    task: Task = None
    scores: Annotated[Text, option("probability, decision or votes.", metavar="KIND")] = None
    weights: Annotated[Text, option("frequency or sampling.", metavar="KIND")] = None
    fixed_classes: Annotated[
        bool, option("Rows per class were fixed by design.", "--fixed-classes")
    ] = False
    drop_missing: DropMissing = False
    separator: Annotated[Text, option("What separates columns of a text file.")] = None
    decimal_separator: Annotated[Text, option("The decimal mark of a text file.")] = None
    common_rows: Annotated[
        bool, option("Assess all models on the rows that all have.", "--common-rows")
    ] = False

    def keeping(self, columns: Texts) -> Self:
        """The same, keeping the columns to slice by."""
        return replace(self, keep=[*(self.keep or ()), *to_keep(columns)])

    def keywords(self) -> dict[str, Any]:
        """The options as `Predictions.read` takes them."""
        if self.y_true is not None and self.y_true in (self.y_pred or ()):
            raise InputError(f"--y-true and --y-pred are both the column {self.y_true!r}")
        values = dict(vars(self))
        values.pop("common_rows")  # it is for several tables, once they are read
        return {
            "design": "classes" if values.pop("fixed_classes") else "rows",
            "missing": "drop" if values.pop("drop_missing") else "refuse",
            **values,
            "y_pred": _words.one_or_all(self.y_pred),
            "grade": _words.one_or_all(self.grade),
            "y_score": _words.score_columns(self.y_score),
            "model": _words.only_one(self.model) if self.model else None,
            "classes": _words.class_list(self.classes),
            "order": _words.class_list(self.order),
            "bounds": _words.two_numbers(self.bounds),
            "keep": self.keep or (),
            "model_column": self.model_column or (),
        }

    @property
    def names_columns(self) -> bool:
        """Whether a column of predictions is named, so that the file is meant to hold them."""
        return any((self.y_true, self.y_pred, self.y_score, self.split, self.row, self.weight,
                    self.scores, self.grade, self.attempt, self.bounds))  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ScanOptions(Group):
    """Whether a table is assessed out of core."""

    panel = "Predictions"

    scan: Annotated[
        bool | None,
        typer.Option(
            "--scan/--no-scan",
            help="Assess out of core (default: from 500 MB on, folders, databases).",
            show_default=False,
        ),
    ] = None
    table: Annotated[Text, option("Table of a database.", metavar="NAME")] = None
    memory: Annotated[Text, option("Memory of a scan before disk: 1GB.", metavar="SIZE")] = None


@dataclass(frozen=True, kw_only=True)
class DataOptions(Group):
    """How a file of data is read."""

    panel = "Data"

    target: Annotated[Text, column("What is to be predicted: the file holds data.")] = None
    ignore: Annotated[Texts, column("Not a feature.")] = None
    group: GroupColumn = None
    time: TimeColumn = None
    weight: Annotated[Text, column("Row weight; models are fitted with it.")] = None
    order: Order = None
    task: Task = None
    drop_missing: DropMissing = False

    def read(self, path: str) -> "Dataset":
        """The data to fit models on."""
        from heliast.data import read

        return read(
            path,
            self.target,
            ignore=tuple(self.ignore or ()),
            group=self.group,
            time=self.time,
            weight=self.weight,
            order=_words.class_list(self.order),
            task=self.task,  # type: ignore[arg-type]
            missing="drop" if self.drop_missing else "refuse",
        )


@dataclass(frozen=True, kw_only=True)
class ModelOptions(DataOptions):
    """Which models are fitted on data, and on which splits."""

    keep: Keep = None
    model: Annotated[Texts, option(MODEL, metavar="MODEL")] = None
    trust: Trust = None
    plan: PlanWords = "10"

    @classmethod
    def options(cls, command: str) -> dict[str, Parameter]:
        """All but `keep` for `fit`: a fitted model has no predictions to keep columns beside."""
        options = super().options(command)
        return {name: options[name] for name in options if (command, name) != ("fit", "keep")}

    def keeping(self, columns: Texts) -> Self:
        """The same, keeping the columns to slice by."""
        return replace(self, keep=[*(self.keep or ()), *to_keep(columns)])


@dataclass(frozen=True, kw_only=True)
class CandidateOptions(ModelOptions):
    """Models to fit, or fitted ones as they are."""

    fitted: Annotated[
        bool, option("The models are fitted: only predict, on all rows.", "--fitted")
    ] = False

    @property
    def meant(self) -> bool:
        """Whether the file holds data: a target is named, several models, or a model's file."""
        from heliast.fitting.loading import is_model_file

        models = self.model or ()
        named = len(models) > 1 or any(map(is_model_file, models))
        return self.target is not None or self.fitted or named


@dataclass(frozen=True, kw_only=True)
class WorkOptions(Group):
    """Where models are fitted."""

    panel = "Work"

    engine: Annotated[
        Text,
        option("local, dask://HOST:PORT, ray://HOST:PORT or spark://HOST:PORT.", metavar="ENGINE"),
    ] = None
    jobs: Annotated[int | None, option("Worker processes.", metavar="N")] = None
    store: Annotated[
        Text, option("Checkpoint folder: the same command goes on from it.", metavar="DIR")
    ] = None

    def keywords(self) -> dict[str, Any]:
        """The options as `run` takes them."""
        return {name: value for name, value in vars(self).items() if value is not None}


def _check_level(value: float | None) -> float | None:
    """Refuse a level before anything is fitted."""
    if value is not None and not 0 < value < 1:
        hint = f" (did you mean {value / 100:g}?)" if 1 < value < 100 else ", as 0.95"
        raise InputError(f"--level {value:g}: a confidence level lies between 0 and 1{hint}")
    return value


# The options of a question that each function takes, by their names in Python.
OPTIONS_OF = {
    verb: names.split()
    for verb, names in {
        "assess": "measures level interval cost prevalences threshold role in_train seed stages by",
        "compare": "measures level test margin correction against cost prevalences threshold role "
        "seed stages by",
        "gate": "level interval test margin cost prevalences threshold role in_train seed stages",
        "find_slices": "measures level cost threshold role seed",
        "combine": "measures level margin correction cost prevalences seed",
        "explain": "level seed stages",
        "fit": "measures level interval cost prevalences seed",
        "benchmark": "measures level test margin correction against cost seed",
    }.items()
}
# Parts of a question that have another name on the command line.
PARTS = {"measure": "measures", "prevalence": "prevalences"}


@dataclass(frozen=True, kw_only=True)
class QuestionOptions(Group):
    """What is asked: each command has the options that its function honours."""

    panel = "Question"

    measure: Annotated[Texts, option("What is measured: error, auc, ...", metavar="MEASURE")] = None
    level: Annotated[
        float | None,
        typer.Option(callback=_check_level, metavar="LEVEL", help="Confidence level [0.95]."),
    ] = None
    interval: Annotated[Text, option("Interval method, auto or none.", metavar="METHOD")] = None
    test: Annotated[Text, option("Name of a test, or auto.", metavar="TEST")] = None
    margin: Annotated[
        float | None, option("Smallest difference that matters.", metavar="DIFFERENCE")
    ] = None
    correction: Annotated[
        Text, option("For the number of pairs: holm or none.", metavar="METHOD")
    ] = None
    against: Annotated[
        Text, option("Only pairs with this model, or with the best.", metavar="MODEL")
    ] = None
    cost: Annotated[
        Text, option("Costs, rows = true class: '0,1;5,0', or a CSV file.", metavar="COSTS")
    ] = None
    prevalence: Annotated[
        Text, option("Prevalences of the classes in the population: a=0.9,b=0.1.", metavar="SHARES")
    ] = None
    threshold: Annotated[
        float | None, option("Predict positive from this score on.", metavar="SCORE")
    ] = None
    role: Annotated[Text, option("Splits: test, validation, full, inner, all.", metavar="ROLE")] = (
        None
    )
    in_train: Annotated[
        Text, option("Rows trained on so often: 0 (if not set), 1, any.", metavar="TIMES")
    ] = None
    seed: Annotated[int | None, typer.Option(min=0, metavar="SEED", help="Random seed.")] = None
    stages: Annotated[
        bool | None, typer.Option("--stages", help="Also stages of one fit: smaller ensembles.")
    ] = None
    by: Annotated[
        Texts, option("Slice by this column; age:3 cuts, a*b crosses.", metavar="COLUMN")
    ] = None

    @classmethod
    def options(cls, command: str) -> dict[str, Parameter]:
        """Those of the parts that the command answers; export answers as assess or compare."""
        functions = {"export": ("assess", "compare"), "slices": ("find_slices",)}
        parts = {part for name in functions.get(command, (command,)) for part in OPTIONS_OF[name]}
        if command == "export":
            parts.remove("by")
        options = super().options(command)
        return {name: options[name] for name in options if PARTS.get(name, name) in parts}

    def keywords(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """What is asked, as the functions take it, without measures and what is not set."""
        given = {
            PARTS.get(name, name): value
            for name, value in vars(self).items()
            if value is not None and name != "measure"
        }
        if self.cost is not None:
            given["cost"] = _words.costs(self.cost, classes)
        if self.prevalence is not None:
            given["prevalences"] = _words.shares(self.prevalence, classes)
        if self.role == "all":
            given["role"] = None
        if self.in_train is not None:
            given["in_train"] = _words.times(self.in_train)
        return given

    def on_one_measure(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """The same with the one measure that is asked about."""
        measure = {"measure": _words.only_one(self.measure)} if self.measure else {}
        return measure | self.keywords(classes)

    def of_report(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """The same with the first measure, by which the report ranks."""
        measure = {"measure": self.measure[0]} if self.measure else {}
        return measure | self.keywords(classes)

    def without_unused(
        self, context: typer.Context, command: str, measures: Sequence[str] | None = None
    ) -> Self:
        """The same without what a settings file says for all commands and has no use here.

        These are parts that the command does not answer, and costs or a threshold that change none
        of the measures, if some are asked for.
        """
        unused = [name for name in vars(self) if PARTS.get(name, name) not in OPTIONS_OF[command]]
        names = [*(self.measure or () if measures is None else measures)]
        if names and command == "assess" and self.cost is not None:
            names.append("expected_cost")  # it stands beside the others
        if names and (self.cost is not None or self.threshold is not None):
            from heliast.measures import get
            from heliast.verbs.options import Options

            question = Options(cost=_words.costs(self.cost, ()), threshold=self.threshold)
            unused += question.unused([get(name) for name in names])
        return replace(self, **{name: None for name in unused if not is_on_line(context, name)})


@dataclass(frozen=True, kw_only=True)
class OutputOptions(Group):
    """Where the answer goes."""

    panel = "Output"

    report: Annotated[Text, option("Also write everything as an HTML file.", metavar="FILE")] = None
    as_json: Json = False
    verbose: Annotated[bool, option("All tables and notes.", "--verbose", "-v")] = False

    def show(self, answer: Any, table: Any = None, **question: Any) -> None:
        """Print the answer, and write the report on the table if one is asked for."""
        show(answer, self.as_json, self.verbose)
        first = {} if table is answer else {"results": (answer,)}
        write_report(table, self.report, **first, **question)
