"""The files that the commands of the README speak of: predictions of models, and data."""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB

import heliast as hl

X, Y = load_breast_cancer(return_X_y=True)
SICK = np.array(["sick", "well"])[Y]
SCORE = 1 - GaussianNB().fit(X[::2], Y[::2]).predict_proba(X)[:, 1]
OTHER = 1 - GaussianNB().fit(X[::2, :3], Y[::2]).predict_proba(X[:, :3])[:, 1]


def write(place):
    for file, score in (("old", OTHER), ("new", SCORE), ("preds", SCORE)):
        options = {"positive": "sick", "row": range(len(SICK)), "model": file}
        hl.Predictions.of(SICK, score=score, **options).write(place / f"{file}.csv")
    fraud = np.where(SICK == "sick", "fraud", "fair")
    hl.Predictions.of(fraud, score=SCORE, positive="fraud").write(place / "scores.csv")

    few = zip(X[:120, :4], SICK, strict=False)
    rows = [",".join([*map(str, row), name]) for row, name in few]
    (place / "data.csv").write_text("\n".join(["a,b,c,d,class", *rows]))
    (place / "sets").mkdir()
    for at in range(6):
        (place / "sets" / f"part{at}.csv").write_text("\n".join(["a,b,c,d,class", *rows[at::6]]))
