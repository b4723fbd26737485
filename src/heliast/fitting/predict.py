"""predict: what models that are fitted already say of data they have not seen."""

import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.labels import Label, classes_of, encode
from heliast._core.told import told
from heliast.data import Dataset, read_rows
from heliast.fitting.cell import Refused, outputs_of
from heliast.fitting.loading import load_card, load_model
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
        A table with one split, `seen` 0.

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
        return _of_file(models, data, trusted)
    source = as_dataset(data)
    columns = {name: source.column(name) for name in as_names(keep, "keep")}
    table: Predictions | None = None
    stages: dict[str, str] = {}
    for name, model in named_models(models).items():
        try:
            found = _tables(name, model, source)
        except InputError as error:
            raise InputError(f"model {name!r}: {error}") from None
        for one in found:
            table = one if table is None else table.join(one)
        stages |= {one.models[0]: name for one in found[1:]}
    assert table is not None
    table = replace(table, meta=replace(table.meta, stages=stages))
    table = table.with_columns(columns, by_row=True) if columns else table
    return table.noted(*source.notes, "fitted before: that the rows are new is taken on trust")


def _of_file(path: "str | os.PathLike[str]", data: object, trusted: Sequence[str]) -> Predictions:
    if isinstance(data, (Dataset, tuple)):
        refuse_training_rows(path, as_dataset(data))
        return predict({Path(path).stem: load_model(path, trusted)}, data)
    found = applied(path, data, trusted=trusted)
    if not found.known:
        raise InputError(
            f"no truth: a table of predictions needs the target {found.target!r} of every row; "
            "without it say heliast predict, or load_model(...).predict(rows)"
        )
    return found.table


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
    there = {one.name: one for one in data.inputs}
    inputs = tuple(there[name] for name in _kinds(card) if name in there)
    target = _text(card.get("target"))
    return card.get("data_fingerprint") == replace(data, inputs=inputs, target=target).fingerprint


