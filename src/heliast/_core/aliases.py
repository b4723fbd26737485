"""Old and foreign names of parameters, and ours: errors about an unknown keyword name these."""

OURS = {
    "truth": "y_true", "label": "y_pred", "score": "y_score", "seen": "in_train",
    "members": "n_estimators", "rounds": "n_estimators", "base": "estimator",
    "columns": "code_length", "cv": "plan",
}  # fmt: skip
