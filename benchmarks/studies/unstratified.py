"""Ten classes: splits that spread classes evenly against splits drawn without regard to them.

python -m benchmarks.studies.unstratified; the truths are those of the coverage study.
"""

from typing import Any

from benchmarks.coverage.resampled._covered import counted
from benchmarks.coverage.resampled._intervals import column, methods
from benchmarks.coverage.resampled._learners import LEARNERS
from benchmarks.coverage.resampled._store import kept
from benchmarks.coverage.resampled._study import SIZES, simulated, trained, truths
from benchmarks.coverage.resampled._tasks import TASKS
from benchmarks.coverage.resampled._truth import SETS
from heliast import FiveByTwo, KFold, Subsampling
from heliast.plans import Plan

SEED, TIMES = 5, 1000
TASK = next(task for task in TASKS if task.name == "10 classes")
SOME = {name: LEARNERS[name] for name in ("LDA", "logistic")}
PLANS = ("KFold(10)", "KFold(10, repeats=5)", "Subsampling()", "FiveByTwo()")
Row = dict[tuple[str, str], tuple[float, float]]


def plans(stratify: Any) -> dict[str, Plan]:
    return {
        "KFold(10, repeats=5)": KFold(10, repeats=5, stratify=stratify),
        "Subsampling()": Subsampling(stratify=stratify),
        "FiveByTwo()": FiveByTwo(stratify=stratify),
    }


def measured(n: int, stratify: Any) -> Row:
    """By learner and plan: bias of the error, and what `corrected_t` covers."""
    truth = kept(
        f"resampled-truth-{SETS}/{TASK.name}-{n}", lambda: truths(TASK, LEARNERS, n, 100, SETS)
    )
    found = simulated(TASK, SOME, n, SEED, TIMES, 0, 0, plans(stratify))
    row: Row = {}
    for learner in SOME:
        for plan in PLANS:
            table = found[f"{learner}/{plan}"]
            risk = float(truth[f"{learner}/{trained(n)[plan]}"][0])
            low, high = methods(plan, table, 0)["corrected_t"]
            bias = float(column(table, "p").mean()) - risk
            row[learner, plan] = bias, counted(low, high, risk)["coverage"]
    return row


def main() -> None:
    """A Markdown table: bias in points and coverage in percent, even and not."""
    print("| n | learner | plan | bias, even | covers | bias, at random | covers |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for n in SIZES:
        even, chance = measured(n, True), measured(n, False)
        for key in even:
            words = [f"{100 * b:+.1f} | {100 * c:.1f}" for b, c in (even[key], chance[key])]
            print(f"| {n} | {key[0]} | {key[1]} | {words[0]} | {words[1]} |", flush=True)


if __name__ == "__main__":
    main()
