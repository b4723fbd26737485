"""Looking again: how often a model at the bar passes, and how many rows a better one needs.

python -m benchmarks.studies.sequential [repeats]
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.stats import norm, t

import heliast as hl

REPEATS, SEED = 2_000, 16
LOOKS, EACH = 20, 100
"""So many looks, one after each so many rows."""
Array = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Growing:
    """A test set that grows: `first(n)` are its first rows, `kinds` all that matters of each row.

    Where `kinds` is given, test sets with as many rows of each kind have the same outcome, so that
    it is asked for once.
    """

    first: Callable[[int], hl.Predictions]
    kinds: Array | None = None

    def key(self, n: int) -> tuple[int, ...] | None:
        """How many of the first rows are of each kind."""
        return None if self.kinds is None else tuple(np.bincount(self.kinds[:n], minlength=4))


Draw = Callable[[np.random.Generator, int, float], Growing]


def labelled(truth: Array, **wrong: Array) -> Growing:
    """Models that err where they are said to."""

    def first(n: int) -> hl.Predictions:
        tables = [
            hl.Predictions.of(
                truth[:n], truth[:n] ^ errs[:n], model=name, positive=1, classes=[0, 1]
            )
            for name, errs in wrong.items()
        ]
        return tables[0] if len(tables) == 1 else tables[0].join(tables[1])

    return Growing(first, np.array([1, 2])[: len(wrong)] @ np.stack([*wrong.values()]))


def scored(truth: Array, score: Array, scores: Any, kinds: Array | None = None) -> Growing:
    """A model with scores."""
    return Growing(
        lambda n: hl.Predictions.of(
            truth[:n], y_score=score[:n], positive=1, classes=[0, 1], scores=scores
        ),
        kinds,
    )


def errors_at(rng: np.random.Generator, n: int, rate: float) -> Growing:
    """A model that errs with this probability."""
    return labelled(rng.integers(0, 2, n), model=rng.random(n) < rate)


def pairs_at(rng: np.random.Generator, n: int, gap: float) -> Growing:
    """Two models that err on 10% and 10% + gap of the rows, half of the errors shared."""
    lot = rng.random(n)
    new = (lot < 0.05) | ((lot > 0.5) & (lot < 0.55 + gap))
    return labelled(rng.integers(0, 2, n), old=lot < 0.1, new=new)


def areas_at(rng: np.random.Generator, n: int, auc: float) -> Growing:
    """A fifth of the rows positive, normal scores with this area under the ROC curve."""
    truth = (rng.random(n) < 0.2).astype(np.int64)
    return scored(truth, rng.normal(np.sqrt(2) * norm.ppf(auc) * truth, 1.0), "decision")


def heavy_at(rng: np.random.Generator, n: int, auc: float) -> Growing:
    """A tenth of the rows positive, scores with Student's t of 3 degrees of freedom."""
    truth = (rng.random(n) < 0.1).astype(np.int64)
    return scored(truth, rng.standard_t(3, n) + _shift(auc) * truth, "decision")


@cache
def _shift(auc: float) -> float:
    """How far scores have to lie apart for this area."""
    at = np.linspace(-200, 200, 400_001)
    density = t.pdf(at, 3) * (at[1] - at[0])
    return float(brentq(lambda by: density @ t.cdf(at + by, 3) - auc, 0.0, 20.0))


def right_at(rng: np.random.Generator, n: int, low: float) -> Growing:
    """Probabilities `low` or 1 - `low` that are right."""
    chance = np.where(rng.random(n) < 0.5, low, 1 - low)
    truth = (rng.random(n) < chance).astype(np.int64)
    return scored(truth, chance, "probability", (truth == (chance > 0.5)).astype(np.int64))


def brier_at(rng: np.random.Generator, n: int, brier: float) -> Growing:
    """Probabilities 0.5 +- d that are right, so that the Brier score is 0.25 - d^2."""
    return right_at(rng, n, 0.5 - float(np.sqrt(0.25 - brier)))


def entropy(q: float) -> float:
    """The expected log loss of `right_at`."""
    return float(-q * np.log(q) - (1 - q) * np.log(1 - q))


@dataclass(frozen=True)
class Case:
    """A requirement, how to draw a test set, a model exactly at the bar and one that is better."""

    words: str
    draw: Draw
    at_bar: float
    better: float

    @property
    def true(self) -> float:
        """The value of the better model."""
        return entropy(self.better) if self.draw is right_at else self.better


CASES = (
    Case("error.high <= 0.1", errors_at, 0.1, 0.07),
    Case("auc.low >= 0.8", areas_at, 0.8, 0.85),
    Case("auc.low >= 0.9", heavy_at, 0.9, 0.94),
    Case("error(new - old).high <= 0.02", pairs_at, 0.02, -0.01),
    Case("brier.high <= 0.2", brier_at, 0.2, 0.185),
    Case(f"log_loss.high <= {entropy(0.05):.12f}", right_at, 0.05, 0.035),
)


KNOWN: dict[Any, str] = {}


def outcome_of(case: Case, rows: Growing, n: int, looks: str) -> str:
    """What the gate says of the first rows; asked once for all test sets that are alike."""
    key = case.words, rows.key(n), looks
    if rows.kinds is not None and key in KNOWN:
        return KNOWN[key]
    KNOWN[key] = hl.gate(rows.first(n), case.words, looks=looks).outcome
    return KNOWN[key]


