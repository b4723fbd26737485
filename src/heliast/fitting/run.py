"""run: models, data and a plan to a table of predictions."""

import hashlib
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid4

import numpy as np

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.fitting.cell import FitFailed, Fitter, unfinished
from heliast.fitting.engines import Limits, Shared, limited
from heliast.fitting.preparation import prepared, prepares, takes_missing
from heliast.fitting.quick import has_shortcut, quick_cells
from heliast.fitting.settings import Settings, versions
from heliast.fitting.store import Cell, NotReused, Store, Subject, assemble, fingerprint
from heliast.fitting.store._origin import version_of
from heliast.plans import FrozenPlan, Piece, Plan, as_plan
from heliast.predictions import Predictions, failures
from heliast.tables.table import as_names

SIZED = 10
"""The first so many splits, then one in so many: the fitted model is measured, which takes time."""
BATCHES = 100
"""Splits of a model are kept together in at most this many batches, each one unit of work."""
QUICK_BATCHES = 4
"""Fewer where a shortcut answers: its work on all rows is done once a batch."""
WHERE = "(in full: `.cells` of the table, or, with a store, heliast runs show STORE)"
"""Where tracebacks are."""


def run(
    models: object,
    data: object,
    plan: object = 10,
    seed: int = 0,
    *,
    store: str | os.PathLike[str] | Store | None = None,
    engine: str = "local",
    progress: bool | str = True,
    in_sample: bool = False,
    jobs: int | None = None,
    shortcuts: bool = True,
    fit_timeout: float | None = None,
    fit_memory: float | str | None = None,
    keep: str | Sequence[str] = (),
) -> Predictions:
    """Fit every model on every split of the plan and collect what it predicts.

    `models` is a mapping of names to scikit-learn estimators (or one, or several). `plan` is one of
    heliast's, a scikit-learn splitter, or a number of folds. `store` is a folder that keeps
    finished work, so that an interrupted run goes on where it stopped. `in_sample` also predicts
    the training rows. A model that fails in a split is recorded in `cells`, the run goes on, and in
    the end warns (`FitFailed`), once a model.

    `engine` is `local` (processes on this machine, `jobs` of them), or a cluster:
    `dask://host:port`, `ray://host:port`, `spark://host:port`; an open joblib context is used as
    well. A fit that takes longer than `fit_timeout` seconds, or more memory than `fit_memory`
    ("2GB"), is ended and recorded.

    Parameters
    ----------
    models : estimator, mapping or sequence
        scikit-learn estimators by name, one, or several; copies are fitted.
    data : Dataset, frame, path or (X, y)
        The rows to learn from and to predict.
    plan : Plan, int or splitter, default 10
        How rows are split; a number is so many folds.
    seed : int, default 0
        Decides the splits and what the models draw.
    store : str, Path or Store, optional
        Folder that keeps finished work; None keeps nothing.
    engine : str, default 'local'
        Where the work is done.
    progress : bool or str, default True
        Whether to show progress, on a terminal; words are shown in front of the bar.
    in_sample : bool, default False
        Whether to predict the training rows too (`seen` above 0).
    jobs : int, optional
        Processes on this machine; None is the cores there are.
    shortcuts : bool, default True
        Whether models with a quick exact way take it, such as one fit for all folds.
    fit_timeout : float, optional
        Seconds after which a fit is ended; None is no limit.
    fit_memory : int or str, optional
        Memory that ends a fit, in bytes or as "2GB"; None is no limit.
    keep : str or sequence of str
        Inputs whose values are kept beside the predictions, to slice the table by.

    Returns
    -------
    Predictions
        One row for each model, split and predicted row, with `cells` on each fit.

    Raises
    ------
    InputError
        If models, data, plan or limits cannot be used.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import read
    >>> run({"bayes": GaussianNB()}, read("sklearn:iris"), 5, progress=False)
    <Predictions: 150 rows of 3 classes; 1 model (bayes); 5 splits>
    """
    from heliast.fitting.engines import execute

    limits = Limits.of(fit_timeout, fit_memory)
    named = named_models(models)
    source = as_dataset(data)
    frozen = as_frozen(plan, source, seed)
    columns = {name: source.column(name) for name in as_names(keep, "keep")}
    kept = None if store is None else Store.at(store)
    marks = {} if kept is None else _marks(named)
    tasks = _tasks(named, source, frozen, seed, in_sample, shortcuts, marks, limits)
    subject = Subject.of(source, frozen, seed)
    if kept is not None:
        work = [(task.name, task.identity, len(task.places)) for task in tasks]
        kept.begin(source.name, frozen.plan, marks, work, subject)
    state = np.random.get_state()  # noqa: NPY002 - cells seed it; the caller's stays as it was
    try:
        finished = execute(tasks, kept, engine=engine, jobs=jobs, progress=progress)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    done = ((batch.name, cells) for batch, cells in finished)
    table = assemble(done, list(named), subject)
    for name, why in failures(table.cells).items():
        warnings.warn(f"model {name!r} {why} {WHERE}", FitFailed, stacklevel=2)
    return table.with_columns(columns, by_row=True) if columns else table


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
        named = {getattr(models, "__name__", type(models).__name__): models}
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
    chosen: Plan = as_plan(plan, data)
    return chosen.on(data, seed)


