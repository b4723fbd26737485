"""Old names of parameters and those of other tools, and ours."""

from collections.abc import Mapping
from typing import Any

OURS = {
    "truth": "y_true", "label": "y_pred", "score": "y_score", "seen": "in_train",
    "members": "n_estimators", "rounds": "n_estimators", "base": "estimator",
    "columns": "code_length", "cv": "plan",
}  # fmt: skip
# Names of scikit-learn and of earlier versions that mean the same as ours.
SAME = {
    "truth": "y_true", "label": "y_pred", "score": "y_score", "seen": "in_train",
    "y_prob": "y_score", "y_proba": "y_score", "predictions": "source",
    "sample_weight": "weight", "pos_label": "positive", "labels": "classes", "groups": "group",
    "cv": "plan", "n_jobs": "jobs", "random_state": "seed", "scoring": "measures",
}  # fmt: skip


def rename_keywords(keywords: Mapping[str, Any]) -> dict[str, Any]:
    """Keywords under our names.

    >>> rename_keywords({"sample_weight": [1, 2], "level": 0.9})
    {'weight': [1, 2], 'level': 0.9}
    """
    renamed: dict[str, Any] = {}
    for name, value in keywords.items():
        ours = SAME.get(name, name)
        if ours in renamed or (ours != name and ours in keywords):
            raise TypeError(f"{name}= and {ours}= mean the same: give one")
        renamed[ours] = value
    return renamed
