"""Any scikit-learn splitter as a plan."""

import copy
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset
from heliast.plans._dealing import group_codes
from heliast.plans._kfold import KFold
from heliast.plans._piece import Piece, Positions
from heliast.plans._plan import Plan
from heliast.plans._remarks import walks_forward
from heliast.plans._windows import forward
from heliast.predictions import Split


@told({"splitter": "object with split(X, y, groups): The splitter, as scikit-learn has them."})
@dataclass(frozen=True)
class FromSklearn(Plan):
    """The splits of a scikit-learn splitter (anything with `split(X, y, groups)`), row for row.

    A splitter with an integer `random_state`, or without random choice, gives exactly its own
    indices. With `random_state=None` the plan's seed decides. A split starts a new repeat when its
    splitter shuffles anew each time (as ShuffleSplit does), or when it tests a row again that this
    repeat has tested. The data's groups are passed on; a splitter that tears one apart is refused.
    Rows whose times are told are handed over in that order. Splits that each train on the rows
    before those they test, as TimeSeriesSplit has them, take rows to stand in order of time.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import KFold
    >>> from heliast.data import Dataset
    >>> data = Dataset((), np.array([0, 1, 0, 1]), "classes", ("a", "b"))
    >>> [piece.test.tolist() for piece in FromSklearn(KFold(2)).on(data)]
    [[0, 1], [2, 3]]
    """

    splitter: Any

    def __post_init__(self) -> None:
        if isinstance(self.splitter, type) or not callable(getattr(self.splitter, "split", None)):
            raise InputError(
                f"splitter={self.splitter!r}: give an instance with a method split(X, y, groups), "
                "such as sklearn.model_selection.KFold(5)"
            )
        state = getattr(self.splitter, "random_state", None)
        if state is not None and not isinstance(state, (int, np.integer)):
            raise InputError(
                f"random_state={state!r}: its state changes with use, so splits could not be "
                "repeated; give a whole number, or None to let the plan's seed decide"
            )

    def words(self, task: str = "classes") -> str:
        kind = type(self.splitter)
        whose = " of scikit-learn" if kind.__module__.startswith("sklearn.") else ""
        return f"the splits of {kind.__name__}{whose}"

    def pieces(self, data: Dataset, rng: np.random.Generator) -> Iterator[Piece]:
        from sklearn.model_selection import BaseShuffleSplit

        group = group_codes(data)
        anew = isinstance(self.splitter, BaseShuffleSplit)
        tested = np.zeros(data.n, bool)
        repeat = fold = 0
        for at, (train, test) in enumerate(self._pairs(data, rng)):
            if at and (anew or tested[test].any()):
                repeat, fold = repeat + 1, 0
                tested[:] = False
            self._check(data, group, at, train, test)
            yield Piece.using(data.n, train, test, Split(0, repeat=repeat, fold=fold))
            tested[test] = True
            fold += 1

    def walks(self, data: Dataset, pieces: Sequence[Piece]) -> bool:
        return (data.ordered or len(pieces) > 1) and walks_forward(data, pieces)

    def _pairs(
        self, data: Dataset, rng: np.random.Generator
    ) -> Iterator[tuple[Positions, Positions]]:
        splitter = copy.deepcopy(self.splitter)  # the caller's object is not ours to change
        order = np.argsort(data.times, kind="stable")
        data = data.subset(order) if data.ordered else data
        if getattr(splitter, "random_state", 0) is None:
            splitter.random_state = int(rng.integers(2**31))
        rows = data.matrix if data.frame is None else data.frame
        try:
            with _quiet():
                pairs = iter(splitter.split(rows, data.y, data.group))
            while True:
                with _quiet():  # left before the yield: a generator must not hold the filters
                    pair = next(pairs, None)
                if pair is None:
                    return
                train, test = (np.asarray(part, np.int64) for part in pair)
                yield (order[train], order[test]) if data.ordered else (train, test)
        except ValueError as error:
            raise InputError(f"{self.splitter!r} cannot split these rows: {error}") from error

    def _check(
        self, data: Dataset, group: Positions | None, at: int, train: Positions, test: Positions
    ) -> None:
        if np.unique(test).size < test.size:
            raise InputError(f"{self.splitter!r}: split {at} predicts a row more than once")
        if group is None:
            return
        torn = np.intersect1d(group[train], group[test])
        if torn.size:
            name = np.unique(np.asarray(data.group)).tolist()[torn[0]]
            what = "time" if data.ordered else "group"
            raise InputError(
                f"{self.splitter!r}: {what} {name!r} is in the training and the test rows of split "
                f"{at}; use one that keeps such rows together, such as GroupKFold (of times: "
                "Rolling, Expanding)"
            )


@contextmanager
def _quiet() -> Iterator[None]:
    """Not warned that a splitter ignores groups: whether one is torn is checked."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The groups parameter is ignored")
        yield


@told(returns="Plan: The plan.", raises="If it is none of these.")
def as_plan(plan: object, data: Dataset | None = None) -> Plan:
    """The plan itself, a number of folds, or a scikit-learn splitter, as a plan.

    Parameters
    ----------
    plan : Plan, int or splitter
        A plan, a number of folds, or an instance of a scikit-learn splitter.
    data : Dataset, optional
        Where its rows are in order of time, a number of folds is that of tests forward in time.

    Examples
    --------
    >>> as_plan(5)
    KFold(k=5, repeats=1, stratify='auto')
    """
    if isinstance(plan, Plan):
        return plan
    if isinstance(plan, int) and not isinstance(plan, bool):
        return forward(plan, data) if data is not None and data.ordered else KFold(plan)
    if not isinstance(plan, (type, str, bytes)) and callable(getattr(plan, "split", None)):
        return FromSklearn(plan)
    raise InputError(
        f"plan={plan!r}: give a plan such as KFold(10), a number of folds, or an instance of a "
        "scikit-learn splitter"
    )
