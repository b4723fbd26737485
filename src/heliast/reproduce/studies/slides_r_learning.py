"""Slides on refinements: the errors of PRISM and naive Bayes against the training rows."""

from collections.abc import Iterator

import numpy as np

from heliast.curves import Learning, learning
from heliast.data import read
from heliast.learners import Prism
from heliast.plans import LearningCurve, Subsampling
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Found, Note
from heliast.reproduce.studies._figures import drawn

SHARES = (0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
BINS = 3


@study(
    "slides-r-holdout",
    "How the error depends on the size of the training set: PRISM and naive Bayes",
    design=f"""Wine (178 rows, from scikit-learn) with each input cut to {BINS} bins; half
    of the rows held out to test on, shares from 10% to all of the others to train on; 10
    random divisions.""",
    tolerance="The slide is a picture without numbers: only what it is there to show is checked.",
    repetitions=10,
    quick=3,
)
def slides_r_holdout(setting: Setting) -> Iterator[Found]:
    """More rows to train on, fewer errors; two methods compared on the same divisions."""
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    data = read("sklearn:wine", "class")
    cut = KBinsDiscretizer(BINS, encode="ordinal", quantile_method="averaged_inverted_cdf")
    models = {
        "PRISM": Prism(bins=BINS),
        "naive Bayes": make_pipeline(cut, CategoricalNB(min_categories=BINS)),
    }
    plan = LearningCurve(Subsampling(setting.repetitions, 0.5), SHARES)
    table = setting.run(models, data, plan, setting.seed)
    curves = {name: learning(table, model=name) for name in models}
    for name, curve in curves.items():
        yield Claim(
            f"{name}: more training rows, fewer errors",
            bool(curve.value[-1] < curve.value[0]),
            _listed(curve),
        )
    gaps = [curves["PRISM"].value[at] - curves["naive Bayes"].value[at] for at in (0, -1)]
    yield Note(
        f"PRISM errs {100 * gaps[0]:+.1f} points more than naive Bayes with the fewest rows, "
        f"{100 * gaps[1]:+.1f} with the most. Rows to train on are taken from rows to test on: the "
        "slide's question of how many to hold out."
    )
    lines = {
        name: (
            np.asarray(curve.x, float),
            100 * curve.value,
            200 * curve.spread / np.sqrt(curve.splits),
        )
        for name, curve in curves.items()
    }
    yield drawn(
        "slides-r-holdout", "Error against training rows", "training rows", "test error, per cent",
        lines,
    )  # fmt: skip


def _listed(curve: Learning) -> str:
    pairs = zip(curve.x, curve.value, strict=True)
    return ", ".join(f"{100 * value:.1f}% at {x:.0f}" for x, value in pairs)
