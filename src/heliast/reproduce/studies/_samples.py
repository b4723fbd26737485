"""The samples of Letter and Vowel that tables 2.10 to 2.19 are about."""

from dataclasses import dataclass

import numpy as np

from heliast.learners import Tree
from heliast.reproduce._setting import Setting
from heliast.reproduce.studies._votes import DEEP, DEFAULT, Errors, Samples, errors

VOWEL_TRAINING = 528
"""The first 528 rows of Vowel are those of its training speakers."""


@dataclass(frozen=True)
class Experiment:
    """One combination of data set, training rows of each class and depth of the trees."""

    data: str
    per_class: int
    tree: Tree
    repetitions: int

    @property
    def title(self) -> str:
        """Such as `Letter, 50 rows of each class, default trees`."""
        trees = "default trees" if self.tree.min_deviance else "deep trees"
        return f"{self.data.title()}, {self.per_class} rows of each class, {trees}"

    @property
    def design(self) -> str:
        """Data, sampling and models, in words."""
        if self.data == "letter":
            test = "20 other rows of each class to test on"
        else:
            test = "the 462 rows of the test speakers to test on"
        share = self.tree.min_deviance
        deep = f"at least {share:g} of the root's deviance" if share else "any deviance"
        return f"""{self.data.title()}: {self.per_class} training rows of each class drawn at
        random, {test}; trees by deviance, a node is split if it has 10 rows and {deep}, and both
        children have 5 rows; random codes; bagging averages the trees' class shares; boosting
        draws rows; standard boosting is as printed, without a rule for members that err on half of
        the weight or more; adapted boosting begins anew with equal weights after one; one fit
        of 200 members a training set serves all numbers of members. Least squares with
        fewer columns than classes has no answer, which counts as an error, as printed."""

    def errors(self, setting: Setting) -> Errors:
        """Errors of all classifiers; run once, however many studies ask for them."""
        times = 1 if setting.quick else self.repetitions
        key = (self.data, self.per_class, self.tree.min_deviance, times, setting.seed)
        return setting.once(key, lambda: self._run(setting, times))

    def _run(self, setting: Setting, times: int) -> Errors:
        data = setting.data(self.data)
        if self.data == "letter":
            plan = Samples(times, self.per_class, setting.seed)
        else:
            apart = tuple(np.arange(VOWEL_TRAINING, data.n).tolist())
            plan = Samples(times, self.per_class, setting.seed, None, apart)
        return errors(setting, data, plan, self.tree)


LETTER_50 = Experiment("letter", 50, DEFAULT, 20)
LETTER_50_DEEP = Experiment("letter", 50, DEEP, 10)
LETTER_10 = Experiment("letter", 10, DEFAULT, 20)
VOWEL_40 = Experiment("vowel", 40, DEFAULT, 10)
VOWEL_20 = Experiment("vowel", 20, DEFAULT, 5)
