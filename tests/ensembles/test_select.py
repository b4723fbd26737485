"""A vote chosen from predictions: weights against twins; no row chooses for itself."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from tests.naive import selecting

import heliast as hl
from heliast import InputError, NotEnoughData, Predictions
from heliast.ensembles import majority, select
from heliast.ensembles._tables import Folds, greedy, stacked


def joined(truth, said, **more):
    """One table; `said` has labels, or scores where these are given as two columns and more."""
    tables = []
    for name, one in said.items():
        one = np.asarray(one)
        given = {"y_score": one} if one.ndim == 2 else {"y_pred": one}
        tables.append(Predictions.of(truth, **given, model=name, **more))
    return tables[0].join(*tables[1:])


def forecasts(n=90, models=4, seed=0, k=3, noise=1.2):
    """Truth and probabilities of models that err apart from each other, the first ones less."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    said = {}
    for at in range(models):
        z = rng.normal(0, noise + 0.2 * at, (n, k))
        z[np.arange(n), truth] += 1.5
        e = np.exp(z)
        said[f"m{at}"] = e / e.sum(axis=1, keepdims=True)
    return truth, said


def numbers(n=80, models=3, seed=1):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=n)
    return truth, {f"m{at}": truth + rng.normal(0, 0.5 + 0.3 * at, n) for at in range(models)}


