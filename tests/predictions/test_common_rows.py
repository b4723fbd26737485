"""Rows that only partly agree: compared where asked, with the counts; else the message says so."""

import numpy as np
import pytest

import heliast as hl
from heliast import Predictions

RNG = np.random.default_rng(3)
Y = RNG.integers(0, 2, 100)
A, B, C = (np.where(RNG.random(100) < p, 1 - Y, Y) for p in (0.1, 0.2, 0.3))


def on(label, rows, name, **more):
    """The predictions of one model for some of the rows, in an order of their own."""
    at = np.random.default_rng(7).permutation(rows)
    return Predictions.of(Y[at], label[at], row=[f"r{one}" for one in at], model=name, **more)


def test_what_all_have_is_compared_and_the_counts_are_stated() -> None:
    parts = on(A, range(90), "a"), on(B, range(10, 100), "b"), on(C, range(5, 95), "c")
    found = hl.compare(*parts, common_rows=True)
    at = np.arange(10, 90)
    expected = hl.compare(Y[at], {"a": A[at], "b": B[at], "c": C[at]})
    for pair in ("a", "b"), ("a", "c"), ("b", "c"):
        assert found[pair].value == expected[pair].value
        assert found[pair].p == expected[pair].p
    assert "rows that all 3 models have: 80 of 100 (left out: a 10, b 10, c 10)" in found.notes


def test_without_it_the_message_says_so() -> None:
    with pytest.raises(hl.InputError, match=r"10 such.*common_rows=True compares"):
        hl.compare(on(A, range(90), "a"), on(B, range(100), "b"))


def test_one_table_whose_models_have_different_rows() -> None:
    model, row = np.repeat(["a", "b"], [100, 80]), np.r_[np.arange(100), np.arange(80)]
    table = Predictions.of(Y[row], np.r_[A, B[:80]], model=model, row=row)
    assert "common_rows=True" in hl.compare(table.join(on_all(C, "c"))).left_out["b"]
    found = hl.assess(table, "error", common_rows=True)
    assert found["a", "error"].value == np.mean(A[:80] != Y[:80])
    assert not np.isnan(found["b", "error"].low)


def on_all(label, name):
    return Predictions.of(Y, label, row=np.arange(100), model=name)


def test_splits_are_matched_too_and_know_their_new_sizes() -> None:
    split = np.arange(100) % 2
    one = Predictions.of(Y, A, row=np.arange(100), split=split, model="a")
    two = Predictions.of(Y[:90], B[:90], row=np.arange(90), split=split[:90], model="b")
    both = one.join(two, common_rows=True)
    assert both.complete
    assert len(both) == 180


def test_rows_that_disagree_or_have_no_names_are_refused_all_the_same() -> None:
    other = Predictions.of(1 - Y[:50], A[:50], row=np.arange(50), model="x")
    with pytest.raises(hl.InputError, match="a different y_true"):
        hl.compare(on_all(A, "a"), other, common_rows=True)
    bare = Predictions.of(Y, A, model="a"), Predictions.of(Y[:50], B[:50], model="b")
    with pytest.raises(hl.InputError, match="row column"):
        hl.compare(*bare, common_rows=True)
    apart = on(A, range(50), "a"), on(B, range(50, 100), "b")
    with pytest.raises(hl.InputError, match=r"all models.*'r10', 'r60'"):
        hl.compare(*apart, common_rows=True)


def test_a_scanned_table_says_that_it_cannot(tmp_path) -> None:
    path = on_all(A, "a").join(on_all(B, "b")).write(tmp_path / "t.parquet")
    with pytest.raises(hl.InputError, match="--no-scan"):
        hl.assess(Predictions.scan(path), common_rows=True)
