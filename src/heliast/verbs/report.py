"""report: everything computed from a table of predictions, as one HTML file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from heliast._core.costs import Costs
from heliast._core.errors import HeliastError, InputError
from heliast._core.files import write_whole
from heliast._core.labels import Label
from heliast.curves import Regions
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.verbs.arguments import read_tables
from heliast.verbs.assess import Assessment, assess_beside_baseline, assess_slices, assess_table
from heliast.verbs.compare import compare_tables
from heliast.verbs.comparison import Comparison
from heliast.verbs.options import Options
from heliast.verbs.sliced_by import By, to_keep
from heliast.views.methods import versions
from heliast.views.record import Record
from heliast.views.report import (
    Material,
    Sets,
    framed,
    page,
    summarise,
    summarise_record,
    summarise_sets,
)

# Of no more tasks and models than these each task of a graded table is shown unasked.
MOST_TASKS, MOST_SLICED = 30, 5


@dataclass(frozen=True, repr=False)
class Page:
    """A report that was not written: a notebook shows it, `write` makes a file of it.

    Parameters
    ----------
    html : str
        The whole page.
    """

    html: str

    def write(self, path: "str | os.PathLike[str]" = "report.html") -> Path:
        """Write the page whole or not at all.

        Parameters
        ----------
        path : path
            The file, which ends in `.html`.

        Returns
        -------
        Path
            The file written.
        """
        if not isinstance(path, (str, os.PathLike)):
            raise InputError(f"report: path={path!r:.60}: name a file, such as 'report.html'")
        if Path(path).suffix.lower() not in (".html", ".htm"):
            raise InputError(f"{path}: a report is HTML: end the name in .html")
        content = self.html.encode("utf-8", "backslashreplace")
        return write_whole(Path(path), lambda file: file.write(content), "report.html")

    def __repr__(self) -> str:
        return f"<Page: a report of {len(self.html):,} characters; .write(path) makes a file of it>"

    def _repr_html_(self) -> str:
        return framed(self.html)


def report(
    source: Any = None,
    *arguments: Any,
    path: "str | os.PathLike[str] | None" = None,
    measure: str | Measure | None = None,
    level: float = 0.95,
    interval: str | None = "auto",
    test: str = "auto",
    margin: float | None = None,
    correction: str = "holm",
    against: str = "",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    in_train: int | None = 0,
    title: str = "",
    command: str = "",
    seed: int = 0,
    stages: bool = False,
    by: By = (),
    regions: Sequence[Regions] = (),
    results: Sequence[Record] = (),
    **columns: Any,
) -> "Path | Page":
    """Assess and compare the models of a table and write one HTML file; return its path.

    Without a path the page itself is returned, which a notebook shows. The file needs no network
    and no JavaScript. It holds counts and estimates, never rows.

    Parameters
    ----------
    source : Predictions, result, path, data frame, mapping or array-like
        The prediction table, or what `as_predictions` makes one of; `y_true`; a mapping of data
        sets to tables; or a result of `benchmark`, `combine`, `fit` or `explain`.
    *arguments : array-like or path
        Further tables; or after `y_true` `y_pred`, or {model: y_pred}. Then `path` may follow.
    path : path, optional
        The file to write, such as "report.html"; None writes none.
    measure : str or Measure, optional
        What models are ranked and compared by: the error, the mean absolute error for regression,
        the expected cost where costs are given.
    level : float
        The confidence level of intervals and tests.
    interval : str or None
        The method of intervals: `auto`, or a name from `heliast.estimates`.
    test : str
        The test of differences: `auto`, or a name from `heliast.comparisons`.
    margin : float, optional
        The equivalence margin.
    correction : {"holm", "none"}
        Whether p values are adjusted for the number of pairs.
    against : str
        `best`, or a model that every other is compared with; all pairs if empty.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    role : str or None
        The role of the splits that count: `test`, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on a row that counts; None is any number.
    title : str
        The heading of the page.
    command : str
        The command that made it, shown at the end.
    seed : int
        Random seed.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    by : str or sequence of str
        Kept columns to slice by, as in `assess`; if not given, the tasks of a graded table of up to
        5 models.
    regions : sequence of Regions
        Decision regions of the models, from `heliast.regions`.
    results : sequence of records
        Results that stand first, such as that of `gate`.
    **columns : Any
        Columns and options of the table, as in `assess`.

    Returns
    -------
    Path or Page
        The file written; without a path the page.

    Raises
    ------
    InputError
        If the table cannot be assessed as asked, or the path does not end in `.html`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> table = Predictions.of(["a", "b"] * 20, ["a", "b", "a", "a"] * 10)
    >>> written = report(table, pathlib.Path(tempfile.mkdtemp()) / "report.html")
    >>> "error rate 25.0%" in written.read_text(encoding="utf-8")
    True
    """
    options = Options(
        measures=measure, level=level, interval=interval, test=test, margin=margin,
        correction=correction, cost=cost, prevalences=prevalences, threshold=threshold, role=role,
        in_train=in_train, seed=seed, stages=stages, by=by,
    )  # fmt: skip
    about: dict[str, Any] = {"title": title or "Report", "command": command, "versions": versions()}
    if isinstance(source, Record):
        path = arguments[0] if arguments else path
        content = _of_record(source, options, about, against)
    else:
        tables, positional = read_tables(
            "report", (source, *arguments), columns, ("path",), to_keep(by)
        )
        path = positional.get("path", path)
        if isinstance(tables, Predictions):
            top = [entry for entry in results if not isinstance(entry, (Assessment, Comparison))]
            about |= {"regions": regions, "top": top}
            content = summarise(material_of(tables, options, about, against))
        elif regions:
            raise InputError("report: regions= belong to one table, here are several data sets")
        else:
            content = summarise_sets(_sets(tables, options, about, against))
    return Page(page(content)) if path is None else Page(page(content)).write(path)


def make_page(table: Predictions, **options: Any) -> str:
    """The HTML of the report of a table."""
    made = report(table, **options)
    return made.html if isinstance(made, Page) else ""


def _of_record(
    record: Record, options: Options, about: Mapping[str, Any], against: str
) -> dict[str, Any]:
    """The report of a result: above the report of its predictions, where it has candidates."""
    combined: Any = record
    if not hasattr(combined, "candidates"):
        return summarise_record(record, **about)
    table = combined.predictions.only([*combined.candidates])
    measure = options.measures or combined.measure
    options = options.but(measures=measure, stages=True)
    return summarise(material_of(table, options, {**about, "top": [record]}, against))


def material_of(
    predictions: Predictions,
    options: Options,
    about: Mapping[str, Any] = MappingProxyType({}),
    against: str = "",
) -> Material:
    """What a report of one table is made from."""
    rows, predictions = options.rows(predictions), options.decided(predictions)
    if len(rows.models) <= MOST_SLICED and not options.by and 1 < _tasks(rows) <= MOST_TASKS:
        options = options.but(by="task")
    measure = options.only_measure(rows.task)
    assessment = assess_beside_baseline(predictions, options.but(measures=None, by=()), measure)
    if options.by:
        slices = assess_slices(predictions, options.about(measure))
        assessment = replace(assessment, slices=slices)
    by = None if assessment.selected is None else assessment.selected.measure
    missing = measure.title not in assessment.measures
    if missing or (len(assessment.models) > 1 and by != measure.title):
        # The best model is selected by this measure, so this is what is adjusted for the selection.
        extra = assess_table(predictions, options.about(measure))
        estimates = (*(extra.estimates if missing else ()), *assessment.estimates)
        assessment = replace(
            assessment, estimates=estimates, selected=extra.selected, by=measure.title
        )
    comparison, alone = None, "there is one model"
    if len(assessment.models) > 1:
        try:
            comparison = compare_tables(predictions, options.about(measure), against)
        except HeliastError as error:
            alone = str(error)
    return Material(
        rows, predictions, assessment, comparison, alone, measure.title, cost=options.cost,
        prevalences=options.prevalences, seed=options.seed, **about,
    )  # fmt: skip


def _tasks(table: Predictions) -> int:
    """How many tasks the items of a graded table are of."""
    kept = table.columns.get("task") if table.task == "graded" else None
    return 0 if kept is None else len(kept.distinct())


def _sets(
    tables: Mapping[str, Predictions], options: Options, about: Mapping[str, Any], against: str
) -> Sets:
    first = next(iter(tables.values()))
    about_one = options.about(options.only_measure(first.task))
    comparison = compare_tables(tables, about_one, against)
    assessments = {name: assess_table(table, about_one) for name, table in tables.items()}
    return Sets(tables, assessments, comparison, seed=options.seed, **about)
