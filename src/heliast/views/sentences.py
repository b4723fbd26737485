"""The answer in one or two sentences."""

import math
from collections.abc import Sequence

from heliast.estimates import Estimate
from heliast.views.numbers import count, number, percent, shorten


def opening(estimates: Sequence[Estimate], models: Sequence[str]) -> str:
    """What a reader should take away first.

    >>> one = Estimate(0.031, 0.027, 0.036, method="Wilson", n=20000, model="coded",
    ...                measure="error")
    >>> opening([one], ["coded"])
    'coded errs on 3.1% of new rows (95% interval 2.7% to 3.6%, from 20,000 rows).'
    """
    headline = _headline(estimates)
    if not headline:
        return "Nothing could be assessed."
    if len(models) == 1:
        return _of_one(headline[0])
    ranked = sorted(headline, key=lambda one: (math.isnan(one.value), _badness(one)))
    listed = "; ".join(_brief(one) for one in ranked[:5])
    more = f"; and {len(ranked) - 5} more" if len(ranked) > 5 else ""
    return (
        f"{_name(ranked[0]).capitalize()}, best first: {listed}{more}. "
        "Whether they can be told apart is a question for compare."
    )


def _headline(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The measure that the sentence speaks of: the error, or the first there is."""
    overall = [one for one in estimates if one.class_ is None]
    for wanted in ("error", "accuracy", "mae"):
        found = [one for one in overall if one.measure == wanted]
        if found:
            return found
    first = overall[0].measure if overall else None
    return [one for one in overall if one.measure == first]


def _badness(one: Estimate) -> float:
    from heliast import measures

    return one.value if measures.get(one.measure.split("(")[0]).better == "low" else -one.value


def _name(one: Estimate) -> str:
    words = {"error": "error rate", "mae": "mean absolute error", "accuracy": "accuracy"}
    return words.get(one.measure, one.measure)


def _share(one: Estimate, value: float) -> str:
    return percent(value) if one.measure in ("error", "accuracy") else number(value)


def _range(one: Estimate) -> str:
    if math.isnan(one.low) or math.isnan(one.high):
        return ""
    return f"{_share(one, one.low)} to {_share(one, one.high)}"


def _brief(one: Estimate) -> str:
    name = shorten(one.model, 40)
    if not one.defined:
        return f"{name} undefined"
    found = _range(one)
    return f"{name} {_share(one, one.value)}" + (f" [{found}]" if found else "")


def _of_one(one: Estimate) -> str:
    name = shorten(one.model, 40)
    if not one.defined:
        return f"The {_name(one)} of {name} is undefined: {one.reason}."
    rows = f"from {count(one.n)} rows" if not math.isnan(one.n) else "from the given rows"
    found = _range(one)
    sure = f"{100 * one.level:g}% interval {found}, {rows}" if found else f"{rows}; {one.reason}"
    if one.target == "procedure":
        trained = f" on {count(one.n_train)} rows" if one.n_train is not None else ""
        subject, said = f"the recipe {name}, trained{trained},", "of new rows"
    else:
        subject, said = name, "of new rows"
    if one.measure == "error":
        return f"{subject} errs on {percent(one.value)} {said} ({sure})."
    if one.measure == "accuracy":
        return f"{subject} is right on {percent(one.value)} {said} ({sure})."
    if one.measure == "mae":
        return f"{subject} is off by {number(one.value)} on average ({sure})."
    return f"The {_name(one)} of {subject} is {number(one.value)} ({sure})."
