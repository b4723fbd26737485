"""Thesis, figures 2.3 and 2.4: at which rate the error of ECOC falls with B."""

from collections.abc import Iterator

import numpy as np

from heliast import codes
from heliast._core.kinds import Array
from heliast.ensembles import CodedVote
from heliast.learners import Tree
from heliast.reproduce import Claim, Figure, Setting, study
from heliast.reproduce._study import Found
from heliast.reproduce.studies._drawn import Line, drawn
from heliast.reproduce.studies._models import Decoded
from heliast.reproduce.studies._votes import Samples, by_split
from heliast.theory import PowerFit, power_fit

B = (15, 26, 40, 70, 100, 200)
MATRICES = 5
FIRST, LAST = slice(0, 4), slice(2, 6)


@study(
    "thesis-figure-2.3",
    "Letter: the error of ECOC falls as 1/sqrt(B), then as 1/B",
    design=f"""Letter, 10 training rows of each class and 20 others to test on (the page with the
    design is lost); default trees; {MATRICES} random matrices of 200 columns, of which the first B
    are used, so 30 points at B = 15 to 200; the error of each is a mean over the training sets.""",
    tolerance="""'Fits well': the mean of a group lies within 2 standard errors (over the matrices)
    and half a point of the curve; 'more linear' is a larger squared correlation.""",
    repetitions=5,
    needs=("letter",),
)
def thesis_figure_2_3(setting: Setting) -> Iterator[Found]:
    errors = _errors(setting)
    mean, se = errors.mean(axis=0), errors.std(axis=0, ddof=1) / np.sqrt(MATRICES)
    near = 2 * se + 0.5
    root, inverse = _fit(errors, FIRST, -0.5).at(B), _fit(errors, LAST, -1.0).at(B)
    yield Claim(
        "1/sqrt(B) fits the first four groups and under-predicts the last two",
        bool((abs(root - mean)[FIRST] <= near[FIRST]).all() and (root < mean)[4:].all()),
        _beside(mean, root),
    )
    yield Claim(
        "1/B fits the last four groups and over-predicts the first two",
        bool((abs(inverse - mean)[LAST] <= near[LAST]).all() and (inverse > mean)[:2].all()),
        _beside(mean, inverse),
    )
    linear = {
        (power, name): _fit(errors, groups, power).r_squared
        for power in (-0.5, -1.0)
        for name, groups in (("first", FIRST), ("last", LAST))
    }
    yield Claim(
        "for the first four groups the error is more linear in 1/sqrt(B) than in 1/B",
        linear[-0.5, "first"] > linear[-1.0, "first"],
        f"squared correlations {linear[-0.5, 'first']:.3f} and {linear[-1.0, 'first']:.3f}",
    )
    yield Claim(
        "for the last four groups it is the other way round",
        linear[-1.0, "last"] > linear[-0.5, "last"],
        f"squared correlations {linear[-0.5, 'last']:.3f} and {linear[-1.0, 'last']:.3f}",
    )
    slowed = (mean[0] - mean[3]) / (mean[3] - mean[5])
    yield Claim(
        "even at B = 100 the reduction has slowed substantially",
        bool(slowed > 2),
        f"{mean[0] - mean[3]:.1f} points from 15 to 70, {mean[3] - mean[5]:.1f} from 70 to 200",
    )
    yield from _figures(mean, 2 * se, root, inverse)


def _errors(setting: Setting) -> Array:
    """(matrices, numbers of columns): means over the training sets, in per cent."""
    data, tree = setting.data("letter"), Tree(limits="s-plus")
    models = {
        f"matrix {at}": Decoded(
            CodedVote(tree, codes.random(26, max(B), setting.seed + at), bins=None, stages=B),
            ("l1",),
        )
        for at in range(MATRICES)
    }
    table = setting.run(models, data, Samples(setting.repetitions, 10, setting.seed), setting.seed)
    return np.array([[by_split(table, f"{name}/l1/B={b}").mean() for b in B] for name in models])


def _fit(errors: Array, groups: slice, power: float) -> PowerFit:
    """The curve through some groups of points, one a matrix and number of columns."""
    some = errors[:, groups]
    return power_fit(np.tile(B[groups], len(some)), some.ravel(), power)


def _beside(mean: Array, curve: Array) -> str:
    pairs = zip(B, mean, curve, strict=True)
    return "ours and the curve: " + ", ".join(f"B={b} {a:.1f} {c:.1f}" for b, a, c in pairs)


def _figures(mean: Array, bar: Array, root: Array, inverse: Array) -> Iterator[Figure]:
    x, no = np.array(B, float), np.zeros(len(B))
    lines = {"ECOC": (x, mean, bar), "1/sqrt(B)": (x, root, no), "1/B": (x, inverse, no)}
    yield drawn("figure-2.3", "Error against columns", "columns B", "test error, per cent", lines)
    for letter, power, words in (("a", -0.5, "1/sqrt(B)"), ("b", -1.0, "1/B")):
        at = x**power
        fits: dict[str, Line] = {
            f"line through the {name}": (at, power_fit(x[some], mean[some], power).at(x), no)
            for name, some in (("first four", FIRST), ("last four", LAST))
        }
        yield drawn(
            f"figure-2.4{letter}", f"Error against {words}", words, "test error, per cent",
            {"ECOC": (at, mean, bar), **fits},
        )  # fmt: skip
