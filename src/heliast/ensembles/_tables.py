"""Votes of models that have predicted already: given, or chosen and judged by other rows."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from scipy.optimize import nnls

from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.records import named
from heliast.data import Dataset
from heliast.ensembles._base import check_count
from heliast.ensembles._majority import KINDS, Kind, kind_of_vote, weights_of_models
from heliast.ensembles._voting import weighted_median
from heliast.plans import KFold
from heliast.predictions import Predictions, Split, Splits

# The models of the table that a selection gives.
VOTE, SINGLE, MAJORITY, MEAN = "vote", "best single", "majority", "mean"
Judge = Callable[[Predictions], float]


def majority(
    predictions: Predictions,
    models: Sequence[str] | None = None,
    *,
    weights: Sequence[float] | Mapping[str, float] | None = None,
    kind: Kind | None = None,
    name: str = "vote",
) -> Predictions:
    """The table with one more model: the vote of some models (of all, if none are named).

    `hard` counts the predicted classes, each with the weight of its model (shares of votes are the
    scores); `soft` averages probabilities; of numbers the weighted `mean` or `median` is taken, as
    in `MajorityVote`. Every model must have predicted the same rows of the same splits. A row is
    in-sample if any of the models was trained on it.

    Parameters
    ----------
    predictions : Predictions
        A table with the models' predictions.
    models : sequence of str, optional
        Names of those that vote; None is all.
    weights : mapping or sequence, optional
        One a model, in their order or by name; None is even.
    kind : {'hard', 'soft', 'mean', 'median'}, optional
        Whether predicted classes or probabilities are averaged; for numbers how they are. None is
        `hard` for classes and `mean` for numbers.
    name : str, default 'vote'
        What the vote is called in the table.

    Returns
    -------
    Predictions
        The table and the vote.

    Raises
    ------
    InputError
        If the models predicted different rows, the name is taken, or `kind` is for another task.

    Examples
    --------
    >>> y_true, row = ["a", "b", "a"], [1, 2, 3]
    >>> rules = {"h1": ["a", "b", "b"], "h2": ["a", "a", "a"], "h3": ["b", "b", "a"]}
    >>> tables = [Predictions.of(y_true, y, model=h, row=row) for h, y in rules.items()]
    >>> table = majority(tables[0].join(tables[1]).join(tables[2]))
    >>> table.only("vote").y_pred == table.only("vote").y_true
    array([ True,  True,  True])
    """
    how = kind_of_vote(kind, predictions.task)
    names = tuple(predictions.models if models is None else models)
    if name in predictions.models or not names or len(set(names)) < len(names):
        raise InputError(f"name={name!r}, models={names}: give a new name, and models each once")
    weight = weights_of_models(weights, names)
    vote = voted(aligned(predictions.only(names), names), how, name, weight)
    return predictions.join(vote.noted(f"{name}: {how} vote of {', '.join(names)}"))


def voted(parts: Sequence[Predictions], kind: str, name: str, weights: Array) -> Predictions:
    """The vote of aligned models as a model of that name; weights (m,), or (n, m) by row."""
    answers = answers_of(parts, kind)
    weights = np.broadcast_to(weights, (len(answers), len(parts)))
    if kind == "median":
        return one_model(parts, name, weighted_median(answers[:, 0], weights[0]))
    mean = np.einsum("nkm,nm->nk", answers, weights / weights.sum(axis=1, keepdims=True))
    if kind == "mean":
        return one_model(parts, name, mean[:, 0])
    # Ties are ties, in whichever order weights are added.
    score_kind = "votes" if kind == "hard" else "probability"
    return one_model(parts, name, mean.round(12).argmax(axis=1), mean, score_kind)


def one_model(
    parts: Sequence[Predictions],
    name: str,
    y_pred: Array,
    scores: Array | None = None,
    score_kind: Any = None,
) -> Predictions:
    """Predictions for the rows of aligned models; in-sample where any of these is."""
    first = parts[0]
    in_train = [part.in_train for part in parts if part.in_train is not None]
    return replace(
        first, models=(name,), y_pred=y_pred.astype(first.y_pred.dtype), scores=scores, cells=(),
        in_train=np.max(in_train, axis=0) if in_train else None,
        meta=replace(first.meta, score_kind=score_kind, score_kinds={}, stages={}),
    )  # fmt: skip


def answers_of(parts: Sequence[Predictions], kind: str) -> Array:
    """(n, k, m): what the models say: numbers (k = 1), probabilities, or 1 for the label."""
    if kind in KINDS["regression"]:
        return np.stack([part.y_pred[:, None] for part in parts], axis=-1)
    if kind == "hard":
        return np.stack([np.eye(len(part.classes))[part.y_pred] for part in parts], axis=-1)
    if bare := without_probabilities(parts):
        raise InputError(
            f"kind='soft' and method='stacked' need probabilities, and these have none: {bare}; "
            "give their probabilities, leave them out by models=, or use kind='hard'"
        )
    rows, classes = [part.rows() for part in parts], range(len(parts[0].classes))
    return np.array([[part.score_of(code) for part in rows] for code in classes]).transpose(2, 0, 1)


def without_probabilities(parts: Sequence[Predictions]) -> str:
    """Names of the models whose scores are no probabilities."""
    return ", ".join(
        part.models[0]
        for part in parts
        if part.scores is None or part.score_kind_of(part.models[0]) != "probability"
    )


def aligned(table: Predictions, names: tuple[str, ...]) -> list[Predictions]:
    """The part of each model, rows in the order of the first one's."""
    for model, count in table.incomplete().items():
        raise InputError(
            f"{model!r} lacks {count} predictions that others have: a vote needs every model on "
            "every row; leave it out by models=, or take the rows that all have: "
            "predictions.common_rows() (command line: --common-rows)"
        )
    parts = [table.only(model) for model in names]
    rows = (np.arange(len(part)) if part.row is None else part.row for part in parts)
    orders = [np.lexsort((row, part.codes("split"))) for row, part in zip(rows, parts, strict=True)]
    place = np.argsort(orders[0])
    parts = [part._at(order[place]) for part, order in zip(parts, orders, strict=True)]
    for part in parts[1:]:
        if not np.array_equal(part.y_true, parts[0].y_true):
            raise InputError(
                f"{part.models[0]!r} and {names[0]!r} differ in y_true when paired by position: "
                "give the table a row column that names each data row"
            )
    return parts


