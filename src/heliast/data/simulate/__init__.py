"""Tasks drawn from known densities: true posteriors, the Bayes classifier and its error.

>>> from heliast.data import simulate
>>> task = simulate.two_gaussians(bayes_error=0.15)
>>> round(task.bayes_error().value, 6)
0.15
"""

from heliast.data.simulate._concentric import concentric
from heliast.data.simulate._friedman_like import friedman_like
from heliast.data.simulate._gaussian_classes import gaussian_classes, ten_gaussians
from heliast.data.simulate._interaction import interaction
from heliast.data.simulate._label_noise import label_noise
from heliast.data.simulate._rare_class import rare_class
from heliast.data.simulate._task import BayesError, NumberTask, Task
from heliast.data.simulate._two_gaussians import two_gaussians

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
