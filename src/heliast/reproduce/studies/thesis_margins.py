"""Thesis, figures 4.1 to 4.4: which model tells the test error of boosting from its margins."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.base import clone

from heliast.ensembles import BoostedVote
from heliast.estimates import student_t
from heliast.learners import Tree
from heliast.reproduce import Claim, Figure, Note, Setting, study
from heliast.reproduce._study import Array, Found
from heliast.reproduce.studies._drawn import Line, drawn
from heliast.reproduce.studies._votes import Samples
from heliast.reproduce.studies.thesis_tables import DEEP, DEFAULT
from heliast.theory import NormalModel, SchapireModel, TrainingModel, nearest_rows

ROUNDS = 100
PER_CLASS, TEST = 50, 150
MODELS = ("Training", "Schapire", "Normal")


@dataclass(frozen=True)
class Fitted:
    """One repetition: the test error at B = 1 to 100, and what each model makes of it."""

    error: Array
    predicted: dict[str, Array]
    squared: dict[str, float]


def fitted(setting: Setting, tree: Tree = DEEP) -> list[Fitted]:
    """All repetitions."""
    data = setting.data("letter")
    X, y = data.matrix, np.asarray(data.y)
    plan = Samples(setting.repetitions, PER_CLASS, setting.seed, TEST)
    return [
        _repetition(X[train], y[train], X[test], y[test], tree, setting.seed + at)
        for at, (train, test) in enumerate(plan.split(X, y))
    ]


def _repetition(X: Array, y: Array, new: Array, truth: Array, tree: Tree, seed: int) -> Fitted:
    vote = BoostedVote(clone(tree), ROUNDS, on_weak="reset", random_state=seed).fit(X, y)
    margins = np.array(list(vote.staged_margins(X, y)))
    error = np.array([np.mean(label != truth) for label in vote.staged_predict(new)])
    models = {
        "Training": TrainingModel().fit(margins, error),
        "Schapire": SchapireModel().fit(margins, error),
        "Normal": NormalModel().fit(margins, error, *nearest_rows(X, new)),
    }
    return Fitted(
        error,
        {name: model.predicted_ for name, model in models.items()},
        {name: model.squared_error_ for name, model in models.items()},
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
    found = fitted(setting)
    squared = {name: np.array([one.squared[name] for one in found]) for name in MODELS}
    for name in ("Training", "Schapire"):
        over = _mean(found, name)[:5] - _error(found)[:5]
        yield Claim(
            f"the {name} model over-predicts the error for small B",
            bool(over.mean() > 0),
            f"{100 * over.mean():+.1f} points over B = 1 to 5",
        )
    late = float(_mean(found, "Training")[29] - _mean(found, "Training")[-1])
    fall = float(smoothed(_error(found))[29] - smoothed(_error(found))[-1])
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
    yield from _figures(found)
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
    found = fitted(setting, DEFAULT)
    squared = ", ".join(
        f"{name} {np.mean([one.squared[name] for one in found]):.4f}" for name in MODELS
    )
    over = 100 * (_mean(found, "Training")[:5] - _error(found)[:5]).mean()
    return Note(
        "Which trees were boosted is not printed. With default trees the sums of squared errors "
        f"are {squared}, and the Training model is {over:+.1f} points off over B = 1 to 5. Whether "
        "the Normal model, fitted to out-of-bag margins without test labels, predicts the error "
        "better than the out-of-bag error is the question of benchmarks/studies/margins.py."
    )


def _error(found: Sequence[Fitted]) -> Array:
    return np.asarray(np.mean([one.error for one in found], axis=0))


def _mean(found: Sequence[Fitted], name: str) -> Array:
    return np.asarray(np.mean([one.predicted[name] for one in found], axis=0))


def _figures(found: Sequence[Fitted]) -> Iterator[Figure]:
    x = np.arange(1.0, ROUNDS + 1)
    first, no = 100 * found[0].error, np.zeros(ROUNDS)
    yield drawn(
        "figure-4.1", "AdaBoost, one training set", "rounds B", "test error, per cent",
        {"test error": (x, first, no), "smoothed": (x, smoothed(first), no)},
    )  # fmt: skip
    actual = _line(x, [one.error for one in found])
    for at, name in enumerate(MODELS, 2):
        predicted = _line(x, [one.predicted[name] for one in found])
        yield drawn(
            f"figure-4.{at}", f"The {name} model", "rounds B", "test error, per cent",
            {"test error": actual, f"{name} model": predicted},
        )  # fmt: skip


def _line(x: Array, each: Sequence[object]) -> Line:
    """Means over the repetitions, smoothed, with a bar at every tenth B."""
    every = 100 * np.asarray(each, float)
    mean = smoothed(every.mean(axis=0))
    bar = np.zeros(len(x))
    if len(every) > 1:
        tenth = np.arange(len(x)) % 10 == 9
        bar[tenth] = 2 * every.std(axis=0, ddof=1)[tenth] / np.sqrt(len(every))
    return x, mean, bar
