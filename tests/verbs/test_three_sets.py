"""Validation rows choose, test rows judge: nothing that chooses looks at test rows.

Slides on classification, "Getting the most out of the available supervised data": "splitting data
into training set, validation set and test set"; "Train, Validation, Test - pros and cons": "The
optimisation of the hyperparameters is done with the validation set, independent from the final
evaluation".
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor

import heliast as hl
from heliast import estimates
from heliast.verbs.options import Options
from heliast.verbs.report import material_of

N = 60


def three_sets(seed: int = 0, models: str = "abc", n: int = N, **options) -> hl.Predictions:
    """Models that guess, on n rows to validate and n to test."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, 2 * n)
    tables = [
        hl.Predictions.of(
            truth, y_score=rng.random(2 * n), model=name, row=range(2 * n), scores="probability",
            split=np.repeat(["validation", "test"], n), **options,
        )
        for name in models
    ]  # fmt: skip
    table, *others = tables
    for other in others:
        table = table.join(other)
    return table


def errors(table: hl.Predictions, role: str) -> dict[str, float]:
    part = table.only(role=role)
    return {m: float(np.mean(part.only(m).y_true != part.only(m).y_pred)) for m in table.models}


def otherwise(seed: int = 0) -> hl.Predictions:
    """A table whose best model on validation rows is not the best on test rows."""
    for one in range(seed, seed + 50):
        table = three_sets(one)
        ranks = [sorted(errors(table, role), key=errors(table, role).get) for role in ROLES]
        if ranks[0][0] != ranks[1][0]:
            return table
    raise AssertionError


ROLES = ("validation", "test")


def test_neighbours_are_chosen_on_validation_rows_and_judged_on_test_rows() -> None:
    data = hl.read("sklearn:breast_cancer")
    models = {f"k={k}": KNeighborsClassifier(k) for k in (1, 5, 15, 45)}
    frozen = hl.ThreeWay().on(data, seed=4)
    table = hl.run(models, data, frozen, seed=4, progress=False)
    checked, tested = frozen
    X, y = data.matrix, data.y
    by_hand = {}
    for name, model in models.items():
        fit = model.fit(X[checked.train], y[checked.train])
        by_hand[name] = [np.mean(fit.predict(X[p.test]) != y[p.test]) for p in (checked, tested)]
    chosen = min(by_hand, key=lambda name: by_hand[name][0])
    found = hl.assess(table)
    assert found.selected.model == chosen
    assert found.selected.value == pytest.approx(by_hand[chosen][1])
    n = len(tested.test)
    wilson = estimates.wilson(round(found.selected.value * n), n)
    assert (found.selected.low, found.selected.high) == pytest.approx((wilson.low, wilson.high))
    assert found.selected == replace(
        found[chosen, "error"], notes=found.selected.notes
    )  # as it is: nothing is moved or made longer
    assert estimates.selected(table) == found.selected


@pytest.mark.parametrize("seed", range(3))
def test_test_rows_never_choose(seed: int) -> None:
    table = otherwise(seed * 50)
    by = errors(table, "validation")
    best = min(by, key=by.get)
    for role in ("test", None):
        found = hl.assess(table, role=role).selected
        assert found.model == best
        assert found.value == errors(table, "test")[best]
    tested = table.codes("split") == table.splits.names.index("test")
    swapped = replace(table, y_pred=np.where(tested, 1 - table.y_pred, table.y_pred))
    assert hl.assess(swapped, "error").selected.model == best
    assert hl.assess(swapped, "error").selected.value == pytest.approx(1 - found.value)


def test_an_area_can_be_chosen_by_as_well() -> None:
    table = otherwise()
    part = table.only(role="validation")
    areas = {m: roc_auc_score(part.only(m).y_true, part.only(m).scores) for m in table.models}
    found = hl.assess(table, "auc").selected
    assert found.model == max(areas, key=areas.get)
    assert found == replace(hl.assess(table, "auc")[found.model, "auc"], notes=found.notes)
    assert estimates.selected(table, "auc").value == found.value


def test_threshold_costs_and_shares_hold_for_the_choice_too() -> None:
    table, cost = three_sets(3, "abcdefgh"), np.array([[0.0, 1.0], [7.0, 0.0]])
    part = table.only(role="validation")
    for asked, paid in (
        ({"threshold": 0.8}, [[0, 1], [1, 0]]),
        ({"cost": cost, "threshold": 0.2}, cost),
    ):
        by = {}
        for model in table.models:
            one = part.only(model)
            label = (one.scores >= asked["threshold"]).astype(int)
            by[model] = np.asarray(paid)[one.y_true, label].mean()
        assert hl.assess(table, **asked).selected.model == min(by, key=by.get)
    fixed, by = three_sets(3, "abcdefgh", design="classes"), {}
    for model in fixed.models:
        one = fixed.only(model, role="validation")
        wrong = one.y_true != one.y_pred
        by[model] = 0.9 * wrong[one.y_true == 0].mean() + 0.1 * wrong[one.y_true == 1].mean()
    assert hl.assess(fixed, prevalences={0: 0.9, 1: 0.1}).selected.model == min(by, key=by.get)


