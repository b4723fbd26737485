"""How far the .632 of the lecture notes is off, beside Efron's: bias for training on n rows.

The notes (section 2.3) take the training term from each resampled model on all rows; Efron from the
model fitted to all rows. Data are drawn from tasks of two families, every point is computed from
the same 50 resamples, and its mean over data sets is set beside the true error of the recipe on n
rows, which is measured on 4,000 fresh rows with the same training sets.

    python -m benchmarks.studies.notes_632 [--sets 60] [--task 'two_gaussians(0.2)']
"""

import argparse
from collections.abc import Iterator

import numpy as np

import heliast as hl
from heliast import estimates
from heliast.data import simulate

TASKS = {
    "two_gaussians(0.2)": simulate.two_gaussians(0.2),
    "concentric(0.15)": simulate.concentric(0.15),
}
POINTS = ("left_out", "bootstrap_632", "bootstrap_632_notes", "bootstrap_632_plus")
SIZES = (50, 200)
RESAMPLES, FRESH = 50, 4000


def learners() -> dict[str, object]:
    """One that overfits all it can, one that hardly does, one between."""
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
    from sklearn.neighbors import KNeighborsClassifier

    return {
        "1-NN": KNeighborsClassifier(1),
        "LDA": LinearDiscriminantAnalysis(),
        "tree": hl.Tree(min_samples_leaf=1, min_samples_split=2, min_deviance=0),
    }


def biases(
    sets: int, tasks: list[str]
) -> Iterator[tuple[str, str, int, float, dict[str, tuple[float, float]]]]:
    """Task, learner, n, true error, and of each point its bias with the standard error of that."""
    from sklearn.base import clone

    for task_name in tasks:
        task = TASKS[task_name]
        fresh = task.sample(FRESH, seed=10_000)
        for n in SIZES:
            gaps: dict[tuple[str, str], list[float]] = {}
            risks: dict[str, list[float]] = {}
            for seed in range(sets):
                data = task.sample(n, seed=seed)
                plan = hl.Bootstrap(RESAMPLES)
                table = hl.run(learners(), data, plan, seed, in_sample=True, progress=False, jobs=1)
                for name, model in learners().items():
                    fitted = clone(model).fit(data.matrix, data.y)
                    risk = float((fitted.predict(fresh.matrix) != fresh.y).mean())
                    risks.setdefault(name, []).append(risk)
                    for point in POINTS:
                        value = getattr(estimates, point)(table.only(name)).value
                        gaps.setdefault((name, point), []).append(value - risk)
            for name, risk_of in risks.items():
                found = {
                    point: (np.mean(gap), np.std(gap, ddof=1) / np.sqrt(len(gap)))
                    for point in POINTS
                    for gap in [gaps[name, point]]
                }
                yield task_name, name, n, float(np.mean(risk_of)), found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=60, help="data sets of each cell")
    parser.add_argument("--task", choices=list(TASKS), help="one of the two, or both")
    asked = parser.parse_args()
    print("| task | learner | n | true error |", " | ".join(POINTS), "|")
    print("| --- " * (4 + len(POINTS)) + "|")
    for task, learner, n, risk, found in biases(
        asked.sets, [asked.task] if asked.task else list(TASKS)
    ):
        cells = " | ".join(f"{100 * bias:+.1f} ({100 * se:.1f})" for bias, se in found.values())
        print(f"| {task} | {learner} | {n} | {100 * risk:.1f} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
