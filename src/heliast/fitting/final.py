"""The final model: a recipe fitted on all rows, which finds the columns of raw rows by name."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset, Input
from heliast.fitting.cell import open_seeds
from heliast.fitting.numbered import fitted
from heliast.fitting.preparation import framed, names_in, prepared
from heliast.fitting.run import cell_seed


@dataclass(frozen=True)
class Mixture:
    """A vote of recipes, each of which is fitted as if it stood alone.

    `weights` are even if None; `kind` is that of `MajorityVote`.
    """

    models: Mapping[str, Any]
    weights: Mapping[str, float] | None = None
    kind: str = "hard"

    def fitted(self, data: Dataset, seed: int) -> Any:
        """Every recipe on all rows, voting."""
        from heliast.ensembles import MajorityVote

        members = {name: final(model, data, name, seed) for name, model in self.models.items()}
        kind: Any = self.kind
        return MajorityVote(members, self.weights, kind=kind, fitted=True).fit()


def final(model: Any, data: Dataset, name: str = "model", seed: int = 0) -> Any:
    """A copy of the model fitted on all rows, in front of it what it needs to take raw rows.

    It learns from the very matrix that `run` gives it. Data with names of their own get a first
    step that takes columns by name and codes categories, so that rows of another file, in another
    order, meet the model as they should. Unknown categories count as missing.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> final(GaussianNB(), Dataset.of([[1.0], [2.0], [8.0], [9.0]], list("aabb"))).predict([[7.0]])
    array(['b'], dtype='<U1')
    """
    from sklearn.pipeline import make_pipeline

    if isinstance(model, Mixture):
        return model.fitted(data, seed)
    made, inputs = prepared(model, data)
    X = inputs(data, np.arange(data.n))
    is_array = data.names == tuple(f"x{at}" for at in range(len(data.names)))
    is_array &= not (data.nominal or data.dates)
    takes_frame = data.frame is not None and made is model
    if not is_array and not takes_frame and names_in(model) is None:
        try:
            X = framed(data)
            made = make_pipeline(_columns(data), made)
        except ImportError:
            if data.nominal:
                raise InputError("categories are found by name: pip install pandas") from None
    state = np.random.get_state()  # noqa: NPY002 - models may use it; the caller's stays as it was
    split_seed = cell_seed(seed, name, "all")
    try:
        np.random.seed(split_seed)  # noqa: NPY002
        return fitted(made, X, data.y, dict.fromkeys(open_seeds(made), split_seed), data.weight)
    except Exception as error:  # whatever a model makes of rows
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"{name}: cannot be fitted on all {data.n} rows ({why})") from error
    finally:
        np.random.set_state(state)  # noqa: NPY002


def _columns(data: Dataset) -> Any:
    """Columns by name to the matrix of the data, in its order."""
    from sklearn.compose import ColumnTransformer
    from sklearn.preprocessing import OrdinalEncoder

    from heliast.fitting.dates import DateSeconds

    steps: list[tuple[str, Any, list[str]]] = []
    for kind, group in groupby(data.inputs, key=kind_of):
        columns = list(group)
        step: Any = DateSeconds() if kind == "date" else "passthrough"
        if kind == "nominal":
            known = [np.array(column.categories, dtype=object) for column in columns]
            step = OrdinalEncoder(
                categories=known, handle_unknown="use_encoded_value", unknown_value=np.nan
            )
        steps.append((f"{kind}{len(steps)}", step, [column.name for column in columns]))
    return ColumnTransformer(steps)


def kind_of(column: Input) -> str:
    """Whether an input is nominal, a date or numeric."""
    return "nominal" if column.nominal else "date" if column.date else "numeric"
