"""Finished cells to one table of predictions."""

from collections.abc import Mapping, Sequence

import numpy as np

from heliast._core.errors import NothingFitted
from heliast._core.kinds import Array
from heliast.data import Dataset
from heliast.fitting.cell import Cell, Output
from heliast.fitting.fingerprint import environment
from heliast.plans import FrozenPlan
from heliast.predictions import Meta, Predictions
from heliast.tables.about import positive_of

_VERSIONS = ("python", "heliast", "numpy", "scikit-learn")


def assemble(
    cells: Mapping[tuple[str, int], Cell],
    models: Sequence[str],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
) -> Predictions:
    """One table of all cells, which are given by model and split.

    Parameters
    ----------
    cells : mapping
        Cells by name of the model and number of the split.
    models : sequence of str
        Names of the models in order.
    data : Dataset
        The data that were predicted.
    plan : FrozenPlan
        Their splits.
    seed : int
        Seed of the run.

    Returns
    -------
    Predictions
        The table, in the order of models and splits.

    Raises
    ------
    NothingFitted
        If all cells failed.
    """
    names = [record.split for record in plan.splits.records]
    records: list[dict[str, object]] = []
    outputs: dict[str, list[tuple[Cell, Output]]] = {}
    stages = {}
    for model in models:
        outputs.setdefault(model, [])
        for at, split in enumerate(names):
            cell = cells[model, at]
            records.append({"model": model, "split": split, **cell.record()})
            for output in cell.outputs:
                name = f"{model}/{output.suffix}" if output.suffix else model
                outputs.setdefault(name, []).append((cell, output))
                if name != model:
                    stages[name] = model
    if not any(outputs.values()):
        first = next((str(record["failure"]) for record in records if record["failure"]), "?")
        reason = first.strip().splitlines()[-1]
        error = NothingFitted(f"no model could be fitted in any split; the first failure: {reason}")
        error.add_note(first)  # Python shows the whole of it, the command line its last line
        raise error
    kinds = {
        name: next((output.kind for _, output in some if output.kind), None)
        for name, some in outputs.items()
    }
    columns = _columns(outputs, len(data.classes) if any(kinds.values()) else 0)
    meta = _meta(kinds, stages, data, plan, seed)
    row, group = columns["row"], data.times if meta.design == "time" else data.group
    return Predictions(
        y_true=data.y_true[row],
        y_pred=columns["label"].astype(data.y_true.dtype),
        meta=meta,
        models=tuple(outputs),
        splits=plan.splits,
        scores=columns.get("scores"),
        model_code=columns["model"] if len(outputs) > 1 else None,
        split_code=columns["split"] if len(plan) > 1 else None,
        row=row,
        in_train=columns["seen"],
        group=None if group is None else group[row],
        cells=tuple(records),
    )


def _meta(
    kinds: Mapping[str, str | None],
    stages: Mapping[str, str],
    data: Dataset,
    plan: FrozenPlan,
    seed: int,
) -> Meta:
    in_order = data.ordered or (plan.walks and data.group is None)
    notes = [*data.notes, *plan.notes]
    positive = positive_of(None, data.classes, notes, hint="")
    known = {kind for kind in kinds.values() if kind}
    return Meta(
        task=data.task,
        classes=data.classes,
        ordinal=data.ordinal,
        positive=positive,
        score_kind=next(iter(known)) if len(known) == 1 else None,  # type: ignore[arg-type]
        score_kinds=kinds,  # type: ignore[arg-type]
        stages=stages,
        design="time" if in_order else "rows",
        data_fingerprint=data.fingerprint,
        plan_fingerprint=plan.fingerprint,
        seed=seed,
        versions={name: environment()[name] for name in _VERSIONS},
        notes=tuple(dict.fromkeys(notes)),
    )


def _columns(outputs: Mapping[str, list[tuple[Cell, Output]]], classes: int) -> dict[str, Array]:
    """The rows of all outputs, one model after the other; NaN where one has no scores."""
    parts: dict[str, list[Array]] = {}
    for code, some in enumerate(outputs.values()):
        for cell, output in some:
            n = cell.row.size
            columns: dict[str, Array] = {
                "row": cell.row,
                "seen": cell.seen,
                "label": output.label,
                "model": np.full(n, code, np.int32),
                "split": np.full(n, cell.split, np.int32),
            }
            if classes:
                empty = np.full((n, classes), np.nan)
                columns["scores"] = empty if output.scores is None else output.scores
            for name, values in columns.items():
                parts.setdefault(name, []).append(values)
    return {name: np.concatenate(some) for name, some in parts.items()}
