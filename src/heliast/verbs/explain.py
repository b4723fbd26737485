"""explain: bias and variance of models, the margins of their votes, and advice."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.fitting.run import as_dataset, run
from heliast.fitting.store import Store
from heliast.plans import Bootstrap
from heliast.predictions import Predictions
from heliast.theory import Decomposition, Margins, bias_variance, margins
from heliast.verbs.options import Options
from heliast.views.numbers import capital, ci, percent, short_name
from heliast.views.record import Column, Record, Table
from heliast.views.tables import measures_table

if TYPE_CHECKING:
    from heliast.views.plots import Plot

# A margin this close to 0 is a narrow vote: 60 against 40 of a hundred fits.
NARROW = 0.2
# Shares of the loss: variance beyond the first is a large part, below the second a small one.
LARGE, SMALL = 1 / 3, 1 / 10


@dataclass(frozen=True, eq=False, repr=False)
class Explanation(Record):
    """Bias and variance of each model, the margins of the vote of its fits, and advice.

    Parameters
    ----------
    decomposition : Decomposition
        The parts of each model's loss, with intervals.
    margins : mapping
        How the fits of each model vote at each row.
    advice : mapping
        One sentence for each model.
    predictions : Predictions
        The table that everything is computed from.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> explained = explain({"bayes": GaussianNB()}, "sklearn:iris", 10)
    >>> explained.models, list(explained.advice)
    (('bayes',), ['bayes'])
    """

    decomposition: Decomposition
    margins: Mapping[str, Margins]
    advice: Mapping[str, str]
    predictions: Predictions

    @property
    def models(self) -> tuple[str, ...]:
        """The models explained."""
        return self.decomposition.models

    def narrow(self, model: str) -> float:
        """The share of rows whose margin is within 0.2 of a tie.

        Parameters
        ----------
        model : str
            One of `models`.

        Returns
        -------
        float
            Between 0 and 1.
        """
        return float(np.mean(np.abs(self.margins[model].value) < NARROW))

    @property
    def summary(self) -> str:
        """The advice on each model."""
        words = (f"{short_name(model)}: {advice}." for model, advice in self.advice.items())
        return " ".join(words)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the parts of each model's loss add up to."""
        parts = self.decomposition
        return tuple(f"{short_name(m)}: {parts.identity(m)}." for m in self.models)

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of the decomposition."""
        return self.decomposition.notes

    def tables(self) -> tuple[Table, ...]:
        """The parts of the loss, and how the fits vote out of sample.

        Returns
        -------
        tuple of Table
            The main table first.
        """
        parts = measures_table(self.decomposition.estimates, self.models)
        title = f"{capital(self.decomposition.title)} ({ci(self.decomposition.level)})"
        return replace(parts, name="parts", title=title), self._votes()

    def _votes(self) -> Table:
        columns = (
            Column("model", kind="name"), Column("mean_margin", kind="number"),
            Column("wrong", "vote wrong or tied", "share"),
            Column("narrow", "decided narrowly", "share"),
        )  # fmt: skip
        rows = [
            (model, entry.mean, entry.error, self.narrow(model))
            for model, entry in self.margins.items()
        ]
        title = f"How the fits vote out of sample ({self.decomposition.n:,} rows)"
        return Table("votes", title, columns, rows)

    def to_dict(self) -> dict[str, object]:
        """Parts, margins in short and advice.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        return {
            "summary": self.summary,
            "decomposition": self.decomposition.to_dict(),
            "margins": {
                name: {"mean": entry.mean, "least": entry.least, "wrong": entry.error,
                       "narrow": self.narrow(name)}
                for name, entry in self.margins.items()
            },
            "advice": dict(self.advice),
        }  # fmt: skip

    def plots(self) -> Mapping[str, "Callable[[], Plot]"]:
        """The parts of the loss.

        Returns
        -------
        mapping
            A function that makes each plot, by name.
        """
        from heliast.views import plots

        return {
            "bias_variance": lambda **options: plots.bias_variance(self.decomposition, **options)
        }


