"""run: models, data and a plan to a table of predictions."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._cell import Fitter
from heliast._core.errors import InputError
from heliast._pipeline import prepared
from heliast._quick import has_shortcut, quick_cells
from heliast.data import Dataset
from heliast.plans import FrozenPlan, Piece, Plan, as_plan
from heliast.predictions import Meta, Predictions
from heliast.store import Cell, Output, Store, fingerprint

Array = npt.NDArray[Any]

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
    state = np.random.get_state()  # noqa: NPY002 - cells seed it; the caller's stays as it was
    try:
        finished = execute(tasks, kept, engine=engine, jobs=jobs, progress=progress)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    return assemble(finished, named, source, frozen, seed)


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
        """Fit and predict, split by split, with numerical libraries held to one thread."""
        with _numerical_libraries().limit(limits=1):
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


@cache
def _numerical_libraries() -> Any:
    """The thread pools of BLAS and OpenMP in this process; finding them takes a while, so once."""
    import sklearn.linear_model  # noqa: F401 - loads the libraries that are to be found
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


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


# --- put together --------------------------------------------------------------------------


@dataclass(eq=False)
class _Columns:
    """The rows of the table as they are gathered: one list of arrays a column."""

    label: list[Array] = field(default_factory=list)
    scores: list[Array] = field(default_factory=list)
    model: list[Array] = field(default_factory=list)
    split: list[Array] = field(default_factory=list)
    row: list[Array] = field(default_factory=list)
    seen: list[Array] = field(default_factory=list)


def assemble(
    finished: Iterable[tuple[Batch, list[Cell]]],
    named: Mapping[str, Any],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
) -> Predictions:
    """One table of all finished cells, in the order of models and splits."""
    cells = [(batch.name, cell) for batch, done in finished for cell in done]
    order = {name: place for place, name in enumerate(named)}
    cells.sort(key=lambda pair: (order[pair[0]], pair[1].split))
    names, kinds = _names_and_kinds(cells, named)
    about = []
    parts = _Columns()
    by_model: dict[str, list[tuple[Cell, Output]]] = {name: [] for name in names}
    for model, cell in cells:
        about.append(cell.about(model, plan.pieces[cell.split].record.split))
        for output in cell.outputs:
            by_model[_full_name(model, output.suffix)].append((cell, output))
    with_scores = any(kind is not None for kind in kinds.values())
    for code, name in enumerate(names):
        for cell, output in by_model[name]:
            _append(parts, code, cell, output, len(data.classes) if with_scores else 0)
    return _table(parts, names, kinds, about, data, plan, seed)


def _full_name(model: str, suffix: str) -> str:
    return f"{model}/{suffix}" if suffix else model


def _names_and_kinds(
    cells: list[tuple[str, Cell]], named: Mapping[str, Any]
) -> tuple[list[str], dict[str, str | None]]:
    kinds: dict[str, str | None] = {}
    for model in named:
        kinds.setdefault(model, None)
        for owner, cell in cells:
            if owner == model:
                for output in cell.outputs:
                    full = _full_name(model, output.suffix)
                    kinds[full] = kinds.get(full) or output.kind
    return list(kinds), kinds


def _append(parts: _Columns, code: int, cell: Cell, output: Output, k: int) -> None:
    n = cell.row.size
    parts.label.append(output.label)
    parts.row.append(cell.row)
    parts.seen.append(cell.seen)
    parts.model.append(np.full(n, code, np.int32))
    parts.split.append(np.full(n, cell.split, np.int32))
    if k:
        parts.scores.append(np.full((n, k), np.nan) if output.scores is None else output.scores)


def _table(
    parts: _Columns,
    names: list[str],
    kinds: dict[str, str | None],
    about: list[dict[str, object]],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
) -> Predictions:
    if not parts.row:
        first = next((str(one["failure"]) for one in about if one["failure"]), "")
        raise InputError(f"no model could be fitted in any split. The first failure:\n{first}")
    row = np.concatenate(parts.row)
    positive = data.classes[-1] if len(data.classes) == 2 else None
    kinds_there = {kind for kind in kinds.values() if kind}
    meta = Meta(
        task=data.task,
        classes=data.classes,
        positive=positive,
        score_kind=next(iter(kinds_there)) if len(kinds_there) == 1 else None,  # type: ignore[arg-type]
        score_kinds=kinds,  # type: ignore[arg-type]
        data_fingerprint=data.fingerprint,
        plan_fingerprint=plan.fingerprint,
        seed=seed,
        versions=versions(),
        notes=(*data.notes, *plan.notes),
    )
    return Predictions(
        truth=data.truth[row],
        label=np.concatenate(parts.label).astype(data.truth.dtype),
        meta=meta,
        models=tuple(names),
        splits=plan.splits,
        scores=np.concatenate(parts.scores) if parts.scores else None,
        model_code=np.concatenate(parts.model) if len(names) > 1 else None,
        split_code=np.concatenate(parts.split) if len(plan) > 1 else None,
        row=row,
        seen=np.concatenate(parts.seen),
        group=None if data.group is None else data.group[row],
        cells=tuple(about),
    )


def versions() -> dict[str, str]:
    """The versions of what decides the numbers."""
    import platform
    from importlib.metadata import version

    found = {name: version(name) for name in ("heliast", "numpy", "scikit-learn")}
    return {"python": platform.python_version(), **found}
