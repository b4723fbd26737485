"""Thesis, tables 2.3 to 2.9: boosting by weights and by drawing, two classes; section 2.6.1."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from sklearn.neighbors import KNeighborsClassifier

from heliast.data import simulate
from heliast.ensembles import BoostedVote
from heliast.learners import Tree
from heliast.plans import Fresh
from reproduction.experiments import errors_at_stages, parse_table, table_study
from reproduction.models import AtStages
from reproduction.study import Claim, study

B = (2, 10, 20, 40, 60, 80, 100, 120)
TEST = 1000
BAYES, RADIUS = 0.17, 1.45
SLACK = 5.0  # points: the distribution is known from a picture only, and training sets were few
DET, RAND = "Boosting (Det)", "Boosting (Rand)"


@dataclass(frozen=True)
class Concentric:
    """So many training rows of each class; trees with so many leaves, or as they come."""

    per_class: int
    leaves: int | None
    repetitions: int

    @cache  # noqa: B019  # experiments are constants
    def errors(self, settings):
        """Errors in per cent by classifier and B, one per training set."""
        tree = Tree(limits="s-plus")
        if self.leaves is not None:  # grown best first to that number
            tree.set_params(max_leaf_nodes=self.leaves, min_deviance=0)
        boosting = {"multiclass": "m1", "bins": None}
        by_weight = BoostedVote(tree, max(B), draw="weights", on_weak="stop", **boosting)
        by_drawing = BoostedVote(tree, max(B), draw="resample", on_weak="reset", **boosting)
        models = {
            DET: AtStages(by_weight, B),
            RAND: AtStages(by_drawing, B),
            "Tree": tree,
            "1NN": KNeighborsClassifier(1),
        }
        data = simulate.concentric(BAYES, RADIUS).sample(TEST, seed=settings.seed)
        plan = Fresh(settings.times(self.repetitions), (self.per_class, self.per_class))
        table = settings.run(models, data, plan, settings.seed)
        return errors_at_stages(table, {DET: DET, RAND: RAND}, ("Tree", "1NN"), B)


# Experiment, error of the printed means, and errors at each B; those of Tree and 1NN do not depend
# on it.
TABLES = {
    "2.3": (Concentric(20, 2, 10), 1.5, """
        Boosting (Det)   42.4  31.0  28.9  28.1  25.7  27.1  26.3  26.5
        Boosting (Rand)  42.4  32.6  29.5  28.7  26.8  26.1  25.6  25.7
        Tree             41.5
        1NN              27.2"""),
    "2.4": (Concentric(20, 5, 10), 1.2, """
        Boosting (Det)   32.4  30.1  31.7  31.8  31.7  31.8  31.8  32.1
        Boosting (Rand)  35.0  27.9  26.9  27.2  26.8  26.9  26.7  26.9
        Tree             34.1
        1NN              25.1"""),
    "2.5": (Concentric(20, None, 5), 1.7, """
        Boosting (Det)   41.6  37.5  36.3  37.3  37.6  37.7  37.7  37.7
        Boosting (Rand)  37.7  35.3  34.2  32.2  32.7  31.8  31.8  31.1
        Tree             37.3
        1NN              28.4"""),
    "2.6": (Concentric(100, 2, 10), 0.96, """
        Boosting (Det)   41.4  28.7  22.9  20.6  19.9  20.0  20.0  20.2
        Boosting (Rand)  41.6  29.1  24.9  21.6  20.7  19.2  19.5  20.2
        Tree             41.2
        1NN              21.4"""),
    "2.7": (Concentric(100, 5, 5), 1.2, """
        Boosting (Det)   22.3  20.2  21.7  22.3  22.4  22.3  22.4  22.4
        Boosting (Rand)  26.7  20.1  19.5  20.0  20.4  20.6  21.3  21.5
        Tree             22.4
        1NN              21.9"""),
    "2.8": (Concentric(100, 10, 5), 0.69, """
        Boosting (Det)   20.8  21.3  21.0  21.9  22.1  22.3  22.1  22.1
        Boosting (Rand)  23.9  20.2  20.8  21.3  21.6  21.6  21.8  21.6
        Tree             20.8
        1NN              22.4"""),
    "2.9": (Concentric(100, 20, 5), 0.91, """
        Boosting (Det)   23.1  22.3  21.8  22.2  22.1  22.3  22.5  22.3
        Boosting (Rand)  25.6  22.6  22.8  22.1  22.5  22.8  22.4  22.3
        Tree             23.0
        1NN              22.4"""),
}  # fmt: skip
NUMBERS = {place: parse_table(text, B) for place, (_, _, text) in TABLES.items()}

for place, (experiment, se, _) in TABLES.items():
    leaves, rows = experiment.leaves, experiment.per_class
    trees = "default trees" if leaves is None else f"trees with {leaves} leaves"
    table_study(
        place, experiment.errors, NUMBERS[place], se, SLACK,
        title=f"Concentric classes, {rows} rows of each, {trees}",
        design=f"""A disc inside a ring that overlaps it, Bayes error {100 * BAYES:g}%, radius
        {RADIUS:g}: chosen so that 1NN and trees err about as printed, as there is a picture only;
        {rows} fresh training rows of each class, {TEST} rows to test on; boosting by weights stops,
        and by drawing begins anew with equal weights, when a member errs on half of the weight.""",
        tolerance=f"""An entry is within tolerance if it is no further from ours than 3 joint
        standard errors (the printed average and that of our repetitions), or {SLACK:g} points: the
        source shows the distribution in a picture only, and its 5 to 10 training sets are
        few.""",
        repetitions=experiment.repetitions,
    )  # fmt: skip


@study(
    "thesis-2.6.1",
    "Random against deterministic weights: what the section says",
    design="The runs of tables 2.3 to 2.9, at every B.",
    tolerance="'Uniformly better' is better in every entry; 'very similar' is within 3 points.",
    repetitions=10,
)
def thesis_2_6_1(settings):
    gaps = []  # deterministic minus random, in points, at each B
    for experiment, _, _ in TABLES.values():
        errors = experiment.errors(settings)
        gaps.append([(errors[DET, b] - errors[RAND, b]).mean() for b in B])
    few, many = gaps[:3], gaps[3:]  # 20 rows of each class, and 100
    small = np.ravel(few)
    yield Claim(
        "with 20 rows of each class random weights are uniformly better",
        small.min() >= 0,
        f"random better in {(small > 0).sum()} of {len(small)} entries",
    )
    last = [gap[-1] for gap in few]
    yield Claim(
        "the difference increases with the complexity of the tree",
        last[0] < min(last[1:]),
        "points at B = 120: " + ", ".join(f"{gap:+.1f}" for gap in last),
    )
    large = np.ravel([gap[2:] for gap in many])
    yield Claim(
        "with 100 rows all get very similar error rates",
        abs(large).max() < 3,
        f"differences from B = 20 on: {large.min():+.1f} to {large.max():+.1f} points",
    )
    better = sum(numbers[DET, b] < numbers[RAND, b] for numbers in NUMBERS.values() for b in B)
    yield (
        f"Printed, the deterministic weights are better in {better} of 56 entries, so "
        "'uniformly better' does not hold there either. The distribution is shown in a picture "
        "only. Tried: 14 discs in rings (Bayes error 10 to 17%, radius 1.45 to 2.5), a normal "
        "class in a blurred ring, blurred edges, flipped labels. The one used comes nearest to the "
        "printed errors of 1NN and of trees (root mean square 2.4 points over 9 errors; 2.8 or "
        "more for the other kinds). "
        "A search over some 70 distributions of four kinds (benchmarks/studies/concentric.py), by "
        "chi square over nine errors of 1NN and single trees: 5 for a disc in a ring with a Bayes "
        "error of 16% and radius 1.45, 11 to 12 for its neighbours (15 to 16%, 1.5 to 1.55), 22 "
        "for the one used, 25 or more for every other kind. A first pass with six other training "
        "sets gave 13 for (14%, 1.6) and 21 for other kinds, and the grid of this kind was made "
        "finer after it: so a disc in a ring is favoured, not proved, and its two numbers are "
        "known only together. "
        "Whatever the distribution, ours of 20 rows and more than 2 leaves err less than printed "
        "where 1NN errs as printed: the printed trees seem to be grown differently."
    )
