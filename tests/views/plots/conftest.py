"""One record of every kind that can be plotted."""

from dataclasses import replace

import numpy as np
import pytest

from heliast import Predictions, compare, curves, theory
from heliast.comparisons import nemenyi
from heliast.estimates import Estimate, per_split, wilson
from heliast.measures.summaries import Contingency
from heliast.predictions import Split, Splits


def table(n=400, shift=1.5, model="tree", seed=0, classes=("well", "sick")):
    rng = np.random.default_rng(seed)
    truth = (rng.random(n) < 0.3).astype(int)
    score = 1 / (1 + np.exp(-(rng.normal(size=n) + shift * truth - 1)))
    names = np.array(classes, dtype=object)
    return Predictions.of(
        names[truth].tolist(),
        y_score=score,
        classes=list(classes),
        positive=classes[1],
        model=model,
    )


def estimates():
    found = [replace(wilson(k, 30), model=f"model {k}", measure="error") for k in (0, 8, 29)]
    undefined = Estimate(float("nan"), model="broken", measure="error", reason="no rows")
    bare = Estimate(0.4, model="bare", measure="error", reason="only 3 groups")
    return [*found, undefined, bare]


def varied(predictions):
    """The rows dealt to splits that say they had other shares of the training rows."""
    parts = np.arange(len(predictions)) % 6
    records = tuple(
        Split(at, fold=at % 2, n_train=100 * (1 + at // 2), train_share=(1 + at // 2) / 3)
        for at in range(6)
    )
    return replace(predictions, splits=Splits(records), split_code=parts.astype(np.int32))


def compared(predictions):
    """The model against one that errs elsewhere, on the same rows."""
    name = predictions.models[0]
    other = replace(predictions, models=(f"{name} again",), y_pred=predictions.y_pred[::-1].copy())
    return compare(predictions.join(other))


def ranked(count=4, sets=12):
    """Mean ranks of models that get better."""
    return nemenyi(np.random.default_rng(2).normal(size=(sets, count)) + np.arange(count) / 2)


def repeated(predictions, splits=5, seed=1):
    """The same rows as predicted by several splits, each with some labels turned."""
    rng = np.random.default_rng(seed)
    n, classes = len(predictions), predictions.classes
    label = np.tile(predictions.y_pred, splits) ^ (rng.random(n * splits) < 0.2)
    return Predictions.of(
        [classes[code] for code in np.tile(predictions.y_true, splits)],
        [classes[code] for code in label],
        classes=list(classes),
        model=predictions.models[0],
        row=np.tile(np.arange(n), splits),
        split=np.repeat(np.arange(splits), n),
    )


def regions(predictions):
    """The rows somewhere in a plane, whose classes a circle tells apart as well as it can."""
    rng = np.random.default_rng(3)
    axis = np.linspace(-1, 1, 40)
    place = rng.uniform(-1, 1, (len(predictions), 2))
    grid = (np.hypot(*np.meshgrid(axis, axis)) < 0.5).astype(int)
    return curves.Regions(
        x=axis,
        y=axis,
        y_pred=grid,
        fits=np.array([grid, grid[::-1]]),
        classes=predictions.classes,
        inputs=tuple(map(str, predictions.classes)),
        points=place,
        y_true=predictions.y_true,
        decided=(np.hypot(*place.T) < 0.5).astype(int),
        in_train=np.arange(len(place)) % 3 > 0,
        model=predictions.models[0],
    )


def make(kind, predictions):
    if kind == "regions":
        return regions(predictions)
    if kind == "normal_roc":
        return replace(curves.normal_roc(1.5), model=predictions.models[0])
    if kind == "averaged_roc":
        return curves.averaged_roc(varied(predictions))
    if kind == "bias_variance":
        return theory.bias_variance(repeated(predictions), replicates=20)
    if kind == "predicted":
        label = np.random.default_rng(4).normal(size=300)
        truth, model = label + np.random.default_rng(5).normal(size=300), predictions.models[0]
        return curves.predicted(Predictions.of(truth, label, model=model))
    if kind == "margins":
        return theory.margins(predictions)
    if kind == "comparison_matrix":
        return compared(predictions)
    if kind == "critical_difference":
        return ranked()
    if kind == "per_split":
        parts = np.arange(len(predictions)) % 5
        splits = Splits(tuple(Split(at, fold=at, n_train=80) for at in range(5)))
        return per_split(replace(predictions, splits=splits, split_code=parts.astype(np.int32)))
    if kind == "learning":
        return curves.learning(varied(predictions))
    if kind == "confusion_matrix":
        return predictions.summary(Contingency)
    if kind == "forest":
        name = predictions.models[0]
        return [replace(one, model=f"{name} {one.model}") for one in estimates()]
    options = {"isotonic": True} if kind == "calibration" else {}
    return getattr(curves, kind)(predictions, **options)


KINDS = (
    *("roc", "precision_recall", "lift", "gain", "calibration", "cost", "decision"),
    *(
        "confusion_matrix",
        "forest",
        "learning",
        "comparison_matrix",
        "critical_difference",
        "per_split",
    ),
    *("bias_variance", "margins", "regions", "averaged_roc", "normal_roc", "f_surface"),
    "predicted",
)


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param
