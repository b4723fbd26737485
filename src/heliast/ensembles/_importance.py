"""How much each input matters to a bag: the error that out-of-bag votes gain without it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from heliast._core.errors import InputError
from heliast._core.frames import Listing
from heliast._core.kinds import Array
from heliast._core.level import check_level, quantile
from heliast._core.records import Shown
from heliast._core.told import told


@dataclass(frozen=True)
class Importance(Shown):
    """One input: how much the error rises when its values are exchanged between rows.

    Parameters
    ----------
    input : str
        Its name, or x0, x1, ... where inputs have none.
    value : float
        The mean rise of the error (of numbers, of the squared error) on rows left out.
    low, high : float
        The ends of its interval.
    se : float
        Its standard error.
    level : float
        The confidence level of the interval, of each input by itself.
    n : int
        Rows that some member left out.

    Examples
    --------
    >>> Importance("width", 0.2, 0.15, 0.25).input
    'width'
    """

    input: str
    value: float
    low: float
    high: float
    se: float = float("nan")
    level: float = 0.95
    n: int = 0


@told({"inputs": "tuple of Importance: One an input."})
@dataclass(frozen=True, eq=False)
class Importances(Listing[Importance]):
    """The importance of every input, in the order of the inputs; `most_first` sorts them.

    Examples
    --------
    >>> found = Importances((Importance("a", 0.0, -0.1, 0.1), Importance("b", 0.2, 0.1, 0.3)))
    >>> found["b"].value, [one.input for one in found.most_first]
    (0.2, ['b', 'a'])
    """

    _listed: ClassVar[str] = "inputs"
    inputs: tuple[Importance, ...]

    def __getitem__(self, name: str) -> Importance:
        for one in self.inputs:
            if one.input == name:
                return one
        raise KeyError(f"no input {name!r}; there are: {', '.join(x.input for x in self.inputs)}")

    @property
    def most_first(self) -> tuple[Importance, ...]:
        """The same, the most important first."""
        return tuple(sorted(self.inputs, key=lambda one: -one.value))

    @told(returns="dict: The records, under `inputs`.")
    def to_dict(self) -> dict[str, object]:
        """Everything as plain values."""
        return {"inputs": [one.to_dict() for one in self.inputs]}

    def __repr__(self) -> str:
        few = (f"{one.input} {one.value:.3g} [{one.low:.3g}, {one.high:.3g}]"
               for one in self.most_first[:4])  # fmt: skip
        return f"<Importances of {len(self.inputs)} inputs: {', '.join(few)}>"


def importances(
    losses: Callable[[Any], Array],
    X: Any,
    names: list[str],
    weight: Array | None,
    *,
    repeats: int,
    level: float,
    rng: np.random.Generator,
) -> Importances:
    """From the losses of rows out of bag (NaN where there are none) to the importance of inputs.

    The value is a mean over pairs: a row, and the donor whose value it gets. Both are drawn anew in
    another sample, so both count: with main effects a of rows and b of donors the variance is
    (var a + var b)/n, and the noise that is left shrinks with the repeats. Means over repeats have
    a little of that noise, so that the interval is rather too wide.
    """
    if not isinstance(repeats, (int, np.integer)) or repeats < 1:
        raise InputError(f"repeats={repeats!r}: give a whole number of at least 1")
    check_level(level)
    before = losses(X)
    n = before.size
    mass = np.ones(n) if weight is None else weight
    mass = np.where(np.isfinite(before), mass, 0.0)
    there = int(np.count_nonzero(mass))
    if there < 2:
        raise InputError("no two rows were left out by a member: grow more members, or draw fewer")
    share = mass / mass.sum()
    orders = [rng.permutation(n) for _ in range(repeats)]  # the same for every input

    def one(at: int) -> Importance:
        by_row, by_donor = np.zeros(n), np.zeros(n)
        for order in orders:
            rise = np.where(mass > 0, losses(_exchanged(X, at, order)) - before, 0.0)
            by_row += rise / repeats
            by_donor[order] += share * rise * n / repeats
        value = float(share @ by_row)
        of_rows = float((share**2) @ np.where(mass > 0, by_row - value, 0.0) ** 2)
        of_donors = float(np.mean((by_donor - value) ** 2)) / n
        se = float(np.sqrt((of_rows + of_donors) * there / (there - 1)))
        half = quantile(level, there - 1) * se
        return Importance(names[at], value, value - half, value + half, se, level, there)

    return Importances(tuple(one(at) for at in range(X.shape[1])))


def _exchanged(X: Any, at: int, order: Array) -> Any:
    """The inputs with the values of one of them given by other rows."""
    if sparse.issparse(X):
        columns = [X[:, :at], X[order][:, [at]], X[:, at + 1 :]]
        return sparse.hstack(columns, format="csr")
    found = X.copy()
    found[:, at] = X[order, at]
    return found
