"""The notes' .632, and the slides: kappa, the Wilson interval, errors against training rows."""

from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

from heliast.curves import learning
from heliast.data import read
from heliast.estimates import wilson
from heliast.learners import Prism
from heliast.measures import get, kappa_word
from heliast.measures.summaries import Contingency
from heliast.plans import LearningCurve, Subsampling
from heliast.predictions import Predictions
from heliast.reproduce import Claim, Note, Printed, Setting, study
from heliast.reproduce._study import Found
from heliast.reproduce.studies._drawn import drawn
from heliast.reproduce.studies.chapter_tables import counted


@study(
    "notes-2.3",
    "The share of rows in a resample",
    design="1 - (1 - 1/n)^n for growing n.",
    tolerance="Half a unit of the last printed digit, at n = 10,000.",
    printed=Printed("Notes 2.3", {"rows in a resample": 0.632, "rows left out": 0.368}, 0.0005),
)
def notes_2_3(setting: Setting) -> Iterator[Found]:
    n = 10_000
    left_out = (1 - 1 / n) ** n
    yield from (1 - left_out, left_out)
    yield Note(
        "Printed, the .632 error is a sum over runs and takes the resampled model's error on all "
        "rows; it is a mean, with the error of the full-data model on its own rows (Efron)."
    )


COUNTS = ((88, 14, 18), (10, 40, 10), (2, 6, 12))
CHANCE = ((60, 36, 24), (30, 18, 12), (10, 6, 4))
"""Rows = true class, as printed."""
BY_CHANCE = {
    f"true {true}, predicted {label}": number
    for true, line in zip("abc", CHANCE, strict=True)
    for label, number in zip("abc", line, strict=True)
}


@study(
    "slides-c-kappa",
    "Kappa of three classes",
    design="The 200 rows of Sartori (2022), and the random classifier with the same margins.",
    tolerance="Half a unit of the last printed digit; exact for counts.",
    printed=(Printed("By chance", BY_CHANCE, 1e-9), Printed("Kappa", {"kappa": 0.492}, 0.0005)),
)
def slides_c_kappa(setting: Setting) -> Iterator[Found]:
    table = counted(list(zip(*COUNTS, strict=True)), "abc", "a")
    yield from table.summary(Contingency).chance.astype(float).ravel()
    kappa = get("kappa").of(table)
    yield kappa
    yield Claim("kappa of 0.49 is 'moderate'", kappa_word(kappa) == "moderate", f"{kappa:.3f}")
    swapped = ["yes"] * 60 + ["no"] * 40, ["no"] * 60 + ["yes"] * 40
    worst = get("kappa").of(Predictions.of(*swapped))
    yield Claim(
        "a perfect swap of two classes has kappa -1",
        abs(worst + 1) < 1e-9,
        f"with 60 and 40 rows it is {worst:.3f}; it is -1 for equal classes only",
    )


QUANTILES = {0.99: 2.58, 0.98: 2.33, 0.95: 1.96, 0.90: 1.65, 0.50: 0.67}


@study(
    "slides-c-wilson",
    "Quantiles of the normal, and the Wilson interval at f = 85%",
    design="Two-sided quantiles for each printed level; Wilson intervals at f = 0.85 and rising N.",
    tolerance="0.0052: the printed quantiles have two digits, and 1.645 is printed as 1.65.",
    printed=Printed("z", {f"level {level:g}": z for level, z in QUANTILES.items()}, 0.0052),
)
def slides_c_wilson(setting: Setting) -> Iterator[Found]:
    yield from (float(norm.ppf((1 + level) / 2)) for level in QUANTILES)
    limits = [wilson(0.85 * n, n) for n in (20, 100, 1000, 10_000)]
    widths = [both.high - both.low for both in limits]
    yield Claim(
        "with constant f = 85% the uncertainty for p narrows as N grows",
        widths == sorted(widths, reverse=True),
        ", ".join(f"[{both.low:.3f}, {both.high:.3f}]" for both in limits),
    )
    yield Note(
        "Left out: level 0.75, printed 1.04, which belongs to 0.70; it is 1.15. The pessimistic "
        "end of Sartori (2022) is one-sided: z = 1.96 is a bound at 97.5%."
    )


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
    from sklearn.naive_bayes import CategoricalNB
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import KBinsDiscretizer

    cut = KBinsDiscretizer(BINS, encode="ordinal", quantile_method="averaged_inverted_cdf")
    models = {
        "PRISM": Prism(bins=BINS),
        "naive Bayes": make_pipeline(cut, CategoricalNB(min_categories=BINS)),
    }
    plan = LearningCurve(Subsampling(setting.repetitions, 0.5), SHARES)
    table = setting.run(models, read("sklearn:wine", "class"), plan, setting.seed)
    curves = {name: learning(table, model=name) for name in models}
    for name, curve in curves.items():
        pairs = zip(curve.x, curve.value, strict=True)
        yield Claim(
            f"{name}: more training rows, fewer errors",
            bool(curve.value[-1] < curve.value[0]),
            ", ".join(f"{100 * value:.1f}% at {x:.0f}" for x, value in pairs),
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
