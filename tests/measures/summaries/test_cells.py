"""Cells named by places against tables of flags."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from heliast.measures.summaries import Cells


@given(st.integers(2, 6), st.data())
def test_rows_columns_and_all_else_are_what_they_say(k: int, data: st.DataObject) -> None:
    code = data.draw(st.integers(0, k - 1))
    row, column = np.zeros((k, k), bool), np.zeros((k, k), bool)
    row[code], column[:, code] = True, True
    wanted = {
        "row": (Cells.row(k, code), row),
        "column": (Cells.column(k, code), column),
        "cross": (Cells.cross(k, code), row | column),
        "one": (Cells.one(k, code, code), row & column),
        "diagonal": (Cells.diagonal(k), np.eye(k, dtype=bool)),
        "every": (Cells.every(k), np.ones((k, k), bool)),
        "missed": (Cells.missed(k, code), row & ~column),
        "false": (Cells.taken(k, code), column & ~row),
        "rest": (Cells.cross(k, code).others, ~(row | column)),
    }
    for name, (cells, mask) in wanted.items():
        assert cells.mask.tolist() == mask.tolist(), name
        assert cells.others.mask.tolist() == (~mask).tolist(), name
        assert cells.by_row.tolist() == mask.sum(axis=1).tolist(), name
        for one, flags in ((cells, mask), (cells.others, ~mask)):
            assert one.in_one_row == (flags.any(axis=1).sum() == 1), name
        for at in range(k):
            own = (np.arange(k) == at)[:, None]
            assert cells.within(at).mask.tolist() == (mask & own).tolist(), name


@given(st.integers(1, 5), st.integers(0, 99), st.floats(0, 1))
def test_sums_and_parts_are_those_of_flags(k: int, seed: int, share: float) -> None:
    rng = np.random.default_rng(seed)
    mask = rng.random((k, k)) < share
    table, many = rng.random((k, k)), rng.integers(0, 9, (4, 3, k, k))
    for cells, flags in ((Cells.of(mask), mask), (Cells.of(mask).others, ~mask)):
        assert cells.mask.tolist() == flags.tolist()
        assert cells.by_row.tolist() == flags.sum(axis=1).tolist()
        assert abs(float(cells.total(table)) - table[flags].sum()) < 1e-12
        assert (cells.total(many) == many[..., flags].sum(axis=-1)).all()
        for row in range(k):
            own = np.zeros((k, k), bool)
            own[row] = True
            assert cells.within(row).mask.tolist() == (flags & own).tolist()
