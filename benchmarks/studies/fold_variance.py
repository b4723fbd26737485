"""Do intervals over splits cover, how wide are they, and what is phi? Every measure by learner.

python -m benchmarks.studies.fold_variance [--tables 100] [--only TEXT] [--plans folds,loo]

A line a measure: coverage with its Monte Carlo error, width over 3.92 times the true standard
deviation, and the true variance over that of the rows, which phi stands for. The estimand is the
mean value of models trained on as many fresh rows. With --jsonl FILE lines are also kept there.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heliast as hl
from heliast.data import Dataset
from heliast.estimates.resampled import Case, Parts, over_splits
from heliast.predictions import Predictions, Splits

FRESH, TEST = 120, 4000
CLASSES = (
    "error", "recall", "specificity", "precision", "npv", "f1", "balanced_accuracy", "kappa",
    "mcc", "auc", "average_precision", "log_loss", "brier",
)  # fmt: skip
MANY_CLASSES = (
    "error", "recall.macro", "precision.macro", "f1.macro", "kappa", "mcc", "auc", "log_loss",
    "brier",
)  # fmt: skip
NUMBERS = ("mae", "mse", "rmse", "r2", "rae", "rrse")


@dataclass(frozen=True)
class Scenario:
    """A population: p features, of which some shift (or add) with the target."""

    name: str
    n: int
    features: int = 5
    shift: float = 0.6
    share: float = 0.5
    informative: int = 5
    classes: int = 2
    law: str = "normal"

    def draw(self, rng: np.random.Generator, n: int) -> tuple[Any, Any]:
        """Features and target of n rows."""
        x = rng.normal(size=(n, self.features))
        if self.law == "numbers":
            y = x[:, : self.informative].sum(axis=1) * self.shift + rng.normal(size=n)
            return x, y
        if self.law == "skewed numbers":
            mean = x[:, : self.informative].sum(axis=1) * self.shift
            return x, mean + np.exp(rng.normal(size=n)) * (1 + np.abs(x[:, 0]))
        if self.classes > 2:
            y = rng.integers(self.classes, size=n)
            x[:, : self.classes] += 2 * self.shift * np.eye(self.classes)[y]
            return x, y
        y = (rng.random(n) < self.share).astype(int)
        x[:, : self.informative] += self.shift * y[:, None]
        return x, y


LEARNERS: dict[str, Callable[[], Any]] = {
    "lda": LinearDiscriminantAnalysis,
    "logistic": lambda: LogisticRegression(C=100.0, max_iter=200),
    "bayes": GaussianNB,
    "1nn": lambda: KNeighborsClassifier(1),
    "5nn": lambda: KNeighborsClassifier(5),
    "25nn": lambda: KNeighborsClassifier(25),
    "tree": lambda: DecisionTreeClassifier(random_state=0),
    "depth2": lambda: DecisionTreeClassifier(max_depth=2, random_state=0),
    "svc": SVC,
    "ridge.01": lambda: LogisticRegression(C=0.01),
    "ridge.002": lambda: LogisticRegression(C=0.002),
    "balanced": lambda: LogisticRegression(C=1.0, class_weight="balanced"),
    "select": lambda: make_pipeline(SelectKBest(f_classif, k=8), LogisticRegression()),
    "ridge": lambda: Ridge(1.0),
    "5nn numbers": lambda: KNeighborsRegressor(5),
    "tree numbers": lambda: DecisionTreeRegressor(random_state=0),
}
GENERAL = ("lda", "logistic", "bayes", "1nn", "5nn", "25nn", "tree", "depth2", "svc")
WALK: tuple[tuple[Scenario, tuple[str, ...]], ...] = (
    (Scenario("even", 50), GENERAL),
    (Scenario("even", 200), GENERAL),
    (Scenario("rare", 400, shift=0.8, share=0.1), (*GENERAL, "balanced")),
    (Scenario("even", 1000), ("lda", "bayes", "5nn", "tree")),
    (Scenario("near perfect", 150, shift=2.0), ("lda", "5nn", "tree")),
    (Scenario("wide", 300, 100, 0.5), ("ridge.01", "svc", "select")),
    (Scenario("wider", 200, 400, 0.5), ("ridge.002", "svc", "select")),
    (Scenario("three classes", 200, classes=3), ("lda", "5nn", "tree")),
    (Scenario("numbers", 100, law="numbers"), ("ridge", "5nn numbers", "tree numbers")),
    (
        Scenario("skewed numbers", 200, law="skewed numbers"),
        ("ridge", "5nn numbers", "tree numbers"),
    ),
)
PLANS: dict[str, Any] = {
    "folds": hl.KFold(10),
    "5 folds": hl.KFold(5),
    "2 folds": hl.KFold(2),
    "3x10": hl.KFold(10, repeats=3),
    "5x2": hl.FiveByTwo(),
    "loo": hl.LeaveOneOut(),
    "subsampling": hl.Subsampling(10, 0.8),
    "bootstrap": hl.Bootstrap(25),
}


def scores_of(model: Any, x: Any) -> Any:
    """Probabilities, or the decision scores of what has none; numbers as they are."""
    if hasattr(model, "predict_proba"):
        p = model.predict_proba(x)
        return p[:, 1] if p.shape[1] == 2 else p
    if hasattr(model, "decision_function"):
        return model.decision_function(x)
    return model.predict(x)


def table_of(make: Callable[[], Any], x: Any, y: Any, plan: Any, seed: int) -> Predictions:
    """Out-of-sample predictions under a plan."""
    numbers = y.dtype.kind == "f"
    data = Dataset.of(x, y)
    pieces = [piece for piece in plan.on(data, seed) if piece.record.role == "test"]
    fitted = [make().fit(x[piece.train], y[piece.train]) for piece in pieces]
    score = np.concatenate(
        [scores_of(model, x[piece.test]) for model, piece in zip(fitted, pieces, strict=True)]
    )
    row = np.concatenate([piece.test for piece in pieces])
    split = np.repeat(np.arange(len(pieces)), [piece.test.size for piece in pieces])
    table = predictions(fitted[0], y[row], score, numbers, split=split, row=row)
    records = tuple(
        replace(split, repeat=piece.record.repeat, n_train=int(piece.train.size))
        for split, piece in zip(table.splits, pieces, strict=True)
    )
    return replace(table, splits=Splits(records))


def predictions(model: Any, y: Any, score: Any, numbers: bool, **columns: Any) -> Predictions:
    """The table of one model's scores."""
    if numbers:
        return Predictions.of(y, score, task="regression", **columns)
    kind = "probability" if hasattr(model, "predict_proba") else "decision"
    positive = 1 if np.ndim(score) == 1 else None
    label = (score >= (0.5 if kind == "probability" else 0)).astype(int) if positive else None
    return Predictions.of(y, label, score, scores=kind, positive=positive, **columns)


