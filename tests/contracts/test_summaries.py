"""Every summary adds up: the sum over two halves is the summary of the whole."""

from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.tables import few, tables

from heliast.measures import summaries

KINDS = [
    kind
    for kind in map(summaries.__dict__.get, summaries.__all__)
    if isinstance(kind, type) and hasattr(kind, "__add__")
]
FROM_ROWS = [kind for kind in KINDS if "rows" in kind.of.__annotations__]
SIDES = [
    {},
    {"weight": [1, 0, 2]},
    {"weight": [0.5, 1.25, 2.0]},
    {"group": [4, 2, 2]},
    {"weight": [0.5, 1.25, 2.0], "group": [1, 2, 1]},
]


def numbers(summary):
    """All numbers a summary holds."""
    found = []
    for field in fields(summary):
        value = getattr(summary, field.name)
        for part in value if isinstance(value, tuple) else [value]:
            if is_dataclass(part):
                found += numbers(part)
            elif isinstance(part, (int, float, np.ndarray)):
                found.append(part)
    return found


def assert_equal(a, b):
    first, second = numbers(a), numbers(b)
    assert len(first) == len(second) > 0
    for x, y in zip(first, second, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("design", ["rows", "classes"])
@pytest.mark.parametrize("sides", SIDES, ids=lambda sides: "+".join(sides) or "plain")
@pytest.mark.parametrize("kind", FROM_ROWS, ids=lambda kind: kind.__name__)
@few
@given(data=st.data())
def test_halves_add_up(kind, sides, design, data):
    k = data.draw(st.sampled_from([2, 3]))
    table = data.draw(tables(k, everyone=True))
    table.score.clip(1e-3, 1 - 1e-3, out=table.score)  # no infinite losses
    table.score[:] = table.score if k == 2 else table.score / table.score.sum(1, keepdims=True)
    columns = {name: np.resize(values, table.n) for name, values in sides.items()}
    rows = table.built(design=design, **columns).rows()
    cut = data.draw(st.integers(1, table.n - 1))
    parts = [kind.of(rows.at(np.arange(a, b))) for a, b in ((0, cut), (cut, table.n))]
    assert_equal(parts[0] + parts[1], kind.of(rows))


def test_every_summary_is_tried():
    assert {*KINDS} - {*FROM_ROWS} == {summaries.Moments}


@few
@given(data=st.data())
def test_parts_add_up(data):
    n = data.draw(st.integers(2, 10))
    weight, loss = (
        np.array(data.draw(st.lists(st.integers(*ends), min_size=n, max_size=n))) / 4
        for ends in ((1, 4), (-3, 9))
    )
    cut = data.draw(st.integers(1, n - 1))
    of = summaries.Moments.of
    assert_equal(of(loss[:cut], weight[:cut]) + of(loss[cut:], weight[cut:]), of(loss, weight))
