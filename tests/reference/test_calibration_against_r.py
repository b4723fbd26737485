"""Stored answers of R's rms::val.prob and glm; `calibration.R` made them."""

import json
from pathlib import Path

import pytest

from heliast import Predictions, measures
from heliast.estimates import calibration_inference

ANSWERS = json.loads((Path(__file__).parent / "calibration.json").read_text(encoding="utf-8"))
EVERY = pytest.mark.parametrize("answer", ANSWERS.values(), ids=list(ANSWERS))


def close(value):
    return pytest.approx(value, rel=1e-6, abs=1e-6)


def table_of(answer):
    return Predictions.of(answer["y"], y_score=answer["p"], positive=1, scores="probability")


@EVERY
def test_val_prob(answer):
    found, theirs = calibration_inference(table_of(answer)), answer["val_prob"]
    assert found.line == close((theirs["Intercept"], theirs["Slope"]))
    assert found.slope.value == found.line[1]
    assert (found.chi2, found.p) == close((theirs["U:Chi-sq"], theirs["U:p"]))
    assert (found.z, found.z_p) == close((theirs["S:z"], theirs["S:p"]))
    assert (found.ici, found.e90, found.emax) == close(
        (theirs["Eavg"], theirs["E90"], theirs["Emax"])
    )


@EVERY
def test_measures_that_val_prob_has_too(answer):
    auc, brier = (measures.get(name).of(table_of(answer)) for name in ("auc", "brier"))
    theirs, exact = answer["val_prob"], answer["somers"]
    assert (auc, 2 * auc - 1, brier) == close((exact["C"], exact["Dxy"], theirs["Brier"]))
    # lrm.fit, which val.prob asks, takes forecasts in steps of 0.002 as equal.
    assert auc == pytest.approx(theirs["C (ROC)"], abs=1e-3)


@EVERY
def test_glm(answer):
    found = calibration_inference(table_of(answer))
    assert found.intercept.value == close(answer["intercept"])
    # Ours is the larger of glm's and the robust one.
    assert found.intercept.se >= answer["intercept_se"] * (1 - 1e-6)
    assert found.slope.se >= answer["slope_se"] * (1 - 1e-6)
    assert max(found.intercept.se / answer["intercept_se"], found.slope.se / answer["slope_se"]) < 2
