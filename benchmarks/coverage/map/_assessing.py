"""The cells of `assess`: draw, split, fit, ask every measure, tally."""

import json
import os
from collections.abc import Callable
from zlib import crc32

import numpy as np

from benchmarks.coverage.map._answers import Answer, collected
from benchmarks.coverage.map._asked import asked
from benchmarks.coverage.map._cell import Cell
from benchmarks.coverage.map._pieces import (
    ONE,
    PLANS,
    PLANS_OF_GROUPS,
    RESAMPLES,
    Piece,
    trained,
)
from benchmarks.coverage.map._tables import cut, fitted_once, scored, table
from benchmarks.coverage.map._truth import Truths, of_model, of_recipe, of_rule
from benchmarks.coverage.map._worlds import World
from benchmarks.coverage.resampled._store import FOLDER
from heliast.estimates import design_key
from heliast.estimates.resampled import Case, Parts, over_one, over_splits
from heliast.measures import Measure
from heliast.predictions import Predictions

TRAINING = 200
"""Training rows of the one model of `one test set`."""
MOST = 1000
FEW_CLASSES, LONG = 3, ("hand_till", "partial_auc")


def cells(
    piece: Piece, seconds: float, sets: int, seed: int, only: tuple[str, ...] = ()
) -> list[Cell]:
    """The cells of a piece, a plan at a time; `only` of some measures, if given."""
    each = (_of_plan(piece, plan, seconds, sets, seed, only) for plan in piece.plans)
    return [cell for found in each for cell in found]


def _of_plan(
    piece: Piece, plan: str, seconds: float, sets: int, seed: int, only: tuple[str, ...]
) -> list[Cell]:
    world, n = piece.world, piece.n
    draws, truths = drawn(piece, plan, sets, seed, only)
    most = MOST if n <= 1000 else MOST // 2
    measures = asked(world, only)
    if world.k > FEW_CLASSES:  # one test set of many classes takes a minute for each of these
        measures = [one for one in measures if plan != ONE or one.name not in LONG]
    tallies = collected(draws, measures, ask, seconds, most, piece.deep)
    design = _design(draws(0))
    made = []
    for measure in asked(world, only):
        if measure.title not in tallies:
            continue
        pooled, pooled_se, mean, mean_se = truths[measure.title]
        over_rows = plan == ONE or measure.over == "rows"
        truth, se = (pooled, pooled_se) if over_rows else (mean, mean_se)
        made.append(
            Cell(
                "assess", measure.name, design=design, plan=_words(plan, world), world=world.name,
                family=world.family, share=world.share, learner=piece.learner, n=n,
                rarest=world.share * n if world.k else float("nan"), truth=truth, truth_se=se,
                **tallies[measure.title].shares(truth),
            )
        )  # fmt: skip
    return made


def _words(plan: str, world: World) -> str:
    return f"{plan}, {world.dressing}" if world.dressing else plan


def ask(predictions: Predictions, measures: list[Measure], seed: int) -> list[Answer]:
    """The default interval of each measure, as `assess` gives it for the positive class."""
    if not measures:
        return []
    parts = Parts(predictions, predictions.models[0])
    found = []
    for measure in measures:
        case = Case(parts, predictions, measure, seed=seed)
        one = over_splits(case) if parts.single is None else over_one(case, "auto")
        found.append(Answer(one.low, one.high, one.key, one.reason or "; ".join(one.notes)))
    return found


def _design(predictions: Predictions) -> str:
    parts = Parts(predictions, predictions.models[0])
    return design_key(Case(parts, predictions, asked_any(predictions)))


def asked_any(predictions: Predictions) -> Measure:
    from heliast.measures import get

    return get("error" if predictions.task == "classification" else "mae")


def drawn(
    piece: Piece, plan: str, sets: int, seed: int, only: tuple[str, ...] = ()
) -> tuple[Callable[[int], Predictions], Truths]:
    """How to draw the table of each number, and the truth of its target."""
    world, n, learner = piece.world, piece.n, piece.learner
    about = f"{world.name} {world.dressing} {learner} {plan} {n}"
    root = crc32(about.encode())
    if plan == ONE:
        model = np.random.default_rng([seed, crc32(f"{world.name} {learner}".encode()), 3])
        predict = fitted_once(world, learner, TRAINING, model)

        def one_set(number: int) -> Predictions:
            sample = world.draw(n, np.random.default_rng([seed, root, number]), None)
            return table(world, sample, predict(sample.X))

        def make_one() -> Truths:
            return of_model(world, predict, seed, only)

        return one_set, _kept(world, learner, 0, 1, seed, make_one, only)
    frozen = (PLANS_OF_GROUPS if world.dressing else PLANS | RESAMPLES)[plan]
    assert frozen is not None
    size = trained(plan, n)

    def splits(number: int) -> Predictions:
        rng = np.random.default_rng([seed, root, number])
        sample = world.draw(n, rng, None)
        job, records = cut(frozen, world, sample, rng)
        found = table(world, sample, scored(world, learner, job), job, records)
        return found.only(role="test") if plan in RESAMPLES else found

    if learner == "fixed rule":
        return splits, _kept(world, learner, 0, 1, seed, lambda: of_rule(world, seed, only), only)
    fewer = max(sets // 5, 100) if size > 1000 else sets

    def make() -> Truths:
        return of_recipe(world, learner, size, fewer, seed, plan in RESAMPLES, only)

    return splits, _kept(world, learner, size, fewer, seed, make, only, plan in RESAMPLES)


def _kept(
    world: World,
    learner: str,
    size: int,
    sets: int,
    seed: int,
    make: Callable[[], Truths],
    only: tuple[str, ...] = (),
    again: bool = False,
) -> Truths:
    """Kept on disk: truths do not change with the methods, but with the measures' definitions."""
    words = f"{world.name} {world.dressing} {learner} {size} {sets} {seed}".replace(",", "")
    words += " resampled" if again else ""
    path = FOLDER / "map-truth" / f"{words}.json"
    known: Truths = json.loads(path.read_text()) if path.exists() else {}
    if any(measure.title not in known for measure in asked(world, only)):
        known |= make()
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(known))
        part.replace(path)
    return known
