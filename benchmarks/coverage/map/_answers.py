"""Repetitions as long as the seconds last: cheap measures together, costly ones each for itself."""

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

CHEAP, USUAL = 0.012, 3.0
"""Seconds, and times the median of all measures: what takes longer than both is asked fewer times.
Seconds are those of the processor, so that a busy machine changes nothing."""
FEWEST, DEEP = 40, 60
"""Repetitions; a costly measure that the seconds do not allow so many is left to a deep piece."""


@dataclass(frozen=True)
class Answer:
    """What one estimate or difference said."""

    low: float
    high: float
    method: str = ""
    said: str = ""
    p: float = float("nan")


@dataclass
class Tally:
    """All answers of one measure."""

    answers: list[Answer] = field(default_factory=list)

    def shares(self, truth: float, level_null: bool = False) -> dict[str, Any]:
        """The fields of a cell that come from the answers."""
        slack = 1e-9
        ends = np.array([(one.low, one.high) for one in self.answers])
        low, high = ends[np.isfinite(ends).all(axis=1)].T
        below, above = high < truth - slack, low > truth + slack
        said = Counter(one.said for one in self.answers if one.said)
        count, p = len(self.answers), np.array([one.p for one in self.answers])
        shown = [one.method for one in self.answers if one.low <= one.high]
        some = low.size > 0
        return {
            "methods": tuple(sorted(set(shown))),
            "repetitions": count,
            "coverage": float((~below & ~above).mean()) if some else float("nan"),
            "below": float(below.mean()) if some else float("nan"),
            "above": float(above.mean()) if some else float("nan"),
            "width": float(np.median(high - low)) if some else float("nan"),
            "undefined": 1 - low.size / count,
            "noted": sum(said.values()) / count,
            "said": said.most_common(1)[0][0] if said else "",
            "rejected": float((p < 0.05).mean()) if level_null else float("nan"),
        }


Ask = Callable[[Any, list[Any], int], list[Answer]]
"""Of a table, some measures and a seed: an answer each."""


def collected(
    draws: Callable[[int], Any],
    measures: list[Any],
    ask: Ask,
    seconds: float,
    most: int,
    deep: bool = False,
) -> dict[str, Tally]:
    """Answers by measure, on tables numbered from 0, cut short by the seconds allowed.

    `deep` asks for every measure a few times, however long they take.
    """
    first = draws(0)
    cost = {measure.title: _seconds(ask, first, measure) for measure in measures}
    usual = max(CHEAP, USUAL * float(np.median(list(cost.values()))))
    cheap = [measure for measure in measures if cost[measure.title] <= usual]
    dear = [measure for measure in measures if cost[measure.title] > usual]
    each = _shared({one.title: cost[one.title] for one in dear}, seconds / 2, most)
    if deep:
        seconds, each = 0.0, {name: max(DEEP, times) for name, times in each.items()}
    found: dict[str, Tally] = {}
    spent = 0.0
    for number in range(most):
        again = [m for m in dear if number < each[m.title] >= FEWEST]
        if not again and (not cheap or (spent > seconds and number >= FEWEST)):
            break
        start = time.process_time()
        table = draws(number)
        wanted = cheap if spent <= seconds or number < FEWEST else []
        _keep(found, wanted, ask(table, wanted, number))
        spent += time.process_time() - start
        _keep(found, again, ask(table, again, number))
    return found


def _shared(cost: dict[str, float], seconds: float, most: int) -> dict[str, int]:
    """How often each is asked: seconds shared alike, what one leaves goes to the dearer ones."""
    found = {}
    for left, (name, each) in zip(
        range(len(cost), 0, -1), sorted(cost.items(), key=lambda x: x[1]), strict=True
    ):
        found[name] = min(most, int(seconds / left / each))
        seconds -= found[name] * each if found[name] >= FEWEST else 0
    return found


def _keep(found: dict[str, Tally], measures: Iterable[Any], answers: list[Answer]) -> None:
    for measure, answer in zip(measures, answers, strict=True):
        found.setdefault(measure.title, Tally()).answers.append(answer)


def _seconds(ask: Ask, table: Any, measure: Any) -> float:
    """The shorter of two, as the first may compile."""
    took = []
    for _ in range(2):
        start = time.process_time()
        ask(table, [measure], 0)
        took.append(time.process_time() - start)
        if took[-1] > 100 * CHEAP:
            break
    return min(took)
