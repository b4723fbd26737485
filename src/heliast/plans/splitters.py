"""Scikit-learn splitters, numbers of folds and words as plans."""

import ast
import copy
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from heliast._core.errors import InputError
from heliast.data import Dataset
from heliast.plans.folds import KFold
from heliast.plans.piece import Piece
from heliast.plans.plan import Plan, goes_forward
from heliast.plans.windows import time_series_split
from heliast.predictions import Split


@dataclass(frozen=True)
class FromSklearn(Plan):
    """The splits of a scikit-learn splitter (anything with `split(X, y, groups)`), row for row.

    A splitter with an integer `random_state`, or without randomness, gives exactly its own
    indices. With `random_state=None` the plan's seed decides. A split starts a new repeat when its
    splitter shuffles anew each time (as ShuffleSplit does), or when it tests a row again that this
    repeat has tested. The data's groups are passed on; a splitter that tears one apart is refused.
    Rows with known times are passed in that order. Splits that each train on the rows before those
    they test, as TimeSeriesSplit has them, take rows to be in order of time.

    Parameters
    ----------
    splitter : object with split(X, y, groups)
        The splitter, as scikit-learn has them.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import KFold
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.array([0, 1, 0, 1]), "classification", ("a", "b"))
    >>> [piece.test.tolist() for piece in FromSklearn(KFold(2)).on(data)]
    [[0, 1], [2, 3]]
    """

    splitter: Any

    def __post_init__(self) -> None:
        if isinstance(self.splitter, type) or not callable(getattr(self.splitter, "split", None)):
            raise InputError(
                "plan must be a plan such as KFold(10), a number of folds or an instance of a "
                f"scikit-learn splitter, got {self.splitter!r}"
            )

    def words(self, task: str = "classification") -> str:
        return f"the splits of {type(self.splitter).__name__}"

    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        return (data.ordered or len(pieces) > 1) and goes_forward(data, pieces)

    def pieces(self, data: Dataset, rng: Generator) -> Iterator[Piece]:
        from sklearn.model_selection import BaseShuffleSplit

        shuffles = isinstance(self.splitter, BaseShuffleSplit)
        tested = np.zeros(data.n, bool)
        repeat = fold = 0
        for split, piece in enumerate(self._split(data, rng)):
            self._check_rows(data, split, piece)
            if split and (shuffles or tested[piece.test].any()):
                repeat, fold = repeat + 1, 0
                tested[:] = False
            yield piece.but(record=Split(0, repeat=repeat, fold=fold))
            tested[piece.test] = True
            fold += 1

    def _split(self, data: Dataset, rng: Generator) -> list[Piece]:
        splitter = copy.deepcopy(self.splitter)  # the caller's object must not change
        if getattr(splitter, "random_state", 0) is None:
            splitter.random_state = int(rng.integers(2**31))
        order = np.argsort(data.times, kind="stable")
        groups = None if data.group is None else np.asarray(data.group)[order]
        with warnings.catch_warnings():
            # Whether a group is torn apart is checked for every splitter.
            warnings.filterwarnings("ignore", "The groups parameter is ignored")
            pairs = splitter.split(data.rows(order), data.y[order], groups)
            return [Piece.using(data.n, order[train], order[test]) for train, test in pairs]

    def _check_rows(self, data: Dataset, split: int, piece: Piece) -> None:
        if np.unique(piece.test).size < piece.test.size:
            raise InputError(f"split {split} predicts a row more than once")
        if data.group is None:
            return
        group = np.asarray(data.group)
        torn = np.intersect1d(group[piece.train], group[piece.test]).tolist()
        if torn:
            what = "time" if data.ordered else "group"
            raise InputError(
                f"{what} {torn[0]!r} is in the training and the test rows of split {split}; use a "
                "splitter that keeps such rows together, such as GroupKFold (of times: Rolling, "
                "Expanding)"
            )


def as_plan(plan: object, data: Dataset | None = None) -> Plan:
    """A plan from a plan, a number of folds, a scikit-learn splitter, or words.

    Words are those of the command line: a number of folds, `10-fold`, `loo`, `stratified`,
    `nested`, `.632`, or the name of a plan, with arguments if any: `kfold(10, repeats=5)`.

    Parameters
    ----------
    plan : Plan, int, splitter or str
        A plan, a number of folds, an instance of a scikit-learn splitter, or words.
    data : Dataset, optional
        If its rows are in order of time, a number of folds is one of tests forward in time.

    Returns
    -------
    Plan
        The plan.

    Raises
    ------
    InputError
        If it is none of these.

    Examples
    --------
    >>> as_plan(5)
    KFold(k=5, repeats=1, stratify='auto')
    >>> as_plan("bootstrap(times=50)")
    Bootstrap(times=50, inner=0)
    """
    if isinstance(plan, str):
        plan = _plan_of_words(plan)
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, int) and not isinstance(plan, bool):
        return time_series_split(plan, data) if data and data.ordered else KFold(plan)
    return FromSklearn(plan)


def _plan_of_words(words: str) -> Plan | int:
    from heliast import plans

    folds = re.fullmatch(r"([0-9]{1,7})([-\s]?folds?)?", words.strip().lower())
    if folds:
        return int(folds[1])
    kinds: dict[str, Callable[..., Plan]] = {
        name.lower(): kind
        for name, kind in vars(plans).items()
        if isinstance(kind, type) and issubclass(kind, Plan)
    }
    kinds |= {"loo": plans.LeaveOneOut, "nested": plans.NestedFolds, ".632": plans.Bootstrap}
    kinds |= {"stratified": partial(KFold, stratify=True), "randomsubsampling": plans.Subsampling}
    kinds |= {"5x2": plans.FiveByTwo, "crossvalidation": KFold}
    head, _, arguments = words.partition("(")
    kind = kinds.get(re.sub(r"[-_\s]", "", head.lower()))
    if kind is None:
        raise InputError(
            f"no plan {words!r}: give a number of folds, loo, holdout, bootstrap, stratified, "
            "nested, subsampling, or any plan with its arguments, as in kfold(10, repeats=5)"
        )
    try:
        call = ast.parse(f"plan({arguments or ')'}", mode="eval").body
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError("expected literal arguments")
        named: Any = {item.arg: ast.literal_eval(item.value) for item in call.keywords}
        return kind(*map(ast.literal_eval, call.args), **named)
    except (SyntaxError, TypeError, ValueError, OverflowError, RecursionError, MemoryError) as why:
        raise InputError(f"plan {words!r}: {why}") from None
