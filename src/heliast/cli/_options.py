"""Options that several verbs share, in groups, and the tables that they lead to."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer

from heliast._core.errors import InputError, NotPredictions
from heliast.cli import _words
from heliast.cli._app import remark, show, write_report
from heliast.cli._stored import how_to_go_on, recorded, told_of_damage
from heliast.cli._verb import Group
from heliast.verbs.honoured import HONOURED

if TYPE_CHECKING:
    from heliast.data import Dataset
    from heliast.predictions import Predictions

LARGE = 500_000_000
"""Bytes from which a file of predictions is scanned where it lies instead of read."""
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
    label: Annotated[Text, column("Decided class.")] = None
    score: Annotated[Texts, column("Score of the positive class, or CLASS=COLUMN.")] = None
    model: Annotated[Texts, told("Column with the model's name.", metavar="MODEL")] = None
    split: Annotated[Text, column("Split of the plan.")] = None
    row: Annotated[Text, column("Data row.")] = None
    weight: Annotated[Text, column("Row weight.")] = None
    group: Annotated[Text, column("Group of rows.")] = None
    positive: Annotated[Text, told("The positive class of two.", metavar="CLASS")] = None
    classes: Annotated[Text, told("All classes: a,b,c.", metavar="CLASSES")] = None
    task: Annotated[Text, told("classes or number.", metavar="TASK")] = None
    scores: Annotated[Text, told("probability, decision or votes.", metavar="KIND")] = None
    weights: Annotated[Text, told("frequency or sampling.", metavar="KIND")] = None
    fixed_classes: Annotated[
        bool, told("Rows per class were fixed by design.", "--fixed-classes")
    ] = False
    drop_missing: Annotated[bool, told("Leave out rows with missing values.", "--drop-missing")] = (
        False
    )

    def keywords(self) -> dict[str, Any]:
        """As `Predictions.read` takes them."""
        return {
            "truth": self.truth,
            "label": self.label,
            "score": _words.score_columns(self.score),
            "model": _words.only_one(self.model) if self.model else None,
            "split": self.split,
            "row": self.row,
            "weight": self.weight,
            "group": self.group,
            "positive": self.positive,
            "classes": _words.class_list(self.classes),
            "task": self.task,
            "scores": self.scores,
            "weights": self.weights,
            "design": "classes" if self.fixed_classes else "rows",
            "missing": "drop" if self.drop_missing else "refuse",
        }

    @property
    def mapped(self) -> bool:
        """Whether a column of predictions is named, so that the file is meant to hold them."""
        return any((self.truth, self.label, self.score, self.split, self.row, self.weight,
                    self.scores))  # fmt: skip


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

    def of(self, files: Sequence[str]) -> bool:
        """Whether to scan: if asked for, if the file is large, or if it is no single file."""
        if self.scan is not None:
            return self.scan
        return len(files) == 1 and (self.table is not None or _to_scan(files[0]))

    def table_of(self, files: Sequence[str], reading: Reading) -> "Predictions":
        """The predictions where they lie."""
        from heliast.predictions import Predictions

        if len(files) > 1:
            raise InputError(
                f"a scan takes one table, got {len(files)} files: quote a pattern, as in "
                "'parts/*.parquet', for the parts of one; several models are read with --no-scan"
            )
        memory = self.memory or "1GB"
        return Predictions.scan(files[0], table=self.table, memory=memory, **reading.keywords())


def _to_scan(file: str) -> bool:
    """Whether a name is that of a large file, a folder, a pattern or a database."""
    path = Path(file).expanduser()
    try:
        if path.is_file():
            with path.open("rb") as opened:
                head = opened.read(16)
            base = head.startswith(b"SQLite format 3") or head[8:12] == b"DUCK"
            return base or path.stat().st_size >= LARGE
        return path.is_dir() or has_magic(file) or "::" in file
    except (OSError, ValueError):
        return False  # the reader says what is wrong


def read_all(files: Sequence[str], reading: Reading) -> "Predictions":
    """The predictions of one file, or of several joined on their rows."""
    from heliast.predictions import Predictions

    options = reading.keywords()
    tables = [Predictions.read(file, **options) for file in files]
    table, *others = _told_apart(files, tables)
    for other in others:
        table = table.join(other)
    return table


def _told_apart(files: Sequence[str], tables: list["Predictions"]) -> list["Predictions"]:
    """Files of one name in different folders are models named after both."""
    paths = [Path(file) for file in files]
    stems = [path.stem for path in paths]
    twice = next((path for at, path in enumerate(paths) if path in paths[:at]), None)
    if twice is not None:
        raise InputError(f"{twice} is given twice: a comparison needs files of different models")
    return [
        replace(table, models=(f"{path.resolve().parent.name}/{path.stem}",))
        if stems.count(path.stem) > 1 and table.models == (path.stem,)
        else table
        for path, table in zip(paths, tables, strict=True)
    ]


# --- data, and models to fit on them -----------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Data(Group):
    """How a file of data is read."""

    panel = "Data"

    target: Annotated[Text, column("What is to be predicted: the file holds data.")] = None
    ignore: Annotated[Texts, column("Not an input.")] = None
    group: Annotated[Text, column("Group of rows.")] = None
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
        given = {"engine": self.engine, "jobs": self.jobs, "store": place,
                 "fit_timeout": self.fit_timeout, "fit_memory": self.fit_memory}  # fmt: skip
        with told_of_damage(place), how_to_go_on(self.store, again):
            yield {name: value for name, value in given.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class Models(Data):
    """Which models are fitted on data, and on which splits."""

    line: ClassVar[tuple[str, ...]] = ("model", "trust")

    model: Annotated[Texts, told(f"{MODEL}.", metavar="MODEL")] = None
    trust: Trust = None
    plan: PlanWords = "10"

    def fitted_on(self, data: "Dataset", seed: int, work: Work, **more: Any) -> "Predictions":
        """Fit the named models, or the panel, on the splits of the plan."""
        from heliast.fitting.panel import panel
        from heliast.fitting.run import run

        named = _words.named_models(self.model or (), data.task, self.trust) or panel(data.task)
        with work.begun() as options:
            return run(named, data, _words.plan(self.plan), seed, **options, **more)


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

    def table_of(self, files: Sequence[str], seed: int, work: Work) -> "Predictions":
        """What the models say of the one file of data."""
        if len(files) != 1:
            raise InputError(
                f"models are fitted on one file of data, got {len(files)}: {', '.join(files)}; "
                "files of predictions are read without --target and --model"
            )
        data = self.read(files[0])
        if not self.fitted:
            return self.fitted_on(data, seed, work)
        from heliast.fitting.predict import predict

        if not self.model:
            raise InputError("--fitted: name the file of a fitted model, as in --model model.skops")
        return predict(_words.named_models(self.model, data.task, self.trust), data)

    def guessed(self, file: str) -> "Dataset | None":
        """The data in a file that holds no predictions; None if it does not tell its target."""
        try:
            data = self.read(file)
        except InputError:
            return None
        # A last column, or one called label, is a fair guess for who asks for data, not for who
        # may have meant otherwise.
        last = data.target_by == "last"
        return None if last or data.target.lower() == "label" else data


def table_of(
    files: Sequence[str],
    reading: Reading,
    models: Candidates,
    work: Work,
    seed: int,
    scanning: Scanning | None = None,
) -> "Predictions":
    """Predictions: of files that hold them, or of models on a file that holds data.

    Who may scan may also be wrong about what a file holds: then it is looked at as data.
    """
    if models.meant:
        return models.table_of(files, seed, work)
    if scanning is not None and scanning.of(files):
        return scanning.table_of(files, reading)
    try:
        return read_all(files, reading)
    except NotPredictions as error:
        refused = error
    single = len(files) == 1 and Path(files[0]).is_file() and not reading.mapped
    data = models.guessed(files[0]) if single and scanning is not None else None
    if data is None:
        raise refused
    remark(
        f"{files[0]} holds data, not predictions: {data.target!r} is to be predicted; models are "
        f"fitted on the plan {models.plan!r} (say --target otherwise)"
    )
    return models.fitted_on(data, seed, work)


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

    @classmethod
    def options(cls, verb: str) -> dict[str, Any]:
        """Those of the parts that the verb answers; export answers as assess or compare."""
        of = ("assess", "compare") if verb == "export" else (verb,)
        parts = {part for name in of for part in HONOURED[name]}
        every = super().options(verb)
        return {name: option for name, option in every.items() if PARTS.get(name, name) in parts}

    def keywords(self, classes: Sequence[Any] = ()) -> dict[str, Any]:
        """What was said, as the verbs take it, but for measures; nothing where nothing was said."""
        given = {
            "level": self.level,
            "interval": self.interval,
            "test": self.test,
            "margin": self.margin,
            "correction": self.correction,
            "cost": _words.costs(self.cost, classes),
            "prevalences": _words.shares(self.prevalence, classes),
            "threshold": self.threshold,
            "seed": self.seed,
        }
        said: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if self.role is not None:
            said["role"] = None if self.role == "all" else self.role
        if self.seen is not None:
            said["seen"] = _words.times(self.seen)
        return said

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
