"""Bias and variance of models that were trained many times."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.level import check_level
from heliast._core.notes import Note
from heliast._core.told import told
from heliast.estimates import Estimate
from heliast.predictions import Predictions
from heliast.theory._decomposition import LOSS, Decomposition, RowParts
from heliast.theory._definitions import Definition, definition_of, definitions
from heliast.theory._losses import Loss, View, name_of, view
from heliast.theory._posteriors import ASKED, at_rows, true_posteriors
from heliast.theory._repeated import Repeated, out_of_sample, repeated
from heliast.theory._scatter import Scatter, mean_over, scatter

TOLERANCE = 1e-12
METHOD = "two-way resampling of rows and splits"
NOISE_INSIDE = Note(
    "no posteriors are known, so noise cannot be told from bias: what bias and effects say "
    "includes it (noise inside bias)",
    "noise",
)
FEWEST_GROUPS = 5


@told(
    ASKED,
    returns="Decomposition: Every part of every model, with intervals.",
    raises="If rows are predicted once only, or there is no such loss or definition.",
)
def bias_variance(
    predictions: Predictions,
    loss: Loss = "zero_one",
    definition: str = "james",
    posteriors: npt.ArrayLike | None = None,
    *,
    unbiased: bool = True,
    level: float = 0.95,
    replicates: int = 200,
    seed: int = 0,
) -> Decomposition:
    """Tell the expected loss of each model apart: noise, bias and variance, row by row and overall.

    Needs a table in which rows are predicted by several splits: `Fresh` (training sets of a
    simulated task), `Bootstrap`, repeated folds. Only predictions of rows not trained on count.
    At each row PC is the share of splits that chose each class; the overall value is the mean over
    rows, each row counting once (or by its weight) however many splits predicted it.

    `loss` is `zero_one`, `squared`, `absolute` (classes that are numbers, or a table of numbers)
    or a function of (truth, label). `definition` is one of `definitions(loss)`. `posteriors` are
    the true ones: an array (one row a row of the data, one column a class), the name of a model, or
    for numbers with squared loss a pair (mean, variance); a model `bayes` that was never trained is
    found by itself. Without them noise is inside the bias, and said to be.
    `unbiased` undoes, for `kohavi_wolpert` and `classical`, what few splits add to the bias.

    That the parts add up to the loss is checked at every row. Intervals account for rows and splits
    (`heliast.theory._scatter` derives them); they take training sets as drawn by the plan, so for
    `Bootstrap` they speak of resamples of these data.

    Parameters
    ----------
    predictions : Predictions
        A table in which rows are predicted by several splits.
    loss : str or callable, default 'zero_one'
        `zero_one`, `squared`, `absolute`, or a function of (truth, label).
    definition : str, default 'james'
        One of `definitions(loss)`.
    posteriors : array-like, str or pair, optional
        The true posteriors: an array (rows of the data, classes), the name of a model, or for
        numbers a pair (mean, variance); None finds a model `bayes`.
    unbiased : bool, default True
        Whether to undo what few splits add to the bias, for `kohavi_wolpert` and `classical`.
    replicates : int, default 200
        Draws of splits behind the variance over splits.
    seed : int, default 0
        Seed of what is drawn.

    Examples
    --------
    >>> import heliast as hl
    >>> from heliast.data import simulate
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> data = simulate.two_gaussians(bayes_error=0.15).sample(200, seed=1)
    >>> tree = {"tree": DecisionTreeClassifier(random_state=0)}
    >>> table = hl.run(tree, data, hl.Fresh(20, n_train=40), seed=1, progress=False)
    >>> found = bias_variance(table, posteriors=data.posteriors)
    >>> found["tree", "variance_effect"].value > found["tree", "systematic_effect"].value
    True

    References
    ----------
    thesis, chapter 3; the definitions name their own.
    """
    check_level(level)
    name = name_of(loss)
    chosen = definition_of(definition, name if isinstance(loss, str) else "any other")
    table = out_of_sample(predictions)
    known, holder, notes = _known(table, posteriors, name)
    models = tuple(model for model in table.models if model != holder) or table.models
    asked = _Asked(loss, name, chosen, known, unbiased, level, replicates, seed)
    parts = [_one_model(table.only(model), model, asked) for model in models]
    if known is None:
        notes += (NOISE_INSIDE,)
    return Decomposition(
        estimates=tuple(one for part in parts for one in part.estimates),
        models=models,
        loss=name,
        definition=chosen.title,
        adding=chosen.adding,
        noise_known=known is not None,
        deviation=max(part.deviation for part in parts),
        level=level,
        n=max(part.rows.row.size for part in parts),
        splits=max(part.splits for part in parts),
        rows={model: part.rows for model, part in zip(models, parts, strict=True)},
        notes=(*notes, *_joined({m: part.notes for m, part in zip(models, parts, strict=True)})),
    )


@told(
    bias_variance,
    returns="dict of str to Decomposition: A decomposition a definition.",
    raises="If rows are predicted once only, or there is no such loss.",
)
def every_definition(
    predictions: Predictions,
    loss: Loss = "zero_one",
    posteriors: npt.ArrayLike | None = None,
    **options: Any,
) -> dict[str, Decomposition]:
    """The same predictions under every definition there is for the loss, by name.

    Parameters
    ----------
    posteriors : array-like or str, optional
        The true posteriors: an array (rows of the data, classes), or the name of a model that holds
        them; None finds a model `bayes`.
    **options : keywords
        Further options of `bias_variance`.

    Examples
    --------
    >>> import heliast as hl
    >>> table = hl.Predictions.of(["a"] * 4, ["a", "b", "b", "b"], row=[0] * 4, split=range(4))
    >>> found = every_definition(table, posteriors=[[0.7, 0.3]])
    >>> {name: round(one["bias"].value, 3) for name, one in found.items()}["breiman"]
    0.3
    """
    names = definitions(loss if isinstance(loss, str) else "any other")
    return {name: bias_variance(predictions, loss, name, posteriors, **options) for name in names}


# --- one model -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Asked:
    loss: Loss
    name: str
    definition: Definition
    known: Any
    unbiased: bool
    level: float
    replicates: int
    seed: int


@dataclass(frozen=True, eq=False)
class _Found:
    estimates: tuple[Estimate, ...]
    rows: RowParts
    splits: int
    deviation: float
    notes: tuple[str, ...]


def _known(
    table: Predictions, posteriors: Any, loss: str
) -> tuple[Any, str | None, tuple[str, ...]]:
    if table.task == "classes":
        return true_posteriors(table, posteriors)
    if posteriors is None:
        return None, None, ()
    if loss != "squared" or not isinstance(posteriors, tuple) or len(posteriors) != 2:
        raise InputError(
            "posteriors of numbers serve loss='squared' only, as a pair: the true mean of every "
            "row of the data, and the variance of the noise about it (one number, or one a row)"
        )
    mean = np.asarray(posteriors[0], np.float64)
    return (mean, np.broadcast_to(np.asarray(posteriors[1], np.float64), mean.shape)), None, ()


def _one_model(table: Predictions, model: str, asked: _Asked) -> _Found:
    rows = repeated(table)
    seen = view(rows, asked.loss, table.classes, _at(asked.known, rows), asked.unbiased)
    parts = asked.definition.parts
    adds = np.array([part.adds for part in parts])

    def values(times: Array) -> list[tuple[Array, Array]]:
        return [
            (np.stack([facts.loss, *asked.definition.values(facts)]), facts.count)
            for facts in seen.facts(times)
        ]

    found, count = values(np.ones((1, rows.splits), np.int64))[0]
    off = np.abs(found[1:][adds].sum(axis=0) - found[0]) / np.maximum(1.0, np.abs(found[0]))
    deviation = float(off.max())
    if not deviation <= TOLERANCE:
        raise AssertionError(
            f"the parts of {asked.definition.name} miss the loss by {deviation:g} at row "
            f"{rows.row[int(off.argmax())]!r}: a fault of heliast, please report it"
        )
    spread = scatter(values, found, rows, table.meta.weight_kind, asked.replicates, asked.seed)
    names = (LOSS, *(part.name for part in parts))
    estimates = tuple(
        _estimate(at, name, found, rows, spread, table, model, asked)
        for at, name in enumerate(names)
    )
    by_row = RowParts(rows.row, count.astype(np.int64), dict(zip(names, found, strict=True)))
    return _Found(estimates, by_row, rows.splits, deviation, _notes(rows, seen))


def _at(known: Any, rows: Repeated) -> Any:
    if known is None:
        return None
    if isinstance(known, tuple):
        mean, variance = known
        if rows.row.dtype.kind not in "iu" or rows.row.max() >= mean.size:
            raise InputError(
                f"posteriors: {mean.size} means do not reach row {rows.row.max()!r}; give one a row"
            )
        return mean[rows.row], variance[rows.row]
    return at_rows(known, rows.row)


def _estimate(
    at: int, name: str, found: Array, rows: Repeated, spread: Scatter, table: Predictions,
    model: str, asked: _Asked,
) -> Estimate:  # fmt: skip
    value = float(mean_over(found[at : at + 1], rows.weight)[0])
    weight = rows.weight
    n = float(rows.n if weight is None or table.meta.weight_kind != "frequency" else weight.sum())
    trained = {split.n_train for split in table.splits}
    n_train = trained.pop() if len(trained) == 1 else None
    shared: dict[str, Any] = {
        "level": asked.level, "target": "procedure", "n": n, "n_train": n_train, "model": model,
        "measure": name,
    }  # fmt: skip
    if name == "noise" and asked.known is None:
        return Estimate(math.nan, reason="not identifiable: noise inside bias", **shared)
    reason = _no_interval(rows, table)
    if reason:
        return Estimate(value, reason=reason, **shared)
    low, high = _limits(value, at, name, spread, asked)
    said = (
        f"standard error {math.sqrt(spread.rows[at]):.2g} from rows, "
        f"{math.sqrt(spread.splits[at]):.2g} from splits"
    )
    return Estimate(value, low, high, float(spread.se[at]), method=METHOD, notes=(said,), **shared)


def _limits(
    value: float, at: int, name: str, spread: Scatter, asked: _Asked
) -> tuple[float, float]:
    far = float(stats.t.ppf((1 + asked.level) / 2, spread.df[at]) * spread.se[at])
    without = value - float(spread.excess[at])
    low, high = min(value, without) - far, max(value, without) + far
    signed = name != LOSS and asked.definition[name].signed
    if not signed and isinstance(asked.loss, str):
        low = max(low, 0.0)
    if asked.name == "zero_one":
        low, high = max(low, -1.0), min(high, 1.0)
    return low, high


def _no_interval(rows: Repeated, table: Predictions) -> str:
    if table.meta.design == "classes":
        return "the number of rows per class was fixed by design: these are no shares of new rows"
    if rows.group is not None and np.unique(rows.group).size < FEWEST_GROUPS:
        groups = np.unique(rows.group).size
        return f"only {groups} groups: an interval needs at least {FEWEST_GROUPS}"
    if rows.n < 2:
        return "one row only: nothing shows how rows vary"
    return ""


def _joined(notes: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """What is said of all models once, what is said of some with their names."""
    said: dict[str, list[str]] = {}
    for model, lines in notes.items():
        for line in lines:
            said.setdefault(line, []).append(model)
    return tuple(
        line if len(models) == len(notes) else f"{', '.join(models)}: {line}"
        for line, models in said.items()
    )


def _notes(rows: Repeated, seen: View) -> tuple[str, ...]:
    said = []
    counts = rows.counts
    if counts.min() < counts.max():
        said.append(
            f"rows are predicted {counts.min()} to {counts.max()} times; each row counts "
            "once, and shares of votes at rows with few are rough"
        )
    if rows.alone:
        said.append(f"{rows.alone} rows predicted only once were left out")
    votes, truths = seen.ties()
    if votes:
        said.append(f"votes tie at {votes} rows; the first class is taken")
    if truths:
        said.append(f"posteriors tie at {truths} rows; the first class is taken")
    if counts.max() < rows.splits:
        said.append(
            "training sets are drawn from these rows: intervals do not cover that another "
            "data set would give other resamples"
        )
    return tuple(said)
