"""The settings of a tree, checked and turned into the kernels' rules."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._kernels.growing import DEVIANCE, GINI, SQUARED_ERROR, WEIGHT, Rules

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree

CRITERIA = {"deviance": DEVIANCE, "gini": GINI, "squared_error": SQUARED_ERROR}
NO_LIMIT = 1 << 30
NEVER_EMPTY = 1e-300  # no child is ever empty, whatever `min_samples_leaf` is

Limits = Literal["pure", "s-plus"]
LIMITS = {
    "pure": {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0.0},
    "s-plus": {"min_samples_leaf": 5, "min_samples_split": 10, "min_deviance": 0.01},
}
SIZES = (*LIMITS["pure"], "limits", "max_depth", "max_leaf_nodes", "pruning")

# Confidence of pessimistic pruning: C4.5's, and that of trees of whose size nothing is said
# (benchmarks.studies.defaults).
AS_IN_C45, BY_STUDY = 0.25, 0.05


def is_open(tree: "Tree") -> bool:
    """Whether nothing is said of the tree's size, so that the place where it stands decides.

    >>> from heliast.learners import Tree
    >>> is_open(Tree("gini")), is_open(Tree(max_depth=3)), is_open(Tree(limits="pure"))
    (True, False, False)
    """
    return all(getattr(tree, name) is None for name in SIZES) and tree.min_impurity_decrease == 0


def pruning_of(tree: "Tree") -> tuple[str | None, float]:
    """How a tree that stands alone is pruned, and at which confidence.

    >>> from heliast.learners import Tree
    >>> pruning_of(Tree()), pruning_of(Tree(max_depth=3))
    (('pessimistic', 0.05), (None, 0.25))
    """
    if tree.pruning not in (None, "pessimistic"):
        raise InputError(f"pruning must be None or 'pessimistic', got {tree.pruning!r}")
    how, usual = ("pessimistic", BY_STUDY) if is_open(tree) else (tree.pruning, AS_IN_C45)
    return how, usual if tree.confidence is None else tree.confidence


def rules_of(tree: "Tree") -> Rules:
    """The rules of a tree; what cannot be used is refused by name."""
    if tree.criterion not in CRITERIA:
        raise InputError(f"criterion must be {', '.join(CRITERIA)}, got {tree.criterion!r}")
    if tree.limits not in (None, *LIMITS):
        raise InputError(f"limits must be None, 'pure' or 's-plus', got {tree.limits!r}")
    smoothing_of(tree.smoothing, 2)
    amounts = {
        name: usual if getattr(tree, name) is None else getattr(tree, name)
        for name, usual in LIMITS[tree.limits or "pure"].items()
    } | {"min_impurity_decrease": tree.min_impurity_decrease}
    for name, value in amounts.items():
        if not _is_number(value) or not 0 <= value < np.inf:
            raise InputError(f"{name} must be a number of at least 0, got {value!r}")
    for name, least in (("max_depth", 0), ("max_leaf_nodes", 1)):
        value = getattr(tree, name)
        if value is not None and not (_is_number(value) and value == int(value) >= least):
            raise InputError(
                f"{name} must be None or a whole number of at least {least}, got {value!r}"
            )
    return Rules(
        criterion=CRITERIA[tree.criterion],
        limited=WEIGHT,
        min_leaf=max(float(amounts["min_samples_leaf"]), NEVER_EMPTY),
        min_split=float(amounts["min_samples_split"]),
        min_deviance=float(amounts["min_deviance"]),
        min_decrease=float(amounts["min_impurity_decrease"]),
        max_depth=NO_LIMIT if tree.max_depth is None else int(tree.max_depth),
        max_leaves=0 if tree.max_leaf_nodes is None else int(tree.max_leaf_nodes),
        drawn=0,
        seed=-1,
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)


def in_rows(rules: Rules, rows: Callable[[], float]) -> Rules:
    """The rules with limits below 1, which are shares of the training rows, as numbers of rows.

    >>> from heliast.learners import Tree
    >>> rules = in_rows(rules_of(Tree(min_samples_leaf=0.1, min_samples_split=20)), lambda: 60.0)
    >>> rules.min_leaf, rules.min_split
    (6.0, 20.0)
    """
    limits = {name: getattr(rules, name) for name in ("min_leaf", "min_split")}
    shares = {name: limit for name, limit in limits.items() if NEVER_EMPTY < limit < 1}
    if not shares:
        return rules
    total = rows()
    return rules._replace(**{name: share * total for name, share in shares.items()})


def smoothing_of(smoothing: object, k: int) -> tuple[float, bool]:
    """m of p_c = (n_c + m q_c) / (n + m), and whether q is even or the shares in the root.

    >>> smoothing_of(None, 3), smoothing_of("laplace", 3), smoothing_of(2, 3)
    ((0.0, True), (3.0, True), (2.0, False))
    """
    if smoothing is None:
        return 0.0, True
    if smoothing == "laplace":
        return float(k), True
    if _is_number(smoothing) and smoothing >= 0:  # type: ignore[operator]
        return float(smoothing), False  # type: ignore[arg-type]
    raise InputError(
        f"smoothing must be None, 'laplace' or the number m of the m-estimate, got {smoothing!r}"
    )
