"""run: models, data and a plan to a table of predictions."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._cell import Fitter
from heliast._core.errors import InputError
from heliast._pipeline import prepared
from heliast._quick import has_shortcut, quick_cells
from heliast.data import Dataset
from heliast.plans import FrozenPlan, Piece, Plan, as_plan
from heliast.predictions import Predictions
from heliast.store import Cell, Store, Subject, assemble, fingerprint

SIZED = 10
"""Every so many splits the fitted model is measured: sizes differ little, and it takes a while."""
BATCHES = 100
"""Splits of a model are kept together in at most this many batches, each one unit of work."""
QUICK_BATCHES = 4
"""Fewer where a shortcut answers: its work on all rows is done once a batch."""


def run(
    models: object,
    data: object,
    plan: object = 10,
    seed: int = 0,
    *,
    store: object = None,
    engine: str = "local",
    progress: bool = True,
    in_sample: bool = False,
    jobs: int | None = None,
    shortcuts: bool = True,
) -> Predictions:
    """Fit every model on every split of the plan and collect what it predicts.

    `models` is a mapping of names to scikit-learn estimators (or one, or several). `plan` is one of
    heliast's, a scikit-learn splitter, or a number of folds. `store` is a folder that keeps
    finished work, so that an interrupted run goes on where it stopped. `in_sample` also predicts
    the training rows. A model that fails in a split is recorded in `cells`, and the run goes on.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import read
    >>> run({"bayes": GaussianNB()}, read("sklearn:iris"), 5, progress=False)
    <Predictions: 150 rows of 3 classes; 1 model (bayes); 5 splits>
    """
    from heliast.engines import execute

    named = named_models(models)
    source = as_dataset(data)
    frozen = as_frozen(plan, source, seed)
    kept = None if store is None else Store.at(store)
    tasks = _tasks(named, source, frozen, seed, in_sample, shortcuts, kept is not None)
    subject = Subject.of(source, frozen, seed)
    if kept is not None:
        marks = {name: fingerprint(model) for name, model in named.items()}
        work = [(task.name, task.identity, len(task.places)) for task in tasks]
        kept.begin(source.name, frozen.plan, marks, work, subject)
    state = np.random.get_state()  # noqa: NPY002 - cells seed it; the caller's stays as it was
    try:
        finished = execute(tasks, kept, engine=engine, jobs=jobs, progress=progress)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    done = ((batch.name, cells) for batch, cells in finished)
    return assemble(done, list(named), subject)


# --- what comes in -------------------------------------------------------------------------


def named_models(models: object) -> dict[str, Any]:
    """Models by name: a mapping as it is, others named after their class."""
    if isinstance(models, Mapping):
        named = {str(name): model for name, model in models.items()}
    elif isinstance(models, Sequence) and not isinstance(models, str):
        named = {}
        for model in models:
            name = type(model).__name__
            count = sum(other.partition("-")[0] == name for other in named)
            named[name if not count else f"{name}-{count + 1}"] = model
    else:
        named = {type(models).__name__: models}
    if not named:
        raise InputError("no models: give a mapping of names to estimators")
    for name, model in named.items():
        if isinstance(model, type):
            raise InputError(f"model {name!r} is a class: pass an instance, {model.__name__}()")
        if not hasattr(model, "fit") or not hasattr(model, "get_params"):
            raise InputError(
                f"model {name!r} ({type(model).__name__}) is not a scikit-learn estimator: "
                "it needs fit, predict and get_params"
            )
    return named


def as_dataset(data: object) -> Dataset:
    """A Dataset as it is, a pair (X, y), or whatever `read` takes."""
    if isinstance(data, Dataset):
        return data
    if isinstance(data, tuple) and len(data) == 2:
        return Dataset.of(*data)
    from heliast.data import read

    return read(data)


def as_frozen(plan: object, data: Dataset, seed: int) -> FrozenPlan:
    """The plan frozen on the data; a frozen one must be of as many rows."""
    if isinstance(plan, FrozenPlan):
        if plan.n != data.n:
            raise InputError(f"the plan was frozen on {plan.n} rows, the data have {data.n}")
        return plan
    chosen: Plan = as_plan(plan)
    return chosen.on(data, seed)


# --- the work ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Batch:
    """One unit of work: some splits of one model."""

    name: str
    model: Any
    data: Dataset
    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    seed: int
    in_sample: bool
    shortcuts: bool
    identity: tuple[object, ...]

    def __call__(self) -> list[Cell]:
        """Fit and predict, split by split."""
        quick = self._by_shortcut() if self.shortcuts else {}
        fitter = Fitter(*prepared(self.model, self.data), self.data, self.in_sample)
        return [
            quick.get(at) or self._fitted(fitter, at, piece)
            for at, piece in zip(self.places, self.pieces, strict=True)
        ]

    def _fitted(self, fitter: Fitter, at: int, piece: Piece) -> Cell:
        seed = cell_seed(self.seed, self.name, at if piece.fit is None else piece.fit)
        return fitter.cell(piece, at, seed, with_size=at % SIZED == 0)

    def _by_shortcut(self) -> dict[int, Cell]:
        """Cells that follow from statistics of all rows, without fitting again."""
        return quick_cells(self.model, self.data, self.places, self.pieces)


def cell_seed(seed: int, model: str, split: object) -> int:
    """The seed of one (model, split): the same whatever else runs beside it."""
    digest = hashlib.sha256(repr((seed, model, split)).encode()).digest()
    return int.from_bytes(digest[:4], "little")


def _tasks(
    named: Mapping[str, Any],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
    in_sample: bool,
    shortcuts: bool,
    stored: bool,
) -> list[Batch]:
    # Splits with the same training rows stand together, so that they share one fit.
    order = sorted(range(len(plan)), key=lambda at: (_fit(plan, at), at))
    tasks = []
    for name, model in named.items():
        quick = shortcuts and not in_sample and has_shortcut(model, data)
        size = max(1, -(-len(plan) // (QUICK_BATCHES if quick else BATCHES)))
        shares = [tuple(order[start : start + size]) for start in range(0, len(order), size)]
        mark = _mark(name, model, data, plan, seed, in_sample, shortcuts) if stored else ()
        for places in shares:
            pieces = tuple(plan.pieces[at] for at in places)
            identity = (*mark, places)
            tasks.append(Batch(name, model, data, places, pieces, seed, in_sample, quick, identity))
    return tasks


def _mark(name: str, model: Any, data: Dataset, plan: FrozenPlan, *options: object) -> Any:
    """Everything that decides a model's results; the store names the work by it."""
    return (
        data.fingerprint,
        type(data.frame).__qualname__,  # a model may treat a frame unlike a matrix
        plan.fingerprint,
        fingerprint(model),
        name,
        *options,
    )


def _fit(plan: FrozenPlan, at: int) -> int:
    fit = plan.pieces[at].fit
    return fit if isinstance(fit, int) else at
