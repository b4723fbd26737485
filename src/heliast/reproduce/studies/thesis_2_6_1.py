"""The sentences of section 2.6.1, on random and deterministic weights."""

from collections.abc import Iterator

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Note
from heliast.reproduce.studies import (
    thesis_2_3,
    thesis_2_4,
    thesis_2_5,
    thesis_2_6,
    thesis_2_7,
    thesis_2_8,
    thesis_2_9,
)
from heliast.reproduce.studies._concentric import B, Concentric

SMALL = (thesis_2_3, thesis_2_4, thesis_2_5)
LARGE = (thesis_2_6, thesis_2_7, thesis_2_8, thesis_2_9)


@study(
    "thesis-2.6.1",
    "Random against deterministic weights: what the section says",
    design="The runs of tables 2.3 to 2.9, at every B.",
    tolerance="'Uniformly better' is better in every entry; 'very similar' is within 3 points.",
    repetitions=10,
)
def thesis_2_6_1(setting: Setting) -> Iterator[Claim | Note]:
    """Each sentence, true or not on our run, and on the printed tables themselves."""
    gaps = {m.EXPERIMENT: _gaps(m.EXPERIMENT, setting) for m in (*SMALL, *LARGE)}
    small = [gap for m in SMALL for gap in gaps[m.EXPERIMENT]]
    printed = sum(
        det < rand
        for m in (*SMALL, *LARGE)
        for det, rand in zip(m.PRINTED["Boosting (Det)"], m.PRINTED["Boosting (Rand)"], strict=True)
    )
    yield Claim(
        "with 20 rows of each class random weights are uniformly better",
        all(gap >= 0 for gap in small),
        f"random better in {sum(gap > 0 for gap in small)} of {len(small)} entries",
    )
    last = [gaps[m.EXPERIMENT][-1] for m in SMALL]
    yield Claim(
        "the difference increases with the complexity of the tree",
        last[0] < last[1] and last[0] < last[2],
        "points at B = 120: " + ", ".join(f"{gap:+.1f}" for gap in last),
    )
    large = [gap for m in LARGE for gap in gaps[m.EXPERIMENT][2:]]
    yield Claim(
        "with 100 rows all get very similar error rates",
        all(abs(gap) < 3 for gap in large),
        f"differences from B = 20 on: {min(large):+.1f} to {max(large):+.1f} points",
    )
    yield Note(
        f"Printed, the deterministic weights are better in {printed} of 56 entries, so "
        "'uniformly better' does not hold there either. The distribution is shown in a picture "
        "only. Tried: 14 discs in rings (Bayes error 10 to 17%, radius 1.45 to 2.5), a normal "
        "class in a blurred ring, blurred edges, flipped labels. The one used comes nearest to the "
        "printed errors of 1NN and of trees (root mean square 2.4 points over 9 errors; 2.8 or "
        "more for the other kinds). "
        "Whatever the distribution, ours of 20 rows and more than 2 leaves err less than printed "
        "where 1NN errs as printed: the printed trees seem to be grown differently."
    )


def _gaps(experiment: Concentric, setting: Setting) -> list[float]:
    """Deterministic minus random, in points, at each B."""
    by = experiment.errors(setting)
    return [float((by["Boosting (Det)", b] - by["Boosting (Rand)", b]).mean()) for b in B]
