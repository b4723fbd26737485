"""assess: a table of predictions to every measure with its interval."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from heliast import measures as registry
from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.estimates import Estimate, estimate
from heliast.estimates._coverage import placed
from heliast.estimates.resampled import (
    Case,
    Parts,
    over_one,
    over_splits,
    resampled_methods,
    selected_of,
)
from heliast.measures import Measure
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.predictions._splits import Role
from heliast.predictions.scan import Scanned
from heliast.verbs.assessment import Assessment
from heliast.views.numbers import number, shorten

INCOMPLETE = "incomplete: {count} of the rows that other models have are missing"


def assess(
    predictions: Predictions,
    measures: Sequence[str | Measure] | str | Measure | None = None,
    level: float = 0.95,
    interval: str | None = "auto",
    *,
    cost: object = None,
    prevalences: Mapping[Label, float] | None = None,
    role: Role = "test",
    seen: int | None = 0,
    seed: int = 0,
) -> Assessment:
    """Every measure that the table allows, each with its interval, method and target.

    Reads the rows of role `test` that were not trained on, unless `role` and `seen` say otherwise.
    `measures` names some; `cost` is a cost matrix (rows = true class) for the expected cost;
    `prevalences` are class shares, for tables whose class counts were fixed by design;
    `interval=None` gives the values alone.

    >>> table = Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
    >>> assess(table)["model", "error"]
    Estimate(model error: 0.25 [0.04559, 0.6994], Wilson)
    """
    table = _main_condition(predictions.only(role=role, seen=seen))
    if not len(table):
        raise InputError(f"no row of role {role!r} with seen = {seen}: nothing to assess")
    if prevalences is not None and table.task != "classes":
        raise InputError("prevalences: these are shares of classes, but the table holds numbers")
    if isinstance(table, Scanned):
        table = table.of_one_split()
    asked, left_out = _chosen(table, measures, cost)
    found: list[Estimate] = []
    tables: dict[str, Contingency] = {}
    incomplete = table.incomplete() if len(table.models) > 1 else {}
    cut: dict[str, Parts] = {}
    for model in table.models:
        parts = cut[model] = Parts(table, model, prevalences)
        every = predictions.only(model)
        for measure, class_ in asked:
            lacking = _lacks(measure, table, model) or parts.failed
            if lacking:
                one = _nothing(measure, class_, level, lacking)
            else:
                case = Case(parts, every, measure, class_, level, seed=seed)
                one = placed(_estimated(case, interval or "none"), case)
            if parts.unfinished:
                one = _bare(one, parts.unfinished)
            elif incomplete.get(model):
                one = _bare(one, INCOMPLETE.format(count=incomplete[model]))
            found.append(replace(one, model=model))
        if table.task == "classes" and not parts.failed:
            tables[model] = parts.pooled.contingency
    best = _selected(table, cut, incomplete, asked, level, seed)
    return Assessment(
        tuple(found),
        table.models,
        table.classes,
        table.task,
        table.positive,
        level,
        len(table),
        (*_best_of(best, found), *_notes(table, found)),
        left_out,
        tables,
        best,
    )


def _main_condition(table: Predictions) -> Predictions:
    """The splits on all training rows and without noise, where a plan varied these."""
    kept = [
        split.split
        for split in table.splits
        if split.train_share in (None, 1.0) and split.noise in (None, 0.0)
    ]
    if not kept or len(kept) == len(table.splits):
        return table
    note = "splits with fewer training rows or noisy labels are left to curves.learning and noise"
    return table.only(split=kept).noted(note)


def _estimated(case: Case, interval: str) -> Estimate:
    """One test set, or several splits: each has methods of its own."""
    single = case.parts.single
    if single is None:
        return over_splits(case, interval)
    if interval == "auto" or interval in resampled_methods():
        return over_one(case, interval)
    return estimate(case.measure, single, case.class_, case.level, interval, case.seed)


def _nothing(measure: Measure, class_: Label | None, level: float, reason: str) -> Estimate:
    return Estimate(float("nan"), level=level, measure=measure.title, class_=class_, reason=reason)


def _bare(one: Estimate, reason: str) -> Estimate:
    nothing = float("nan")
    return replace(
        one, low=nothing, high=nothing, se=nothing, reason=reason if one.defined else one.reason
    )


def _selected(
    table: Predictions,
    cut: Mapping[str, Parts],
    incomplete: Mapping[str, int],
    asked: list[tuple[Measure, Label | None]],
    level: float,
    seed: int,
) -> Estimate | None:
    """The best of several models with its value corrected for the choice, by the first measure
    that can be; None where there is no choice, or no honest row to choose by.
    """
    whole = {
        model: parts
        for model, parts in cut.items()
        if not incomplete.get(model) and not parts.unfinished
    }
    if len(whole) < 2 or (table.seen is not None and table.seen.any()):
        return None
    overall = [measure for measure, class_ in asked if class_ is None]
    usual = [one for name in ("error", "accuracy", "mae") for one in overall if one.name == name]
    for measure in usual or overall:
        if any(_lacks(measure, table, model) for model in whole):
            continue
        try:
            return selected_of(whole, measure, None, level, seed)
        except InputError:
            continue
    return None


def _best_of(best: Estimate | None, found: list[Estimate]) -> tuple[str, ...]:
    """The best model in one line: what it shows, and what it is worth."""
    if best is None:
        return ()
    every = [one for one in found if (one.measure, one.class_) == (best.measure, None)]
    shown = next(one.value for one in every if one.model == best.model)
    limits = f"[{number(best.low)}, {number(best.high)}]"
    return (
        f"selected: {shorten(best.model, 20)}, best of {len(every)} by {best.measure} "
        f"({number(shown)}), corrected {number(best.value)} {limits}",
    )


def _notes(table: Predictions, found: list[Estimate]) -> tuple[str, ...]:
    said: dict[str, list[str]] = {}
    for one in found:
        for note in one.notes:
            said.setdefault(note, []).append(one.measure)
    spoken = [f"{', '.join(dict.fromkeys(names))}: {note}" for note, names in said.items()]
    if len(table.models) > 1:  # side by side there is no room for reasons
        spoken += [
            f"{one.model}, {one.measure}: {one.reason}"
            for one in found
            if one.class_ is None and one.reason and (not one.defined or np.isinf(one.value))
        ]
    return tuple(dict.fromkeys((*table.notes, *spoken)))


# --- which measures ------------------------------------------------------------------------


def _chosen(
    table: Predictions, asked: Sequence[str | Measure] | str | Measure | None, cost: object
) -> tuple[list[tuple[Measure, Label | None]], dict[str, str]]:
    """The (measure, class) pairs to compute, and why some measures are left out."""
    if asked is None:
        wanted = [one for one in registry.everything() if one.panel and one.task == table.task]
    else:
        listed = [asked] if isinstance(asked, (str, Measure)) else list(asked)
        wanted = [registry.get(one) if isinstance(one, str) else one for one in listed]
    if cost is not None:
        wanted = [one for one in wanted if one.name != "expected_cost"]
        wanted.append(registry.get("expected_cost", cost=cost))
    left_out: dict[str, str] = {}
    pairs: list[tuple[Measure, Label | None]] = []
    for one in wanted:
        lacking = [_lacks(one, table, model) for model in table.models]
        if all(lacking) and asked is not None:
            raise InputError(f"measure {one.name!r}: {lacking[0]}")
        if all(lacking):
            left_out[one.name] = lacking[0]
            continue
        pairs.append((one, None))
        if one.classwise and one.average is None and _per_class(one, table, asked is None):
            pairs.extend((one, class_) for class_ in table.classes)
    return pairs, left_out


def _lacks(one: Measure, table: Predictions, model: str) -> str:
    return one.lacks(table.task, len(table.classes), table.score_kind_of(model))


def _per_class(one: Measure, table: Predictions, unasked: bool) -> bool:
    """Whether to add a value per class: not for the order of scores of two classes, which is one
    order seen from two sides, nor unasked where the interval would cost a bootstrap per class.
    """
    if one.needs == "label":
        return True
    return len(table.classes) > 2 and not (unasked and one.name == "average_precision")
