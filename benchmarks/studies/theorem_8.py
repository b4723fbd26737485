"""Thesis 2.4.2 and 3.4: substitution against ECOC (figure 2.6), theorem 8 and figure 3.1.

`python -m benchmarks.studies.theorem_8 [training sets]`: 26 bivariate normals with means in +-5
(and in +-11, as in 3.6), 10 training rows a class, 1040 test points; rho, gamma and the needed B
beside the thesis's 0.125, 0.227 and 9, and where the vote's error falls below that of the tree.
"""

import sys
from dataclasses import replace

import numpy as np

import heliast as hl
from benchmarks.studies.bias_variance import Balanced
from heliast.data import simulate
from heliast.theory import agreement, needed_members

STAGES = (1, 2, 3, 5, 7, 8, 9, 10, 12, 15, 20, 50, 100)


def study(spread: float, seed: int, sets: int) -> None:
    """One task: the estimates, figure 2.6 and figure 3.1."""
    task = simulate.gaussian_classes(26, spread, seed)
    data = replace(task.sample([40] * 26, seed=1), simulated=Balanced(task))
    models = {"tree": hl.Tree(), "coded": hl.CodedVote(hl.Tree(), columns=100, stages=STAGES)}
    table = hl.run(models, data, hl.Fresh(sets, 260), seed=2, progress=False)
    q = data.posteriors
    member, vote = "coded/substitution/B=1", "coded/substitution/B=100"
    found = needed_members(table, member, vote, 100, "tree", q)
    print(f"\nmeans in +-{spread:g}, seed {seed}, {sets} training sets (thesis in brackets)")
    for name, thesis in (("rho", 0.125), ("gamma", 0.227), ("members", 9)):
        one = getattr(found, name)
        print(f"  {name:8} {one.value:7.3f} [{one.low:.3f}, {one.high:.3f}]  ({thesis})")
    print(
        f"  slopes {found.alpha_vote:.3f} (0.356), {found.alpha_one:.3f} (0.823); variances "
        f"{found.variance_member:.4f} (0.0515), {found.variance_one:.4f} (0.0626)"
    )
    print(" ", found.sentence)
    line = agreement(table, "coded/l1/B=100", vote, q)
    print(f"  figure 2.6: {line!r}  (R² about 0.95, fewer than 4% discordant)")
    votes = [f"coded/{name}/B={B}" for name in ("substitution", "l1") for B in STAGES]
    errors = {
        name: float(np.mean(table.only(name).label != table.only(name).truth))
        for name in ("tree", *votes)
    }
    print(f"  figure 3.1, error in percent: tree {100 * errors['tree']:.1f}")
    for decoder in ("substitution", "l1"):
        shown = [100 * errors[f"coded/{decoder}/B={B}"] for B in STAGES]
        below = [B for B, e in zip(STAGES, shown, strict=True) if e < 100 * errors["tree"]]
        print(
            f"    {decoder:13}"
            + " ".join(f"B={B}:{e:.1f}" for B, e in zip(STAGES, shown, strict=True))
            + f"   below the tree from B = {min(below, default=None)}"
        )


if __name__ == "__main__":
    training_sets = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    for spread, seed in ((5.0, 0), (5.0, 1), (11.0, 0), (11.0, 1)):
        study(spread, seed, training_sets)
