"""What tools call their columns: the names that are understood without being told."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from heliast.predictions.records import ScoreKind

RECOGNISED: dict[str, tuple[str, ...]] = {
    "y_true": (
        "y_true", "truth", "ytrue", "true", "target", "actual", "actual_class", "actual_label",
        "true_label", "true_class", "y", "gold", "gold_label", "expected", "observed", "y_test",
        "ground_truth", "reference", "obs", "y_actual", "y_true_label",
    ),
    "y_pred": (
        "y_pred", "label", "ypred", "y_hat", "yhat", "pred", "prediction", "predictions",
        "predicted", "predicted_class", "predicted_label", "pred_class", "pred_label",
        "class_pred", "label_pred", "decided", ".pred_class", ".pred", "predict", "y_predicted",
        "scored_labels", "y_pred_label", "prediction_label",
    ),
    "model": ("model", "model_name", "classifier", "wflow_id"),
    "repeat": ("repeat", "repetition"),
    "split": ("split", "fold", "resample"),
    "row": ("row", "row_id", "id", "index", ".row", "row_ids", "rowindex"),
    "in_train": ("in_train", "seen"),
    "weight": ("weight", "weights", "sample_weight", ".case_weights"),
    "group": ("group", "groups"),
    "stage_of": ("stage_of",),
}  # fmt: skip
"""The names that are understood without an option, in any case; the first is the house name."""

RIGHT = ("correct", "is_correct", "passed", "solved", "success", "resolved")
"""Names of grades that nothing else has: whether an answer was right."""
GRADES = ("grade", "score", "rating", "reward")
"""Names of grades that other columns may have as well."""
GRADED: dict[str, tuple[str, ...]] = {
    "model": RECOGNISED["model"],
    "row": (
        "item", "item_id", "doc_id", "question_id", "sample_id", "task_id", "problem_id",
        "prompt_id", "example_id", "instance_id", "question", "row", "row_id", "id", "index",
    ),
    "attempt": ("attempt", "epoch", "trial", "repeat", "try", "run", "seed", "sample"),
    "weight": RECOGNISED["weight"],
    "group": (*RECOGNISED["group"], "document", "document_id", "passage_id", "context_id"),
}  # fmt: skip
"""What a table of grades has beside them; names that only such a table has come first."""
OF_INSPECT = frozenset({"sample_id", "eval_id", "id", "epoch"})
"""What the data frames of samples that Inspect makes are known by; grades are `score_<scorer>`."""
TAKEN: dict[str, tuple[str, ...]] = {
    "task": ("task", "task_name", "benchmark"),
    "cost": ("cost", "cost_usd", "total_cost", "usd"),
    "tokens": ("tokens", "total_tokens", "n_tokens"),
    "seconds": ("seconds", "total_time", "duration", "latency", "elapsed"),
}
"""What is kept of a graded table unasked: the task of an item, and what an answer took."""

SCORE_NAMES: dict[str, ScoreKind | None] = {
    "score": None, "scores": None, "y_score": None, "yscore": None, "pred_score": None,
    "prob": "probability", "probs": "probability", "proba": "probability",
    "probability": "probability", "probabilities": "probability", "y_prob": "probability",
    "y_proba": "probability", "p": "probability", "pred_proba": "probability",
    "pred_prob": "probability", "y_pred_proba": "probability", "y_pred_prob": "probability",
    "predicted_probability": "probability", "predicted_prob": "probability",
    "scored_probabilities": "probability",
    "decision": "decision", "decision_function": "decision", "logit": "decision",
    "logits": "decision", "rawprediction": "decision", "margin": "decision",
    "votes": "votes",
}  # fmt: skip
"""One score column, for the positive class, and what its name says it is."""

SCORE_PREFIXES: dict[str, ScoreKind | None] = {
    "score": None, "prob": "probability", "proba": "probability", "probability": "probability",
    "p": "probability", "decision": "decision", "votes": "votes", ".pred": "probability",
    "y_score": None, "y_prob": "probability", "y_proba": "probability",
    "pred_proba": "probability", "pred_prob": "probability", "y_pred_proba": "probability",
    "y_pred_prob": "probability", "predicted_prob": "probability",
    "probability:class": "probability", "distribution": "probability",
    "confidence": "probability", "logit": "decision",
}  # fmt: skip
"""One score column a class, `<prefix>_<class>`, and what the prefix says they are."""

_ANY = "|".join(map(re.escape, sorted(SCORE_PREFIXES, key=len, reverse=True)))
SCORE_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE | re.DOTALL)
    for pattern in (
        rf"({_ANY})[_.=](.+)",  # prob_yes, prob.yes (mlr3), .pred_yes, Probability:Class=yes
        r"(p|prob|proba)(\d+)",  # p0, p1 (H2O)
        r"(confidence) ?\((.+)\)",  # confidence(yes) (RapidMiner)
        r"(p) \(.+?=(.+)\)",  # P (class=yes) (KNIME)
    )
)
"""How a column names the class that its scores are for: first the prefix, then the class."""

NAMED_AFTER = re.compile(
    r"prediction ?\((.+)\)|pred(?:icted|iction)?[_ ](.+)|(.+)[_ ]pred(?:icted|iction)?",
    re.IGNORECASE | re.DOTALL,
)
"""A column of labels that names the column of the truth (RapidMiner, KNIME, DataRobot, Vertex)."""

SAID = re.compile(
    r"(?:.*[ _.-])?(?:pred|predict|predicted|predictions?|y_?hat|p_?hat|probas?|probability)"
    r"(?:[ _.-].*)?",
    re.IGNORECASE,
)
"""Names that what a model said may have, whatever it means: no model is fitted on such a column."""

ROW_LIKE = re.compile(
    r"(?!.*(?:class|label|target|tru|pred|actual|model|fold|split|group|run|batch))"
    r"(?:(?:.*[ _.-])?(?:id|ids|idx|uid|uuid|guid|index)|.*(?-i:[a-z]I[Dd])|case|case[ _.-]?n[or]|"
    r"record|sample|rownames?|\.\.\.1|unnamed: 0|)",
    re.IGNORECASE,
)
"""Names that may name rows, where no two rows of a model have the same; pandas writes none."""

PART_LIKE = re.compile(
    r"(?:.*[ _.-])?(?:set|split|part|partition|subset|fold)|phase|usage|sample|data(?:set)?|source|"
    r"type|kind|role|.*(?:train|test|holdout|valid).*",
    re.IGNORECASE,
)
"""Names that may tell rows of training from those of test, where the values are such words."""

MODEL_LIKE = re.compile(
    r"method|algo|algorithm|learner(?:[ _.-]id)?|estimator|system|approach|"
    r"classifier[ _.-]?(?:name|id)",
    re.IGNORECASE,
)
"""Names that may name models, where each value has as many rows as the others."""

COUNT_LIKE = re.compile(r"n|freqs?|frequency|frequencies|counts?", re.IGNORECASE)
"""Names that may tell how many rows each row stands for, as tables of counts have them."""

LABEL_LIKE = re.compile(
    r"(?:.*[ _.-])?(?:decisions?|classification|class|verdict|call|assigned|outcome)",
    re.IGNORECASE,
)
"""Names that what was decided may have, where the values are the true classes."""

WIDE = re.compile(
    r"(?:y_?)?(?:pred|prediction|predicted|label|yhat|prob|proba|score)[_. -](.+)|"
    r"(.+)[_. -](?:y_?)?(?:pred|prediction|predicted|label|yhat|prob|proba|score)",
    re.IGNORECASE,
)
"""Names of columns that hold what one of several models said."""

WEAK = ("score", "scores", "p", "votes", "decision", "margin", "confidence", "logit")
"""Names of scores that an input of data may well have, so that they tell nothing."""

IDLE = ("x", ".config", "id2", "error", "correct", "prediction_score")
"""Names of columns that cannot be the truth: row names of R, marks of errors."""


@dataclass(frozen=True)
class Dialect:
    """What the tables of a tool are known by, and the names that mean a role in them only."""

    tool: str
    marks: frozenset[str]
    roles: Mapping[str, str] = field(default_factory=dict)


DIALECTS = (
    Dialect(
        "tidymodels",
        frozenset({".row", "id", "id2"}),
        {"row": ".row", "repeat": "id", "split": "id2"},
    ),
    Dialect("tidymodels", frozenset({".row", "id"}), {"row": ".row", "split": "id"}),
    Dialect(
        "mlr", frozenset({"truth", "response", "iter"}), {"y_pred": "response", "split": "iter"}
    ),
    Dialect("mlr3", frozenset({"truth", "response"}), {"y_pred": "response"}),
    Dialect("yardstick", frozenset({"truth", "estimate"}), {"y_pred": "estimate"}),
    Dialect("Weka", frozenset({"inst#", "predicted"}), {"y_true": "actual", "y_pred": "predicted"}),
)
"""The first whose marks are all there is spoken."""
