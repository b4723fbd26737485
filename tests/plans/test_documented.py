"""The page about plans says what is true."""

import inspect
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.plans.tables import numbers

from heliast import plans
from heliast.plans import Piece, Plan

PAGE = Path(__file__).parents[2] / "docs" / "plans.md"


@pytest.mark.parametrize("name", plans.__all__)
def test_every_plan_is_on_the_page(name):
    kind = getattr(plans, name)
    if inspect.isclass(kind) and issubclass(kind, Plan) and name not in ("Plan", "FromSklearn"):
        assert f"`{name}(" in PAGE.read_text(encoding="utf-8")


def test_a_plan_of_your_own():
    @dataclass(frozen=True)
    class LastPart(Plan):
        share: float = 0.2

        def pieces(self, data, rng):
            start = int(data.n * (1 - self.share))
            yield Piece.leaving(data.n, range(start, data.n))

    (piece,) = LastPart().on(numbers(10))
    assert piece.test.tolist() == [8, 9]
    assert (piece.record.n_train, piece.record.n_test) == (8, 2)
