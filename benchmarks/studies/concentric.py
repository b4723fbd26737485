"""Which concentric distribution is that of tables 2.3 to 2.9 of the thesis, and can one tell?

The thesis says: two classes in two dimensions, one in the centre and the other around it, and shows
a picture. Four families of such distributions are searched on a grid. Each is judged by what needs
no boosting: the printed errors of the nearest neighbour (means over the tables of a size) and of
single trees, nine numbers, in units of their printed standard errors and those of the search.

    python -m benchmarks.studies.concentric [--sets 8] [--best 12]

With 8 training sets: chi² 5 for a disc in a ring with Bayes error 0.16 and radius 1.45, 11 to 12
for (0.16, 1.5), (0.15, 1.55) and (0.15, 1.5), 16 to 24 for others nearby, among them 22 for
(0.17, 1.45), which the studies use. Best of the other kinds: a normal in a normal 25, a normal in a
ring 28; labels flipped lie beyond 33 (on a coarser grid 35). A first pass with 6 sets and a coarser
grid had (0.14, 1.6) best with 13, and other kinds at 21 and 22; only the discs were refined after
it, so they are favoured, not proved. The candidates shown give default trees on 20 rows 2.5 to 10
points fewer errors than are printed.
"""

import argparse
from collections.abc import Callable, Iterator

import numpy as np
from scipy.spatial import cKDTree

from heliast import Tree
from heliast.data import simulate

Draw = Callable[[int, np.random.Generator], tuple[np.ndarray, np.ndarray]]
TREES = {
    (20, 2): (41.5, 1.5), (20, 5): (34.1, 1.2), (20, None): (37.3, 1.7), (100, 2): (41.2, 0.96),
    (100, 5): (22.4, 1.2), (100, 10): (20.8, 0.69), (100, 20): (23.0, 0.91),
}  # fmt: skip
"""By rows of each class and leaves: the printed error of a single tree, and its standard error."""
NEAREST = {20: (26.7, 0.8), 100: (22.0, 0.5)}
"""The same of 1NN, over the tables of a size (25 and 25 training sets)."""
TEST = 600


def by_radius(inner: Callable, outer: Callable, flip: float = 0.0) -> Draw:
    """Rows of both classes at random angles, radii as drawn, labels flipped at a rate."""

    def draw(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        r = np.concatenate([inner(n, rng), outer(n, rng)])
        angle = rng.uniform(0, 2 * np.pi, 2 * n)
        y = np.repeat([0, 1], n)
        y = np.where(rng.random(2 * n) < flip, 1 - y, y)
        return np.column_stack([r * np.cos(angle), r * np.sin(angle)]), y

    return draw


def annulus(low: float, high: float) -> Callable:
    """Radii of rows spread evenly between two circles."""
    return lambda n, rng: np.sqrt(rng.uniform(low**2, high**2, n))


def around(middle: float, sd: float) -> Callable:
    """Radii of rows at a circle, with normal noise in both directions."""
    return lambda n, rng: np.hypot(*(np.array([[middle], [0.0]]) + sd * rng.normal(size=(2, n))))


def family() -> Iterator[tuple[str, Draw]]:
    """Every candidate by name."""
    for error in (0.08, 0.11, 0.13, 0.14, 0.15, 0.16, 0.17, 0.19):
        for radius in (1.45, 1.5, 1.55, 1.6, 1.7, 1.9):
            hole = (1 - 2 * error * radius**2) / (1 - 2 * error)
            if hole >= 0:
                task = simulate.concentric(error, radius)
                name = f"disc in a ring: Bayes error {error}, radius {radius}"
                yield name, by_radius(annulus(0, 1), annulus(task.hole, task.radius))
    for middle in (1.5, 2.0, 2.5, 3.0):
        for sd in (0.3, 0.6, 0.9):
            name = f"normal in a ring: radius {middle} sd, width {sd}"
            yield name, by_radius(around(0, 1), around(middle, sd))
    for ratio in (2.0, 2.5, 3.0, 3.5, 4.0, 5.0):
        yield f"normal in a normal: ratio {ratio}", by_radius(around(0, 1), around(0, ratio))
    for flip in (0.05, 0.1, 0.15):
        for radius in (1.45, 1.9, 2.4):
            name = f"disc and ring apart, labels flipped: rate {flip}, radius {radius}"
            yield name, by_radius(annulus(0, 1), annulus(1, radius), flip)


def errors(draw: Draw, sets: int) -> dict[tuple[int, int | str | None], np.ndarray]:
    """Per cent, one a training set, by rows of each class and leaves (or `1NN`)."""
    found: dict[tuple[int, int | str | None], list[float]] = {}
    for at in range(sets):
        X, y = draw(TEST // 2, np.random.default_rng([9, at]))
        for rows in NEAREST:
            train, label = draw(rows, np.random.default_rng([rows, at]))
            near = label[cKDTree(train).query(X)[1]]
            found.setdefault((rows, "1NN"), []).append(100 * float((near != y).mean()))
            for size, leaves in TREES:
                if size == rows:
                    deviance = None if leaves is None else 0
                    tree = Tree(limits="s-plus", max_leaf_nodes=leaves, min_deviance=deviance)
                    wrong = tree.fit(train, label).predict(X) != y
                    found.setdefault((rows, leaves), []).append(100 * float(wrong.mean()))
    return {key: np.array(each) for key, each in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sets", type=int, default=8, help="training sets of each candidate")
    parser.add_argument("--best", type=int, default=12, help="so many are shown")
    asked = parser.parse_args()
    printed = {(rows, "1NN"): one for rows, one in NEAREST.items()} | TREES
    lines = []
    for name, draw in family():
        found = errors(draw, asked.sets)
        gap = np.array([found[key].mean() - value for key, (value, _) in printed.items()])
        se = [
            np.hypot(s, found[key].std(ddof=1) / asked.sets**0.5) for key, (_, s) in printed.items()
        ]
        lines.append((float(((gap / se) ** 2).sum()), name, gap))
    print("| chi² of 9 | distribution |", " | ".join(f"{k[0]} rows, {k[1]}" for k in printed), "|")
    print("| --- " * (2 + len(printed)) + "|")
    for chi, name, gap in sorted(lines, key=lambda line: line[0])[: asked.best]:
        print(f"| {chi:.0f} | {name} |", " | ".join(f"{one:+.1f}" for one in gap), "|")


if __name__ == "__main__":
    main()
