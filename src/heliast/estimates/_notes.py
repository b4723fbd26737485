"""Warnings that the data themselves call for: few rows of a class, few right labels, few rows."""

from heliast.estimates._registry import Case
from heliast.measures.summaries import Contingency

FEW_ROWS = 20
FEW_HITS = 3


def small_class(case: Case) -> tuple[str, ...]:
    """A warning when the smallest class has fewer than 20 rows."""
    rows = case.rows
    if rows.task != "classes":
        return ()
    sizes = rows.class_sizes(weighted=rows.weight_kind == "frequency")
    least = sizes[sizes > 0].min() / case.copies
    if least >= FEW_ROWS:
        return ()
    return (f"the smallest class has {least:g} rows: the interval may be too short",)


def few_hits(table: Contingency) -> tuple[str, ...]:
    """A warning when a class that occurs is labelled rightly in fewer than 3 rows."""
    hits = table.hits[table.actual > 0]
    if hits.min() >= FEW_HITS or table.squares is not None:
        return ()
    return ("a class is hardly ever labelled rightly: the interval may be too short",)
