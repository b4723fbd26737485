"""Every plan is said in plain words, and the words are true of the splits."""

import inspect
import re

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from tests.plans.tables import classes, numbers

from heliast import plans
from heliast.plans.dealing import strata_of, stratified

WORDS = [
    (plans.KFold(5), "5-fold cross-validation, stratified"),
    (plans.KFold(3, 4, False), "4 x 3-fold cross-validation"),
    (plans.NestedFolds(5, 2), "2 x nested 5-fold cross-validation, stratified"),
    (plans.ReplaceOne(4), "4-fold cross-validation, stratified, and of half the rows with one "
     "exchanged at a time"),
    (plans.FiveByTwo(), "5 x 2-fold cross-validation, stratified if there are two classes"),
    (plans.LeaveOneOut(), "leave-one-out cross-validation"),
    (plans.Bootstrap(20), "20 bootstrap samples, each tested on its out-of-bag rows"),
    (plans.Fresh(9, 30), "9 new training samples of 30 rows, all tested on the same rows"),
    (plans.Holdout(), "holdout, 67% of the rows to train on, stratified if there are two classes"),
    (plans.Subsampling(7, 0.5, True), "7 x holdout, 50% of the rows to train on, stratified"),
    (plans.PairedSubsampling(15, 10), "15 x holdout, 90% to train, stratified if there are two "
     "classes, 10 pairs of halves"),
    (plans.ThreeWay(), "60% training, 20% validation and other test rows, stratified if there are "
     "two classes"),
    (plans.Rolling(30, 5, gap=2), "rolling windows, 30 times to train on, gap 2, test 5"),
    (plans.Expanding(30), "expanding windows, first 30 times to train on, gap 0, test 1"),
    (plans.LearningCurve(plans.LeaveOneOut(), (0.125, 1)), "leave-one-out cross-validation, models "
     "trained on 12.5%, 100% of the training rows"),
    (plans.LabelNoise(plans.LeaveOneOut(), (0.1,)), "leave-one-out cross-validation, with 10% of "
     "the training rows given a wrong class"),
    (plans.FromSklearn(StratifiedKFold(5)), "the splits of StratifiedKFold"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "words"), WORDS)
def test_plans_in_words(plan: plans.Plan, words: str) -> None:
    assert plan.words() == words
    assert not re.search("[=_'\"()]", words)
    assert "classes" not in plan.words("regression")


def test_no_plan_of_the_registry_is_without_words() -> None:
    kinds = {getattr(plans, name) for name in plans.__all__}
    known = {one for one in kinds if inspect.isclass(one) and issubclass(one, plans.Plan)}
    assert known - {plans.Plan} == {type(plan) for plan, _ in WORDS}


@pytest.mark.parametrize("stratify", ["auto", True, False])
@pytest.mark.parametrize("data", [classes((9, 9)), classes((9, 9, 9)), numbers(40)])
@pytest.mark.parametrize("sampled", [True, False])
def test_the_words_say_what_is_stratified(stratify, data, sampled) -> None:
    mixed = np.unique(strata_of(data, stratify, sampled)).size == 1
    words = stratified(stratify, data.task, sampled)
    assert mixed == (len(data.classes) > 2 if words.endswith("two classes") else words == "")
