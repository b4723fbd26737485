"""The cells of `compare`: true nulls rejected, true differences covered."""

from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.map._answers import Answer, collected
from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._learners import LEARNERS
from benchmarks.coverage.map._nulls import FEW, GROUPS, MANY, TRAINED, Null, Rows
from benchmarks.coverage.map._pieces import ONE, PLANS, PLANS_OF_GROUPS
from benchmarks.coverage.map._worlds import World
from benchmarks.coverage.resampled._learners import Job
from heliast import compare
from heliast._core.errors import HeliastError
from heliast.data import Dataset
from heliast.estimates import design_key
from heliast.estimates.resampled import Case, Parts
from heliast.measures import Measure, get
from heliast.measures.summaries import Counted
from heliast.plans import Plan
from heliast.plans.plan import number_pieces
from heliast.predictions import Meta, Predictions, Splits

Array = npt.NDArray[Any]
MOST = 1000
LARGE = 1_000_000


@dataclass(frozen=True)
class Piece:
    """A null world, a size, a plan, and the learner where models are trained."""

    null: Null
    n: int
    plan: str
    learner: str = "fixed rule"
    deep: bool = False

    @property
    def name(self) -> str:
        words = f"{self.null.name} - {self.learner} - {self.n} - {self.plan}".replace(",", "")
        return f"{words} - deep" if self.deep else words


def pieces(every: int = 1) -> list[Piece]:
    """All pieces, or each `every`-th."""
    plans = (ONE, "KFold(10)", "KFold(10), not by class", "KFold(10) x 5", "Subsampling")
    found, turn = [], 0
    for null in FEW:
        for n in (50, 200, 1000):
            for at, plan in enumerate(plans):
                turn += 1
                if null.share * n >= 2 and (null.only or at == 0 or turn % 2 == 0):
                    found.append(Piece(null, n, plan))
    for null in TRAINED:
        for n in (50, 200, 1000):
            for at, plan in enumerate((*plans[1:], "KFold(3)", "KFold(5)", "FiveByTwo")):
                turn += 1
                learner = ("linear", "tree", "neighbours", "balanced")[turn % 4]
                if null.share * n >= 2 and (turn + at) % 2 == 0:
                    found.append(Piece(null, n, plan, learner))
    found += [
        Piece(null, n, plan) for null in GROUPS for n in (200, 1000) for plan in (ONE, "KFold(5)")
    ]
    found += [Piece(null, n, plan) for null in MANY for n in (200,) for plan in (ONE, "KFold(10)")]
    return [*found[::every], *(_deep(plans) if every == 1 else [])]


def _deep(plans: tuple[str, ...]) -> list[Piece]:
    """Pieces for the measures that take too long elsewhere: each meets every design once."""
    null = next(one for one in FEW if not one.only and not one.differ)
    found = [Piece(null, 200, plan, deep=True) for plan in (*plans, "FiveByTwo")]
    group = GROUPS[-1]
    return [*found, *(Piece(group, 200, plan, deep=True) for plan in PLANS_OF_GROUPS)]


def cells(piece: Piece, seconds: float, sets: int, seed: int) -> list[Cell]:
    """A cell a measure. Truths are 0 but where models differ."""
    null, n = piece.null, piece.n
    root = crc32(piece.name.encode())

    def draws(number: int) -> Predictions:
        return _table(piece, np.random.default_rng([seed, root, number]))

    measures = _measures(null)
    truths = _truths(null, measures, seed) if null.differ else {}
    tallies = collected(draws, measures, ask, seconds, MOST, piece.deep)
    first = draws(0).only(model="m0")
    design = design_key(Case(Parts(first, "m0"), first, get("error")))
    made = []
    for measure in measures:
        if measure.title in tallies:
            truth, se = truths.get(measure.title, (0.0, 0.0))
            made.append(
                Cell(
                    "compare", measure.name, design=design, plan=piece.plan, world=null.name,
                    family=null.family, share=null.share, learner=piece.learner, n=n,
                    rarest=null.share * n, truth=truth, truth_se=se, models=null.models,
                    **tallies[measure.title].shares(truth, not null.differ),
                )
            )  # fmt: skip
    return made


def _measures(null: Null) -> list[Measure]:
    world = World(null.name, 1, 2, null.share, None, None)  # type: ignore[arg-type]
    found = asked(world, needs=null.needs)
    return [one for one in found if one.name in null.only or not null.only]


