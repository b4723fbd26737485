"""Makes the prediction files that `make.R` answers: `python tests/reference/make_data.py`."""

from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "data"


def two_classes(seed, n, positives, digits):
    """Truth, label, the score that the label follows, and a second model's score."""
    rng = np.random.default_rng(seed)
    truth = np.zeros(n, int)
    truth[rng.choice(n, positives, replace=False)] = 1
    common = rng.normal(size=n) + 1.2 * truth
    score, other = (1 / (1 + np.exp(0.6 - common - rng.normal(size=n) * s)) for s in (0.5, 1.0))
    score, other = score.round(digits), other.round(digits)
    return ["truth", "label", "score", "other"], [truth, (score >= 0.5).astype(int), score, other]


def several_classes(seed, n, shares):
    """Truth, label and one probability a class."""
    rng = np.random.default_rng(seed)
    names = np.array(["ash", "birch", "cedar", "doum"])
    code = rng.choice(len(names), n, p=shares)
    power = rng.normal(size=(n, len(names))) + 1.5 * np.eye(len(names))[code]
    probability = np.exp(power)
    probability = (probability / probability.sum(axis=1, keepdims=True)).round(6)
    columns = [names[code], names[probability.argmax(axis=1)], *probability.T]
    return ["truth", "label", *(f"prob_{name}" for name in names)], columns


def numbers(seed, n):
    rng = np.random.default_rng(seed)
    truth = rng.normal(10, 3, n)
    return ["truth", "label"], [truth.round(4), (0.8 * truth + 1.5 + rng.normal(size=n)).round(4)]


FILES = {
    "plain": lambda: two_classes(1, 120, 45, 6),
    "ties": lambda: two_classes(2, 150, 60, 1),
    "rare": lambda: two_classes(3, 400, 8, 6),
    "several": lambda: several_classes(4, 160, [0.4, 0.3, 0.2, 0.1]),
    "numbers": lambda: numbers(5, 60),
}


def main():
    for name, make in FILES.items():
        header, columns = make()
        lines = [",".join(header)]
        lines += [",".join(str(value) for value in row) for row in zip(*columns, strict=True)]
        (FOLDER / f"{name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
