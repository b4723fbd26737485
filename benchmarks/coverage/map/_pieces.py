"""The pieces of the map: a world, a learner, a size and the plans to try on it."""

from dataclasses import dataclass
from itertools import product

from benchmarks.coverage.map._learners import LEARNERS
from benchmarks.coverage.map._worlds import (
    DRESSINGS,
    MORE,
    NEAR,
    NUMBERS,
    ORDERED,
    TWO,
    World,
    dressed,
)  # fmt: skip
from heliast import Bootstrap, FiveByTwo, KFold, LeaveOneOut, Subsampling
from heliast.plans import Plan

ONE = "one test set"
PLANS: dict[str, Plan | None] = {
    ONE: None,
    "KFold(10)": KFold(10),
    "KFold(10), not by class": KFold(10, stratify=False),
    "KFold(5)": KFold(5),
    "KFold(3)": KFold(3),
    "KFold(10) x 5": KFold(10, repeats=5),
    "KFold(10) x 5, not by class": KFold(10, repeats=5, stratify=False),
    "Subsampling": Subsampling(),
    "FiveByTwo": FiveByTwo(),
    "LeaveOneOut": LeaveOneOut(),
}
PLANS_OF_GROUPS: dict[str, Plan | None] = {
    ONE: None, "KFold(5)": KFold(5), "KFold(5) x 5": KFold(5, repeats=5),
    "Subsampling": Subsampling(),
}  # fmt: skip
RESAMPLES: dict[str, Plan | None] = {"Bootstrap(50)": Bootstrap(50)}
"""Plans whose models train on rows drawn with replacement; in pieces of their own."""
CALIBRATION = ("ece", "brier_calibration")
RARITY = ((TWO[1], 4), (TWO[2], 16), (NEAR, 9), (MORE, 9), (NUMBERS, 9))
"""Worlds, and how many combinations of learner, size and plan there are to each one tried."""
SIZES = (50, 200, 1000, 5000)
TRAINED = {
    "KFold(5)": 0.8, "KFold(5) x 5": 0.8, "KFold(3)": 2 / 3, "Subsampling": 2 / 3, "FiveByTwo": 0.5,
}  # fmt: skip


@dataclass(frozen=True)
class Piece:
    """What one process simulates at a time."""

    world: World
    learner: str
    n: int
    plans: tuple[str, ...]
    deep: bool = False

    @property
    def name(self) -> str:
        words = [self.world.name, self.world.dressing, self.learner, str(self.n), *self.plans]
        words += ["deep"] if self.deep else []
        return " - ".join(word.replace(",", "") for word in words if word)


def trained(plan: str, n: int) -> int:
    """The training rows of a plan's models; of resamples with copies."""
    if plan in RESAMPLES:
        return n
    return n - 1 if plan == "LeaveOneOut" else round(TRAINED.get(plan, 0.9) * n)


def pieces(every: int = 1) -> list[Piece]:
    """All pieces, or each `every`-th; a rotation picks the plans of each world, learner and size.

    Every measure meets every plan, every learner meets every plan in every kind of world; not every
    combination of all four is tried.
    """
    found = [*_plain(), *_dressed(), *resampled(), *graded()]
    return [*found[::every], *(_deep() if every == 1 else [])]


def _plain() -> list[Piece]:
    found, turn = [], 0
    worlds = [(world, few) for some, few in RARITY for world in some]
    for (world, few), n, learner in product(worlds, SIZES, LEARNERS):
        turn += 1
        if world.share * n < 2 or (world.k > 3 and n < 200):
            continue
        names = [name for at, name in enumerate(PLANS) if (turn + at) % few == 0]
        plans = tuple(name for name in names if _sensible(name, world, learner, n))
        if plans:
            found.append(Piece(world, learner, n, plans))
    return found


def _sensible(plan: str, world: World, learner: str, n: int) -> bool:
    if learner == "balanced" and world.k == 0:
        return False  # numbers have no classes to weigh
    if plan == "LeaveOneOut":
        return n <= (200 if learner == "tree" else 1000)
    if n == 5000 and plan not in (ONE, "KFold(10)", "KFold(10) x 5", "KFold(5)"):
        return False
    return world.k > 0 or "by class" not in plan


def _dressed() -> list[Piece]:
    found, turn = [], 0
    worlds = (TWO[1][0], TWO[1][1], TWO[2][4], TWO[2][3], NUMBERS[0], NUMBERS[3])
    for dressing, world, n in product(DRESSINGS, worlds, (200, 1000)):
        for learner in ("fixed rule", "linear", "tree"):
            turn += 1
            counts = dressing == "frequency weights"
            if counts and learner != "fixed rule":
                continue
            few = 2 if counts else 5
            names = tuple(x for at, x in enumerate(PLANS_OF_GROUPS) if (turn + at) % few == 0)
            if names:
                found.append(Piece(dressed(world, dressing), learner, n, names))
    return found


def resampled() -> list[Piece]:
    """The bootstrap, in worlds of both families."""
    tried = [(TWO[1][1], "linear"), (TWO[2][3], "neighbours"), (NUMBERS[0], "linear")]
    tried += [(NUMBERS[3], "neighbours"), (TWO[2][4], "tree"), (TWO[1][0], "tree")]
    return [Piece(world, learner, 200, (*RESAMPLES,)) for world, learner in tried]


def calibrated() -> list[Piece]:
    """Folds and subsampling for calibration errors alone, which other pieces ask for as well."""
    plans = ("KFold(10)", "KFold(10) x 5", "Subsampling")
    tried = [(TWO[1][1], "linear"), (TWO[2][3], "neighbours"), (TWO[2][4], "overconfident")]
    return [Piece(world, learner, 200, plans) for world, learner in tried]


def graded() -> list[Piece]:
    """Classes in an order, for the measures that are theirs."""
    found = []
    for turn, (world, n, learner) in enumerate(product(ORDERED, (200, 1000), LEARNERS)):
        names = [name for at, name in enumerate(PLANS) if (turn + at) % 3 == 0]
        plans = tuple(name for name in names if _sensible(name, world, learner, n))
        found.append(Piece(world, learner, n, plans))
    for world, dressing in product(ORDERED, DRESSINGS):
        found.append(Piece(dressed(world, dressing), "fixed rule", 200, (*PLANS_OF_GROUPS,)))
    return found


def squared() -> list[Piece]:
    """All pieces of numbers that are short."""
    return [piece for piece in (*_plain(), *_dressed()) if piece.world.k == 0]


def _deep() -> list[Piece]:
    """Pieces for the measures that take too long elsewhere: each meets every design once."""
    alone = (TWO[1][0], TWO[1][2], TWO[2][4], TWO[2][10], MORE[0], NUMBERS[0], NUMBERS[1])
    found = [Piece(world, "fixed rule", 200, (ONE,), True) for world in alone]
    for base in (TWO[1][1], NUMBERS[3]):
        plans = [plan for plan in PLANS if _sensible(plan, base, "fixed rule", 200)]
        found += [Piece(base, "fixed rule", 200, (plan,), True) for plan in plans]
        for dressing, plan in product(DRESSINGS, PLANS_OF_GROUPS):
            found.append(Piece(dressed(base, dressing), "fixed rule", 200, (plan,), True))
    return found