def ask(predictions: Predictions, measures: list[Measure], seed: int) -> list[Answer]:
    """What `compare` says of each measure."""
    return [_answer(predictions, measure, seed) for measure in measures]


def _answer(predictions: Predictions, measure: Measure, seed: int) -> Answer:
    """Of several pairs: the smallest p, and an interval that covers 0 if all do."""
    try:
        found = compare(predictions, measure, seed=seed)
    except HeliastError as refusal:
        return Answer(float("nan"), float("nan"), "", str(refusal))
    pairs = found.pairs
    said = next(
        (one.reason or "; ".join(one.notes) for one in pairs if one.reason or one.notes), ""
    )
    known = [one for one in pairs if one.low <= one.high]
    if not known:
        return Answer(float("nan"), float("nan"), pairs[0].test, said, pairs[0].p)
    worst = max(known, key=lambda one: max(one.low, -one.high))
    return Answer(worst.low, worst.high, worst.test, said, min(one.p for one in known))


def _truths(null: Null, measures: list[Measure], seed: int) -> dict[str, tuple[float, float]]:
    rows = null.draw(LARGE, np.random.default_rng([seed, 5]))
    found = {}
    for measure in measures:
        parts = [slice(None), *(slice(start, None, 10) for start in range(10))]
        gap = [_gap(measure, rows, part, null) for part in parts]
        found[measure.title] = gap[0], float(np.std(gap[1:]) / np.sqrt(10))
    return found


def _gap(measure: Measure, rows: Rows, part: slice, null: Null) -> float:
    values = []
    for m in range(2):
        one = _predictions(rows.y[part], rows.p[m : m + 1, part], rows.label[m : m + 1, part])
        values.append(float(measure.form(Counted(one.rows())).value))
    return values[0] - values[1]


# --- tables --------------------------------------------------------------------------------------


def _table(piece: Piece, rng: np.random.Generator) -> Predictions:
    rows = piece.null.draw(piece.n, rng)
    plan = (PLANS if rows.group is None else PLANS_OF_GROUPS)[piece.plan]
    if plan is None:
        return _predictions(rows.y, rows.p, rows.label, group=rows.group)
    while rows.group is not None and np.unique(rows.group).size < getattr(plan, "k", 0):
        rows = piece.null.draw(piece.n, rng)  # a small group may have no row
    return _over_splits(piece, rows, plan, rng)


def _over_splits(piece: Piece, rows: Rows, plan: Plan, rng: np.random.Generator) -> Predictions:
    data = Dataset((), rows.y, "classification", (0, 1), group=rows.group)
    parts = number_pieces(plan.pieces(data, rng))
    split = np.repeat(np.arange(len(parts)), [part.test.size for part in parts])
    row = np.concatenate([part.test for part in parts])
    p, label = rows.p[:, row], rows.label[:, row]
    if rows.X is not None:
        weight = np.stack([part.in_train(data.n) for part in parts]).astype(np.float64)
        fit = LEARNERS[piece.learner]
        assert fit is not None
        p = np.stack([fit(Job(X, rows.y, 2, weight, split, row))[:, 1] for X in rows.X])
        label = (p > World("", 1, 2, piece.null.share, None, None).cut).astype(np.uint8)  # type: ignore[arg-type]
    group = None if rows.group is None else rows.group[row]
    splits = Splits(tuple(part.record for part in parts))
    return _predictions(rows.y[row], p, label, split, row, group, splits)


def _predictions(
    y: Array, p: Array, label: Array, split: Array | None = None, row: Array | None = None,
    group: Array | None = None, splits: Splits | None = None,
) -> Predictions:  # fmt: skip
    """The table of all models, one after the other."""
    m, n = p.shape
    each = np.arange(n) if row is None else row
    return Predictions(
        np.tile(y, m).astype(np.uint8), label.reshape(-1),
        Meta("classification", (0, 1), 1, "probability"),
        models=tuple(f"m{one}" for one in range(m)),
        splits=splits or Splits(), scores=p.reshape(-1),
        model_code=np.repeat(np.arange(m), n).astype(np.int32),
        split_code=None if split is None else np.tile(split, m).astype(np.int32),
        row=np.tile(each, m), group=None if group is None else np.tile(group, m),
    )  # fmt: skip
