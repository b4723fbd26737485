"""to_mlflow: what was found, kept beside the run that made it."""

import re
from math import isnan
from typing import Any

from heliast._core.errors import InputError
from heliast.estimates import Estimate
from heliast.verbs.arguments import OF_TABLES, read_table
from heliast.verbs.assess import assess
from heliast.verbs.options import Measures
from heliast.verbs.report import make_page

# Where MLflow lists the report and the record, and how many metrics a server takes at once.
FOLDER, MOST = "heliast", 1000


def to_mlflow(
    source: Any = None,
    *arguments: Any,
    measures: Measures = None,
    run_id: str | None = None,
    prefix: str = "",
    page: bool = True,
    **options: Any,
) -> dict[str, float]:
    """Assess predictions and log what was found to MLflow.

    Each measure becomes three metrics, `error`, `error.low` and `error.high`, under the name of the
    model where there are several (`forest/error`), and of a class after a point (`recall.spam`).
    The report and a JSON file with every estimate are artifacts in the folder `heliast`. It is
    logged to the active run, or to the run named; without either, MLflow begins one.

    Parameters
    ----------
    source : Predictions, path, data frame, mapping or array-like
        The prediction table, as in `assess`.
    *arguments : array-like
        As in `assess`.
    measures : str, Measure, sequence of these, or None
        What is measured; None is the panel.
    run_id : str, optional
        The run to log to.
    prefix : str
        Put before the name of each metric, such as "test/".
    page : bool
        Whether the HTML report is logged as well.
    **options : Any
        Further options of `assess`: `level`, `cost`, `positive`, ...

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
    columns = {name: options.pop(name) for name in [*options] if name in OF_TABLES}
    table, positional = read_table("to_mlflow", (source, *arguments), columns, ("measures",))
    assessment = assess(table, measures=positional.get("measures", measures), **options)
    several = len(assessment.models) > 1
    metrics = {
        f"{prefix}{name}": value
        for estimate in assessment.estimates
        for name, value in _metrics(estimate, several)
    }
    client, run = mlflow.MlflowClient(), run_id or _active(mlflow)
    all_rows = [_metric(mlflow, *entry) for entry in metrics.items()]
    for start in range(0, len(all_rows), MOST):
        client.log_batch(run, all_rows[start : start + MOST])
    client.log_dict(run, assessment.to_dict(), f"{FOLDER}/assessment.json")
    if page:
        client.log_text(run, make_page(table, **options), f"{FOLDER}/report.html")
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
