"""What every measure keeps to, whichever it is: loops over the registry, no list of names."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contracts.tables import Table, class_tables, few, measured, name, ready, same, tables

from heliast import InputError, Predictions, estimates, measures
from heliast.measures.forms import Undefined
from heliast.measures.summaries import Counted

EVERY = pytest.mark.parametrize("measure", measures.everything(), ids=name)
SIZES = pytest.mark.parametrize("k", [0, 2, 3], ids=["numbers", "two classes", "three classes"])
CLASSES = pytest.mark.parametrize("k", [2, 3])
NAMES = ("c", "a", "b")
DOCS = Path(__file__).parents[2] / "docs" / "measures.md"


def of_rows(measure, counted):
    """The measure's own value and, where it has them, the values of all classes."""
    per_class = counted.classes if measure.classwise and measure.average is None else ()
    return np.array([measure.form(counted, class_).value for class_ in (None, *per_class)])


def every_value(k, table, wanted=lambda measure: True, **more):
    """All values of all measures: one array a measure."""
    counted = Counted(table.built(**more).rows())
    return {measure.name: of_rows(measure, counted) for measure in measured(k, wanted)}


def assert_same(first, second):
    assert first.keys() == second.keys()
    different = {name for name in first if not same(first[name], second[name])}
    assert not different


def full(k):
    """A table in which every class (or several numbers) occurs, without scores."""
    code = np.arange(12) % (k or 4)
    return Table(code, code, None, NAMES[:k]) if k else Table(code / 2, code / 2)


def cells_of(line):
    """The cells of a line of a Markdown table."""
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


# --- what it says of itself ------------------------------------------------------------------


@EVERY
def test_says_what_it_means(measure):
    assert len(measure.meaning) > 15
    assert measure.bounds[0] < measure.bounds[1]
    assert measures.get(measure.name) is measure


@EVERY
def test_has_a_line_in_the_docs(measure):
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    mine = [line for line in lines if line.startswith(f"| `{measure.name}` |")]
    assert len(mine) == 1
    cells = cells_of(mine[0])
    assert len(cells) == 7
    assert all(cells)
    assert cells[4] == measure.better


@SIZES
def test_docs_name_the_default_interval(k):
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    cells = {line.split("`")[1]: cells_of(line)[5] for line in lines if line.startswith("| `")}
    counted = Counted(perfect(full(k)).built().rows())
    for measure in measured(k):
        kinds = cells[measure.name].split("; ")
        form = measure.form(counted)
        if isinstance(form, Undefined):
            continue
        auto = estimates.default(estimates.Case(form, 0.95, counted.rows, measure))
        assert f"`{auto}`" in kinds[-1 if k == 3 else 0], measure.name
        assert auto in estimates.methods()


def test_docs_name_no_other_measure():
    lines = DOCS.read_text(encoding="utf-8").splitlines()
    listed = [line.split("`")[1] for line in lines if line.startswith("| `")]
    assert sorted(listed) == sorted(measures.names())


@SIZES
@few
@given(data=st.data())
def test_stays_within_its_bounds(k, data):
    values = every_value(k, data.draw(tables(k)))
    for measure in measured(k):
        defined = values[measure.name][~np.isnan(values[measure.name])]
        low, high = measure.bounds
        assert (defined >= low - 1e-12).all(), measure.name
        assert (defined <= high + 1e-12).all(), measure.name


@SIZES
@few
@given(data=st.data())
def test_undefined_means_not_finite_and_a_reason(k, data):
    table = data.draw(tables(k, least=1, most=5))
    counted = Counted(table.built().rows())
    for measure in measured(k):
        for class_ in (None, *(table.classes if measure.classwise else ())):
            form = measure.form(counted, class_)
            assert isinstance(form, Undefined) == (not np.isfinite(form.value)), measure.name
            if isinstance(form, Undefined):
                assert form.reason, measure.name
                assert "{" not in form.reason, measure.name


@SIZES
def test_no_rows_is_undefined(k):
    table = full(k)
    rows = replace(table, score=np.eye(k)[table.truth] if k else None).built().rows()
    nothing = replace(rows, weight=np.zeros(rows.n), weight_kind="sampling")
    for empty in (rows.at(np.zeros(rows.n, bool)), nothing):
        for measure in measured(k):
            form = measure.form(Counted(empty))
            assert np.isnan(form.value), measure.name
            assert form.reason == "no rows", measure.name


# --- which way is better ---------------------------------------------------------------------


def perfect(table):
    """The same truths, all predicted, with certainty."""
    if not table.k:
        return replace(table, label=table.truth)
    score = np.eye(table.k)[table.truth]
    return replace(table, label=table.truth, score=score if table.k > 2 else score[:, 1])


def no_worse(measure, a, b):
    return a >= b - 1e-9 if measure.better == "high" else a <= b + 1e-9


