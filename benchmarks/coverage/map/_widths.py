"""Widths: every default against the narrowest method that covers on the same tables."""

from dataclasses import dataclass
from itertools import product
from math import isnan
from typing import Any

from benchmarks.coverage.map._answers import Answer, collected
from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._assessing import drawn
from benchmarks.coverage.map._cell import LOW, Cell
from benchmarks.coverage.map._pieces import ONE, Piece
from benchmarks.coverage.map._worlds import NUMBERS, TWO
from heliast.estimates import estimate, methods
from heliast.estimates.resampled import Case, Parts, over_one, over_splits, resampled_methods
from heliast.measures import Measure
from heliast.predictions import Predictions

WIDE = 1.3
MOST = 400
RULES_OF_DOCUMENTS = ("fold_z", "fold_t", "holdout", "resubstitution", "left_out")
"""No rivals: rules kept for old documents, the default by another name, and bare points."""


@dataclass(frozen=True)
class Named:
    """A measure by a method; the seconds are shared as if each were a measure."""

    measure: Measure
    method: str

    @property
    def title(self) -> str:
        return f"{self.measure.name} by {self.method}"


def pieces(every: int = 1) -> list[Piece]:
    """A sample of worlds, learners and plans."""
    worlds = (TWO[1][0], TWO[1][2], TWO[2][4], NUMBERS[1])
    plans = (ONE, "KFold(10)", "KFold(3)", "KFold(10) x 5")
    learners = ("linear", "tree")
    found = [Piece(*one[:2], 200, (one[2],)) for one in product(worlds, learners, plans)]
    return found[::every]


def cells(piece: Piece, seconds: float, sets: int, seed: int) -> list[Cell]:
    """A cell a measure and method; `learner` stays, `methods` holds the name that was asked for."""
    (plan,) = piece.plans
    draws, truths = drawn(piece, plan, sets, seed)
    several = plan != ONE
    names = ["auto", *(resampled_methods() if several else methods())]
    wanted = [
        Named(measure, name)
        for measure in asked(piece.world)
        for name in names
        if name not in RULES_OF_DOCUMENTS
    ]
    first = _ask(draws(0), wanted, 0)
    wanted = [one for one, said in zip(wanted, first, strict=True) if not isnan(said.low)]
    tallies = collected(draws, wanted, _ask, 6 * seconds, MOST)
    made = []
    for one in wanted:
        if one.title in tallies:
            pooled, se, mean, mean_se = truths[one.measure.title]
            by_row = not several or one.measure.over == "rows"
            truth, truth_se = (pooled, se) if by_row else (mean, mean_se)
            fields: dict[str, Any] = tallies[one.title].shares(truth)
            fields["methods"] = (one.method,)
            made.append(
                Cell(
                    "widths", one.measure.name, design=plan, plan=plan, world=piece.world.name,
                    family=piece.world.family, share=piece.world.share, learner=piece.learner,
                    n=piece.n, rarest=piece.world.share * piece.n, truth=truth, truth_se=truth_se,
                    **fields,
                )
            )  # fmt: skip
    return made


def _ask(predictions: Predictions, wanted: list[Named], seed: int) -> list[Answer]:
    parts = Parts(predictions, predictions.models[0])
    found = []
    for one in wanted:
        case = Case(parts, predictions, one.measure, seed=seed)
        if parts.single is None:
            said = over_splits(case, one.method)
        elif one.method == "auto":
            said = over_one(case, "auto")
        else:
            said = estimate(one.measure, parts.single, None, 0.95, one.method, seed)
        found.append(Answer(said.low, said.high, said.key, said.reason))
    return found


@dataclass(frozen=True)
class Wide:
    """A default and its narrowest rival that covers on the same tables."""

    cell: Cell
    rival: Cell

    @property
    def ratio(self) -> float:
        return self.cell.width / self.rival.width

    @property
    def words(self) -> str:
        rival = f"{self.rival.methods[0]}: {self.rival.width:.4g}, covers {self.rival.coverage:.3f}"
        return f"{self.cell.words} | {self.cell.width:.4g} | {self.ratio:.2f} | {rival}"


def rivals(cells: list[Cell]) -> list[Wide]:
    """Each default with the narrowest method that covers as measured, itself among them."""
    found: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        found.setdefault((cell.measure, cell.plan, cell.world, cell.learner), []).append(cell)
    pairs = []
    for same in found.values():
        default = next((one for one in same if one.methods == ("auto",)), None)
        good = [
            one for one in same if one.coverage >= LOW and one.undefined < 0.05 and one.width > 0
        ]
        if default is not None and default.width > 0 and good:
            pairs.append(Wide(default, min(good, key=lambda one: one.width)))
    return pairs
