"""A measure split by split: the values behind an estimate."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level
from heliast._core.plotted import Plotted
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._auto import over_splits
from heliast.estimates.resampled._case import Case, check_measure
from heliast.estimates.resampled._design import Parts
from heliast.measures import Measure
from heliast.predictions import Predictions


@dataclass(frozen=True, eq=False)
class PerSplit(Plotted):
    """The values of a measure, a row a split and a column a model, and each model's estimate.

    Values of one row belong together: the models were tested on the same rows.

    Parameters
    ----------
    measure, better : str
        What was measured, and whether high or low is better.
    models : tuple of str
        The columns.
    splits : tuple
        The rows.
    values : array
        NaN where a model failed or the measure is undefined.
    estimates : tuple of Estimate
        What `assess` says of each model.

    Examples
    --------
    >>> table = Predictions.of(list("abab"), list("abbb"), split=[0, 0, 1, 1])
    >>> per_split(table)
    <PerSplit of error: 2 splits, 1 models>
    """

    measure: str
    better: str
    models: tuple[str, ...]
    splits: tuple[int | str, ...]
    values: Array
    estimates: tuple[Estimate, ...]

    def __repr__(self) -> str:
        return f"<PerSplit of {self.measure}: {len(self.splits)} splits, {len(self.models)} models>"


def per_split(
    predictions: Predictions,
    measure: str | Measure = "error",
    models: Sequence[str] | None = None,
    level: float = 0.95,
) -> PerSplit:
    """The measure on every split of every model, with the interval that `assess` gives.

    Parameters
    ----------
    predictions : Predictions
        A table of several splits.
    measure : str or Measure
        What is measured.
    models : sequence of str, optional
        Which models; all if not given.
    level : float
        The confidence level.

    Returns
    -------
    PerSplit
        Values and estimates.

    Raises
    ------
    InputError
        If there is one split only, or the table lacks what the measure needs.

    Examples
    --------
    >>> table = Predictions.of(list("abab"), list("abbb"), split=[0, 0, 1, 1])
    >>> per_split(table).values.ravel().tolist()
    [0.0, 0.5]
    """
    check_level(level)
    chosen = registry.get(measure)
    table = predictions.only(None if models is None else list(models), role="test", in_train=0)
    splits = tuple(split.split for split in table.splits)
    if len(splits) < 2:
        raise InputError(f"{len(splits)} split: values per split need several; see assess")
    values, estimates = np.full((len(splits), len(table.models)), np.nan), []
    for column, model in enumerate(table.models):
        check_measure(chosen, table, model)
        case = Case(Parts(table, model), predictions.only(model), chosen, None, level)
        rows = [splits.index(name) for name in case.parts.alone]
        values[rows, column] = case.values()
        estimates.append(over_splits(case))
    return PerSplit(chosen.title, chosen.better, table.models, splits, values, tuple(estimates))