# --- a vote that is chosen ----------------------------------------------------------------------


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
    >>> y = [0, 1] * 20
    >>> wrong = {"a": range(8), "b": range(8, 16), "c": range(16, 24), "d": range(40)}
    >>> labels = {m: [c ^ (i in w) for i, c in enumerate(y)] for m, w in wrong.items()}
    >>> tables = [Predictions.of(y, label, model=m) for m, label in labels.items()]
    >>> selection = select(tables[0].join(*tables[1:]))
    >>> selection.best, {name: round(weight, 2) for name, weight in selection.weights.items()}
    ('a', {'a': 0.33, 'b': 0.33, 'c': 0.33, 'd': 0.0})
    """

    weights: Mapping[str, float]
    predictions: Predictions
    method: str
    kind: str
    best: str
    by_fold: Array

    def vote(self, predictions: Predictions, name: str = VOTE) -> Predictions:
        """Other predictions of the same models, with this vote added.

        Parameters
        ----------
        predictions : Predictions
            A table with every model that weighs anything.
        name : str
            What the vote is called there.

        Returns
        -------
        Predictions
            The table and the vote.

        Raises
        ------
        InputError
            If a model that weighs anything is not there, or the name is taken.

        Examples
        --------
        >>> tables = [Predictions.of([0, 1], [0, 1], model=name) for name in "ab"]
        >>> table = tables[0].join(tables[1])
        >>> select(table).vote(table).models
        ('a', 'b', 'vote')
        """
        used = {model: weight for model, weight in self.weights.items() if weight > 0}
        kind: Any = self.kind
        return majority(predictions, [*used], weights=used, kind=kind, name=name)

    def to_dict(self) -> dict[str, object]:
        """Everything but the table.

        Returns
        -------
        dict
            Plain values that JSON can hold.
        """
        return named(self, "method kind best weights by_fold")


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

    Returns
    -------
    Selection
        Weights, and the table that `assess`, `compare`, `gate` and `report` take.

    Raises
    ------
    InputError
        If there is one model only, models lack rows or scores, or rows cannot be told apart.
    NotEnoughData
        If there is one row, or one group.

    Examples
    --------
    >>> y, rng = np.arange(60) % 2, np.random.default_rng(1)
    >>> guess = {m: np.clip(y + rng.normal(0, s, 60), 0, 1) for m, s in dict(a=1, b=2).items()}
    >>> tables = [Predictions.of(y, y_score=p, model=m) for m, p in guess.items()]
    >>> selection = select(tables[0].join(tables[1]))
    >>> selection.predictions.models, round(sum(selection.weights.values()), 9)
    (('vote', 'best single', 'majority', 'mean'), 1.0)

    References
    ----------
    R. Caruana, A. Niculescu-Mizil, G. Crew and A. Ksikes (2004), Ensemble selection from libraries
    of models, ICML 21. L. Breiman (1996), Stacked regressions, Machine Learning 24, 49-64.
    """
    if method not in METHODS:
        raise InputError(f"method={method!r}: choose {' or '.join(map(repr, METHODS))}")
    check_count("size", size)
    check_count("folds", folds, 2)
    table = _usable(predictions, models)
    parts = aligned(table, table.models)
    how, bare = _kind_of(parts, kind, method)
    candidates, dealt = Candidates(parts, how, judge), Folds(parts[0], folds, seed)
    weights, best, by_fold = np.ones((len(parts[0]), len(parts))), dealt.fold.copy(), []
    for judged, choosing in dealt:
        by_fold.append(candidates.weights(choosing, METHODS[method], size))
        weights[judged], best[judged] = by_fold[-1], candidates.best(choosing)
    choosing = np.flatnonzero(dealt.chooses)
    final = candidates.weights(choosing, METHODS[method], size)
    first, *others = (dealt.judged_part(table) for table in candidates.votes(weights, best))
    notes = [f"{VOTE}: weights were chosen on {dealt.source}, which do not judge it"]
    if bare and kind is None:
        notes.insert(0, f"{VOTE}: labels are weighed, as there are no probabilities of {bare}")
    return Selection(
        dict(zip(table.models, final.tolist(), strict=True)),
        first.join(*others).noted(*notes),
        method,
        how,
        table.models[candidates.best(choosing)],
        np.array(by_fold),
    )


