"""The loop all simulated families share: draw test sets, ask every method, tally."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage._cell import Cell, tally
from heliast.estimates import Case, estimate
from heliast.estimates._bootstrap import drawn_limits
from heliast.estimates._drawn import draws
from heliast.measures import Measure
from heliast.measures.forms import Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

Array = npt.NDArray[Any]
KINDS = {
    "bootstrap": "bca",
    "bootstrap*": "bca",
    "bootstrap_percentile*": "percentile",
    "bootstrap_percentile": "percentile",
    "bootstrap_basic": "basic",
}
DEFAULTS = ("auto", "bootstrap*", "bootstrap_percentile*")
Pairs = Sequence[tuple[Measure, Sequence[str]]]
Place = tuple[int, str]
"""Which of the pairs, and the method."""
Answer = tuple[float, float, bool]
"""Low, high, and whether anything was said."""
Prevalences = Mapping[Any, float] | None


@dataclass(frozen=True)
class Task:
    """A name, how to draw a test set of n rows, and the population it comes from."""

    name: str
    draw: Callable[[np.random.Generator, int], Rows]
    population: Rows
    smallest: float = float("nan")
    prevalences: Prevalences = None
    truths: dict[str, float] = field(default_factory=dict)

    def truth(self, measure: Measure) -> float:
        key = measure.title
        if key not in self.truths:
            value = measure.form(Counted(self.population)).value
            self.truths[key] = float(value)
        return self.truths[key]


def pool_task(name: str, population: Rows, smallest: float = float("nan")) -> Task:
    """Test sets drawn row by row from a population so large that it stands for itself."""

    def draw(rng: np.random.Generator, n: int) -> Rows:
        return population.at(rng.integers(population.n, size=n))

    return Task(name, draw, population, smallest)


def smallest_share(rows: Rows) -> float:
    counts = np.bincount(rows.y_true, minlength=len(rows.classes))
    return float(counts.min() / rows.n)


def study(
    family: str,
    task: Task,
    sizes: Sequence[int],
    pairs: Pairs,
    repetitions: int,
    seed: int,
) -> list[Cell]:
    """One cell for each size, measure and method.

    `auto` is the measure's default; a star marks what is known to be it, so
    that one set of replicates serves all three kinds of limits.
    """
    cells = []
    for n in sizes:
        rng = np.random.default_rng([seed, n, sum(map(ord, task.name))])
        found = _collected(task, n, pairs, repetitions, seed, rng)
        for (place, name), answers in found.items():
            measure = pairs[place][0]
            ends = np.array([(low, high) for low, high, _ in answers])
            cells.append(
                Cell(
                    family,
                    task.name,
                    measure.title,
                    name.rstrip("*"),
                    name in DEFAULTS,
                    n,
                    task.smallest * n,
                    repetitions,
                    **tally(ends[:, 0], ends[:, 1], task.truth(measure)),
                    warned=float(np.mean([noted for _, _, noted in answers])),
                )
            )
    return cells


def _collected(
    task: Task, n: int, pairs: Pairs, repetitions: int, seed: int, rng: np.random.Generator
) -> dict[Place, list[Answer]]:
    """All answers on `repetitions` test sets, by measure and method."""
    found: dict[Place, list[Answer]] = {}
    known: dict[bytes, list[tuple[Place, Answer]]] = {}
    for number in range(repetitions):
        rows = task.draw(rng, n)
        key = _key(rows)
        answers = None if key is None else known.get(key)
        if answers is None:
            answers = _answers(rows, task.prevalences, pairs, seed + number)
            if key is not None:
                known[key] = answers
        for place, answer in answers:
            found.setdefault(place, []).append(answer)
    return found


def _key(rows: Rows) -> bytes | None:
    """Test sets without scores are known by their table: many are drawn more than once."""
    if rows.task != "classification" or rows.scores is not None or rows.weight is not None:
        return None
    if rows.group is not None:
        return None
    k = len(rows.classes)
    cells = rows.y_true.astype(np.int64) * k + rows.y_pred
    return np.bincount(cells, minlength=k * k).tobytes()


def _answers(
    rows: Rows,
    prevalences: Prevalences,
    pairs: Pairs,
    seed: int,
) -> list[tuple[Place, Answer]]:
    counted = Counted(rows, prevalences)
    answers = []
    for place, (measure, names) in enumerate(pairs):
        for name in names:
            if name not in KINDS:
                one = estimate(measure, counted, interval=name, seed=seed)
                noted = bool(one.notes or one.reason)
                answers.append(((place, name), (one.low, one.high, noted)))
        kinds = [name for name in names if name in KINDS]
        if kinds:
            answers += _by_bootstrap(place, measure, counted, kinds, seed)
    return answers


def _by_bootstrap(
    place: int, measure: Measure, counted: Counted, kinds: list[str], seed: int
) -> list[tuple[Place, Answer]]:
    """Percentile, basic and BCa limits from the same replicates."""
    form = measure.form(counted)
    nan = float("nan")
    if isinstance(form, Undefined):
        return [((place, name), (nan, nan, True)) for name in kinds]
    case = Case(form, 0.95, counted.rows, measure, seed)
    found = draws(case)
    answers = []
    for name in kinds:
        limits = drawn_limits(case, found, KINDS[name])  # type: ignore[arg-type]
        noted = bool(limits.notes or limits.reason)
        answers.append(((place, name), (limits.low, limits.high, noted)))
    return answers
