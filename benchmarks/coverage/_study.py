"""The loop all simulated families share: draw test sets, ask every method, tally."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage._cell import Cell, tally
from heliast.estimates import Case, estimate
from heliast.estimates._bootstrap import drawn_limits
from heliast.estimates._draws import draws
from heliast.measures import Measure
from heliast.measures.forms import Undefined
from heliast.predictions import Rows
from heliast.summaries import Counted

Array = npt.NDArray[Any]
KINDS = {
    "bootstrap": "bca",
    "bootstrap*": "bca",
    "bootstrap_percentile": "percentile",
    "bootstrap_basic": "basic",
}
DEFAULTS = ("auto", "bootstrap*")
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
    counts = np.bincount(rows.truth, minlength=len(rows.classes))
    return float(counts.min() / rows.n)


def study(
    family: str,
    task: Task,
    sizes: Sequence[int],
    pairs: Sequence[tuple[Measure, Sequence[str]]],
    repetitions: int,
    seed: int,
) -> list[Cell]:
    """One cell for each size, measure and method.

    `auto` is the measure's default; `bootstrap*` stands for it where it is known to be BCa, so
    that one set of replicates serves all three kinds of limits.
    """
    cells = []
    for n in sizes:
        rng = np.random.default_rng([seed, n, sum(map(ord, task.name))])
        found: dict[tuple[int, str], list[tuple[float, float, bool]]] = {}
        known: dict[bytes, list[tuple[tuple[int, str], tuple[float, float, bool]]]] = {}
        for number in range(repetitions):
            rows = task.draw(rng, n)
            key = _key(rows)
            if key is None or key not in known:
                answers = _answers(rows, task.prevalences, pairs, seed + number)
                if key is not None:
                    known[key] = answers
            else:
                answers = known[key]
            for where, answer in answers:
                found.setdefault(where, []).append(answer)
        for (place, name), answers_of in found.items():
            measure = pairs[place][0]
            ends = np.array([(low, high) for low, high, _ in answers_of])
            numbers = tally(ends[:, 0], ends[:, 1], task.truth(measure))
            warned = float(np.mean([noted for _, _, noted in answers_of]))
            least = task.smallest * n
            cells.append(
                Cell(
                    family,
                    task.name,
                    measure.title,
                    name.rstrip("*"),
                    name in DEFAULTS,
                    n,
                    least,
                    repetitions,
                    **numbers,
                    warned=warned,
                )
            )
    return cells


def _key(rows: Rows) -> bytes | None:
    """Test sets without scores are known by their table: many are drawn more than once."""
    if rows.task != "classes" or rows.scores is not None or rows.weight is not None:
        return None
    if rows.group is not None:
        return None
    k = len(rows.classes)
    cells = rows.truth.astype(np.int64) * k + rows.label
    return np.bincount(cells, minlength=k * k).tobytes()


def _answers(
    rows: Rows,
    prevalences: Prevalences,
    pairs: Sequence[tuple[Measure, Sequence[str]]],
    seed: int,
) -> list[tuple[tuple[int, str], tuple[float, float, bool]]]:
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
) -> list[tuple[tuple[int, str], tuple[float, float, bool]]]:
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
