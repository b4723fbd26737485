"""to_mlflow: what was found, kept beside the run that made it."""

import re
from math import isnan
from typing import Any, cast

from heliast._core.errors import InputError
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.verbs.assess import assess
from heliast.verbs.given import Given, takes_a_table
from heliast.verbs.question import Measures
from heliast.verbs.report import Page, report

FOLDER = "heliast"
"""Where MLflow lists the report and the record."""
MOST = 1000
"""Metrics that a server takes at once."""


@takes_a_table()
def to_mlflow(
    predictions: Given,
    measures: Measures = None,
    *,
    run_id: str | None = None,
    prefix: str = "",
    page: bool = True,
    **question: Any,
) -> dict[str, float]:
    """Assess predictions and log what was found to MLflow.

    Each measure becomes three metrics, `error`, `error.low` and `error.high`, under the name of the
    model where there are several (`forest/error`), and of a class after a point (`recall.spam`).
    The report and a JSON file with every estimate are artifacts in the folder `heliast`. It is
    logged to the active run, or to the run named; without either, MLflow begins one.

    Parameters
    ----------
    predictions : Predictions, or what can become a table
        As in `assess`.
    measures : str, Measure, sequence of these, or None
        What is measured; None is the panel.
    run_id : str, optional
        The run to log to.
    prefix : str
        Put before the name of each metric, such as "test/".
    page : bool
        Whether the HTML report is logged as well.
    **question : keywords
        Whatever else `assess` takes: `level`, `cost`, `positive`, ...

    Returns
    -------
    dict
        The metrics that were logged, by name.

    Raises
    ------
    InputError
        If MLflow is not installed, or the table cannot be assessed as asked.

    Examples
    --------
    >>> import heliast as hl
    >>> with mlflow.start_run():                                # doctest: +SKIP
    ...     hl.to_mlflow(y_true, y_score=p)
    """
    try:
        import mlflow
    except ImportError:
        raise InputError("MLflow is not installed: pip install 'heliast[mlflow]'") from None
    table = cast("Predictions", predictions)
    assessment = assess(table, measures, **question)
    several = len(assessment.models) > 1
    metrics = {
        f"{prefix}{name}": value
        for estimate in assessment.estimates
        for name, value in _metrics(estimate, several)
    }
    client, run = mlflow.MlflowClient(), run_id or _active(mlflow)
    every = [_metric(mlflow, *one) for one in metrics.items()]
    for start in range(0, len(every), MOST):
        client.log_batch(run, every[start : start + MOST])
    client.log_dict(run, assessment.to_dict(), f"{FOLDER}/assessment.json")
    if page:
        whole = cast("Page", report(table, **question))
        client.log_text(run, whole.html, f"{FOLDER}/report.html")
    return metrics


def _active(mlflow: Any) -> str:
    active = mlflow.active_run() or mlflow.start_run()
    return str(active.info.run_id)


def _metric(mlflow: Any, name: str, value: float) -> Any:
    from time import time

    return mlflow.entities.Metric(name, value, int(1000 * time()), 0)


def _metrics(estimate: Estimate, several: bool) -> list[tuple[str, float]]:
    """The names and values of one estimate; what is undefined is left out."""
    words = estimate.measure if estimate.class_ is None else f"{estimate.measure}.{estimate.class_}"
    name = f"{estimate.model}/{words}" if several else words
    name = re.sub(r"[^\w./ -]", "_", name, flags=re.ASCII)  # what MLflow takes in a name
    ends = {"": estimate.value, ".low": estimate.low, ".high": estimate.high}
    return [(name + end, value) for end, value in ends.items() if not isnan(value)]