def _usable(predictions: Predictions, models: Sequence[str] | None) -> Predictions:
    """The rows that were not trained on, of test and validation splits on all training rows."""
    if not isinstance(predictions, Predictions) or predictions.task == "graded":
        raise InputError(f"expected Predictions of classes or numbers, got {predictions!r:.60}")
    if models is None:
        models = [model for model in predictions.models if model not in predictions.stages]
    splits = [
        split.split
        for split in predictions.splits
        if split.role in ("test", "validation")
        and split.train_share in (None, 1.0)
        and split.noise in (None, 0.0)
    ]
    table = predictions.only([*models], split=splits, in_train=0)
    if len(table.models) < 2:
        raise InputError(
            f"one model ({', '.join(table.models)}): a vote needs two or more; add predictions of "
            "another model for the same rows"
        )
    if not len(table):
        raise InputError("no row of a test split that was not trained on: nothing to choose by")
    return table


def _kind_of(parts: Sequence[Predictions], kind: str | None, method: str) -> tuple[str, str]:
    """What is weighed, and the models without probabilities."""
    if parts[0].task == "regression":
        if kind not in (None, "mean"):
            raise InputError(f"kind={kind!r}: of numbers the mean is weighed")
        return "mean", ""
    bare = without_probabilities(parts)
    usual = "hard" if bare and method == "greedy" else "soft"
    return kind_of_vote(kind or usual, "classification"), bare


