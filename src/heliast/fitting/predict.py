"""predict: what models that are fitted already say of data they have not seen."""

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.data import Dataset
from heliast.fitting.cell import Refused, outputs_of
from heliast.fitting.run import as_dataset, named_models
from heliast.predictions import Predictions
from heliast.tables.table import as_names


def predict(models: object, data: object, *, keep: str | Sequence[str] = ()) -> Predictions:
    """The predictions of fitted models for all rows of the data; nothing is fitted.

    `models` and `data` are those of `run`. The data must be new to the models: that cannot be seen
    here, and on rows of their training sample the error would be too small. A model fitted on
    named columns finds them by name.

    Parameters
    ----------
    models : estimator, mapping or sequence
        Fitted models by name, one, or several.
    data : Dataset, frame, path or (X, y)
        Rows that the models were not trained on.
    keep : str or sequence of str
        Inputs whose values are kept beside the predictions, to slice the table by.

    Returns
    -------
    Predictions
        A table with one split, `seen` 0.

    Raises
    ------
    InputError
        If a model is not fitted, or does not fit the data.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import read
    >>> iris = read("sklearn:iris")
    >>> fitted = GaussianNB().fit(iris.matrix[::2], iris.y[::2])
    >>> predict({"bayes": fitted}, iris.subset(range(1, 150, 2)))
    <Predictions: 75 rows of 3 classes; 1 model (bayes); 1 split>
    """
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


def _tables(name: str, model: Any, data: Dataset) -> list[Predictions]:
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
            found = list(outputs_of(model, _inputs(model, data), known))
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
