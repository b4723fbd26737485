"""Thesis, figures 4.1 to 4.4: which model tells the test error of boosting from its margins."""

from collections.abc import Iterator, Mapping

import numpy as np
from sklearn.base import clone

from heliast._core.kinds import Array
from heliast.ensembles import BoostedVote
from heliast.estimates import student_t
from heliast.learners import Tree
from heliast.reproduce import Claim, Figure, Note, Setting, study
from heliast.reproduce._study import Found, error_of_mean
from heliast.reproduce.studies._drawn import Line, drawn
from heliast.reproduce.studies._votes import Samples
from heliast.reproduce.studies.thesis_tables import DEEP, DEFAULT
from heliast.theory import NormalModel, SchapireModel, TrainingModel, nearest_rows

ROUNDS = 100
PER_CLASS, TEST = 50, 150
ERROR = "test error"
MODELS = ("Training", "Schapire", "Normal")


Curves = dict[str, Array]


def fitted(setting: Setting, tree: Tree = DEEP) -> tuple[Curves, Curves]:
    """The test error at B = 1 to 100 and what each model makes of it, a row a repetition; and the
    sums of squared errors of the models.
    """
    data = setting.data("letter")
    X, y = data.matrix, np.asarray(data.y)
    curves: dict[str, list[Array]] = {name: [] for name in (ERROR, *MODELS)}
    squared: dict[str, list[float]] = {name: [] for name in MODELS}
    samples = Samples(setting.repetitions, PER_CLASS, setting.seed, TEST).split(X, y)
    for seed, (train, test) in enumerate(samples, setting.seed):
        vote = BoostedVote(
            clone(tree), ROUNDS, draw="resample", multiclass="m1", on_weak="reset", bins=None,
            random_state=seed,
        )  # fmt: skip
        vote.fit(X[train], y[train])
        margins = np.array(list(vote.staged_margins(X[train], y[train])))
        error = np.array([np.mean(label != y[test]) for label in vote.staged_predict(X[test])])
        curves[ERROR].append(error)
        models = (
            TrainingModel().fit(margins, error),
            SchapireModel().fit(margins, error),
            NormalModel().fit(margins, error, *nearest_rows(X[train], X[test])),
        )
        for name, model in zip(MODELS, models, strict=True):
            curves[name].append(model.predicted_)
            squared[name].append(model.squared_error_)
    return (
        {name: np.array(each) for name, each in curves.items()},
        {name: np.array(each) for name, each in squared.items()},
    )


def smoothed(values: Array, width: int = 9) -> Array:
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
    quick=1,
    needs=("letter",),
)
def thesis_figure_4_4(setting: Setting) -> Iterator[Found]:
    curves, squared = fitted(setting)
    mean = {name: each.mean(axis=0) for name, each in curves.items()}
    for name in ("Training", "Schapire"):
        over = mean[name][:5] - mean[ERROR][:5]
        yield Claim(
            f"the {name} model over-predicts the error for small B",
            bool(over.mean() > 0),
            f"{100 * over.mean():+.1f} points over B = 1 to 5",
        )
    late = float(mean["Training"][29] - mean["Training"][-1])
    fall = float(smoothed(mean[ERROR])[29] - smoothed(mean[ERROR])[-1])
    yield Claim(
        "the Training model levels out while the error is still declining",
        late < fall / 2,
        f"from B = 30 to {ROUNDS} it falls by {100 * late:.2f} points, the error by "
        f"{100 * fall:.2f}",
    )
    better, said = _better(squared, "Training", "Schapire")
    yield Claim(
        "the Schapire model is no significant improvement over the Training model", not better, said
    )
    for name in ("Training", "Schapire"):
        better, said = _better(squared, name, "Normal")
        yield Claim(
            f"the Normal model follows the error with much more accuracy than the {name} model",
            better,
            said,
        )
    yield from _figures(curves)
    yield _of_default_trees(setting)


def _better(squared: Mapping[str, Array], a: str, b: str) -> tuple[bool, str]:
    """Whether b has at most half of a's squared error, surely; and the numbers."""
    gain = squared[a] - squared[b]
    halved = bool(2 * squared[b].mean() <= squared[a].mean())
    said = f"sums of squared errors {squared[a].mean():.4f} and {squared[b].mean():.4f}"
    if len(gain) < 2:
        return halved, said
    between = student_t(gain)
    said += f", difference [{between.low:.4f}, {between.high:.4f}]"
    return halved and float(between.low) > 0, said


def _of_default_trees(setting: Setting) -> Note:
    """The same with the trees as they come, which the text does not exclude."""
    curves, squared = fitted(setting, DEFAULT)
    sums = ", ".join(f"{name} {each.mean():.4f}" for name, each in squared.items())
    over = 100 * (curves["Training"].mean(axis=0)[:5] - curves[ERROR].mean(axis=0)[:5]).mean()
    return Note(
        "Which trees were boosted is not printed. With default trees the sums of squared errors "
        f"are {sums}, and the Training model is {over:+.1f} points off over B = 1 to 5. Whether "
        "the Normal model, fitted to out-of-bag margins without test labels, predicts the error "
        "better than the out-of-bag error is the question of benchmarks/studies/margins.py."
    )


def _figures(curves: Curves) -> Iterator[Figure]:
    x = np.arange(1.0, ROUNDS + 1)
    first, no = 100 * curves[ERROR][0], np.zeros(ROUNDS)
    yield drawn(
        "figure-4.1", "AdaBoost, one training set", "rounds B", "test error, per cent",
        {ERROR: (x, first, no), "smoothed": (x, smoothed(first), no)},
    )  # fmt: skip
    for at, name in enumerate(MODELS, 2):
        yield drawn(
            f"figure-4.{at}", f"The {name} model", "rounds B", "test error, per cent",
            {ERROR: _line(x, curves[ERROR]), f"{name} model": _line(x, curves[name])},
        )  # fmt: skip


def _line(x: Array, each: Array) -> Line:
    """Means over the repetitions, smoothed, with a bar at every tenth B."""
    bar = np.zeros(len(x))
    bar[9::10] = [2 * np.nan_to_num(error_of_mean(100 * at)) for at in each[:, 9::10].T]
    return x, smoothed((100 * each).mean(axis=0)), bar
