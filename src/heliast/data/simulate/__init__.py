"""Tasks drawn from known densities: true posteriors, the Bayes classifier and its error.

>>> from heliast.data import simulate
>>> task = simulate.two_gaussians(bayes_error=0.15)
>>> round(task.bayes_error().value, 6)
0.15
"""

from heliast.data.simulate._gaussians import (
    gaussian_classes,
    rare_class,
    ten_gaussians,
    two_gaussians,
)
from heliast.data.simulate._shapes import concentric, friedman_like, interaction, label_noise
from heliast.data.simulate._task import BayesError, NumberTask, Task

__all__ = [
    "BayesError",
    "NumberTask",
    "Task",
    "concentric",
    "friedman_like",
    "gaussian_classes",
    "interaction",
    "label_noise",
    "rare_class",
    "ten_gaussians",
    "two_gaussians",
]
