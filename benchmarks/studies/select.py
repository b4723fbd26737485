"""Does a vote chosen from predictions pay, and is the error that it tells true?

`sets`: eight models on ten data sets, their out-of-fold predictions (ten folds), and from these the
vote by both methods, the best single model, the plain majority and the plain mean, all judged by
rows that did not choose; differences of greedy selection with 95% intervals, each by itself. That
greedy selection goes by errors first was decided among four ways by looking at these sets; `others`
are six more, which were looked at once, afterwards.

`truth`: tables whose truth is known, many times: how far the told error of the vote is, on average,
from the true error of the votes that were judged (one a fold, its weights chosen by the other
folds) and from that of the vote that is kept, how far that of the same rows is, and how often the
interval covers the error of the recipe (the mean over all tables) and that of the vote that is
kept. `coins` are models that are right by chance on a share of the rows each; `recipes` are five
learners on rows of a simulated task, where the vote that is kept is of models fitted to all rows.

    python -m benchmarks.studies.select sets [--store build/select]
    python -m benchmarks.studies.select others
    python -m benchmarks.studies.select truth [--times 400]
"""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import heliast as hl
from heliast import Predictions
from heliast.data import simulate
from heliast.ensembles import Selection, select

SETS = ("iris", "sklearn:wine", "glass", "sonar", "pima", "sklearn:breast_cancer", "vowel",
        "sklearn:digits", "spam", "letter")  # fmt: skip
OTHERS = ("housevotes84", "zoo", "musk", "promotergene", "shuttle", "concentric")
MOST_ROWS = 1500
SIMPLER = ("best single", "majority", "mean")


def models() -> dict[str, object]:
    """Eight that err in different ways, all with probabilities."""
    from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier
    from sklearn.ensemble import RandomForestClassifier as Forest
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    return {
        **quick(),
        "bayes": GaussianNB(),
        "near": make_pipeline(StandardScaler(), KNeighborsClassifier(5)),
        "tree": DecisionTreeClassifier(min_samples_leaf=3, random_state=0),
        "forest": Forest(100, random_state=0),
        "extra": ExtraTreesClassifier(100, random_state=0),
        "boosted": HistGradientBoostingClassifier(max_iter=50, early_stopping=False),
    }


