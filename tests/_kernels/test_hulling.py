"""The hull from sorted scores against the hull of the whole curve, found the slow way."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from heliast._kernels.ranking import curve, roc_hull, split_sorted


def slow_hull(fp: np.ndarray, tp: np.ndarray) -> list[int]:
    """From each corner go on to the point that is seen at the steepest slope, the farthest such."""
    at, out = 0, [0]
    while at < fp.size - 1:
        ahead = range(at + 1, fp.size)
        angle = [np.arctan2(tp[i] - tp[at], fp[i] - fp[at]) for i in ahead]
        best = max(angle)
        at = max(i for i, a in zip(ahead, angle, strict=True) if abs(a - best) < 1e-12)
        out.append(at)
    return out


@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 12)), min_size=2, max_size=60).filter(
        lambda rows: 0 < sum(own for own, _ in rows) < len(rows)
    )
)
@settings(max_examples=200, deadline=None)
def test_corners_with_heavy_ties(rows: list[tuple[bool, int]]) -> None:
    truth = np.array([own for own, _ in rows], np.uint8)
    score = np.array([value for _, value in rows], float)
    pos, neg, *_ = split_sorted(truth, score)
    threshold, tp, fp = curve(pos, neg)
    found = roc_hull(pos, neg)
    corner = slow_hull(fp, tp)
    np.testing.assert_array_equal(found[0], threshold[corner])
    np.testing.assert_array_equal(found[1], tp[corner])
    np.testing.assert_array_equal(found[2], fp[corner])


@pytest.mark.parametrize("shift", [0.0, 1.0, 4.0])
def test_many_pieces_agree_with_one_hull_and_with_any_number_of_threads(
    shift: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    from heliast.curves.roc import hull

    rng = np.random.default_rng(1)
    truth = (rng.random(700_000) < 0.4).astype(np.uint8)
    score = np.round(rng.normal(size=truth.size) + shift * truth, 5)
    pos, neg, *_ = split_sorted(truth, score)
    threshold, tp, fp = curve(pos, neg)
    corner = hull(fp, tp)
    found = roc_hull(pos, neg)
    np.testing.assert_array_equal(found[0], threshold[corner])
    monkeypatch.setenv("HELIAST_THREADS", "1")
    for one, two in zip(found, roc_hull(pos, neg), strict=True):
        np.testing.assert_array_equal(one, two)
