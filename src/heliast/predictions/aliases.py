"""The names of columns that are understood without an option, as data.

A name is compared in lower case with spaces, points and hyphens as underscores, without those at
its ends: `.pred_class`, `Pred Class` and `pred-class` are one name.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from heliast.predictions.records import ScoreKind

# How the names of files that can be read end.
ENDINGS = {
    ".csv", ".tsv", ".txt", ".parquet", ".pq", ".json", ".jsonl", ".ndjson", ".arrow", ".feather",
    ".arff", ".gz", ".zst", ".bz2", ".eval",
}  # fmt: skip
# Role -> names, the likeliest first; of several that occur the first is taken.
ALIASES: dict[str, tuple[str, ...]] = {
    "y_true": (
        "y_true", "truth", "ytrue", "true", "target", "actual", "actual_class", "actual_label",
        "true_label", "true_class", "y", "gold", "gold_label", "expected", "observed", "y_test",
        "ground_truth", "reference", "obs", "y_actual", "y_true_label",
    ),
    "y_pred": (
        "y_pred", "ypred", "y_hat", "yhat", "pred", "prediction", "predictions", "predicted",
        "predicted_class", "predicted_label", "pred_class", "pred_label", "class_pred",
        "label_pred", "predict", "y_predicted", "scored_labels", "y_pred_label",
        "prediction_label", "label",
    ),
    "model": (
        "model", "model_name", "classifier", "classifier_name", "classifier_id", "wflow_id",
        "learner", "learner_id", "algorithm", "method", "estimator", "system",
    ),
    "split": (
        "split", "fold", "resample", "iteration", "iter", "fold_id", "cv_fold", "kfold",
        "fold_number", "split_id",
    ),
    "repeat": ("repeat", "repetition"),
    "row": (
        "row", "row_id", "row_ids", "rowindex", "id", "index", "sample_id", "sampleid", "obs_id",
        "case_id", "example_id", "instance_id", "uid", "uuid", "idx", "case",
    ),
    "in_train": ("in_train", "seen", "is_train", "train"),
    "weight": ("weight", "weights", "sample_weight", "case_weights"),
    "group": ("group", "groups"),
    "stage_of": ("stage_of",),
}  # fmt: skip
# Names of columns whose words tell training rows from test rows.
PARTS = ("set", "partition", "subset", "part", "usage", "dataset", "sample", "phase")
# Marks of test rows: the opposite of `in_train`.
OUT_OF_TRAIN = ("in_test", "is_test", "test", "holdout")
# Row names that programs write unasked; used where each row of a model has its own.
ROW_NUMBERS = re.compile(
    r"|unnamed: 0|column 1|rownames?|inst#|(?:.*[ _.-])id|(?-i:.*[a-z]I[Dd])", re.IGNORECASE
)
# Names that mean something elsewhere: unused, they are a warning with the option to use.
RESERVED: dict[str, tuple[str, ...]] = {
    "group": ("patient", "subject", "user", "session", "site"),
    "time": ("time", "date", "timestamp", "datetime", "day"),
    "y_pred": ("decision", "final_decision", "verdict", "classification", "assigned"),
}  # fmt: skip
COUNTS = ("n", "freq", "frequency", "frequencies", "count", "counts")


@dataclass(frozen=True)
class Tool:
    """What a tool's tables are known by, and what its names mean in them.

    `rest_is_truth` says that its tables hold nothing else but the truth under its own name.
    """

    name: str
    marks: frozenset[str]
    roles: Mapping[str, str]
    rest_is_truth: bool = False


# The first whose marks are all there decides; marks with a point are compared as written.
TOOLS = (
    Tool("tidymodels", frozenset({".row", "id", "id2"}),
         {"row": "row", "repeat": "id", "split": "id2"}, True),
    Tool("tidymodels", frozenset({".row", "id"}), {"row": "row", "split": "id"}, True),
    Tool("tidymodels", frozenset({".row"}), {"row": "row"}, True),
    Tool("tidymodels", frozenset({".pred_class"}), {"y_true": "class"}),
    Tool("tidymodels", frozenset({"id", "id2"}), {"repeat": "id", "split": "id2"}),
    Tool("mlr3", frozenset({"truth", "response"}), {"y_pred": "response"}),
    Tool("yardstick", frozenset({"truth", "estimate"}), {"y_pred": "estimate"}),
    Tool("caret", frozenset({"obs", "pred"}), {"y_true": "obs", "y_pred": "pred"}),
    Tool("Weka", frozenset({"inst#", "actual", "predicted"}),
         {"y_true": "actual", "y_pred": "predicted"}),
    Tool("CatBoost", frozenset({"sampleid", "class", "label"}),
         {"row": "sampleid", "y_true": "label", "y_pred": "class"}),
    Tool("PyCaret", frozenset({"class", "prediction_label"}),
         {"y_true": "class", "y_pred": "prediction_label"}),
    Tool("H2O", frozenset({"predict", "actual"}), {"y_true": "actual", "y_pred": "predict"}),
)  # fmt: skip
# Columns that tools write beside predictions, and that are none of their own.
IDLE = ("config", "error", "correct", "prediction_score", "rawprediction", "mtry", "cp", "k")

# Names that only predictions have, whatever they mean: no model is fitted on such a column.
PREDICTED = re.compile(
    r"(?:.*[ _.-])?(?:pred|predict|predicted|predictions?|y_?hat|p_?hat|probas?|probability)"
    r"(?:[ _.-].*)?",
    re.IGNORECASE,
)
# A column of predictions that names the column of the truth: prediction(bought), predicted_churn.
NAMED_AFTER = re.compile(
    r"prediction ?\((.+)\)|pred(?:icted|iction)?[_ ](.+)|(.+)[_ ]pred(?:icted|iction)?",
    re.IGNORECASE | re.DOTALL,
)

# One score column, for the positive class, and what its name says it holds.
SCORES: dict[str, ScoreKind | None] = {
    "score": None, "scores": None, "y_score": None, "yscore": None, "pred_score": None,
    "prob": "probability", "probs": "probability", "proba": "probability",
    "probability": "probability", "probabilities": "probability", "y_prob": "probability",
    "y_proba": "probability", "p": "probability", "pred_proba": "probability",
    "pred_prob": "probability", "y_pred_proba": "probability", "y_pred_prob": "probability",
    "predicted_probability": "probability", "predicted_prob": "probability",
    "scored_probabilities": "probability",
    "decision_function": "decision", "logit": "decision",
    "logits": "decision", "margin": "decision", "votes": "votes",
}  # fmt: skip
# One score column per class, <prefix>_<class>.
SCORE_PREFIXES: dict[str, ScoreKind | None] = {
    "score": None, "prob": "probability", "proba": "probability", "probability": "probability",
    "p": "probability", "decision": "decision", "votes": "votes", ".pred": "probability",
    "y_score": None, "y_prob": "probability", "y_proba": "probability",
    "pred_proba": "probability", "pred_prob": "probability", "y_pred_proba": "probability",
    "y_pred_prob": "probability", "predicted_prob": "probability",
    "probability:class": "probability", "distribution": "probability",
    "confidence": "probability", "logit": "decision",
}  # fmt: skip
_PREFIX = "|".join(map(re.escape, sorted(SCORE_PREFIXES, key=len, reverse=True)))
SCORE_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"({_PREFIX})[_.=](.+)",  # prob_yes, prob.yes (mlr3), .pred_yes, Probability:Class=yes
        r"(p|prob|proba)(\d+)",  # p0, p1 (H2O)
        r"(confidence) ?\((.+)\)",  # confidence(yes) (RapidMiner)
        r"(p) \(.+?=(.+)\)",  # P (class=yes) (KNIME)
    )
)
# Scores by these names may as well be features: they do not tell predictions from data.
WEAK_SCORES = ("score", "scores", "p", "votes", "decision", "margin", "confidence", "logit")

# Graded responses of LLM evaluations: names of 0/1 grades, and of grades in general.
CORRECT = ("correct", "is_correct", "passed", "pass", "solved", "success", "resolved")
GRADES = ("grade", "score", "rating", "reward")
GRADED: dict[str, tuple[str, ...]] = {
    "model": (*ALIASES["model"][:2], "provider"),
    "row": (
        "item", "item_id", "doc_id", "question_id", "sample_id", "task_id", "problem_id",
        "prompt_id", "example_id", "instance_id", "question", "row", "row_id", "id", "index",
    ),
    "attempt": ("attempt", "epoch", "trial", "repeat", "try", "run", "seed", "sample"),
    "weight": ALIASES["weight"],
    "group": (*ALIASES["group"], "document", "document_id", "passage_id", "context_id"),
}  # fmt: skip
# Names that only tables of graded responses have.
GRADED_ONLY = tuple(name for name in GRADED["row"] if name not in ALIASES["row"])
# Columns of graded tables that are kept unasked.
KEPT_OF_GRADED: dict[str, tuple[str, ...]] = {
    "task": ("task", "task_name", "benchmark"),
    "cost": ("cost", "cost_usd", "total_cost", "usd"),
    "tokens": ("tokens", "total_tokens", "n_tokens"),
    "seconds": ("seconds", "total_time", "duration", "latency", "elapsed"),
}
# Data frames of samples that Inspect makes; grades are `score_<scorer>`.
INSPECT_FRAME = frozenset({"sample_id", "eval_id", "id", "epoch"})


def normalized(name: str) -> str:
    """A column name as it is compared.

    >>> normalized("True Label"), normalized(".pred_class")
    ('true_label', 'pred_class')
    """
    return re.sub(r"[ ._-]+", "_", name.strip().lower()).lstrip("_")
