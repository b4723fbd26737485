"""Bias and variance of models that were trained many times, with intervals.

A value is a mean over n rows of f_i, computed from T splits. Rows are drawn from a population,
splits are training sets drawn by the plan, and all rows share the splits, so

    variance = (that of drawing rows, splits kept) + (that of drawing splits, rows kept).

The first is what resampling rows gives, in closed form: Σ (f_i - f)² / (n (n - 1)). The second is
the variance of the mean over R resamples of the splits, times T / (T - 1). The interplay of rows
and splits is counted twice, which errs on the safe side by a term of order 1 / (n T). Degrees of
freedom follow Satterthwaite, from n - 1 and T - 1.

Parts are no linear functions of the votes, so that T splits give them a bias; resampling shows how
large it is. The interval reaches to both the value and the value less that bias.

References: A. B. Owen (2007), The pigeonhole bootstrap, Annals of Applied Statistics 1;
B. Efron and R. J. Tibshirani (1993), An Introduction to the Bootstrap, chapters 10 and 11.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast._core.level import check_level
from heliast._core.notes import Note
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.theory._decomposition import Decomposition, RowParts
from heliast.theory._definitions import Definition, Facts, definition_of, definitions
from heliast.theory._losses import Judged, Loss, judge, name_of
from heliast.theory._repeated import (
    Posteriors,
    Repeated,
    by_number,
    out_of_sample,
    repeated,
    true_posteriors,
)

TOLERANCE = 1e-12
METHOD = "two-way resampling of rows and splits"
NOISE_INSIDE = Note(
    "no posteriors are known, so noise cannot be told from bias: bias and effects include it "
    "(noise inside bias)",
    "noise",
)
FEWEST_GROUPS = 5


def bias_variance(
    predictions: Predictions,
    loss: Loss = "zero_one",
    definition: str = "james",
    posteriors: ArrayLike | None = None,
    *,
    unbiased: bool = True,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
) -> Decomposition:
    """Decompose the expected loss of each model: noise, bias and variance, by row and overall.

    Only predictions of rows that were not trained on count. At each row PC is the share of the
    splits that chose each class; the overall value is the mean over rows, each row counting once
    (or by its weight) however many splits predicted it. Without true posteriors noise is inside
    the bias. Intervals account for rows and splits; for `Bootstrap` they are about resamples of
    these data. That the parts add up to the loss is checked at every row.

    Parameters
    ----------
    predictions : Predictions
        A table in which rows are predicted by several splits: of `Fresh` (training sets of a
        simulated task), `Bootstrap` or repeated folds.
    loss : str or callable, default 'zero_one'
        `zero_one`, `squared`, `absolute` (for numbers, or classes that are), or a function of
        (y_true, y_pred).
    definition : str, default 'james'
        One of `definitions(loss)`.
    posteriors : array-like, str or pair, optional
        The true posteriors: an array (rows of the data, classes), the name of a model, or for
        numbers with squared loss a pair (mean, variance). None takes a model `bayes` that was not
        trained.
    unbiased : bool, default True
        Whether to undo what few splits add to the bias, for `kohavi_wolpert` and `classical`.
    level : float, default 0.95
        Confidence level of the intervals.
    replicates : int, default 200
        Resamples of the splits.
    seed : int, default 0
        Seed of the resamples.

    Returns
    -------
    Decomposition
        Every part of every model, with intervals.

    Raises
    ------
    InputError
        If rows are predicted once only, or there is no such loss or definition.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(200, seed=1)
    >>> tree = {"tree": DecisionTreeClassifier(random_state=0)}
    >>> table = hl.run(tree, data, hl.Fresh(20, n_train=40), seed=1, progress=False)
    >>> parts = bias_variance(table, posteriors=data.posteriors)
    >>> parts["tree", "variance_effect"].value > parts["tree", "systematic_effect"].value
    True

    References
    ----------
    thesis, chapter 3; Kohavi and Wolpert (1996), Kong and Dietterich (1995), Breiman (1996),
    Tibshirani (1996), Domingos (2000): see docs/theory.md.
    """
    check_level(level)
    name = name_of(loss)
    chosen = definition_of(definition, loss if isinstance(loss, str) else "any other")
    table = out_of_sample(predictions)
    if table.task == "classification":
        known, notes = true_posteriors(table, posteriors)
    else:
        known, notes = _true_moments(posteriors, name), ()
    models = tuple(model for model in table.models if known is None or model != known.model)
    estimates: list[Estimate] = []
    results: dict[str, _Parts] = {}
    for model in models or table.models:
        part = table.only(model)
        rows = repeated(part)
        judged = judge(rows, loss, table.classes, None if known is None else known.at(rows.row))
        parts = results[model] = _Parts(judged, chosen, unbiased, rows)
        sizes = {split.n_train for split in part.splits}
        empty = Estimate(
            math.nan,
            level=level,
            target="algorithm",
            n=float(rows.n if rows.weight_kind == "sampling" else rows.weight.sum()),
            n_train=sizes.pop() if len(sizes) == 1 else None,
            model=model,
            reason=_why_no_interval(part, rows),
        )
        estimates += parts.estimates(empty, loss, known is not None, replicates, seed)
    if known is None:
        notes += (NOISE_INSIDE,)
    return Decomposition(
        estimates=tuple(estimates),
        models=tuple(results),
        loss=name,
        definition=chosen.title,
        adding=chosen.adding,
        noise_known=known is not None,
        deviation=max(parts.deviation for parts in results.values()),
        level=level,
        n=max(parts.rows.n for parts in results.values()),
        splits=max(parts.rows.splits for parts in results.values()),
        rows={model: parts.by_row() for model, parts in results.items()},
        notes=(*notes, *_notes(results)),
    )


def every_definition(
    predictions: Predictions,
    loss: Loss = "zero_one",
    posteriors: ArrayLike | None = None,
    **options: Any,
) -> dict[str, Decomposition]:
    """Decompose the same predictions by every definition that holds for the loss.

    Parameters
    ----------
    predictions : Predictions
        A table in which rows are predicted by several splits.
    loss : str or callable, default 'zero_one'
        `zero_one`, `squared`, `absolute`, or a function of (y_true, y_pred).
    posteriors : array-like or str, optional
        The true posteriors, as in `bias_variance`.
    **options : keywords
        Further options of `bias_variance`.

    Returns
    -------
    dict of str to Decomposition
        A decomposition for each definition.

    Raises
    ------
    InputError
        If rows are predicted once only, or there is no such loss.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> round(every_definition(table, posteriors=[[0.7, 0.3]])["breiman"]["bias"].value, 3)
    0.3
    """
    names = definitions(loss if isinstance(loss, str) else "any other")
    return {name: bias_variance(predictions, loss, name, posteriors, **options) for name in names}


def _true_moments(posteriors: Any, loss: str) -> Posteriors | None:
    """The true mean of each row and the variance about it, for a table of numbers."""
    if posteriors is None:
        return None
    if loss != "squared" or not isinstance(posteriors, tuple) or len(posteriors) != 2:
        raise InputError(
            "posteriors of numbers serve loss='squared' only, as a pair: the true mean of every "
            "row of the data, and the variance of the noise about it (one number, or one a row)"
        )
    return by_number(np.stack(np.broadcast_arrays(*map(np.asarray, posteriors)), axis=1))


# --- one model -------------------------------------------------------------------------------


class _Parts:
    """The parts of one model's loss: row by row, their means, and how sure these are."""

    def __init__(
        self, judged: Judged, definition: Definition, unbiased: bool, rows: Repeated
    ) -> None:
        self.judged, self.definition, self.unbiased, self.rows = judged, definition, unbiased, rows
        facts = next(iter(judged.facts(np.ones((1, rows.splits)))))
        parts = definition.parts(facts, unbiased)
        self.names, self.values = tuple(parts), np.stack([*parts.values()])
        self.means = self._means(facts)
        total = sum(parts[name] for name in definition.adding)
        self.deviation = float(np.max(np.abs(total - facts.loss) / np.maximum(1.0, facts.loss)))
        if not self.deviation <= TOLERANCE:
            raise AssertionError(f"the parts of {definition.title} miss the loss: a fault, tell us")

    def by_row(self) -> RowParts:
        parts = dict(zip(self.names, self.values, strict=True))
        return RowParts(self.rows.row, self.rows.counts, parts)

    def estimates(
        self, empty: Estimate, loss: Loss, noise_known: bool, replicates: int, seed: int
    ) -> list[Estimate]:
        """The mean of each part with its interval; `empty` holds what all of them share."""
        from scipy import stats

        T = self.rows.splits
        times = np.random.default_rng(seed).multinomial(T, np.full(T, 1 / T), size=replicates)
        drawn = np.array([self._means(facts) for facts in self.judged.facts(times)])
        by_rows, rows_df = self._variance_from_rows()
        splits_df = max(T - 1, 1)
        by_splits = drawn.var(axis=0, ddof=1) * T / splits_df
        # What is left of a variance of 0 after rounding.
        by_rows, by_splits = (np.where(v < 1e-26, 0.0, v) for v in (by_rows, by_splits))
        se = np.sqrt(by_rows + by_splits)
        with np.errstate(invalid="ignore"):
            df = se**4 / (by_rows**2 / rows_df + by_splits**2 / splits_df)
        far = stats.t.ppf((1 + empty.level) / 2, np.where(se > 0, df, np.inf)) * se
        without = 2 * self.means - drawn.mean(axis=0)  # less what few splits add
        zero_one = loss == "zero_one"
        signed = [callable(loss) or name in self.definition.signed for name in self.names]
        lowest = np.where(signed, -1.0 if zero_one else -np.inf, 0.0)
        low = np.maximum(np.minimum(self.means, without) - far, lowest)
        high = np.minimum(np.maximum(self.means, without) + far, 1.0 if zero_one else np.inf)
        estimates = []
        for i, name in enumerate(self.names):
            estimate = replace(empty, measure=name, value=float(self.means[i]))
            if name == "noise" and not noise_known:
                reason = "not identifiable: noise inside bias"
                estimate = replace(estimate, value=math.nan, reason=reason)
            elif not empty.reason:
                note = (
                    f"standard error {math.sqrt(by_rows[i]):.2g} from rows, "
                    f"{math.sqrt(by_splits[i]):.2g} from splits"
                )
                estimate = replace(
                    estimate,
                    low=float(low[i]),
                    high=float(high[i]),
                    se=float(se[i]),
                    method=METHOD,
                    notes=(note,),
                )
            estimates.append(estimate)
        return estimates

    def _means(self, facts: Facts) -> Array:
        """The weighted mean of each part over the rows that are predicted."""
        values = np.stack([*self.definition.parts(facts, self.unbiased).values()])
        present = facts.count > 0
        weight = self.rows.weight[present]
        return np.asarray(values[:, present] @ weight / weight.sum())

    def _variance_from_rows(self) -> tuple[Array, float]:
        rows, weight = self.rows, self.rows.weight
        far, total = self.values - self.means[:, None], float(weight.sum())
        if rows.group is None and rows.weight_kind != "sampling":
            df = max(total - 1, 1)
            return far**2 @ weight / (total * df), df
        group = np.arange(rows.n) if rows.group is None else rows.group
        place = np.unique(group, return_inverse=True)[1]
        sums = np.stack([np.bincount(place, weight * part) for part in far])
        groups = sums.shape[1]
        df = max(groups - 1, 1)
        return (sums**2).sum(axis=1) / total**2 * groups / df, df


