"""The experiment behind tables 2.3 to 2.9: boosting by weights and by drawing, two classes."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast.data import simulate
from heliast.ensembles import BoostedVote
from heliast.learners import Tree
from heliast.plans import Fresh
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Value
from heliast.reproduce.studies._votes import AtStages, by_split

Array = npt.NDArray[Any]
B = (2, 10, 20, 40, 60, 80, 100, 120)
TEST = 1000
BAYES, RADIUS = 0.17, 1.45
SLACK = 5.0
"""Points: the distribution is known from a picture only, and training sets were few."""
WORDS = f"""An entry is within tolerance if it is no further from ours than 3 joint standard errors
(the printed average and that of our repetitions), or {SLACK:g} points: the document shows the
distribution in a picture only, and its 5 to 10 training sets are few."""


@dataclass(frozen=True)
class Concentric:
    """So many training rows of each class; trees with so many leaves, or as they come."""

    per_class: int
    leaves: int | None
    repetitions: int

    @property
    def title(self) -> str:
        """Such as `Concentric classes, 20 rows of each, trees with 2 leaves`."""
        trees = "default trees" if self.leaves is None else f"trees with {self.leaves} leaves"
        return f"Concentric classes, {self.per_class} rows of each, {trees}"

    @property
    def design(self) -> str:
        """Data, sampling and models, in words."""
        return f"""A disc inside a ring that overlaps it, Bayes error {100 * BAYES:g}%, radius
        {RADIUS:g}: chosen so that 1NN and trees err about as printed, as there is a picture only;
        {self.per_class} fresh training rows of each class, {TEST} rows to test on; boosting by
        weights stops, and by drawing begins anew with equal weights, when a member errs on half of
        the weight."""

    @property
    def tree(self) -> Tree:
        """The base: with a number of leaves, grown best first to that number."""
        return Tree() if self.leaves is None else Tree(max_leaves=self.leaves, min_deviance=0)

    def errors(self, setting: Setting) -> Mapping[tuple[str, int], Array]:
        """Errors in per cent by classifier and B, one a training set."""
        times = 1 if setting.quick else self.repetitions
        return setting.once((self, times, setting.seed), lambda: self._run(setting, times))

    def _run(self, setting: Setting, times: int) -> Mapping[tuple[str, int], Array]:
        from sklearn.neighbors import KNeighborsClassifier

        tree, most = self.tree, max(B)
        votes = {
            "Boosting (Det)": BoostedVote(tree, most, draw="reweight", on_weak="stop"),
            "Boosting (Rand)": BoostedVote(tree, most, draw="resample", on_weak="reset"),
        }
        alone = {"Tree": tree, "1NN": KNeighborsClassifier(1)}
        models = {**{name: AtStages(vote, B) for name, vote in votes.items()}, **alone}
        data = simulate.concentric(BAYES, RADIUS).sample(TEST, seed=setting.seed)
        plan = Fresh(times, (self.per_class, self.per_class))
        found = setting.run(models, data, plan, setting.seed)
        by = {(name, b): by_split(found, f"{name}/B={b}") for name in votes for b in B}
        for name in alone:
            by.update({(name, b): by_split(found, name) for b in B})
        return by

    def beside(
        self, setting: Setting, group: str, printed: Mapping[str, list[float]], printed_se: float
    ) -> Iterator[Value]:
        """Each printed error beside the mean of ours."""
        found = self.errors(setting)
        for row, numbers in printed.items():
            for b, number in zip(B if len(numbers) > 1 else B[-1:], numbers, strict=True):
                ours = found[row, b]
                se = ours.std(ddof=1) / math.sqrt(len(ours)) if len(ours) > 1 else math.nan
                joint = 3 * math.hypot(printed_se, float(np.nan_to_num(se)))
                yield Value(
                    group, row, f"B={b}", number, float(ours.mean()), max(joint, SLACK),
                    float(se), printed_se,
                )  # fmt: skip
