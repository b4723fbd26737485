"""run: models, data and a plan to a table of predictions."""

import hashlib
import os
import random
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.numbers import shorten
from heliast.data import Dataset
from heliast.fitting.assemble import assemble
from heliast.fitting.cell import Cell, FitFailed
from heliast.fitting.checks import check_weights, dates_note, leak_notes
from heliast.fitting.fingerprint import Fingerprint, environment
from heliast.fitting.parallel import Unit, fit_all, one_thread
from heliast.fitting.quick import has_shortcut, quick_cells
from heliast.fitting.store import Store
from heliast.plans import FrozenPlan, Plan, as_plan
from heliast.predictions import Predictions, failures
from heliast.tables.table import as_names

_SHOWN_ONLY = ("display", "print_changed_only")  # settings of scikit-learn that change no result


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
    keep: str | Sequence[str] = (),
) -> Predictions:
    """Fit every model on every split of the plan and collect the predictions.

    A model that fails in a split is recorded in `cells`, the run goes on, and in the end warns
    (`FitFailed`), once per model.

    Parameters
    ----------
    models : estimator, mapping or sequence
        scikit-learn estimators by name, one, or several; copies are fitted.
    data : Dataset, frame, path or (X, y)
        The rows to learn from and to predict.
    plan : Plan, int or splitter, default 10
        How rows are split; a number is so many folds.
    seed : int, default 0
        Decides the splits and the models' random states.
    store : str, Path or Store, optional
        Folder that keeps finished work: the same call goes on where it was interrupted.
    engine : str, default 'local'
        `local` (this process, then worker processes), `dask`, `ray` or `spark`, also with an
        address as in `dask://host:port`, or another backend of joblib. An open joblib context is
        used as well.
    progress : bool or str, default True
        Whether to show progress, on a terminal; a text is shown in front of the bar.
    in_sample : bool, default False
        Whether to predict the training rows too (`in_train` above 0).
    jobs : int, optional
        Number of workers; None is one per core, and this process alone where that is quicker.
    shortcuts : bool, default True
        Whether to use closed forms instead of refitting, where a model has one.
    keep : str or sequence of str
        Inputs whose values are kept beside the predictions, to slice the table by.

    Returns
    -------
    Predictions
        One row for each model, split and predicted row, with `cells` on each fit.

    Raises
    ------
    InputError
        If models, data, plan or store cannot be used.

    Examples
    --------
    >>> from sklearn.naive_bayes import GaussianNB
    >>> from heliast.data import read
    >>> run({"bayes": GaussianNB()}, read("sklearn:iris"), 5, progress=False)
    <Predictions: 150 rows of 3 classes; 1 model (bayes); 5 splits>
    """
    named = named_models(models)
    dataset = as_dataset(data)
    check_weights(named, dataset)
    frozen = as_frozen(plan, dataset, seed)
    columns = {name: dataset.column(name) for name in as_names(keep, "keep")}
    work = _Work(named, dataset, frozen, seed, in_sample, shortcuts)
    if store is not None:
        work.use(Store.at(store))
    state = np.random.get_state()  # noqa: NPY002 - cells seed it; the caller's stays as it was
    try:
        with _progress(len(named) * len(frozen), progress) as show:
            work.fit(engine, jobs, show)
    finally:
        np.random.set_state(state)  # noqa: NPY002
    table = assemble(work.cells, list(named), dataset, frozen, seed)
    table = table.noted(*dates_note(dataset, frozen), *leak_notes(work.cells, dataset))
    for name, reason in failures(table.cells).items():
        message = f"model {name!r} {reason} (in full: `.cells` of the table)"
        warnings.warn(message, FitFailed, stacklevel=2)
    return table.with_columns(columns, by_row=True) if columns else table


# --- arguments -------------------------------------------------------------------------------


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


# --- the work --------------------------------------------------------------------------------


def cell_seed(seed: int, model: str, split: object) -> int:
    """The seed of one (model, split): the same whatever else runs beside it."""
    digest = hashlib.sha256(repr((seed, model, split)).encode()).digest()
    return int.from_bytes(digest[:4], "little")