# --- the work ------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Batch:
    """One unit of work: some splits of one model. Cells in `before` are there already.

    `retried` marks work that was found, but ended by a limit that has been widened since.
    """

    name: str
    model: Any
    shared: Shared[Dataset]
    places: tuple[int, ...]
    pieces: tuple[Piece, ...]
    seed: int
    in_sample: bool
    shortcuts: bool
    identity: tuple[object, ...]
    limits: Limits
    settings: Settings
    before: tuple[Cell, ...] = ()
    retried: bool = False
    process: int = field(default_factory=os.getpid)
    versions: tuple[object, ...] = field(default_factory=versions)

    def __call__(self) -> list[Cell]:
        """Fit and predict, split by split."""
        self._refuse_other_code()
        cells: dict[int, Cell] = {}
        if self.shortcuts and self.places:
            cells = quick_cells(self.model, self.shared.value, self.places, self.pieces)
        left = [at for at in self.places if at not in cells]
        if self.limits and left:
            found = limited(self, self.shared, left, self.limits)
            cells |= {at: self._as_cell(at, one) for at, one in found.items()}
        elif left:
            fit = self.opened()
            cells |= {at: fit(at) for at in left}
        return [*self.before, *(cells[at] for at in self.places)]

    def opened(self) -> Callable[[int], Cell]:
        """What gives the cell of each place; places with the same training rows share a fit."""
        self._refuse_other_code()
        data = self.shared.value
        fitter = Fitter(*prepared(self.model, data), data, self.in_sample, self.limits)
        return lambda at: self._fitted(fitter, at, self._piece(at))

    def again(self, found: list[Cell]) -> "Batch | None":
        """The work left if these cells were found: those that wider limits may let end well."""
        retried = {c.split for c in found if self.limits.wider_than(c.status, c.failure)}
        if not retried:
            return None
        left = replace(self._only([at for at in self.places if at in retried]), retried=True)
        return left.with_cells([cell for cell in found if cell.split not in retried])

    def parts(self) -> "list[Batch]":
        """The same work, cell by cell."""
        return [replace(self._only([at]), before=()) for at in self.places]

    def with_cells(self, cells: list[Cell]) -> "Batch":
        """The same work with cells that are there already."""
        there = {cell.split: cell for cell in (*self.before, *cells)}
        left = self._only([at for at in self.places if at not in there])
        return replace(left, before=tuple(there.values()))

    def lost(self, status: str, why: str) -> list[Cell]:
        """Cells that say why nothing was found."""
        n = self.shared.value.n
        return [
            unfinished(piece, at, n, self.in_sample, status, why)
            for at, piece in zip(self.places, self.pieces, strict=True)
        ]

    def _refuse_other_code(self) -> None:
        """In another process: its code must be the code that the work is named by.

        A worker loads modules from their files, which may have been edited meanwhile.
        """
        if os.getpid() == self.process or not self.identity:
            return
        found = fingerprint(self.model)
        if versions() != self.versions or not (found.unknown or found.mark == self.identity[0]):
            raise InputError(
                f"model {self.name!r}: a worker has other code, or other packages, than the "
                "process that began the run; if a module was edited meanwhile, start Python again; "
                "workers elsewhere need the same versions of everything"
            )

    def _only(self, places: list[int]) -> "Batch":
        pieces = tuple(self._piece(at) for at in places)
        return replace(self, places=tuple(places), pieces=pieces)

    def _piece(self, at: int) -> Piece:
        return self.pieces[self.places.index(at)]

    def _as_cell(self, at: int, found: Cell | tuple[str, str]) -> Cell:
        return found if isinstance(found, Cell) else self._only([at]).lost(*found)[0]

    def _fitted(self, fitter: Fitter, at: int, piece: Piece) -> Cell:
        seed = cell_seed(self.seed, self.name, at if piece.fit is None else piece.fit)
        with self.settings.applied():
            return fitter.cell(piece, at, seed, with_size=at < SIZED or at % SIZED == 0)


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
    marks: Mapping[str, str],
    limits: Limits,
) -> list[Batch]:
    shared, settings = Shared(data), Settings.here()
    # Splits with the same training rows stand together, so that they share one fit.
    order = sorted(range(len(plan)), key=lambda at: (_fit(plan, at), at))
    tasks = []
    for name, model in named.items():
        quick = shortcuts and not in_sample and has_shortcut(model, data)
        size = max(1, -(-len(plan) // (QUICK_BATCHES if quick else BATCHES)))
        shares = [tuple(order[start : start + size]) for start in range(0, len(order), size)]
        options = (seed, in_sample, shortcuts)
        mark = _mark(name, model, data, plan, settings, *options) if marks else ()
        for places in shares:
            pieces = tuple(plan.pieces[at] for at in places)
            identity = (marks[name], *mark, places) if marks else ()
            task = Batch(
                name, model, shared, places, pieces, seed, in_sample, quick, identity,
                limits, settings,
            )  # fmt: skip
            tasks.append(task)
    return tasks


def _mark(
    name: str, model: Any, data: Dataset, plan: FrozenPlan, settings: Settings, *options: object
) -> tuple[object, ...]:
    """What decides a model's results beside its own mark; the store names the work by both."""
    frame = type(data.frame)
    return (
        data.fingerprint,
        frame.__qualname__,  # a model may treat a frame unlike a matrix
        version_of(frame.__module__),
        plan.fingerprint,
        prepares(model),
        takes_missing(model),
        settings.mark(),
        name,
        *options,
    )


def _marks(named: Mapping[str, Any]) -> dict[str, str]:
    """The store knows models by these. One that is not known in full is like none before it."""
    marks = {}
    for name, model in named.items():
        found = fingerprint(model)
        marks[name] = found.mark
        if found.unknown:
            marks[name] += f"-{uuid4().hex[:16]}"
            more = f" (and {len(found.unknown) - 1} more)" if len(found.unknown) > 1 else ""
            warnings.warn(
                f"model {name!r}: {found.unknown[0]}{more}, so it cannot be known whether finished "
                "work is still true: all of it is done again, now and in every later run, unless "
                "the model has an attribute vouched='...' that you change whenever it is not",
                NotReused,
                stacklevel=3,
            )
    return marks


def _fit(plan: FrozenPlan, at: int) -> int:
    fit = plan.pieces[at].fit
    return fit if isinstance(fit, int) else at
