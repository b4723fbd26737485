"""The public names: what exists, that it is what it says, and what importing it costs."""

import importlib
import pkgutil
import subprocess
import sys
from types import ModuleType

import pytest

import heliast
from heliast import codes, comparisons, curves, decoders, estimates, measures

TOP = [
    "Assessment",
    "BaggedMean",
    "BaggedVote",
    "Benchmark",
    "BoostedMedian",
    "BoostedVote",
    "Bootstrap",
    "CodedVote",
    "Combination",
    "Comparison",
    "CostSensitive",
    "Dataset",
    "Difference",
    "Estimate",
    "Expanding",
    "Explanation",
    "Fitted",
    "FiveByTwo",
    "Fresh",
    "FullBayes",
    "Gate",
    "HeliastError",
    "Holdout",
    "InputError",
    "KFold",
    "LabelNoise",
    "LearningCurve",
    "LeaveOneOut",
    "Majority",
    "MajorityVote",
    "NestedFolds",
    "NotEnoughData",
    "PairedSubsampling",
    "PairwiseVote",
    "Predictions",
    "Prism",
    "ReplaceOne",
    "Rolling",
    "Subsampling",
    "ThreeWay",
    "Tree",
    "Voted",
    "WeakSlices",
    "assess",
    "benchmark",
    "codes",
    "combine",
    "compare",
    "comparisons",
    "curves",
    "data",
    "decoders",
    "ensembles",
    "estimates",
    "explain",
    "find_slices",
    "fit",
    "gate",
    "learners",
    "load_model",
    "measures",
    "plans",
    "plots",
    "predict",
    "read",
    "regions",
    "report",
    "run",
    "scorer",
    "summaries",
    "theory",
    "to_mlflow",
]
MODULES = {
    "codes",
    "comparisons",
    "curves",
    "data",
    "decoders",
    "ensembles",
    "estimates",
    "learners",
    "measures",
    "plans",
    "plots",
    "summaries",
    "theory",
}
"""The public names that are modules; every other must be a function or a class."""

MEASURES = """
    error accuracy balanced_accuracy precision recall f1 fbeta specificity fpr fnr kappa mcc
    auc average_precision log_loss brier expected_cost mae mse rmse rae rse rrse r2
"""
ESTIMATES = """
    Estimate wilson clopper_pearson agresti_coull jeffreys normal student_t delong delta bootstrap
    corrected_t conservative_z wald_cv nested_cv left_out bootstrap_632 bootstrap_632_plus
    bootstrap_632_notes resubstitution location_shifted replace_one five_by_two holdout
    out_of_bag selected
"""
HEAVY = ["scipy", "sklearn", "numba", "pandas", "duckdb", "pyarrow"]


def test_top_level():
    assert sorted(heliast.__all__) == TOP
    assert set(TOP) <= set(dir(heliast))


def test_measures_and_estimates_of_the_design():
    assert set(measures.names()) >= set(MEASURES.split())
    assert set(measures.__all__) >= {"Measure", "everything", "get", "kappa_word", "names"}
    assert set(estimates.__all__) >= set(ESTIMATES.split())


def test_what_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'heliast' has no attribute 'asess'"):
        heliast.asess  # noqa: B018


@pytest.mark.parametrize(
    "package",
    [heliast, measures, estimates, curves, comparisons, codes, decoders],
    ids=lambda p: p.__name__,
)
def test_a_name_is_the_same_thing_twice(package):
    first = {name: getattr(package, name) for name in package.__all__}
    # Importing every submodule must not put a module in the place of a name.
    for found in pkgutil.iter_modules(package.__path__):
        if not found.ispkg and found.name != "cli":
            importlib.import_module(f"{package.__name__}.{found.name}")
    for name, once in first.items():
        assert getattr(package, name) is once, name
        is_module = package is heliast and name in MODULES
        assert isinstance(once, ModuleType) == is_module, name


def in_a_fresh_python(code):
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return found.stdout.split()


def test_importing_heliast_imports_nothing_heavy():
    code = f"import sys, heliast; print(*(m for m in {HEAVY} if m in sys.modules))"
    assert in_a_fresh_python(code) == []


def test_every_name_works_in_a_fresh_python():
    code = (
        "import heliast\n"
        "for name in heliast.__all__:\n"
        "    first = getattr(heliast, name)\n"
        "    assert getattr(heliast, name) is first, name\n"
        "print(*heliast.__all__)"
    )
    assert in_a_fresh_python(code) == list(heliast.__all__)


def test_measuring_labels_needs_no_models_and_no_frames():
    code = (
        "import sys, heliast\n"
        "table = heliast.Predictions.of(['a', 'b'], ['a', 'a'])\n"
        "heliast.measures.get('error').of(table)\n"
        "print(*(m for m in ('sklearn', 'pandas', 'duckdb') if m in sys.modules))"
    )
    assert in_a_fresh_python(code) == []
