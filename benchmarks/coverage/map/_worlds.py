"""The worlds of the map: rows drawn by law, in two families.

Methods may have been tuned on the first family (normal inputs and errors). The second (heavy tails,
mixtures, noisy labels, noise that depends on the inputs) was kept away from every choice.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit, ndtr, softmax

Array = npt.NDArray[Any]
Rng = np.random.Generator
INPUTS = 4
GAP = 2.0
KEPT = 0.85
"""The share of labels that are kept where labels are noisy."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows: inputs, class codes or numbers, and the group and weight of each, if any."""

    X: Array
    y: Array
    group: Array | None = None
    weight: Array | None = None


@dataclass(frozen=True)
class World:
    """A law of rows. `k` is the number of classes (0: numbers), `share` that of the rarest.

    `draw` takes a number of rows, a generator and a shift of each row's inputs (or None), which
    rows of one group share. `rule` gives probabilities (or numbers) without any training. `fresh`
    draws rows as the target has them, where that is another law: one row a group, no weights.
    `ordinal` says that the classes are in an order.
    """

    name: str
    family: int
    k: int
    share: float
    draw: Callable[[int, Rng, Array | None], Sample]
    rule: Callable[[Array], Array]
    dressing: str = ""
    fresh: Callable[[int, Rng], Sample] | None = None
    ordinal: bool = False

    def population(self, n: int, rng: Rng) -> Sample:
        return self.draw(n, rng, None) if self.fresh is None else self.fresh(n, rng)

    @property
    def cut(self) -> float:
        """Labels are positive above this probability: rare classes are wanted more."""
        return float(expit(0.5 * logit(self.share)))


# --- two classes ---------------------------------------------------------------------------------


def _rule(share: float, gap: float) -> Callable[[Array], Array]:
    """The posteriors of two normal classes `gap` apart in the first input."""

    def rule(X: Array) -> Array:
        p = expit(logit(share) + gap * X[:, 0] - gap**2 / 2)
        return np.column_stack([1 - p, p])

    return rule


def normal(share: float, gap: float = GAP, name: str = "normal") -> World:
    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        y = (rng.random(n) < share).astype(np.int64)
        return Sample(_placed(rng.standard_normal((n, INPUTS)), gap * y, shift), y)

    return World(f"{name} {share:.0%}", 1, 2, min(share, 1 - share), draw, _rule(share, gap))


def heavy(share: float) -> World:
    """Student's t with 3 degrees instead of the normal."""

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        y = (rng.random(n) < share).astype(np.int64)
        return Sample(_placed(rng.standard_t(3, (n, INPUTS)), GAP * y, shift), y)

    return World(f"heavy tails {share:.0%}", 2, 2, share, draw, _rule(share, GAP))


def mixture(share: float) -> World:
    """A third of the positives hide among the negatives; some negatives lie beyond them."""

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        y = (rng.random(n) < share).astype(np.int64)
        odd = rng.random(n)
        place = np.where(y == 1, np.where(odd < 1 / 3, 0.3, 2.8), np.where(odd < 0.04, 4.0, 0.0))
        X = _placed(rng.standard_normal((n, INPUTS)), place, shift)
        X[:, 1] += 1.5 * (y == 1) * (odd < 1 / 3)
        return Sample(X, y)

    return World(f"mixture {share:.0%}", 2, 2, share, draw, _rule(share, GAP))


def noisy(share: float) -> World:
    """One label in seven is drawn anew."""

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        true = rng.random(n) < share
        y = np.where(rng.random(n) < KEPT, true, rng.random(n) < share).astype(np.int64)
        return Sample(_placed(rng.standard_normal((n, INPUTS)), 2.5 * true, shift), y)

    return World(f"noisy labels {share:.0%}", 2, 2, share, draw, _rule(share, 2.5))


def uneven(share: float) -> World:
    """How sure the class is depends on the second input."""

    def odds(X: Array, start: float) -> Array:
        return start + np.where(X[:, 1] > 0, 3.0, 0.4) * X[:, 0]

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        X = _placed(rng.standard_normal((n, INPUTS)), np.zeros(n), shift)
        return Sample(X, (rng.random(n) < expit(odds(X, _start(share)))).astype(np.int64))

    def rule(X: Array) -> Array:
        p = expit(_start(share) + 1.5 * X[:, 0])
        return np.column_stack([1 - p, p])

    return World(f"uneven noise {share:.0%}", 2, 2, share, draw, rule)


