"""Models over data sets: whether they can be tested, the test, and which rankings are possible."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from heliast._core.kinds import Array
from heliast._core.records import Shown
from heliast.verbs.compare import FEWEST_SETS, over_sets
from heliast.verbs.comparison import Comparison
from heliast.verbs.question import Question


class Ranked(Protocol):
    """Models with a value on each of several data sets."""

    @property
    def models(self) -> tuple[str, ...]: ...
    @property
    def values(self) -> Array: ...
    @property
    def incomplete(self) -> Mapping[str, str]: ...
    def identical(self, a: str, b: str) -> bool: ...


@dataclass(frozen=True)
class Possible(Shown):
    """A ranking that is possible: without whom, and over how many data sets.

    Parameters
    ----------
    without : tuple of str
        The models that are left out; none is the ranking of all.
    models, sets : int
        How many models are ranked, and on how many data sets all of them have a value.
    """

    without: tuple[str, ...]
    models: int
    sets: int


def possible(lacking: Sequence[Sequence[str]], models: Sequence[object]) -> tuple[Possible, ...]:
    """The rankings that leave out ever more of the models that fail, the most fragile first.

    `lacking` has for each data set the models without a value there. A model is left out only if
    that makes a data set complete, and two are always left.

    >>> [(one.without, one.sets) for one in possible([["qda"], ["qda", "svm"], []], range(4))]
    [((), 1), (('qda',), 2), (('qda', 'svm'), 3)]
    """
    left = [set(one) for one in lacking]
    without: list[str] = []
    found = [Possible((), len(models), sum(not one for one in left))]
    while any(left) and found[-1].models > 2:
        failed = {model: sum(model in one for one in left) for one in left for model in one}
        worst = max(sorted(failed), key=failed.__getitem__)
        without.append(worst)
        left = [one - {worst} for one in left]
        whole = sum(not one for one in left)
        found.append(Possible(tuple(without), len(models) - len(without), whole))
    return tuple(one for at, one in enumerate(found) if not at or one.sets > found[at - 1].sets)


def judged_over(found: Ranked, question: Question) -> tuple[Comparison | None, str]:
    """The test over the data sets that every model has a value on; or None, and why not."""
    why = _too_few(found)
    return (None, why) if why else (over_sets(_Values(found), question), "")


class _Values:
    """Values of models over data sets, as the tests take them."""

    def __init__(self, found: Ranked) -> None:
        self.models, self.table, self.identical = found.models, found.values, found.identical
        self.values = dict(zip(self.models, self.table.mean(axis=0).tolist(), strict=True))
        self.left_out: dict[str, str] = {}
        self.notes: tuple[str, ...] = ("values of models are means over data sets",)


def _too_few(found: Ranked) -> str:
    """Why no test over these data sets is possible; empty if one is."""
    if len(found.models) < 2:
        return "fewer than two models have a value anywhere"
    n = len(found.values)
    if n >= FEWEST_SETS:
        return ""
    said = f"{n} complete data set{'' if n == 1 else 's'}"
    if found.incomplete:
        said += f" ({len(found.incomplete)} more where a model failed)"
    return f"{said}: with fewer than {FEWEST_SETS} no p below 0.05 exists; add data sets" + (
        ", or leave out the models that fail" if found.incomplete else ""
    )
