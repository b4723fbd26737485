"""Results of scikit-learn's cross_validate and cross_val_predict as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError, ScoresAsLabels
from heliast._core.kinds import Array
from heliast.predictions.records import Split, Splits
from heliast.tables.table import refuse_other_index

if TYPE_CHECKING:
    from heliast.predictions.table import Predictions

Pairs = Sequence[tuple[Array, Array]]


def from_cv(
    cls: "type[Predictions]", result: Any, X: Any, y: Any, cv: Any, groups: Any, **options: Any
) -> "Predictions":
    """Make a table of what `cross_validate` or `cross_val_predict` returned."""
    if y is None:
        raise InputError("from_cv: the true values are needed; say from_cv(result, X, y)")
    refuse_other_index({"X": X, "y": y, "groups": groups})
    y_true = column(y, "y_true").plain()
    if not isinstance(result, Mapping):
        return _of_answers(cls, result, X, y_true, cv, groups, options)
    if cv is not None:
        raise InputError("from_cv: cross_validate keeps its splits itself: leave out cv=")
    return _of_fits(cls, result, X, y_true, options)


def _of_fits(
    cls: "type[Predictions]", result: Mapping[str, Any], X: Any, y_true: Array, options: Any
) -> "Predictions":
    """Each fitted model on the rows that it was not trained on."""
    if "estimator" not in result or "indices" not in result:
        raise InputError(
            "from_cv: cross_validate has not kept its models and splits; say cross_validate(model, "
            "X, y, return_estimator=True, return_indices=True)"
        )
    if X is None:
        raise InputError("from_cv: the models predict again; say from_cv(result, X, y)")
    fits, indices = result["estimator"], result["indices"]
    pairs = list(zip(indices["train"], indices["test"], strict=True))
    largest = max(int(test.max()) for _, test in pairs)
    if largest >= y_true.size:
        raise InputError(
            f"from_cv: cross_validate tested row {largest}, y has {y_true.size}: give the X and y "
            "that cross_validate had"
        )
    classified = all(hasattr(fit, "classes_") for fit in fits)
    known = {label for fit in fits for label in fit.classes_.tolist()} if classified else set()
    classes = sorted({*y_true.tolist(), *known}) if classified else []
    labels, scores, kinds = [], [], set()
    for fit, (_, test) in zip(fits, pairs, strict=True):
        rows = X.iloc[test] if hasattr(X, "iloc") else np.asarray(X)[test]
        labels.append(np.asarray(fit.predict(rows)))
        score, kind = _scores(fit, rows, classes) if classified else (None, None)
        scores.append(score)
        kinds.add(kind)
    scored = len(kinds) == 1 and None not in kinds
    rows = np.concatenate([test for _, test in pairs])
    defaults: dict[str, Any] = {
        "task": "classification" if classified else "regression",
        "classes": classes or None,
        "row": rows,
        "scores": kinds.pop() if scored else None,
        "split": np.repeat(np.arange(len(pairs)), [len(test) for _, test in pairs]),
    }
    score = np.concatenate(scores) if scored else None  # type: ignore[arg-type]
    table = cls.of(y_true[rows], np.concatenate(labels), score, **{**defaults, **options})
    return replace(table, splits=_splits(pairs))


def _scores(fit: Any, X: Any, classes: list[Any]) -> tuple[Array | None, str | None]:
    """One column per class; a class that the fit has not met gets the least score."""
    if hasattr(fit, "predict_proba"):
        scores, kind, least = np.asarray(fit.predict_proba(X)), "probability", 0.0
    elif hasattr(fit, "decision_function"):
        scores, kind = np.asarray(fit.decision_function(X), np.float64), "decision"
        scores = np.column_stack([-scores, scores]) if scores.ndim == 1 else scores
        least = float(scores.min()) - 1
    else:
        return None, None
    if scores.shape[1] != len(fit.classes_):  # one column per pair of classes
        return None, None
    matrix = np.full((len(scores), len(classes)), least)
    matrix[:, [classes.index(label) for label in fit.classes_.tolist()]] = scores
    return matrix, kind


def _of_answers(
    cls: "type[Predictions]",
    result: Any,
    X: Any,
    y_true: Array,
    cv: Any,
    groups: Any,
    options: Any,
) -> "Predictions":
    """One prediction per row; which split it comes from follows from the splitter."""
    if cv is None:
        raise InputError(
            "from_cv: which rows were trained on together is not in the predictions; say cv=, the "
            "same as in cross_val_predict"
        )
    answers = np.asarray(result)
    options = {"row": np.arange(len(answers)), **options}
    try:
        table = cls.of(y_true, *((None, answers) if answers.ndim == 2 else (answers,)), **options)
    except ScoresAsLabels:  # of predict_proba, the column of the positive class
        table = cls.of(y_true, y_score=answers, **options)
    pairs = _pairs(cv, y_true, X, groups, table.task == "classification")
    rows = np.concatenate([test for _, test in pairs])
    if len(table) != len(y_true) or not np.array_equal(np.sort(rows), np.arange(len(y_true))):
        raise InputError(
            f"from_cv: cv={cv!r:.60} does not test every row once, so cross_val_predict has not "
            "used it; for other splitters take cross_validate"
        )
    codes = np.empty(len(y_true), np.int32)
    codes[rows] = np.repeat(np.arange(len(pairs)), [len(test) for _, test in pairs])
    return replace(table, splits=_splits(pairs), split_code=codes)


def _pairs(cv: Any, y_true: Array, X: Any, groups: Any, classification: bool) -> Pairs:
    from sklearn.model_selection import check_cv

    try:
        splitter = check_cv(cv, y_true, classifier=classification)
        state = getattr(splitter, "random_state", 0)
        if getattr(splitter, "shuffle", False) and not isinstance(state, (int, np.integer)):
            raise InputError(
                f"from_cv: {splitter!r:.60} shuffles anew each time; give it a whole number as "
                "random_state, here and in cross_val_predict"
            )
        X = np.zeros((len(y_true), 1)) if X is None else X
        pairs = splitter.split(X, y_true, groups)
        return [(np.asarray(train), np.asarray(test)) for train, test in pairs]
    except (ValueError, TypeError) as error:
        raise InputError(f"from_cv: cv={cv!r:.60}: {error}") from None


def _splits(pairs: Pairs) -> Splits:
    """Folds of repeats if each repeat tests the same rows; else each split stands for itself."""
    places: list[tuple[int, int]] = []
    covered: list[set[int]] = [set()]
    for _, test in pairs:
        rows = set(test.tolist())
        if rows & covered[-1]:
            covered.append(set())
        repeat = len(covered) - 1
        places.append((repeat, sum(at == repeat for at, _ in places)))
        covered[-1] |= rows
    ordered = all(train.max() < test.min() for train, test in pairs)
    if not ordered and any(rows != covered[0] for rows in covered):
        places = [(at, 0) for at in range(len(pairs))]
    return Splits(tuple(
        Split(at, repeat=repeat, fold=fold, n_train=len(train), n_test=len(test))
        for at, ((repeat, fold), (train, test)) in enumerate(zip(places, pairs, strict=True))
    ))  # fmt: skip