@cache
def _start(share: float) -> float:
    """The log odds at the centre that give the share of positives, by bisection."""
    X = np.random.default_rng(7).standard_normal((200_000, 2))
    low, high = -15.0, 15.0
    for _ in range(40):
        middle = (low + high) / 2
        p = expit(middle + np.where(X[:, 1] > 0, 3.0, 0.4) * X[:, 0]).mean()
        low, high = (middle, high) if p < share else (low, middle)
    return low


def _placed(X: Array, place: Array, shift: Array | None) -> Array:
    X[:, 0] += place
    return X if shift is None else X + shift


# --- more classes, numbers -----------------------------------------------------------------------


def classes(shares: tuple[float, ...], tails: bool) -> World:
    """Classes around centres; with `tails` inputs are Student's and a tenth of labels noise."""
    k, p = len(shares), np.array(shares)
    centre = (0.9 if k < 5 else 2.0) * np.random.default_rng(k).standard_normal((k, INPUTS))

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        true = rng.choice(k, n, p=p)
        noise = rng.standard_t(3, (n, INPUTS)) if tails else rng.standard_normal((n, INPUTS))
        y = np.where(rng.random(n) < 0.9, true, rng.choice(k, n, p=p)) if tails else true
        return Sample(_placed(centre[true] + noise, np.zeros(n), shift), y)

    def rule(X: Array) -> Array:
        away = ((X[:, None, :] - centre) ** 2).sum(axis=2)
        return np.asarray(softmax(np.log(p) - 0.5 * away, axis=1))

    name = f"{k} classes{', heavy tails' if tails else ''}"
    return World(name, 2 if tails else 1, k, float(p.min()), draw, rule)


def grades(tails: bool) -> World:
    """Four classes in an order, cut from a number; with `tails` its errors are Student's t."""
    cuts = np.array([-1.0, 0.3, 1.5])

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        X = rng.standard_normal((n, INPUTS))
        noise = 0.6 * rng.standard_t(3, n) if tails else 0.8 * rng.standard_normal(n)
        moved = 0.0 if shift is None else shift[:, 0]
        return Sample(X, np.searchsorted(cuts, X[:, 0] + noise + moved).astype(np.int64))

    def rule(X: Array) -> Array:
        below = ndtr((cuts - 0.9 * X[:, :1]) / 0.8)
        return np.diff(below, axis=1, prepend=0.0, append=1.0)

    name = f"4 classes in an order{', heavy tails' if tails else ''}"
    return World(name, 2 if tails else 1, 4, 0.12, draw, rule, ordinal=True)


def numbers(name: str, family: int, error: Callable[[Array, Rng], Array]) -> World:
    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        X = rng.standard_normal((n, INPUTS))
        y = X[:, 0] + 0.5 * np.sin(2 * X[:, 1]) + error(X, rng)
        return Sample(X, y if shift is None else y + shift[:, 0])

    return World(f"numbers, {name}", family, 0, 1.0, draw, lambda X: 0.9 * X[:, 0])


def _uneven_errors(X: Array, rng: Rng) -> Array:
    return (0.2 + 0.6 * np.abs(X[:, 0])) * rng.standard_normal(len(X))


def _contaminated(X: Array, rng: Rng) -> Array:
    n = len(X)
    return rng.standard_normal(n) * np.where(rng.random(n) < 0.05, 4.0, 0.5)


