"""What a row adds to a value, against the slow obvious twin: nudge the weight of the row."""

from dataclasses import replace

import numpy as np
import pytest

from heliast import measures
from heliast.measures.forms import Statistic, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

NUDGE = 1e-5
PARAMETERS = {
    "fbeta": {"beta": 2.0},
    "expected_cost": {"cost": None},
    "net_benefit": {"threshold": 0.3},
    "above": {"bar": 0.5},
    "pass@k": {"k": 2},
    "pass^k": {"k": 2},
    "quantile": {"q": 0.3},
}
WITHOUT = {
    "partial_auc", "hand_till", "ece", "brier_calibration", "brier_refinement",
    "median", "quantile", "cost_per_attempt", "tokens_per_attempt", "seconds_per_attempt",
}  # fmt: skip


def classified(k, seed=3, n=60):
    rng = np.random.default_rng(seed)
    y_true = rng.integers(k, size=n)
    score = rng.normal(size=(n, k)) + 1.3 * np.eye(k)[y_true]
    score = np.round(np.exp(score) / np.exp(score).sum(axis=1, keepdims=True), 2) + 0.01
    score /= score.sum(axis=1, keepdims=True)
    classes = tuple("abc"[:k])
    return Rows(
        "classification", y_true, score.argmax(axis=1), score[:, 1] if k == 2 else score,
        "probability", classes=classes, positive=1 if k == 2 else None, ordinal=True,
    )  # fmt: skip


def regressed(seed=4, n=60):
    rng = np.random.default_rng(seed)
    y_true = rng.normal(size=n)
    return Rows("regression", y_true, y_true + rng.normal(size=n))


def graded(seed=5, n=40):
    rng = np.random.default_rng(seed)
    grades = (rng.random((n, 3)) < 0.6).astype(float)
    return Rows("graded", np.zeros(n), grades.mean(axis=1), grades, bounds=(0.0, 1.0))


ROWS = {"two": classified(2), "three": classified(3), "numbers": regressed(), "grades": graded()}
DESIGNS = ("plain", "weights", "groups", "prevalences")


def cases():
    for kind, rows in ROWS.items():
        for measure in measures.everything():
            if measure.name in WITHOUT:
                continue
            parameters = dict(PARAMETERS.get(measure.name, {}))
            if "cost" in parameters:
                k = len(rows.classes)
                parameters["cost"] = np.abs(np.subtract.outer(np.arange(k), 2.0 * np.arange(k)))
            chosen = measure.with_(**parameters) if parameters else measure
            if chosen.lacks(rows.task, len(rows.classes), rows.score_kind, ordinal=True):
                continue
            names = [chosen]
            if chosen.classwise and kind == "three":
                names.append(measures.get(f"{chosen.name}.weighted", **parameters))
            for design in DESIGNS if rows.classes else DESIGNS[:3]:
                for one in names:
                    yield pytest.param(kind, one, design, id=f"{one.name}-{kind}-{design}")


def designed(kind, design):
    rows, rng = ROWS[kind], np.random.default_rng(6)
    prevalences = None
    if design == "weights":
        rows = replace(rows, weight=rng.gamma(3.0, 0.5, rows.n), weight_kind="sampling")
    if design == "groups":
        rows = replace(rows, group=rng.integers(9, size=rows.n))
    if design == "prevalences":
        rows = rows.by_design()
        shares = (0.7, 0.3) if kind == "two" else (0.5, 0.2, 0.3)
        prevalences = dict(zip(rows.classes, shares, strict=True))
    return rows, prevalences


@pytest.mark.parametrize(("kind", "measure", "design"), list(cases()))
def test_influence_is_the_derivative_by_the_weight_of_a_row(kind, measure, design):
    rows, prevalences = designed(kind, design)
    form = measure.form(Counted(rows, prevalences))
    if isinstance(form, Undefined) or (isinstance(form, Statistic) and form.psi is None):
        pytest.skip("this design leaves it undefined, or without influence")
    psi = form.influence(rows)
    weight = np.ones(rows.n) if rows.weight is None else rows.weight

    def nudged(row, sign):
        moved = weight.copy()
        moved[row] *= 1 + sign * NUDGE
        other = replace(rows, weight=moved, weight_kind="sampling", group=None)
        return measure.form(Counted(other, prevalences)).value

    slopes = [(nudged(row, 1) - nudged(row, -1)) / (2 * NUDGE) for row in range(rows.n)]
    np.testing.assert_allclose(psi / weight.sum(), slopes, atol=1e-7)
    assert abs(psi.sum()) < 1e-8
