"""The records that tables are made of: splits of a plan, and the rows of one model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.records import as_dict, each
from heliast.tables.about import Task

ScoreKind = Literal["probability", "decision", "votes"]
WeightKind = Literal["frequency", "sampling"]
Design = Literal["rows", "classes", "time"]


@dataclass(frozen=True, eq=False)
class Rows:
    """Truth, label and scores of some rows; codes into `classes`, or numbers.

    Of a graded table a row is an item, its label the mean grade of its attempts, its scores the
    grade of each of them, NaN where it has fewer; there is no truth (zeros).

    Parameters
    ----------
    task : {"classification", "regression", "graded"}
        What is predicted.
    y_true, y_pred : array
        What was true and what was decided, one value a row.
    scores : array, optional
        One column a class, or one column for the positive class of two; or one an attempt.
    score_kind : {"probability", "decision", "votes"}, optional
        What the scores are.
    weight : array, optional
        A weight for each row.
    weight_kind : {"frequency", "sampling"}, optional
        Whether weights are counts, or shares of a population.
    group : array, optional
        Codes of rows that belong together.
    classes : tuple
        The labels in order; empty for numbers.
    positive : int, optional
        The position of the positive class when there are two classes.
    design : {"rows", "classes", "time"}
        `classes` when the number of rows per class was fixed by whoever drew them, `time` when
        rows are in order of time, which their group tells.
    ordinal : bool
        Whether the classes are in an order.
    bounds : tuple of float, optional
        Of grades: the least and the largest possible.
    spent : mapping
        What each prediction took: cost, tokens or seconds, where that was kept.

    Examples
    --------
    >>> rows = Rows("classification", np.array([0, 1]), np.array([0, 0]), classes=("a", "b"),
    ...     positive=1)
    >>> rows.n, rows.class_sizes().tolist()
    (2, [1, 1])
    """

    task: Task
    y_true: Array
    y_pred: Array
    scores: Array | None = None
    score_kind: ScoreKind | None = None
    weight: Array | None = None
    weight_kind: WeightKind | None = None
    group: Array | None = None
    classes: tuple[Label, ...] = ()
    positive: int | None = None
    design: Design = "rows"
    ordinal: bool = False
    bounds: tuple[float, float] | None = None
    spent: Mapping[str, Array] = field(default_factory=dict)

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """What was counted from these rows, kept for the next who asks."""
        return {}

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.y_true.size)

    @property
    def scored(self) -> bool:
        """Whether the rows have scores."""
        return self.scores is not None

    @property
    def weight_sum(self) -> float:
        """The weight of all rows: their number, without weights."""
        return float(self.n) if self.weight is None else float(self.weight.sum())

    @property
    def weight_squares(self) -> float:
        """The sum of squared weights."""
        return float(self.n) if self.weight is None else float((self.weight**2).sum())

    def class_sizes(self, weighted: bool = False) -> Array:
        """How many rows each class has, or their weight.

        Parameters
        ----------
        weighted : bool
            Whether weights are added up instead of rows.

        Returns
        -------
        array
            One number a class.
        """
        weight = self.weight if weighted else None
        return np.bincount(self.y_true, weights=weight, minlength=len(self.classes))

    def by_design(self) -> "Rows":
        """The same rows, their numbers per class taken as fixed."""
        return replace(self, design="classes")

    def score_of(self, code: int) -> Array:
        """The scores for one class, contiguous.

        Parameters
        ----------
        code : int
            The position of the class; of one column for two classes, it is turned round.

        Returns
        -------
        array
            One score a row.
        """
        if self.scores is None:
            raise ValueError("these rows have no scores")
        if self.scores.ndim == 1:
            if code == self.positive:
                return self.scores
            return 1.0 - self.scores if self.score_kind == "probability" else -self.scores
        return np.ascontiguousarray(self.scores[:, code])

    def is_class(self, code: int) -> Array:
        """1 where the true class has this code, as uint8.

        Parameters
        ----------
        code : int
            The position of the class.

        Returns
        -------
        array
            0 or 1 a row.
        """
        if len(self.classes) == 2 and code == 1 and self.y_true.dtype == np.uint8:
            return self.y_true
        chosen: Array = self.y_true == code
        return chosen.view(np.uint8)

    def at(self, keep: Array) -> "Rows":
        """Some of the rows.

        Parameters
        ----------
        keep : array
            Which: a mask, or positions.

        Returns
        -------
        Rows
            These rows.
        """
        arrays = each(self, "y_true y_pred scores weight group", lambda one: one[keep])
        return replace(self, spent={name: one[keep] for name, one in self.spent.items()}, **arrays)


Role = Literal["test", "validation", "full", "inner"]


@dataclass(frozen=True)
class Split:
    """One split of a plan: its role, where it stands in the plan, and what was varied.

    Parameters
    ----------
    split : int or str
        Its name.
    role : {"test", "validation", "full", "inner"}
        What its predictions are for; `full` is the fit on all data that .632 needs.
    repeat, fold : int
        Which repeat of the plan, and which fold in it.
    outer : int, optional
        Of an inner split, the outer one that it lies in.
    n_train, n_test : int, optional
        How many rows it trains and tests on, if that is known.
    train_share, noise : float, optional
        Where the plan varies these: the share of the training rows used, of the labels changed.

    Examples
    --------
    >>> Split("a", n_train=90).to_dict()["role"]
    'test'
    """

    split: int | str
    role: Role = "test"
    repeat: int = 0
    fold: int = 0
    outer: int | None = None
    n_train: int | None = None
    n_test: int | None = None
    train_share: float | None = None
    noise: float | None = None

    def to_dict(self) -> dict[str, object]:
        """The fields by name, as JSON can hold them."""
        return as_dict(self)


@dataclass(frozen=True)
class Splits:
    """All splits of a table, in order: counted by `len`, looped over, found by name.

    Parameters
    ----------
    records : tuple of Split
        The splits; without a plan, one.

    Examples
    --------
    >>> Splits((Split(0), Split(1))).names
    (0, 1)
    """

    records: tuple[Split, ...] = (Split(0),)

    @cached_property
    def names(self) -> tuple[int | str, ...]:
        """The names of the splits."""
        return tuple(record.split for record in self.records)

    @cached_property
    def places(self) -> dict[int | str, int]:
        """Where each split stands, by its name."""
        return {name: place for place, name in enumerate(self.names)}

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Split]:
        return iter(self.records)

    def __getitem__(self, name: int | str) -> Split:
        return self.records[self.places[name]]

    def of_role(self, role: Role) -> tuple[Split, ...]:
        """The splits of one role.

        Parameters
        ----------
        role : {"test", "validation", "full", "inner"}
            The role.

        Returns
        -------
        tuple of Split
            In the order of the table.
        """
        return tuple(record for record in self.records if record.role == role)

    def to_dict(self) -> list[dict[str, object]]:
        """One record a split."""
        return [record.to_dict() for record in self.records]


@dataclass(frozen=True, kw_only=True)
class Options:
    """What the caller says of a table, wherever it comes from; words are checked here."""

    classes: Sequence[Label] | None = None
    positive: Label | None = None
    task: Task | None = None
    scores: ScoreKind | None = None
    weights: WeightKind | None = None
    design: Design = "rows"
    missing: str = "refuse"
    ordinal: bool = False
    bounds: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.bounds is not None:
            object.__setattr__(self, "bounds", _bounds(self.bounds))
        if self.missing not in ("refuse", "drop"):
            raise InputError(f"missing={self.missing!r}: choose 'refuse' or 'drop'")
        if self.task not in (None, *get_args(Task)):
            raise InputError(
                f"task={self.task!r}: choose 'classification', 'regression' or 'graded'"
            )
        if self.scores not in (None, *get_args(ScoreKind)):
            raise InputError(f"scores={self.scores!r}: choose 'probability', 'decision' or 'votes'")
        if self.weights not in (None, *get_args(WeightKind)):
            raise InputError(f"weights={self.weights!r}: choose 'frequency' (counts) or 'sampling'")
        if self.design not in get_args(Design):
            raise InputError(
                f"design={self.design!r}: choose 'rows' (rows drawn at random) or 'classes' "
                "(the number of rows per class was fixed); for rows in order of time give time="
            )

    @classmethod
    def given(cls, order: Sequence[Label] | None = None, **said: Any) -> "Options":
        """What was said, where `order` names the classes and says that they are in an order."""
        if order is None:
            return cls(**said)
        if said.get("classes") is not None:
            raise InputError("classes= and order= (--classes, --order): order= names all classes")
        return cls(**{**said, "classes": order}, ordinal=True)

    @property
    def named_by(self) -> str:
        """The option that names the classes."""
        return "order" if self.ordinal else "classes"

    def refuse_classes(self, why: str) -> None:
        """Refuse what is said of classes and their scores where there are none."""
        for name in (self.named_by, "positive", "scores"):
            if getattr(self, "classes" if name == "order" else name) is not None:
                raise InputError(f"{name}= (--{name}) is for classes, but {why}: leave it out")
        if self.design == "classes":
            raise InputError(f"design='classes' (--fixed-classes): {why}; leave it out")

    def refuse_fixed_classes(self) -> None:
        """Numbers have no classes whose rows could have been counted out, or put in an order."""
        if self.ordinal:
            raise InputError(
                "order= (--order) is for classes, but task='regression'; leave out one"
            )
        if self.design == "classes":
            raise InputError(
                "design='classes' (command line: --fixed-classes) is for classes, but y_true holds "
                "numbers; leave it out, or say task='classification'"
            )


def _bounds(given: Any) -> tuple[float, float]:
    """The least and the largest grade that can be given."""
    try:
        low, high = map(float, given)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not -np.inf < low < high < np.inf:
        raise InputError(
            f"bounds={given!r:.60}: the least and the largest grade that can be given, as (0, 1) "
            "(command line: --bounds 0:1)"
        )
    return low, high