class Candidates:
    """What the models say, and the weights and the best model that some of the rows choose."""

    def __init__(self, parts: Sequence[Predictions], kind: str, judge: Judge | None) -> None:
        first = parts[0]
        self.parts, self.kind, self.judge, self.y = parts, kind, judge or mean_loss, first.y_true
        self.weight = np.ones(len(first)) if first.weight is None else first.weight
        self.answers = answers_of(parts, kind)
        target = self.y[:, None] if kind == "mean" else np.eye(len(first.classes))[self.y]
        self.errors = (self.answers - target[..., None]) * np.sqrt(self.weight)[:, None, None]

    def weights(self, rows: Array, method: "Method", size: int) -> Array:
        """Weights by these rows; even ones if there are none, or no model errs on them."""
        errors, answers, y = self.errors[rows], self.answers[rows], self.y[rows]
        if not errors.any():
            return np.full(len(self.parts), 1 / len(self.parts))

        def wrong(votes: Array) -> Array:
            if self.kind == "mean":
                return np.zeros(len(votes))
            each = [(answers @ vote).argmax(axis=1) != y for vote in votes]
            return np.asarray(np.array(each) @ self.weight[rows]).round(9)

        return method(errors, wrong, size)

    def best(self, rows: Array) -> int:
        """The place of the best single model by these rows; the first of equals, or of no rows."""
        if not rows.size:
            return 0
        values = [self.judge(part._at(rows)) for part in self.parts]
        return int(np.nan_to_num(values, nan=np.inf).argmin())

    def votes(self, weights: Array, best: Array) -> Iterator[Predictions]:
        """The vote by each row's weights, its best single model, and the plain votes."""
        parts, even, rows = self.parts, np.ones(len(self.parts)), np.arange(len(best))
        yield voted(parts, self.kind, VOTE, weights)
        labels = np.column_stack([part.y_pred for part in parts])[rows, best]
        if self.kind == "soft":
            yield one_model(parts, SINGLE, labels, self.answers[rows, :, best], "probability")
        else:
            yield one_model(parts, SINGLE, labels)
        if self.kind != "mean":
            yield voted(parts, "hard", MAJORITY, even)
        if self.kind != "hard":
            yield voted(parts, self.kind, MEAN, even)


def mean_loss(part: Predictions) -> float:
    """The error rate of one model; of numbers the mean squared error."""
    numbers = part.task == "regression"
    losses = (part.y_pred - part.y_true) ** 2 if numbers else part.y_pred != part.y_true
    return float(np.average(losses, weights=part.weight))


# --- weights -----------------------------------------------------------------------------------

# From root-weighted errors (n, k, m), and the weight of the rows on which votes (c, m) are wrong,
# to weights (m,) that sum to 1; greedy ones of so many members at most.
Method = Callable[[Array, Callable[[Array], Array], int], Array]


def greedy(errors: Array, wrong: Callable[[Array], Array], size: int) -> Array:
    """Selection with replacement: what helps most joins, again and again, up to `size` members.

    What helps is fewer errors, of as many a lower squared error; of numbers that alone. It starts
    from the best models, as many as their even vote is better for, and returns the best vote on its
    way (Caruana and others 2004, sections 2.1 and 2.2).

    >>> errors = np.array([[1.0, -1.0, 3.0], [-1.0, 1.0, 0.0]])[:, None, :]
    >>> greedy(errors, lambda votes: np.zeros(len(votes)), 20)
    array([0.5, 0.5, 0. ])
    """
    products, m = products_of(errors), errors.shape[-1]

    def best_of(counts: Array) -> tuple[int, tuple[float, float]]:
        squares = np.einsum("ci,ij,cj->c", counts, products, counts) / counts.sum(axis=1) ** 2
        missed = wrong(counts)
        place = int(np.lexsort((squares, missed))[0])
        return place, (float(missed[place]), float(squares[place]))

    each = np.eye(m)
    order = np.lexsort((np.diag(products), wrong(each)))[:size]
    nested = np.cumsum(each[order], axis=0)
    place, least = best_of(nested)
    counts = best = nested[place]
    while counts.sum() < size:
        place, value = best_of(counts + each)
        counts = counts + each[place]
        if value < least:
            best, least = counts, value
    return np.asarray(best / best.sum())


def stacked(errors: Array, wrong: Any = None, size: int = 0) -> Array:
    """Weights of least squared error, none below 0, sum 1: non-negative least squares.

    A row that asks for a sum of 1 makes it a problem without the constraint; as the rest is
    homogeneous, its solution is the constrained one but for a factor, whatever that row weighs
    (Breiman 1996, Stacked regressions).

    >>> stacked(np.diag([1.0, np.sqrt(3)])[:, None, :])
    array([0.75, 0.25])
    """
    values, vectors = np.linalg.eigh(products_of(errors))
    scale = np.sqrt(max(float(values[-1]), 1e-300))
    root = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T / scale
    m = values.size
    weights = nnls(np.vstack([root, np.ones(m)]), np.append(np.zeros(m), 1.0))[0]
    return np.asarray(weights / weights.sum())


