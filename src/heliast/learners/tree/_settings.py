"""The settings of a tree, checked and turned into the kernels' rules; smoothing of its leaves."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._kernels.growing import DEVIANCE, GINI, SQUARED_ERROR, WEIGHT, Rules

if TYPE_CHECKING:
    from heliast.learners.tree._tree import Tree


CRITERIA = {"deviance": DEVIANCE, "gini": GINI, "squared_error": SQUARED_ERROR}
NO_LIMIT = 1 << 30
NEVER_EMPTY = 1e-300

Limits = Literal["pure", "s-plus"]
LIMITS = {
    "pure": {"min_samples_leaf": 1, "min_samples_split": 2, "min_deviance": 0.0},
    "s-plus": {"min_samples_leaf": 5, "min_samples_split": 10, "min_deviance": 0.01},
}

# Confidence of pessimistic pruning: as asked for, and of trees of which nothing is said.
AS_IN_C45, BY_STUDY = 0.25, 0.05


def is_open(tree: "Tree") -> bool:
    """Whether nothing is said of the tree's size, so that the place where it stands decides.

    >>> from heliast.learners import Tree
    >>> is_open(Tree("gini")), is_open(Tree(max_depth=3)), is_open(Tree(limits="pure"))
    (True, False, False)
    """
    names = (
        "limits",
        "min_samples_leaf",
        "min_samples_split",
        "min_deviance",
        "max_depth",
        "max_leaf_nodes",
        "pruning",
    )
    return all(getattr(tree, name) is None for name in names) and tree.min_impurity_decrease == 0


def pruning_of(tree: "Tree") -> tuple[str | None, float]:
    """How a tree that stands alone is pruned, and at which confidence where that is pessimistic.

    >>> from heliast.learners import Tree
    >>> pruning_of(Tree()), pruning_of(Tree(pruning="raising")), pruning_of(Tree(max_depth=3))
    (('pessimistic', 0.05), ('raising', 0.25), (None, 0.25))
    """
    how, usual = ("pessimistic", BY_STUDY) if is_open(tree) else (tree.pruning, AS_IN_C45)
    return how, usual if tree.confidence is None else tree.confidence


def _limits(tree: "Tree") -> dict[str, float]:
    """The limits of a tree: as given, or those of their common name."""
    if tree.limits not in (None, *LIMITS):
        raise InputError(f"limits must be None, 'pure' or 's-plus', got {tree.limits!r}")
    named = LIMITS[tree.limits or "pure"]
    return {
        name: usual if getattr(tree, name) is None else getattr(tree, name)
        for name, usual in named.items()
    }


def rules_of(tree: "Tree") -> Rules:
    """The rules of a tree; what cannot be used is refused by name."""
    if tree.criterion not in CRITERIA:
        raise InputError(f"criterion must be {', '.join(CRITERIA)}, got {tree.criterion!r}")
    Smoothing.of(tree.smoothing, 2)
    limits = {**_limits(tree), "min_impurity_decrease": tree.min_impurity_decrease}
    for name, value in limits.items():
        _check_amount(name, value)
    for name, least in (("max_depth", 0), ("max_leaf_nodes", 1)):
        _check_limit(name, getattr(tree, name), least)
    return Rules(
        criterion=CRITERIA[tree.criterion],
        limited=WEIGHT,
        # No child is ever empty, whatever is asked for.
        min_leaf=max(float(limits["min_samples_leaf"]), NEVER_EMPTY),
        min_split=float(limits["min_samples_split"]),
        min_deviance=float(limits["min_deviance"]),
        min_decrease=float(limits["min_impurity_decrease"]),
        max_depth=NO_LIMIT if tree.max_depth is None else int(tree.max_depth),
        max_leaves=0 if tree.max_leaf_nodes is None else int(tree.max_leaf_nodes),
        drawn=0,
        seed=-1,
    )


def in_rows(rules: Rules, rows: Callable[[], float]) -> Rules:
    """The rules with limits below 1, which are shares of the training rows, as numbers of rows.

    >>> from heliast.learners import Tree
    >>> rules = in_rows(rules_of(Tree(min_samples_leaf=0.1, min_samples_split=20)), lambda: 60.0)
    >>> rules.min_leaf, rules.min_split
    (6.0, 20.0)
    """
    if not any(NEVER_EMPTY < least < 1 for least in (rules.min_leaf, rules.min_split)):
        return rules
    total = rows()
    leaf, split = (
        least * total if NEVER_EMPTY < least < 1 else least
        for least in (rules.min_leaf, rules.min_split)
    )
    return rules._replace(min_leaf=leaf, min_split=split)


def _check_amount(name: str, value: Any) -> None:
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    if not number or not 0 <= value < np.inf:
        raise InputError(f"{name} must be a number of at least 0, got {value!r}")


def _check_limit(name: str, value: Any, least: int) -> None:
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if value is not None and (not whole or value < least):
        raise InputError(
            f"{name} must be None or a whole number of at least {least}, got {value!r}"
        )


@dataclass(frozen=True)
class Smoothing:
    """p_c = (n_c + m q_c) / (n + m) with m the `amount`, q even or the shares in the root."""

    amount: float
    even: bool

    @classmethod
    def of(cls, given: object, k: int) -> "Smoothing":
        """None: none; "laplace": m = k, q even; a number m: the m-estimate, q from the root.

        >>> Smoothing.of("laplace", 3)
        Smoothing(amount=3.0, even=True)
        """
        if given is None:
            return cls(0.0, True)
        if given == "laplace":
            return cls(float(k), True)
        if isinstance(given, (int, float)) and not isinstance(given, bool) and given >= 0:
            return cls(float(given), False)
        raise InputError(
            f"smoothing must be None, 'laplace' or the number m of the m-estimate, got {given!r}"
        )
