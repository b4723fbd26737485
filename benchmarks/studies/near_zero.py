"""Trees near an error of 0 over 5 x 2 folds: does any method cover less than 98.5%?

python -m benchmarks.studies.near_zero; more data sets than the coverage study has, and others.
"""

from benchmarks.coverage.resampled._covered import STRICT, counted
from benchmarks.coverage.resampled._intervals import methods
from benchmarks.coverage.resampled._learners import LEARNERS
from benchmarks.coverage.resampled._store import kept
from benchmarks.coverage.resampled._study import simulated, truths
from benchmarks.coverage.resampled._tasks import TASKS
from benchmarks.coverage.resampled._truth import SETS
from heliast import FiveByTwo
from heliast.estimates import wilson

SEED, TIMES, N = 9, 3000, 200
PLAN = "FiveByTwo()"
TASK = next(task for task in TASKS if task.name == "near separable")


def main() -> None:
    """A line a method: coverage, and its Monte Carlo interval."""
    truth = kept(
        f"resampled-truth-{SETS}/{TASK.name}-{N}", lambda: truths(TASK, LEARNERS, N, 100, SETS)
    )
    risk = float(truth[f"tree/{N // 2}"][0])
    tree = {"tree": LEARNERS["tree"]}
    table = simulated(TASK, tree, N, SEED, TIMES, 0, 0, {PLAN: FiveByTwo()})[f"tree/{PLAN}"]
    for name, limits in methods(PLAN, table, 0).items():
        share = counted(*limits, risk)["coverage"]
        found = wilson(round(share * TIMES), TIMES, STRICT)
        print(f"{name}: {share:.4f} [{found.low:.4f}, {found.high:.4f}]", flush=True)


if __name__ == "__main__":
    main()
