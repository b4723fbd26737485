"""How numbers are written: digits follow the interval in every view."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import heliast as hl
from heliast import estimates, measures, theory
from heliast._core.numbers import more_digits, number, percent, written
from heliast.comparisons import Finding
from heliast.estimates import Estimate
from heliast.verbs.benchmarked import Benchmark, Tried
from heliast.verbs.combine import combination
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.question import Question
from heliast.verbs.report import material_of
from heliast.views import exports, plots
from heliast.views.numbers import in_percent
from heliast.views.report import summarise, summarise_benchmark
from heliast.views.sentences import opening

NARROW = 6e-7
"""Half the width of the narrow intervals: six decimals tell their ends from the value."""


def table(models: dict[str, float], n: int = 200) -> hl.Predictions:
    """Models that err on these shares of the rows."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, n)
    found = None
    for model, share in models.items():
        wrong = rng.permutation(n) < share * n
        one = hl.Predictions.of(truth, truth ^ wrong, model=model, row=range(n), positive=1)
        found = one if found is None else found.join(one)
    assert found is not None
    return found


def around(value: float, half: float, **given: object) -> Estimate:
    return Estimate(value, value - half, value + half, method="Wilson", n=100.0, **given)


def assessment(half: float, models: tuple[str, ...]) -> hl.Assessment:
    found = hl.assess(table(dict.fromkeys(models, 0.3)), ["error", "recall"])
    ends = (0.377 - half, 0.377 + half)
    ones = [replace(one, value=0.377, low=ends[0], high=ends[1]) for one in found.estimates]
    best = None if found.selected is None else replace(ones[0], model=found.selected.model)
    return replace(found, estimates=tuple(ones), selected=best)


def comparison(half: float, measure: str = "error") -> Comparison:
    pairs = tuple(
        Difference(
            a, b, measure, -0.02, -0.02 - half, -0.02 + half, 0.001, method="a test", n=100,
            finding=Finding("better"), low90=-0.02 - half, high90=-0.02 + half,
        )
        for a, b in (("a", "b"), ("a", "c"), ("b", "c"))
    )  # fmt: skip
    return Comparison(pairs, ("a", "b", "c"), measure, {"a": 0.31, "b": 0.33, "c": 0.35})


def one_pair(half: float, measure: str = "error") -> Comparison:
    whole = comparison(half, measure)
    return replace(whole, pairs=whole.pairs[:1], models=("a", "b"))


def combined(half: float) -> hl.Combination:
    it = combination(table({"vote/a/B=5": 0.2, "vote/b/B=5": 0.3, "base": 0.4}))
    votes = {name: {5: around(0.377, half, model=f"{name}/B=5")} for name in it.votes}
    chosen = around(0.377, half, model="vote/a/B=5", measure="error")
    votes["vote/a"] = {5: chosen}
    pair = replace(comparison(half).pairs[0], a="vote/a/B=5", b="base")
    pairs = replace(it.pairs, pairs=(pair,))
    return replace(it, votes=votes, pairs=pairs, selected=chosen)


def benchmarked(half: float) -> Benchmark:
    ones = {name: around(0.377, half, model=name, measure="error") for name in "abc"}
    sets = tuple(Tried(f"set{at}", 100, 2, 2, "y", ones) for at in range(6))
    return Benchmark(sets, ("a", "b", "c"), "error", comparison=comparison(half))


def summary_of(half: float) -> str:
    material = material_of(table({"a": 0.2, "b": 0.3, "c": 0.4}), Question())
    found = assessment(half, ("a", "b", "c"))
    found = replace(found, selected=replace(found["a", "error"]))
    return str(summarise(replace(material, found=found, compared=comparison(half))))


def gate_of(half: float) -> object:
    gate = hl.gate(table({"a": 0.2}), ["error.high < 0.5"])
    ends = {"value": 0.377, "low": 0.377 - half, "high": 0.377 + half}
    return replace(gate, rulings=tuple(replace(one, **ends) for one in gate.rulings))


