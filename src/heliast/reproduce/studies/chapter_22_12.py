"""Example 22.12 and figure 22.7: bias and variance of SVMs with a quadratic kernel."""

from collections.abc import Iterator

import numpy as np

from heliast.data import Dataset
from heliast.plans import Bootstrap
from heliast.reproduce._registry import study
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Claim, Found
from heliast.reproduce.studies._chapter import iris_components
from heliast.reproduce.studies._figures import drawn
from heliast.theory import bias_variance

COSTS = (0.01, 0.1, 1.0, 10.0, 100.0)


@study(
    "chapter-22.12",
    "Iris principal components: bias and variance of quadratic SVMs against C",
    design="""Versicolor against the rest; 10 bootstrap samples (30 in ours, for less noise);
    SVMs with a homogeneous quadratic kernel, C from 0.01 to 100; squared loss of -1 and +1.""",
    tolerance="The sentences on the direction of bias, variance and loss over the range of C.",
)
def chapter_22_12(setting: Setting) -> Iterator[Found]:
    """Bias falls, variance rises, the loss has its minimum in between."""
    from sklearn.svm import SVC

    X, y = iris_components()
    models = {f"{c:g}": SVC(kernel="poly", degree=2, coef0=0, gamma=1.0, C=c) for c in COSTS}
    table = setting.run(models, Dataset.of(X, y, name="iris"), Bootstrap(30), setting.seed)
    found = bias_variance(table, loss="squared")
    parts = {
        part: np.array([found[name, part].value for name in models])
        for part in ("bias", "variance", "loss")
    }
    bias, variance, loss = parts["bias"], parts["variance"], parts["loss"]
    yield Claim("as C grows, the bias falls", bool(bias[-1] < bias[0]), _listed(bias))
    yield Claim(
        "as C grows, the variance rises", bool(variance[-1] > variance[0]), _listed(variance)
    )
    yield Claim(
        "the lowest loss lies inside the range of C (printed: at C = 1)",
        bool(0 < int(np.argmin(loss)) < len(COSTS) - 1),
        f"{_listed(loss)}; lowest at C = {COSTS[int(np.argmin(loss))]:g}",
    )
    x = np.log10(np.array(COSTS)) + 2
    lines = {name: (x, values, np.zeros(len(x))) for name, values in parts.items()}
    yield drawn("figure-22.7d", "Bias and variance against C", "log10 C + 2", "squared loss", lines)


def _listed(values: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> str:
    return ", ".join(f"{value:.3f}" for value in values)
