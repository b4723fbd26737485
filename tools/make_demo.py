"""Make the bundled demonstration file: two models on the same held-out rows.

Run: python tools/make_demo.py. The data are scikit-learn's breast cancer set (569 rows); a third is
held out, stratified. The file is what a user would bring: truth, label and probability per model.
"""

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

OUT = Path(__file__).parents[1] / "src" / "heliast" / "cli" / "_bundled" / "tumours.csv"


def main() -> None:
    data = load_breast_cancer()
    names = {0: "malignant", 1: "benign"}
    X, y = data.data[:, :10], data.target  # the ten mean features: harder, so there is more to see
    train, test = train_test_split(range(len(y)), test_size=1 / 3, stratify=y, random_state=7)
    models = {
        "logistic": make_pipeline(StandardScaler(), LogisticRegression(C=0.05)),
        "bayes": GaussianNB(),
    }
    with OUT.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["model", "row", "y_true", "y_pred", "prob_benign", "prob_malignant"])
        for name, model in models.items():
            shares = model.fit(X[train], y[train]).predict_proba(X[test])
            for row, share in sorted(zip(test, shares, strict=True)):
                malignant = round(float(share[0]), 15)
                label = "malignant" if malignant >= 0.5 else "benign"
                benign = round(1 - malignant, 15)
                writer.writerow([name, row, names[y[row]], label, benign, malignant])


if __name__ == "__main__":
    main()
