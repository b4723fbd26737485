"""Dataset: a table of inputs with one target, ready to be split and fitted."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.labels import Label

Array = npt.NDArray[Any]
Task = Literal["classes", "number"]


@dataclass(frozen=True, eq=False)
class Input:
    """One input column: numbers (NaN = missing), or codes into `categories` (-1 = missing)."""

    name: str
    values: Array
    categories: tuple[str, ...] | None = None

    @property
    def nominal(self) -> bool:
        return self.categories is not None

    @property
    def missing(self) -> int:
        """How many values are missing."""
        gone = self.values < 0 if self.nominal else np.isnan(self.values)
        return int(gone.sum())


@dataclass(frozen=True, eq=False)
class Dataset:
    """Inputs and target of n rows. `truth` holds codes into `classes`, or numbers.

    `frame` is the user's own data frame of inputs, if there was one: models get its rows.
    `bayes` gives the true posteriors of rows when the task was simulated.

    >>> data = Dataset.of([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])
    >>> data.n, data.classes
    (2, ('a', 'b'))
    """

    inputs: tuple[Input, ...]
    truth: Array
    task: Task
    classes: tuple[Label, ...] = ()
    target: str = "target"
    name: str = "data"
    group: Array | None = None
    frame: Any = None
    posteriors: Array | None = None
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def of(
        cls,
        X: object,
        y: object,
        *,
        task: Task | None = None,
        names: Sequence[str] | None = None,
        target: str | None = None,
        group: object = None,
        name: str = "data",
    ) -> "Dataset":
        """From arrays or a data frame (pandas, polars, pyarrow) and the target."""
        from heliast.data._of import build

        return build(cls, X, y, task=task, names=names, target=target, group=group, name=name)

    @property
    def n(self) -> int:
        return int(self.truth.size)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(one.name for one in self.inputs)

    @property
    def nominal(self) -> tuple[int, ...]:
        """Positions of the nominal inputs."""
        return tuple(at for at, one in enumerate(self.inputs) if one.nominal)

    @property
    def has_missing(self) -> bool:
        return any(one.missing for one in self.inputs)

    @cached_property
    def matrix(self) -> npt.NDArray[np.float64]:
        """All inputs as float64, nominal ones as their codes; NaN where missing."""
        columns = np.empty((self.n, len(self.inputs)))
        for at, one in enumerate(self.inputs):
            columns[:, at] = one.values
            if one.nominal:
                columns[one.values < 0, at] = np.nan
        return columns

    @cached_property
    def y(self) -> Array:
        """The target as scikit-learn takes it: class labels, or numbers."""
        if self.task == "number":
            return self.truth
        return np.array(self.classes)[self.truth]

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that can change a result: inputs, target, names and classes."""
        digest = hashlib.sha256()
        digest.update(repr((self.task, self.classes, self.target)).encode())
        for one in self.inputs:
            digest.update(repr((one.name, one.categories)).encode())
            digest.update(np.ascontiguousarray(one.values).tobytes())
        digest.update(np.ascontiguousarray(self.truth).tobytes())
        if self.group is not None:
            digest.update(np.ascontiguousarray(self.group).tobytes())
        return digest.hexdigest()[:16]

    def __repr__(self) -> str:
        what = f"{len(self.classes)} classes" if self.task == "classes" else "a number"
        kinds = f"{len(self.inputs) - len(self.nominal)} numeric, {len(self.nominal)} nominal"
        about = f"{self.n} rows, {kinds} inputs, target {self.target!r}: {what}"
        return f"<Dataset {self.name!r}: {about}>"
