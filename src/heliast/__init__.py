"""heliast evaluates, compares and combines classifiers, with a confidence interval on every number.

>>> import heliast as hl
>>> preds = hl.Predictions.of(["a", "a", "b", "b"], ["a", "b", "b", "b"])
>>> hl.assess(preds)["model", "error"].value
0.25
"""

from importlib import import_module

__version__ = "0.1.0"

# Where each public name is; it is imported when it is first used. Type checkers read __init__.pyi.
_PACKAGES = {
    "codes": "heliast.codes",
    "comparisons": "heliast.comparisons",
    "curves": "heliast.curves",
    "data": "heliast.data",
    "decoders": "heliast.decoders",
    "ensembles": "heliast.ensembles",
    "estimates": "heliast.estimates",
    "learners": "heliast.learners",
    "measures": "heliast.measures",
    "plans": "heliast.plans",
    "theory": "heliast.theory",
    "summaries": "heliast.measures.summaries",
    "plots": "heliast.views.plots",
}
_NAMES = {
    "HeliastError": "heliast._core.errors",
    "InputError": "heliast._core.errors",
    "NotEnoughData": "heliast._core.errors",
    "Dataset": "heliast.data",
    "read": "heliast.data",
    "BaggedMean": "heliast.ensembles",
    "BaggedVote": "heliast.ensembles",
    "BoostedMedian": "heliast.ensembles",
    "BoostedVote": "heliast.ensembles",
    "CodedVote": "heliast.ensembles",
    "CostSensitive": "heliast.ensembles",
    "MajorityVote": "heliast.ensembles",
    "PairwiseVote": "heliast.ensembles",
    "Estimate": "heliast.estimates",
    "load_model": "heliast.fitting.loading",
    "predict": "heliast.fitting.predict",
    "run": "heliast.fitting.run",
    "FullBayes": "heliast.learners",
    "Majority": "heliast.learners",
    "Prism": "heliast.learners",
    "Tree": "heliast.learners",
    "Bootstrap": "heliast.plans",
    "Expanding": "heliast.plans",
    "FiveByTwo": "heliast.plans",
    "Fresh": "heliast.plans",
    "Holdout": "heliast.plans",
    "KFold": "heliast.plans",
    "LabelNoise": "heliast.plans",
    "LearningCurve": "heliast.plans",
    "LeaveOneOut": "heliast.plans",
    "NestedFolds": "heliast.plans",
    "PairedSubsampling": "heliast.plans",
    "ReplaceOne": "heliast.plans",
    "Rolling": "heliast.plans",
    "Subsampling": "heliast.plans",
    "ThreeWay": "heliast.plans",
    "Predictions": "heliast.predictions",
    "Assessment": "heliast.verbs.assess",
    "assess": "heliast.verbs.assess",
    "benchmark": "heliast.verbs.benchmark",
    "Benchmark": "heliast.verbs.benchmarked",
    "Combination": "heliast.verbs.combine",
    "combine": "heliast.verbs.combine",
    "compare": "heliast.verbs.compare",
    "Comparison": "heliast.verbs.comparison",
    "Difference": "heliast.verbs.comparison",
    "Explanation": "heliast.verbs.explain",
    "explain": "heliast.verbs.explain",
    "WeakSlices": "heliast.verbs.slices",
    "find_slices": "heliast.verbs.find_slices",
    "Fitted": "heliast.verbs.fit",
    "fit": "heliast.verbs.fit",
    "Gate": "heliast.verbs.gate",
    "gate": "heliast.verbs.gate",
    "regions": "heliast.verbs.regions",
    "report": "heliast.verbs.report",
    "scorer": "heliast.verbs.scorer",
    "to_mlflow": "heliast.verbs.tracking",
    "Voted": "heliast.verbs.voted",
}
__all__ = sorted([*_PACKAGES, *_NAMES])


def __getattr__(name: str) -> object:
    if name in _PACKAGES:
        return import_module(_PACKAGES[name])
    if name in _NAMES:
        return getattr(import_module(_NAMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
