"""Smoothed leaves: what Laplace and the m-estimate do to probabilities of trees.

HELIAST_DATA=folder python -m benchmarks.studies.smoothing
"""

import os
from pathlib import Path

from sklearn.base import clone

import heliast as hl

SETS = ("glass", "housevotes84", "pima", "sonar", "vowel")
FULL = hl.Tree(min_deviance=0, min_samples_leaf=2, min_samples_split=4)
MODELS = {
    "none": FULL,
    "laplace": clone(FULL).set_params(smoothing="laplace"),
    "m = 2": clone(FULL).set_params(smoothing=2.0),
    "m = 10": clone(FULL).set_params(smoothing=10.0),
}
SEED = 4


def main() -> None:
    """A Markdown table: Brier score with its interval, and the difference to no smoothing."""
    folder = Path(os.environ["HELIAST_DATA"])
    print("| data | smoothing | Brier score | less than none by | verdict |")
    print("| --- | --- | --- | --- | --- |")
    for name in SETS:
        ignore = ("split", "speaker", "sex") if name == "vowel" else ()
        data = hl.read(str(folder / f"{name}.csv"), "class", ignore=ignore)
        table = hl.run(MODELS, data, hl.KFold(10, repeats=3), SEED, progress=False)
        found, pairs = hl.assess(table, "brier"), hl.compare(table, "brier")
        for model in MODELS:
            one = found[model, "brier"]
            cells = [name, model, f"{one.value:.3f} [{one.low:.3f}, {one.high:.3f}]"]
            if model == "none":
                cells += ["", ""]
            else:
                gap = pairs[model, "none"]
                cells += [f"{-gap.value:.3f} [{-gap.high:.3f}, {-gap.low:.3f}]", gap.verdict]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
