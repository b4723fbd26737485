"""Files of predictions as Python users write them, with what scikit-learn's metrics give.

Run in the folder of this script: python python.py (scikit-learn, pandas, pyarrow, XGBoost,
LightGBM, datasets). H2O, CatBoost, RapidMiner and KNIME were not at hand: their files have the
columns that their manuals give.
"""

import json
import tempfile
from pathlib import Path

import datasets
import lightgbm
import numpy as np
import pandas as pd
import xgboost
from sklearn import metrics
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import cross_val_predict, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

GALLERY = Path("../gallery")
KEPT = Path(tempfile.gettempdir()) / "datasets-kept"
answers: dict[str, object] = {}


def keep(
    name: str, truth, label=None, proba=None, by: str = "scikit-learn", raw=None, **more
) -> None:
    """Keep what the metrics give."""
    found = {}
    if label is not None:
        found["accuracy"] = metrics.accuracy_score(truth, label)
        found["kappa"] = metrics.cohen_kappa_score(truth, label)
        found["mcc"] = metrics.matthews_corrcoef(truth, label)
    if proba is not None:
        found["log_loss"] = metrics.log_loss(truth, proba)
        if np.ndim(proba) == 1:
            found["auc"] = metrics.roc_auc_score(truth, proba)
            found["average_precision"] = metrics.average_precision_score(truth, proba)
    if raw is not None:
        found["auc"] = metrics.roc_auc_score(truth, raw)
    answers[name] = {"by": by, "measures": found, **more}


