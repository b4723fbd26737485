"""What the examples of the docs take for granted: files, arrays, tables, models."""

import gzip

import numpy as np
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast import estimates
from heliast.cli._bundled import path as bundled
from heliast.measures.summaries import Contingency

X, Y = load_breast_cancer(return_X_y=True)
SICK = np.array(["sick", "well"])[Y]
SCORE = 1 - GaussianNB().fit(X[::2], Y[::2]).predict_proba(X)[:, 1]
OTHER = 1 - GaussianNB().fit(X[::2, :3], Y[::2]).predict_proba(X[:, :3])[:, 1]


def two_models(positive="sick", names=("tree", "knn")):
    """Predictions of two models for the same rows."""
    truth = np.where(SICK == "sick", positive, "well")
    tables = [
        hl.Predictions.of(truth, score=score, positive=positive, row=range(len(truth)), model=name)
        for name, score in zip(names, (SCORE, OTHER), strict=True)
    ]
    return tables[0].join(tables[1])


def write_files(place):
    """Data as CSV, Parquet and ARFF; predictions of models on the same rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    few = X[:120, :4]
    rows = [",".join([*map(str, row), name]) for row, name in zip(few, SICK[:120], strict=True)]
    for file in ("letter.csv", "data.csv"):
        (place / file).write_text("\n".join(["a,b,c,d,class", *rows]))
    (place / "iris.data").write_text("\n".join(rows))
    head = "@relation votes\n" + "".join(f"@attribute {n} numeric\n" for n in "abcd")
    head += "@attribute class {sick,well}\n@data\n"
    (place / "vote.arff").write_text(head + "\n".join(rows))
    days = np.datetime_as_string(np.datetime64("2024-01-01") + np.arange(569)).tolist()
    sold = [f"{day},{a},{b},{name}" for day, (a, b), name in zip(days, X[:, :2], SICK, strict=True)]
    (place / "sales.csv").write_text("\n".join(["day,a,b,sold", *sold]))
    columns = {name: few[:, at] for at, name in enumerate("abcd")}
    groups = {"id": np.arange(120), "patient": np.arange(120) // 2, "outcome": SICK[:120]}
    pq.write_table(pa.table({**columns, **groups}), place / "table.parquet")
    for file, score in (
        ("tree", SCORE),
        ("forest", OTHER),
        ("old", OTHER),
        ("new", SCORE),
        ("preds", SCORE),
    ):
        options = {"positive": "sick", "row": range(len(SICK)), "model": file}
        hl.Predictions.of(SICK, score=score, **options).write(place / f"{file}.csv")
    (place / "sets").mkdir()
    for at in range(6):
        (place / "sets" / f"part{at}.csv").write_text("\n".join(["a,b,c,d,class", *rows[at::6]]))
    _write_scanned(place)
    (place / "answers.csv").write_bytes(bundled("answers.csv").read_bytes())
    fraud = np.where(SICK == "sick", "fraud", "fair")
    hl.Predictions.of(fraud, score=SCORE, positive="fraud").write(place / "scores.csv")


def _write_scanned(place):
    """Tables as a scan takes them: Parquet, part files, a packed CSV file, a database."""
    import duckdb

    (place / "parts").mkdir()
    half = len(SICK) // 2
    whole = {"positive": "sick", "row": range(len(SICK))}
    hl.Predictions.of(SICK, score=SCORE, **whole).write(place / "predictions.parquet")
    hl.Predictions.of(SICK, score=SCORE, **whole).write(place / "s.parquet")
    for part, rows in enumerate((slice(0, half), slice(half, None))):
        table = hl.Predictions.of(SICK[rows], score=SCORE[rows], positive="sick")
        table.write(place / "parts" / f"{part}.parquet")
    lines = [f"{name},{score}" for name, score in zip(SICK, SCORE, strict=True)]
    with gzip.open(place / "huge.csv.gz", "wt") as file:
        file.write("\n".join(["y,p", *lines]))
    with duckdb.connect(str(place / "results.duckdb")) as base:
        source = str(place / "predictions.parquet")
        base.execute("create table predictions as select * from read_parquet(?)", [source])


def taken_for_granted(page):
    """Names that a page uses without saying where they come from."""
    return {"hl": hl, "np": np, **NAMES.get(page, dict)()}


def _readme():
    return {"models": {"bayes": GaussianNB(), "tree": DecisionTreeClassifier()}}


def _wine():
    inputs, y = load_wine(return_X_y=True)
    return {"X": inputs[::2], "y": y[::2], "new": inputs[1::2], "truth": y[1::2]}


def _ensembles():
    preds = _compare()["preds"]
    return {**_wine(), "table": preds, "fresh": preds}


def _compare():
    small = hl.read("sklearn:wine")
    logistic = make_pipeline(StandardScaler(), LogisticRegression())
    models = {"logistic": logistic, "tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    one = hl.run(models, small, 5, progress=False)
    return {
        "logistic": logistic,
        "tree": models["tree"],
        "data": small,
        "preds": one,
        "over_data_sets": hl.compare(_three_models_on_six_sets()),
    }


def _comparisons():
    rng = np.random.default_rng(0)
    a = rng.normal(0.1, 0.02, 10)
    return {"a": a, "b": a + rng.normal(0.02, 0.01, 10)}


def _curves():
    preds = two_models()
    wine = _wine()
    return {
        "X": wine["X"],
        "y": wine["y"],
        "truth": SICK,
        "score": SCORE,
        "Contingency": Contingency,
        "estimates": estimates,
        "assessed": hl.assess(preds),
        "both": preds,
        "folds": hl.run({"bayes": GaussianNB()}, hl.read("sklearn:wine"), 5, progress=False),
        "sets": _three_models_on_six_sets(),
    }


def _three_models_on_six_sets():
    rng = np.random.default_rng(1)
    sets = {}
    for at in range(6):
        truth = rng.integers(0, 2, 50)
        model, label = np.repeat(["a", "b", "c"], 50), np.tile(truth, 3)
        wrong = rng.random(150) < np.repeat([0.1, 0.2, 0.4], 50)
        options = {"model": model, "row": np.tile(np.arange(50), 3), "positive": 1}
        sets[f"set {at}"] = hl.Predictions.of(label, np.where(wrong, 1 - label, label), **options)
    return sets


def _data():
    import pandas as pd

    inputs, y = load_wine(return_X_y=True)
    frame = pd.DataFrame(inputs[:, :3], columns=list("abc")).assign(target=y.astype(str))
    return {"X": inputs, "y": y, "frame": frame}


def _planning():
    return {"preds": two_models()}


def _plans():
    from sklearn.naive_bayes import GaussianNB

    models = {"bayes": GaussianNB(), "prior": hl.Majority()}
    return {"data": hl.read("sklearn:wine"), "models": models}


def _predictions():
    import pandas as pd

    frame = pd.DataFrame({"truth": SICK, "label": np.where(SCORE > 0.5, "sick", "well")})
    return {"truth": SICK, "label": frame["label"], "score": 1 - SCORE, "frame": frame}


def _resampled():
    data = hl.read("sklearn:wine")
    nested = hl.run({"bayes": GaussianNB()}, data, hl.NestedFolds(3, repeats=2), progress=False)
    values = np.random.default_rng(0).normal(0.1, 0.02, 10)
    model = DecisionTreeClassifier()
    return {"model": model, "data": data, "values": values, "nested_table": nested}


def _scan():
    import polars

    return {"polars": polars}


def _shortcuts():
    inputs, y = load_wine(return_X_y=True)
    rows = np.arange(len(y))
    return {
        "X": inputs,
        "truth": y,
        "classes": (0, 1, 2),
        "train": rows[::2],
        "test": rows[1::2],
        "pieces": list(hl.KFold(5).on(hl.Dataset.of(inputs, y), seed=1)),
    }


def _theory():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3, 40)
    labels = np.where(rng.random((10, 40)) < 0.7, truth, rng.integers(0, 3, (10, 40)))
    shares = np.stack([(labels == c).mean(axis=0) for c in range(3)], axis=1)
    bagged = hl.Predictions.of(
        truth, score=shares, scores="votes", model="bag", seen=np.ones(40, int), classes=[0, 1, 2]
    )
    return {
        "truth": truth,
        "labels": labels.T,
        "w": rng.random(10),
        "shares": shares,
        "bagged": bagged,
    }


def _tree():
    inputs, y = load_wine(return_X_y=True)
    rng = np.random.default_rng(0)
    return {
        "X": inputs,
        "y": y,
        "X2": inputs[::2],
        "y2": y[::2],
        "X_test": inputs[:5],
        "truth": y,
        "k": 3,
        "code": np.array([[0, 0], [1, 0], [1, 1]]),
        "counts": rng.multinomial(len(y), np.full(len(y), 1 / len(y)), 4),
    }


NAMES = {
    "README": _readme,
    "codes": _wine,
    "compare": _compare,
    "comparisons": _comparisons,
    "curves": _curves,
    "data": _data,
    "ensembles": _ensembles,
    "planning": _planning,
    "plans": _plans,
    "predictions": _predictions,
    "resampled": _resampled,
    "scan": _scan,
    "shortcuts": _shortcuts,
    "theory": _theory,
    "tree": _tree,
}
