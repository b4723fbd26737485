"""A vote chosen by what models have predicted already, and judged by rows that did not choose."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.records import named
from heliast._core.told import told
from heliast.ensembles._apart import Apart
from heliast.ensembles._majority import aligned, majority, probabilities
from heliast.ensembles._majority_vote import checked_kind
from heliast.ensembles._weighing import METHODS, Said, Weighing
from heliast.predictions import Predictions

VOTE, SINGLE, MAJORITY, MEAN = "vote", "best single", "majority", "mean"
"""The models of the table that a selection gives."""
OTHERWISE = 0.01
"""The share of rows from which labels that are not those of the largest probability are told."""
Judge = Callable[[Predictions], float]


@dataclass(frozen=True, eq=False)
class Selection:
    """A vote of models, its weights, and what it says of rows that did not choose them.

    Parameters
    ----------
    weights : mapping of str to float
        The weight of each model, chosen on all rows that may choose; they sum to 1.
    predictions : Predictions
        The honest table: `vote` with weights that other rows chose, the `best single` model that
        other rows chose, the plain `majority`, and the plain `mean` of probabilities or numbers.
        It has the splits of what was given, and can then be joined to it; of one test set the
        folds in which rows were dealt, so that intervals allow for weights that vary.
    method : str
        How weights were chosen.
    kind : str
        What is weighed: `soft` probabilities, `hard` labels, or the `mean` of numbers.
    best : str
        The best single model on all rows that may choose.
    by_fold : array
        The weights for each fold, (folds, models): how much they hang on the rows that choose.

    Examples
    --------
    >>> truth = [0, 1] * 20
    >>> wrong = {"a": range(8), "b": range(8, 16), "c": range(16, 24), "d": range(40)}
    >>> label = {m: [t ^ (i in w) for i, t in enumerate(truth)] for m, w in wrong.items()}
    >>> tables = [Predictions.of(truth, said, model=m) for m, said in label.items()]
    >>> found = select(tables[0].join(*tables[1:]))
    >>> found.best, {name: round(weight, 2) for name, weight in found.weights.items()}
    ('a', {'a': 0.33, 'b': 0.33, 'c': 0.33, 'd': 0.0})
    """

    weights: Mapping[str, float]
    predictions: Predictions
    method: str
    kind: str
    best: str
    by_fold: Array

    @told(
        {
            "predictions": "Predictions: A table with every model that weighs anything.",
            "name": "str: What the vote is called there.",
        },
        returns="Predictions: The table and the vote.",
        raises="If a model that weighs anything is not there, or the name is taken.",
    )
    def vote(self, predictions: Predictions, name: str = VOTE) -> Predictions:
        """Other predictions of the same models, with this vote added.

        Examples
        --------
        >>> tables = [Predictions.of([0, 1], [0, 1], model=name) for name in "ab"]
        >>> table = tables[0].join(tables[1])
        >>> select(table).vote(table).models
        ('a', 'b', 'vote')
        """
        used = {model: weight for model, weight in self.weights.items() if weight > 0}
        kind: Literal["hard", "soft", "mean"] = self.kind  # type: ignore[assignment]
        return majority(predictions, [*used], weights=used, kind=kind, name=name)

    @told(returns="dict: Plain values that JSON can hold.")
    def to_dict(self) -> dict[str, object]:
        """Everything but the table."""
        return {**named(self, "method kind best weights by_fold")}

    def __repr__(self) -> str:
        ranked = sorted(self.weights.items(), key=lambda one: -one[1])
        shown = ", ".join(f"{model} {weight:.2f}" for model, weight in ranked[:4] if weight > 0)
        return f"<Selection: {self.method} {self.kind} vote of {len(ranked)} models: {shown}>"


@told(
    returns="Selection: Weights, and the table that `assess`, `compare`, `gate` and `report` take."
)
def select(
    predictions: Predictions,
    method: Literal["greedy", "stacked"] = "greedy",
    *,
    models: Sequence[str] | None = None,
    kind: Literal["hard", "soft", "mean"] | None = None,
    size: int = 50,
    folds: int = 10,
    judge: Judge | None = None,
    seed: int = 0,
) -> Selection:
    """The best vote of models that have predicted already; no model is fitted again.

    Greedy weights have the fewest errors, and of equals the least squared error; stacked ones the
    least squared error (of probabilities the Brier score), as have those of numbers. They are for
    models whose predictions were made for rows that they did not train on.

    The error of a vote on the rows that chose it is too low. So the table of the result has, for
    every row, the vote whose weights other rows chose: validation rows where there are some, else
    those of the other splits, or of other folds of one test set; groups stay whole, and in order
    of time earlier rows choose. The best single model is chosen in the same way. What is left: the
    models that chose were themselves trained on rows of other splits, as in all stacking.

    Parameters
    ----------
    predictions : Predictions
        A table with two models or more, all on the same rows.
    method : {'greedy', 'stacked'}
        `greedy` selection with replacement, or `stacked` by non-negative least squares, which
        needs probabilities (or numbers).
    models : sequence of str, optional
        Names of those that may vote; None is all but stages of others.
    kind : {'hard', 'soft', 'mean'}, optional
        Whether labels or probabilities are weighed. None is `soft` where every model has
        probabilities, `hard` where one has none, which is noted; `mean` for numbers.
    size : int
        Members of a greedy selection at most, a model counted as often as it was taken.
    folds : int
        Folds in which the rows of one test set are dealt.
    judge : callable, optional
        What the best single model is chosen by: a number, the less the better, of a table of one
        model. None is the error; of numbers the squared error.
    seed : int
        Seed of the folds.

    Raises
    ------
    InputError
        If there is one model only, models lack rows or scores, or rows cannot be told apart.
    NotEnoughData
        If there is one row, or one group.

    Examples
    --------
    >>> truth, rng = np.arange(60) % 2, np.random.default_rng(1)
    >>> guess = {m: np.clip(truth + rng.normal(0, s, 60), 0, 1) for m, s in dict(a=1, b=2).items()}
    >>> tables = [Predictions.of(truth, score=p, model=m) for m, p in guess.items()]
    >>> found = select(tables[0].join(tables[1]))
    >>> found.predictions.models, round(sum(found.weights.values()), 9)
    (('vote', 'best single', 'majority', 'mean'), 1.0)

    References
    ----------
    R. Caruana, A. Niculescu-Mizil, G. Crew and A. Ksikes (2004), Ensemble selection from libraries
    of models, ICML 21. L. Breiman (1996), Stacked regressions, Machine Learning 24, 49-64.
    """
    if method not in METHODS:
        raise InputError(f"method={method!r}: choose {' or '.join(map(repr, METHODS))}")
    for name, value, least in (("size", size, 1), ("folds", folds, 2)):
        if not isinstance(value, (int, np.integer)) or value < least:
            raise InputError(f"{name}={value!r}: give a whole number of at least {least}")
    table = _usable(predictions, models)
    parts = aligned(table, table.models)
    how, notes = _kind_of(parts, kind, method)
    choice = _Choice(parts, how, METHODS[method], size, judge)
    apart = Apart(parts[0], folds, seed)
    weights, picked = np.zeros((len(parts[0]), len(parts))), np.zeros(len(parts[0]), np.int64)
    by_fold = []
    for judged, chooses in apart:
        by_fold.append(choice.weights(chooses))
        weights[judged], picked[judged] = by_fold[-1], choice.best(chooses)
    every = np.flatnonzero(apart.chooses)
    return Selection(
        dict(zip(table.models, choice.weights(every).tolist(), strict=True)),
        choice.table(weights, picked, apart, (*notes, f"{VOTE}: {apart.words}")),
        method,
        how,
        table.models[choice.best(every)],
        np.array(by_fold),
    )


def _usable(predictions: Predictions, models: Sequence[str] | None) -> Predictions:
    """The rows that were not trained on, of test and validation splits on all training rows."""
    if not isinstance(predictions, Predictions):
        raise InputError(f"expected Predictions, got {predictions!r:.60}")
    if predictions.task == "graded":
        raise InputError("these are grades of answers: a vote is taken of predictions")
    apart = predictions.stages
    names = [one for one in predictions.models if one not in apart] if models is None else models
    splits = [
        split.split
        for split in predictions.splits
        if split.role in ("test", "validation")
        and split.train_share in (None, 1.0)
        and split.noise in (None, 0.0)
    ]
    table = predictions.only([*names], split=splits, seen=0)
    if len(table.models) < 2:
        raise InputError(
            f"one model ({', '.join(table.models)}): a vote needs two or more; add predictions of "
            "another model for the same rows"
        )
    if not len(table):
        raise InputError("no row of a test split that was not trained on: nothing to choose by")
    return table


def _kind_of(
    parts: Sequence[Predictions], kind: str | None, method: str
) -> tuple[str, tuple[str, ...]]:
    """What is weighed, and what to say of it."""
    task = parts[0].task
    if task == "number":
        return _mean(checked_kind(kind, task)), ()
    bare = [part.models[0] for part in parts if not _has_probabilities(part)]
    named_ = ", ".join(bare)
    if bare and method == "stacked":
        raise InputError(
            f"method='stacked' needs probabilities of every model, and these have none: {named_}; "
            "give their probabilities, leave them out by models=, or say method='greedy'"
        )
    how = checked_kind(kind or ("hard" if bare else "soft"), task)
    if how == "soft" and bare:
        raise InputError(f"kind='soft' needs probabilities, and these have none: {named_}")
    if bare and kind is None:
        return how, (f"{VOTE}: labels are weighed, as there are no probabilities of {named_}",)
    return how, _decided_otherwise(parts) if how == "soft" else ()


def _mean(kind: str) -> str:
    if kind != "mean":
        raise InputError(f"kind={kind!r}: of numbers the mean is weighed")
    return kind


def _has_probabilities(part: Predictions) -> bool:
    return part.scores is not None and part.score_kind_of(part.models[0]) == "probability"


def _decided_otherwise(parts: Sequence[Predictions]) -> tuple[str, ...]:
    """Which models decide by other rules than the largest probability, as the vote does."""
    shares = {part.models[0]: np.mean(part.label != _largest(part)) for part in parts}
    other = [model for model, share in shares.items() if share > OTHERWISE]
    if not other:
        return ()
    return (
        f"{VOTE}: it decides for the largest mean probability, which is not how labels of "
        f"{', '.join(other)} were decided; kind='hard' weighs labels",
    )


def _largest(part: Predictions) -> Array:
    return np.asarray(probabilities(part).argmax(axis=1))


class _Choice:
    """What the models said, and the weights and the best model that some of the rows choose."""

    def __init__(
        self,
        parts: Sequence[Predictions],
        kind: str,
        weighing: Weighing,
        size: int,
        judge: Judge | None,
    ) -> None:
        first = parts[0]
        self.parts, self.kind, self.weighing, self.size = parts, kind, weighing, size
        self.judge = judge
        self.weight = np.ones(len(first)) if first.weight is None else first.weight
        self.labels = np.column_stack([part.label for part in parts])
        if kind == "mean":
            self.said = self.labels[:, None, :].astype(np.float64)
            errors = self.said - first.truth[:, None, None]
            self.losses = errors[:, 0, :] ** 2
        else:
            each = _one_hot if kind == "hard" else probabilities
            self.said = np.stack([each(part) for part in parts], axis=-1)
            errors = self.said.copy()
            errors[np.arange(len(first)), first.truth.astype(np.int64)] -= 1
            self.losses = (self.labels != first.truth[:, None]).astype(np.float64)
        self.errors = errors * np.sqrt(self.weight)[:, None, None]

    def weights(self, rows: Array) -> Array:
        """Weights by these rows; even ones if there are none, or no model errs on them."""
        errors = self.errors[rows]
        if not errors.any():
            return np.full(len(self.parts), 1 / len(self.parts))
        numbers = self.kind == "mean"
        answers, truth = self.said[rows], self.parts[0].truth[rows]
        said = Said(
            errors, self.weight[rows], None if numbers else answers, None if numbers else truth
        )
        return self.weighing(said, self.size)

    def best(self, rows: Array) -> int:
        """The place of the best single model by these rows; the first of equals, or of no rows."""
        if not rows.size:
            return 0
        if self.judge is None:
            return int((self.weight[rows] @ self.losses[rows]).argmin())
        worth = [self.judge(part._at(rows)) for part in self.parts]
        return int(np.nan_to_num(worth, nan=np.inf).argmin())

    def table(
        self, weights: Array, picked: Array, apart: Apart, notes: tuple[str, ...]
    ) -> Predictions:
        """The vote, the best single model and the plain votes on the rows that judge."""
        even = np.full_like(weights, 1 / weights.shape[1])
        made = [self._voted(VOTE, self.said, weights), self._picked(picked)]
        if self.kind != "mean":
            ballots = np.stack([_one_hot(part) for part in self.parts], axis=-1)
            made.append(self._voted(MAJORITY, ballots, even, "votes"))
        if self.kind != "hard":
            made.append(self._voted(MEAN, self.said, even))
        first, *others = map(apart.judged_part, made)
        return first.join(*others).noted(*notes)

    def _voted(
        self, name: str, said: Array, weights: Array, scores: str | None = None
    ) -> Predictions:
        mean = np.einsum("nkm,nm->nk", said, weights)
        if self.kind == "mean":
            return self._as(name, mean[:, 0], None, None)
        label = mean.round(12).argmax(axis=1)  # ties are ties, in whichever order weights are added
        scores = scores or ("probability" if self.kind == "soft" else "votes")
        return self._as(name, label, mean, scores)

    def _picked(self, picked: Array) -> Predictions:
        rows = np.arange(picked.size)
        soft = self.kind == "soft"
        scores = self.said[rows, :, picked] if soft else None
        return self._as(SINGLE, self.labels[rows, picked], scores, "probability" if soft else None)

    def _as(self, name: str, label: Array, scores: Array | None, kind: str | None) -> Predictions:
        first = self.parts[0]
        meta = replace(first.meta, score_kind=kind, score_kinds={}, stages={})  # type: ignore[arg-type]
        return replace(
            first, models=(name,), label=label.astype(first.label.dtype), scores=scores, seen=None,
            cells=(), meta=meta,
        )  # fmt: skip


def _one_hot(part: Predictions) -> Array:
    return np.eye(len(part.classes))[part.label.astype(np.int64)]