# --- weights -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 3, 25])
def test_greedy_selection_is_that_of_its_authors(seed, size):
    truth, said = forecasts(60, 5, seed)
    target = np.eye(3)[truth]
    answers = np.stack(list(said.values()), axis=-1)

    def wrong(votes):
        return np.array([((answers @ vote).argmax(axis=1) != truth).sum() for vote in votes])

    twin = selecting.greedy(list(said.values()), target, size)
    errors = answers - target[:, :, None]
    np.testing.assert_allclose(greedy(errors, wrong, size), twin, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_stacked_weights_are_the_best_there_are(seed):
    """No model with weight can be exchanged for another with gain (Kuhn and Tucker)."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(4 + 3 * seed, 7))
    products = root.T @ root
    weights = stacked(root[:, None, :])
    assert weights.min() >= 0
    assert weights.sum() == pytest.approx(1)
    slope, level = products @ weights, weights @ products @ weights
    assert (slope >= level - 1e-9 * products.max()).all()
    np.testing.assert_allclose(slope[weights > 0], level, atol=1e-9 * products.max())


def test_equal_models_and_models_that_never_err():
    truth, said = forecasts(60, 2)
    twice = joined(truth, {"a": said["m0"], "b": said["m0"]})
    for method in ("greedy", "stacked"):
        assert sum(select(twice, method).weights.values()) == pytest.approx(1)
    sure = np.eye(3)[truth]
    never = select(joined(truth, {"a": sure, "b": sure}))
    assert never.weights == {"a": 0.5, "b": 0.5}
    one = select(joined(truth, {"a": said["m1"], "b": sure}), "stacked")
    assert one.weights["b"] == pytest.approx(1)


def test_all_rows_choose_the_weights_that_are_given():
    truth, said = forecasts(90, 4)
    found = select(joined(truth, said))
    twin = selecting.greedy(list(said.values()), np.eye(3)[truth], 50)
    np.testing.assert_allclose(list(found.weights.values()), twin, atol=1e-12)
    assert found.by_fold.shape == (10, 4)


def test_rows_that_count_twice_choose_twice():
    truth, said = forecasts(40, 3, seed=4)
    count = np.arange(40) % 3 + 1
    copies = np.repeat(np.arange(40), count)
    weighed = select(joined(truth, said, weight=count, weights="frequency"))
    repeated = select(joined(truth[copies], {m: p[copies] for m, p in said.items()}))
    for model, weight in weighed.weights.items():
        assert weight == pytest.approx(repeated.weights[model])


# --- no row chooses for itself -----------------------------------------------------------------


def changed(table, rows):
    """The table with other truths in these rows of the data, for every model."""
    there = np.isin(table.row, rows)
    if table.task == "regression":
        truth = np.where(there, table.y_true + 10 + np.sin(table.row), table.y_true)
    else:
        other = (table.y_true + 1 + table.row % 2) % 3
        truth = np.where(there, other, table.y_true).astype(table.y_true.dtype)
    return replace(table, y_true=truth)


def said_of(found, name, rows):
    part = found.predictions.only(name)
    return part.y_pred[np.isin(part.row, rows)]


def unmoved(table, rows, **options):
    """Whether the truth of some rows moves nothing of what is said of these, but something else."""
    before, after = select(table, **options), select(changed(table, rows), **options)
    same = all(
        np.array_equal(said_of(before, name, rows), said_of(after, name, rows))
        for name in ("vote", "best single")
    )
    return same and before.weights != after.weights


def test_splits_are_judged_by_weights_of_other_splits():
    truth, said = forecasts(90, 4)
    split = np.arange(90) % 3
    table = joined(truth, said, split=split, row=range(90))
    assert all(unmoved(table, np.flatnonzero(split == at)) for at in range(3))


def test_a_row_does_not_choose_for_itself_in_another_repeat():
    truth, said = forecasts(60, 3)
    rng = np.random.default_rng(0)
    place = np.concatenate([rng.permutation(60) % 3, 3 + rng.permutation(60) % 3])
    row = np.tile(np.arange(60), 2)
    twice = {m: np.concatenate([p, p[::-1]]) for m, p in said.items()}
    table = joined(np.tile(truth, 2), twice, split=place, row=row)
    for at in range(6):
        rows = row[place == at]
        before, after = select(table), select(changed(table, rows))
        for name in ("vote", "best single"):
            one, other = (f.predictions.only(name, split=at).y_pred for f in (before, after))
            np.testing.assert_array_equal(one, other)


def test_groups_do_not_choose_for_their_own():
    truth, said = numbers(80)
    group = np.arange(80) // 4
    table = joined(truth, said, row=range(80), group=group, task="regression")
    assert all(unmoved(table, np.flatnonzero(group == at)) for at in (0, 7, 19))


def test_one_test_set_is_dealt_in_folds():
    truth, said = numbers(80)
    table = joined(truth, said, row=range(80), task="regression")
    assert all(unmoved(table, [row]) for row in range(0, 80, 9))
    assert select(table, folds=4).by_fold.shape == (4, 3)
    labels = joined(*forecasts(90), row=range(90))
    assert select(labels, seed=1).by_fold.tolist() != select(labels, seed=2).by_fold.tolist()
    assert select(labels, seed=1).predictions.equals(select(labels, seed=1).predictions)


def test_folds_have_the_shares_of_the_classes():
    truth = np.repeat([0, 1], [80, 10])
    rng = np.random.default_rng(0)
    said = {m: truth ^ (rng.random(90) < 0.2) for m in "abc"}
    apart = Folds(joined(truth, said).only("a"), 10, 0)
    assert all(truth[judged].sum() == 1 for judged, _ in apart)


def test_splits_that_test_the_same_rows_are_dealt():
    """Two seeds on one test set: no row of the other split may choose for its own."""
    truth, said = numbers(40)
    place, row = np.repeat([0, 1], 40), np.tile(np.arange(40), 2)
    table = joined(
        np.tile(truth, 2), {m: np.tile(p, 2) for m, p in said.items()}, split=place, row=row,
        task="regression",
    )  # fmt: skip
    assert unmoved(table, [3])
    assert select(table).by_fold.shape == (10, 3)


def test_validation_rows_choose_where_there_are_some():
    truth, said = forecasts(90, 4)
    place = np.where(np.arange(90) < 45, "validation", "test")
    found = select(joined(truth, said, split=place, row=range(90)))
    alone = select(joined(truth[:45], {m: p[:45] for m, p in said.items()}))
    assert found.weights == alone.weights
    assert len(found.predictions.only("vote")) == 45
    assert found.predictions.only("vote").row.min() == 45
    assert any("validation rows" in note for note in found.predictions.notes)


def test_in_order_of_time_earlier_rows_choose():
    truth, said = numbers(80)
    table = joined(truth, said, row=range(80), time=np.arange(80), task="regression")
    before, after = select(table), select(changed(table, np.arange(40, 80)))
    early = np.arange(40)
    assert np.array_equal(said_of(before, "vote", early), said_of(after, "vote", early))
    assert before.by_fold[0].tolist() == pytest.approx([1 / 3] * 3)
    assert before.weights != after.weights


# --- what is made of it ------------------------------------------------------------------------


def test_the_table_has_the_vote_the_best_single_model_and_the_plain_votes(blobs):
    X, y, *_ = blobs
    models = {"bayes": GaussianNB(), "line": LogisticRegression(), "tree": DecisionTreeClassifier()}
    table = hl.run(models, (X, y), 5, seed=1)
    found = select(table)
    made = found.predictions
    assert made.models == ("vote", "best single", "majority", "mean")
    plain = majority(majority(table), [*models], kind="soft", name="mean")
    for name, twin in {"majority": "vote", "mean": "mean"}.items():
        one = plain.only(twin)
        order = np.argsort(one.row, kind="stable")
        mine = made.only(name)
        mine_order = np.argsort(mine.row, kind="stable")
        np.testing.assert_array_equal(mine.y_pred[mine_order], one.y_pred[order])
        np.testing.assert_allclose(mine.scores[mine_order], one.scores[order])
    both = made.join(table)
    assert hl.compare(both, "error")["best single", found.best].value is not None
    assert hl.assess(made, "log_loss")["vote", "log_loss"].defined
    assert hl.gate(made, "error(vote - majority).high <= 0.5").exit_code == 0
    for split, weights in enumerate(found.by_fold):
        part = made.only("vote", split=split)
        own = majority(table.only(split=split), weights=weights.tolist(), kind="soft").only("vote")
        order, other = np.argsort(part.row), np.argsort(own.row)
        np.testing.assert_array_equal(part.y_pred[order], own.y_pred[other])


def test_the_report_takes_it(tmp_path):
    found = select(joined(*forecasts(60, 3), row=range(60)))
    page = hl.report(found.predictions, tmp_path / "report.html")
    assert "best single" in page.read_text()


def test_new_predictions_are_voted_on():
    truth, said = forecasts(60, 3)
    found = select(joined(truth, said))
    new, told = forecasts(30, 3, seed=9)
    vote = found.vote(joined(new, told)).only("vote")
    mean = sum(w * told[m] for m, w in found.weights.items())
    np.testing.assert_allclose(vote.scores, mean)


def test_numbers():
    truth, said = numbers()
    table = joined(truth, said, task="regression")
    for method in ("greedy", "stacked"):
        found = select(table, method)
        assert found.predictions.models == ("vote", "best single", "mean")
        assert found.kind == "mean"
        mean = np.mean(list(said.values()), axis=0)
        np.testing.assert_allclose(found.predictions.only("mean").y_pred, mean)
        mse = hl.assess(found.predictions, "mse")
        assert mse["vote", "mse"].value < mse["best single", "mse"].value


def test_labels_alone_are_weighed_as_labels():
    truth, said = forecasts(90, 3)
    label = {m: p.argmax(axis=1) for m, p in said.items()}
    found = select(joined(truth, label))
    assert found.kind == "hard"
    assert found.predictions.models == ("vote", "best single", "majority")
    mixed = joined(truth, {**said, "m2": label["m2"]})
    noted = select(mixed)
    assert noted.kind == "hard"
    assert any("no probabilities of m2" in note for note in noted.predictions.notes)
    assert select(mixed, models=["m0", "m1"]).kind == "soft"


def test_the_best_single_model_keeps_its_own_labels():
    """Its labels were decided by a threshold, not by the largest probability."""
    rng = np.random.default_rng(0)
    truth = (rng.random(200) < 0.2).astype(int)
    score = np.clip(0.25 * truth + rng.uniform(0, 0.3, 200), 0, 1)
    one = Predictions.of(truth, y_score=score, model="a", scores="probability").decided(0.25)
    two = Predictions.of(truth, y_score=1 - score, model="b", scores="probability")
    found = select(one.join(two))
    np.testing.assert_array_equal(found.predictions.only("best single").y_pred, one.y_pred)


def test_stages_of_a_vote_are_left_out():
    truth, said = forecasts(60, 3)
    table = joined(truth, said)
    table = replace(table, meta=replace(table.meta, stages={"m2": "m0"}))
    assert [*select(table).weights] == ["m0", "m1"]


def test_a_judge_chooses_the_best_single_model():
    truth, said = forecasts(90, 3)
    table = joined(truth, said)
    worst = select(table, judge=lambda part: -np.mean(part.y_pred != part.y_true))
    wrong = {m: np.mean(p.argmax(axis=1) != truth) for m, p in said.items()}
    assert worst.best == max(wrong, key=wrong.get)


# --- what cannot be ----------------------------------------------------------------------------


def test_what_is_refused():
    truth, said = forecasts(60, 3)
    table = joined(truth, said, row=range(60))
    for options, words in (
        ({"method": "bogus"}, "choose 'greedy' or 'stacked'"),
        ({"size": 0}, "size=0"),
        ({"folds": 1}, "folds=1"),
        ({"models": ["m0"]}, r"one model \(m0\)"),
        ({"models": ["m0", "x"]}, "no model named 'x'"),
        ({"kind": "median"}, "kind='median'"),
    ):
        with pytest.raises(InputError, match=words):
            select(table, **options)
    with pytest.raises(InputError, match="expected Predictions"):
        select([1, 2])
    bare = joined(truth, {**said, "m2": said["m2"].argmax(axis=1)})
    with pytest.raises(InputError, match="these have none: m2"):
        select(bare, "stacked")
    with pytest.raises(InputError, match="these have none: m2"):
        select(bare, kind="soft")


def test_rows_that_some_model_lacks():
    truth, said = forecasts(60, 2)
    one = Predictions.of(truth, y_score=said["m0"], model="a", row=range(60))
    other = Predictions.of(truth[:50], y_score=said["m1"][:50], model="b", row=range(50))
    with pytest.raises(InputError, match="not among the rows"):
        one.join(other)
    found = select(one.join(other, common_rows=True))
    assert len(found.predictions.only("vote")) == 50
    partly = Predictions.of([0, 1, 0], [0, 1, 0], model=["a", "a", "b"], row=[0, 1, 0])
    with pytest.raises(InputError, match="common_rows"):
        select(partly)


def test_rows_without_names_in_repeated_splits():
    truth, said = forecasts(60, 2)
    place = np.arange(60) % 4
    table = joined(truth, said, split=place)
    assert select(table).by_fold.shape == (4, 2)
    records = [replace(one, repeat=one.split // 2) for one in table.splits]
    repeated = replace(table, splits=type(table.splits)(tuple(records)))
    with pytest.raises(InputError, match="splits are repeated"):
        select(repeated)


def test_one_row_and_one_group():
    with pytest.raises(NotEnoughData, match="one row"):
        select(joined([0], {"a": [0], "b": [1]}, classes=[0, 1]))
    truth, said = forecasts(30, 2)
    with pytest.raises(NotEnoughData, match="one group"):
        select(joined(truth, said, group=np.zeros(30, int)))


# --- whether the error it tells is true --------------------------------------------------------


def coins(n, seed, models=15, fresh=4000):
    """Labels of models that are right on 0.6 to 0.65 of the rows, on n rows and on many others."""
    rng = np.random.default_rng(seed)
    share = np.linspace(0.6, 0.65, models)
    truth = rng.integers(0, 2, n + fresh)
    said = {
        f"m{at}": truth ^ (rng.random(n + fresh) > one).astype(int) for at, one in enumerate(share)
    }
    parts = [slice(0, n), slice(n, None)]
    return [joined(truth[part], {m: p[part] for m, p in said.items()}) for part in parts]


def test_its_error_is_honest_where_that_of_the_same_rows_is_not():
    """Mean difference from the true error over many draws: 0, but far below 0 on the same rows."""
    honest, naive = [], []

    def error(part):
        return float(np.mean(part.y_pred != part.y_true))

    for seed in range(100):
        table, new = coins(50, seed)
        found = select(table)
        both = [found.vote(part) for part in (table, new)]
        names = {"vote": "vote", "best single": found.best}
        true = [error(both[1].only(name)) for name in names.values()]
        honest.append(np.subtract([error(found.predictions.only(name)) for name in names], true))
        naive.append(np.subtract([error(both[0].only(name)) for name in names.values()], true))
    se = [np.std(one, axis=0) / np.sqrt(len(one)) for one in (honest, naive)]
    assert (np.abs(np.mean(honest, axis=0)) < 3 * se[0]).all()
    assert (np.mean(naive, axis=0) < -4 * se[1]).all()
