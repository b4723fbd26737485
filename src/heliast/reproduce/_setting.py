"""What a study may ask for: repetitions, a seed, data by name, and `run` with a store."""

import os
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.data import Dataset, read
from heliast.fitting.run import run
from heliast.predictions import Predictions

T = TypeVar("T")
OPENML = {"letter": "letter", "vowel": "vowel"}
"""The sets that can be fetched, by the names OpenML has for them (first version)."""


@told(
    {
        "repetitions": "int: How often a random experiment is done.",
        "quick": "bool: Whether these are few, not the full number.",
        "seed": "int: Where randomness begins.",
        "folder": "str, optional: Where data lie; HELIAST_DATA if not given.",
        "store": "str, optional: Where finished fits are kept.",
        "fetch": "bool: Whether data that are not in the folder may be downloaded from OpenML.",
        "progress": "bool: Whether runs show how far they are.",
        "jobs": "int, optional: Worker processes.",
        "memo": "dict: What several studies share, made once: see `once`.",
    }
)
@dataclass
class Setting:
    """How a study is to run.

    Examples
    --------
    >>> setting = Setting(seed=7)
    >>> setting.once("answer", lambda: 42), setting.memo
    (42, {'answer': 42})
    """

    repetitions: int = 1
    quick: bool = False
    seed: int = 1
    folder: str | None = None
    store: str | None = None
    fetch: bool = False
    progress: bool = False
    jobs: int | None = None
    memo: dict[Hashable, Any] = field(default_factory=dict)

    @told(
        {"name": "str: `letter` or `vowel`."},
        returns="Dataset: Read once.",
        raises="Where it is not in the folder and may not or cannot be downloaded.",
    )
    def data(self, name: str) -> Dataset:
        """A data set by name, from the folder or, only if asked for, from OpenML."""
        return self.once(("data", name), lambda: self._read(name))

    @told(data, returns="bool: True where it lies in the folder or may be downloaded.")
    def has(self, name: str) -> bool:
        """Whether a data set can be had."""
        return self._path(name) is not None or self.fetch

    def _path(self, name: str) -> Path | None:
        folder = self.folder or os.environ.get("HELIAST_DATA")
        path = Path(folder) / f"{name}.csv" if folder else None
        return path if path is not None and path.is_file() else None

    def _read(self, name: str) -> Dataset:
        path = self._path(name)
        if path is not None:
            ignored = ("split", "speaker", "sex") if name == "vowel" else ()
            return read(str(path), "class", ignore=ignored)
        if self.fetch:
            return _fetched(name)
        raise InputError(
            f"the data set {name!r} is not here; name the folder that holds {name}.csv with "
            f"--data FOLDER or HELIAST_DATA, or let it be downloaded from OpenML with --fetch"
        )

    @told(
        {"key": "hashable: What it is known by.", "make": "callable: Makes it, without arguments."},
        returns="object: The same for every later call with this key.",
    )
    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made when first asked for."""
        if key not in self.memo:
            self.memo[key] = make()
        found: T = self.memo[key]
        return found

    @told(
        {
            "models": "mapping: Models by name.",
            "data": "Dataset: What they are fitted to.",
            "plan": "plan or scikit-learn splitter: How rows are split.",
            "seed": "int: Seed of the run.",
            "in_sample": "bool: Whether rows that a model was trained on are predicted, too.",
        },
        returns="Predictions: The table.",
    )
    def run(
        self,
        models: Mapping[str, Any],
        data: Dataset,
        plan: Any,
        seed: int,
        in_sample: bool = False,
    ) -> Predictions:
        """`hl.run` with the store and the workers of this setting."""
        return run(
            dict(models), data, plan, seed, store=self.store, jobs=self.jobs,
            progress=self.progress, in_sample=in_sample,
        )  # fmt: skip


def _fetched(name: str) -> Dataset:
    """Through scikit-learn, which keeps it in its own cache."""
    from sklearn.datasets import fetch_openml

    if name not in OPENML:
        raise InputError(f"{name!r} cannot be downloaded; those that can: {', '.join(OPENML)}")
    try:
        found = fetch_openml(OPENML[name], version=1, as_frame=False, parser="liac-arff")
    except Exception as error:
        raise InputError(
            f"{name!r} could not be downloaded from OpenML ({error}); try again, or name the "
            f"folder that holds {name}.csv with --data FOLDER or HELIAST_DATA"
        ) from None
    # Vowel comes with the split, the speaker and the sex, which are not inputs.
    inputs = [at for at, word in enumerate(found.feature_names) if name != "vowel" or "F" in word]
    return Dataset.of(found.data[:, inputs].astype(float), found.target, name=name)
