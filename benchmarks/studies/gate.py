"""How often the gate decides wrongly: models just above and below the bar, 2,000 test sets each.

python -m benchmarks.studies.gate
"""

import numpy as np

import heliast as hl

REPEATS, SEED = 2_000, 5
SIZES = (200, 1_000)


def errors_at(rng: np.random.Generator, n: int, rate: float) -> hl.Predictions:
    """A test set on which a model errs with this probability."""
    truth = rng.integers(0, 2, n)
    return hl.Predictions.of(truth, truth ^ (rng.random(n) < rate), positive=1)


def areas_at(rng: np.random.Generator, n: int, auc: float) -> hl.Predictions:
    """A test set with normal scores whose area under the ROC curve is this."""
    from scipy.stats import norm

    truth = rng.integers(0, 2, n)
    score = rng.normal(np.sqrt(2) * norm.ppf(auc) * truth, 1.0)
    return hl.Predictions.of(truth, y_score=score, positive=1, scores="decision")


def pairs_at(rng: np.random.Generator, n: int, gap: float) -> hl.Predictions:
    """Two models that err on 10% and 10% + gap of the rows, half of the errors shared."""
    truth = rng.integers(0, 2, n)
    lot = rng.random(n)
    old = lot < 0.1
    new = (lot < 0.05) | ((lot > 0.5) & (lot < 0.55 + gap))
    table = hl.Predictions.of(truth, truth ^ old, model="old", positive=1)
    return table.join(hl.Predictions.of(truth, truth ^ new, model="new", positive=1))


CASES = [
    ("error.high <= 0.1", errors_at, (0.06, 0.09, 0.1, 0.11, 0.15)),
    ("auc.low >= 0.8", areas_at, (0.88, 0.82, 0.8, 0.78, 0.7)),
    ("error(new - old).high <= 0.02", pairs_at, (-0.02, 0.01, 0.02, 0.03, 0.08)),
]


def main() -> None:
    """A Markdown table: shares of pass, undecided and fail for each true value."""
    rng = np.random.default_rng(SEED)
    print("| requirement | rows | true value | pass | not enough data | fail |")
    print("| --- | --- | --- | --- | --- | --- |")
    for words, draw, values in CASES:
        for n in SIZES:
            for value in values:
                found = [hl.gate(draw(rng, n, value), words).outcome for _ in range(REPEATS)]
                shares = [found.count(o) / REPEATS for o in ("pass", "inconclusive", "fail")]
                cells = " | ".join(f"{100 * share:.1f}%" for share in shares)
                print(f"| `{words}` | {n:,} | {value:g} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
