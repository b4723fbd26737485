"""Scanned: a prediction table that stays where it lies."""

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array, ArrayLike
from heliast.predictions.columns import Request
from heliast.predictions.records import Meta, ScoreKind, Splits
from heliast.predictions.scan.prepare import prepare
from heliast.predictions.scan.prepared import Prepared
from heliast.predictions.scan.rows import ScannedRows, refuse
from heliast.predictions.table import Predictions
from heliast.tables.engine import Engine
from heliast.tables.sources import frame_source, open_source

MEMORY = "1GB"
"""What the engine may use before it writes to disk; Python and the answers come on top."""


def scan(source: Any, table: str | None = None, memory: str = MEMORY, **options: Any) -> "Scanned":
    """See `Predictions.scan`."""
    names = ("separator", "decimal_separator", "encoding")
    reading = {name: options.pop(name) for name in names if name in options}
    request = Request.of(options)
    if request.keep:
        raise InputError(
            f"keep={request.keep[0]!r}: a scanned table is counted where it lies and keeps no "
            "further columns; read it into memory (command line: --no-scan)"
        )
    engine = Engine(memory)
    try:
        if isinstance(source, (str, os.PathLike)):
            located = open_source(engine, source, table=table, **reading)
        else:
            located = frame_source(engine, source)
        prepared = prepare(engine, located, request)
    except BaseException:
        engine.close()
        raise
    notes = (f"scanned where it lies: {located.title}", *prepared.meta.notes)
    prepared = replace(prepared, meta=replace(prepared.meta, notes=notes))
    held = tuple(range(len(prepared.keys.stored)))
    return Scanned(prepared, held, prepared.models, prepared.splits)


class Scanned(Predictions):
    """A table of predictions on disk or in an engine: asked for summaries, never read whole.

    Whatever needs an array of all rows is refused with a message; `assess` and the curves need
    none. Made by `Predictions.scan`.
    """

    def __init__(
        self,
        prepared: Prepared,
        held: tuple[int, ...],
        models: tuple[str, ...],
        splits: Splits,
        meta: Meta | None = None,
    ) -> None:
        fields = {
            "prepared": prepared,
            "held": held,
            "models": models,
            "splits": splits,
            "meta": meta or prepared.meta,
            "cells": (),
            "columns": {},
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)  # a frozen record

    prepared: Prepared
    held: tuple[int, ...]

    @property
    def y_true(self) -> Array:
        refuse()

    @property
    def y_pred(self) -> Array:
        refuse()

    @property
    def scores(self) -> Array | None:
        return None if not self.prepared.score_columns else refuse()

    @property
    def weight(self) -> Array | None:
        return refuse() if self.prepared.weighted else None

    @property
    def model_code(self) -> Array | None:
        return None if len(self.models) == 1 else refuse()

    @property
    def split_code(self) -> Array | None:
        return None if len(self.splits) == 1 else refuse()

    @property
    def row(self) -> Array | None:
        return None

    @property
    def group(self) -> Array | None:
        return None

    @property
    def in_train(self) -> Array | None:
        """None if no row was trained on, else how often, once for each case that occurs."""
        found = self.prepared.keys.in_train[list(self.held)]
        return found if found.any() else None

    def close(self) -> None:
        """End the engine's session, let go of its files and remove its temporary ones."""
        self.prepared.engine.close()

    def __len__(self) -> int:
        here = np.isin(self.prepared.counted.key, self.held)
        return round(float(self.prepared.counted.sums[0][here].sum()))

    def _with(self, **changed: Any) -> "Scanned":
        fields = {name: getattr(self, name) for name in ("held", "models", "splits", "meta")}
        return Scanned(self.prepared, **{**fields, **changed})

    # --- parts -----------------------------------------------------------------------------

    def _where_keys(self, keep: Array) -> "Scanned":
        return self._with(held=tuple(at for at in self.held if keep[at]))

    def _with_seen(self, seen: int) -> "Scanned":
        return self._where_keys(self.prepared.keys.in_train == seen)

    def _with_models(self, names: tuple[str, ...]) -> "Scanned":
        self._refuse_unknown("model", names, self.models)
        codes = [self.prepared.models.index(name) for name in names]
        return self._with(models=names)._where_keys(np.isin(self.prepared.keys.model, codes))

    def _with_splits(self, names: tuple[int | str, ...]) -> "Scanned":
        self._refuse_unknown("split", names, self.splits.places)
        codes = [self.prepared.splits.places[name] for name in names]
        kept = Splits(tuple(self.splits[name] for name in names))
        return self._with(splits=kept)._where_keys(np.isin(self.prepared.keys.split, codes))

    @property
    def _rows(self) -> ScannedRows:
        if len(self.models) > 1:
            raise InputError(f"several models ({', '.join(self.models)}): name one")
        kind: ScoreKind | None = self.score_kind_of(self.models[0])
        key = (self.held, self.meta.design)
        kept = self.prepared.kept
        if key not in kept:
            kept[key] = ScannedRows(self.prepared, self.held, kind, self.meta.design)
        rows: ScannedRows = kept[key]
        return rows

    def per_split(self, model: str) -> Iterator[tuple[int | str, Predictions]]:
        part = self.only(model)
        for name in part.splits.names:
            alone = part.only(split=name)
            if len(alone):
                yield name, alone

    def where(self, keep: ArrayLike) -> Self:
        refuse()

    def decided(self, threshold: float) -> Predictions:
        refuse()

    def common_rows(self) -> Predictions:
        refuse()

    def of_one_split(self) -> "Scanned":
        """This table, unless its rows come from several splits: those are weighed in memory."""
        there = [record for record in self.splits if len(self.only(split=record.split))]
        if len(there) > 1:
            shown = ", ".join(str(record.split) for record in there[:8])
            raise InputError(
                f"the rows come from {len(there)} splits ({shown}), whose spread cannot be had by "
                "scanning: choose one with only(split=...), or read the table into memory (command "
                "line: --no-scan)"
            )
        return self

    def incomplete(self) -> dict[str, int]:
        """How many rows each model has fewer than the model that has most, split by split."""
        keys = self.prepared.keys
        sizes = np.zeros((len(self.prepared.models), len(self.prepared.splits)))
        for at in self.held:
            here = self.prepared.counted.key == at
            sizes[keys.model[at], keys.split[at]] += self.prepared.counted.sums[0][here].sum()
        chosen = [self.prepared.models.index(name) for name in self.models]
        lacking = (sizes[chosen].max(axis=0) - sizes[chosen]).sum(axis=1)
        return {
            name: round(float(count))
            for name, count in zip(self.models, lacking, strict=True)
            if count
        }

    def __repr__(self) -> str:
        what = f"{len(self.classes)} classes" if self.task == "classification" else "numbers"
        return f"<Scanned predictions: {len(self)} rows, {what}, {', '.join(self.models[:4])}>"