def products_of(errors: Array) -> Array:
    """R (m, m): with weights that sum to 1 the squared error of the vote is w'Rw."""
    flat = errors.reshape(-1, errors.shape[-1])
    return np.asarray(flat.T @ flat)


METHODS: dict[str, Method] = {"greedy": greedy, "stacked": stacked}


# --- which rows choose for which ---------------------------------------------------------------


class Folds:
    """The rows of one model's table in folds, each with the rows that choose for it.

    Validation rows choose, where there are some. Else the splits of the table are the folds, if
    none tests more than half of the rows; of one test set (or rows that are tested in nearly every
    split) folds are dealt, by class. A row, or a group, never chooses for itself, also not by its
    predictions in another split. In order of time earlier rows choose for later ones.
    """

    def __init__(self, table: Predictions, folds: int, seed: int) -> None:
        self.table, self.unit, split = table, _units(table), table.codes("split")
        validates = np.array([record.role == "validation" for record in table.splits])[split]
        validated, self.in_order = bool(validates.any()), table.meta.design == "time"
        self.judged, self.chooses = ~validates, validates if validated else ~validates
        self.earlier = self.in_order and not validated
        self.source = "earlier rows" if self.earlier else "other rows"
        if validated:
            self.source = "the validation rows"
        # Each split leaves half of the rows, or more, to choose for it.
        pairs = np.unique(np.column_stack([split, self.unit]), axis=0)
        apart = 2 * np.bincount(pairs[:, 0]).max() <= self.unit.max() + 1
        self.by_split = validated or bool(apart and len(table.splits) > 1)
        self.fold = split if self.by_split else self._deal(folds, seed)

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        """(positions of judged rows, positions of the rows that choose for them)."""
        for fold in np.unique(self.fold[self.judged]):
            judged = self.judged & (self.fold == fold)
            units = self.unit[judged]
            apart = self.unit < units.min() if self.earlier else ~np.isin(self.unit, units)
            yield np.flatnonzero(judged), np.flatnonzero(self.chooses & apart)

    def judged_part(self, table: Predictions) -> Predictions:
        """What is judged of a table of these rows; of one test set, folds become its splits."""
        tested = [split.split for split in table.splits if split.role == "test"]
        part = table._at(np.flatnonzero(self.judged)).only(split=tested)
        if self.by_split or self.in_order or len(tested) > 1:
            return part
        n = self.fold.size
        splits = [
            Split(fold, fold=fold, n_train=int(n - size), n_test=int(size))
            for fold, size in enumerate(np.bincount(self.fold))
        ]
        return replace(part, splits=Splits(tuple(splits)), split_code=self.fold.astype(np.int32))

    def _deal(self, folds: int, seed: int) -> Array:
        table = self.table
        units, first, unit = np.unique(self.unit, return_index=True, return_inverse=True)
        count = min(folds, units.size)
        if count < 2:
            what = "row" if table.group is None else "group"
            raise NotEnoughData(f"one {what}: a vote is judged by others than those that chose it")
        if self.in_order:
            return np.asarray(unit * count // units.size)
        group = None if table.group is None else unit
        rows = first if group is None else np.arange(unit.size)
        data = Dataset((), table.y_true[rows], table.task, table.classes, group=group)
        fold = np.empty(rows.size, np.int64)
        for number, piece in enumerate(KFold(count).on(data, seed)):
            fold[piece.test] = number
        return fold[unit] if group is None else fold


def _units(table: Predictions) -> Array:
    """A number for what must stay together: the group, or else the row of the data."""
    names = table.row if table.group is None else table.group
    if names is not None:
        return np.unique(names, return_inverse=True)[1]
    if len({split.repeat for split in table.splits}) > 1:
        raise InputError(
            "rows have no names, and splits are repeated: a row could choose for itself in another "
            "repeat; give the table a row column that names each data row (--row)"
        )
    return np.arange(len(table))
