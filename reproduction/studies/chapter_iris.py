"""Chapter 22: full Bayes and SVMs on Iris, resampled, bagged and boosted."""

import numpy as np
from sklearn.datasets import load_iris
from sklearn.svm import SVC

from heliast.data import Dataset
from heliast.ensembles import BaggedVote, BoostedVote
from heliast.learners import FullBayes
from heliast.plans import Bootstrap, KFold
from heliast.theory import bias_variance
from reproduction.experiments import errors_by_split
from reproduction.figures import histogram, line_chart, mean_line
from reproduction.models import AtStages
from reproduction.study import Claim, Printed, study, three_deviations

MEAN = 0.032


def itself(ours, printed):
    """A factor of 2."""
    return printed


@study(
    "chapter-22.8",
    "Iris in two dimensions, full Bayes: 50 resamples, and ten runs of five folds",
    design="""Sepal length and width; 50 bootstrap resamples, each model tested on all 150 rows; ten
    runs of 5 folds.""",
    tolerance="""Means: 0.032, as Zaki and Meira (2014) give the variance of such estimates as below
    0.001; variances: a factor of 2, as they are estimated from few values.""",
    printed=(
        Printed(
            "Example 22.8",
            {"mean over resamples": (0.213, MEAN), "variance over resamples": (4.815e-4, itself)},
        ),
        Printed(
            "Example 22.7, ten runs",
            {"mean error": (0.232, MEAN), "mean variance": (0.00521, itself)},
        ),
    ),
)
def chapter_22_8(settings):
    X, y = load_iris(return_X_y=True)
    data, models = Dataset.of(X[:, :2], y, name="iris"), {"full Bayes": FullBayes()}
    table = settings.run(models, data, Bootstrap(50), settings.seed, in_sample=True)
    resampled = errors_by_split(table.only(role="test"), "full Bayes", 1)
    yield resampled
    yield resampled.var(ddof=1)
    yield histogram("figure-22.5", "Error rates of 50 resamples", "error rate", resampled)
    table = settings.run(models, data, KFold(5, repeats=10), settings.seed)
    runs = errors_by_split(table.only(role="test"), "full Bayes", 1).reshape(10, 5)
    yield runs.mean(axis=1)
    yield runs.var(axis=1, ddof=1).mean()
    yield (
        "Testing on all rows includes those trained on: lower than the error on new rows, as "
        "Zaki and Meira (2014) say."
    )


def iris_components():
    """The Iris principal components: two columns, versicolor (+1) against the rest (-1)."""
    X, y = load_iris(return_X_y=True)
    centred = X - X.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    return centred @ axes[:2].T, np.where(y == 1, 1, -1)


def quadratic_svm(C):
    """An SVM with a homogeneous quadratic kernel."""
    return SVC(kernel="poly", degree=2, coef0=0, gamma=1.0, C=C)


COSTS = (0.01, 0.1, 1.0, 10.0, 100.0)


@study(
    "chapter-22.12",
    "Iris principal components: bias and variance of quadratic SVMs against C",
    design="""Versicolor against the rest; 10 bootstrap samples (30 in ours, for less noise);
    SVMs with a homogeneous quadratic kernel, C from 0.01 to 100; squared loss of -1 and +1.""",
    tolerance="The sentences on the direction of bias, variance and loss over the range of C.",
)
def chapter_22_12(settings):
    X, y = iris_components()
    models = {f"{C:g}": quadratic_svm(C) for C in COSTS}
    table = settings.run(models, Dataset.of(X, y, name="iris"), Bootstrap(30), settings.seed)
    decomposition = bias_variance(table, loss="squared")
    parts = {
        part: np.array([decomposition[name, part].value for name in models])
        for part in ("bias", "variance", "loss")
    }
    bias, variance, loss = parts.values()
    texts = [", ".join(f"{value:.3f}" for value in values) for values in parts.values()]
    yield Claim("as C grows, the bias falls", bias[-1] < bias[0], texts[0])
    yield Claim("as C grows, the variance rises", variance[-1] > variance[0], texts[1])
    lowest = loss.argmin()
    yield Claim(
        "the lowest loss lies inside the range of C (printed: at C = 1)",
        0 < lowest < len(COSTS) - 1,
        f"{texts[2]}; lowest at C = {COSTS[lowest]:g}",
    )
    x = np.log10(COSTS) + 2
    lines = {name: (x, values, np.zeros(len(x))) for name, values in parts.items()}
    title = "Bias and variance against C"
    yield line_chart("figure-22.7d", title, "log10 C + 2", "squared loss", lines)


def printed_errors(table, row, letter, numbers, least=0.01):
    """Errors by number of members, within three standard deviations of a single run."""
    cells = {(row, f"{letter}={k}"): number for k, number in numbers.items()}
    return Printed(table, cells, three_deviations(least))


ZERO_ONE = {3: 0.047, 5: 0.04, 8: 0.02, 10: 0.027, 15: 0.027}
SQUARED = {3: 0.187, 5: 0.16, 8: 0.10, 10: 0.113, 15: 0.107}


@study(
    "chapter-22.13",
    "Iris principal components: bagging quadratic SVMs",
    design="""Versicolor against the rest; SVMs with a homogeneous quadratic kernel, C = 1, on K
    bootstrap samples; training error of their vote, the mean of 20 such ensembles; squared loss of
    labels -1 and +1.""",
    tolerance="""3 standard deviations of a single ensemble, as the printed numbers are from one;
    0.01 at least (1.5 of 150 rows), four times that for the squared loss.""",
    printed=(
        printed_errors("Example 22.13", "zero-one loss", "K", ZERO_ONE),
        printed_errors("Example 22.13", "squared loss", "K", SQUARED, 0.04),
    ),
)
def chapter_22_13(settings):
    X, y = iris_components()
    losses = []
    for seed in range(settings.seed, settings.seed + 20):
        vote = BaggedVote(quadratic_svm(1.0), 15, random_state=seed).fit(X, y)
        losses.append([(label != y).mean() for label in vote.staged_predict(X)])
    losses = np.array(losses)
    yield from (times * losses[:, k - 1] for times in (1, 4) for k in ZERO_ONE)
    yield (
        "With labels of -1 and +1 the squared loss is four times the zero-one loss; printed, it is "
        "more for K = 8 and 10: tied votes counted as right in one column and not in the other."
    )


