import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, precision_score, recall_score

from heliast import Predictions, assess, measures
from heliast.measures.forms import Rate, Undefined
from heliast.measures.summaries import Counted

# Rows = true class.      ham spam
#                    ham   60   20
#                   spam    5   15
TRUTH = ["ham"] * 80 + ["spam"] * 20
LABEL = ["ham"] * 60 + ["spam"] * 20 + ["ham"] * 5 + ["spam"] * 15


def form(name, *columns, class_=None, **more):
    return measures.get(name).form(Counted(Predictions.of(*columns, **more).rows()), class_)


@pytest.fixture
def several():
    rng = np.random.default_rng(5)
    names = np.array(["x", "y", "z", "w"])
    truth = rng.integers(0, 4, 200)
    label = np.where(rng.random(200) < 0.6, truth, rng.integers(0, 4, 200))
    return names[truth], names[label], rng.integers(1, 5, 200)


@pytest.mark.parametrize(
    ("name", "spam", "ham"),
    [
        ("precision", 15 / 35, 60 / 65),
        ("recall", 15 / 20, 60 / 80),
        ("specificity", 60 / 80, 15 / 20),
        ("fpr", 20 / 80, 5 / 20),
        ("fnr", 5 / 20, 20 / 80),
        ("npv", 60 / 65, 15 / 35),
        ("informedness", 15 / 20 + 60 / 80 - 1, 15 / 20 + 60 / 80 - 1),
    ],
)
def test_by_hand(name, spam, ham):
    assert form(name, TRUTH, LABEL).value == pytest.approx(spam)  # the last class is positive
    assert form(name, TRUTH, LABEL, class_="ham").value == pytest.approx(ham)
    assert form(name, TRUTH, LABEL, positive="ham").value == pytest.approx(ham)


def test_a_rate_knows_its_trials():
    found = form("precision", TRUTH, LABEL)
    assert (found.successes, found.trials, found.effective) == (15, 35, 35)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize(
    ("name", "peer"), [("precision", precision_score), ("recall", recall_score)]
)
def test_averages_against_scikit_learn(several, name, peer, average):
    truth, label, weight = several
    expected = peer(truth, label, average=average, sample_weight=weight)
    assert form(f"{name}.{average}", truth, label, weight=weight).value == pytest.approx(expected)


def test_balanced_accuracy_against_scikit_learn(several):
    truth, label, _ = several
    expected = balanced_accuracy_score(truth, label)
    assert form("balanced_accuracy", truth, label).value == pytest.approx(expected)


# --- undefined -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "truth", "label", "reason"),
    [
        ("precision", ["no", "yes"], ["no", "no"], "class 'yes' is never predicted"),
        ("npv", ["no", "yes"], ["yes", "yes"], "class 'yes' is always predicted"),
        ("recall", ["no", "no"], ["no", "yes"], "there is no row of class 'yes'"),
        ("fnr", ["no", "no"], ["no", "yes"], "there is no row of class 'yes'"),
        ("specificity", ["yes", "yes"], ["no", "yes"], "there is no row outside class 'yes'"),
        ("fpr", ["yes", "yes"], ["no", "yes"], "there is no row outside class 'yes'"),
        ("informedness", ["no", "no"], ["no", "yes"], "there is no row of class 'yes'"),
        ("informedness", ["yes", "yes"], ["no", "yes"], "there is no row outside class 'yes'"),
        ("balanced_accuracy", ["no", "no"], ["no", "yes"], "there is no row of class 'yes'"),
    ],
)
def test_undefined_says_why(name, truth, label, reason):
    found = form(name, truth, label)
    assert np.isnan(found.value)
    assert found.reason == reason


def test_a_macro_average_is_undefined_if_one_class_is():
    found = form("precision", ["a", "b", "c"], ["a", "b", "b"])
    assert isinstance(found, Undefined)
    assert found.reason == "class 'c' is never predicted"


def test_a_micro_average_needs_no_class_to_be_predicted():
    truth, label = ["a", "b", "c"], ["a", "b", "b"]
    assert form("precision.micro", truth, label).value == pytest.approx(2 / 3)


def test_a_weighted_average_leaves_out_classes_without_rows():
    truth, label = ["a", "b", "b"], ["a", "c", "b"]
    assert np.isnan(form("recall.macro", truth, label).value)
    assert form("recall.weighted", truth, label).value == pytest.approx(2 / 3)


