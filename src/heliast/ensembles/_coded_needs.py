"""What decoders need of the training rows: centres, class shares in leaves, a penalty."""

from typing import Any

import numpy.typing as npt

from heliast import decoders
from heliast._core.errors import InputError
from heliast.ensembles._coded_columns import Columns
from heliast.ensembles._coded_settings import RULES, USUAL, Settings

Array = npt.NDArray[Any]


class Needs:
    """Each is computed when first asked for, from a copy of the rows that is not stored.

    `honest` (n, B) are answers of columns that did not see the row (NaN where there are none).
    """

    def __init__(
        self, settings: Settings, columns: Columns, code: Array, X: Any, truth: Array, honest: Any
    ) -> None:
        self.settings, self.columns, self.code = settings, columns, code
        self.X, self.truth, self.honest = X.copy(), truth, honest
        self.k = code.shape[0]
        self._centroids: Array | None = None
        self._shares: list[Array] | None = None
        self._penalties: dict[int, decoders.Penalty] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "X": None}

    def prepare(self, decoder: str) -> None:
        """Compute what this decoder needs."""
        need = decoders.find(decoder).needs
        if need == "centroids":
            self.centroids()
        elif need == "leaves":
            self.shares()
        elif need == "lam":
            self.lam(len(self.columns))

    def has(self, decoder: str) -> bool:
        """Whether what this decoder needs is there, or can be computed."""
        need = decoders.find(decoder).needs
        if need == "centroids":
            return self.X is not None or self._centroids is not None
        if need == "leaves":
            there = self.X is not None or self._shares is not None
            return there and self.settings.has_leaves
        return need is None or self.settings.lam not in RULES or self._full()

    def centroids(self) -> Array:
        """(k, B): the mean or median answers of the rows of each class."""
        if self._centroids is None:
            p = self.honest if self.settings.honest else None
            if p is None:
                p = self.columns.answers(self._rows("centroid"))
            self._centroids = decoders.centroids_of(p, self.truth, self.k, self.settings.centre)
        return self._centroids

    def shares(self) -> list[Array]:
        """For each column (leaves, k): the class shares of the rows in its leaves."""
        if self._shares is None:
            self.settings.needs_leaves()
            self._shares = self.columns.shares(self._rows("substitution"), self.truth, self.k)
        return self._shares

    def lam(self, columns: int) -> float:
        """The penalty for so many columns: given, or chosen by the rule, once."""
        given = self.settings.lam
        if given == USUAL:
            return float(2 * self.k)
        return float(self.penalty(columns).lam if given in RULES else given)

    def penalty(self, columns: int) -> decoders.Penalty:
        """What the rule chooses for so many columns."""
        rule: Any = self.settings.lam
        if not self._full():
            raise InputError(
                f"decoder='ridge', lam={rule!r} needs honest answers: fit with "
                "decoder='ridge' or honest='folds', or give lam a number"
            )
        if columns not in self._penalties:
            self._penalties[columns] = decoders.choose_lam(
                self.honest[:, :columns], self.truth, self.code[:, :columns], rule
            )
        return self._penalties[columns]

    def _full(self) -> bool:
        """Whether there are honest answers without gaps."""
        return self.honest is not None and self.settings.honest != "out_of_bag"

    def _rows(self, decoder: str) -> Any:
        if self.X is None:
            raise InputError(
                f"decoder={decoder!r}: the training rows were not stored with this model; fit it "
                f"with decoder={decoder!r}, or call prepare({decoder!r}) before storing it"
            )
        return self.X
