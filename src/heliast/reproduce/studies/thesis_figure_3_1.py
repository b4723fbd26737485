"""Section 3.4: theorem 8 on the runs of figure 2.6, and figure 3.1."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Figure, Found, Note, Value
from heliast.reproduce.studies._coded_normals import (
    DESIGN,
    PRINTED_SPREAD,
    STAGES,
    TASKS,
    OnTask,
    on_tasks,
)
from heliast.reproduce.studies._figures import Flat, drawn
from heliast.reproduce.studies._normals import another, error_of_mean

PRINTED = {
    "rho": 0.125,
    "gamma": 0.227,
    "members B": 9.0,
    "slope of substitution": 0.3558,
    "slope of the tree": 0.8225,
    "variance of a member": 0.0515,
    "variance of the tree": 0.0626,
}


@study(
    "thesis-figure-3.1",
    "Theorem 8: how many columns substitution needs to beat the tree",
    design=f"""{DESIGN} rho from the variances at B = 1 and 100, gamma from the slopes on the true
    posteriors, B from both.""",
    tolerance="""As far as one more task would lie with 95%, and 10% for what is not stated: which
    classes count, and which single tree is meant.""",
    repetitions=TASKS,
)
def thesis_figure_3_1(setting: Setting) -> Iterator[Found]:
    """rho, gamma, the needed number, and where the errors cross."""
    found = on_tasks(setting)
    for name, numbers in _parts(found).items():
        ours, printed = np.array(numbers), PRINTED[name]
        far = another(ours, 0.1 * printed, 0.5 * printed)
        yield Value(
            "Section 3.4", name, "", printed, float(ours.mean()), far, error_of_mean(ours)
        )  # fmt: skip
    yield Claim(
        "rho is below gamma, so that enough columns help",
        all(one.needed.rho.value < one.needed.gamma.value for one in found),
        "; ".join(f"{o.needed.rho.value:.3f} below {o.needed.gamma.value:.3f}" for o in found),
    )
    needed = float(np.mean([one.needed.members.value for one in found]))
    crossing = [one.crossing for one in found]
    yield Claim(
        "the error of substitution drops below that of the tree at almost exactly the needed B",
        all(
            abs(at - one.needed.members.value) <= 3 for at, one in zip(crossing, found, strict=True)
        ),
        f"needed {needed:.1f} on average; below the tree from B = {_listed(crossing)}",
    )
    yield _figure(found)
    narrow = on_tasks(setting, PRINTED_SPREAD)
    parts = _parts(narrow)
    yield Note(
        f"With means in +-{PRINTED_SPREAD:g}, as printed: "
        + ", ".join(f"{name} {np.mean(numbers):.3g}" for name, numbers in parts.items())
        + f"; below the tree from B = {_listed([one.crossing for one in narrow])}. "
        "The printed numbers follow from the wider range, not from this one."
    )


def _parts(found: Sequence[OnTask]) -> dict[str, list[float]]:
    return {
        "rho": [one.needed.rho.value for one in found],
        "gamma": [one.needed.gamma.value for one in found],
        "members B": [one.needed.members.value for one in found],
        "slope of substitution": [one.needed.alpha_vote for one in found],
        "slope of the tree": [one.needed.alpha_one for one in found],
        "variance of a member": [one.needed.variance_member for one in found],
        "variance of the tree": [one.needed.variance_one for one in found],
    }


def _listed(crossing: Sequence[float]) -> str:
    return ", ".join("never" if math.isnan(one) else f"{one:g}" for one in crossing)


def _figure(found: Sequence[OnTask]) -> Figure:
    x = np.log10(np.array(STAGES, float))
    lines = {}
    for name, decoder in (("substitution", "substitution"), ("ECOC", "l1")):
        each = np.array([[one.errors[f"{decoder}/B={b}"] for b in STAGES] for one in found])
        lines[name] = (x, each.mean(axis=0), _bars(each))
    tree = np.array([[one.errors["tree"]] * len(STAGES) for one in found])
    lines["tree"] = (x, tree.mean(axis=0), np.zeros(len(STAGES)))
    return drawn("figure-3.1", "Errors against columns", "log10 B", "test error, per cent", lines)


def _bars(each: Flat) -> Flat:
    if len(each) < 2:
        return np.zeros(each.shape[1])
    half: Flat = 2 * each.std(axis=0, ddof=1) / math.sqrt(len(each))
    return half
