"""`--common-rows` on the command line."""

import numpy as np

from heliast import Predictions


def test_files_that_only_partly_agree(heliast) -> None:
    y = np.arange(60) % 2
    Predictions.of(y[:50], y[:50], row=range(50)).write("old.csv")
    Predictions.of(y[10:], 1 - y[10:], row=range(10, 60)).write("new.csv")
    code, _, err = heliast("compare", "old.csv", "new.csv")
    assert code == 2
    assert "--common-rows" in err
    code, out, _ = heliast("compare", "old.csv", "new.csv", "--common-rows", "--verbose")
    assert code == 0
    assert "rows that all 2 models have: 40 of 60 (left out: old 10, new 10)" in out
    both = ("old.csv", "new.csv", "--common-rows")
    assert heliast("gate", *both, "--require", "error(old - new).high <= 0")[0] == 0
