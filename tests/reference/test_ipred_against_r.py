"""Stored answers of ipred's bootest on given resamples; `ipred.R` made them."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from heliast import Predictions, estimates
from heliast.predictions import Split, Splits

ANSWERS = json.loads((Path(__file__).parent / "ipred.json").read_text(encoding="utf-8"))["cases"]


def table_of(answer) -> Predictions:
    """ipred's predictions of the rows that each resample left out, and of its fit on all rows."""
    truth, n = np.array(answer["truth"]), len(answer["truth"])
    rows, labels, splits, seen = [], [], [], []
    for at, (drawn, said) in enumerate(zip(answer["resamples"], answer["labels"], strict=True)):
        out = np.flatnonzero(np.array(drawn) == 0)
        rows.append(out)
        labels += [said[row] for row in out]
        splits += [at] * out.size
        seen += [0] * out.size
    times = len(answer["resamples"])
    row = np.concatenate([*rows, np.arange(n)])
    table = Predictions.of(
        truth[row],
        labels + answer["full"],
        split=splits + [times] * n,
        row=row,
        in_train=seen + [1] * n,
        classes=sorted(set(truth.tolist())),
    )
    records = [Split(at, repeat=at, n_train=n) for at in range(times)]
    full = Split(times, role="full", n_train=n)
    return replace(table, splits=Splits((*records, full)))


def no_information(answer) -> float:
    return float(np.mean([[t != said for t in answer["truth"]] for said in answer["full"]]))


@pytest.mark.parametrize("answer", ANSWERS, ids=[one["name"] for one in ANSWERS])
def test_left_out_and_632_plus(answer) -> None:
    table = table_of(answer)
    left, g = estimates.left_out(table).value, no_information(answer)
    assert left == pytest.approx(answer["left_out"], abs=1e-12)
    found = estimates.bootstrap_632_plus(table).value
    if left <= g:
        assert found == pytest.approx(answer["plus"], abs=1e-12)
    else:  # R above 1, which ipred leaves so
        own = np.mean(np.array(answer["truth"]) != np.array(answer["full"]))
        plain = 0.368 * own + 0.632 * left
        assert found == pytest.approx(plain + (g - own) * 0.368)
        assert answer["plus"] > found


def test_both_sides_of_the_no_information_rate_are_there() -> None:
    above = [one["left_out"] > no_information(one) for one in ANSWERS]
    assert any(above)
    assert not all(above)