@dataclass(eq=False)
class _Work:
    """All cells of a run: those that are finished, and how to finish the others."""

    models: Mapping[str, Any]
    data: Dataset
    plan: FrozenPlan
    seed: int
    in_sample: bool
    shortcuts: bool
    store: Store | None = None
    cells: dict[tuple[str, int], Cell] = field(default_factory=dict)
    keys: dict[tuple[str, int], str] = field(default_factory=dict)
    files: dict[str, dict[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        from sklearn import get_config

        config = {name: value for name, value in get_config().items() if name not in _SHOWN_ONLY}
        self.settings = (config, np.geterr())
        refits = self.in_sample or not self.shortcuts
        self.quick = {
            name: not refits and has_shortcut(model, self.data)
            for name, model in self.models.items()
        }

    def use(self, store: Store) -> None:
        """Take finished cells from a store, and keep new ones there."""
        shared = store.key(
            self.data.fingerprint, Fingerprint.of(type(self.data.frame), "data").digest,
            self.plan.fingerprint, self.seed, self.in_sample, environment(), self.settings,
        )  # fmt: skip
        for name, model in self.models.items():
            fingerprint = Fingerprint.of(model, name)
            self.files[name] = fingerprint.files
            mine = (shared, name, fingerprint.digest, self.quick[name])
            self.keys |= {(name, at): store.key(*mine, at) for at in range(len(self.plan))}
        self.store = store
        store.begin(self.data.name, self.plan.plan, self.models, self.keys.values())
        self._look(list(self.keys))

    def fit(self, engine: str, jobs: int | None, show: Callable[[str, int], None]) -> None:
        """Finish the missing cells; with a store, in an order of this process's own."""
        for name, model in self.models.items():
            show(name, len(self.cells))
            places = range(len(self.plan))
            if self.quick[name] and any((name, at) not in self.cells for at in places):
                with one_thread():  # all places, so that numbers do not depend on what is missing
                    answers = quick_cells(model, self.data, places, self.plan.pieces)
                self._finish(name, [*answers.values()])
        units = [unit for name in self.models for unit in self._units(name)]
        if self.store is not None:
            random.Random().shuffle(units)

        def skip(unit: Unit) -> bool:
            show(unit.name, len(self.cells))
            return self.store is not None and self._look([(unit.name, at) for at in unit.places])

        for unit, cells in fit_all(units, self.data, engine=engine, jobs=jobs, skip=skip):
            self._finish(unit.name, cells)

    def _units(self, name: str) -> Iterator[Unit]:
        """The missing work of a model: of splits with the same training rows, all or none."""
        groups: dict[tuple[bool, object], list[int]] = {}
        for at, piece in enumerate(self.plan.pieces):
            alone = piece.fit is None
            groups.setdefault((alone, at if alone else piece.fit), []).append(at)
        for (_, fit), group in groups.items():
            if all((name, at) in self.cells for at in group):
                continue
            pieces = tuple(self.plan.pieces[at] for at in group)
            yield Unit(
                name, self.models[name], tuple(group), pieces, cell_seed(self.seed, name, fit),
                self.in_sample, self.settings, self.files.get(name, {}),
            )  # fmt: skip

    def _look(self, spots: list[tuple[str, int]]) -> bool:
        """Take what the store has of these cells; whether that is all of them."""
        assert self.store is not None
        cells = self.store.load_all([self.keys[spot] for spot in spots])
        self.cells |= {spot: cells[key] for spot in spots if (key := self.keys[spot]) in cells}
        return all(spot in self.cells for spot in spots)

    def _finish(self, name: str, cells: Sequence[Cell]) -> None:
        for cell in cells:
            spot = (name, cell.split)
            if spot not in self.cells:
                self.cells[spot] = cell
                if self.store is not None and cell.status != "lost":
                    self.store.save(self.keys[spot], cell)


@contextmanager
def _progress(total: int, wanted: bool | str) -> Iterator[Callable[[str, int], None]]:
    """A bar on a terminal's error stream; shown are a model and how many cells are finished."""
    if not wanted or os.environ.get("HELIAST_QUIET") or not sys.stderr.isatty():
        yield lambda name, finished: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    words = f"{shorten(wanted, 60)}, fitting" if isinstance(wanted, str) else "fitting"
    text = TextColumn("{task.description}", markup=False)  # names are text, brackets included
    columns = (text, BarColumn(None), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, expand=True) as bar:
        task = bar.add_task(words, total=total)
        yield lambda name, finished: bar.update(
            task, completed=finished, description=f"{words} {shorten(name, 24)}"
        )