def _why_no_interval(table: Predictions, rows: Repeated) -> str:
    if table.meta.design == "classes":
        return "the number of rows per class was fixed by design: these are no shares of new rows"
    groups = rows.n if rows.group is None else np.unique(rows.group).size
    if rows.group is not None and groups < FEWEST_GROUPS:
        return f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}"
    return "one row only: nothing shows how rows vary" if rows.n < 2 else ""


def _notes(results: Mapping[str, _Parts]) -> list[str]:
    """What holds for all models once, what holds for some with their names."""
    models: dict[str, list[str]] = {}
    for model, parts in results.items():
        rows, counts = parts.rows, parts.rows.counts
        tied_votes, tied_truths = parts.judged.ties()
        notes = {
            f"rows are predicted {counts.min()} to {counts.max()} times; each row counts once, and "
            "shares of votes at rows with few are rough": counts.min() < counts.max(),
            f"{rows.single} rows predicted only once were left out": rows.single,
            f"votes tie at {tied_votes} rows; the first class is taken": tied_votes,
            f"posteriors tie at {tied_truths} rows; the first class is taken": tied_truths,
            "training sets are drawn from these rows: intervals do not cover that another data "
            "set would give other resamples": counts.max() < rows.splits,
        }
        for note in [note for note, holds in notes.items() if holds]:
            models.setdefault(note, []).append(model)
    return [
        note if len(names) == len(results) else f"{', '.join(names)}: {note}"
        for note, names in models.items()
    ]
