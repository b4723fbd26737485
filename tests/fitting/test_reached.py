"""What a vote offers is reached through pipelines, searches and transformed targets."""

from typing import Any

import numpy as np
import pytest
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import heliast as hl
from heliast.ensembles import BaggedMean, BaggedVote
from heliast.fitting.reached import reached

X, y = load_iris(return_X_y=True)


def vote() -> BaggedVote:
    return BaggedVote(DecisionTreeClassifier(max_depth=2), 3, random_state=1)


COLUMNS = ColumnTransformer([("first", StandardScaler(), [0, 1])], remainder="passthrough")
WRAPPED: dict[str, Any] = {
    "itself": vote(),
    "pipeline": make_pipeline(StandardScaler(), vote()),
    "nested": make_pipeline(StandardScaler(), make_pipeline(MinMaxScaler(), vote())),
    "columns": make_pipeline(COLUMNS, vote()),
    "passthrough": Pipeline([("none", "passthrough"), ("scale", StandardScaler()), ("v", vote())]),
    "search": GridSearchCV(vote(), {"n_estimators": [3]}, cv=2),
    "search in a pipeline": make_pipeline(
        StandardScaler(), GridSearchCV(vote(), {"n_estimators": [3]}, cv=2)
    ),
    "pipeline in a search": GridSearchCV(
        make_pipeline(StandardScaler(), vote()), {"baggedvote__n_estimators": [3]}, cv=2
    ),
}


@pytest.mark.parametrize("how", WRAPPED)
def test_a_run_has_the_votes_at_every_number_of_members(how: str) -> None:
    table = hl.run({"bag": WRAPPED[how]}, (X, y), 3, seed=1, jobs=1, progress=False)
    kinds = [f"bag/{kind}/B={b}" for kind in ("hard", "soft") for b in (1, 2, 3)]
    assert list(table.models) == ["bag", *kinds]
    # The vote of all its members is what the whole says.
    np.testing.assert_array_equal(table.only("bag/hard/B=3").y_pred, table.only("bag").y_pred)


@pytest.mark.parametrize("name", ["outputs", "votes", "margins", "staged_predict", "staged_votes"])
@pytest.mark.parametrize("how", WRAPPED)
def test_all_that_a_vote_offers_is_reached_with_the_rows_it_sees(how: str, name: str) -> None:
    fitted = WRAPPED[how].fit(X, y)
    found = reached(fitted, X, name)
    assert found is not None
    assert isinstance(found.model, BaggedVote)
    np.testing.assert_array_equal(found.model.predict(found.X), fitted.predict(X))


def test_numbers_come_back_on_the_scale_of_the_data() -> None:
    X, y = load_diabetes(return_X_y=True)
    mean = BaggedMean(DecisionTreeRegressor(max_depth=2), 3, random_state=1)
    twice = TransformedTargetRegressor(
        make_pipeline(
            StandardScaler(), TransformedTargetRegressor(mean, func=np.sqrt, inverse_func=np.square)
        ),
        transformer=FunctionTransformer(np.log, np.exp),
    )
    table = hl.run({"bag": twice}, (X, y), 3, seed=1, jobs=1, progress=False)
    assert list(table.models) == ["bag", "bag/B=1", "bag/B=2", "bag/B=3"]
    np.testing.assert_allclose(table.only("bag/B=3").y_pred, table.only("bag").y_pred)


def test_a_wrapper_that_decides_anew_is_not_looked_through() -> None:
    two = y < 1
    fitted = FixedThresholdClassifier(vote(), threshold=0.9).fit(X, two)
    assert reached(fitted, X, "outputs") is None
    assert reached(DecisionTreeClassifier().fit(X, y), X, "outputs") is None
