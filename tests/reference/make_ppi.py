"""Answers of ppi-python 0.2.3, stored in ppi.json: python make_ppi.py (needs ppi-python)."""

import json
from pathlib import Path

import numpy as np


def cases():
    rng = np.random.default_rng(23)
    for n, others in ((30, 200), (60, 90), (100, 400)):
        y = (rng.random(n + others) < 0.7).astype(float)
        yield "binary", n, np.where(rng.random(y.size) < 0.85, y, 1 - y), y
        z = rng.normal(size=n + others)
        yield "numbers", n, 2 * z + rng.normal(size=z.size), z + 1
        yield "useless", n, rng.normal(size=z.size), z
        yield "against", n, -z + rng.normal(size=z.size), z


def main() -> None:
    from ppi_py import ppi_mean_ci, ppi_mean_pointestimate

    made = []
    for name, n, exact, truth in cases():
        judge, human = exact.round(3), truth.round(3)
        y, f, other = human[:n], judge[:n], judge[n:]
        found = ppi_mean_ci(y, f, other, alpha=0.1)
        made.append(
            {
                "name": name, "n": n, "judge": judge.tolist(), "human": y.tolist(),
                "value": float(np.squeeze(ppi_mean_pointestimate(y, f, other))),
                "low": float(np.squeeze(found[0])), "high": float(np.squeeze(found[1])),
            }
        )  # fmt: skip
    Path(__file__).with_name("ppi.json").write_text(json.dumps(made) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
