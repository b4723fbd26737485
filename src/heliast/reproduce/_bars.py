"""What all studies together amount to: counts, and the bars that were set for them."""

from collections.abc import Sequence

from heliast.reproduce._study import Outcome, Value

LARGE = 20
SHARE = 0.85
"""Of the entries of tables 2.10 to 2.19 with B >= 20, so many are to be within tolerance."""
TABLES = tuple(f"Table 2.{place}" for place in range(10, 20))


def bars(outcomes: Sequence[Outcome]) -> list[str]:
    """Sentences, as items of a list; a bar without any of its studies is left out."""
    values = [value for outcome in outcomes for value in outcome.values]
    claims = [claim for outcome in outcomes for claim in outcome.claims]
    worked = [value for outcome in outcomes if is_worked(outcome) for value in outcome.values]
    votes = [value for value in values if value.group in TABLES and _members(value) >= LARGE]
    lines = [f"- {_of(values)} printed numbers are within tolerance."]
    if worked:
        lines.append(f"- Worked examples and exercises: {_of(worked)} as printed (bar: all).")
    if votes:
        share = sum(value.agrees for value in votes) / len(votes)
        lines.append(
            f"- Tables 2.10 to 2.19, entries with B >= {LARGE}: {_of(votes)}, {share:.1%}, within "
            f"3 joint standard errors or 2.5 points (bar: {SHARE:.0%})."
        )
    if claims:
        holding = sum(claim.holds for claim in claims)
        lines.append(f"- {holding} of {len(claims)} sentences of the documents hold on our runs.")
    return lines


def is_worked(outcome: Outcome) -> bool:
    """Whether a study is a worked example: computed once, without data of its own."""
    return outcome.study.repetitions == 1 and not outcome.study.needs


def _of(values: Sequence[Value]) -> str:
    return f"{sum(value.agrees for value in values)} of {len(values)}"


def _members(value: Value) -> int:
    _, _, number = value.column.partition("B=")
    return int(number) if number.isdigit() else 0
