"""How often do the comparisons find a difference where there is none? Nominal 5%."""

from benchmarks.coverage.resampled._store import listed
from benchmarks.coverage.sizes._size import Size


def sizes(repetitions: int, seed: int) -> list[Size]:
    """All null worlds: one test set, many data sets, splits of one data set."""
    from benchmarks.coverage.sizes import _rows, _sets, _splits

    found = []
    for name, part in (("rows", _rows), ("sets", _sets)):
        kept = listed(
            f"sizes-{name}-{seed}-{repetitions}",
            lambda part=part: [one.to_dict() for one in part.sizes(repetitions, seed)],  # type: ignore[misc]
        )
        found += [Size(**one) for one in kept]
    return found + _splits.sizes(repetitions, seed)
