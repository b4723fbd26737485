"""What a run is about beside its cells: all else that its table of predictions needs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import keys_of, with_keys
from heliast._core.told import told
from heliast.fitting.store._format import numbers
from heliast.fitting.store._runs import Run
from heliast.predictions import Split, Splits
from heliast.tables.about import Task

if TYPE_CHECKING:
    from heliast.data import Dataset
    from heliast.plans import FrozenPlan

_META = b"heliast-subject"


@told(Run)
@dataclass(frozen=True, eq=False)
class Subject:
    """The target of the data and the splits of the plan; kept beside the cells of a run.

    Parameters
    ----------
    task : {'classes', 'number'}
        `classes` or `number`.
    classes : tuple of Label
        The classes in order.
    truth : array
        Class codes, or numbers, one a row.
    group : array or None
        Group of each row, if there are groups, or its time.
    splits : Splits
        Splits of the plan.
    notes : tuple of str
        Notes of data and plan.
    design : {'rows', 'time'}
        `time` if rows are in order of time, which `group` tells.
    ordinal : bool
        Whether the classes are in an order.

    Examples
    --------
    >>> from heliast import Holdout, read
    >>> data = read("sklearn:iris")
    >>> Subject.of(data, Holdout().on(data, 1), 1).truth.size
    150
    """

    task: Task
    classes: tuple[Label, ...]
    truth: Array
    group: Array | None
    splits: Splits
    data_fingerprint: str
    plan_fingerprint: str
    seed: int
    versions: Mapping[str, str]
    notes: tuple[str, ...] = ()
    design: Literal["rows", "time"] = "rows"
    ordinal: bool = False

    @classmethod
    @told(Run, returns="Subject: The subject.")
    def of(cls, data: "Dataset", plan: "FrozenPlan", seed: int) -> "Subject":
        """What these data and this plan say.

        Parameters
        ----------
        data : Dataset
            The data.
        plan : FrozenPlan
            The splits of these data.
        """
        in_order = data.ordered or (plan.walks and data.group is None)
        return cls(
            data.task,
            data.classes,
            data.truth,
            data.times if in_order else data.group,
            plan.splits,
            data.fingerprint,
            plan.fingerprint,
            seed,
            versions(),
            (*data.notes, *plan.notes),
            "time" if in_order else "rows",
            data.ordinal,
        )

    @told({}, returns="bytes: The bytes.")
    def to_bytes(self) -> bytes:
        """A Parquet file: target and group as columns, the rest as metadata."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        columns = {"truth": pa.array(self.truth)}
        if self.group is not None:
            columns["group"] = pa.array(self.group)
        said: dict[str, object] = {
            "task": self.task,
            "classes": list(self.classes),
            "splits": self.splits.to_dict(),
            "data_fingerprint": self.data_fingerprint,
            "plan_fingerprint": self.plan_fingerprint,
            "seed": self.seed,
            "versions": dict(self.versions),
            "notes": list(self.notes),
            "note_keys": keys_of(self.notes),
        }
        if self.design != "rows":
            said["design"] = self.design
        if self.ordinal:
            said["ordinal"] = True
        table = pa.table(columns).replace_schema_metadata({_META: json.dumps(said).encode()})
        sink = pa.BufferOutputStream()
        pq.write_table(table, sink, compression="zstd")
        return bytes(sink.getvalue())

    @classmethod
    @told({"content": "bytes: What `to_bytes` wrote."}, returns="Subject: The subject.")
    def of_bytes(cls, content: bytes) -> "Subject":
        """What `to_bytes` wrote; ValueError if these bytes are something else."""
        import pyarrow as pa

        try:
            table = numbers(content)
            said = json.loads(table.schema.metadata[_META])
            splits = Splits(tuple(Split(**record) for record in said.pop("splits")))
            classes = tuple(said.pop("classes"))
            notes = with_keys(said.pop("notes"), said.pop("note_keys", {}))
            group = table["group"].to_numpy() if "group" in table.column_names else None
            truth = table["truth"].to_numpy()
            if said["task"] == "classes" and not _are_codes(truth, len(classes)):
                raise ValueError("it names classes that it does not have")
            if "design" in said and (said["design"] != "time" or group is None):
                raise ValueError("it does not say when its rows were")
            return cls(
                truth=truth, group=group, splits=splits, classes=classes, notes=notes, **said
            )
        except (pa.ArrowException, OSError, KeyError, TypeError, RecursionError) as error:
            raise ValueError(str(error)) from None


def _are_codes(truth: Array, classes: int) -> bool:
    if truth.dtype.kind not in "iu":
        return False
    return not truth.size or bool(truth.min() >= 0 and truth.max() < classes)


@cache
def versions() -> dict[str, str]:
    """The versions of what decides the numbers."""
    import platform
    from importlib.metadata import version

    found = {name: version(name) for name in ("heliast", "numpy", "scikit-learn")}
    return {"python": platform.python_version(), **found}