def truths(make: Callable[[], Any], scenario: Scenario, n_train: int, asked: list[Any]) -> Any:
    """The mean value of models trained on fresh rows, by measure."""
    rng = np.random.default_rng([1, n_train])
    found = []
    for _ in range(FRESH):
        x, y = scenario.draw(rng, n_train)
        test_x, test_y = scenario.draw(rng, TEST)
        model = make().fit(x, y)
        table = predictions(model, test_y, scores_of(model, test_x), y.dtype.kind == "f")
        found.append([m.of(table) if _possible(m, table) else np.nan for m in asked])
    return np.nanmean(np.where(np.isfinite(found), found, np.nan), axis=0)


def _possible(measure: Any, table: Predictions) -> bool:
    kind = table.score_kind_of(table.models[0])
    return not measure.lacks(table.task, len(table.classes), kind)


def estimate_of(table: Predictions, measure: Any, parts: Parts) -> Any:
    """The default interval."""
    return over_splits(Case(parts, table, measure))


def condition(
    scenario: Scenario, learner: str, plan_name: str, tables: int
) -> list[dict[str, Any]]:
    """Coverage, width and variance of every measure under one condition."""
    make, plan = LEARNERS[learner], PLANS[plan_name]
    names = (
        NUMBERS if "numbers" in scenario.name else MANY_CLASSES if scenario.classes > 2 else CLASSES
    )
    asked = [hl.measures.get(name) for name in names]
    rng = np.random.default_rng([2, scenario.n])
    kept: dict[str, list[tuple[float, ...]]] = {name: [] for name in names}
    n_train = 0
    for seed in range(tables):
        x, y = scenario.draw(rng, scenario.n)
        table = table_of(make, x, y, plan, seed)
        n_train = round(np.mean([split.n_train for split in table.splits]))
        parts = Parts(table, "model")
        for name, measure in zip(names, asked, strict=True):
            if _possible(measure, table):
                e = estimate_of(table, measure, parts)
                kept[name].append((e.value, e.low, e.high, e.se, phi_named(e.method)))
    # A resample of n rows trains like fewer different ones, each some times.
    if plan_name == "bootstrap":
        truth = np.nanmean([_resampled_truth(make, scenario, asked)], axis=0)
    else:
        truth = truths(make, scenario, n_train, asked)
    return [
        summary(scenario, learner, plan_name, name, kept[name], float(true))
        for name, true in zip(names, truth, strict=True)
        if kept[name]
    ]


