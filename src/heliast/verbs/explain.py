"""explain: why a model errs, and what that suggests."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.fitting.run import as_dataset, run
from heliast.fitting.store import Store
from heliast.plans import Bootstrap
from heliast.predictions import Predictions
from heliast.theory import Decomposition, Margins, bias_variance, margins
from heliast.verbs.question import Question, refuse
from heliast.views.explaining import explanation_html, explanation_text

NARROW = 0.2
"""A margin this close to 0 is a narrow vote: 60 against 40 of a hundred fits."""
LARGE, SMALL = 1 / 3, 1 / 10
"""Shares of the loss: variance beyond the first is a large part, below the second a small one."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Bias and variance of each model, the margins of the vote of its fits, and advice.

    Parameters
    ----------
    decomposition : Decomposition
        The parts of each model's loss, with intervals.
    margins : mapping
        How the fits of each model voted at each row.
    advice : mapping
        One sentence for each model.
    predictions : Predictions
        The table that everything is read from.

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

    def to_dict(self) -> dict[str, object]:
        """Parts, margins in short and advice.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        return {
            "decomposition": self.decomposition.to_dict(),
            "margins": {
                name: {
                    "mean": one.mean,
                    "least": one.least,
                    "wrong": one.error,
                    "narrow": self.narrow(name),
                }
                for name, one in self.margins.items()
            },
            "advice": dict(self.advice),
        }

    def __str__(self) -> str:
        return explanation_text(self)

    def __repr__(self) -> str:
        return f"<Explanation: {'; '.join(f'{m}: {a}' for m, a in self.advice.items())}>"

    def _repr_html_(self) -> str:
        return explanation_html(self)


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
    **unusable: object,
) -> Explanation:
    """Fit each model on many resamples and tell its errors apart: bias, variance, narrow votes.

    Rows are judged by the fits that did not see them. Noise is told from bias if the data are
    simulated, else it is inside the bias.

    Parameters
    ----------
    models : mapping, sequence or estimator
        Models by name, as `run` takes them; or, without data, a table of predictions in which each
        row is predicted by several fits.
    data : Dataset, pair (X, y), or what `read` takes
        Rows with classes.
    times : int
        Resamples that each model is fitted on.
    plan : plan, splitter or int, optional
        How rows are split: `Bootstrap(times)` if not given.
    level : float
        The confidence level of intervals.
    seed : int
        Seed of resamples and fits.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models of their own.
    engine, jobs, store, progress
        How the work is done: those of `run`.
    **unusable : object
        Parts of a question that other verbs answer (`measure`, `cost`, ...): refused by name.

    Returns
    -------
    Explanation
        The parts of the loss, the margins, and advice.

    Raises
    ------
    InputError
        If the data have no classes, or the question cannot be answered.

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
    refuse("explain", unusable)
    question = Question(level=level, seed=seed, stages=stages)
    if isinstance(models, Predictions):
        return explanation(models, question)
    if data is None:
        raise InputError("explain: no data to fit models on; say explain(models, data)")
    if isinstance(models, Dataset):
        models, data = data, models
        said = "explain(data, models): models come first, as in run; say explain(models, data)"
        warnings.warn(said, FutureWarning, stacklevel=2)
    source = as_dataset(data)
    if source.task != "classification":
        raise InputError("explain takes classes; for numbers see theory.bias_variance")
    table = run(
        models, source, Bootstrap(times) if plan is None else plan, seed, engine=engine, jobs=jobs,
        store=store, progress=progress,
    )  # fmt: skip
    return explanation(table, question, posteriors=source.posteriors)


def explanation(
    table: Predictions, question: Question | None = None, posteriors: Any = None
) -> Explanation:
    """Read a table in which rows are predicted by several fits."""
    question = question or Question()
    part = question.models(table).only(role=question.role, in_train=question.in_train)
    found = bias_variance(part, level=question.level, seed=question.seed, posteriors=posteriors)
    voted = {model: _vote(part.only(model=model), model) for model in found.models}
    advice = {model: _advice(found, model) for model in found.models}
    return Explanation(found, voted, advice, table)


def _vote(part: Predictions, model: str) -> Margins:
    """Margins of the vote of all fits, each on the rows it did not see."""
    assert part.row is not None
    rows, at = np.unique(part.row, return_inverse=True)
    votes = np.zeros((len(rows), len(part.classes)))
    np.add.at(votes, (at, part.y_pred), 1.0)
    truth = np.zeros(len(rows), np.int64)
    truth[at] = part.y_true
    names = np.array(part.classes, dtype=object)
    found: Margins = margins(names[truth], votes=votes, classes=list(part.classes))
    return found


def _advice(found: Decomposition, model: str) -> str:
    """One sentence: which part dominates beyond doubt, and what a vote of such fits would do."""
    loss = found[model, "loss"]
    steady, shaky = found[model, "systematic_effect"], found[model, "variance_effect"]
    vote = f"a vote of such fits would err on {loss.value - shaky.value:.1%}, not {loss.value:.1%}"
    rest = "bias" if found.noise_known else "bias or noise, which cannot be told apart here,"
    # Without posteriors noise is inside the bias, so only a large share of the loss tells.
    large = steady.high if found.noise_known else LARGE * loss.value
    if shaky.low > large:
        return f"variance dominates: bag it; {vote}"
    if shaky.high < steady.low:
        few = "averaging helps little" if shaky.high < SMALL * loss.value else vote
        return f"{rest} dominates: boost it, or try a richer model or other inputs; {few}"
    if shaky.low > 0:
        return f"variance matters too: bag it; {vote}"
    return f"neither bias nor variance stands out; {vote}"
