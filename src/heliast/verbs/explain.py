"""explain: why a model errs, and what that suggests."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.fitting.run import run
from heliast.plans import Bootstrap
from heliast.predictions import Predictions
from heliast.theory import Decomposition, Margins, bias_variance, margins
from heliast.views.explaining import explanation_html, explanation_text

NARROW = 0.2
"""A margin this close to 0 is a narrow vote: 60 against 40 of a hundred fits."""
LARGE, SMALL = 1 / 3, 1 / 10
"""Shares of the loss: variance beyond the first is a large part, below the second a small one."""


@dataclass(frozen=True, eq=False)
class Explanation:
    """Bias and variance of each model, the margins of the vote of its fits, and advice.

    `decomposition` has the parts with intervals, `margins[model]` how the fits voted at each row,
    `advice[model]` one sentence. `predictions` is the table that everything is read from.
    """

    decomposition: Decomposition
    margins: Mapping[str, Margins]
    advice: Mapping[str, str]
    predictions: Predictions

    @property
    def models(self) -> tuple[str, ...]:
        """The models explained."""
        return self.decomposition.models

    def to_dict(self) -> dict[str, object]:
        """Parts, margins in short and advice, as plain values."""
        return {
            "decomposition": self.decomposition.to_dict(),
            "margins": {
                name: {
                    "mean": one.mean,
                    "least": one.least,
                    "wrong": one.error,
                    "narrow": narrow(one),
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
    data: Dataset,
    models: Any,
    times: int = 100,
    *,
    plan: Any = None,
    seed: int = 0,
    level: float = 0.95,
    store: Any = None,
    progress: bool = False,
) -> Explanation:
    """Fit each model on many resamples and tell its errors apart: bias, variance, narrow votes.

    Rows are judged by the fits that did not see them, on the splits of `plan` (bootstrap, `times`
    resamples). Noise is told from bias if the data are simulated, else it is inside the bias.
    """
    if data.task != "classes":
        raise InputError("explain takes classes; for numbers see theory.bias_variance")
    table = run(models, data, Bootstrap(times) if plan is None else plan, seed, store=store,
                progress=progress)  # fmt: skip
    return explanation(table, level=level, seed=seed, posteriors=data.posteriors)


def explanation(
    table: Predictions, level: float = 0.95, seed: int = 0, posteriors: Any = None
) -> Explanation:
    """Read a table in which rows are predicted by several fits."""
    part = table.only(role="test", seen=0)
    found = bias_variance(part, level=level, seed=seed, posteriors=posteriors)
    voted = {model: _vote(part.only(model=model), model) for model in found.models}
    advice = {model: _advice(found, model) for model in found.models}
    return Explanation(found, voted, advice, table)


def _vote(part: Predictions, model: str) -> Margins:
    """Margins of the vote of all fits, each on the rows it did not see."""
    assert part.row is not None
    rows, at = np.unique(part.row, return_inverse=True)
    votes = np.zeros((len(rows), len(part.classes)))
    np.add.at(votes, (at, part.label), 1.0)
    truth = np.zeros(len(rows), np.int64)
    truth[at] = part.truth
    names = np.array(part.classes, dtype=object)
    found: Margins = margins(names[truth], votes=votes, classes=list(part.classes))
    return found


def narrow(one: Margins) -> float:
    """The share of rows whose margin is within 0.2 of a tie."""
    return float(np.mean(np.abs(one.value) < NARROW))


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