def test_of_validation_rows_alone_the_choice_is_corrected() -> None:
    table = three_sets(5)
    found = hl.assess(table, role="validation").selected
    assert found.key == "selected"
    assert found.value != errors(table, "validation")[found.model]


def test_numbers() -> None:
    data = hl.read("sklearn:diabetes")
    models = {f"k={k}": KNeighborsRegressor(k) for k in (1, 7, 30)}
    table = hl.run(models, data, hl.ThreeWay(), seed=2, progress=False)
    part = table.only(role="validation")
    off = {m: np.abs(part.only(m).y_true - part.only(m).y_pred).mean() for m in models}
    found = hl.assess(table)
    assert found.selected.model == min(off, key=off.get)
    assert found.selected.value == found[found.selected.model, "mae"].value


def test_the_value_of_coin_tossers_is_that_of_a_coin() -> None:
    """The best of 20 on its own 60 rows shows .36; on rows that did not choose, .5."""
    found = [hl.assess(three_sets(s, "abcdefghijklmnopqrst"), "error").selected for s in range(30)]
    assert np.mean([one.value for one in found]) == pytest.approx(0.5, abs=0.05)
    assert np.mean([one.low <= 0.5 <= one.high for one in found]) >= 0.8


@pytest.mark.parametrize("what", ["row", "group"])
def test_rows_or_groups_on_both_sides_are_refused(what: str) -> None:
    table = three_sets(group=np.arange(2 * N))
    both = replace(table, **{what: getattr(table, what) % N})
    with pytest.raises(hl.InputError, match=f"same {what}s are to validate and to test"):
        estimates.selected(both)
    found = hl.assess(both, "error")
    assert found.selected is None
    assert "not adjusted for selecting the best of 3 models" in found.summary


def test_without_any_validated_row_nothing_is_chosen() -> None:
    table = three_sets()
    bare = table.where(table.codes("split") == table.splits.names.index("test"))
    assert {one.role for one in bare.splits} == set(ROLES)
    assert hl.assess(bare, "error").selected is None


def test_a_scanned_table_is_chosen_from_alike(tmp_path: Path) -> None:
    table = otherwise()
    table.write(tmp_path / "p.parquet")
    scanned = hl.Predictions.scan(tmp_path / "p.parquet")
    found = hl.assess(scanned, "error")
    memory = hl.assess(table, "error")
    assert (found.selected.model, found.selected.value) == (
        memory.selected.model, memory.selected.value,
    )  # fmt: skip
    assert not any("not corrected" in note for note in found.notes)


# --- what is said of it --------------------------------------------------------------------------


def test_everything_speaks_of_the_model_that_was_chosen() -> None:
    table = otherwise()
    found = hl.assess(table)
    best, shown = found.selected.model, f"{100 * found.selected.value:.1f}%"
    assert found.summary.startswith(f"Best: {best}, error rate {shown} (95% CI ")
    assert "selected among 3 models on validation rows" in found.summary
    material = material_of(table, Options())
    assert material.best == best
    assert material.assessment.headline.words == "selected among 3 models on validation rows"
    worst = min(errors(table, "test"), key=errors(table, "test").get)
    assert material.order[0] == worst != best


def test_combine_recommends_by_validation_rows() -> None:
    from heliast.verbs.combine import combine_table

    names = {"a": "one/B=5", "b": "two/B=5", "c": "base"}
    for seed in range(40):
        table = replace(three_sets(seed), models=tuple(names.values()))
        checked, tested = (errors(table, role) for role in ROLES)
        votes = ("one/B=5", "two/B=5")
        best = min(votes, key=checked.get)
        if best != min(votes, key=tested.get):
            it = combine_table(table)
            assert f"{it.best}/B=5" == best
            assert it.last(it.best).value == tested[best]
            assert it.advice.leader == min(checked, key=checked.get)
            assert it.selected.model == it.recommended
            assert it.selected.value == tested[it.recommended]
            assert "selected among 3 models on validation rows" in it.summary
            assert "as seen" not in it.summary
            return
    raise AssertionError


# --- in one call --------------------------------------------------------


def test_a_search_is_fitted_on_training_rows_alone_and_chosen_like_the_others() -> None:
    data = hl.read("sklearn:iris")
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=3)
    models = {"search": search, "plain": KNeighborsClassifier(50)}
    table = hl.run(models, data, hl.ThreeWay(), seed=1, progress=False)
    by = errors(table, "validation")
    found = hl.assess(table).selected
    assert found.model == min(by, key=by.get)
    _, tested = hl.ThreeWay().on(data, seed=1)
    fit = search.fit(data.matrix[tested.train], data.y[tested.train])
    wrong = np.mean(fit.predict(data.matrix[tested.test]) != data.y[tested.test])
    assert errors(table, "test")["search"] == pytest.approx(wrong)