def per_split(half: float) -> str:
    split = np.repeat([0, 1], 50)
    part = hl.Predictions.of(np.tile([0, 1], 50), np.tile([0, 1, 1], 34)[:100], split=split)
    found = estimates.per_split(part)
    return str(plots.per_split(replace(found, estimates=(around(0.377, half),))))


def decomposition(half: float) -> theory.Decomposition:
    rng = np.random.default_rng(1)
    truth = np.tile(rng.integers(0, 2, 30), 6)
    part = hl.Predictions.of(
        truth, truth ^ (rng.random(180) < 0.3), row=np.tile(np.arange(30), 6),
        split=np.repeat(np.arange(6), 30), positive=1,
    )  # fmt: skip
    found = theory.bias_variance(part)
    ends = {"value": 0.377, "low": 0.377 - half, "high": 0.377 + half}
    return replace(found, estimates=tuple(replace(one, **ends) for one in found.estimates))


VALUES: dict[str, Callable[[float], object]] = {
    "sentence": lambda half: assessment(half, ("a",)).sentence,
    "sentence of several": lambda half: assessment(half, ("a", "b")).sentence,
    "other measures": lambda half: opening([around(0.377, half, measure="auc", model="a")], ["a"]),
    "terminal": lambda half: assessment(half, ("a",)),
    "terminal, several": lambda half: assessment(half, ("a", "b")),
    "terminal, many": lambda half: assessment(half, tuple("abcdef")),
    "notebook": lambda half: assessment(half, ("a", "b"))._repr_html_(),
    "wide table": lambda half: assessment(half, ("a",)).table().to_latex(),
    "Markdown": lambda half: exports.export([around(0.377, half).to_dict()], "md"),
    "LaTeX": lambda half: exports.export([around(0.377, half).to_dict()], "latex"),
    "combine": combined,
    "combine's sentence": lambda half: combined(half).sentence,
    "benchmark's notebook": lambda half: benchmarked(half)._repr_html_(),
    "benchmark's report": lambda half: summarise_benchmark(benchmarked(half), "", "", {}),
    "report": summary_of,
    "gate": gate_of,
    "gate's notebook": lambda half: gate_of(half)._repr_html_(),  # type: ignore[attr-defined]
    "gate's Markdown": lambda half: gate_of(half).to_markdown(),  # type: ignore[attr-defined]
    "forest": lambda half: plots.forest(around(0.377, half)),
    "splits": per_split,
    "bias": lambda half: plots.bias_variance(decomposition(half)),
    "bias on a terminal": decomposition,
    "bias in a notebook": lambda half: decomposition(half)._repr_html_(),
}  # fmt: skip
DIFFERENCES: dict[str, Callable[[float], object]] = {
    "sentence": lambda half: one_pair(half).sentence,
    "sentence of another measure": lambda half: one_pair(half, "auc").sentence,
    "terminal": comparison,
    "notebook": lambda half: comparison(half)._repr_html_(),
    "Markdown": lambda half: exports.export([comparison(half).pairs[0].to_dict()], "md"),
    "combine": lambda half: combined(half).sentence,
    "benchmark": benchmarked,
    "benchmark's report": lambda half: summarise_benchmark(benchmarked(half), "", "", {}),
    "report": summary_of,
    "matrix": lambda half: comparison(half).svg(),
}


@pytest.mark.parametrize("place", VALUES)
def test_the_ends_of_a_narrow_interval_differ_from_its_value(place: str) -> None:
    text = str(VALUES[place](NARROW))
    assert re.search(r"0\.376999|37\.6999", text), text
    assert re.search(r"0\.377001|37\.7001", text), text


@pytest.mark.parametrize("place", VALUES)
def test_usual_intervals_have_usual_digits(place: str) -> None:
    text = str(VALUES[place](0.05))
    assert re.search(r"0\.327(?!\d)|32\.7(?!\d)", text), text
    assert re.search(r"0\.427(?!\d)|42\.7(?!\d)", text), text
    assert re.search(r"0\.377(?!\d)|37\.7(?!\d)", text), text