@SIZES
@few
@given(data=st.data())
def test_nothing_beats_perfect_predictions(k, data):
    table = data.draw(tables(k, everyone=True))
    best, other = every_value(k, perfect(table)), every_value(k, table)
    for measure in measured(k, lambda measure: measure.paired):  # a bias is best at 0
        for a, b in zip(best[measure.name], other[measure.name], strict=True):
            assert np.isnan(b) or no_worse(measure, a, b), measure.name


@SIZES
def test_perfect_predictions_reach_the_better_bound(k):
    table = full(k) if k else replace(full(k), truth=full(k).truth + 1)  # not relative to 0
    best = every_value(k, perfect(table))
    for measure in measured(k, lambda measure: not measure.required and measure.paired):
        bound = measure.bounds[1] if measure.better == "high" else measure.bounds[0]
        assert best[measure.name] == pytest.approx(bound, abs=1e-12), measure.name


@pytest.mark.parametrize("order_only", [False, True])
@few
@given(table=class_tables(2, everyone=True))
def test_nothing_is_worse_than_mistaking_everything(order_only, table):
    # Where only the order counts, the worst is every negative above every positive, none tied.
    swapped = replace(table, label=1 - table.truth, score=1.0 - table.truth)
    if order_only:
        ranks = swapped.score + np.arange(table.n) / 1000
        swapped = replace(swapped, score=ranks, kind="decision")

    def wanted(measure):
        return (measure.needs == "score") == order_only

    lowest, other = every_value(2, swapped, wanted), every_value(2, table, wanted)
    for measure in measured(2, wanted):
        for a, b in zip(other[measure.name], lowest[measure.name], strict=True):
            assert np.isnan(a) or np.isnan(b) or no_worse(measure, a, b), measure.name


# --- what must not matter --------------------------------------------------------------------


@SIZES
@few
@given(data=st.data())
def test_order_of_rows_does_not_matter(k, data):
    table = data.draw(tables(k))
    order = np.array(data.draw(st.permutations(range(table.n))))
    assert_same(every_value(k, table), every_value(k, table.at(order)))


@CLASSES
@few
@given(data=st.data())
def test_names_and_order_of_classes_do_not_matter(k, data):
    table = data.draw(tables(k))
    order = data.draw(st.permutations(range(k)))
    place = np.argsort(order)
    moved = replace(
        table,
        truth=place[table.truth],
        label=place[table.label],
        score=table.score[:, order] if k > 2 else table.score,
        classes=tuple(10 * (9 - code) for code in order),
        positive=10 * (9 - 1) if k == 2 else None,
    )
    before, after = (Counted(one.built().rows()) for one in (table, moved))
    for measure in measured(k):
        if measure.ordinal and k > 2:
            continue  # the order is what it is about
        there = measure
        if "cost" in measure.parameters:
            there = measure.with_(cost=measure.parameters["cost"][np.ix_(order, order)])
        found = of_rows(there, after)
        if measure.classwise:
            found = np.concatenate([found[:1], found[1:][place]])
        assert same(of_rows(measure, before), found), measure.name


@SIZES
@few
@given(data=st.data())
def test_weights_of_one_are_no_weights(k, data):
    table = data.draw(tables(k))
    for kind in ("frequency", "sampling"):
        weighted = every_value(k, table, weight=np.ones(table.n), weights=kind)
        assert_same(every_value(k, table), weighted)


@SIZES
@few
@given(data=st.data())
def test_a_weight_is_how_often_a_row_counts(k, data):
    table = data.draw(tables(k))
    weight = np.array(data.draw(st.lists(st.integers(0, 3), min_size=table.n, max_size=table.n)))
    weight[0] = 2
    repeated = table.at(np.repeat(np.arange(table.n), weight))
    assert_same(every_value(k, table, weight=weight), every_value(k, repeated))


@SIZES
@few
@given(data=st.data())
def test_only_the_ratios_of_sampling_weights_matter(k, data):
    table = data.draw(tables(k))
    weight = np.array(data.draw(st.lists(st.integers(1, 9), min_size=table.n, max_size=table.n)))
    one, other = (
        every_value(k, table, weight=scale * weight, weights="sampling") for scale in (1, 0.1)
    )
    assert_same(one, other)


@SIZES
@few
@given(data=st.data())
def test_groups_do_not_move_the_value(k, data):
    table = data.draw(tables(k))
    assert_same(every_value(k, table), every_value(k, table, group=np.arange(table.n) % 3))


@CLASSES
@few
@given(data=st.data())
def test_rank_measures_only_see_the_order(k, data):
    table = data.draw(tables(k))
    stretched = replace(table, score=np.exp(3 * table.score) - 50, kind="decision")

    def wanted(measure):
        return measure.needs == "score"

    assert_same(every_value(k, table, wanted), every_value(k, stretched, wanted))


# --- class counts fixed by design ------------------------------------------------------------


