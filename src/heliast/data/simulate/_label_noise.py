"""Any task with some of its labels replaced by wrong ones: posteriors follow."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heliast.data.simulate._task import BayesError, Codes, Floats, Task, within


@dataclass(frozen=True, eq=False, repr=False)
class Noisy(Task):
    """The clean task, each label replaced with probability `flip` by another, all alike."""

    clean: Task
    flip: float

    def posteriors(self, X: npt.ArrayLike) -> Floats:
        return mixed(self.clean.posteriors(X), self.flip)

    def draw(self, n: int, rng: np.random.Generator) -> tuple[Floats, Codes]:
        X, truth = self.clean.draw(n, rng)
        k = len(self.classes)
        wrong = rng.random(n) < self.flip
        step = rng.integers(1, k, size=n)  # to one of the other classes
        return X, np.where(wrong, (truth + step) % k, truth)

    def bayes_error(self, seed: int = 0, n: int = 10**6) -> BayesError:
        """From the clean task's, exact if that is: the best decisions stay what they were."""
        error, se = self.clean.bayes_error(seed, n)
        others = len(self.classes) - 1
        right = (1.0 - self.flip) * (1.0 - error) + self.flip * error / others
        return BayesError(1.0 - right, se * abs(1.0 - self.flip - self.flip / others))


def mixed(posteriors: Floats, flip: float) -> Floats:
    """The posteriors after labels were flipped.

    >>> mixed(np.array([[1.0, 0.0]]), 0.25).tolist()
    [[0.75, 0.25]]
    """
    others = posteriors.shape[1] - 1
    return np.asarray((1.0 - flip) * posteriors + flip * (1.0 - posteriors) / others)


def label_noise(task: Task, flip: float = 0.1) -> Task:
    """The task with each label wrong with probability `flip`.

    At (k - 1)/k the labels tell nothing any more; beyond it the best rule would turn around.

    >>> from heliast.data.simulate import two_gaussians
    >>> round(label_noise(two_gaussians(0.15), 0.1).bayes_error().value, 6)
    0.22
    """
    flip = within(flip, 0.0, 1.0 - 1.0 / len(task.classes), "flip")
    return Noisy(
        name=f"label_noise({task.name}, flip={flip:g})",
        classes=task.classes,
        inputs=task.inputs,
        shares=mixed(task.shares[None, :], flip)[0],
        clean=task,
        flip=flip,
    )
