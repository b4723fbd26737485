"""Thesis, figures 4.1 to 4.4: which model tells the test error of boosting from its margins."""

import numpy as np

from heliast.ensembles import BoostedVote
from heliast.estimates import student_t
from heliast.theory import NormalModel, SchapireModel, TrainingModel, nearest_rows
from reproduction.experiments import Samples
from reproduction.figures import line_chart, mean_line
from reproduction.studies.thesis_votes import DEEP, DEFAULT
from reproduction.study import Claim, study

ROUNDS = 100
PER_CLASS, TEST = 50, 150
ERROR = "test error"
MODELS = {"Training": TrainingModel, "Schapire": SchapireModel, "Normal": NormalModel}


def fit_models(settings, tree=DEEP):
    """The test error at B = 1 to 100 and what each model makes of it, a row per repetition; and the
    sums of squared errors of the models.
    """
    data = settings.data("letter")
    X, y = data.matrix, np.asarray(data.y)
    curves = {name: [] for name in (ERROR, *MODELS)}
    squared = {name: [] for name in MODELS}
    samples = Samples(settings.times(10), PER_CLASS, settings.seed, TEST).split(X, y)
    for seed, (train, test) in enumerate(samples, settings.seed):
        vote = BoostedVote(
            tree, ROUNDS, draw="resample", multiclass="m1", on_weak="reset", bins=None,
            random_state=seed,
        ).fit(X[train], y[train])  # fmt: skip
        margins = np.array(list(vote.staged_margins(X[train], y[train])))
        error = np.array([np.mean(label != y[test]) for label in vote.staged_predict(X[test])])
        curves[ERROR].append(error)
        for name, kind in MODELS.items():
            near = nearest_rows(X[train], X[test]) if name == "Normal" else ()
            model = kind().fit(margins, error, *near)
            curves[name].append(model.predicted_)
            squared[name].append(model.squared_error_)
    return (
        {name: np.array(values) for name, values in curves.items()},
        {name: np.array(values) for name, values in squared.items()},
    )


def smooth(values, width=9):
    """A running mean; near the ends of what there is."""
    half = width // 2
    return np.array([values[max(0, at - half) : at + half + 1].mean() for at in range(len(values))])


@study(
    "thesis-figure-4.4",
    "Letter, AdaBoost: the test error from the training margins (figures 4.1 to 4.4)",
    design=f"""{PER_CLASS} training rows of each letter, {TEST} others of each to test on (the size
    is not printed); AdaBoost by drawing with deep trees, B = 1 to {ROUNDS}; the Training,
    Schapire and Normal models fitted to the test error by least squares over B.""",
    tolerance="""No numbers are printed. 'Much more accuracy' is at most half of the squared error,
    with a paired 95% t interval of the difference over the repetitions above 0; a 'significant
    improvement' the same; 'over-predicts' and 'levels out' as the mean curve does.""",
    repetitions=10,
    needs=("letter",),
)
def thesis_figure_4_4(settings):
    curves, squared = fit_models(settings)
    mean = {name: values.mean(axis=0) for name, values in curves.items()}
    for name in ("Training", "Schapire"):
        over = (mean[name][:5] - mean[ERROR][:5]).mean()
        yield Claim(
            f"the {name} model over-predicts the error for small B",
            over > 0,
            f"{100 * over:+.1f} points over B = 1 to 5",
        )
    late = mean["Training"][29] - mean["Training"][-1]
    smoothed = smooth(mean[ERROR])
    fall = smoothed[29] - smoothed[-1]
    yield Claim(
        "the Training model levels out while the error is still declining",
        late < fall / 2,
        f"from B = 30 to {ROUNDS} it falls by {100 * late:.2f} points, the error by "
        f"{100 * fall:.2f}",
    )
    better, evidence = halves_errors(squared, "Training", "Schapire")
    yield Claim(
        "the Schapire model is no significant improvement over the Training model",
        not better,
        evidence,
    )
    for name in ("Training", "Schapire"):
        words = f"the Normal model follows the error with much more accuracy than the {name} model"
        yield Claim(words, *halves_errors(squared, name, "Normal"))
    yield from margin_figures(curves)
    curves, squared = fit_models(settings, DEFAULT)  # which the text does not exclude
    sums = ", ".join(f"{name} {values.mean():.4f}" for name, values in squared.items())
    over = 100 * (curves["Training"].mean(axis=0)[:5] - curves[ERROR].mean(axis=0)[:5]).mean()
    yield (
        "Which trees were boosted is not printed. With default trees the sums of squared errors "
        f"are {sums}, and the Training model is {over:+.1f} points off over B = 1 to 5. Whether "
        "the Normal model, fitted to out-of-bag margins without test labels, predicts the error "
        "better than the out-of-bag error is the question of benchmarks/studies/margins.py."
    )


def halves_errors(squared, a, b):
    """Whether b has at most half of a's squared error, surely; and the numbers."""
    gain = squared[a] - squared[b]
    halved = 2 * squared[b].mean() <= squared[a].mean()
    evidence = f"sums of squared errors {squared[a].mean():.4f} and {squared[b].mean():.4f}"
    if len(gain) < 2:
        return halved, evidence
    interval = student_t(gain)
    evidence += f", difference [{interval.low:.4f}, {interval.high:.4f}]"
    return halved and interval.low > 0, evidence


def margin_figures(curves):
    """Figures 4.1 to 4.4: one training set, and the models; means are smoothed, with some bars."""
    x, no_bar = np.arange(1.0, ROUNDS + 1), np.zeros(ROUNDS)
    labels = ("rounds B", "test error, per cent")
    first = 100 * curves[ERROR][0]
    lines = {ERROR: (x, first, no_bar), "smoothed": (x, smooth(first), no_bar)}
    yield line_chart("figure-4.1", "AdaBoost, one training set", *labels, lines)
    for at, name in enumerate(MODELS, 2):
        lines = {}
        for label, values in ((ERROR, curves[ERROR]), (f"{name} model", curves[name])):
            _, mean, bar = mean_line(x, list(100 * values.T))
            lines[label] = (x, smooth(mean), np.where(x % 10 == 0, bar, 0))
        yield line_chart(f"figure-4.{at}", f"The {name} model", *labels, lines)
