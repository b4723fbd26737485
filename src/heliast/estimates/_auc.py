"""The default interval for AUC: by the size of the smaller class."""

from heliast.estimates._registry import Case, Limits, interval, method
from heliast.estimates._score_auc import class_sizes
from heliast.measures.forms import Area

FEW = 200
"""Below this many rows in the smaller class DeLong's interval covers too little."""


@interval("auc", "score interval or DeLong", (Area,))
def _auc(case: Case) -> Limits:
    """The score interval when the smaller class has fewer than 200 rows, else DeLong on logits."""
    return method("score_auc" if min(class_sizes(case)) < FEW else "delong").limits(case)
