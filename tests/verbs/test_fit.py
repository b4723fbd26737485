"""fit: the model on all rows, and an estimate that speaks for its recipe.

Slides on classification, "Cross Validation (k-fold)": "Generate the final model using the entire
training set"; "The final model is obtained using all the examples"; "Train, Validation, Test": "The
optimisation of the hyperparameters is done with the validation set".
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import randint
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, PredefinedSplit, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.tree import DecisionTreeClassifier

import heliast as hl
from heliast.fitting.cell import FitFailed
from heliast.fitting.loading import to_trust
from heliast.fitting.preparation import prepared

IRIS = hl.read("sklearn:iris")
MODELS = {"bayes": GaussianNB(), "1-nn": KNeighborsClassifier(1), "9-nn": KNeighborsClassifier(9)}


def test_the_model_is_the_recipe_on_all_rows_and_the_estimate_that_of_the_folds() -> None:
    kept = hl.fit(MODELS, IRIS, 5, seed=3)
    table = hl.run(MODELS, IRIS, 5, seed=3, progress=False)
    found = hl.assess(table, "error", seed=3)
    assert kept.name == found.selected.model
    assert kept.estimate.value == max(found.selected.value, found[kept.name, "error"].value)
    assert (kept.estimate.low, kept.estimate.high) == (found.selected.low, found.selected.high)
    assert kept.choice == "adjusted for selecting the best of 3 models"
    assert (kept.n, kept.n_train, kept.estimate.target) == (150, 120, "algorithm")
    twin = clone(MODELS[kept.name]).fit(IRIS.matrix, IRIS.y)
    np.testing.assert_array_equal(kept.predict(IRIS.matrix), twin.predict(IRIS.matrix))
    np.testing.assert_array_equal(kept.predict(IRIS), twin.predict(IRIS.matrix))
    assert kept.summary.startswith(f"{kept.name}: error rate ")
    assert "fitted on all 150 rows" in kept.summary
    assert kept.summary in " ".join(str(kept).split())


def test_one_model_is_no_choice() -> None:
    kept = hl.fit(GaussianNB(), IRIS, 5, level=0.9)
    own = hl.assess(hl.run(GaussianNB(), IRIS, 5, progress=False), level=0.9)["GaussianNB", "error"]
    assert (kept.choice, kept.estimate) == ("", own)


def test_where_no_correction_is_known_it_is_said() -> None:
    kept = hl.fit(MODELS, IRIS, 5, measure="auc")
    values = {name: kept.assessment[name, "auc"].value for name in MODELS}
    assert kept.name == max(values, key=values.get)
    assert kept.choice == "not adjusted for selecting the best of 3 models"


def test_costs_choose() -> None:
    data = hl.read("sklearn:breast_cancer")
    cost = [[0, 30], [1, 0]]
    models = {"bayes": GaussianNB(), "knn": KNeighborsClassifier(15)}
    kept = hl.fit(models, data, 3, cost=cost)
    found = hl.assess(hl.run(models, data, 3, progress=False), cost=cost)
    assert kept.measure == found.selected.measure == "expected_cost"
    assert kept.name == found.selected.model


def test_numbers() -> None:
    data = hl.read("sklearn:diabetes")
    kept = hl.fit({"line": LinearRegression(), "knn": KNeighborsRegressor(1)}, data, 5)
    assert (kept.name, kept.measure) == ("line", "mae")
    twin = LinearRegression().fit(data.matrix, data.y)
    np.testing.assert_allclose(kept.predict(data), twin.predict(data.matrix))


# --- nested: the choice itself is judged ---------------------------------------------------------


def test_nested_is_the_choice_made_anew_in_every_training_set() -> None:
    kept = hl.fit(MODELS, IRIS, 3, nested=4, seed=2)
    wrong = []
    for piece in hl.KFold(3).on(IRIS, 2):
        inside = IRIS.subset(piece.train)
        errors = {}
        table = hl.run(MODELS, inside, 4, seed=2, progress=False)
        for name in MODELS:
            errors[name] = np.mean(table.only(name).y_true != table.only(name).y_pred)
        fitted = clone(MODELS[min(errors, key=errors.get)]).fit(inside.matrix, inside.y)
        wrong.append(fitted.predict(IRIS.matrix[piece.test]) != IRIS.y[piece.test])
    assert kept.estimate.value == pytest.approx(np.concatenate(wrong).mean())
    assert kept.estimate.low < kept.estimate.value < kept.estimate.high
    assert kept.choice == "selected among 3 models inside each split"
    table = hl.run(MODELS, IRIS, 4, seed=2, progress=False)
    assert kept.name == hl.assess(table, "error").selected.model


def test_nested_tells_what_choosing_among_noise_is_worth() -> None:
    """Twenty models that each see one column of noise: the best of them is a coin."""
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline

    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 12)), np.arange(60) % 2
    models = {
        f"x{at}": make_pipeline(ColumnTransformer([("it", "passthrough", [at])]), GaussianNB())
        for at in range(12)
    }
    kept = hl.fit(models, (X, y), 5, nested=3)
    best = min(kept.assessment[name, "error"].value for name in models)
    assert best < 0.45
    assert kept.estimate.value > best


@pytest.mark.parametrize(
    ("plan", "why"),
    [(hl.ThreeWay(), "validation rows choose"), (hl.Bootstrap(20), "more than once")],
)
def test_nesting_is_refused_where_it_is_of_no_use(plan, why: str) -> None:
    with pytest.raises(hl.InputError, match=why):
        hl.fit(MODELS, IRIS, plan, nested=3)


# --- three sets ----------------------------------------------------------------------------------


def test_a_search_is_tuned_on_the_validation_rows() -> None:
    data = hl.read("sklearn:breast_cancer")
    grid = {"n_neighbors": [1, 5, 25, 125], "weights": ["uniform", "distance"]}
    kept = hl.fit({"knn": GridSearchCV(KNeighborsClassifier(), grid)}, data, hl.ThreeWay(), seed=5)
    checked, tested = hl.ThreeWay().on(data, 5)
    rows = np.concatenate([checked.train, checked.test])
    folds = PredefinedSplit(np.repeat([-1, 0], [checked.train.size, checked.test.size]))
    peer = GridSearchCV(KNeighborsClassifier(), grid, cv=folds, refit=False)
    best = peer.fit(data.matrix[rows], data.y[rows]).best_params_
    assert kept.name == f"knn(n_neighbors={best['n_neighbors']}, weights={best['weights']!r})"
    fitted = KNeighborsClassifier(**best).fit(data.matrix[checked.train], data.y[checked.train])
    wrong = np.mean(fitted.predict(data.matrix[tested.test]) != data.y[tested.test])
    assert kept.estimate.value == pytest.approx(wrong)
    assert kept.choice == "selected among 8 models on validation rows"
    assert kept.n_train == checked.train.size
    whole = KNeighborsClassifier(**best).fit(data.matrix, data.y)
    np.testing.assert_array_equal(kept.predict(data), whole.predict(data.matrix))


def test_a_random_search_and_a_plain_model_compete_alike() -> None:
    search = RandomizedSearchCV(
        KNeighborsClassifier(), {"n_neighbors": randint(1, 30)}, n_iter=4, random_state=1
    )
    kept = hl.fit({"knn": search, "bayes": GaussianNB()}, IRIS, hl.ThreeWay(), seed=1)
    assert len(kept.assessment.models) == 5
    assert "bayes" in kept.assessment.models


def test_in_folds_a_search_tunes_itself() -> None:
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3)
    kept = hl.fit({"knn": search}, IRIS, 3)
    assert kept.assessment.models == ("knn",)
    assert kept.model[-1].best_params_ == search.fit(IRIS.matrix, IRIS.y).best_params_


# --- kept in a file, used on raw rows ------------------------------------------------------------


def mixed(n: int = 120) -> str:
    """A file with numbers, categories and holes; the columns of `swapped` stand otherwise."""
    rng = np.random.default_rng(4)
    lines = []
    for at in range(n):
        colour = ["red", "green", "blue"][rng.integers(3)]
        size = rng.normal() + (colour == "red")
        kind = "ab"[int(size + rng.normal() / 4 > 0.3)]
        hole = at % 11 == 0
        lines.append((f"{size:.4f}", "" if hole else colour, "" if at % 7 == 0 else f"{at % 5}",
                      kind))  # fmt: skip
    return lines


def write(path: Path, lines, order) -> Path:
    names = ("size", "colour", "count", "class")
    rows = [",".join(line[at] for at in order) for line in (names, *lines)]
    path.write_text("\n".join(rows))
    return path


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (2, 1, 0, 3)])
def test_a_model_of_raw_rows_is_kept_and_used_on_another_file(tmp_path: Path, order) -> None:
    lines = mixed()
    data = hl.read(write(tmp_path / "d.csv", lines, (0, 1, 2, 3)), "class")
    assert data.nominal
    assert data.has_missing
    kept = hl.fit({"line": LogisticRegression()}, data, 3)
    made, inputs = prepared(LogisticRegression(), data)
    rows = np.arange(data.n)
    twin = clone(made).fit(inputs(data, rows), data.y)
    want = twin.predict_proba(inputs(data, rows))
    np.testing.assert_allclose(kept.model.predict_proba(data.to_frame("pandas")), want)
    place = kept.save(tmp_path / "m.skops")
    assert to_trust(place) == ["numpy.dtype"]  # that of scikit-learn's imputer
    back = hl.load_model(place, ["numpy.dtype"])
    new = hl.read(write(tmp_path / "new.csv", lines[:60], order), "class")
    said = hl.predict({"m": back}, new)
    np.testing.assert_allclose(said.scores if said.scores.ndim == 1 else said.scores[:, 1],
                               want[:60, 1])  # fmt: skip
    np.testing.assert_array_equal(kept.predict(new), twin.predict(inputs(data, rows))[:60])


def test_an_unknown_category_counts_as_missing(tmp_path: Path) -> None:
    data = hl.read(write(tmp_path / "d.csv", mixed(), (0, 1, 2, 3)), "class")
    kept = hl.fit({"line": LogisticRegression()}, data, 3)
    frame = data.to_frame("pandas").head(2)
    odd, gone = frame.astype({"colour": object}), frame.astype({"colour": object})
    odd.loc[:, "colour"], gone.loc[:, "colour"] = "mauve", np.nan
    np.testing.assert_allclose(kept.model.predict_proba(odd), kept.model.predict_proba(gone))


def test_only_skops_files_are_written_and_what_cannot_be_is_told(tmp_path: Path) -> None:
    kept = hl.fit(GaussianNB(), IRIS, 3)
    with pytest.raises(hl.InputError, match=r"end it in \.skops"):
        kept.save(tmp_path / "m.pkl")
    assert not list(tmp_path.iterdir())


def test_the_last_fit_is_seeded_and_leaves_the_generator_as_it_was() -> None:
    models = {"forest": RandomForestClassifier(5)}
    data = hl.read("sklearn:breast_cancer")
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    ones = [hl.fit(models, data, hl.Holdout(), seed=s).model.predict_proba for s in (1, 1, 2)]
    assert (np.random.get_state()[1] == before).all()  # noqa: NPY002
    frame = data.to_frame("pandas")
    first, again, other = (one(frame) for one in ones)
    np.testing.assert_array_equal(first, again)
    assert (first != other).any()


def test_a_model_that_fails_is_not_chosen() -> None:
    class Broken(GaussianNB):
        def fit(self, X, y):
            raise ValueError("no")

    with pytest.warns(FitFailed, match="'broken' failed in 3 of 3 splits"):
        kept = hl.fit({"broken": Broken(), "tree": DecisionTreeClassifier()}, IRIS, 3)
    assert kept.name == "tree"
    with pytest.raises(hl.HeliastError, match="no model could be fitted"):
        hl.fit({"broken": Broken()}, IRIS, 3)


# --- what combine recommends ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def combined() -> hl.Combination:
    return hl.combine(IRIS, n_estimators=3, plan=3, seed=1, jobs=1)


def recommending(it: hl.Combination, name: str) -> hl.Combination:
    return replace(it, advice=replace(it.advice, recommended=name), selected=None)


def test_the_recommended_candidate_is_fitted_without_another_choice(combined) -> None:
    kept = hl.fit(combined, IRIS, seed=1)
    assert kept.name == combined.recommended
    assert (kept.n, kept.n_train) == (150, 100)
    assert kept.choice == f"adjusted for selecting the best of {len(combined.candidates)} models"
    assert kept.estimate.value >= combined.candidates[kept.name].value
    assert {*kept.assessment.models} == {*combined.candidates}


@pytest.mark.parametrize("name", ["bagged/soft/B=3", "coded/ridge/B=3", "forest", "gradient"])
def test_a_vote_decides_as_it_was_judged(combined, name: str) -> None:
    kept = hl.fit(recommending(combined, name), IRIS, seed=1)
    recipe = kept.model[-1].get_params(deep=False)
    way = {"bagged/soft/B=3": ("kind", "soft"), "coded/ridge/B=3": ("decoder", "ridge"),
           "forest": ("n_estimators", 3), "gradient": ("max_iter", 3)}[name]  # fmt: skip
    assert recipe[way[0]] == way[1]


def test_a_selection_is_the_vote_of_its_members_with_the_weights_found(combined) -> None:
    it = recommending(combined, "selection")
    kept = hl.fit(it, IRIS, seed=1)
    used = {name: weight for name, weight in it.selection.weights.items() if weight > 0}
    assert len(used) > 1
    total = 0.0
    for name, weight in used.items():
        alone = hl.fit(recommending(combined, name), IRIS, seed=1)
        total = total + weight * alone.model.predict_proba(IRIS.to_frame("pandas"))
    np.testing.assert_allclose(kept.model.predict_proba(IRIS.to_frame("pandas")), total)
    np.testing.assert_array_equal(kept.predict(IRIS), np.array(IRIS.classes)[total.argmax(axis=1)])


def test_of_numbers_the_mean_of_single_models_and_the_boosted_mean() -> None:
    data = hl.read("sklearn:diabetes").subset(range(0, 440, 4))
    it = hl.combine(data, n_estimators=2, plan=2, seed=1, jobs=1)
    kept = hl.fit(recommending(it, "singles/mean/B=4"), data)
    each = [hl.fit(recommending(it, name), data).predict(data) for name in it.averaged]
    np.testing.assert_allclose(kept.predict(data), np.mean(each, axis=0))
    assert hl.fit(recommending(it, "boosted/mean/B=2"), data).model[-1].combine == "mean"


def test_what_cannot_be_fitted_of_a_combination(combined) -> None:
    with pytest.raises(hl.InputError, match="combine saw other data"):
        hl.fit(combined, IRIS.subset(range(100)))
    with pytest.raises(hl.InputError, match="nested"):
        hl.fit(combined, IRIS, nested=3)
    with pytest.raises(hl.InputError, match="no models to fit"):
        hl.fit(
            hl.combine(
                combined.predictions.only(
                    [name for name in combined.predictions.models if name != "selection"]
                )
            ),
            IRIS,
        )