_TRUTHS = {"0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1}
"""How truth values are written, by their place among the categories false and true."""


@dataclass(frozen=True, eq=False)
class Applied:
    """What a model of a file says of rows, with or without their truth.

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

    @told({"path": "str or os.PathLike[str]: CSV, TSV or Parquet."}, returns="Path: The file.")
    def write(self, path: "str | os.PathLike[str]") -> Path:
        """Write the predictions; without a column of truth where that is not known."""
        return self.table.write(path, truth=self.known)


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
    told, kinds = target or _text(card.get("target")), _kinds(card)
    inputs = [*kinds] or [str(one) for one in getattr(model, "feature_names_in_", ())]
    new = read_rows(
        source, inputs, target=told, row=row,
        nominal=[name for name, kind in kinds.items() if kind == "nominal"],
        numeric=[name for name, kind in kinds.items() if kind == "numeric"],
    )  # fmt: skip
    name = _text(card.get("name")) or Path(path).stem
    classes = getattr(model, "classes_", None)
    data, truth = _as_in_training(card, new.data), new.truth
    _refuse_other_dates(kinds, data, Path(path).name)
    if classes is not None:
        if truth is not None:
            _refuse_spelling(truth.distinct(), np.asarray(classes).tolist(), told)
        labels = np.asarray(classes).tolist() if truth is None else classes_of([truth])
        codes = np.zeros(data.n) if truth is None else encode(truth, labels)
        data = replace(data, task="classes", classes=tuple(labels), truth=codes.astype(np.int64))
    elif truth is not None:
        data = replace(data, truth=truth.values.astype(np.float64))
    try:
        (table,) = _tables(name, model, data, 1)
    except InputError as error:
        raise InputError(f"{Path(path).name}: {error}") from None
    if new.row is not None:
        table = replace(table, row=new.row.plain())
    notes = (*new.notes, *_strange(card, data))
    if truth is not None and _trained_on(card, data):
        table = replace(table, seen=np.ones(data.n, np.int64))
        notes += ("the very rows that the model was fitted on: seen is 1, they do not judge it",)
    return Applied(table.noted(*notes), truth is not None, told or "", notes)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _kinds(card: Mapping[str, Any]) -> dict[str, str]:
    """The inputs that a card tells, each with its kind."""
    told = card.get("inputs")
    every = told if isinstance(told, list) else []
    return {
        one["name"]: str(one.get("kind"))
        for one in every
        if isinstance(one, dict) and isinstance(one.get("name"), str)
    }


def _categories(card: Mapping[str, Any]) -> dict[str, set[str]]:
    """The categories of each input that a card tells."""
    every = card.get("inputs")
    return {
        one["name"]: {*map(str, one["categories"])}
        for one in (every if isinstance(every, list) else [])
        if isinstance(one, dict) and isinstance(one.get("categories"), list)
    }


def _as_in_training(card: Mapping[str, Any], data: Dataset) -> Dataset:
    """Truth values that are written 0 and 1 here are those of training, true and false."""
    known = _categories(card)
    inputs = list(data.inputs)
    for at, one in enumerate(inputs):
        written = [_TRUTHS.get(name.lower(), -1) for name in one.categories or ()]
        if known.get(one.name) == {"false", "true"} and written and -1 not in written:
            codes = np.array([*written, -1], np.int32)[one.values]
            inputs[at] = replace(one, values=codes, categories=("false", "true"))
    return replace(data, inputs=tuple(inputs))


def _refuse_other_dates(kinds: Mapping[str, str], data: Dataset, title: str) -> None:
    """Refuse a column of dates that is not one here: its dates are written otherwise."""
    there = {one.name: one for one in data.inputs}
    for name, kind in kinds.items():
        if kind == "date" and (name not in there or there[name].nominal):
            raise InputError(
                f"{title}: {name!r} held dates in training, but here its values are no ISO dates: "
                "write them as 2024-12-31 or 2024-12-31T23:59"
            )


def _refuse_spelling(truth: set[Label], classes: Sequence[Label], target: str | None) -> None:
    """Refuse a target whose classes are those of the model but for how they are written."""
    plain = {str(one).strip().casefold(): one for one in classes}
    for one in sorted(truth - {*classes}, key=str):
        other = plain.get(str(one).strip().casefold())
        if other is not None:
            raise InputError(
                f"target {target!r} holds {one!r}, the model says {other!r}: write the classes as "
                "in training, or take the target away"
            )


def _strange(card: Mapping[str, Any], data: Dataset) -> list[str]:
    """Categories that were not there in training."""
    known = _categories(card)
    said = []
    for one in data.inputs:
        if one.categories is None or one.name not in known:
            continue
        new = [place for place, name in enumerate(one.categories) if name not in known[one.name]]
        if new:
            rows = int(np.isin(one.values, new).sum())
            some = ", ".join(repr(one.categories[place]) for place in new[:3])
            what = "category" if len(new) == 1 else "categories"
            said.append(
                f"{one.name}: {len(new)} {what} that training did not have ({some}), in {rows} of "
                f"{data.n} rows: missing to the model"
            )
    return said


def _tables(name: str, model: Any, data: Dataset, most: int | None = None) -> list[Predictions]:
    """What the model says, and its further outputs; at most so many."""
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted

    try:
        check_is_fitted(model)
    except (NotFittedError, TypeError):
        raise InputError("not fitted yet; use run, which fits it") from None
    known = _with_classes(data, getattr(model, "classes_", ()))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            found = list(islice(outputs_of(model, _inputs(model, data), known), most))
    except InputError:
        raise
    except Refused as error:
        raise InputError(str(error)) from None
    except Exception as error:  # whatever a model makes of inputs that are not its own
        raise InputError(f"cannot predict these data ({type(error).__name__}: {error})") from None
    row = np.arange(data.n)
    return [
        Predictions.of(
            known.y,
            one.label if data.task == "number" else known.labels[one.label],
            one.scores,
            classes=None if known.ordinal else known.classes or None,
            order=known.classes if known.ordinal else None,
            task=data.task,
            scores=one.kind,  # type: ignore[arg-type]
            model=f"{name}/{one.suffix}" if one.suffix else name,
            row=row,
            group=None if data.ordered else data.group,
            time=data.group if data.ordered else None,
        )
        for one in found
    ]


def _with_classes(data: Dataset, classes: Sequence[Label]) -> Dataset:
    """The data with the classes that the model knows beside their own."""
    if data.task == "number":
        return data
    more = set(np.asarray(classes).tolist()) - set(data.classes)
    if data.ordinal and more:
        raise InputError(f"it knows the class {sorted(map(repr, more))[0]}, which order= lacks")
    try:
        every = data.classes if data.ordinal else tuple(sorted({*data.classes, *more}))
    except TypeError:
        some = sorted(map(repr, more))[0]
        raise InputError(
            f"it knows the class {some}, the data have {data.classes[0]!r}: numbers never equal "
            "text; convert the target"
        ) from None
    place = np.array([every.index(one) for one in data.classes])
    return replace(data, classes=every, truth=place[data.truth])


def _inputs(model: Any, data: Dataset) -> Any:
    """What the model gets: the columns it was fitted on, by name if it knows their names."""
    names = getattr(model, "feature_names_in_", None)
    if names is None:
        return data.rows(np.arange(data.n))
    lacking = [str(name) for name in names if name not in data.names]
    if lacking:
        raise InputError(
            f"it was fitted on the column {lacking[0]!r}, which the data lack; they have: "
            f"{', '.join(data.names[:12])}"
        )
    if data.frame is not None:
        import narwhals as nw

        return nw.from_native(data.frame, eager_only=True).select(*map(str, names)).to_native()
    try:
        return data.to_frame("pandas")[list(names)]
    except ImportError:  # scikit-learn takes a matrix as well, if its columns are in order
        return data.matrix[:, [data.names.index(name) for name in names]]
