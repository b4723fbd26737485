"""The records that tables are made of: what a table is about, its splits, the rows of a model."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from heliast._core.errors import InputError
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.records import as_dict, each
from heliast._core.syntax import option
from heliast.tables.about import Task

ScoreKind = Literal["probability", "decision", "votes"]
WeightKind = Literal["frequency", "sampling"]
Design = Literal["rows", "classes", "time"]
Role = Literal["test", "validation", "full", "inner"]


@dataclass(frozen=True)
class Meta:
    """What a table is about, on disk and in memory.

    Parameters
    ----------
    task : {"classification", "regression", "graded"}
        What is predicted; `graded` if rows hold grades of responses.
    classes : tuple
        The labels in order; empty for numbers.
    positive : label, optional
        The positive class of two.
    score_kind : {"probability", "decision", "votes"}, optional
        What the scores are; None where there are none, or models differ.
    score_kinds : mapping
        What they are for each model, where models differ.
    weight_kind : {"frequency", "sampling"}, optional
        Whether weights are counts, or shares of a population.
    design : {"rows", "classes", "time"}
        `classes` if the number of rows per class was fixed beforehand, `time` if rows are a time
        series, whose order `group` holds.
    stages : mapping
        Of models that are further outputs of another's fits: which other.
    ordinal : bool
        Whether the classes are ordinal.
    bounds : tuple of float, optional
        Of grades: the least and the largest possible.
    data_fingerprint, plan_fingerprint : str, optional
        Of the data and the plan of a run.
    seed : int, optional
        The seed of the run.
    versions : mapping
        The versions of what decided its numbers.
    notes : tuple of str
        What was inferred.

    Examples
    --------
    >>> Meta(classes=("no", "yes"), positive="yes").task
    'classification'
    """

    task: Task = "classification"
    classes: tuple[Label, ...] = ()
    positive: Label | None = None
    score_kind: ScoreKind | None = None
    score_kinds: Mapping[str, ScoreKind | None] = field(default_factory=dict)
    weight_kind: WeightKind | None = None
    design: Design = "rows"
    stages: Mapping[str, str] = field(default_factory=dict)
    ordinal: bool = False
    bounds: tuple[float, float] | None = None
    data_fingerprint: str | None = None
    plan_fingerprint: str | None = None
    seed: int | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


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

    @property
    def scanned(self) -> bool:
        """Whether the rows stay on disk, where they are counted and streamed."""
        return False

    @cached_property
    def memo(self) -> dict[Any, Any]:
        """Counts that were made from these rows."""
        return {}

    def chunks(self) -> Iterator["Rows"]:
        """The rows in pieces: here all at once; rows of a scanned table come in several.

        Yields
        ------
        Rows
            Some of the rows.
        """
        yield self

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
        arrays = each(self, "y_true y_pred scores weight group", lambda values: values[keep])
        spent = {name: values[keep] for name, values in self.spent.items()}
        return replace(self, spent=spent, **arrays)


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
    """What the caller declares of a table, checked."""

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
            object.__setattr__(self, "bounds", _check_bounds(self.bounds))
        choices = {
            "missing": ("refuse", "drop"), "task": (None, *get_args(Task)),
            "scores": (None, *get_args(ScoreKind)), "weights": (None, *get_args(WeightKind)),
            "design": get_args(Design),
        }  # fmt: skip
        for name, known in choices.items():
            value = getattr(self, name)
            if value not in known:
                words = ", ".join(repr(word) for word in known if word)
                raise InputError(f"{option(name, value)}: choose one of {words}")

    @classmethod
    def of(cls, order: Sequence[Label] | None = None, **declared: Any) -> "Options":
        """Options where `order` names the classes and says that they are ordinal."""
        if order is None:
            return cls(**declared)
        if declared.get("classes") is not None:
            raise InputError(f"{option('order')} names all classes: leave out {option('classes')}")
        return cls(**{**declared, "classes": order}, ordinal=True)

    @property
    def named_by(self) -> str:
        """The option that names the classes."""
        return "order" if self.ordinal else "classes"

    def refuse_classes(self, task: Task) -> None:
        """Refuse what is declared of classes where there are none."""
        names = [self.named_by] if self.classes is not None else []
        if task == "graded":
            names += [name for name in ("positive", "scores") if getattr(self, name) is not None]
        names += ["design"] if self.design == "classes" else []
        if names and (task == "graded" or self.ordinal or self.design == "classes"):
            values = ["classes"] if names[0] == "design" else []
            raise InputError(
                f"{option(names[0], *values)} is for classes, but the task is {task}: leave it out"
            )


def _check_bounds(bounds: Any) -> tuple[float, float]:
    """The least and the largest grade that can be given."""
    try:
        low, high = map(float, bounds)
    except (TypeError, ValueError):
        low, high = np.nan, np.nan
    if not -np.inf < low < high < np.inf:
        raise InputError(
            f"bounds={bounds!r:.60}: the least and the largest grade that can be given, as (0, 1) "
            "(command line: --bounds 0:1)"
        )
    return low, high
