"""The experiment behind tables 3.1 and 3.2: bias and variance by three definitions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast.ensembles import BaggedVote, CodedVote
from heliast.learners import Neighbours, Tree
from heliast.plans import Fresh
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Note, Value
from heliast.reproduce.studies._leafy import Leafy
from heliast.reproduce.studies._normals import (
    LabelsOnly,
    another,
    error_of_mean,
    tested,
    with_bayes_error,
)
from heliast.theory import every_definition

ROWS = {
    "Bias (Dietterich)": ("kong_dietterich", "bias"),
    "Variance (Dietterich)": ("kong_dietterich", "variance"),
    "Bias (Breiman)": ("breiman", "bias"),
    "Variance (Breiman)": ("breiman", "variance"),
    "Bias": ("james", "bias"),
    "Variance": ("james", "variance"),
    "Systematic effect": ("james", "systematic_effect"),
    "Variance effect": ("james", "variance_effect"),
    "Bayes error": ("james", "noise"),
    "Prediction error": ("james", "loss"),
}
LESS = "Bias less Bayes error"
"""A printed row that is a difference of two others: Dietterich's bias less the Bayes error."""
ALONE = 5.0
DEFAULT_LEAVES = 9
"""As many as a default tree has on five rows of each of ten classes."""
WORDS = """The means of the classes are not printed, so an entry may lie as far from ours as one
more such task would with 95% (Student's t over our tasks, whose entries also scatter by their
training sets), and 0.15 points for rounding and the Bayes error."""
Entries = Mapping[str, Mapping[str, float]]
"""By classifier and row, in per cent."""


@dataclass(frozen=True)
class Parts:
    """One of the two artificial data sets, and its classifiers."""

    classes: int
    spread: float
    aim: float
    per_class: int
    neighbours: tuple[int, ...]
    more: int
    """How many times as many training sets the neighbours get."""
    tasks: int
    """How many draws of the means there are."""
    leaves: tuple[int, ...] = ()

    @property
    def design(self) -> str:
        """Data, sampling and models, in words."""
        trees = (
            f"""default trees cut back by deviance to at most {self.leaves[0]} and {self.leaves[1]}
            leaves, and to {self.leaves[2]} a tree whose nodes of 2 rows may be split"""
            if self.leaves
            else "a tree by itself"
        )
        near = ", ".join(map(str, self.neighbours))
        often = f", of the neighbours {100 * self.more}" if self.more > 1 else ""
        return f"""{self.classes} standard bivariate normal classes, means uniform in
        +-{self.spread} and such that the Bayes error is {100 * self.aim:.1f}% to 0.3 points;
        {self.tasks} such tasks; {self.per_class} training rows of each class, 1040 test points;
        LDA, ECOC and bagging with 100 default trees, {trees}, and {near} nearest neighbours (tied
        votes, and tied classes of a single tree's leaf, drawn); 100 training sets of
        each{often}; true posteriors."""

    def models(self) -> dict[str, tuple[Any, int]]:
        """Name, model, and how many times as many training sets it gets."""
        from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

        trees = {f"Tree{m}": _leafy(m) for m in self.leaves} or {"Tree": Leafy(Tree())}
        found: dict[str, tuple[Any, int]] = {
            "LDA": (LinearDiscriminantAnalysis(), 1),
            "ECOC": (LabelsOnly(CodedVote(Tree(), columns=100)), 1),
            "Bagging": (LabelsOnly(BaggedVote(Tree(), 100)), 1),
        }
        found.update({name: (tree, 1) for name, tree in trees.items()})
        near = {f"{k}NN": (Neighbours(k), self.more) for k in self.neighbours}
        return found | near

    def found(self, setting: Setting) -> list[Entries]:
        """The entries of each task; made once, however many studies ask for them."""
        times, sets = (1, 3) if setting.quick else (self.tasks, 100)
        key = (self, times, sets, setting.seed)
        return setting.once(key, lambda: self._run(setting, times, sets))

    def _run(self, setting: Setting, times: int, sets: int) -> list[Entries]:
        tasks = with_bayes_error(setting, self.classes, self.spread, self.aim, times)
        return [self._entries(setting, task, sets) for task in tasks]

    def _entries(self, setting: Setting, task: Any, sets: int) -> Entries:
        data = tested(task, setting.seed)
        models = self.models()
        by: dict[str, Mapping[str, float]] = {}
        for more in sorted({more for _, more in models.values()}):
            some = {name: model for name, (model, often) in models.items() if often == more}
            plan = Fresh(sets * more, self.per_class * self.classes)
            table = setting.run(some, data, plan, setting.seed + 1)
            for name in some:
                parts = every_definition(
                    table.only(model=name), posteriors=data.posteriors, replicates=2
                )
                column = {row: 100 * parts[d][p].value for row, (d, p) in ROWS.items()}
                by[name] = column | {LESS: column["Bias (Dietterich)"] - column["Bayes error"]}
        return by

    def beside(
        self, setting: Setting, group: str, printed: Mapping[str, tuple[float, ...]]
    ) -> Iterator[Value | Note]:
        """Each printed entry beside the mean over our tasks; how they fare together."""
        found = self.found(setting)
        entries = [
            (name, row, number)
            for name, numbers in printed.items()
            for row, number in zip((*ROWS, LESS), (*numbers, numbers[0] - numbers[8]), strict=True)
        ]
        outside = together = 0
        for name, row, number in entries:
            ours = np.array([one[name][row] for one in found])
            mean, far = float(ours.mean()), another(ours, 0.15, ALONE)
            outside += abs(number - mean) > far
            together += abs(number - mean) > another(ours, 0.15, ALONE, len(entries))
            yield Value(group, row, name, number, mean, far, error_of_mean(ours))
        if len(found) > 1:
            yield Note(
                f"Outside the limits of its own: {outside}; if all were well, about "
                f"{0.05 * len(entries):.0f} of {len(entries)} would be. Outside limits that hold "
                f"for all entries together (95%, Bonferroni): {together}."
            )


def _leafy(leaves: int) -> Leafy:
    """A tree of so many leaves; five rows a class stop the default one at nine or so."""
    deep = Tree(min_cut=1, min_size=2, min_deviance=0.0)
    return Leafy(Tree() if leaves < DEFAULT_LEAVES else deep, leaves)


FIRST = Parts(26, 11.0, 0.231, 10, (1, 5, 11), 10, 5)
SECOND = Parts(10, 6.4, 0.205, 5, (1, 11), 10, 20, (5, 8, 13))
