"""regions: which class models decide for, over all places of two inputs."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast.curves import Regions
from heliast.data import Dataset, Input
from heliast.fitting.predict import predict
from heliast.fitting.run import as_dataset, as_frozen, run
from heliast.plans import FrozenPlan, Piece, Plan
from heliast.predictions import Predictions

# How far the plot goes beyond the data, as a share of their range.
ROOM = 0.06
FINEST = 1000


def regions(
    models: object,
    data: object,
    plan: object = None,
    *,
    fitted: bool = False,
    grid: int = 200,
    seed: int = 0,
    **work: Any,
) -> tuple[Regions, ...]:
    """Fit models on data of two inputs, and ask them for the class at every place of a grid.

    Without a plan each model is fitted once, on all rows. With one it is fitted on the training
    rows of every test split, and decides by the majority of its fits: `Holdout()` shows held-out
    rows in the regions of the others, `Bootstrap(10)` how much borders differ between samples.
    Stages and decoders of a vote (`bag/B=10`) are models of their own, as in `run`.

    Parameters
    ----------
    models : estimator, mapping or sequence
        Models by name, one, or several, as `run` takes them.
    data : Dataset, frame, path or (X, y)
        Rows with classes and two inputs that are numbers, none missing.
    plan : Plan, int or splitter, optional
        Which rows to train on; None is all.
    fitted : bool, default False
        Whether the models are fitted already, and are asked as they are.
    grid : int, default 200
        Places each way; a model is asked for the square of it.
    seed : int, default 0
        Decides the splits and what the models draw.
    **work : keywords
        How the work is done: those of `run`, such as `jobs` or `store`.

    Returns
    -------
    tuple of Regions
        One for each model; `plots.plot` makes plots of them.

    Raises
    ------
    InputError
        If the data have other inputs, or no model could be fitted.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import simulate
    >>> data = simulate.two_gaussians(0.1).sample([20, 20], seed=1)
    >>> regions({"bayes": GaussianNB()}, data, grid=30)
    (<Regions of 'bayes': 2 classes over x1 and x2; 2 of 40 training rows in a wrong region>,)
    """
    source = as_dataset(data)
    _check(source, grid)
    if fitted and plan is not None:
        raise InputError("regions: fitted models are not trained again: leave out plan or fitted")
    axes = [_places(part.values, grid) for part in source.inputs]
    both = _with_grid(source, axes)
    if fitted:
        table = predict(models, both)
    else:
        frozen = None if plan is None else as_frozen(plan, source, seed)
        work = {"progress": False, **work, "shortcuts": False}
        table = run(models, both, Everywhere(source.n, frozen), seed, **work)
    parts = (table.only(model=name) for name in table.models)
    return tuple(_regions(source, axes, part) for part in parts if len(part))


def _check(data: Dataset, grid: int) -> None:
    if data.task != "classification":
        raise InputError(f"regions: the target {data.target!r} holds numbers; regions are classes'")
    if len(data.inputs) != 2 or data.nominal or data.dates or data.has_missing:
        kinds = f"{len(data.inputs)} inputs, {len(data.nominal) + len(data.dates)} of them nominal"
        kinds += " or dates"
        raise InputError(
            f"regions: a plane has two inputs, numbers without a gap; {data.name!r} has {kinds}"
            f"{', and values are missing' if data.has_missing else ''}; choose two columns"
        )
    if not 2 <= grid <= FINEST:
        raise InputError(f"grid={grid}: give between 2 and {FINEST} places each way")


def _places(values: Array, count: int) -> Array:
    low, high = float(values.min()), float(values.max())
    room = ROOM * (high - low) or 1.0
    return np.linspace(low - room, high + room, count)


def _with_grid(data: Dataset, axes: list[Array]) -> Dataset:
    """The rows of the data, and after them the places of the grid, whose class is not known."""
    x, y = (axis.ravel() for axis in np.meshgrid(*axes))
    inputs = tuple(
        Input(part.name, np.concatenate([part.values, more]))
        for part, more in zip(data.inputs, (x, y), strict=True)
    )
    truth = np.concatenate([data.y_true, np.zeros(x.size, data.y_true.dtype)])
    made = replace(data, inputs=inputs, y_true=truth, group=None, posteriors=None, frame=None)
    if data.frame is None:
        return made
    import narwhals as nw

    library = nw.from_native(data.frame, eager_only=True).implementation
    columns = {part.name: part.values for part in inputs}
    return replace(made, frame=nw.from_dict(columns, backend=library).to_native())


@dataclass(frozen=True, repr=False)
class Everywhere(Plan):
    """The fits of a plan on the first n rows, or one on all of these, asked about every row."""

    n: int
    inner: FrozenPlan | None

    def __repr__(self) -> str:
        return f"Everywhere({self.n}, {self.inner.plan if self.inner else 'all rows'})"

    judged = False

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        rows = np.arange(data.n)
        if self.inner is None:
            yield Piece.using(data.n, np.arange(self.n), rows)
            return
        for piece in self.inner:
            if piece.record.role == "test":
                yield piece.but(test=rows)


def _regions(data: Dataset, axes: list[Array], table: Predictions) -> Regions:
    rows = data.n + axes[0].size * axes[1].size
    assert table.row is not None
    nothing: Array = np.zeros(len(table), np.int32)
    split = nothing if table.split_code is None else table.split_code
    order = np.lexsort((table.row, split))
    fits = table.y_pred[order].reshape(-1, rows)
    times = nothing if table.in_train is None else table.in_train
    in_train = times[order].reshape(-1, rows)[:, : data.n]
    votes = np.array([(fits == code).sum(axis=0) for code in range(len(table.classes))])
    label = votes.argmax(axis=0)
    shape = axes[1].size, axes[0].size
    place = np.array([table.classes.index(label) for label in data.classes])
    return Regions(
        x=axes[0],
        y=axes[1],
        y_pred=label[data.n :].reshape(shape),
        fits=fits[:, data.n :].reshape(-1, *shape) if len(fits) > 1 else None,
        classes=table.classes,
        inputs=(data.names[0], data.names[1]),
        points=data.matrix,
        y_true=place[data.y_true],
        decided=label[: data.n],
        in_train=in_train.max(axis=0) > 0,
        model=table.models[0],
    )