def _resampled_truth(make: Callable[[], Any], scenario: Scenario, asked: list[Any]) -> Any:
    rng = np.random.default_rng(3)
    found = []
    for _ in range(FRESH):
        x, y = scenario.draw(rng, scenario.n)
        drawn = rng.integers(scenario.n, size=scenario.n)
        test_x, test_y = scenario.draw(rng, TEST)
        model = make().fit(x[drawn], y[drawn])
        table = predictions(model, test_y, scores_of(model, test_x), y.dtype.kind == "f")
        found.append([m.of(table) if _possible(m, table) else np.nan for m in asked])
    return np.nanmean(np.where(np.isfinite(found), found, np.nan), axis=0)


def phi_named(method: str) -> float:
    """The phi that the method of an estimate names."""
    return float(method.rpartition("phi ")[2]) if "phi " in method else np.nan


def summary(
    scenario: Scenario, learner: str, plan: str, measure: str, kept: list[Any], truth: float
) -> dict[str, Any]:
    """One line of the study."""
    value, low, high, se, phi = np.array(kept).T
    shown = np.isfinite(low)
    share = float(((low <= truth) & (truth <= high))[shown].mean()) if shown.any() else np.nan
    sd = float(np.nanstd(value[np.isfinite(value)]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        width = (
            float(np.nanmedian((high - low)[shown]) / (3.92 * sd)) if shown.any() and sd else np.nan
        )
        rows = float(np.nanmean(se**2 / phi))
        typical = float(np.nanmedian(phi))
    return {
        "scenario": scenario.name, "n": scenario.n, "learner": learner, "plan": plan,
        "measure": measure, "tables": int(shown.sum()), "none": int((~shown).sum()),
        "coverage": share, "below": int((truth < low)[shown].sum()),
        "above": int((truth > high)[shown].sum()), "width": width, "phi": typical,
        "true_phi": sd**2 / rows if rows else np.nan, "truth": truth,
        "bias": float(np.nanmean(value[np.isfinite(value)])) - truth,
    }  # fmt: skip


def main() -> None:
    """Walk the conditions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument(
        "--only", default="", help="scenario, size or learner that a condition names"
    )
    parser.add_argument("--plans", default="folds,3x10")
    parser.add_argument("--jsonl", default="")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    for plan in options.plans.split(","):
        for scenario, learners in WALK:
            for learner in learners:
                name = f"{scenario.name} n={scenario.n} {learner} {plan}"
                if options.only not in name:
                    continue
                start = time.perf_counter()
                lines = condition(scenario, learner, plan, options.tables)
                print(f"{name} ({time.perf_counter() - start:.0f} s)")
                for line in lines:
                    error = np.sqrt(
                        max(line["coverage"] * (1 - line["coverage"]), 0.01)
                        / max(1, line["tables"])
                    )
                    print(
                        f"  {line['measure']:18} {line['coverage']:.3f} +- {error:.3f} "
                        f"({line['below']}/{line['above']}) width {line['width']:.2f} "
                        f"phi {line['phi']:.2f} true {line['true_phi']:.2f} "
                        f"bias {line['bias']:+.4f} none {line['none']}",
                        flush=True,
                    )  # fmt: skip
                if options.jsonl:
                    with open(options.jsonl, "a", encoding="utf-8") as file:
                        file.writelines(json.dumps(line) + "\n" for line in lines)


if __name__ == "__main__":
    main()