def test_a_weighted_average_of_a_replicate_that_lost_a_class():
    found = form("recall.weighted", ["a", "b", "c"], ["a", "b", "a"])
    replicate = np.array([[2, 1, 0], [0, 0, 0], [0, 1, 3]])
    assert found.function(replicate) == pytest.approx(5 / 7)


def test_micro_averages_without_meaning_are_refused():
    found = form("specificity.micro", ["a", "b", "c"], ["a", "b", "b"])
    assert found.reason == "a micro average of specificity has no meaning with one label a row"


# --- how rates vary together -----------------------------------------------------------------


@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize(
    "name",
    ["recall", "precision", "specificity", "fpr", "npv", "balanced_accuracy", "informedness"],
)
def test_an_average_knows_that_its_rates_share_rows_or_groups(several, name, grouped):
    # A row of x counts in the specificities of y, z and w; a group holds rows of all classes.
    truth, label, _ = several
    table = Predictions.of(truth, label, group=np.arange(200) % 20 if grouped else None)
    default, delta = (assess(table, name, interval=method) for method in ("auto", "delta"))
    assert default["model", name].method == "centred MOVER of Wilson limits"
    assert default["model", name].se == pytest.approx(delta["model", name].se, rel=1e-6)


def test_groups_make_rows_count_less():
    rng = np.random.default_rng(2)
    group = np.repeat(np.arange(20), 10)
    wrong = np.repeat(rng.random(20) < 0.3, 10)  # whole groups are wrong
    truth = np.arange(200) % 2
    label = np.where(wrong, 1 - truth, truth)
    found = form("error", truth, label, group=group)
    share = np.array([wrong[group == g].sum() for g in range(20)])
    variance = 20 / 19 * ((share - 10 * wrong.mean()) ** 2).sum() / 200**2
    assert isinstance(found, Rate)
    assert found.effective == pytest.approx(wrong.mean() * (1 - wrong.mean()) / variance)
    assert found.effective < 21
    assert found.df == 19


def test_sampling_weights_have_an_effective_size():
    weight = np.array([0.5, 1.5, 2.0, 1.0])
    found = form("error", [0, 1, 0, 1], [0, 1, 1, 1], weight=weight)
    assert found.value == pytest.approx(2 / 5)
    # The error is the heaviest row, so the rate varies more than the weights alone would tell.
    variance = ((weight * (np.array([0, 0, 1, 0]) - 2 / 5)) ** 2).sum() / 5**2
    assert found.effective == pytest.approx(2 / 5 * 3 / 5 / variance)
    assert found.effective < 5**2 / (weight**2).sum()


# --- class counts fixed by design ------------------------------------------------------------


def test_shares_of_the_population_weigh_the_classes():
    rows = Predictions.of(TRUTH, LABEL, design="classes").rows()
    counted = Counted(rows, {"ham": 0.99, "spam": 0.01})
    accuracy = 0.99 * 60 / 80 + 0.01 * 15 / 20
    assert measures.get("accuracy").form(counted).value == pytest.approx(accuracy)
    precision = 0.01 * 0.75 / (0.01 * 0.75 + 0.99 * 0.25)
    assert measures.get("precision").form(counted).value == pytest.approx(precision)
    assert measures.get("recall").form(counted).value == pytest.approx(0.75)


def test_without_shares_only_rates_within_a_class_are_defined():
    for name in ("recall", "specificity", "fpr", "fnr", "balanced_accuracy", "informedness"):
        assert np.isfinite(form(name, TRUTH, LABEL, design="classes").value), name
    for name in ("error", "precision", "npv", "f1", "kappa", "mcc", "recall.weighted"):
        found = form(name, TRUTH, LABEL, design="classes")
        assert np.isnan(found.value), name
        assert "give prevalences=" in found.reason, name


def test_a_class_without_rows_cannot_be_weighed():
    rows = Predictions.of(["a", "a"], ["a", "b"], design="classes").rows()
    counted = Counted(rows, {"a": 0.5, "b": 0.5})
    for name in ("accuracy", "kappa", "expected_cost"):
        parameters = {"cost": [[0, 1], [1, 0]]} if name == "expected_cost" else {}
        found = measures.get(name, **parameters).form(counted)
        assert np.isnan(found.value), name
        assert found.reason == "a class of the given prevalences has no rows", name
