"""Every plan is said in plain words, and the words are true of the splits."""

import inspect
import re

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold
from tests.plans.tables import classes, numbers

from heliast import plans
from heliast.plans._dealing import dealt, strata_of, unless_many

SAID = [
    (plans.KFold(5), "5-fold cross-validation, folds dealt by class, once"),
    (plans.KFold(3, 4, False), "3-fold cross-validation, folds dealt at random, 4 times"),
    (plans.NestedFolds(5, 2), "5-fold cross-validation, folds dealt by class, 2 times, with one "
     "inside the training part of every fold"),
    (plans.ReplaceOne(4), "4-fold cross-validation, folds dealt by class, once, and over half the "
     "rows with one row exchanged at a time"),
    (plans.FiveByTwo(), "2-fold cross-validation, folds dealt by class where there are two, "
     "5 times"),
    (plans.LeaveOneOut(), "leave-one-out cross-validation"),
    (plans.Bootstrap(20), "20 bootstrap samples, each tested on what it did not draw"),
    (plans.Bootstrap(20, 3), "20 bootstrap samples, and 3 of each of them, each tested on what it "
     "did not draw"),
    (plans.Fresh(9, (30, 20)), "9 training sets of 30 + 20 rows newly drawn, all tested on the "
     "same rows"),
    (plans.Holdout(), "one split, 67% of the rows to train on, dealt by class where there are two"),
    (plans.Subsampling(7, 0.5, True), "7 splits, 50% of the rows to train on, dealt by class"),
    (plans.PairedSubsampling(15, 10), "15 splits, 90% of the rows to train on, dealt by class "
     "where there are two, and as many of both halves of the rows, halved 10 times"),
    (plans.ThreeWay(), "one split, 60% of the rows to train on, 20% to choose by, the others to "
     "test, dealt by class where there are two"),
    (plans.Rolling(30, 5, gap=2), "windows of time, the last 30 times to train on and the next 5 "
     "to test, 2 left out between"),
    (plans.Expanding(30), "windows of time, all of the past, at first 30 times to train on and the "
     "next one to test"),
    (plans.LearningCurve(plans.LeaveOneOut(), (0.125, 1)), "leave-one-out cross-validation, models "
     "trained on 12.5% and 100% of the training rows"),
    (plans.LabelNoise(plans.LeaveOneOut(), (0.1,)), "leave-one-out cross-validation, the classes "
     "of 10% of the training rows made wrong"),
    (plans.FromSklearn(StratifiedKFold(5)), "the splits of StratifiedKFold of scikit-learn"),
]  # fmt: skip


@pytest.mark.parametrize(("plan", "words"), SAID)
def test_plans_in_words(plan: plans.Plan, words: str) -> None:
    assert plan.words() == words
    assert not re.search("[=_'\"()]", words)
    assert "class" not in plan.words("number") or "classes of" in words


def test_no_plan_of_the_registry_is_without_words() -> None:
    kinds = {getattr(plans, name) for name in plans.__all__}
    known = {one for one in kinds if inspect.isclass(one) and issubclass(one, plans.Plan)}
    assert known - {plans.Plan} == {type(plan) for plan, _ in SAID}


@pytest.mark.parametrize("stratify", ["auto", True, False])
@pytest.mark.parametrize("data", [classes((9, 9)), classes((9, 9, 9)), numbers(40)])
@pytest.mark.parametrize("drawn", [True, False])
def test_what_is_dealt_by_class_is_said(stratify, data, drawn) -> None:
    taken = unless_many(stratify, data) if drawn else stratify
    mixed = np.unique(strata_of(data, taken)).size == 1
    words = dealt(stratify, data.task, drawn)
    where_two = words.endswith("where there are two")
    assert mixed == (len(data.classes) > 2 if where_two else words == "at random")