SHARES = (0.5, 0.2, 0.05, 0.01)
TWO = {
    1: tuple(normal(share) for share in SHARES),
    2: tuple(make(share) for share in SHARES for make in (heavy, mixture, noisy, uneven)),
}
NEAR = tuple(normal(share, 4.5, "near separable") for share in (0.5, 0.2, 0.05))
MORE = (
    classes((0.6, 0.3, 0.1), False), classes((0.1,) * 10, False),
    classes((0.5, 0.35, 0.15), True), classes((0.1,) * 10, True),
)  # fmt: skip
ORDERED = (grades(False), grades(True))
NUMBERS = (
    numbers("normal errors", 1, lambda X, rng: 0.7 * rng.standard_normal(len(X))),
    numbers("heavy tails", 1, lambda X, rng: 0.5 * rng.standard_t(3, len(X))),
    numbers("uneven errors", 1, _uneven_errors),
    numbers("skewed errors", 2, lambda X, rng: 0.4 * (rng.lognormal(0, 1, len(X)) - np.exp(0.5))),
    numbers("contaminated", 2, _contaminated),
)  # fmt: skip


# --- groups and weights --------------------------------------------------------------------------

SPREAD = 0.6
"""The standard deviation of what rows of a group share, in inputs (or in the number itself)."""


def dressed(world: World, dressing: str) -> World:
    """The same world with rows in groups, or with weights."""
    if not dressing:
        return world
    draw = _DRESSED[dressing](world)
    if dressing == "frequency weights":
        return replace(world, draw=draw, dressing=dressing)

    def fresh(n: int, rng: Rng) -> Sample:
        alone = SPREAD * rng.standard_normal((n, INPUTS)) if "group" in dressing else None
        return world.draw(n, rng, alone)

    return replace(world, draw=draw, dressing=dressing, fresh=fresh)


def grouped(sizes: Callable[[int, Rng], Array]) -> Callable[[World], Any]:
    def dress(world: World) -> Any:
        def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
            size = sizes(n, rng)
            group = np.repeat(np.arange(size.size), size)[:n]
            common = SPREAD * rng.standard_normal((size.size, INPUTS))
            return replace(world.draw(n, rng, common[group]), group=group)

        return draw

    return dress


def _equal(count: int) -> Callable[[int, Rng], Array]:
    return lambda n, rng: np.full(count, -(-n // count))


def _unequal(count: int) -> Callable[[int, Rng], Array]:
    def sizes(n: int, rng: Rng) -> Array:
        size = rng.lognormal(0, 1, count)
        size = np.maximum(1, np.floor(n * size / size.sum())).astype(np.int64)
        size[size.argmax()] += max(0, n - size.sum())
        return size

    return sizes


def _sampled(world: World) -> Any:
    """Rows are found more often where the first input is large; weights say so."""

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        parts: list[Sample] = []
        while sum(part.y.size for part in parts) < n:
            one = world.draw(3 * n, rng, None)
            chance = 0.2 + 0.8 * expit(2 * one.X[:, 0])
            here = rng.random(3 * n) < chance
            parts.append(Sample(one.X[here], one.y[here], weight=1 / chance[here]))
        X, y = (np.concatenate([getattr(part, name) for part in parts])[:n] for name in "Xy")
        weight = np.concatenate([part.weight for part in parts if part.weight is not None])[:n]
        return Sample(X, y, weight=weight)

    return draw


def _counted(world: World) -> Any:
    """Equal rows are one row with a count; inputs are coarse, so that there are such."""

    def draw(n: int, rng: Rng, shift: Array | None = None) -> Sample:
        one = world.draw(n, rng, None)
        X = np.zeros_like(one.X)
        X[:, 0] = np.round(2 * one.X[:, 0]) / 2
        X[:, 1] = one.X[:, 1] > 0
        rows = np.column_stack([X, one.y if world.k else np.round(2 * one.y) / 2])
        kept, count = np.unique(rows, axis=0, return_counts=True)
        order = rng.permutation(len(kept))
        X, y = kept[order, :-1], kept[order, -1]
        return Sample(X, y.astype(one.y.dtype), weight=count[order].astype(np.float64))

    return draw


_DRESSED: dict[str, Callable[[World], Any]] = {
    "40 equal groups": grouped(_equal(40)),
    "40 unequal groups": grouped(_unequal(40)),
    "8 groups": grouped(_equal(8)),
    "12 unequal groups": grouped(_unequal(12)),
    "sampling weights": _sampled,
    "frequency weights": _counted,
}
DRESSINGS = tuple(_DRESSED)
