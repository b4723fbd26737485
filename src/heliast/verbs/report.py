"""report: everything known about a table of predictions, as one HTML file."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

from heliast._core.costs import Costs
from heliast._core.errors import HeliastError, InputError
from heliast._core.files import write_whole
from heliast._core.labels import Label
from heliast.curves import Regions
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.verbs.assess import assessed, assessed_beside, assessed_slices
from heliast.verbs.benchmarked import Benchmark
from heliast.verbs.compare import compared, compared_beside
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.question import Question, refuse
from heliast.verbs.sliced_by import By
from heliast.views.methods import versions
from heliast.views.report import (
    Material,
    Sets,
    framed,
    page,
    summarise,
    summarise_benchmark,
    summarise_sets,
)
from heliast.views.slicing import tasks_of

MOST_TASKS, MOST_SLICED = 30, 5
"""Of no more tasks and models than these each task of a graded table is shown unasked."""


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
        """Write the page whole or not at all: a reader never meets half a report.

        Parameters
        ----------
        path : path
            The file.

        Returns
        -------
        Path
            The file written.
        """
        content = self.html.encode("utf-8", "backslashreplace")
        return write_whole(Path(path), lambda file: file.write(content), "report.html")

    def __repr__(self) -> str:
        return f"<Page: a report of {len(self.html):,} characters; .write(path) makes a file of it>"

    def _repr_html_(self) -> str:
        return framed(self.html)


@takes_a_table(Benchmark, sets=True)
def report(
    predictions: Given | Benchmark,
    path: "str | os.PathLike[str] | Given | None" = None,
    *,
    measure: str | Measure | None = None,
    level: float = 0.95,
    interval: str | None = "auto",
    test: str = "auto",
    margin: float | None = None,
    correction: str = "holm",
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
    **more: object,
) -> "Path | Page":
    """Assess and compare the models of a table and write one HTML file; gives its path.

    Without a path nothing is written: what comes back is the page, which a notebook shows in a
    frame below the cell, as live as in a browser.

    The file needs nothing else: it opens without a network, follows the reader's light or dark
    scheme, prints, and shows its tables and plots without JavaScript. With it, threshold, class
    share and costs can be moved on all curves at once. It holds counts and estimates, never
    rows; of graded answers it names some items that all, one or none of the models solve.

    Parameters
    ----------
    predictions : Predictions, what can become a table, mapping of these by data set, or Benchmark
        What is reported: a table, files, data frames, or the true classes or numbers, and after
        them the labels, or {model: its labels or scores}. Several data sets get a report of their
        own: ranks and differences over all; so does what `benchmark` found, which was asked its
        question already.
    path : path, optional
        The file to write, such as "report.html"; None writes none.
    measure : str or Measure, optional
        What models are ranked and compared by: if not given, the error, the mean absolute error of
        numbers, the expected cost where costs are given.
    level : float
        The confidence level of intervals and tests.
    interval : str or None
        The method of intervals: `auto`, or a name from `heliast.estimates`.
    test : str
        The test of differences: `auto`, or a name from `heliast.comparisons`.
    margin : float, optional
        The largest difference that does not matter.
    correction : str
        `holm` corrects for the number of pairs, `none` does not.
    cost : array-like, optional
        What each decision costs, rows = true class, columns = label.
    prevalences : mapping, optional
        Shares of the classes in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: labels are decided again, positive where the score is at least this.
    role : str or None
        The rows that count: those of `test` splits, `validation`, `full`, `inner`; None is all.
    in_train : int or None
        How often the model was trained on the row: 0 is not at all; None is any number.
    title : str
        The heading of the page.
    command : str
        The command that made it, shown at the end.
    seed : int
        Seed of whatever is drawn.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models of their own.
    by : str or sequence of str
        Kept columns that the table is sliced by, as in `assess`: a section shows each slice. If
        not given, the tasks of a graded table of up to 5 models.
    regions : sequence of Regions
        Decision regions of the models, from `heliast.regions`, where the data have two inputs.
    **more : object
        How arrays, frames or files become a table (`y_score`, `positive` and others of
        `Predictions.of`), and `common_rows=True` to judge all models on the rows that all have.
        What is not part of a question is refused by name.

    Returns
    -------
    Path or Page
        The file written; without a path the page itself.

    Raises
    ------
    InputError
        If the table cannot be assessed as asked.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> table = Predictions.of(["a", "b"] * 20, ["a", "b", "a", "a"] * 10)
    >>> found = report(table, pathlib.Path(tempfile.mkdtemp()) / "report.html")
    >>> "errs on 25.0% of new rows" in found.read_text(encoding="utf-8")
    True
    >>> models = {"a": ["a", "b", "a", "a"] * 10, "b": ["b"] * 40}
    >>> report(["a", "b"] * 20, models, found).name
    'report.html'
    """
    refuse("report", more)
    question = Question(
        measures=measure, level=level, interval=interval, test=test, margin=margin,
        correction=correction, cost=cost, prevalences=prevalences, threshold=threshold, role=role,
        in_train=in_train, seed=seed, stages=stages, by=by,
    )  # fmt: skip
    said = {"title": title or "Report", "command": command, "versions": versions()}
    if regions and isinstance(predictions, (Benchmark, Mapping)):
        raise InputError("report: regions= belong to one table, and here are several data sets")
    if isinstance(predictions, Benchmark):
        _asked_already(question)
        summary = summarise_benchmark(predictions, title, command, versions())
    elif isinstance(predictions, Mapping):
        summary = summarise_sets(_sets(predictions, question, said))
    else:
        table = cast("Predictions", predictions)
        summary = summarise(material_of(table, question, said | {"regions": regions}))
    if path is None:
        return Page(page(summary))
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"report: path={path!r:.60}: the file to write, such as 'report.html'")
    return Page(page(summary)).write(path)


def material_of(
    predictions: Predictions, question: Question, said: Mapping[str, Any] = MappingProxyType({})
) -> Material:
    """What a report of one table is made from."""
    rows, predictions = question.rows(predictions), question.decided(predictions)
    few = len(rows.models) <= MOST_SLICED
    if few and not question.by and 1 < len(tasks_of(rows)) <= MOST_TASKS:
        question = question.but(by="task")
    measure = question.only_measure(rows.task)
    found = assessed_beside(predictions, question.but(measures=None, by=()), measure)
    if question.by:
        found = replace(found, slices=assessed_slices(predictions, question.about(measure)))
    by = None if found.selected is None else found.selected.measure
    if measure.title not in found.measures or (len(found.models) > 1 and by != measure.title):
        # The best model is chosen by this measure, so this is what is corrected for the choice.
        extra = assessed(predictions, question.about(measure))
        more = () if measure.title in found.measures else extra.estimates
        found = replace(found, estimates=(*more, *found.estimates), selected=extra.selected)
    comparison, alone = None, "there is one model"
    if len(found.models) > 1:
        try:
            comparison = compared_beside(predictions, question.about(measure))
        except HeliastError as error:
            alone = str(error)
    return Material(
        rows, predictions, found, comparison, alone, measure.title, cost=question.cost,
        prevalences=question.prevalences, seed=question.seed, **said,
    )  # fmt: skip


def _sets(tables: Mapping[str, Predictions], question: Question, said: Mapping[str, Any]) -> Sets:
    if question.by:
        raise InputError("by: slices are of one table, and here are several data sets")
    first = next(iter(tables.values()), None)
    asked = question.about(question.only_measure(getattr(first, "task", "classification")))
    comparison = compared(tables, asked)
    found = {name: assessed(table, asked) for name, table in tables.items()}
    return Sets(tables, found, comparison, seed=question.seed, **said)


def _asked_already(question: Question) -> None:
    plain = Question()
    for part in fields(question):
        if getattr(question, part.name) != getattr(plain, part.name):
            name = "measure" if part.name == "measures" else part.name
            raise InputError(f"report: {name}= was settled when the benchmark was made")
