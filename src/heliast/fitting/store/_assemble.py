"""Finished cells to one table of predictions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from heliast._core.errors import InputError, NothingFitted
from heliast._core.kinds import Array
from heliast.fitting.store._records import Cell, Output
from heliast.fitting.store._subject import Subject
from heliast.predictions import Meta, Predictions
from heliast.tables.about import positive_of


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
    finished: Iterable[tuple[str, list[Cell]]], models: Sequence[str], subject: Subject
) -> Predictions:
    """One table of all cells, given by model, in the order of models and splits.

    Parameters
    ----------
    finished : iterable of (str, list of Cell)
        Names of models and their finished cells.
    models : sequence of str
        Names of the models in order.
    subject : Subject
        Target and splits.

    Returns
    -------
    Predictions
        The table.

    Raises
    ------
    InputError
        If a cell does not fit the data.

    Examples
    --------
    >>> import heliast as hl
    >>> data = hl.read("sklearn:iris")
    >>> table = hl.run({"prior": hl.Majority()}, data, 2, progress=False)   # assembles its cells
    >>> table.models
    ('prior',)
    """
    cells = [(name, cell) for name, done in finished for cell in done]
    for _, cell in cells:
        _check(cell, subject)
    order = {name: place for place, name in enumerate(models)}
    cells.sort(key=lambda pair: (order[pair[0]], pair[1].split))
    names, kinds = _names_and_kinds(cells, models)
    about, stages = [], {}
    parts = _Columns()
    by_model: dict[str, list[tuple[Cell, Output]]] = {name: [] for name in names}
    for model, cell in cells:
        about.append(cell.about(model, subject.splits.records[cell.split].split))
        for output in cell.outputs:
            name = _full_name(model, output.suffix)
            by_model[name].append((cell, output))
            if name != model:
                stages[name] = model
    with_scores = any(kind is not None for kind in kinds.values())
    for code, name in enumerate(names):
        for cell, output in by_model[name]:
            _append(parts, code, cell, output, len(subject.classes) if with_scores else 0)
    return _table(parts, names, kinds, stages, about, subject)


def _check(cell: Cell, subject: Subject) -> None:
    """Refuse cells that are not of these data and splits: a store may come from anywhere."""
    k, n = len(subject.classes), subject.truth.size
    fits = 0 <= cell.split < len(subject.splits) and _within(cell.row, n)
    fits = fits and np.unique(cell.row).size == cell.row.size  # a row is predicted once
    fits = fits and cell.seen.shape == cell.row.shape and not (cell.seen < 0).any()
    if fits and cell.status == "ok":  # all rows of its test set are there
        fits = bool(cell.outputs) and cell.row.size >= (
            subject.splits.records[cell.split].n_test or 0
        )
    for output in cell.outputs:
        if subject.task == "classes":
            fits = fits and _within(output.label, k)
        if output.scores is not None:
            fits = fits and output.scores.shape == (cell.row.size, k)
        fits = fits and output.label.shape == cell.row.shape
    if not fits:
        raise InputError(
            "the store holds cells that do not fit these data and splits: it was changed by "
            "another hand; remove it, or name another folder"
        )


def _within(codes: Array, count: int) -> bool:
    return not codes.size or (codes.min() >= 0 and codes.max() < count)


def _full_name(model: str, suffix: str) -> str:
    return f"{model}/{suffix}" if suffix else model


def _names_and_kinds(
    cells: list[tuple[str, Cell]], models: Sequence[str]
) -> tuple[list[str], dict[str, str | None]]:
    kinds: dict[str, str | None] = {}
    for model in models:
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
    stages: dict[str, str],
    about: list[dict[str, object]],
    subject: Subject,
) -> Predictions:
    if not parts.row:
        first = next((str(one["failure"]) for one in about if one["failure"]), "")
        why = (first.strip().splitlines() or ["?"])[-1]
        error = NothingFitted(f"no model could be fitted in any split; the first failure: {why}")
        error.add_note(first)  # Python shows the whole of it, the command line its last line
        raise error
    row = np.concatenate(parts.row)
    notes = list(subject.notes)
    positive = positive_of(None, subject.classes, notes, hint="")
    kinds_there = {kind for kind in kinds.values() if kind}
    meta = Meta(
        task=subject.task,
        classes=subject.classes,
        ordinal=subject.ordinal,
        positive=positive,
        score_kind=next(iter(kinds_there)) if len(kinds_there) == 1 else None,  # type: ignore[arg-type]
        score_kinds=kinds,  # type: ignore[arg-type]
        stages=stages,
        design=subject.design,
        data_fingerprint=subject.data_fingerprint,
        plan_fingerprint=subject.plan_fingerprint,
        seed=subject.seed,
        versions=subject.versions,
        notes=tuple(dict.fromkeys(notes)),
    )
    return Predictions(
        truth=subject.truth[row],
        label=np.concatenate(parts.label).astype(subject.truth.dtype),
        meta=meta,
        models=tuple(names),
        splits=subject.splits,
        scores=np.concatenate(parts.scores) if parts.scores else None,
        model_code=np.concatenate(parts.model) if len(names) > 1 else None,
        split_code=np.concatenate(parts.split) if len(subject.splits) > 1 else None,
        row=row,
        seen=np.concatenate(parts.seen),
        group=None if subject.group is None else subject.group[row],
        cells=tuple(about),
    )
