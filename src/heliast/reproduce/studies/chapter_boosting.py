"""Chapter 22, example 22.14 and figure 22.9b: boosting linear SVMs on the Iris components."""

from collections.abc import Iterator

import numpy as np

from heliast._core.kinds import Array
from heliast.data import Dataset
from heliast.ensembles import BoostedVote
from heliast.plans import KFold
from heliast.predictions import Predictions
from heliast.reproduce import Claim, Note, Printed, Setting, study
from heliast.reproduce._study import Found
from heliast.reproduce.studies._drawn import averaged, drawn
from heliast.reproduce.studies._models import AtStages
from heliast.reproduce.studies.chapter_iris import iris_components, spread

FIRST = 4
"""Members whose errors are printed."""
ROUNDS = 20
STAGES = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 90, 110)
RUNS, REPEATS = 60, 3
ERRORS = (0.280, 0.305, 0.174, 0.282)
COMBINED = (0.280, 0.253, 0.073, 0.047)
BEST, BEST_AT = 0.02, 110
LEAST = 0.01


def vote(rounds: int, seed: int | None = None) -> BoostedVote:
    """Algorithm 22.5: resampled by weight, drawn again where a member errs on half of it."""
    from sklearn.svm import SVC

    return BoostedVote(
        SVC(kernel="linear", C=1.0), rounds, draw="resample", multiclass="m1", on_weak="redraw",
        random_state=seed,
    )  # fmt: skip


@study(
    "chapter-figure-22.9",
    "Iris principal components: boosting linear SVMs (example 22.14, figure 22.9b)",
    design=f"""Versicolor against the rest; AdaBoost by drawing with linear SVMs, C = 1; {RUNS} runs
    on all 150 rows (printed: one); for figure 22.9b up to {max(STAGES)} members, 5 folds,
    {REPEATS} times (printed: once).""",
    tolerance=f"""Of single members and of their votes 3 standard deviations of a single run, as the
    printed numbers are from one, and {LEAST:g} (1.5 of 150 rows) at least; of the testing error at
    K = {BEST_AT} the same over the repetitions of the folds.""",
    repetitions=REPEATS,
    printed=(
        Printed(
            "Example 22.14, weighted error of a member",
            {("error", f"t={at}"): number for at, number in enumerate(ERRORS, 1)},
            spread(LEAST),
        ),
        Printed(
            "Example 22.14, training error of the vote",
            {("error", f"K={at}"): number for at, number in enumerate(COMBINED, 1)},
            spread(LEAST),
        ),
        Printed("Figure 22.9b", {("testing error", f"K={BEST_AT}"): BEST}, spread(LEAST)),
    ),
)
def chapter_figure_22_9(setting: Setting) -> Iterator[Found]:
    members, combined = on_all_rows(setting, 20 if setting.quick else RUNS)
    yield from members.T
    yield from combined[:, :FIRST].T
    trained, tested = over_folds(setting, 2 if setting.quick else REPEATS)
    yield tested[:, STAGES.index(BEST_AT)]
    yield Claim(
        "the error of the vote drops markedly below that of its members as K increases",
        bool(np.median(combined[:, -1]) < members.mean() / 3),
        f"median training error {np.median(combined[:, -1]):.3f} at K = {ROUNDS}, "
        f"members {members.mean():.3f}",
    )
    last, train, test = STAGES[-1], trained.mean(axis=0), tested.mean(axis=0)
    yield Claim(
        "as K increases, both the training and the testing error fall",
        bool(train[-1] < train[0] / 3 and test[-1] < test[0] / 3),
        f"from K = 1 to {last}: training {train[0]:.3f} to {train[-1]:.3f}, testing {test[0]:.3f} "
        f"to {test[-1]:.3f}",
    )
    yield Claim(
        "the training error essentially goes to 0",
        bool(train[-1] < LEAST),
        f"{train[-1]:.4f} at K = {last}",
    )
    yield Claim(
        "the testing error does not fall below 0.02",
        bool(test.min() >= BEST - 0.005),
        f"least {test.min():.3f}, at K = {STAGES[int(test.argmin())]}",
    )
    yield _differs(combined)
    x = np.log10(np.array(STAGES, float))
    lines = {"testing": averaged(x, tested.T), "training": averaged(x, trained.T)}
    name, title = "figure-22.9b", "Boosting linear SVMs, 5 folds"
    yield drawn(name, title, "log10 of members K", "error", lines)


def on_all_rows(setting: Setting, runs: int) -> tuple[Array, Array]:
    """Of each run the errors of the first members, and those of the vote after each round."""
    X, y = iris_components()
    members, combined = np.full((runs, FIRST), np.nan), np.empty((runs, ROUNDS))
    for run in range(runs):
        fitted = vote(ROUNDS, setting.seed + run).fit(X, y)
        members[run] = fitted.errors_[:FIRST]
        errors = [(label != y).mean() for label in fitted.staged_predict(X)]
        combined[run] = errors + errors[-1:] * (ROUNDS - len(errors))
    return members, combined


def over_folds(setting: Setting, repeats: int) -> tuple[Array, Array]:
    """(repeats, numbers of members): training and testing error, means over the folds."""
    X, y = iris_components()
    models = {"boosting": AtStages(vote(max(STAGES)), STAGES)}
    plan = KFold(5, repeats=repeats)
    table = setting.run(models, Dataset.of(X, y, name="iris"), plan, setting.seed, in_sample=True)
    both = [[_errors(table, k, repeats, seen) for k in STAGES] for seen in (True, False)]
    return np.array(both[0]).T, np.array(both[1]).T


def _errors(table: Predictions, members: int, repeats: int, seen: bool) -> Array:
    part = table.only(model=f"boosting/B={members}")
    assert part.seen is not None
    assert part.split_code is not None
    kept = (part.seen > 0) == seen
    split = part.split_code[kept]
    wrong = np.bincount(split, (part.truth != part.label)[kept]) / np.bincount(split)
    return np.asarray(wrong.reshape(repeats, -1).mean(axis=1))


def _differs(combined: Array) -> Note:
    """How far the printed votes of three and four members are from a run of the algorithm."""
    third, fourth = (float((combined[:, k - 1] < COMBINED[k - 1] + 5e-4).mean()) for k in (3, 4))
    first = [
        np.where((combined < e + 5e-4).any(axis=1), (combined < e + 5e-4).argmax(axis=1) + 1, 999)
        for e in COMBINED[2:]
    ]
    return Note(
        f"Of {len(combined)} runs {third:.1%} have a vote of three members that errs on at most "
        f"0.073, and {fourth:.1%} one of four on at most 0.047; the median run gets there with "
        f"{np.median(first[0]):g} and {np.median(first[1]):g} members: the algorithm does what the "
        "example says, but later. With the printed weights no member outvotes two others, so that "
        "three vote by plain majority; 0.073 then takes something like a half-plane for each "
        "border of versicolor and a third that hardly ever says versicolor, all in the first three "
        "draws. Tried without getting nearer: a penalised bias, as in the solver of Zaki and "
        "Meira (2014), and a squared hinge loss (none of 150 runs each has three members at "
        "0.073), and weights in place of draws (0.300 with three and with four). The printed "
        "0.253 of two members is impossible, as the first outvotes the second, so that the "
        "printed errors are not those of one run with the printed weights. Nor do the folds reach "
        "0.02: late members err on 0.4 of the weight and more, and change the vote little."
    )
