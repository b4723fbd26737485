"""The loss of each row, for methods that need a mean over rows."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.estimates.resampled._case import Case, Refused
from heliast.estimates.resampled._parts import Parts
from heliast.measures.forms import Form, Mean, Rate, Undefined
from heliast.predictions import Predictions, Rows

Array = npt.NDArray[Any]
Losses = Callable[[Rows], Array]


def loss_of(form: Form) -> Losses | None:
    """How to find the row losses whose plain mean the form is; None if it is no such mean."""
    if isinstance(form, Mean):
        return form.losses if form.shares is None else None
    if isinstance(form, Rate) and (form.base.by_row == form.base.k).all():
        hits = form.hits.mask
        if not form.table.by_class:
            return lambda rows: hits[rows.truth, rows.label].astype(np.float64)
    return None


def row_losses(case: Case, name: str, parts: Parts | None = None) -> Losses:
    """The losses of the measure asked for, or a refusal."""
    if not (parts or case.parts).splits:
        raise Refused(f"{name}: no row of role test with seen = 0")
    form = case.measure.form((parts or case.parts).pooled, case.class_)
    if isinstance(form, Undefined):
        raise Refused(f"{name}: {case.measure.title} is undefined: {form.reason}")
    losses = loss_of(form)
    if losses is None:
        raise Refused(
            f"{name} needs a mean of row losses (error, accuracy, log loss, ...), which "
            f"{case.measure.title} is not"
        )
    return losses


def independent_rows(name: str, table: Predictions) -> None:
    """Refuse groups and weights, for methods that count every row as one."""
    if table.group is not None:
        raise Refused(f"{name} takes rows as independent, but these come in groups")
    if table.weight is not None:
        raise Refused(f"{name} counts every row as one, but these have weights")