def passes_at(case: Case, rows: Growing, each: int, kind: str, looks: int) -> float:
    """The look at which it passes, if it does before it fails; else infinite."""
    for look in range(1, looks + 1):
        words = f"{look}/{looks}" if kind == "planned" else kind
        outcome = outcome_of(case, rows, look * each, words)
        if outcome != "inconclusive":
            return look if outcome == "pass" else np.inf
    return np.inf


def at_the_bar(repeats: int) -> None:
    """Shares of models exactly at the bar that pass."""
    print("| at the bar | first look | one-look gate, 20 looks | --sequential, 20 looks | "
          "--look k/5 |")  # fmt: skip
    print("| --- | --- | --- | --- | --- |")
    for case in CASES:
        found: dict[str, list[float]] = {"one": [], "any": [], "planned": []}
        for at in range(repeats):
            rng = np.random.default_rng([SEED, at])
            rows = case.draw(rng, LOOKS * EACH, case.at_bar)
            for kind in ("one", "any"):
                found[kind].append(passes_at(case, rows, EACH, kind, LOOKS))
            found["planned"].append(passes_at(case, rows, 4 * EACH, "planned", 5))
        shares = [np.mean(np.array(found["one"]) == 1)]
        shares += [np.mean(np.isfinite(found[kind])) for kind in found]
        cells = " | ".join(f"{100 * share:.1f}%" for share in shares)
        print(f"| `{case.words:.40}` | {cells} |", flush=True)


def better(repeats: int) -> None:
    """The rows that a better model needs, looking again, against a single test planned for it."""
    print("| better than the bar | true | one look: rows | passes | --sequential: by then | "
          "by 2 x | median rows | --look k/5: passes | mean rows |")  # fmt: skip
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for case in CASES:
        rows = _planned(case)
        each, looks = -(-rows // 10), 40
        found: dict[str, list[float]] = {"one": [], "any": [], "planned": []}
        for at in range(repeats):
            rng = np.random.default_rng([SEED + 1, at])
            drawn = case.draw(rng, looks * each, case.better)
            found["one"].append(passes_at(case, drawn, rows, "one", 1))
            found["any"].append(passes_at(case, drawn, each, "any", looks))
            found["planned"].append(passes_at(case, drawn, -(-rows // 5), "planned", 5))
        any_, planned = np.array(found["any"]), np.array(found["planned"])
        cells = [
            f"{rows:,}", f"{100 * np.mean(np.isfinite(found['one'])):.1f}%",
            f"{100 * np.mean(any_ <= 10):.1f}%", f"{100 * np.mean(any_ <= 20):.1f}%",
            f"{np.median(any_) * each:,.0f}", f"{100 * np.mean(np.isfinite(planned)):.1f}%",
            f"{np.minimum(planned, 5).mean() * -(-rows // 5):,.0f}",
        ]  # fmt: skip
        print(f"| `{case.words:.40}` | {case.true:.3g} | {' | '.join(cells)} |", flush=True)


def _planned(case: Case) -> int:
    """The rows that the gate advises for this model, from a first test set of 100."""
    for at in range(100):
        rng = np.random.default_rng([SEED + 2, at])
        bar = float(case.words.split()[-1])
        table = case.draw(rng, 400, case.better).first(400)
        (ruling,) = hl.gate(table, case.words, margin=abs(bar - case.true))
        if ruling.outcome == "inconclusive":
            return int(ruling.fresh)
    raise RuntimeError(f"{case.words}: always decided with 400 rows")


def advice(repeats: int) -> None:
    """Models at the bar, and equal models: the advised number of fresh rows, and what they find."""
    print("| advice | advised rows, quartiles | fresh test finds too much |")
    print("| --- | --- | --- |")
    for case in CASES[:4]:
        advised, passed = [], []
        for at in range(repeats):
            rng = np.random.default_rng([SEED + 3, at])
            (ruling,) = hl.gate(case.draw(rng, 400, case.at_bar).first(400), case.words)
            if ruling.outcome == "inconclusive":
                advised.append(ruling.fresh)
                rows = min(20_000, int(ruling.fresh))
                again = case.draw(rng, rows, case.at_bar)
                passed.append(outcome_of(case, again, rows, "one") == "pass")
        _say(f"gate, `{case.words}`, model at the bar", advised, passed)
    advised, passed = [], []
    for at in range(repeats):
        rng = np.random.default_rng([SEED + 4, at])
        found = hl.compare(pairs_at(rng, 400, 0.0).first(400))
        if found.pairs[0].verdict == "inconclusive":
            needed = found.pairs[0].cases_to_decide(margin=found.margin or 0.01)
            advised.append(needed.cases)
            rows = int(needed.cases)
            passed.append(hl.compare(pairs_at(rng, rows, 0.0).first(rows)).pairs[0].p < 0.05)
    _say("compare, equal models", advised, passed)


def _say(words: str, advised: list[float], passed: list[bool]) -> None:
    low, middle, high = np.quantile(advised, [0.25, 0.5, 0.75])
    share = f"{100 * np.mean(passed):.1f}%"
    print(f"| {words} | {low:,.0f}, {middle:,.0f}, {high:,.0f} | {share} |", flush=True)


if __name__ == "__main__":
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else REPEATS
    at_the_bar(repeats)
    better(repeats // 4)
    advice(repeats // 2)
