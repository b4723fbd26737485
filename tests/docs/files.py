"""The files that the commands of the README and the docs speak of, by the names used there."""

import shutil
from pathlib import Path

import duckdb
import numpy as np
import skops.io
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

import heliast as hl
from heliast.cli import _bundled

X, Y = load_breast_cancer(return_X_y=True)
SICK = np.array(["sick", "well"])[Y]
SCORE = 1 - GaussianNB().fit(X[::2], Y[::2]).predict_proba(X)[:, 1]
OTHER = 1 - GaussianNB().fit(X[::2, :3], Y[::2]).predict_proba(X[:, :3])[:, 1]
THIRD = 1 - GaussianNB().fit(X[::2, 10:20], Y[::2]).predict_proba(X[:, 10:20])[:, 1]
MODELS = {"old": OTHER, "new": SCORE, "forest": SCORE, "svm": OTHER, "net": THIRD}
ABOUT = {
    "region": np.array(["north", "south", "west"])[np.arange(len(SICK)) % 3],
    "age": 20 + np.arange(len(SICK)) * 37 % 60,
    "device": np.array(["phone", "desk"])[np.arange(len(SICK)) * 7 % 5 % 2],
}


def write(place: Path) -> None:
    """All of them."""
    predictions(place)
    data(place)
    shutil.copy(Path(_bundled.__file__).parent / "answers.csv", place)


def predictions(place: Path) -> None:
    """Files of predictions, one a model, and the same in parts and in a database."""
    for file, score in MODELS.items():
        table(SICK, "sick", score, file).write(place / f"{file}.csv")
    table(np.where(SICK == "sick", "spam", "ham"), "spam", SCORE, "new").write(place / "preds.csv")
    fraud = np.where(SICK == "sick", "fraud", "fair")
    hl.Predictions.of(fraud, y_score=SCORE, positive="fraud").write(place / "scores.csv")
    plain = hl.Predictions.read(place / "new.csv")
    plain.write(place / "predictions.parquet")
    (place / "parts").mkdir()
    with duckdb.connect(str(place / "results.duckdb")) as base:
        rows = f"read_csv('{place / 'new.csv'}')"
        base.execute(f"CREATE TABLE predictions AS SELECT * FROM {rows}")
        for at in range(2):
            part = f"SELECT * FROM {rows} WHERE row % 2 = {at}"
            base.execute(f"COPY ({part}) TO '{place / 'parts' / f'{at}.parquet'}'")


def table(truth: np.ndarray, positive: str, score: np.ndarray, model: str) -> hl.Predictions:
    """Predictions with columns to slice by."""
    return hl.Predictions.of(
        truth, y_score=score, positive=positive, row=range(len(truth)), model=model, columns=ABOUT
    )


def data(place: Path) -> None:
    """Data to fit models on, a folder of data sets, a model that was saved, and a store."""
    few = zip(range(200), X[:200, :4], SICK[:200], strict=True)
    rows = [",".join([str(at), *map(str, row), name]) for at, row, name in few]
    header = "a,b,c,d,class"
    plain = [row.partition(",")[2] for row in rows]
    (place / "data.csv").write_text("\n".join([header, *plain[:120]]))
    (place / "fresh.csv").write_text("\n".join([f"id,{header}", *rows[120:]]))
    (place / "more.csv").write_text("\n".join([header, *plain[120:]]))
    for folder in ("sets", "folder"):
        (place / folder).mkdir()
        for at in range(6):
            (place / folder / f"part{at}.csv").write_text("\n".join([header, *plain[at:120:6]]))
    read = hl.read(place / "data.csv", target="class")
    hl.fit(GaussianNB(), read).save(place / "model.skops")
    skops.io.dump(GaussianNB().fit(read.matrix, read.y), place / "bayes.skops")
    hl.run({"bayes": GaussianNB()}, read, 3, store=place / "kept", progress=False)
