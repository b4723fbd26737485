"""Finished cells to one table of predictions."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans import FrozenPlan
from heliast.predictions import Meta, Predictions
from heliast.store import Cell, Output

Array = npt.NDArray[Any]


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
    finished: Iterable[tuple[str, list[Cell]]],
    named: Mapping[str, Any],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
) -> Predictions:
    """One table of all cells, given by model, in the order of models and splits."""
    cells = [(name, cell) for name, done in finished for cell in done]
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


@cache
def versions() -> dict[str, str]:
    """The versions of what decides the numbers."""
    import platform
    from importlib.metadata import version

    found = {name: version(name) for name in ("heliast", "numpy", "scikit-learn")}
    return {"python": platform.python_version(), **found}
