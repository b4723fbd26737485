"""`logistic` is as good as the same model in a pipeline that is written by hand for the data."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import statsmodels.datasets as archive
from sklearn.compose import make_column_selector as columns
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_breast_cancer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler

import heliast as hl
from heliast.fitting.panel import CLASSES

SHARED = os.environ.get("HELIAST_DATA")


def parts(frame: pd.DataFrame) -> pd.DataFrame:
    """What one writes for dates: year, month, weekday, hour and days."""
    found = {}
    for name in frame:
        when = frame[name]
        found |= {
            f"{name} year": when.dt.year, f"{name} month": when.dt.month,
            f"{name} weekday": when.dt.day_of_week, f"{name} hour": when.dt.hour,
            f"{name} days": (when - pd.Timestamp("2000-01-01")).dt.days,
        }  # fmt: skip
    return pd.DataFrame(found, index=frame.index).astype(float)


def by_hand() -> Any:
    numbers = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    texts = make_pipeline(
        SimpleImputer(strategy="constant", fill_value="none"),
        OneHotEncoder(handle_unknown="ignore"),
    )
    return make_pipeline(
        make_column_transformer(
            (numbers, columns(dtype_include="number")),
            (make_pipeline(FunctionTransformer(parts), numbers), columns(dtype_include="datetime")),
            (texts, columns(dtype_include=object)),
        ),
        LogisticRegression(max_iter=1000),
    )


def with_gaps(frame: pd.DataFrame, share: float = 0.05) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    return frame.mask(rng.random(frame.shape) < share)


def bank() -> tuple[pd.DataFrame, Any]:
    """Like a bank's calls: dates, jobs and balances with gaps; later calls succeed more."""
    rng = np.random.default_rng(1)
    n = 1500
    frame = pd.DataFrame(
        {
            "called": pd.Timestamp("2021-03-01") + pd.to_timedelta(rng.integers(0, 26000, n), "h"),
            "job": rng.choice(["clerk", "farmer", "student", "retired"], n),
            "balance": np.exp(rng.normal(7, 1, n)),
        }
    )
    odds = (frame.called.dt.year - 2022) + 0.4 * (frame.job == "student") + 0.15 * (
        frame.called.dt.hour - 12
    ) + 0.5 * (np.log(frame.balance) - 7)  # fmt: skip
    return with_gaps(frame), np.where(rng.random(n) < 1 / (1 + np.exp(-odds)), "yes", "no")


def adult() -> tuple[pd.DataFrame, Any]:
    """Like the census: statsmodels' Fair survey with its codes as words, and gaps."""
    whole = archive.fair.load_pandas().data.sample(1500, random_state=2)
    frame = whole.drop(columns="affairs")
    for name in ("occupation", "religious"):
        frame[name] = frame[name].map(lambda code: f"{code:.0f} of {name}")  # noqa: B023
    return with_gaps(frame), np.where(whole["affairs"] > 0, "some", "none")


def air() -> tuple[pd.DataFrame, Any]:
    """Weekly carbon dioxide since 1958, with its own gaps: is there more than a month before?"""
    whole = archive.co2.load_pandas().data.reset_index()
    whole.columns = pd.Index(["week", "co2"])
    last = whole["co2"].ffill().shift(4)
    kept = whole["co2"].notna()
    frame = pd.DataFrame(
        {"week": whole["week"], "month ago": last.where(np.arange(len(last)) % 7 > 0)}
    )
    return frame[kept], np.where(whole["co2"] > last + 0.2, "up", "down")[kept]


def cancer() -> tuple[pd.DataFrame, Any]:
    """Numbers only, with gaps, and a date that says nothing."""
    data = load_breast_cancer(as_frame=True)
    frame = data.data.iloc[:, [0, 1, 4, 8]].copy()
    frame["in_train"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(
        np.random.default_rng(4).integers(0, 900, len(frame)), "D"
    )
    return with_gaps(frame), data.target_names[data.target]


def shared(name: str) -> tuple[pd.DataFrame, Any]:
    frame = pd.read_csv(Path(SHARED or "") / f"{name}.csv")
    return frame.iloc[:, :-1], frame.iloc[:, -1].to_numpy(str)


@pytest.mark.parametrize("through", ["frame", "csv"])
@pytest.mark.parametrize("make", [bank, adult, air, cancer])
def test_logistic_is_as_good_as_by_hand(make: Any, through: str, tmp_path: Path) -> None:
    compared(*make(), through, tmp_path)


@pytest.mark.skipif(not SHARED, reason="HELIAST_DATA names no folder")
@pytest.mark.parametrize("name", ["pima", "breastcancer"])
def test_files_of_archives(name: str, tmp_path: Path) -> None:
    compared(*shared(name), "csv", tmp_path)


def compared(frame: pd.DataFrame, truth: Any, through: str, folder: Path) -> None:
    text = frame.select_dtypes(["object", "string"]).columns
    frame = frame.astype(dict.fromkeys(text, object)).reset_index(drop=True)
    whole = frame.assign(**{"class": truth})
    source: Any = whole
    if through == "csv":
        source = folder / "some.csv"
        whole.to_csv(source, index=False)
    folds = StratifiedKFold(5, shuffle=True, random_state=3)
    table = hl.run(
        {"logistic": CLASSES["logistic"]()}, hl.read(source, "class"), folds, progress=False
    )
    assert table.scores is not None
    positive = table.classes[1]
    found = np.empty(len(truth))
    found[table.row] = table.scores[:, 1]
    hand = cross_val_predict(by_hand(), frame, truth, cv=folds, method="predict_proba")[:, 1]
    ours, theirs = (roc_auc_score(truth == positive, one) for one in (found, hand))
    assert theirs > 0.55
    assert ours > theirs - 0.01
