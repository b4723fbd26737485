"""Dataset: a table of inputs with one target, ready to be split and fitted."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from heliast._core.errors import InputError
from heliast._core.frames import in_library
from heliast._core.kinds import Array, ArrayLike
from heliast._core.labels import Label
from heliast._core.records import each
from heliast.tables.about import TargetBy, Task


@dataclass(frozen=True, eq=False)
class Input:
    """One input column: numbers or dates (NaN = missing), or codes into `categories` (-1).

    Parameters
    ----------
    name : str
        What the column is called.
    values : array
        float64 numbers, or int32 codes.
    categories : tuple of str, optional
        What the codes stand for; None for numbers.
    date : bool
        Whether the numbers are dates: seconds since 1970.

    Examples
    --------
    >>> Input("size", np.array([1.0, np.nan])).missing
    1
    """

    name: str
    values: Array
    categories: tuple[str, ...] | None = None
    date: bool = False

    @property
    def nominal(self) -> bool:
        """Whether it holds categories."""
        return self.categories is not None

    @property
    def missing(self) -> int:
        """How many values are missing."""
        return int(self._gone.sum())

    @property
    def _gone(self) -> Array:
        gone: Array = self.values < 0 if self.nominal else np.isnan(self.values)
        return gone

    def to_arrow(self) -> Any:
        """The column as an Arrow array, text as a dictionary, dates as such, null where missing.

        Returns
        -------
        pyarrow.Array
            One value a row.
        """
        import pyarrow as pa

        if self.date:
            stamps = np.rint(1e6 * np.nan_to_num(self.values)).astype(np.int64)
            return pa.array(stamps, mask=self._gone).cast(pa.timestamp("us"))
        if self.categories is None:
            return pa.array(self.values, mask=self._gone)
        codes = pa.array(self.values.astype(np.int32), mask=self._gone)
        return pa.DictionaryArray.from_arrays(codes, pa.array(self.categories, pa.string()))


@dataclass(frozen=True, eq=False)
class Dataset:
    """Inputs and target of n rows. Made by `heliast.read`, `Dataset.of` or a simulated task.

    Parameters
    ----------
    inputs : tuple of Input
        The columns that models learn from.
    y_true : array
        Codes into `classes`, or numbers.
    task : {"classification", "regression"}
        What the target holds.
    classes : tuple
        The labels in order; empty for numbers.
    target, name : str
        What the target and the data are called.
    group : array, optional
        Codes of rows that belong together.
    ordered : bool
        Whether rows are in order of time; `group` then tells when each was.
    weight : array, optional
        The weight of each row, which models are fitted with.
    frame : data frame, optional
        The user's own frame of inputs, if there was one: models get its rows.
    posteriors : array, optional
        The true posteriors (a column a class) where rows were drawn from known densities.
    simulated : Task, optional
        The simulated task that they were drawn from.
    notes : tuple of str
        What was guessed or left out.
    target_by : {"told", "name", "nominal", "last"}
        How the target was feature: as told, by its name, as the last nominal attribute, or as the
        last column.
    left_out : mapping
        The columns that no model gets, each with the reason.
    ordinal : bool
        Whether the classes are in an order.

    Examples
    --------
    >>> data = Dataset.of([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])
    >>> data.n, data.classes
    (2, ('a', 'b'))
    """

    inputs: tuple[Input, ...]
    y_true: Array
    task: Task
    classes: tuple[Label, ...] = ()
    target: str = "target"
    name: str = "data"
    group: Array | None = None
    frame: Any = None
    posteriors: Array | None = None
    simulated: Any = None
    notes: tuple[str, ...] = ()
    target_by: TargetBy = "told"
    left_out: Mapping[str, str] = field(default_factory=dict)
    ordered: bool = False
    weight: Array | None = None
    ordinal: bool = False

    @classmethod
    def of(
        cls,
        X: object,
        y: object,
        *,
        task: Task | None = None,
        order: Sequence[Label] | None = None,
        names: Sequence[str] | None = None,
        target: str | None = None,
        group: ArrayLike | None = None,
        time: ArrayLike | None = None,
        weight: ArrayLike | None = None,
        name: str = "data",
        nominal: str | Sequence[str] = (),
        numeric: str | Sequence[str] = (),
        missing: Literal["refuse", "drop"] = "refuse",
    ) -> "Dataset":
        """From arrays or a data frame (pandas, polars, pyarrow) and the target.

        Parameters
        ----------
        X : 2-D array-like or data frame
            The inputs.
        y : array-like or str
            The target, one value a row; of a data frame also the name of its column.
        task : {"classification", "regression"}, optional
            What the target holds; else its values decide.
        order : sequence, optional
            All classes from least to most, of a target whose classes are in an order.
        names : sequence of str, optional
            What the columns of an array are called; else x0, x1, ...
        target : str, optional
            What the target is called.
        group, time, weight, name, nominal, numeric, missing
            As in `heliast.read`.

        Returns
        -------
        Dataset
            Inputs and target, checked.

        Raises
        ------
        InputError
            If inputs and target do not fit together, or cannot be learnt from.

        Examples
        --------
        >>> Dataset.of([[1.0, "x"], [3.0, "y"]], [0, 1], names=["size", "kind"])
        <Dataset 'data': 2 rows, 1 numeric, 1 nominal inputs, target 'target': 2 classes>
        """
        from heliast.data._make import make, table_of, truth_of
        from heliast.tables.table import refuse_other_index

        refuse_other_index({"X": X, "y": y, "group": group, "time": time, "weight": weight})
        table = table_of(X, names)
        column, truth = truth_of(y, table, target)
        return make(
            table, target=column, truth=truth, task=task, order=order, group=group, time=time,
            weight=weight, name=name, nominal=nominal, numeric=numeric, missing=missing,
            ids=table.frame is not None,
        )  # fmt: skip

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.y_true.size)

    @property
    def times(self) -> Array:
        """When each row was, as places in the order of time; as rows stand if it is not told."""
        if not self.ordered:
            return np.arange(self.n)
        return np.unique(np.asarray(self.group), return_inverse=True)[1]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs."""
        return tuple(feature.name for feature in self.inputs)

    @property
    def nominal(self) -> tuple[int, ...]:
        """Positions of the nominal inputs."""
        return tuple(at for at, feature in enumerate(self.inputs) if feature.nominal)

    @property
    def dates(self) -> tuple[int, ...]:
        """Positions of the inputs that are dates."""
        return tuple(at for at, feature in enumerate(self.inputs) if feature.date)

    @cached_property
    def has_missing(self) -> bool:
        """Whether any input lacks a value."""
        return any(feature.missing for feature in self.inputs)

    @cached_property
    def matrix(self) -> npt.NDArray[np.float64]:
        """All inputs as float64, nominal ones as codes, dates as seconds; NaN where missing."""
        columns = np.empty((self.n, len(self.inputs)))
        for at, feature in enumerate(self.inputs):
            columns[:, at] = feature.values
            if feature.nominal:
                columns[feature.values < 0, at] = np.nan
        return columns

    @cached_property
    def y(self) -> Array:
        """The target as scikit-learn takes it: class labels, or numbers."""
        if self.task == "regression":
            return self.y_true
        return self.labels[self.y_true]

    @cached_property
    def labels(self) -> Array:
        """The classes as an array, in order."""
        return np.array(self.classes)

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that can change a result: inputs, target, names and classes.

        The same content gives the same hash, whichever file or data frame it came from.
        """
        digest = hashlib.sha256()
        digest.update(repr((self.task, self.classes, self.target, self.n)).encode())
        for feature in self.inputs:
            kind = "date" if feature.date else feature.categories
            digest.update(repr((feature.name, kind)).encode())
            digest.update(_bytes(feature.values, "<i4" if feature.nominal else "<f8"))
        digest.update(_bytes(self.y_true, "<i8" if self.task == "classification" else "<f8"))
        if self.group is not None:
            digest.update((b"time" if self.ordered else b"") + _bytes(self.group, "<i8"))
        if self.weight is not None:
            digest.update(b"weight" + _bytes(self.weight, "<f8"))
        if self.ordinal:
            digest.update(b"ordinal")
        return digest.hexdigest()[:16]

    def rows(self, positions: ArrayLike) -> Any:
        """What a model's fit or predict receives: rows of the user's frame, else of the matrix.

        Parameters
        ----------
        positions : array-like
            Which rows: whole numbers from 0, or a mask.

        Returns
        -------
        array or data frame
            These rows, in the order asked for.

        Raises
        ------
        InputError
            If there are no such rows.

        Examples
        --------
        >>> Dataset.of([[1.0, 2.0], [3.0, 4.0]], ["a", "b"]).rows([1])
        array([[3., 4.]])
        """
        at = _positions(positions, self.n)
        if self.frame is None:
            return self.matrix.take(at, axis=0)
        import narwhals as nw

        return nw.from_native(self.frame, eager_only=True)[at].to_native()

    def subset(self, positions: ArrayLike) -> "Dataset":
        """The data on some rows, in the given order; classes and categories stay as they are.

        Parameters
        ----------
        positions : array-like
            Which rows: whole numbers from 0, or a mask.

        Returns
        -------
        Dataset
            The smaller data.

        Raises
        ------
        InputError
            If there are no such rows.

        Examples
        --------
        >>> Dataset.of([[1.0], [3.0], [5.0]], ["a", "b", "b"]).subset([2, 0]).y.tolist()
        ['b', 'a']
        """
        at = _positions(positions, self.n)
        return replace(
            self,
            inputs=tuple(replace(feature, values=feature.values[at]) for feature in self.inputs),
            frame=None if self.frame is None else self.rows(at),
            **each(self, "y_true group weight posteriors", lambda values: values[at]),
        )

    def column(self, name: str) -> Array:
        """The values of one input.

        Parameters
        ----------
        name : str
            Which.

        Returns
        -------
        array
            Numbers, NaN where missing (dates in seconds since 1970); or text, None where missing.

        Raises
        ------
        InputError
            If there is no such input.

        Examples
        --------
        >>> Dataset.of([[1.0, "x"], [3.0, "y"]], [0, 1], names=["size", "kind"]).column("kind")
        array(['x', 'y'], dtype=object)
        """
        feature = next((each for each in self.inputs if each.name == name), None)
        if feature is None:
            shown = ", ".join(map(repr, self.names[:12]))
            raise InputError(f"no input named {name!r}; there are {shown}")
        if feature.categories is None:
            return feature.values
        return np.array([*feature.categories, None], dtype=object)[feature.values]

    def to_frame(self, backend: str = "pyarrow") -> Any:
        """Inputs, target and group as a table; reading it back gives the same data.

        Parameters
        ----------
        backend : {"pyarrow", "pandas", "polars"}
            The library whose table is wanted.

        Returns
        -------
        data frame
            A table of that library.

        Raises
        ------
        InputError
            If an input is named like the target, or the library is another.

        Examples
        --------
        >>> Dataset.of([[1.0], [3.0]], ["a", "b"]).to_frame().column_names
        ['x0', 'target']
        """
        import pyarrow as pa

        columns = {feature.name: feature.to_arrow() for feature in self.inputs}
        if self.target in columns:
            raise InputError(f"an input and the target are both named {self.target!r}; rename one")
        columns[self.target] = pa.array(self.y.tolist())
        if self.group is not None:
            name = "time" if self.ordered else "group"
            columns[name if name not in columns else f"{name}_"] = pa.array(self.group)
        if self.weight is not None:
            columns["weight" if "weight" not in columns else "weight_"] = pa.array(self.weight)
        return in_library(pa.table(columns), backend)

    def __repr__(self) -> str:
        what = f"{len(self.classes)} classes" if self.task == "classification" else "a number"
        dates, nominal = len(self.dates), len(self.nominal)
        kinds = f"{len(self.inputs) - nominal - dates} numeric, {nominal} nominal"
        kinds += f", {dates} date" if dates else ""
        about = f"{self.n} rows, {kinds} inputs, target {self.target!r}: {what}"
        return f"<Dataset {self.name!r}: {about}>"


def _bytes(values: Array, kind: str) -> bytes:
    """Values as bytes that are the same on every machine: one NaN, one zero."""
    held = np.ascontiguousarray(values, dtype=kind)
    if held.dtype.kind == "f":
        held = held + 0.0  # -0.0 becomes 0.0
        held[np.isnan(held)] = np.nan
    return held.tobytes()


def _positions(positions: object, n: int) -> npt.NDArray[np.int64]:
    at = np.asarray(positions)
    if at.ndim == 1 and at.dtype.kind == "b" and at.size == n:
        return np.flatnonzero(at)
    if at.ndim != 1 or (at.size and at.dtype.kind not in "iu"):
        raise InputError(f"positions: expected whole numbers from 0 to {n - 1}, got {positions!r}")
    if at.size and (at.min() < 0 or at.max() >= n):
        raise InputError(
            f"positions reach from {at.min()} to {at.max()}; there are rows 0 to {n - 1}"
        )
    return at.astype(np.int64, copy=False)