def with_averages(measure):
    return [
        measure,
        *(replace(measure, average=a) for a in ("macro", "weighted") if measure.classwise),
    ]


@CLASSES
@pytest.mark.parametrize("shares", [None, (0.6, 0.3, 0.1)], ids=["unknown", "given"])
@few
@given(data=st.data())
def test_by_design_more_rows_of_a_class_do_not_matter(k, shares, data):
    table = data.draw(tables(k, everyone=True))
    given_shares = None
    if shares is not None:
        given_shares = dict(zip(table.classes, np.array(shares[:k]) / sum(shares[:k]), strict=True))
    more = table.at(np.repeat(np.arange(table.n), np.where(table.truth == 0, 3, 1)))
    before, after = (
        Counted(one.built(design="classes").rows(), given_shares) for one in (table, more)
    )
    for measure in measured(k):
        for one in with_averages(measure):
            forms = one.form(before), one.form(after)
            assert same(forms[0].value, forms[1].value), (one.name, one.average)
            assert isinstance(forms[0], Undefined) == (not np.isfinite(forms[0].value)), one.name


@CLASSES
@few
@given(data=st.data())
def test_by_design_with_the_sample_shares_is_the_plain_value(k, data):
    table = data.draw(tables(k, everyone=True))
    sizes = np.bincount(table.truth, minlength=k) / table.n
    shares = dict(zip(table.classes, sizes, strict=True))
    fixed = Counted(table.built(design="classes").rows(), shares)
    plain = Counted(table.built().rows())
    for measure in measured(k):
        found = measure.form(fixed).value
        assert np.isnan(found) or same(found, measure.form(plain).value), measure.name


# --- one class against the rest, and averages ------------------------------------------------


def classwise(measure):
    return measure.classwise


@few
@given(table=class_tables(3))
def test_a_class_among_three_is_that_class_against_the_rest(table):
    among = every_value(3, table, classwise)
    for code in range(3):
        own, decided = (table.truth == code).astype(int), (table.label == code).astype(int)
        two = Table(own, decided, table.score[:, code], ("rest", "own"), "own")
        against = every_value(2, two, classwise)
        for measure in measured(3, classwise):
            assert same(among[measure.name][1 + code], against[measure.name][0]), measure.name


@few
@given(table=class_tables(3))
def test_averages(table):
    values = every_value(3, table, classwise)
    built = table.built()
    for measure in measured(3, classwise):
        own, per_class = values[measure.name][0], values[measure.name][1:]
        assert same(own, per_class.mean()), measure.name
        macro, weighted, micro = (
            measures.get(f"{measure.name}.{average}", **measure.parameters).of(built)
            for average in ("macro", "weighted", "micro")
        )
        assert same(macro, own), measure.name
        assert same(weighted, per_class[table.truth].mean()), measure.name
        assert np.isnan(micro) or same(micro, np.mean(table.truth == table.label)), measure.name


@few
@given(table=class_tables(2))
def test_of_two_classes_the_positive_one_is_meant(table):
    for code, positive in enumerate(table.classes):
        values = every_value(2, replace(table, positive=positive), classwise)
        for measure in measured(2, classwise):
            assert same(values[measure.name][0], values[measure.name][1 + code]), measure.name


# --- refusals --------------------------------------------------------------------------------


@EVERY
def test_refuses_the_other_task(measure):
    other = full(2 if measure.task == "regression" else 0)
    with pytest.raises(InputError, match=f"measure '{re.escape(measure.name)}': for .* only"):
        measure.of(other.built())


@EVERY
def test_refuses_what_it_cannot_do_without(measure):
    if measure.needs != "label":
        with pytest.raises(InputError, match=f"measure '{measure.name}': needs scores"):
            ready(measure).of(Predictions.of(["a", "b"], ["a", "b"]))
    if measure.needs == "probability":
        with pytest.raises(InputError, match="needs probabilities, the scores are decision scores"):
            ready(measure).of(Predictions.of(["a", "b"], y_score=[-3.0, 3.0]))
    if measure.ordinal:
        with pytest.raises(InputError, match="order="):
            measure.of(Predictions.of(["a", "b"], ["a", "b"]))
    for parameter in measure.required:
        with pytest.raises(InputError, match=f"needs {parameter}="):
            measure.of(
                Predictions.graded([1, 0], item=[1, 2])
                if measure.task == "graded"
                else Predictions.of(["a", "b"], y_score=[0.2, 0.9])
            )


@EVERY
def test_refuses_unknown_parameters(measure):
    words = re.escape(f"measure '{measure.name}' has no parameter 'colour'")
    with pytest.raises(InputError, match=words):
        measures.get(measure.name, colour="red")


@CLASSES
def test_refuses_unknown_classes(k):
    rows = perfect(full(k)).built().rows()
    for measure in measured(k):
        expected = "no class 'zebra'" if measure.classwise else "has no value per class"
        with pytest.raises(InputError, match=expected):
            measure.of(rows, "zebra")
