"""Does pruning pay? Size and error of pruned and unpruned trees on five data sets.

    HELIAST_DATA=folder python -m benchmarks.studies.pruning

The slides say of C4.5's rule: 'with pruning, the error frequency increases, but the number of
records in node also increases, therefore the maximum error can decrease'.
"""

import os
from pathlib import Path

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold

import heliast as hl

SETS = ("glass", "housevotes84", "pima", "sonar", "vowel")
FULL = hl.Tree(min_deviance=0, min_samples_leaf=2, min_samples_split=4)
MODELS = {
    "full": FULL,
    "pessimistic": clone(FULL).set_params(pruning="pessimistic"),
}
SEED = 3


def leaves(data: hl.Dataset, model: hl.Tree) -> float:
    """Mean number of leaves over the training parts of ten folds."""
    X, y = data.matrix, np.asarray(data.y_true)
    nominal = list(data.nominal) or None
    sizes = [
        clone(model).set_params(nominal=nominal).fit(X[train], y[train]).nodes_.leaves
        for train, _ in RepeatedStratifiedKFold(n_splits=10, n_repeats=1, random_state=SEED).split(
            X, y
        )
    ]
    return float(np.mean(sizes))


def main() -> None:
    """A Markdown table: leaves, error with its interval, difference to the full tree."""
    folder = Path(os.environ["HELIAST_DATA"])
    print("| data | tree | leaves | error | points more than the full tree | verdict |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in SETS:
        ignore = ("split", "speaker", "sex") if name == "vowel" else ()
        data = hl.read(str(folder / f"{name}.csv"), "class", ignore=ignore)
        table = hl.run(MODELS, data, hl.KFold(10, repeats=5), SEED, progress=False)
        found, pairs = hl.assess(table, "error"), hl.compare(table)
        for model in MODELS:
            one = found[model, "error"]
            cells = [name, model, f"{leaves(data, MODELS[model]):.1f}"]
            cells.append(f"{100 * one.value:.1f} [{100 * one.low:.1f}, {100 * one.high:.1f}]")
            if model == "full":
                cells += ["", ""]
            else:
                gap = pairs[model, "full"]
                ends = f"[{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"
                cells += [f"{100 * gap.value:+.1f} {ends}", gap.verdict]
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
