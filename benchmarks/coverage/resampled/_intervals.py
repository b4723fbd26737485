"""Methods by name from the summaries, for all repetitions; `check` compares with the library.

The default needs the rows: benchmarks/studies/fold_variance.py measures it.

The formulas stand here a second time because a thousand tables a cell are too many to build. On the
first data sets of every cell, `check` builds them and asks the library: the limits must be equal.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.coverage.resampled import _tables as tables
from benchmarks.coverage.resampled._learners import Job
from heliast._core.level import quantile
from heliast.estimates.resampled import Case, Parts, over_splits
from heliast.measures import get

Array = npt.NDArray[Any]
Limits = tuple[Array, Array]
LEVEL = 0.95
ONCE = ("KFold(10)", "LeaveOneOut()")
"""Plans that test every row once."""


def column(found: Array, name: str) -> Array:
    return np.asarray(found[..., tables.NAMES.index(name)])


def wilson(p: Array, n: Array, q: Array | float) -> Limits:
    z2n = q**2 / n
    middle = (p + z2n / 2) / (1 + z2n)
    half = np.sqrt(z2n * p * (1 - p) + z2n**2 / 4) / (1 + z2n)
    low = np.where(p == 0, 0.0, np.maximum(0.0, middle - half))
    high = np.where(p == 1, 1.0, np.minimum(1.0, middle + half))
    return low, high


def _around(p: Array, half: Array) -> Limits:
    half = np.where(half > 1e-14, half, np.nan)
    return np.maximum(0.0, p - half), np.minimum(1.0, p + half)


def student(j: Array) -> Array:
    first = float(np.ravel(j)[0])
    assert (j == first).all()
    return np.full(np.shape(j), quantile(LEVEL, first - 1))


def methods(plan: str, found: Array, grouped: int) -> dict[str, Limits]:
    """Limits of every method that takes this plan; `Wilson, n` counts all rows as independent.

    `grouped` is the number of rows of a group, 0 without groups.
    """
    p, j, n = (column(found, name) for name in ("p", "j", "n"))
    z = quantile(LEVEL)
    if plan == "Bootstrap(50)":
        return {}
    wald = np.sqrt(p * (1 - p) / n)
    given: dict[str, Limits] = {}
    if plan == "LeaveOneOut()" and not grouped:
        return {**given, "before": wilson(p, n, z), "wald_cv": _around(p, z * wald)}
    v = column(found, "s2") * (1 / j + column(found, "ratio"))
    given["before"] = before(plan, found, grouped)
    given["corrected_t"] = _around(p, student(j) * np.sqrt(v))
    raw = np.sqrt(column(found, "plain") / j)
    mean = p  # folds of groups differ in size: the documents' rule takes the mean over folds
    if not grouped:
        given["fold_t"] = (mean - student(j) * raw, mean + student(j) * raw)
        given["fold_z"] = (mean - z * raw, mean + z * raw)
        given["fold_t"] = _blank(given["fold_t"])
        given["fold_z"] = _blank(given["fold_z"])
    given["Wilson, n"] = wilson(p, n, z)
    if plan == "KFold(10)" and not grouped:
        given["wald_cv"] = _around(p, z * wald)
    return given


def _blank(limits: Limits) -> Limits:
    """Documents' rules without spread are a point: as undefined as any."""
    none = limits[0] == limits[1]
    return tuple(np.where(none, np.nan, one) for one in limits)  # type: ignore[return-value]


def before(plan: str, found: Array, grouped: int) -> Limits:
    """Wilson with n_eff = min(n, p(1-p)/v)."""
    p, j, n = (column(found, name) for name in ("p", "j", "n"))
    v = column(found, "s2") * (1 / j + column(found, "ratio"))
    folds = plan in tables.FOLDS
    with np.errstate(divide="ignore", invalid="ignore"):
        worth = np.minimum(n, p * (1 - p) / v)
    few = n if not grouped else np.minimum(n, n / grouped)
    worth = np.where(v > 1e-28, worth, few)
    once = folds and float(np.ravel(column(found, "repeats"))[0]) == 1 and not grouped
    low, high = wilson(p, worth, quantile(LEVEL) if once else student(j))
    return np.minimum(low, p), np.maximum(high, p)


def check(plan: str, cut: tables.Cut, job: Job, label: Array) -> None:
    """The library on the same splits must say the same."""
    group = cut.data.group
    grouped = 0 if group is None else round(cut.data.n / np.unique(group).size)
    parts = [(plan, cut, job, label)]
    if plan == "KFold(10, repeats=5)":
        once = cut.first(10)
        mine = job.split < 10
        one = Job(job.X, job.y, job.k, job.weight[:10], job.split[mine], job.row[mine])
        parts.append(("KFold(10)", once, one, label[mine]))
    for name, here, asked, given in parts:
        table = here.table(asked, given)
        if name == "Bootstrap(50)":
            continue
        case = Case(Parts(table.only(role="test", in_train=0), "model"), table, get("error"))
        stats = tables.summary(here, asked, given, name in tables.FOLDS)[None, :]
        for method, (low, high) in methods(name, stats, grouped).items():
            if method in ("Wilson, n", "before"):
                continue
            said = over_splits(case, method)
            if method.startswith("fold_") and said.low == said.high:
                continue
            if grouped and "groups: an interval" in said.reason:
                continue  # fewer than 5 of the groups of 50 rows were tested
            same = np.allclose([low[0], high[0]], [said.low, said.high], atol=1e-9, equal_nan=True)
            if not same:
                raise AssertionError(
                    f"{name}, {method}: study [{low[0]}, {high[0]}], library {said!r}"
                )