FIRST = 4  # members whose errors are printed
ROUNDS = 20
STAGES = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 90, 110)
RUNS, REPEATS = 60, 3
ERRORS = {1: 0.280, 2: 0.305, 3: 0.174, 4: 0.282}
COMBINED = {1: 0.280, 2: 0.253, 3: 0.073, 4: 0.047}
BEST = {110: 0.02}


@study(
    "chapter-figure-22.9",
    "Iris principal components: boosting linear SVMs (example 22.14, figure 22.9b)",
    design=f"""Versicolor against the rest; AdaBoost by drawing with linear SVMs, C = 1; {RUNS} runs
    on all 150 rows (printed: one); for figure 22.9b up to {max(STAGES)} members, 5 folds,
    {REPEATS} times (printed: once).""",
    tolerance="""Of single members and of their votes 3 standard deviations of a single run, as the
    printed numbers are from one, and 0.01 (1.5 of 150 rows) at least; of the testing error at
    K = 110 the same over the repetitions of the folds.""",
    repetitions=REPEATS,
    printed=(
        printed_errors("Example 22.14, weighted error of a member", "error", "t", ERRORS),
        printed_errors("Example 22.14, training error of the vote", "error", "K", COMBINED),
        printed_errors("Figure 22.9b", "testing error", "K", BEST),
    ),
)
def chapter_figure_22_9(settings):
    members, combined = boost_all_rows(settings)
    yield from members.T
    yield from combined[:, :FIRST].T
    trained, tested = boost_over_folds(settings)
    yield tested[:, STAGES.index(110)]
    median = np.median(combined[:, -1])
    yield Claim(
        "the error of the vote drops markedly below that of its members as K increases",
        median < members.mean() / 3,
        f"median training error {median:.3f} at K = {ROUNDS}, members {members.mean():.3f}",
    )
    last, train, test = STAGES[-1], trained.mean(axis=0), tested.mean(axis=0)
    yield Claim(
        "as K increases, both the training and the testing error fall",
        train[-1] < train[0] / 3 and test[-1] < test[0] / 3,
        f"from K = 1 to {last}: training {train[0]:.3f} to {train[-1]:.3f}, testing {test[0]:.3f} "
        f"to {test[-1]:.3f}",
    )
    yield Claim(
        "the training error essentially goes to 0",
        train[-1] < 0.01,
        f"{train[-1]:.4f} at K = {last}",
    )
    yield Claim(
        "the testing error does not fall below 0.02",
        test.min() >= 0.015,
        f"least {test.min():.3f}, at K = {STAGES[test.argmin()]}",
    )
    yield note_on_votes(combined)
    x = np.log10(STAGES)
    lines = {"testing": mean_line(x, tested.T), "training": mean_line(x, trained.T)}
    name, title = "figure-22.9b", "Boosting linear SVMs, 5 folds"
    yield line_chart(name, title, "log10 of members K", "error", lines)


def boosted_svms(rounds, seed=None):
    """Algorithm 22.5: resampled by weight, drawn again where a member errs on half of it."""
    return BoostedVote(
        SVC(kernel="linear", C=1.0), rounds, draw="resample", multiclass="m1", on_weak="redraw",
        random_state=seed,
    )  # fmt: skip


def boost_all_rows(settings):
    """Of each run the errors of the first members, and those of the vote after each round."""
    X, y = iris_components()
    members, combined = [], []
    for run in range(settings.times(RUNS, 20)):
        vote = boosted_svms(ROUNDS, settings.seed + run).fit(X, y)
        members.append(vote.estimator_errors_[:FIRST])
        errors = [(label != y).mean() for label in vote.staged_predict(X)]
        combined.append(errors + errors[-1:] * (ROUNDS - len(errors)))
    return np.array(members), np.array(combined)


def boost_over_folds(settings):
    """(repeats, numbers of members): training and testing error, means over the folds."""
    X, y = iris_components()
    models = {"boosting": AtStages(boosted_svms(max(STAGES)), STAGES)}
    repeats = settings.times(REPEATS, 2)
    plan, data = KFold(5, repeats=repeats), Dataset.of(X, y, name="iris")
    table = settings.run(models, data, plan, settings.seed, in_sample=True)
    return [
        np.array(
            [
                errors_by_split(part, f"boosting/B={k}", 1).reshape(repeats, -1).mean(axis=1)
                for k in STAGES
            ]
        ).T
        for part in (table.where(table.in_train > 0), table.where(table.in_train == 0))
    ]


def note_on_votes(combined):
    """How far the printed votes of three and four members are from a run of the algorithm."""
    shares, reached = [], []
    for k in (3, 4):
        below = combined < COMBINED[k] + 5e-4
        shares.append(below[:, k - 1].mean())
        reached.append(np.median(np.where(below.any(axis=1), below.argmax(axis=1) + 1, 999)))
    return (
        f"Of {len(combined)} runs {shares[0]:.1%} have a vote of three members that errs on at "
        f"most 0.073, and {shares[1]:.1%} one of four on at most 0.047; the median run gets there "
        f"with {reached[0]:g} and {reached[1]:g} members: the algorithm does what the "
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
