"""predict: the predictions of models that are fitted already, for rows they have not seen."""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError
from heliast._core.labels import classes_of, encode
from heliast.data import Dataset, read_rows
from heliast.fitting.cell import Refused, outputs_of
from heliast.fitting.loading import load_card, load_model
from heliast.fitting.preparation import check_columns, framed
from heliast.fitting.run import as_dataset, named_models
from heliast.predictions import Predictions
from heliast.tables.table import as_names


def predict(
    models: object,
    data: object,
    *,
    keep: str | Sequence[str] = (),
    trusted: Sequence[str] = (),
) -> Predictions:
    """The predictions of fitted models for all rows of the data; nothing is fitted.

    `models` and `data` are those of `run`. The data must be new to the models: that cannot be seen
    here, and on rows of their training sample the error would be too small. A model fitted on
    named columns finds them by name.

    Parameters
    ----------
    models : estimator, mapping, sequence or path
        Fitted models by name, one, or several; or the file of one, as `Fitted.save` writes it.
    data : Dataset, frame, path or (X, y)
        Rows that the models were not trained on, with their target. (`heliast predict` also takes
        rows without.)
    keep : str or sequence of str
        Inputs whose values are kept beside the predictions, to slice the table by.
    trusted : sequence of str
        Of a file: names of types that `load_model` is to trust.

    Returns
    -------
    Predictions
        A table with one split, `in_train` 0.

    Raises
    ------
    InputError
        If a model is not fitted, does not fit the data, or its file cannot be trusted.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import read
    >>> iris = read("sklearn:iris")
    >>> fitted = GaussianNB().fit(iris.matrix[::2], iris.y[::2])
    >>> predict({"bayes": fitted}, iris.subset(range(1, 150, 2)))
    <Predictions: 75 rows of 3 classes; 1 model (bayes); 1 split>
    """
    if isinstance(models, (str, os.PathLike)):
        if not isinstance(data, (Dataset, tuple)):
            applied_model = applied(models, data, trusted=trusted)
            if not applied_model.known:
                raise InputError(
                    f"no truth: a table of predictions needs the target {applied_model.target!r} "
                    "of every row; without it say heliast predict, or load_model(...).predict(rows)"
                )
            return applied_model.table
        refuse_training_rows(models, as_dataset(data))
        models = {Path(models).stem: load_model(models, trusted)}
    source = as_dataset(data)
    columns = {name: source.column(name) for name in as_names(keep, "keep")}
    tables: list[Predictions] = []
    stages: dict[str, str] = {}
    for name, model in named_models(models).items():
        outputs = predictions_of(name, model, source)
        stages |= {output.models[0]: name for output in outputs[1:]}
        tables += outputs
    table = tables[0].join(*tables[1:])
    table = replace(table, meta=replace(table.meta, stages=stages))
    table = table.with_columns(columns, by_row=True) if columns else table
    return table.noted(*source.notes, "fitted before: that the rows are new is taken on trust")


def predictions_of(
    name: str, model: Any, data: Dataset, most: int | None = None
) -> list[Predictions]:
    """A table of what the model predicts, and one of each further output; `most` in all."""
    try:
        known = _with_classes_of(model, data)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            outputs = list(islice(outputs_of(model, _inputs_of(model, data), known), most))
    except Exception as error:  # whatever a model makes of inputs that are not its own
        why = str(error)
        if not isinstance(error, (InputError, Refused)):
            why = f"cannot predict these data ({type(error).__name__}: {error})"
        raise InputError(f"model {name!r}: {why}") from None
    return [
        Predictions.of(
            known.y,
            output.label if data.task == "regression" else known.labels[output.label],
            output.scores,
            classes=None if known.ordinal else known.classes or None,
            order=known.classes if known.ordinal else None,
            task=data.task,
            scores=output.kind,  # type: ignore[arg-type]
            model=f"{name}/{output.suffix}" if output.suffix else name,
            row=np.arange(data.n),
            group=None if data.ordered else data.group,
            time=data.group if data.ordered else None,
        )
        for output in outputs
    ]


def _with_classes_of(model: Any, data: Dataset) -> Dataset:
    """The data with the classes that the model knows beside their own."""
    own = np.asarray(getattr(model, "classes_", ()))
    more = {*own.tolist()} - {*data.classes}
    if data.task == "regression" or not more:
        return data
    if data.ordinal:
        raise InputError(f"it knows the class {min(more, key=repr)!r}, which order= lacks")
    classes = classes_of([column(data.labels, "the target"), column(own, "the model")])
    place = np.array([classes.index(label) for label in data.classes])
    return replace(data, classes=classes, y_true=place[data.y_true])