@pytest.mark.parametrize("place", DIFFERENCES)
def test_the_ends_of_a_narrow_difference_differ_from_it(place: str) -> None:
    text = str(DIFFERENCES[place](NARROW))
    assert re.search(r"0\.019999|1\.9999", text), text
    assert re.search(r"0\.020001|2\.0001", text), text


@pytest.mark.parametrize("place", DIFFERENCES)
def test_usual_differences_have_usual_digits(place: str) -> None:
    text = str(DIFFERENCES[place](0.015))
    assert re.search(r"0\.005(?!\d)|0\.5(?!\d)", text), text
    assert re.search(r"0\.035(?!\d)|3\.5(?!\d)", text), text


def test_20_million_rows() -> None:
    """What was seen: '37.7% (95% interval 37.7% to 37.7%)'."""
    low, high = estimates.wilson(7_540_000, 20_000_000).low, estimates.wilson(7_540_000, 2e7).high
    one = Estimate(0.377, low, high, n=2e7, model="big", measure="error")
    said = opening([one], ["big"])
    assert "37.70% of new rows (95% interval 37.68% to 37.72%, from 20,000,000 rows)" in said


def test_what_is_the_same_needs_no_digits() -> None:
    assert written(0.0, 0.0, 0.037).inside == "0.000 [0.000, 0.037]"
    assert written(1.0, 0.9637, 1.0, percent).inside == "100.0% [96.4%, 100.0%]"
    assert more_digits(0.3, 0.3 - 1e-17, 0.3 + 1e-16) == 0
    assert written(0.3, float("nan"), float("nan")).between == "-"
    assert written(0.3, float("-inf"), 0.4).between == "-inf to 0.400"
    assert number(float("nan")) == "-"


def test_a_measure_is_found_by_its_title() -> None:
    for one in measures.everything():
        assert measures.titled(one.title).name == one.name
    for one in (measures.get("fbeta", beta=0.5), measures.get("f1.micro"), measures.get("recall")):
        assert measures.titled(one.title) == one
    with pytest.raises(hl.InputError, match="no measure named"):
        measures.titled("nothing(a=1)")


def test_what_is_read_in_per_cent_is_said_once() -> None:
    shares = [one.name for one in measures.everything() if in_percent(one.title)]
    graded = ["above", "pass@k", "pass^k", "consistency"]
    assert shares == ["error", "accuracy", "balanced_accuracy", "top_k_accuracy", "mape", *graded]
    assert not in_percent("variance_effect")


@pytest.mark.parametrize(
    ("ends", "write", "shown"),
    [
        ((1 - 1e-9, 1 - 1.04e-9, 1 - 9.6e-10), number,
         "0.99999999900 [0.99999999896, 0.99999999904]"),
        ((1 - 1e-9, 1 - 1.04e-9, 1 - 9.6e-10), percent,
         "99.999999900% [99.999999896%, 99.999999904%]"),
        ((1e5, 1e5 - 1e-5, 1e5 + 1e-5), number, "100000.00000 [99999.999990, 100000.00001]"),
        ((9.99998, 9.9999, 10.00006), number, "9.99998 [9.99990, 10.000]"),
        ((10.0, 9.9, 10.04), number, "10.00 [9.9000, 10.04]"),
        ((-123450.0, -123460.0, -123440.0), number, "-123450 [-123460, -123440]"),
    ],
)  # fmt: skip
def test_ends_differ_as_numbers_and_zeros_are_digits(
    ends: tuple[float, float, float], write: Callable[[float, int], str], shown: str
) -> None:
    """What was seen: 1.000 [1.000, 1.000], 100000 [100000, 100000], 10.0000 (9.9999 to 10)."""
    text = written(*ends, write)
    assert text.inside == shown
    value, low, high = (float(one.rstrip("%")) for one in (text.value, text.low, text.high))
    assert low < value < high


def test_2e12_rows() -> None:
    one = estimates.wilson(2e12 - 2000, 2e12)
    assert written(one.value, one.low, one.high).between == "0.99999999896 to 0.99999999904"
