"""The part of RESULTS.md about several splits."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from benchmarks.coverage.resampled._cells import width_ratio
from benchmarks.coverage.resampled._covered import HIGH, JUDGED_FROM, LOW, Covered, misses

INTRO = (
    "Coverage of the error of the recipe (target `algorithm`: expected error when trained on as "
    "many rows as the plan trains on), nominal 95%. `wald_cv` declares another target, the mean "
    "risk of the models fitted here: it is judged on that (`own target`) and on the recipe. "
    "Undefined intervals count as misses. `before` is the rule that `auto` followed before this "
    "study: Wilson with n_eff = min(n, p(1-p)/v), v the corrected variance over splits. "
    "`Wilson, n` takes all rows as independent."
)


def report(cells: list[Covered], fresh: list[Covered], costly: list[Covered]) -> list[str]:
    """Bars, a line a method, then every cell of the default."""
    lines = ["## Several splits: the error of a recipe", "", INTRO, ""]
    lines += [
        f"Bar for `auto`: {LOW:.0%} to {HIGH:.1%} from n = {JUDGED_FROM} on; a cell fails only if "
        "its 99.9% Monte Carlo interval lies outside. Beside a cell that fails: the share of its "
        "estimates that carry a note on it, and the other methods whose coverage measured on the "
        "same splits lies within the bar.",
        "",
        "![coverage over several splits](splits.svg)",
        "",
        *_failed(cells, "Tasks of the specification"),
        *_failed(fresh, "Fresh tasks and learners"),
        *_by_method(cells, f"Tasks of the specification, n >= {JUDGED_FROM}"),
        *_by_method(fresh, f"Fresh tasks and learners, n >= {JUDGED_FROM}"),
        *(["![coverage on fresh tasks](fresh.svg)", ""] if fresh else []),
        *_costly(costly),
        *_every(cells, "Every cell of the default"),
        *_every(fresh, "Every cell of the default: fresh tasks"),
    ]
    return lines


def _failed(cells: list[Covered], title: str) -> Iterator[str]:
    judged, missed = [cell for cell in cells if cell.judged], misses(cells)
    if not judged:
        return
    yield f"**{title}: {len(judged)} cells judged, {len(missed)} outside.**"
    yield ""
    if missed:
        yield (
            "| outside the bar | learner | plan | n | coverage | side | estimates that say so "
            "| other methods within |"
        )
        yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
        for one in missed:
            cell = one.cell
            share = f"{cell.coverage:.3f} ± {cell.error:.3f}"
            yield (
                f"| {cell.task} | {cell.learner} | {cell.plan} | {cell.n} | {share} "
                f"| too {cell.outside} | {cell.warned:.0%} | {one.known} |"
            )
        yield ""


def _by_method(cells: list[Covered], title: str) -> Iterator[str]:
    """Lowest, median and highest coverage of each method, and its width beside the default's."""
    large = [cell for cell in cells if cell.n >= JUDGED_FROM]
    if not large:
        return
    yield f"### {title}"
    yield ""
    yield (
        "| plan | method | cells | lowest | median | highest | below 93% | undefined "
        "| width / auto |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for plan in dict.fromkeys(cell.plan for cell in large):
        mine = [cell for cell in large if cell.plan == plan]
        for method in dict.fromkeys(cell.method for cell in mine):
            own = [cell for cell in mine if cell.method == method]
            share = np.array([cell.coverage for cell in own])
            lost = np.mean([cell.undefined for cell in own])
            ratio = width_ratio(mine, method.removesuffix(", own target"), "auto")
            wide = "" if ratio != ratio or method == "auto" else f"{ratio:.2f}"
            low = min(own, key=lambda cell: cell.coverage)
            name = f"**{method}**" if own[0].default else method
            yield (
                f"| {plan} | {name} | {len(own)} | {low.coverage:.3f} ({low.task}, {low.learner}, "
                f"{low.n}) | {np.median(share):.3f} | {share.max():.3f} | {(share < LOW).sum()} "
                f"| {lost:.3f} | {wide} |"
            )
    yield ""


def _costly(cells: list[Covered]) -> Iterator[str]:
    if not cells:
        return
    yield "### Methods with plans of their own, n = 200"
    yield ""
    yield (
        "| method | plan | task | learner | coverage | MC error | below | above | undefined "
        "| width |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for cell in sorted(cells, key=lambda one: one.method):
        yield (
            f"| {cell.method} | {cell.plan} | {cell.task} | {cell.learner} | {cell.coverage:.3f} "
            f"| {cell.error:.3f} | {cell.below:.3f} | {cell.above:.3f} | {cell.undefined:.3f} "
            f"| {cell.width:.3g} |"
        )
    yield ""


def other_measures(cells: list[Covered]) -> Iterator[str]:
    """`auto` for measures other than the error."""
    if not cells:
        return
    yield "### Other measures, n = 200, `auto`"
    yield ""
    yield "| measure | plan | task | learner | coverage | MC error | below | above | undefined |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for cell in cells:
        yield (
            f"| {cell.method} | {cell.plan} | {cell.task} | {cell.learner} | {cell.coverage:.3f} "
            f"| {cell.error:.3f} | {cell.below:.3f} | {cell.above:.3f} | {cell.undefined:.3f} |"
        )
    yield ""


def _every(cells: list[Covered], title: str) -> Iterator[str]:
    """One line a task, learner and size; a column a plan: coverage (below, above) width."""
    default = [cell for cell in cells if cell.default]
    if not default:
        return
    plans = list(dict.fromkeys(cell.plan for cell in default))
    yield f"### {title}"
    yield ""
    yield "Coverage, misses (below / above the truth), median width; repetitions differ by size."
    yield ""
    yield f"| task | learner | n | repetitions | {' | '.join(plans)} |"
    yield "|" + " --- |" * (4 + len(plans))
    keys = dict.fromkeys((cell.n, cell.task, cell.learner) for cell in default)
    for n, task, learner in sorted(keys, key=lambda key: key[0]):
        mine = {c.plan: c for c in default if (c.n, c.task, c.learner) == (n, task, learner)}
        times = max(cell.repetitions for cell in mine.values())
        row = [_brief(mine.get(plan)) for plan in plans]
        yield f"| {task} | {learner} | {n} | {times} | {' | '.join(row)} |"
    yield ""


def _brief(cell: Covered | None) -> str:
    if cell is None:
        return ""
    share = f"{cell.coverage:.3f}"
    share = f"**{share}**" if cell.judged and cell.outside else share
    return f"{share} ({cell.below:.3f} / {cell.above:.3f}) {cell.width:.3f}"


def bootstrap_points(points: list[dict[str, Any]]) -> Iterable[str]:
    """Bias of the points without an interval, for training on all n rows."""
    if not points:
        return
    yield "### Points of the bootstrap: bias and root mean squared error for training on n rows"
    yield ""
    yield "| n | learner | point | mean bias | largest bias | mean RMSE |"
    yield "| --- | --- | --- | --- | --- | --- |"
    keys = dict.fromkeys((one["n"], one["learner"], one["point"]) for one in points)
    for n, learner, point in sorted(keys, key=lambda key: key[:2]):
        mine = [
            one for one in points if (one["n"], one["learner"], one["point"]) == (n, learner, point)
        ]
        bias = np.array([one["bias"] for one in mine])
        worst = bias[np.abs(bias).argmax()]
        rmse = np.mean([one["rmse"] for one in mine])
        yield f"| {n} | {learner} | {point} | {bias.mean():+.4f} | {worst:+.4f} | {rmse:.4f} |"
    yield ""
