"""Predictions: the one table at which everything meets."""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Self, TypeVar

import numpy as np

from heliast._core.columns import Column
from heliast._core.errors import InputError
from heliast._core.frames import in_library
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label
from heliast._core.notes import UNFINISHED, key_of
from heliast._core.places import ROWS
from heliast._core.records import each
from heliast.predictions.columns import Request
from heliast.predictions.cv import from_cv
from heliast.predictions.graded import build_graded
from heliast.predictions.join import common_rows, equal, join, lacking
from heliast.predictions.kept import kept_columns, of_rows
from heliast.predictions.of import build
from heliast.predictions.read import read
from heliast.predictions.records import (
    Design,
    Meta,
    Options,
    Role,
    Rows,
    ScoreKind,
    Splits,
    WeightKind,
)
from heliast.predictions.write import to_arrow, write
from heliast.tables.about import SPENT, Task

S = TypeVar("S")
CONTENTS = {"classification": "classes", "regression": "numbers", "graded": "grades"}
MANY_MODELS = 50  # with more models, the rows of each are found by sorting once


@dataclass(frozen=True, eq=False)
class Predictions:
    """One row per (model, split, row of the data): truth, decided label and scores.

    Make one with `Predictions.of` (arrays), `Predictions.graded` (answers that were graded),
    `Predictions.read` (a file) or `heliast.run`. `notes` tells what was inferred rather than given.

    Parameters
    ----------
    y_true, y_pred : array
        What was true and what was decided: codes into `meta.classes`, or numbers. Of a graded
        table the row is an item, its label the mean grade of the attempts at it, its scores the
        grade of each attempt, and there is no truth (zeros).
    meta : Meta
        What the table is about.
    models : tuple of str
        The names of the models.
    splits : Splits
        The splits of the plan.
    scores : array, optional
        One column a class, or one column for the positive class of two.
    model_code, split_code : array, optional
        The place of each row's model and split; None where there is one only.
    row : array, optional
        Which row of the data each prediction is for.
    in_train : array, optional
        How often the model was trained on that row; None is never.
    weight, group : array, optional
        Weights, and codes of rows that belong together.
    cells : tuple of mapping
        What became of each fit of a run: status, seconds, size, failure.
    columns : mapping
        Further columns that were kept, by name: text or numbers of each row, to slice by.

    Examples
    --------
    >>> table = Predictions.of(["a", "b", "b"], ["a", "b", "a"])
    >>> table.models, table.classes, len(table)
    (('model',), ('a', 'b'), 3)
    """

    y_true: Array
    y_pred: Array
    meta: Meta
    models: tuple[str, ...] = ("model",)
    splits: Splits = field(default_factory=Splits)
    scores: Array | None = None
    model_code: Array | None = None
    split_code: Array | None = None
    row: Array | None = None
    in_train: Array | None = None
    weight: Array | None = None
    group: Array | None = None
    cells: tuple[Mapping[str, object], ...] = ()
    columns: Mapping[str, Column] = field(default_factory=dict)

    # --- made from -------------------------------------------------------------------------

    @classmethod
    def of(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike | None = None,
        y_score: ArrayLike | None = None,
        *,
        classes: Sequence[Label] | None = None,
        order: Sequence[Label] | None = None,
        positive: Label | None = None,
        task: Task | None = None,
        scores: ScoreKind | None = None,
        model: object = "model",
        split: ArrayLike | None = None,
        row: ArrayLike | None = None,
        in_train: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        group: ArrayLike | None = None,
        time: ArrayLike | None = None,
        weights: WeightKind | None = None,
        design: Design = "rows",
        missing: str = "refuse",
        columns: Mapping[str, ArrayLike] | None = None,
    ) -> "Predictions":
        """Build a table from arrays, checking everything and stating every guess.

        Parameters
        ----------
        y_true : array-like
            The true class or number of each row.
        y_pred : array-like, optional
            What was decided; else it follows from the scores.
        y_score : array-like or mapping, optional
            One column (for the positive class of two), or one column a class.
        classes : sequence, optional
            All labels in order; else those that occur, sorted.
        order : sequence, optional
            All labels from least to most, of classes that are in an order: `classes` and the
            statement that how far a label is from the truth counts.
        positive : label, optional
            The positive class of two; else the last in order.
        task : {"classification", "regression"}, optional
            What is predicted; else the columns decide, and it is stated.
        scores : {"probability", "decision", "votes"}, optional
            What the scores are; else they are looked at, and it is stated.
        model : str or array-like
            The name of the model, or one name a row.
        split, row, in_train : array-like, optional
            Which split of a plan, which row of the data, how often it was trained on.
        weight, group : array-like, optional
            A weight for each row; which rows belong together.
        time : array-like, optional
            When each row was: numbers, dates, or ISO text. Rows are then in order of time, and
            intervals and tests allow for neighbours that are alike.
        weights : {"frequency", "sampling"}, optional
            What `weight` means: a count, or a share of a population.
        design : {"rows", "classes"}
            `classes` says that the number of rows per class was fixed beforehand.
        missing : {"refuse", "drop"}
            `drop` leaves out rows without truth, label or score and says how many.
        columns : mapping of str to array-like, optional
            Further columns to keep, by name: text or numbers, where values may be missing. Tables
            are sliced by them.

        Returns
        -------
        Predictions
            The table, with its guesses in `notes`.

        Raises
        ------
        InputError
            If columns do not fit together, or cannot be what they are said to be.

        Examples
        --------
        >>> Predictions.of([0, 1, 1], y_score=[0.2, 0.9, 0.4]).y_pred
        array([0, 1, 0], dtype=uint8)
        >>> kept = Predictions.of([0, 1], [0, 0], columns={"region": ["north", "south"]})
        >>> kept.columns["region"].plain().tolist()
        ['north', 'south']
        """
        named = {
            "y_true": y_true, "y_pred": y_pred, "y_score": y_score, "model": model, "split": split,
            "row": row, "in_train": in_train, "weight": weight, "group": group, "time": time,
            "columns": columns,
        }  # fmt: skip
        options = Options.of(
            classes=classes, positive=positive, task=task, scores=scores, weights=weights,
            design=design, missing=missing, order=order,
        )  # fmt: skip
        return build(cls, named, options)

    @classmethod
    def graded(
        cls,
        grade: ArrayLike,
        *,
        model: object = "model",
        item: ArrayLike | None = None,
        attempt: ArrayLike | Literal["repeats"] | None = None,
        group: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        weights: WeightKind | None = None,
        bounds: tuple[float, float] | None = None,
        missing: str = "refuse",
        columns: Mapping[str, ArrayLike] | None = None,
    ) -> "Predictions":
        """Build a table of answers that were graded already: evaluations, ratings, test suites.

        What is sampled are items (questions, tasks, documents to rate); attempts at an item are
        repeats of it, whose grades are averaged. Higher grades are better.

        Parameters
        ----------
        grade : array-like
            What each answer was found worth: 0 or 1, true or false, `C` or `I`, or a number.
        model : str or array-like
            The name of the model, or one name an answer.
        item : array-like, optional
            Which item each answer is for; needed for several models or attempts.
        attempt : array-like or "repeats", optional
            Which attempt at the item it is; `repeats` says that each further answer to an item is
            another attempt.
        group : array-like, optional
            Which items belong together, such as questions about one document.
        weight : array-like, optional
            A weight for each item.
        weights : {"frequency", "sampling"}, optional
            What `weight` means: a count, or a share of a population.
        bounds : tuple of float, optional
            The least and the largest grade that can be given; 0 and 1 if no grade lies outside.
        missing : {"refuse", "drop"}
            `drop` leaves out answers without a grade and says how many.
        columns : mapping of str to array-like, optional
            Further columns to keep, by name, such as the `task` of each item; `cost`, `tokens` and
            `seconds` of each answer are averaged over attempts.

        Returns
        -------
        Predictions
            The table, one row for each model and item.

        Raises
        ------
        InputError
            If columns do not fit together, a grade lies outside its bounds, or an attempt is
            graded twice.

        Examples
        --------
        >>> table = Predictions.graded([1, 0, 1, 1], item=list("aabb"), attempt=[1, 2, 1, 2])
        >>> table.y_pred.tolist(), table.scores.tolist()
        ([0.5, 1.0], [[1.0, 0.0], [1.0, 1.0]])
        """
        named = {
            "grade": grade, "model": model, "row": item, "attempt": attempt, "group": group,
            "weight": weight, "columns": columns,
        }  # fmt: skip
        options = Options(task="graded", weights=weights, bounds=bounds, missing=missing)
        return build_graded(cls, named, options)

    @classmethod
    def read(
        cls,
        source: object,
        *,
        model: str | None = None,
        y_true: str | None = None,
        y_pred: str | Sequence[str] | None = None,
        y_score: str | Mapping[Label, str] | Sequence[str] | None = None,
        classes: Sequence[Label] | None = None,
        order: Sequence[Label] | None = None,
        positive: Label | None = None,
        task: Task | None = None,
        scores: ScoreKind | None = None,
        split: str | None = None,
        row: str | None = None,
        in_train: str | None = None,
        weight: str | None = None,
        group: str | None = None,
        time: str | None = None,
        grade: str | Sequence[str] | None = None,
        attempt: str | None = None,
        weights: WeightKind | None = None,
        bounds: tuple[float, float] | None = None,
        design: Design = "rows",
        missing: str = "refuse",
        keep: str | Sequence[str] = (),
        model_column: str | Sequence[str] = (),
        separator: str | None = None,
        decimal_separator: str | None = None,
        encoding: str | None = None,
        table: str | None = None,
    ) -> "Predictions":
        """Read predictions of any tool from a file, a folder or a data frame.

        Columns are recognised by name (`docs/predictions.md`), or named here.

        Parameters
        ----------
        source : str, path, data frame or mapping
            A file, or columns in memory. Of a folder or a pattern each file is a model, unless its
            columns name the models.
        model : str, optional
            A column, or the name of the model if there is no such column; else the model has the
            name of the file.
        y_true, y_pred : str, optional
            The columns of what was true and what was decided; of several columns of labels
            (or of scores) each is a model.
        y_score : str, sequence of str or mapping, optional
            One column, several in the order of the classes, or a mapping from class to column.
        classes : sequence, optional
            All labels in order; else those that occur, sorted.
        order : sequence, optional
            All labels from least to most, of classes that are in an order: `classes` and the
            statement that how far a label is from the truth counts.
        positive : label, optional
            The positive class of two; else the last in order.
        task : {"classification", "regression", "graded"}, optional
            What is predicted; else the columns decide, and it is stated.
        scores : {"probability", "decision", "votes"}, optional
            What the scores are; else they are looked at, and it is stated.
        split, row, in_train, weight, group, time : str, optional
            Columns as in `of`; `row` is the item of a graded table.
        grade, attempt : str, optional
            Columns as in `graded`, of a table of answers that were graded; of several columns of
            grades each is a model.
        weights : {"frequency", "sampling"}, optional
            What `weight` means: a count, or a share of a population.
        bounds : tuple of float, optional
            The least and the largest grade that can be given.
        design : {"rows", "classes"}
            `classes` says that the number of rows per class was fixed beforehand.
        missing : {"refuse", "drop"}
            `drop` leaves out rows without truth, label or score and says how many.
        keep : str or sequence of str
            Further columns to keep by their names, to slice the table by.
        model_column : str or sequence of str
            The column that names the models; of several, each combination is a model.
        separator, decimal_separator, encoding : str, optional
            How a text file is written: `,` or what the header has, `.`, UTF-8.
        table : str, optional
            The table of a database.

        Returns
        -------
        Predictions
            The table; one that `write` wrote as Parquet comes back as it was.

        Raises
        ------
        InputError
            If the file cannot be read, or its columns are not clear or do not fit together.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "tree.csv"
        >>> _ = path.write_text("actual,predicted\\nyes,yes\\nno,yes\\n")
        >>> Predictions.read(path).notes[0]
        "columns read: 'actual' as y_true, 'predicted' as y_pred"
        """
        request = Request.of({
            "model": model, "y_true": y_true, "y_pred": y_pred, "split": split, "row": row,
            "in_train": in_train, "weight": weight, "group": group, "time": time, "grade": grade,
            "attempt": attempt, "y_score": y_score, "keep": keep, "model_column": model_column,
            "classes": classes, "order": order, "positive": positive, "task": task,
            "scores": scores, "weights": weights, "bounds": bounds, "design": design,
            "missing": missing,
        })  # fmt: skip
        return read(cls, source, request, separator=separator, decimal_separator=decimal_separator,
                    encoding=encoding, table=table)  # fmt: skip

    @classmethod
    def scan(
        cls, source: object, *, table: str | None = None, memory: str = "1GB", **options: Any
    ) -> "Predictions":
        """A table that stays on disk: `assess` has it counted there, in bounded memory.

        The numbers are those of the table in memory; what needs every row there (the bootstrap,
        several splits) is refused with a reason.

        Parameters
        ----------
        source : str, path or lazy frame
            A Parquet or CSV file, a pattern (`parts/*.parquet`), a folder of part files, a DuckDB
            database, or a lazy frame (DuckDB, Polars, PySpark, Dask).
        table : str, optional
            Which table of a database; `file.duckdb::table` says the same.
        memory : str
            What the engine may use before it writes to disk.
        **options
            Those of `read`.

        Returns
        -------
        Predictions
            A table that answers sums, and holds no rows.

        Raises
        ------
        InputError
            If the source cannot be read, or its columns cannot be what they are said to be.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "tree.parquet"
        >>> _ = Predictions.of([0, 1, 1, 0], y_score=[0.2, 0.9, 0.4, 0.3]).write(path)
        >>> len(Predictions.scan(path))
        4
        """
        from heliast.predictions.scan import scan

        return scan(source, table, memory, **options)

    @classmethod
    def from_cv(
        cls,
        result: "Mapping[str, Any] | ArrayLike",
        X: Any = None,
        y: ArrayLike | None = None,
        *,
        cv: Any = None,
        groups: ArrayLike | None = None,
        model: str = "model",
        **options: Any,
    ) -> "Predictions":
        """What scikit-learn's `cross_validate` or `cross_val_predict` gave, with its splits.

        Parameters
        ----------
        result : dict or array
            What `cross_validate(..., return_estimator=True, return_indices=True)` gave, or the
            labels, probabilities or decision scores of `cross_val_predict`.
        X : array or data frame
            The inputs that it had; for `cross_val_predict` only if its splitter looks at them.
        y : array-like
            The true classes or numbers that it had.
        cv : int, splitter or iterable
            For `cross_val_predict`: the `cv` that it had.
        groups : array-like, optional
            The groups that it had, if `cv` looks at them.
        model : str
            The name of the model.
        **options
            Those of `of`, such as `positive`.

        Returns
        -------
        Predictions
            The predictions for the rows of each split that were not trained on.

        Raises
        ------
        InputError
            If models, splits or truth are missing, or do not belong together.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.model_selection import cross_val_predict, cross_validate
        >>> from sklearn.naive_bayes import GaussianNB
        >>> X, y = load_iris(return_X_y=True)
        >>> keep = {"return_estimator": True, "return_indices": True}
        >>> Predictions.from_cv(cross_validate(GaussianNB(), X, y, cv=5, **keep), X, y)
        <Predictions: 150 rows of 3 classes; 1 model (model); 5 splits>
        >>> Predictions.from_cv(cross_val_predict(GaussianNB(), X, y, cv=5), X, y, cv=5)
        <Predictions: 150 rows of 3 classes; 1 model (model); 5 splits>
        """
        return from_cv(cls, result, X, y, cv, groups, model=model, **options)

    # --- what it is about ------------------------------------------------------------------

    def __len__(self) -> int:
        return int(self.y_true.size)

    @property
    def task(self) -> Task:
        """What is predicted: `classification` or `regression`; `graded` if answers were graded."""
        return self.meta.task

    @property
    def attempts(self) -> int:
        """Of a graded table: the least number of attempts at an item.

        Examples
        --------
        >>> Predictions.graded([1, 0, 1], item=["a", "a", "b"], attempt=[1, 2, 1]).attempts
        1
        """
        if self.task != "graded" or self.scores is None or not len(self):
            return 1
        return int((~np.isnan(self.scores)).sum(axis=1).min())

    @property
    def classes(self) -> tuple[Label, ...]:
        """The labels in order; empty for numbers."""
        return self.meta.classes

    @property
    def positive(self) -> Label | None:
        """The positive class of two."""
        return self.meta.positive

    @property
    def notes(self) -> tuple[str, ...]:
        """What was inferred rather than given."""
        return self.meta.notes

    @property
    def unfinished(self) -> str:
        """What a table of a run that is not finished says of itself; empty for any other.

        Examples
        --------
        >>> Predictions.of(["a", "b"], ["a", "a"]).unfinished
        ''
        """
        return next((note for note in self.notes if key_of(note) == UNFINISHED), "")

    @property
    def stages(self) -> tuple[str, ...]:
        """The models that are stages, or other outputs, of a model that stands beside them.

        Examples
        --------
        >>> Predictions.of(["a", "b"], ["a", "a"]).stages
        ()
        """
        return tuple(name for name in self.models if self.meta.stages.get(name) in self.models)

    def noted(self, *notes: str) -> Self:
        """The same table with more said about it.

        Parameters
        ----------
        *notes : str
            What to say; each thing is said once.

        Returns
        -------
        Predictions
            The table with these notes.
        """
        kept = tuple(dict.fromkeys((*self.meta.notes, *notes)))
        return self._with(meta=replace(self.meta, notes=kept))

    def _with(self, **changes: Any) -> Self:
        return replace(self, **changes)

    # --- parts -----------------------------------------------------------------------------

    def only(
        self,
        model: str | Sequence[str] | None = None,
        split: int | str | Sequence[int | str] | None = None,
        role: Role | None = None,
        in_train: int | None = None,
    ) -> Self:
        """The part of the table about some models, splits, roles, or how often a row was seen.

        Parameters
        ----------
        model : str or sequence of str, optional
            These models, in this order.
        split : int, str or sequence of these, optional
            These splits, by name.
        role : {"test", "validation", "full", "inner"}, optional
            The splits of this role.
        in_train : int, optional
            The rows that were trained on so often; 0 is not at all.

        Returns
        -------
        Predictions
            The part; it may be without rows.

        Raises
        ------
        InputError
            If there is no such model or split.

        Examples
        --------
        >>> table = Predictions.of([0, 1], [0, 0], model=["a", "b"])
        >>> table.only("b").models
        ('b',)
        """
        part = self
        if model is not None:
            part = part._with_models((model,) if isinstance(model, str) else tuple(model))
        if role is not None:
            part = part._with_splits(tuple(s.split for s in part.splits.of_role(role)))
        if split is not None:
            names = (split,) if isinstance(split, (int, float, str, np.generic)) else tuple(split)
            part = part._with_splits(names)
        return part if in_train is None else part._with_seen(in_train)

    def decided(self, threshold: float) -> "Predictions":
        """Labels decided again: the positive class of two where its score is at least `threshold`.

        Parameters
        ----------
        threshold : float
            The least score of the positive class.

        Returns
        -------
        Predictions
            The table with other labels, which its notes say.

        Raises
        ------
        InputError
            If there are not two classes, or a model has no scores.

        Examples
        --------
        >>> table = Predictions.of([0, 1, 1], y_score=[0.2, 0.4, 0.9])
        >>> table.y_pred.tolist(), table.decided(0.3).y_pred.tolist()
        ([0, 0, 1], [0, 1, 1])
        """
        if len(self.classes) != 2 or self.positive is None:
            count = f"{len(self.classes)} classes"
            what = count if self.task == "classification" else CONTENTS[self.task]
            raise InputError(f"threshold={threshold:g}: it decides between two classes, not {what}")
        bare = [model for model in self.models if self.score_kind_of(model) is None]
        if bare or self.scores is None:
            raise InputError(f"threshold={threshold:g}: {', '.join(bare)}: no scores to decide by")
        code = self.classes.index(self.positive)
        score = self.scores if self.scores.ndim == 1 else self.scores[:, code]
        label = np.where(score >= threshold, code, 1 - code).astype(self.y_pred.dtype)
        note = f"labels decided again: {self.positive!r} where its score is >= {threshold:g}"
        return replace(self, y_pred=label).noted(note)

    def _refuse_unknown(self, what: str, names: Sequence[object], known: Collection[Any]) -> None:
        unknown = [name for name in names if name not in known]
        if unknown:
            shown = ", ".join(map(str, list(known)[: 8 if what == "split" else None]))
            raise InputError(f"no {what} named {unknown[0]!r}; there are: {shown}")

    def _with_seen(self, seen: int) -> Self:
        times = np.zeros(len(self), np.uint8) if self.in_train is None else self.in_train
        return self.where(times == seen)

    def seen_from(self, positive: Label) -> "Predictions":
        """The same table of two classes with the other one as the positive class.

        Parameters
        ----------
        positive : label
            The class that recall, precision and thresholds speak of; scores in one column become
            those of this class.

        Returns
        -------
        Predictions
            With the same labels.

        Raises
        ------
        InputError
            If it is no class of the table.

        Examples
        --------
        >>> table = Predictions.of(["no", "yes"], y_score=[0.2, 0.9], scores="probability")
        >>> table.positive, table.seen_from("no").scores.round(1).tolist()
        ('yes', [0.8, 0.1])
        """
        if positive not in self.classes:
            raise InputError(
                f"no class {positive!r}; there are {', '.join(map(repr, self.classes))}"
            )
        notes = tuple(note for note in self.notes if key_of(note) != "positive")
        scores = self.scores
        if scores is not None and scores.ndim == 1 and positive != self.positive:
            scores = scores.copy()
            for code, model in enumerate(self.models):
                rows = self.rows(model)
                if rows.scored:
                    of_class = rows.score_of(self.classes.index(positive))
                    scores[self.codes("model") == code] = of_class
        return replace(self, scores=scores, meta=replace(self.meta, positive=positive, notes=notes))

    def _with_models(self, names: tuple[str, ...]) -> Self:
        self._refuse_unknown("model", names, self.models)
        if names == self.models or self.model_code is None:
            return self
        if len(names) == 1 and len(self.models) > MANY_MODELS:
            order, starts = self._by_model
            code = self.models.index(names[0])
            mine = order[starts[code] : starts[code + 1]]
            # Rows that lie together are looked at, not copied.
            together = mine.size and mine[-1] - mine[0] == mine.size - 1
            part = self._at(slice(mine[0], mine[0] + mine.size) if together else mine)
            return replace(part, models=names, model_code=None)
        codes = np.full(len(self.models), -1, np.int32)
        for new, name in enumerate(names):
            codes[self.models.index(name)] = new
        recoded = codes[self.model_code]
        part = replace(self, models=names, model_code=recoded).where(recoded >= 0)
        return replace(part, model_code=None) if len(names) == 1 else part

    @cached_property
    def _by_model(self) -> tuple[Array, Array]:
        """Rows in the order of their models, and where those of each start: looked for once."""
        order = np.argsort(self.codes("model"), kind="stable")
        return order, np.searchsorted(self.codes("model")[order], np.arange(len(self.models) + 1))

    def _with_splits(self, names: tuple[int | str, ...]) -> Self:
        self._refuse_unknown("split", names, self.splits.places)
        if names == self.splits.names:
            return self
        codes = np.full(len(self.splits), -1, np.int32)
        for new, name in enumerate(names):
            codes[self.splits.places[name]] = new
        recoded = codes[self.codes("split")]
        kept = Splits(tuple(self.splits[name] for name in names))
        part = replace(self, splits=kept, split_code=recoded).where(recoded >= 0)
        return replace(part, split_code=None) if len(names) == 1 else part

    def where(self, keep: ArrayLike) -> Self:
        """Some of the rows, with all that belongs to them.

        Parameters
        ----------
        keep : array-like of bool
            One a prediction: whether it stays.

        Returns
        -------
        Predictions
            The part; it may be without rows.

        Raises
        ------
        InputError
            If there is not one true or false for each prediction.

        Examples
        --------
        >>> table = Predictions.of(["a", "b", "b"], ["a", "b", "a"])
        >>> len(table.where(table.y_true == 1))
        2
        """
        keep = np.asarray(keep)
        if keep.dtype != bool or keep.shape != (len(self),):
            raise InputError(f"where: one true or false for each of {len(self)} predictions")
        if keep.all():
            return self
        first, count = int(keep.argmax()), int(np.count_nonzero(keep))
        # Rows that lie together, as those of one model often do, are looked at, not copied.
        together = bool(keep[first : first + count].all())
        return self._at(slice(first, first + count) if together else keep)

    def _at(self, keep: Array | slice) -> Self:
        """Some of the rows, by mask, position or stretch."""
        names = "y_true y_pred scores model_code split_code row in_train weight group"
        columns = {name: part.at(keep) for name, part in self.columns.items()}
        arrays = each(self, names, lambda values: np.ascontiguousarray(values[keep]))
        return replace(self, columns=columns, **arrays)

    def with_columns(self, columns: Mapping[str, ArrayLike], *, by_row: bool = False) -> Self:
        """The same table with further columns, to slice it by.

        Parameters
        ----------
        columns : mapping of str to array-like
            By name, one value for each prediction.
        by_row : bool
            Whether there is one value for each row of the data instead; the table must name rows
            by their place in the data, as that of a run does.

        Returns
        -------
        Predictions
            With these columns beside those that were kept before; one of the same name is changed.

        Raises
        ------
        InputError
            If a column has another number of values, or holds neither text nor numbers.

        Examples
        --------
        >>> table = Predictions.of([0, 1, 1], [0, 0, 1], row=[2, 0, 1])
        >>> table.with_columns({"age": [30, 40, 50]}).columns["age"].plain().tolist()
        [30, 40, 50]
        >>> table.with_columns({"age": [30, 40, 50]}, by_row=True).columns["age"].plain().tolist()
        [50, 30, 40]
        """
        notes: list[str] = []
        values = of_rows(columns, self.row) if by_row else columns
        kept = kept_columns(values, len(self), ROWS, notes)
        return self._with(columns={**self.columns, **kept}).noted(*notes)

    def codes(self, of: Literal["model", "split"]) -> Array:
        """Each row's place in `models` or in `splits`, also where there is one only.

        Parameters
        ----------
        of : {"model", "split"}
            Which places.

        Returns
        -------
        array
            Whole numbers from 0.

        Examples
        --------
        >>> Predictions.of([0, 1], [0, 0]).codes("model")
        array([0, 0], dtype=int32)
        """
        codes = self.model_code if of == "model" else self.split_code
        return np.zeros(len(self), np.int32) if codes is None else codes

    def score_kind_of(self, model: str) -> ScoreKind | None:
        """What one model's scores are; models of one run may differ, or have none.

        Parameters
        ----------
        model : str
            The name of the model.

        Returns
        -------
        {"probability", "decision", "votes"} or None
            None where it has no scores.
        """
        return self.meta.score_kinds.get(model, self.meta.score_kind)

    def rows(self, model: str | None = None, split: int | str | None = None) -> Rows:
        """The arrays of one model.

        Parameters
        ----------
        model : str, optional
            Which; not needed if there is one only.
        split : int or str, optional
            Which split; else all splits are pooled.

        Returns
        -------
        Rows
            What summaries are counted from.

        Raises
        ------
        InputError
            If there are several models and none is named.

        Examples
        --------
        >>> Predictions.of(["a", "b"], ["a", "a"]).rows().n
        2
        """
        return self.only(model, split)._rows

    @cached_property
    def _rows(self) -> Rows:
        """One object for one table: what is counted from it is then counted once."""
        if len(self.models) > 1:
            raise InputError(f"several models ({', '.join(self.models)}): name one")
        positive = None if self.positive is None else self.classes.index(self.positive)
        kind = self.score_kind_of(self.models[0])
        return Rows(
            task=self.task,
            y_true=self.y_true,
            y_pred=self.y_pred,
            scores=self.scores if kind is not None or self.task == "graded" else None,
            score_kind=kind,
            weight=self.weight,
            weight_kind=self.meta.weight_kind,
            group=self.group,
            classes=self.classes,
            positive=positive,
            design=self.meta.design,
            ordinal=self.meta.ordinal,
            bounds=self.meta.bounds,
            spent={n: c.values for n, c in self.columns.items() if c.name in SPENT and c.is_number},
        )

    def summary(self, kind: type[S], model: str | None = None, **options: Any) -> S:
        """Count one model's rows into a summary.

        Parameters
        ----------
        kind : type
            What to count, such as `heliast.summaries.Contingency`.
        model : str, optional
            Which model; not needed if there is one only.
        **options
            Those of the summary.

        Returns
        -------
        summary
            The counts.

        Examples
        --------
        >>> from heliast import summaries
        >>> Predictions.of(["a", "b"], ["a", "a"]).summary(summaries.Contingency).counts.tolist()
        [[1.0, 0.0], [1.0, 0.0]]
        """
        return kind.of(self.rows(model), **options)  # type: ignore[attr-defined,no-any-return]

    def per_split(self, model: str) -> Iterator[tuple[int | str, "Predictions"]]:
        """The table of one model, split by split, leaving out splits that hold no row.

        Parameters
        ----------
        model : str
            The name of the model.

        Yields
        ------
        tuple of name and Predictions
            The split, and its part of the table.

        Examples
        --------
        >>> table = Predictions.of([0, 1, 1], [0, 1, 0], split=["x", "y", "y"])
        >>> [(name, len(part)) for name, part in table.per_split("model")]
        [('x', 1), ('y', 2)]
        """
        part = self.only(model)
        if part.split_code is None:
            if len(part):
                yield part.splits.names[0], part
            return
        order = np.argsort(part.split_code, kind="stable")
        ends = np.searchsorted(part.split_code[order], np.arange(len(part.splits) + 1))
        for place, record in enumerate(part.splits):
            rows = order[ends[place] : ends[place + 1]]
            if rows.size:
                alone = replace(part._at(rows), splits=Splits((record,)), split_code=None)
                yield record.split, alone

    # --- together and out ------------------------------------------------------------------

    def join(self, *others: "Predictions", common_rows: bool = False) -> "Predictions":
        """All tables in one, their models side by side on the same rows.

        Parameters
        ----------
        *others : Predictions
            Other models on the same rows; paired by `row`, or by position if the truth agrees.
        common_rows : bool
            Whether rows that some table lacks are left out, which is stated; else they are refused.

        Returns
        -------
        Predictions
            All models.

        Raises
        ------
        InputError
            If the tables are not about the same rows, classes and splits.

        Examples
        --------
        >>> a = Predictions.of([0, 1], [0, 1], model="a", row=[7, 8])
        >>> b = Predictions.of([1, 0], [1, 1], model="b", row=[8, 7])
        >>> a.join(b).models
        ('a', 'b')
        >>> c = Predictions.of([1, 0, 0], [1, 1, 0], model="c", row=[8, 7, 6])
        >>> a.join(c, common_rows=True).notes[-1]
        'rows that all 2 models have: 2 of 3 (left out: c 1)'
        """
        joined = self
        for other in others:
            joined = join(joined, other, common_rows)
        return joined.common_rows() if common_rows else joined

    def common_rows(self) -> "Predictions":
        """The rows that every model has, with a note that counts what is left out.

        A model that gave no answer where it was hard looks better on the rest: the rows that all
        have may be the easy ones.

        Returns
        -------
        Predictions
            A complete table.

        Raises
        ------
        InputError
            If rows have no names, or no row is that of all models.

        Examples
        --------
        >>> table = Predictions.of([0, 1, 0], [0, 1, 0], model=["a", "a", "b"], row=[0, 1, 0])
        >>> len(table), len(table.common_rows())
        (3, 2)
        """
        return common_rows(self)

    def renamed(self, name: str) -> "Predictions":
        """The table of one model under another name.

        Parameters
        ----------
        name : str
            What the model is called from now on.

        Returns
        -------
        Predictions
            The same rows.

        Raises
        ------
        InputError
            If there are several models.

        Examples
        --------
        >>> Predictions.of([0, 1], [0, 0]).renamed("tree").models
        ('tree',)
        """
        if len(self.models) != 1:
            raise InputError(f"several models ({', '.join(self.models)}): rename one alone")
        kinds = self.meta.score_kinds
        kinds = {name: kinds[self.models[0]]} if self.models[0] in kinds else {}
        cells = tuple({**cell, "model": name} for cell in self.cells)
        meta = replace(self.meta, score_kinds=kinds)
        return replace(self, models=(name,), cells=cells, meta=meta)

    def write(self, path: "str | os.PathLike[str]", *, y_true: bool = True) -> Path:
        """Write CSV (plain columns) or Parquet (everything), as the name ends.

        The file appears whole or not at all. In CSV an apostrophe stands before text that a
        spreadsheet would run as a formula; `read` takes it away.

        Parameters
        ----------
        path : str or path
            Ends in .csv, .tsv, .csv.gz, .tsv.gz, .parquet or .pq.
        y_true : bool
            Whether to write the column of truth; without it nobody can judge the predictions.

        Returns
        -------
        Path
            Where it was written.

        Raises
        ------
        InputError
            If it cannot be written there, or CSV cannot hold what the table says.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> table = Predictions.of(["a", "b"], ["a", "a"])
        >>> path = table.write(pathlib.Path(tempfile.mkdtemp()) / "kept.parquet")
        >>> Predictions.read(path).equals(table)
        True
        """
        return write(self, path, y_true)

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """The table as a data frame.

        Parameters
        ----------
        backend : {"pyarrow", "pandas", "polars"}
            The library whose table is wanted.

        Returns
        -------
        data frame
            A table of that library.

        Raises
        ------
        InputError
            If the library is another.

        Examples
        --------
        >>> Predictions.of(["a", "b"], ["a", "a"]).to_frame().column_names
        ['model', 'split', 'y_true', 'y_pred']
        """
        return in_library(to_arrow(self), backend)

    def equals(self, other: "Predictions") -> bool:
        """Whether both tables say the same, field by field; how long cells took does not count.

        Parameters
        ----------
        other : Predictions
            The other table.

        Returns
        -------
        bool
            True if nothing differs.

        Examples
        --------
        >>> table = Predictions.of(["a", "b"], ["a", "a"])
        >>> table.equals(table.noted("checked"))
        False
        """
        return equal(self, other)

    @property
    def complete(self) -> bool:
        """Whether every model has a prediction for every row of every split."""
        return not self.incomplete()

    def incomplete(self) -> dict[str, int]:
        """How many predictions each model lacks that another has.

        Returns
        -------
        dict
            By model; those that lack none are left out.

        Examples
        --------
        >>> table = Predictions.of([0, 1, 0], [0, 1, 0], model=["a", "a", "b"], row=[0, 1, 0])
        >>> table.incomplete()
        {'b': 1}
        """
        return lacking(self)

    def __repr__(self) -> str:
        what = (
            f"{len(self.classes)} classes" if self.task == "classification" else CONTENTS[self.task]
        )
        models = ", ".join(self.models[:4]) + (", ..." if len(self.models) > 4 else "")
        counts = [
            f"{len(part)} {name if len(part) == 1 else name + 's'}"
            for part, name in ((self, "row"), (self.models, "model"), (self.splits, "split"))
        ]
        about = "; ".join([f"{counts[0]} of {what}", f"{counts[1]} ({models})", counts[2]])
        return f"<Predictions: {about}{f'; {self.unfinished}' if self.unfinished else ''}>"
