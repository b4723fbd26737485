"""Bias and variance: worked by hand, slow twins, identities, what is refused."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.theory import naive
from tests.theory.conftest import from_shares, numbered, voted

import heliast as hl
from heliast.theory import bias_variance, definitions, every_definition

ZERO_ONE = definitions("zero_one")
FAST = {"replicates": 20}


def approx(value):
    return pytest.approx(value, abs=1e-12)


# --- the thesis -----------------------------------------------------------------------------------


def test_thesis_3_3_1():
    posterior = [[0.5, 0.4, 0.1]] * 2
    labels = from_shares([[0.4, 0.5, 0.1], [0.1, 0.5, 0.4]])
    found = bias_variance(voted(labels, [0, 0], (0, 1, 2)), posteriors=posterior)
    rows = found.rows["model"]
    assert rows["loss"].tolist() == [approx(0.59), approx(0.71)]
    assert (rows["noise"] + rows["systematic_effect"]).tolist() == [approx(0.6)] * 2
    assert rows["variance_effect"].tolist() == [approx(-0.01), approx(0.11)]
    assert rows["variance"].tolist() == [approx(0.5)] * 2
    assert rows["systematic_effect"].tolist() == [approx(0.1)] * 2
    assert rows["bias"].tolist() == [1, 1]


@pytest.mark.parametrize("a", [0.1, 0.5, 1.0, 1.9])
def test_thesis_3_3_2(a):
    posterior = [[a / 4, 1 / 2, (2 - a) / 4]]
    found = bias_variance(voted([[2], [2], [2]], [0], (0, 1, 2)), "absolute", posteriors=posterior)
    assert found["systematic_effect"].value == approx(a / 2)
    assert found["bias"].value == 1
    assert found["variance"].value == found["variance_effect"].value == 0
    assert found["noise"].value == approx(1 / 2)


def test_variance_of_breiman_is_negative_for_nobody_and_of_dietterich_where_bias_is():
    posterior = [[0.2, 0.8]]
    table = voted(from_shares([[0.7, 0.3]]), [1], ("a", "b"))
    found = every_definition(table, posteriors=posterior, **FAST)
    assert found["kong_dietterich"]["bias"].value == 1
    assert found["kong_dietterich"]["variance"].value == approx(0.62 - 1)
    assert found["breiman"]["bias"].value == approx(0.62 - 0.2)
    assert found["breiman"]["variance"].value == 0


# --- slow twins and identities --------------------------------------------------------------------


def laws(k, least=0):
    weights = st.lists(st.integers(least, 20), min_size=k, max_size=k).filter(any)
    return weights.map(lambda w: [one / sum(w) for one in w])


@st.composite
def tasks(draw):
    k, n = draw(st.integers(2, 5)), draw(st.integers(1, 6))
    T = draw(st.integers(2, 12))
    posterior = draw(st.lists(laws(k), min_size=n, max_size=n))
    votes = st.lists(st.integers(0, k - 1), min_size=n, max_size=n)
    labels = np.array(draw(st.lists(votes, min_size=T, max_size=T)))
    return k, posterior, labels


@given(tasks())
def test_every_definition_is_its_twin_and_adds_up(task):
    k, posterior, labels = task
    table = voted(labels, [0] * labels.shape[1], tuple(range(k)))
    answers = list(range(k))
    twins = [
        naive.zero_one(dict(enumerate(law)), labels[:, i].tolist(), answers)
        for i, law in enumerate(posterior)
    ]
    for name, found in every_definition(table, posteriors=posterior, **FAST).items():
        rows = found.rows["model"]
        for i, twin in enumerate(twins):
            for part, value in twin[name].items():
                assert rows[part][i] == approx(value), (name, part)
            assert sum(rows[part][i] for part in found.adding) == approx(twin["james"]["loss"])
        for part, value in naive.overall([twin[name] for twin in twins]).items():
            assert found[part].value == approx(value)
        assert found.deviation <= 1e-12


@given(tasks())
def test_without_posteriors_noise_is_inside(task):
    k, _, labels = task
    truth = np.arange(labels.shape[1]) % k
    table = voted(labels, truth, tuple(range(k)))
    error = np.mean(labels != truth)
    for name in ZERO_ONE:
        found = bias_variance(table, definition=name, **FAST)
        assert found["loss"].value == approx(error)
        parts = [found[part] for part in found.adding]
        assert sum(one.value for one in parts if one.defined) == approx(error)
        assert not found.noise_known
        assert any("noise inside bias" in note for note in found.notes)
        if "noise" in found.parts:
            assert math.isnan(found["noise"].value)
            assert "not identifiable" in found["noise"].reason


@given(tasks())
def test_two_classes_without_ties_give_dietterich_the_bias_of_james(task):
    k, posterior, labels = task
    if k != 2:
        return
    found = every_definition(
        voted(labels, [0] * labels.shape[1], (0, 1)), posteriors=posterior, **FAST
    )
    james, kong = found["james"].rows["model"], found["kong_dietterich"].rows["model"]
    clear = np.abs(james["loss"] - 0.5) > 1e-9
    assert (james["bias"] == kong["bias"])[clear].all()


@given(tasks(), st.integers(0, 2**32 - 1))
def test_any_matrix_of_losses(task, seed):
    k, posterior, labels = task
    cost = np.random.default_rng(seed).integers(0, 9, (k, k)).astype(float)
    np.fill_diagonal(cost, 0)

    def loss(truth, label):
        return cost[truth, label]

    table = voted(labels, [0] * labels.shape[1], tuple(range(k)))
    found = bias_variance(table, loss, posteriors=posterior, **FAST)
    for i, law in enumerate(posterior):
        twin, *_ = naive.decompose(
            dict(enumerate(law)), labels[:, i].tolist(), list(range(k)), loss
        )
        for part in ("loss", "noise", "systematic_effect", "variance_effect", "bias", "variance"):
            assert found.rows["model"][part][i] == pytest.approx(twin[part], abs=1e-9), part


@given(tasks())
def test_squared_loss_of_numbered_classes(task):
    k, posterior, labels = task
    values = np.linspace(-1, 1, k)
    table = voted(labels, [0] * labels.shape[1], tuple(values.tolist()))
    law = np.array(posterior)
    found = bias_variance(table, "squared", "classical", posterior, unbiased=False, **FAST)
    rows = found.rows["model"]
    chosen = values[labels]
    mean = law @ values
    assert rows["noise"] == approx((law * (values - mean[:, None]) ** 2).sum(axis=1))
    assert rows["bias"] == approx((chosen.mean(axis=0) - mean) ** 2)
    assert rows["variance"] == approx(chosen.var(axis=0))
    james = bias_variance(table, "squared", "james", posterior, **FAST).rows["model"]
    for effect, part in (("systematic_effect", "bias"), ("variance_effect", "variance")):
        assert james[effect] == approx(rows[part])
        assert james[part] == approx(rows[part])


def test_chapter_squared_loss_is_four_times_zero_one():
    rng = np.random.default_rng(1)
    labels = rng.integers(0, 2, (9, 30))
    table = voted(labels, rng.integers(0, 2, 30), (-1, 1))
    squared = bias_variance(table, "squared", "classical", **FAST)
    error = bias_variance(table, **FAST)
    assert squared["loss"].value == approx(4 * error["loss"].value)


def test_unbiased_forms_do_not_depend_on_the_number_of_splits():
    """Means over many draws of T splits from one law: the plain bias depends on T."""
    rng = np.random.default_rng(2)
    law, share = [[0.6, 0.3, 0.1]] * 4000, [0.5, 0.3, 0.2]
    found = {}
    for T in (3, 30):
        labels = rng.choice(3, size=(T, 4000), p=share)
        table = voted(labels, [0] * 4000, (0, 1, 2))
        for unbiased in (True, False):
            one = bias_variance(
                table, definition="kohavi_wolpert", posteriors=law, unbiased=unbiased, **FAST
            )
            found[T, unbiased] = one["bias"].value, one["variance"].value
    bias = sum((p - q) ** 2 for p, q in zip(law[0], share, strict=True)) / 2
    variance = (1 - sum(p * p for p in share)) / 2
    for T in (3, 30):
        assert found[T, True] == pytest.approx((bias, variance), abs=0.01)
    assert found[3, False][0] > bias + 0.08


# --- numbers --------------------------------------------------------------------------------------


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_numbers(seed, even):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(8 if even else 7, 5)) * 10
    truth = rng.normal(size=5)
    table = numbered(values, truth)
    squared = bias_variance(table, "squared", "classical", unbiased=False, **FAST).rows["model"]
    assert squared["bias"] == approx((values.mean(axis=0) - truth) ** 2)
    assert squared["variance"] == approx(values.var(axis=0))
    absolute = bias_variance(table, "absolute", **FAST).rows["model"]
    median = np.median(values, axis=0)
    assert absolute["bias"] == approx(np.abs(median - truth))
    assert absolute["variance"] == approx(np.abs(values - median).mean(axis=0))
    assert absolute["loss"] == approx(np.abs(values - truth).mean(axis=0))
    own = bias_variance(table, lambda a, b: np.abs(a - b), **FAST).rows["model"]
    # The best of a row's own predictions is a median too.
    assert own["variance"] == approx(absolute["variance"])


def test_numbers_with_known_noise():
    rng = np.random.default_rng(3)
    mean = rng.normal(size=40)
    values = mean + 0.5 + 0.3 * rng.normal(size=(200, 40))
    table = numbered(values, mean + rng.normal(size=40))
    found = bias_variance(table, "squared", "classical", (mean, 1.0))
    assert found["noise"].value == 1
    assert found["bias"].value == pytest.approx(0.25, abs=0.03)
    assert found["variance"].value == pytest.approx(0.09, abs=0.01)
    with pytest.raises(hl.InputError, match="as a pair"):
        bias_variance(table, "squared", "classical", mean)
    with pytest.raises(hl.InputError, match="serve loss='squared' only"):
        bias_variance(table, "absolute", posteriors=(mean, 1.0))


# --- which rows, which splits ---------------------------------------------------------------------


def test_only_rows_that_were_not_trained_on():
    labels = np.array([[0, 1], [0, 0], [1, 1]])
    table = voted(labels, [0, 1], (0, 1), in_train=[0, 0, 1, 0, 0, 0])
    rows = bias_variance(table, **FAST).rows["model"]
    assert rows.count.tolist() == [2, 3]
    assert rows["loss"].tolist() == [0.5, approx(1 / 3)]


def test_rows_of_unequal_counts_count_once():
    labels = np.array([[0, 1, 0], [0, -1, 1], [0, -1, 1], [1, 0, -1], [-1, -1, 0]])
    found = bias_variance(voted(labels, [0, 0, 0], (0, 1)), **FAST)
    assert found.rows["model"].count.tolist() == [4, 2, 4]
    assert found["loss"].value == approx((1 / 4 + 1 / 2 + 1 / 2) / 3)
    assert any("predicted 2 to 4 times" in note for note in found.notes)
    assert any("votes tie at 2 rows" in note for note in found.notes)
    assert any("another data set" in note for note in found.notes)


def test_rows_predicted_once_are_left_out_and_counted():
    labels = np.array([[0, 1], [0, -1]])
    found = bias_variance(voted(labels, [0, 0], (0, 1)), **FAST)
    assert found.rows["model"].row.tolist() == [0]
    assert any("1 rows predicted only once" in note for note in found.notes)


def test_weights_and_groups():
    rng = np.random.default_rng(4)
    labels = rng.integers(0, 2, (6, 40))
    truth = np.zeros(40, int)
    times = rng.integers(1, 4, 40)
    weighed = bias_variance(
        voted(labels, truth, (0, 1), weight=np.tile(times, 6), weights="frequency"), **FAST
    )
    spelled = bias_variance(
        voted(np.repeat(labels, times, axis=1), np.repeat(truth, times), (0, 1)), **FAST
    )
    for part in weighed.parts:
        if part != "noise":
            assert weighed[part].value == approx(spelled[part].value)
            assert weighed[part].se == pytest.approx(spelled[part].se, rel=1e-9)
    alone = bias_variance(voted(labels, truth, (0, 1)), **FAST)
    group = np.tile(np.arange(40), 6)
    grouped = bias_variance(voted(labels, truth, (0, 1), group=group), **FAST)
    assert grouped["loss"].se == pytest.approx(alone["loss"].se, rel=1e-9)
    few = bias_variance(voted(labels, truth, (0, 1), group=group % 3), **FAST)
    assert math.isnan(few["loss"].low)
    assert "only 3 groups" in few["loss"].reason


def test_names_of_rows_and_order_do_not_matter():
    rng = np.random.default_rng(5)
    labels, truth = rng.integers(0, 3, (7, 20)), rng.integers(0, 3, 20)
    table = voted(labels, truth, ("a", "b", "c"))
    order = rng.permutation(len(table))
    named = hl.Predictions.of(
        [table.classes[code] for code in table.y_true[order]],
        [table.classes[code] for code in table.y_pred[order]],
        classes=table.classes,
        row=[f"r{row:02d}" for row in table.row[order]],
        split=table.split_code[order],
    )
    one, other = bias_variance(table, **FAST), bias_variance(named, **FAST)
    for part in one.parts:
        if part != "noise":
            assert one[part].value == approx(other[part].value)


# --- posteriors -----------------------------------------------------------------------------------


class True_:  # noqa: N801
    """The Bayes classifier of a task, as a model."""

    def __init__(self, task=None):
        self.task = task

    def get_params(self, deep=True):
        return {"task": self.task}

    def set_params(self, **_):
        return self

    def fit(self, X, y):
        self.classes_ = np.array(self.task.classes)
        return self

    def predict_proba(self, X):
        return self.task.posteriors(X)

    def predict(self, X):
        return self.task.bayes_labels(X)


@pytest.fixture(scope="module")
def simulated():
    from sklearn.naive_bayes import GaussianNB

    from heliast.data import simulate

    task = simulate.gaussian_classes(4, spread=2.0, seed=1)
    data = task.sample(80, seed=2)
    models = {"nb": GaussianNB(), "bayes": True_(task)}
    return data, hl.run(models, data, hl.Fresh(12, 40), seed=3, progress=False)


def test_the_model_bayes_holds_the_posteriors(simulated):
    data, table = simulated
    found = bias_variance(table, **FAST)
    assert found.models == ("nb",)
    assert found.noise_known
    same = bias_variance(table.only("nb"), posteriors=data.posteriors, **FAST)
    named = bias_variance(table, posteriors="bayes", **FAST)
    for part in found.parts:
        assert found[part].value == approx(same[part].value)
        assert named[part].value == approx(same[part].value)
    assert found["noise"].value == approx((1 - data.posteriors.max(axis=1)).mean())


def test_a_trained_model_called_bayes_is_not_believed(simulated):
    from sklearn.naive_bayes import GaussianNB

    data, _ = simulated
    models = {"bayes": GaussianNB(), "other": GaussianNB(var_smoothing=0.1)}
    table = hl.run(models, data, hl.Fresh(5, 40), progress=False)
    found = bias_variance(table, **FAST)
    assert found.models == ("bayes", "other")
    assert not found.noise_known
    assert any("not taken for the true posteriors" in note for note in found.notes)
    with pytest.raises(hl.InputError, match="differ between splits"):
        bias_variance(table, posteriors="bayes")


def test_wrong_posteriors_are_refused():
    table = voted([[0, 1], [1, 1]], [0, 1], (0, 1))
    for wrong, words in (
        ([[0.5, 0.5]], "names row 1"),
        ([[0.5, 0.4], [1, 0]], "no probabilities that add up to 1"),
        ([[1.5, -0.5], [1, 0]], "no probabilities that add up to 1"),
        ([[1.0], [1.0]], "one column a class"),
    ):
        with pytest.raises(hl.InputError, match=words):
            bias_variance(table, posteriors=wrong)


# --- refusals and views ---------------------------------------------------------------------------


def test_refusals_say_what_to_do():
    table = voted([[0, 1], [1, 1]], [0, 1], ("a", "b"))
    for options, words in (
        ({"loss": "hinge"}, "choose one of zero_one, squared, absolute"),
        ({"definition": "james2"}, "choose one of"),
        ({"loss": "squared"}, "classes are names"),
        ({"definition": "classical"}, "for squared loss only"),
        ({"level": 95}, "level"),
    ):
        with pytest.raises(hl.InputError, match=words):
            bias_variance(table, **options)
    with pytest.raises(hl.NotEnoughData, match="no row is predicted by two splits"):
        bias_variance(hl.Predictions.of([0, 1], [0, 1], row=[0, 1]))
    with pytest.raises(hl.InputError, match="no row column"):
        bias_variance(hl.Predictions.of([0, 1], [0, 1]))
    with pytest.raises(hl.InputError, match="is for classes"):
        bias_variance(numbered([[1.0], [2.0]], [1.0]))


def test_varied_splits_are_no_variance():
    from sklearn.naive_bayes import GaussianNB

    plan = hl.LearningCurve(hl.KFold(3, repeats=2), shares=(0.5, 1.0))
    table = hl.run({"nb": GaussianNB()}, hl.read("sklearn:iris"), plan, progress=False)
    with pytest.raises(hl.InputError, match="differ in training share"):
        bias_variance(table)


def test_views():
    rng = np.random.default_rng(6)
    labels, truth = rng.integers(0, 2, (9, 25)), rng.integers(0, 2, 25)
    table = voted(labels, truth, ("<b>a", "b"), model="<script>alert(1)</script>")
    found = bias_variance(table)
    kept = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert kept["definition"] == "James"
    assert len(found.to_frame()) == len(found) == 6
    assert len(found.rows[found.models[0]].to_frame("pandas")) == 25
    assert "<script>" not in found._repr_html_()
    text = str(found)
    assert max(map(len, text.splitlines())) <= 80
    assert f"adds up to {found['loss'].value:.3f}" in " ".join(text.split())
    with pytest.raises(KeyError, match="no part 'noize'"):
        found["noize"]
    with pytest.raises(KeyError, match="no model named 'x'"):
        found["x", "bias"]


def test_several_models():
    rng = np.random.default_rng(7)
    labels, truth = rng.integers(0, 2, (9, 25)), rng.integers(0, 2, 25)
    table = voted(labels, truth, ("a", "b"), model="m0")
    for at in range(1, 5):
        table = table.join(voted((labels + (at == 2)) % 2, truth, ("a", "b"), model=f"m{at}"))
    found = bias_variance(table, **FAST)
    assert len(found.models) == 5
    assert found["m2", "loss"].value == approx(1 - found["m1", "loss"].value)
    assert max(map(len, str(found).splitlines())) <= 80
    with pytest.raises(hl.InputError, match="several models"):
        found["loss"]


def test_same_seed_same_answer():
    rng = np.random.default_rng(8)
    table = voted(rng.integers(0, 2, (9, 25)), rng.integers(0, 2, 25), ("a", "b"))
    one, again = bias_variance(table, seed=1), bias_variance(table, seed=1)
    assert one["loss"] == again["loss"]
    assert one["variance"].low == again["variance"].low
