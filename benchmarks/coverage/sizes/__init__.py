"""How often do the comparisons find a difference where there is none? Nominal 5%."""

from benchmarks.coverage.sizes._size import Size


def sizes(repetitions: int, seed: int) -> list[Size]:
    """All null worlds: one test set, splits of one data set, many data sets."""
    from benchmarks.coverage.sizes import _rows, _sets, _splits

    found = _rows.sizes(repetitions, seed)
    found += _sets.sizes(repetitions, seed)
    return found + _splits.sizes(repetitions, seed)
