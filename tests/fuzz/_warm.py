"""Valid commands that a warm process has run before it forks: they must all be taken."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

import heliast as hl


def commands(place: Path) -> Iterator[list[str]]:
    """Write some valid files and say what to do with them."""
    rng = np.random.default_rng(1)
    n = 60
    for classes in (["a", "b"], ["x", "y", "z"]):
        truth = np.tile(rng.choice(classes, n), 2)
        score = rng.dirichlet(np.ones(len(classes)), 2 * n)
        label = np.where(rng.random(2 * n) < 0.7, truth, rng.choice(classes, 2 * n))
        name = f"w{len(classes)}"
        table = hl.Predictions.of(
            truth, label, score, classes=classes,
            model=np.repeat(["u", "v"], n), row=np.tile(np.arange(n), 2),
        )  # fmt: skip
        table.write(place / f"{name}.parquet")
        table.write(place / f"{name}.csv")
        yield ["assess", f"{name}.csv", "--report", f"{name}.html"]
        yield ["assess", f"{name}.parquet", "--json"]
        yield ["assess", f"{name}.csv", "--scan"]
        yield ["compare", f"{name}.csv"]
    hl.Predictions.of(rng.normal(size=n), rng.normal(size=n)).write(place / "n.csv")
    yield ["assess", "n.csv"]
    yield ["assess", "w2.csv", "--measure", "error", "--interval", "bootstrap"]
    yield ["gate", "w2.csv", "--require", "error.high <= 0.5", "--junit", "j.xml"]
    yield ["export", "w2.csv", "--to", "latex", "-o", "o.tex"]
    yield ["export", "w2.csv", "--to", "md", "--what", "differences"]
    for picture in ("x.svg", "x.png", "x.pdf"):
        yield ["plot", "roc", "w2.csv", "-o", picture]
        yield ["plot", "forest", "w3.csv", "-o", picture]
    lines = ["model,item,attempt,correct"]
    lines += [
        f"{m},{at},{a},{int(rng.random() < 0.6)}" for m in "uv" for at in range(30) for a in (1, 2)
    ]
    (place / "g.csv").write_text("\n".join(lines))
    yield ["assess", "g.csv"]
    yield ["compare", "g.csv"]
    rows = [f"{rng.normal():.3f},{'ab'[at % 2]}" for at in range(n)]
    (place / "d.csv").write_text("\n".join(["u,class", *rows]))
    for model in ("majority", "bayes", "tree"):
        words = ["--model", model, "--plan", "2"]
        yield ["run", "d.csv", "-o", "d.parquet", *words, "--store", "kept"]
        yield ["run", "d.csv", "-o", "d.csv.gz", *words, "--store", "kept"]
    for plan in ("holdout", "bootstrap(2)", "3"):
        yield ["assess", "d.csv", "--target", "class", "--model", "majority", "--plan", plan]
    for base in ("tree", "majority"):
        yield ["combine", "d.csv", "--estimator", base, "--plan", "2", "--n-estimators", "3"]
    models = ["--model", "majority", "--model", "bayes", "--plan", "2"]
    yield ["compare", "d.csv", *models]
    yield ["benchmark", "d.csv", *models, "--json"]
    yield ["explain", "d.csv", "--model", "tree", "--times", "3"]
