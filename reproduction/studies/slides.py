"""The notes' .632, and the slides: kappa, the Wilson interval, errors against training rows."""

import numpy as np
from scipy.stats import norm
from sklearn.naive_bayes import CategoricalNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer

from heliast.curves import learning
from heliast.data import read
from heliast.estimates import wilson
from heliast.learners import Prism
from heliast.measures import get, kappa_word
from heliast.measures.summaries import Contingency
from heliast.plans import LearningCurve, Subsampling
from heliast.predictions import Predictions
from reproduction.figures import line_chart
from reproduction.studies.chapter_tables import predictions_of_counts
from reproduction.study import Claim, Printed, study


@study(
    "notes-2.3",
    "The share of rows in a resample",
    design="1 - (1 - 1/n)^n for growing n.",
    tolerance="Half a unit of the last printed digit, at n = 10,000.",
    printed=Printed("Notes 2.3", {"rows in a resample": 0.632, "rows left out": 0.368}, 0.0005),
)
def notes_2_3(settings):
    n = 10_000
    left_out = (1 - 1 / n) ** n
    yield from (1 - left_out, left_out)
    yield (
        "Printed, the .632 error is a sum over runs and takes the resampled model's error on all "
        "rows; it is a mean, with the error of the full-data model on its own rows (Efron)."
    )


COUNTS = np.array([(88, 14, 18), (10, 40, 10), (2, 6, 12)])  # rows = true class, as printed
CHANCE = ((60, 36, 24), (30, 18, 12), (10, 6, 4))
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
def slides_c_kappa(settings):
    predictions = predictions_of_counts(COUNTS.T, "abc", "a")
    yield from predictions.summary(Contingency).chance.ravel()
    kappa = get("kappa").of(predictions)
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
def slides_c_wilson(settings):
    yield from (norm.ppf((1 + level) / 2) for level in QUANTILES)
    intervals = [wilson(0.85 * n, n) for n in (20, 100, 1000, 10_000)]
    widths = [interval.high - interval.low for interval in intervals]
    yield Claim(
        "with constant f = 85% the uncertainty for p narrows as N grows",
        widths == sorted(widths, reverse=True),
        ", ".join(f"[{interval.low:.3f}, {interval.high:.3f}]" for interval in intervals),
    )
    yield (
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
)
def slides_r_holdout(settings):
    cut = KBinsDiscretizer(BINS, encode="ordinal", quantile_method="averaged_inverted_cdf")
    models = {
        "PRISM": Prism(bins=BINS),
        "naive Bayes": make_pipeline(cut, CategoricalNB(min_categories=BINS)),
    }
    plan = LearningCurve(Subsampling(settings.times(10, 3), 0.5), SHARES)
    table = settings.run(models, read("sklearn:wine", "class"), plan, settings.seed)
    curves = {name: learning(table, model=name) for name in models}
    for name, curve in curves.items():
        pairs = zip(curve.x, curve.value, strict=True)
        yield Claim(
            f"{name}: more training rows, fewer errors",
            curve.value[-1] < curve.value[0],
            ", ".join(f"{100 * value:.1f}% at {x:.0f}" for x, value in pairs),
        )
    gaps = 100 * (curves["PRISM"].value - curves["naive Bayes"].value)
    yield (
        f"PRISM errs {gaps[0]:+.1f} points more than naive Bayes with the fewest rows, "
        f"{gaps[-1]:+.1f} with the most. Rows to train on are taken from rows to test on: the "
        "slide's question of how many to hold out."
    )
    lines = {
        name: (curve.x, 100 * curve.value, 200 * curve.spread / np.sqrt(curve.splits))
        for name, curve in curves.items()
    }
    yield line_chart(
        "slides-r-holdout", "Error against training rows", "training rows", "test error, per cent",
        lines,
    )  # fmt: skip
