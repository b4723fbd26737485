"""Dates become parts that models can use, learned from the training rows of each split."""

import datetime
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator

import heliast as hl
from heliast.fitting.dates import DateParts
from heliast.fitting.final import final
from heliast.fitting.panel import CLASSES


def seconds(*moments: datetime.datetime | None) -> Any:
    epoch = datetime.datetime(1970, 1, 1)
    return np.array([[np.nan if one is None else (one - epoch).total_seconds()] for one in moments])


def test_parts_by_the_calendar() -> None:
    rng = np.random.default_rng(3)
    start = datetime.datetime(1899, 12, 31)
    moments = [start + datetime.timedelta(hours=int(at)) for at in rng.integers(0, 2_000_000, 300)]
    first, last = min(moments), max(moments)
    expected = [
        [(one - first) / (last - first), one.year - first.year, one.month, one.weekday(), one.hour]
        for one in moments
    ]
    found = DateParts().fit_transform(seconds(*moments))
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_training_rows_decide() -> None:
    day = datetime.datetime
    parts = DateParts().fit(seconds(day(2024, 1, 1), day(2024, 1, 11), None))
    assert parts.kept_.tolist() == [[False, False, True, False]]  # one month, no hours
    found = parts.transform(seconds(day(2024, 1, 31, 12), None, day(2023, 12, 31)))
    np.testing.assert_allclose(found, [[3.05, 2.0], [np.nan, np.nan], [-0.1, 6.0]])
    assert DateParts().fit_transform(seconds(None, None)).shape == (2, 1)


def test_estimator_checks() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of checks that do not apply
        checks = check_estimator(DateParts(), on_fail=None)
    assert [one["check_name"] for one in checks if one["status"] == "failed"] == []


def stamped(n: int = 600, missing: bool = True) -> pd.DataFrame:
    """Like sales: a signal in x, in the weekday and in a trend; a few dates are missing."""
    rng = np.random.default_rng(7)
    when = pd.Timestamp("2023-01-01") + pd.to_timedelta(rng.integers(0, 730, n), unit="D")
    x = rng.normal(size=n)
    odds = 1.2 * x + 0.6 * (when.day_of_week > 4) + (when - pd.Timestamp("2024-01-01")).days / 400
    label = np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")
    frame = pd.DataFrame({"when": when, "x": x, "class": label})
    if missing:
        frame.loc[::50, "when"] = pd.NaT
    return frame


def auc(table: hl.Predictions) -> float:
    found: float = hl.assess(table, ["auc"], interval=None)[table.models[0], "auc"].value
    return found


@pytest.mark.parametrize("suffix", [".csv", "frame"])
@pytest.mark.parametrize(
    "model",
    [CLASSES["logistic"](), LogisticRegression(), KNeighborsClassifier(15), SVC(), GaussianNB()],
    ids=["logistic", "bare logistic", "bare knn", "bare svm", "bayes"],
)
def test_a_date_ruins_no_model(model: Any, suffix: str, tmp_path: Path) -> None:
    frame = stamped()
    source: Any = frame
    if suffix != "frame":
        source = tmp_path / "sales.csv"
        frame.to_csv(source, index=False)
    with_date = hl.run({"m": model}, hl.read(source), 5, seed=1, progress=False)
    without = hl.run({"m": model}, hl.read(frame[["x", "class"]]), 5, seed=1, progress=False)
    assert auc(with_date) > auc(without) - 0.02


class Needs(ClassifierMixin, BaseEstimator):
    """Refuses anything but a frame with a column of dates."""

    def fit(self, X: Any, y: Any) -> "Needs":
        self.classes_ = np.unique(y)
        assert X["when"].dtype.kind == "M"
        return self

    def predict(self, X: Any) -> Any:
        return np.where(X["when"].dt.month > 6, *self.classes_)


def test_a_model_that_prepares_gets_the_frame() -> None:
    frame = stamped(missing=False)
    steps = ColumnTransformer([("all", "passthrough", ["when", "x"])]).set_output(
        transform="pandas"
    )
    steps.set_params(verbose_feature_names_out=False)
    table = hl.run({"m": make_pipeline(steps, Needs())}, hl.read(frame), 4, progress=False)
    assert [cell["status"] for cell in table.cells] == ["ok"] * 4


def test_the_model_to_keep_takes_raw_rows(tmp_path: Path) -> None:
    frame = stamped()
    frame.to_csv(tmp_path / "sales.csv", index=False)
    data = hl.read(tmp_path / "sales.csv")
    kept = final(CLASSES["logistic"](), data)
    rows = frame[["x", "when"]]
    expected = kept.predict_proba(rows)[:, 1]
    assert roc_auc_score(frame["class"] == "yes", expected) > 0.75
    written = pd.read_csv(tmp_path / "sales.csv")  # dates are text there
    np.testing.assert_allclose(kept.predict_proba(written)[:, 1], expected)
    with pytest.raises(hl.InputError, match=r"holds '31.12.2024', which is no date"):
        kept.predict(pd.DataFrame({"x": [0.0], "when": ["31.12.2024"]}))


def test_parts_of_test_rows_are_not_seen() -> None:
    """Changing the dates of test rows changes nothing for the other test rows."""
    frame = stamped(120, missing=False)
    other = frame.copy()
    other.loc[0, "when"] = pd.Timestamp("1970-01-01")
    tables = [
        hl.run({"m": LogisticRegression()}, hl.read(one), hl.Holdout(0.5), seed=4, progress=False)
        for one in (frame, other)
    ]
    assert 0 in tables[0].row.tolist()
    kept = [table.scores[table.row != 0] for table in tables]
    np.testing.assert_array_equal(*kept)
