"""Is what combine recommends the right thing, and is the error that it tells true?

Tables of simulated models whose true errors are known, many times. `apart` are models that err by
chance, each for itself, on one test set; in `hard` some rows are hard for all (a normal copula with
correlation 0.7), there are probabilities and ten splits, so that the selection is a candidate, too.
The rule was made with `apart` in mind, after a first rule had failed there; a few draws of `hard`
had been seen by then. Neither is a fresh test of the rule.

A line a case: how often a simple candidate (no vote of 50) is taken, the error of what is taken and
of the best candidate as seen (both true, by 5,000 other rows), the told error less the true one of
what is taken, the same of its value as seen, in points with Monte Carlo errors, and how often the
interval covers the true one.

    python -m benchmarks.studies.advice [--times 200]
"""

import argparse
from collections.abc import Callable, Iterator, Mapping

import numpy as np
from scipy.stats import norm

from heliast import Predictions
from heliast.verbs.combine import combine_table

FRESH = 5000
Errors = Mapping[str, float]
CASES: dict[str, tuple[int, Errors]] = {
    "a vote gains 3 points": (300, {"vote/B=50": 0.17, "base": 0.20}),
    "a vote gains 1 point": (300, {"vote/B=50": 0.19, "base": 0.20}),
    "twelve votes gain nothing": (
        300, {f"vote/{at}/B=50": 0.3 for at in range(12)} | {"base": 0.3, "line": 0.3}),
    "one of twelve votes gains 5 points": (
        300, {f"vote/{at}/B=50": 0.3 for at in range(1, 12)}
        | {"vote/0/B=50": 0.25, "base": 0.3, "line": 0.3}),
    "a single model is best": (300, {"vote/B=50": 0.25, "base": 0.3, "line": 0.2}),
}  # fmt: skip


def apart(errors: Errors, n: int, rng: np.random.Generator) -> tuple[Predictions, Predictions]:
    """One test set and other rows; every model errs for itself."""
    truth = rng.integers(0, 2, n + FRESH)
    labels = {name: truth ^ (rng.random(truth.size) < share) for name, share in errors.items()}
    return _tables(truth, n, lambda name: {"label": labels[name]}, errors, 1)


def hard(errors: Errors, n: int, rng: np.random.Generator) -> tuple[Predictions, Predictions]:
    """Ten splits and other rows; what is hard for one is hard for all, and scores say how sure."""
    truth = rng.integers(0, 2, n + FRESH)
    common = rng.normal(size=truth.size)
    scores = {}
    for name, share in errors.items():
        sure = (
            norm.ppf(1 - share) + np.sqrt(0.7) * common + np.sqrt(0.3) * rng.normal(size=truth.size)
        )
        scores[name] = 1 / (1 + np.exp(-sure * (2 * truth - 1)))
    return _tables(truth, n, lambda name: {"score": scores[name]}, errors, 10)


def _tables(
    truth: np.ndarray,
    n: int,
    said: Callable[[str], dict[str, np.ndarray]],
    names: Errors,
    splits: int,
) -> tuple[Predictions, Predictions]:
    found = []
    for cut, many in ((slice(0, n), splits), (slice(n, None), 1)):
        size = truth[cut].size
        split = None if many == 1 else np.arange(size) % many
        tables = [
            Predictions.of(
                truth[cut], model=name, row=range(size), split=split, positive=1,
                **{key: values[cut] for key, values in said(name).items()},
            )
            for name in names
        ]  # fmt: skip
        found.append(tables[0].join(*tables[1:]))
    return found[0], found[1]


def lines(times: int) -> Iterator[list[str]]:
    for family in (apart, hard):
        for case, (n, errors) in CASES.items():
            found = []
            for seed in range(times):
                table, new = family(errors, n, np.random.default_rng(seed))
                it = combine_table(table)
                told = it.selected
                assert told is not None

                def true(name: str) -> float:
                    if name == "selection":
                        part = it.selection.vote(new, name).only(name)  # noqa: B023
                    else:
                        part = new.only(name)  # noqa: B023
                    return float(np.mean(part.y_pred != part.y_true))

                own = true(it.recommended)
                seen = it.candidates[it.recommended].value
                simple = "/" not in it.recommended and it.recommended != "selection"
                found.append([simple, own, true(it.advice.leader), told.value - own, seen - own,
                              told.low <= own <= told.high])  # fmt: skip
            mean, se = np.mean(found, axis=0), np.std(found, axis=0) / np.sqrt(times)
            yield [family.__name__, case, f"{mean[0]:.2f}",
                   *(f"{100 * m:.1f}" for m in mean[1:3]),
                   *(f"{100 * m:+.2f} ({100 * s:.2f})" for m, s in zip(mean[3:5], se[3:5],
                                                                       strict=True)),
                   f"{mean[5]:.3f}"]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=200, help="tables of each case")
    head = ["models", "case", "simple taken", "true error", "that of the best as seen",
            "told - true", "seen - true", "covers"]  # fmt: skip
    print("|", " | ".join(head), "|")
    print("| --- " * len(head) + "|")
    for line in lines(parser.parse_args().times):
        print("|", " | ".join(line), "|", flush=True)


if __name__ == "__main__":
    main()