def main() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    X, X_test, y_train, y_test = train_test_split(X[:, :3], y, test_size=60, random_state=1)
    text = np.array(["malignant", "benign"])
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y_train)
    y_pred, proba = model.predict(X_test), model.predict_proba(X_test)
    p = proba[:, 1]

    def save(name: str, columns: dict[str, object], how: str = "to_csv", **options: object) -> None:
        getattr(pd.DataFrame(columns), how)(GALLERY / name, **options)

    plain = {"index": False}
    save("sk_pred.csv", {"y_test": y_test, "y_pred": y_pred}, **plain)
    keep("sk_pred.csv", y_test, y_pred)
    save("sk_proba.csv", {"y_test": y_test, "y_pred": y_pred, "y_proba": p}, **plain)
    keep("sk_proba.csv", y_test, y_pred, p)
    both = {"proba_0": proba[:, 0], "proba_1": p}
    save("sk_proba_both.csv", {"y_true": y_test, **both})
    keep("sk_proba_both.csv", y_test, proba.argmax(axis=1), p)
    save(
        "sk_y_proba_class.csv",
        {"y_test": y_test, "y_pred": y_pred, "y_proba_0": 1 - p, "y_proba_1": p},
    )
    keep("sk_y_proba_class.csv", y_test, y_pred, p)
    vectors = {"y_true": y_test, "y_pred": y_pred, "proba": list(proba)}
    save("sk_arrays.csv", vectors, **plain)
    answers["sk_arrays.csv"] = {
        "by": "scikit-learn",
        "measures": {"accuracy": metrics.accuracy_score(y_test, y_pred)},
    }
    for name, how, options in (
        ("sk_arrays.parquet", "to_parquet", plain),
        (
            "sk_arrays.jsonl",
            "to_json",
            {"orient": "records", "lines": True, "double_precision": 15},
        ),
        ("sk_arrays.json", "to_json", {"orient": "records", "double_precision": 15}),
        (
            "sk_arrays.jsonl.gz",
            "to_json",
            {"orient": "records", "lines": True, "double_precision": 15},
        ),
        (
            "sk_arrays.jsonl.bz2",
            "to_json",
            {"orient": "records", "lines": True, "double_precision": 15},
        ),
        ("sk_arrays.feather", "to_feather", {}),
    ):
        save(name, vectors, how, **options)
        keep(name, y_test, y_pred, p)
    save("pandas_columns.json", {"y_true": y_test, "y_pred": y_pred}, "to_json")
    answers["pandas_columns.json"] = {"stops": "to_json(orient='records')"}
    (GALLERY / "json_dict_of_lists.json").write_text(
        json.dumps({"y_true": y_test.tolist(), "y_pred": y_pred.tolist(), "y_score": p.tolist()})
    )
    keep("json_dict_of_lists.json", y_test, y_pred, p)
    nested = [
        {
            "id": at,
            "y_true": str(text[t]),
            "y_pred": str(text[d]),
            "probs": {"malignant": 1 - q, "benign": q},
        }
        for at, (t, d, q) in enumerate(zip(y_test, y_pred, p.tolist(), strict=True))
    ]
    (GALLERY / "json_nested.ndjson").write_text("".join(json.dumps(one) + "\n" for one in nested))
    keep("json_nested.ndjson", text[y_test], text[y_pred], None, raw=None, positive="benign")
    answers["json_nested.ndjson"]["measures"]["auc"] = metrics.roc_auc_score(y_test, p)
    svm = SVC().fit(X, y_train)
    margin = svm.decision_function(X_test)
    save("sk_decision.csv", {"y_true": y_test, "decision_function": margin}, **plain)
    keep("sk_decision.csv", y_test, (margin > 0).astype(int), raw=margin)
    frame = pd.DataFrame(proba, columns=[0, 1]).assign(truth=y_test)
    frame.to_csv(GALLERY / "sk_frame_of_classes.csv", index=False)
    keep("sk_frame_of_classes.csv", y_test, proba.argmax(axis=1), p)
    W, w = load_wine(return_X_y=True)
    many = cross_val_predict(
        make_pipeline(StandardScaler(), LogisticRegression()),
        W[::3, :2],
        w[::3],
        cv=3,
        method="predict_proba",
    )
    named = {f"prob_{name}": many[:, at] for at, name in enumerate(("a", "b", "c"))}
    letters = np.array(["a", "b", "c"])[w[::3]]
    save("sk_three_named.csv", {"target": letters, **named}, **plain)
    keep("sk_three_named.csv", letters, np.array(["a", "b", "c"])[many.argmax(axis=1)], many)
    save("sk_three_semicolon.csv", {"target": letters, **named}, index=False, sep=";", decimal=",")
    keep("sk_three_semicolon.csv", letters, np.array(["a", "b", "c"])[many.argmax(axis=1)], many)
    ridge = Ridge().fit(X, X[:, 0] * 2 + X[:, 1]).predict(X_test)
    truth = X_test[:, 0] * 2 + X_test[:, 1]
    save("sk_number.csv", {"y_test": truth, "y_pred": ridge}, **plain)
    answers["sk_number.csv"] = {"by": "scikit-learn", "measures": {
        "mae": metrics.mean_absolute_error(truth, ridge), "r2": metrics.r2_score(truth, ridge),
        "rmse": metrics.root_mean_squared_error(truth, ridge)}}  # fmt: skip

    boosted = xgboost.XGBClassifier(n_estimators=5, max_depth=2).fit(X, y_train)
    q = boosted.predict_proba(X_test)[:, 1]
    save(
        "xgboost_proba.csv",
        {"actual": y_test, "prediction": boosted.predict(X_test), "pred_proba": q.astype(float)},
        **plain,
    )
    keep(
        "xgboost_proba.csv",
        y_test,
        boosted.predict(X_test),
        q.astype(float),
        by="scikit-learn on XGBoost",
    )
    raw = boosted.predict(X_test, output_margin=True)
    save("xgboost_margin.parquet", {"y": y_test, "margin": raw}, "to_parquet")
    keep(
        "xgboost_margin.parquet",
        y_test,
        (raw > 0).astype(int),
        raw=raw,
        by="scikit-learn on XGBoost",
    )
    booster = lightgbm.train(
        {"objective": "binary", "verbose": -1, "num_threads": 1}, lightgbm.Dataset(X, y_train), 5
    )
    q = booster.predict(X_test)
    save("lightgbm_predict.tsv", {"target": y_test, "y_pred_prob": q}, sep="\t", index=False)
    keep("lightgbm_predict.tsv", y_test, (q >= 0.5).astype(int), q, by="scikit-learn on LightGBM")
    hugging = datasets.Dataset.from_dict(
        {"y_pred": y_test, "prediction": y_pred, "probs": proba.tolist()}
    )
    hugging.to_json(GALLERY / "datasets.jsonl")
    hugging.to_parquet(GALLERY / "datasets.parquet")
    hugging.save_to_disk(KEPT)
    (GALLERY / "datasets_stream.arrow").write_bytes(next(KEPT.glob("*.arrow")).read_bytes())
    for ending in (".jsonl", ".parquet", "_stream.arrow"):
        keep(f"datasets{ending}", y_test, y_pred, p)

    words, said = text[y_test], text[y_pred]
    by_manual = {
        "h2o_binomial.csv": {"predict": y_pred, "p0": 1 - p, "p1": p, "diagnosis": y_test},
        "h2o_classes.csv": {"predict": said, "benign": p, "malignant": 1 - p, "actual": words},
        "rapidminer.csv": {"diagnosis": words, "prediction(diagnosis)": said,
                           "confidence(benign)": p, "confidence(malignant)": 1 - p},
        "knime.csv": {"diagnosis": words, "P (diagnosis=benign)": p,
                      "P (diagnosis=malignant)": 1 - p,
                      "Prediction (diagnosis)": said},
        "catboost_eval.tsv": {"SampleId": range(60), "Probability:Class=benign": p,
                              "Probability:Class=malignant": 1 - p, "Class": said, "Label": words},
    }  # fmt: skip
    for name, columns in by_manual.items():
        save(name, columns, sep="\t" if name.endswith("tsv") else ",", index=False)
        keep(name, columns.get("diagnosis", words), columns.get("predict", said), by="scikit-learn")
    answers["catboost_eval.tsv"] = {"stops": "--y-true Label --y-pred"}
    for name, columns, line in (
        (
            "doubt_prediction.csv",
            {"age": p, "prediction": said, "diagnosis": words},
            "--y-true diagnosis",
        ),
        (
            "doubt_class_columns.csv",
            {"benign": p, "malignant": 1 - p, "class": words},
            "--y-true class",
        ),
        ("doubt_lone_label.csv", {"y_pred": said, "score": p}, "--y-true label"),
    ):
        save(name, columns, **plain)
        answers[name] = {"stops": line}
    (GALLERY / "answers-python.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
