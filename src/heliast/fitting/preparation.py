"""What stands between raw inputs and a model that needs numbers; fitted inside each split."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.data import Dataset

Inputs = Callable[[Dataset, Array], Any]

# Endings of the names of steps that make numbers of what is not: scikit-learn's and its kin.
_PREPARES = ("Encoder", "Imputer", "ColumnTransformer", "Vectorizer", "FunctionTransformer")


def prepared(model: Any, data: Dataset) -> tuple[Any, Inputs]:
    """The model to fit and the inputs it gets: itself, or a pipeline that encodes and imputes.

    A model gets the inputs as they are if they are all numbers and complete, or if it prepares
    them itself (a pipeline with an encoder or imputer, a model that takes missing values).
    Otherwise nominal inputs become indicators, dates their parts and missing numbers the median,
    all learned from the training rows only, so nothing leaks from test rows. A model that names its
    columns, as one that `fit` has kept does, gets them under their names.
    """
    names = names_in(model) if data.frame is None else None
    if names is not None:
        check_columns(names, data)
        return model, lambda source, positions: framed(source.subset(positions))
    if takes_categories(model, data):
        return model, lambda source, positions: source.rows(positions)
    plain = not data.nominal and not data.dates
    if (plain and (not data.has_missing or takes_missing(model))) or prepares(model):
        return model, lambda source, positions: source.rows(positions)
    return _pipeline(model, data), lambda source, positions: source.matrix[positions]


def takes_categories(model: Any, data: Dataset) -> bool:
    """Whether a model learns from the categories of the user's pandas frame as they are.

    LightGBM, XGBoost with `enable_categorical`, CatBoost with `cat_features`, and scikit-learn's
    histogram boosting do; all nominal features must then be categorical or boolean columns.
    """
    if data.dates or not type(data.frame).__module__.startswith("pandas"):
        return False
    kinds = [str(data.frame.dtypes.iloc[at]) for at in data.nominal]
    if not all(kind in ("category", "bool", "boolean") for kind in kinds):
        return False
    parameters: dict[str, Any] = getattr(model, "get_params", dict)()
    package = type(model).__module__.partition(".")[0]
    if package == "sklearn":
        named = "HistGradientBoosting" in type(model).__name__
        return named and isinstance(parameters.get("categorical_features"), str)
    needed = {"lightgbm": True, "xgboost": parameters.get("enable_categorical"),
              "catboost": parameters.get("cat_features")}  # fmt: skip
    return bool(data.nominal) and bool(needed.get(package))


def framed(data: Dataset) -> Any:
    """Raw inputs under their names, as pandas has them."""
    return data.to_frame("pandas")[list(data.names)]


def names_in(model: Any) -> list[str] | None:
    """The columns that a model takes by name; None if it takes none so."""
    from sklearn.compose import ColumnTransformer

    parts = [model, *getattr(model, "get_params", dict)().values()]
    groups = [group for step in parts if isinstance(step, ColumnTransformer)
              for *_, group in step.transformers]  # fmt: skip
    columns = [column for group in groups for column in np.ravel(group)]
    names = [str(column) for column in columns if isinstance(column, str)]
    return names if names or any(map(callable, columns)) else None


def check_columns(names: Iterable[str], data: Dataset) -> None:
    """Refuse data that lack a column which a model takes."""
    for name in names:
        if name not in data.names:
            reason = data.left_out.get(name)
            why = "which the data lack" if reason is None else f"left out as {reason}"
            raise InputError(
                f"it takes the column {name!r}, {why}; they have: {', '.join(data.names[:12])}"
            )


def prepares(model: Any) -> bool:
    """Whether the model brings its own preparation of nominal inputs, dates and missing ones."""
    endings = (type(step).__name__.endswith(_PREPARES) for step in _steps(model))
    return getattr(model, "raw_inputs", False) or any(endings)


def _steps(model: Any) -> Iterator[Any]:
    """The steps of a pipeline, also of one inside a search or another wrapper."""
    yield model
    for _, step in getattr(model, "steps", ()):
        yield from _steps(step)
    if (inner := getattr(model, "estimator", None)) is not None:
        yield from _steps(inner)


def takes_missing(model: Any) -> bool:
    """Whether the model says that it handles NaN itself."""
    from sklearn.utils import get_tags

    try:
        return bool(get_tags(model).input_tags.allow_nan)
    except (AttributeError, TypeError):  # not quite a scikit-learn estimator: be careful
        return False


def _pipeline(model: Any, data: Dataset) -> Any:
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    from heliast.fitting.dates import DateParts

    special = {*data.nominal, *data.dates}
    numeric = [at for at in range(len(data.inputs)) if at not in special]
    # A missing category is a category of its own: that a vote was not cast tells something.
    encode = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=-1.0),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    impute = SimpleImputer(strategy="median", keep_empty_features=True)
    steps = [("numeric", impute, numeric), ("nominal", encode, list(data.nominal))]
    if data.dates:
        steps.append(("dates", make_pipeline(DateParts(), impute), list(data.dates)))
    return make_pipeline(ColumnTransformer(steps), model)