def explain(
    models: object,
    data: object = None,
    times: int = 100,
    *,
    plan: Any = None,
    level: float = 0.95,
    seed: int = 0,
    stages: bool = False,
    engine: str = "local",
    jobs: int | None = None,
    store: str | os.PathLike[str] | Store | None = None,
    progress: bool = False,
) -> Explanation:
    """Fit each model on many resamples and decompose its error into bias and variance.

    Rows are assessed by the fits that were not trained on them. Noise is separated from bias if the
    data are simulated, else it is part of the bias.

    Parameters
    ----------
    models : mapping, sequence or estimator
        Models by name, as `run` takes them; or, without data, predictions in which each row is
        predicted by several fits.
    data : Dataset, pair (X, y), or what `read` takes
        Rows with classes.
    times : int
        Resamples that each model is fitted on.
    plan : plan, splitter or int, optional
        The resampling plan: `Bootstrap(times)` if not given.
    level : float
        The confidence level of intervals.
    seed : int
        Random seed of resamples and fits.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    engine, jobs, store, progress
        Those of `run`.

    Returns
    -------
    Explanation
        The parts of the loss, the margins, and advice.

    Raises
    ------
    InputError
        If the data have no classes.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> found = explain({"tree": DecisionTreeClassifier(random_state=0)}, "sklearn:iris", 20)
    >>> found.decomposition["tree", "loss"].value < 0.1
    True

    References
    ----------
    P. Domingos (2000), A unified bias-variance decomposition, ICML; see `theory.bias_variance`.
    """
    options = Options(level=level, seed=seed, stages=stages)
    if isinstance(models, Predictions):
        return explain_table(models, options)
    if data is None or isinstance(models, Dataset):
        raise InputError("explain needs models, then data: explain(models, data)")
    source = as_dataset(data)
    if source.task != "classification":
        raise InputError("explain is for classification; for regression see theory.bias_variance")
    table = run(
        models, source, Bootstrap(times) if plan is None else plan, seed, engine=engine, jobs=jobs,
        store=store, progress=progress,
    )  # fmt: skip
    return explain_table(table, options, posteriors=source.posteriors)


def explain_table(
    table: Predictions, options: Options | None = None, posteriors: Any = None
) -> Explanation:
    """The explanation of a table in which rows are predicted by several fits."""
    options = options or Options()
    part = options.models(table).only(role=options.role, in_train=options.in_train)
    parts = bias_variance(part, level=options.level, seed=options.seed, posteriors=posteriors)
    votes = {model: _margins(part.only(model=model)) for model in parts.models}
    advice = {model: _advice(parts, model) for model in parts.models}
    return Explanation(parts, votes, advice, table)


def _margins(part: Predictions) -> Margins:
    """Margins of the vote of all fits, each on its out-of-sample rows."""
    assert part.row is not None
    rows, at = np.unique(part.row, return_inverse=True)
    votes = np.zeros((len(rows), len(part.classes)))
    np.add.at(votes, (at, part.y_pred), 1.0)
    truth = np.zeros(len(rows), np.int64)
    truth[at] = part.y_true
    names = np.array(part.classes, dtype=object)
    result: Margins = margins(names[truth], votes=votes, classes=list(part.classes))
    return result


def _advice(parts: Decomposition, model: str) -> str:
    """Which part dominates significantly, and what a vote of such fits would do."""
    loss = parts[model, "loss"]
    bias, variance = parts[model, "systematic_effect"], parts[model, "variance_effect"]
    vote = (
        f"a vote of such fits would have error rate {percent(loss.value - variance.value)} instead "
        f"of {percent(loss.value)}"
    )
    rest = "bias" if parts.noise_known else "bias or noise (not separable here)"
    # Without posteriors noise is part of the bias, so only a large share of the loss tells.
    large = bias.high if parts.noise_known else LARGE * loss.value
    if variance.low > large:
        return f"variance dominates: bag it; {vote}"
    if variance.high < bias.low:
        few = "averaging helps little" if variance.high < SMALL * loss.value else vote
        return f"{rest} dominates: boost it, or try a richer model or other features; {few}"
    if variance.low > 0:
        return f"variance matters too: bag it; {vote}"
    return f"neither bias nor variance dominates; {vote}"
