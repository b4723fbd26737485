"""What stands between raw inputs and a model that needs numbers; fitted inside each split."""

from collections.abc import Callable, Iterator
from typing import Any

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.data import Dataset

Inputs = Callable[[Dataset, Array], Any]

_PREPARES = ("Encoder", "Imputer", "ColumnTransformer", "Vectorizer", "FunctionTransformer")
"""Endings of the names of steps that make numbers of what is not: scikit-learn's and its kin."""


def prepared(model: Any, data: Dataset) -> tuple[Any, Inputs]:
    """The model to fit and the inputs it gets: itself, or a pipeline that encodes and imputes.

    A model gets the inputs as they are if they are all numbers and complete, or if it prepares
    them itself (a pipeline with an encoder or imputer, a model that takes missing values).
    Otherwise nominal inputs become indicators, dates their parts and missing numbers the median,
    all learned from the training rows only, so nothing leaks from test rows. A model that names its
    columns, as one that `fit` has kept does, gets them under their names.
    """
    if data.frame is None and (wanted := names_in(model)) is not None:
        if lacking := [name for name in wanted if name not in data.names]:
            raise InputError(
                f"it takes the column {lacking[0]!r}, which the data lack; they have: "
                f"{', '.join(data.names[:12])}"
            )
        return model, lambda source, positions: framed(source.subset(positions))
    plain = not data.nominal and not data.dates
    numbers = plain and (not data.has_missing or takes_missing(model))
    if numbers or prepares(model):
        return model, lambda source, positions: source.rows(positions)
    return _pipeline(model, data), lambda source, positions: source.matrix[positions]


def framed(data: Dataset) -> Any:
    """Raw inputs under their names, as pandas has them."""
    return data.to_frame("pandas")[list(data.names)]


def names_in(model: Any) -> list[str] | None:
    """The columns that a model takes by name; None if it takes none so."""
    from sklearn.compose import ColumnTransformer

    parts = [*_steps(model), *getattr(model, "get_params", dict)().values()]
    chosen = [one for step in parts if isinstance(step, ColumnTransformer)
              for *_, one in step.transformers]  # fmt: skip
    texts = [[one] if isinstance(one, str) else one for one in chosen]
    named = [name for one in texts if isinstance(one, list) for name in one]
    found = [name for name in named if isinstance(name, str)]
    return found if found or any(map(callable, chosen)) else None


def prepares(model: Any) -> bool:
    """Whether the model brings its own preparation of nominal inputs, dates and missing ones."""
    if getattr(model, "raw_inputs", False):
        return True
    return any(type(step).__name__.endswith(_PREPARES) for step in _steps(model))


def _steps(model: Any) -> Iterator[Any]:
    """The steps of a pipeline, also of one inside a search or another wrapper."""
    yield model
    for _, step in getattr(model, "steps", ()):
        yield from _steps(step)
    inner = getattr(model, "estimator", None)
    if inner is not None:
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

    nominal = list(data.nominal)
    numeric = [at for at, one in enumerate(data.inputs) if not one.nominal and not one.date]
    # A missing category is a category of its own: that a vote was not cast tells something.
    encode = make_pipeline(
        SimpleImputer(strategy="constant", fill_value=-1.0),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    impute = SimpleImputer(strategy="median", keep_empty_features=True)
    steps = [("numeric", impute, numeric), ("nominal", encode, nominal)]
    if data.dates:
        from heliast.fitting.dates import DateParts

        steps.append(("dates", make_pipeline(DateParts(), impute), list(data.dates)))
    return make_pipeline(ColumnTransformer(steps), model)
