"""The part of RESULTS.md about comparisons."""

from collections.abc import Iterator

import numpy as np

from benchmarks.coverage.sizes._size import BAR, Size

INTRO = (
    "How often each comparison rejects a true null at 5%, in worlds where the null holds exactly. "
    "`power` is the share rejected in one alternative of the world, for interest. An undefined p "
    "is no finding."
)


def report(sizes: list[Size]) -> list[str]:
    judged = [one for one in sizes if one.default]
    failed = [one for one in judged if one.fails]
    return [
        "## Comparisons: true nulls rejected at 5%",
        "",
        INTRO,
        "",
        f"Bar for `auto`: at most {BAR:.1%}; a cell fails only if its 99.9% Monte Carlo interval "
        f"lies wholly above. **{len(judged)} cells judged, {len(failed)} above.**",
        "",
        "![size of the comparisons](sizes.svg)",
        "",
        *_failed(failed),
        *_by_test(sizes),
        *_every([one for one in sizes if one.default]),
    ]


def _failed(failed: list[Size]) -> Iterator[str]:
    if failed:
        yield "| above the bar | test | n | rejected |"
        yield "| --- | --- | --- | --- |"
        for one in failed:
            yield f"| {one.case} | {one.test} | {one.n} | {one.rejected:.3f} ± {one.error:.3f} |"
        yield ""


def _plan(one: Size) -> str:
    return one.case.split(", ", 2)[2] if one.world.startswith("procedure: one learner") else ""


def _by_test(sizes: list[Size]) -> Iterator[str]:
    yield "| world | plan | test | cells | lowest | median | highest | where | power |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for world, plan, test in dict.fromkeys((one.world, _plan(one), one.test) for one in sizes):
        own = [one for one in sizes if (one.world, _plan(one), one.test) == (world, plan, test)]
        share = np.array([one.rejected for one in own])
        top = max(own, key=lambda one: one.rejected)
        power = [one.power for one in own if one.power == one.power]
        said = f"{np.median(power):.2f}" if power else ""
        name = f"**{test}**" if own[0].default else test
        where = f"{top.case.replace(f', {plan}', '') if plan else top.case}, {top.n}"
        yield (
            f"| {world} | {plan} | {name} | {len(own)} | {share.min():.3f} "
            f"| {np.median(share):.3f} | {share.max():.3f} | {where} | {said} |"
        )
    yield ""


def _every(sizes: list[Size]) -> Iterator[str]:
    yield "### Every cell of the defaults"
    yield ""
    yield "| world | case | test | n | repetitions | rejected | MC error | undefined | power |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for one in sizes:
        power = "" if one.power != one.power else f"{one.power:.2f}"
        mark = " **fails**" if one.fails else ""
        yield (
            f"| {one.world} | {one.case} | {one.test} | {one.n} | {one.repetitions} "
            f"| {one.rejected:.3f}{mark} | {one.error:.3f} | {one.undefined:.3f} | {power} |"
        )
    yield ""