def _inputs_of(model: Any, data: Dataset) -> Any:
    """What the model gets: the columns it was fitted on, by name if it knows their names."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return data.rows(np.arange(data.n))
    names = list(map(str, names))
    check_columns(names, data)
    if data.frame is not None:
        import narwhals as nw

        return nw.from_native(data.frame, eager_only=True).select(names).to_native()
    try:
        return framed(data)[names]
    except ImportError:  # scikit-learn takes a matrix as well, if its columns are in order
        return data.matrix[:, [data.names.index(name) for name in names]]


# --- models in files, which have a card --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Applied:
    """The predictions of a model from a file, with or without the truth.

    Parameters
    ----------
    table : Predictions
        Label and scores of each row; the truth in it counts only if it is `known`.
    known : bool
        Whether the rows had their target.
    target : str
        What the target is called.
    notes : tuple of str
        What was noticed: columns in another order or not used, new categories.
    """

    table: Predictions
    known: bool
    target: str
    notes: tuple[str, ...]

    def write(self, path: "str | os.PathLike[str]") -> Path:
        """Write the predictions; without a column of truth where that is not known.

        Parameters
        ----------
        path : str or os.PathLike[str]
            CSV, TSV or Parquet.

        Returns
        -------
        Path
            The file.
        """
        return self.table.write(path, y_true=self.known)


def applied(
    path: "str | os.PathLike[str]",
    source: object,
    *,
    trusted: Sequence[str] = (),
    target: str | None = None,
    row: str | None = None,
) -> Applied:
    """Apply the model of a file to rows of another.

    Parameters
    ----------
    path : str or os.PathLike[str]
        The skops file of a fitted model; its card, if it has one, tells its inputs and target.
    source : str, path or data frame
        The rows: what `read` takes, with or without the target.
    trusted : sequence of str
        Names of types that `load_model` is to trust.
    target : str, optional
        The column of the target, if the card does not say.
    row : str, optional
        A column that names the rows; else they are counted from 0.

    Returns
    -------
    Applied
        Predictions, and whether the truth was there.

    Raises
    ------
    InputError
        If the file cannot be trusted, columns are missing, or the model cannot predict the rows.
    """
    card, model = load_card(path), load_model(path, trusted)
    target = target or card.get("target")
    kinds = {part["name"]: part["kind"] for part in card.get("inputs", ())}
    new = read_rows(
        source,
        list(kinds) or list(getattr(model, "feature_names_in_", ())),
        target=target,
        row=row,
        nominal=[name for name, kind in kinds.items() if kind == "nominal"],
        numeric=[name for name, kind in kinds.items() if kind == "numeric"],
    )
    data, truth = new.data, new.y_true
    if (labels := getattr(model, "classes_", None)) is not None:
        classes = tuple(np.asarray(labels).tolist())
        codes = np.zeros(data.n, np.int64) if truth is None else encode(truth, classes)
        data = replace(data, task="classification", classes=classes, y_true=codes)
    elif truth is not None:
        data = replace(data, y_true=truth.values.astype(np.float64))
    (table,) = predictions_of(card.get("name") or Path(path).stem, model, data, 1)
    if new.row is not None:
        table = replace(table, row=new.row.plain())
    notes = (*new.notes, *_new_categories(card, data))
    if truth is not None and _trained_on(card, data):
        table = replace(table, in_train=np.ones(data.n, np.int64))
        notes += (
            "the very rows that the model was fitted on: in_train is 1, they do not judge it",
        )
    return Applied(table.noted(*notes), truth is not None, target or "", notes)


def refuse_training_rows(path: "str | os.PathLike[str]", data: Dataset) -> None:
    """Refuse to judge the model of a file by the very rows that its card says it was fitted on."""
    if _trained_on(load_card(path), data):
        raise InputError(
            f"{Path(path).name} was fitted on these very rows, on which its error is too small: "
            "give new rows, or leave --fitted out, so that its recipe is fitted on splits of them "
            "(in Python: hl.run(hl.load_model(...), data))"
        )


def _trained_on(card: Mapping[str, Any], data: Dataset) -> bool:
    """Whether these are the very rows of training, whatever the order of their columns."""
    by_name = {part.name: part for part in data.inputs}
    names = [part["name"] for part in card.get("inputs", ())]
    inputs = tuple(by_name[name] for name in names if name in by_name)
    same = replace(data, inputs=inputs, target=card.get("target", ""))
    return bool(card.get("data_fingerprint") == same.fingerprint)


def _new_categories(card: Mapping[str, Any], data: Dataset) -> list[str]:
    """Notes on categories that were not there in training."""
    known = {part["name"]: part.get("categories") for part in card.get("inputs", ())}
    notes = []
    for part in data.inputs:
        trained = known.get(part.name) or part.categories or ()
        new = [at for at, name in enumerate(part.categories or ()) if name not in trained]
        if new:
            rows = np.isin(part.values, new).sum()
            some = ", ".join(repr((part.categories or ())[at]) for at in new[:3])
            notes.append(
                f"{part.name}: categories that training did not have ({some}), in {rows} of "
                f"{data.n} rows: missing to the model"
            )
    return notes