def quick() -> dict[str, object]:
    """Linear ones."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    line = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000))
    return {"lda": LinearDiscriminantAnalysis(), "logistic": line}


def read(name: str) -> hl.Dataset:
    """A data set, at most so many of its rows; `concentric` is simulated."""
    if name == "concentric":
        return simulate.concentric(0.15).sample(600, seed=1)
    if name.startswith("sklearn:"):
        data = hl.read(name)
    else:
        data = hl.read(Path(os.environ["HELIAST_DATA"]) / f"{name}.csv", target="class")
    rows = np.random.default_rng(0).permutation(data.n)[:MOST_ROWS]
    return data if data.n <= MOST_ROWS else data.subset(np.sort(rows))


def error(table: Predictions, model: str) -> float:
    """The share of wrong labels."""
    part = table.only(model)
    return float(np.mean(part.y_pred != part.y_true))


def on_sets(store: str, names: tuple[str, ...] = SETS) -> Iterator[list[str]]:
    """A line a data set, and one of the means."""
    gains: list[list[float]] = []
    for name in names:
        data = read(name)
        table = hl.run(models(), data, hl.KFold(10), seed=1, store=store, jobs=1)
        found = {method: select(table, method) for method in ("greedy", "stacked")}
        made = found["greedy"].predictions
        pairs = hl.compare(made, "error", correction="none")
        own = {model: error(made, model) for model in made.models}
        stacked = error(found["stacked"].predictions, "vote")
        seen = error(found["greedy"].vote(table), "vote")
        gains.append([own["vote"] - own[model] for model in SIMPLER] + [own["vote"] - stacked])
        against = [
            "the same"
            if one.identical
            else f"{100 * one.value:+.1f} [{100 * one.low:+.1f}, {100 * one.high:+.1f}]"
            for one in (pairs["vote", model] for model in SIMPLER)
        ]
        errors = [own["vote"], stacked, *(own[model] for model in SIMPLER), seen]
        yield [name.removeprefix("sklearn:"), f"{data.n}", f"{len(data.classes)}",
               *(f"{100 * one:.1f}" for one in errors), *against]  # fmt: skip
    mean, se = np.mean(gains, axis=0), np.std(gains, axis=0, ddof=1) / np.sqrt(len(gains))
    from scipy.stats import t

    half = se * t.ppf(0.975, len(gains) - 1)
    ends = [f"{100 * m:+.1f} [{100 * (m - h):+.1f}, {100 * (m + h):+.1f}]"
            for m, h in zip(mean, half, strict=True)]  # fmt: skip
    yield ["mean difference over sets", "", "", "", f"({ends[3]})", "", "", "", "", *ends[:3]]


# --- known truth -----------------------------------------------------------------------------


def coins(n: int, models: int, seed: int) -> tuple[Predictions, Predictions]:
    """Models that are right on 0.6 to 0.65 of the rows by chance: n rows, and many others."""
    rng = np.random.default_rng(seed)
    fresh = 10_000
    truth = rng.integers(0, 2, n + fresh)
    parts = []
    for at, share in enumerate(np.linspace(0.6, 0.65, models)):
        label = truth ^ (rng.random(n + fresh) > share)
        parts.append([
            Predictions.of(truth[cut], label[cut], model=f"m{at}", row=range(truth[cut].size))
            for cut in (slice(0, n), slice(n, None))
        ])  # fmt: skip
    tables = [one[0].join(*one[1:]) for one in zip(*parts, strict=True)]
    return tables[0], tables[1]


def recipes(n: int, models: int, seed: int) -> tuple[Predictions, Predictions]:
    """Out-of-fold predictions of learners for n rows, and of the same fitted to all for others."""
    from sklearn.base import clone
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier

    task = simulate.concentric(0.15)
    data, new = task.sample(n, seed=seed), task.sample(4000, seed=10_000 + seed)
    chosen = {
        **quick(), "bayes": GaussianNB(), "near": KNeighborsClassifier(5),
        "tree": hl.Tree(max_depth=4),
    }  # fmt: skip
    table = hl.run(chosen, data, hl.KFold(10), seed, jobs=1)
    fitted = {name: clone(model).fit(data.matrix, data.y) for name, model in chosen.items()}
    return table, hl.predict(fitted, new)


def errors_by_fold(found: Selection, new: Predictions) -> Iterator[float]:
    """The true error of each vote that was judged: its weights were chosen by the other folds."""
    parts = [new.only(name) for name in found.weights]
    classes = range(len(new.classes))
    said = np.stack(
        [
            np.eye(len(classes))[part.y_pred]
            if found.kind == "hard"
            else np.column_stack([part.rows().score_of(code) for code in classes])
            for part in parts
        ],
        axis=-1,
    )
    for weights in found.by_fold:
        yield float(np.mean((said @ weights).round(12).argmax(axis=1) != parts[0].y_true))


def with_truth(times: int) -> Iterator[list[str]]:
    """A line a cell: biases in points with their Monte Carlo errors, and coverage."""
    cells = ((coins, 50, 15), (coins, 200, 15), (coins, 200, 40), (recipes, 100, 5))
    for method in ("greedy", "stacked"):
        for draw, n, count in cells:
            if method == "stacked" and draw is coins:
                continue  # labels alone are weighed greedily
            gaps, ends, trues = [], [], []
            for seed in range(times if draw is coins else times // 4):
                table, new = draw(n, count, seed)
                found = select(table, method)
                true = error(found.vote(new), "vote")
                told = hl.assess(found.predictions, "error")["vote", "error"]
                single = error(found.predictions, "best single") - error(new, found.best)
                seen = error(found.vote(table), "vote")
                judged = np.mean([*errors_by_fold(found, new)])
                gaps.append([told.value - judged, told.value - true, seen - true, single])
                ends.append([told.low, told.high])
                trues.append(true)
            mean, se = np.mean(gaps, axis=0), np.std(gaps, axis=0) / np.sqrt(len(gaps))
            cells_ = [f"{100 * m:+.2f} ({100 * s:.2f})" for m, s in zip(mean, se, strict=True)]
            low, high = np.transpose(ends)
            covers = [
                f"{np.mean((low <= true) & (true <= high)):.3f}"
                for true in (np.mean(trues), np.array(trues))
            ]
            yield [draw.__name__, method, f"{n}", f"{count}", *cells_, *covers]


HEADS = {
    "sets": ["data", "n", "classes", "greedy", "stacked", *SIMPLER, "greedy, same rows",
             *(f"greedy - {one}" for one in SIMPLER)],
    "truth": ["models", "method", "n", "count", "told - judged", "told - kept",
              "same rows - kept", "best single: told - kept", "covers the recipe's",
              "covers its own"],
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=["sets", "others", "truth"])
    parser.add_argument("--times", type=int, default=400, help="tables of each cell of truth")
    parser.add_argument("--store", default="build/select", help="where finished fits are kept")
    asked = parser.parse_args()
    truth = asked.part == "truth"
    names = SETS if asked.part == "sets" else OTHERS
    lines = with_truth(asked.times) if truth else on_sets(asked.store, names)
    head = HEADS["truth" if truth else "sets"]
    print("|", " | ".join(head), "|")
    print("| --- " * len(head) + "|")
    for line in lines:
        print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main()
