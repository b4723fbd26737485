"""What scikit-learn's cross_validate and cross_val_predict give, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heliast._core.columns import column
from heliast._core.errors import InputError, ScoresAsLabels
from heliast._core.kinds import Array
from heliast.predictions._records import ScoreKind, Split, Splits
from heliast.predictions._table import Predictions
from heliast.tables.table import refuse_other_index

Pairs = Sequence[tuple[Array, Array]]


def from_cv(
    cls: type[Predictions], result: Any, X: Any, y: Any, cv: Any, groups: Any, **options: Any
) -> Predictions:
    """See `Predictions.from_cv`."""
    if y is None:
        raise InputError("from_cv: the true values are needed; say from_cv(result, X, y)")
    refuse_other_index({"X": X, "y": y, "groups": groups})
    truth = column(y, "y_true").plain()
    if isinstance(result, Mapping):
        if cv is not None:
            raise InputError("from_cv: cross_validate keeps its splits itself: leave out cv=")
        return _of_fits(cls, result, X, truth, options)
    return _of_answers(cls, result, X, truth, cv, groups, options)


# --- cross_validate ------------------------------------------------------------------------------


def _of_fits(
    cls: type[Predictions], result: Mapping[str, Any], X: Any, truth: Array, options: Any
) -> Predictions:
    """Each fitted model asked about the rows that it was not trained on."""
    if "estimator" not in result or "indices" not in result:
        raise InputError(
            "from_cv: cross_validate has not kept its models and splits; say cross_validate(model, "
            "X, y, return_estimator=True, return_indices=True)"
        )
    if X is None:
        raise InputError("from_cv: the models are asked again; say from_cv(result, X, y)")
    fits, indices = result["estimator"], result["indices"]
    pairs = list(zip(indices["train"], indices["test"], strict=True))
    if max(int(test.max()) for _, test in pairs) >= truth.size:
        raise InputError(
            f"from_cv: cross_validate tested row {max(int(t.max()) for _, t in pairs)}, y has "
            f"{truth.size}: give the X and y that cross_validate had"
        )
    named = all(hasattr(fit, "classes_") for fit in fits)
    met = {one for fit in fits for one in fit.classes_.tolist()} if named else set()
    classes = sorted({*truth.tolist(), *met}) if named else []
    label: list[Array] = []
    scores: list[Any] = []
    kinds: set[ScoreKind | None] = set()
    for fit, (_, test) in zip(fits, pairs, strict=True):
        rows = _rows(X, test)
        label.append(np.asarray(fit.predict(rows)))
        found, kind = _scores(fit, rows, classes) if named else (None, None)
        scores.append(found)
        kinds.add(kind)
    kept = np.concatenate(scores) if len(kinds) == 1 and None not in kinds else None
    rows = np.concatenate([test for _, test in pairs])
    of: dict[str, Any] = {
        "task": "classification" if named else "regression", "classes": classes or None,
        "row": rows,
        "scores": kinds.pop() if kept is not None else None,
    }  # fmt: skip
    split = np.repeat(np.arange(len(pairs)), [len(test) for _, test in pairs])
    table = cls.of(truth[rows], np.concatenate(label), kept, split=split, **{**of, **options})
    return replace(table, splits=_splits(pairs))


def _rows(X: Any, at: Array) -> Any:
    """Some rows of a frame, a matrix or lists."""
    if hasattr(X, "iloc"):
        return X.iloc[at]
    return X[at] if hasattr(X, "shape") else np.asarray(X)[at]


def _scores(fit: Any, X: Any, classes: list[Any]) -> tuple[Array | None, ScoreKind | None]:
    """One column a class; a class that the fit has not met gets the least."""
    if hasattr(fit, "predict_proba"):
        found, kind, least = np.asarray(fit.predict_proba(X)), "probability", 0.0
    elif hasattr(fit, "decision_function"):
        found, kind = np.asarray(fit.decision_function(X), np.float64), "decision"
        found = np.column_stack([-found, found]) if found.ndim == 1 else found
        least = float(found.min()) - 1
    else:
        return None, None
    if found.shape[1] != len(fit.classes_):  # one column a pair of classes
        return None, None
    every = np.full((len(found), len(classes)), least)
    every[:, [classes.index(one) for one in fit.classes_.tolist()]] = found
    return every, kind  # type: ignore[return-value]


# --- cross_val_predict ---------------------------------------------------------------------------


def _of_answers(
    cls: type[Predictions], result: Any, X: Any, truth: Array, cv: Any, groups: Any, options: Any
) -> Predictions:
    """One answer a row; which split gave it follows from the splitter."""
    if cv is None:
        raise InputError(
            "from_cv: which rows were trained on together is not in the answers; say cv=, the same "
            "as in cross_val_predict"
        )
    answers = np.asarray(result)
    given = {"row": np.arange(len(answers)), **options}
    try:
        table = cls.of(truth, *((None, answers) if answers.ndim == 2 else (answers,)), **given)
    except ScoresAsLabels:  # of predict_proba, the column of the positive class
        table = cls.of(truth, y_score=answers, **given)
    pairs = _pairs(cv, truth, X, groups, table.task == "classification")
    rows = np.concatenate([test for _, test in pairs])
    if len(table) != len(truth) or not np.array_equal(np.sort(rows), np.arange(len(truth))):
        raise InputError(
            f"from_cv: cv={cv!r:.60} does not test every row once, so cross_val_predict has not "
            "used it; for other splitters take cross_validate"
        )
    codes = np.empty(len(truth), np.int32)
    codes[rows] = np.repeat(np.arange(len(pairs)), [len(test) for _, test in pairs])
    return replace(table, splits=_splits(pairs), split_code=codes)


def _pairs(cv: Any, truth: Array, X: Any, groups: Any, classes: bool) -> Pairs:
    from sklearn.model_selection import check_cv

    try:
        splitter = check_cv(cv, truth, classifier=classes)
        state = getattr(splitter, "random_state", 0)
        if getattr(splitter, "shuffle", False) and not isinstance(state, (int, np.integer)):
            raise InputError(
                f"from_cv: {splitter!r:.60} shuffles anew each time; give it a whole number as "
                "random_state, here and in cross_val_predict"
            )
        inputs = np.zeros((len(truth), 1)) if X is None else X
        return [(np.asarray(a), np.asarray(b)) for a, b in splitter.split(inputs, truth, groups)]
    except (ValueError, TypeError) as error:
        raise InputError(f"from_cv: cv={cv!r:.60}: {error}") from None


# --- the splits ----------------------------------------------------------------------------------


def _splits(pairs: Pairs) -> Splits:
    """Folds of repeats if each repeat tests the same rows; else every split stands for itself."""
    places, tested, repeat, fold = [], set[int](), 0, 0
    covered: list[set[int]] = []
    for _, test in pairs:
        rows = set(test.tolist())
        if rows & tested:
            covered.append(tested)
            repeat, fold, tested = repeat + 1, 0, set()
        places.append((repeat, fold))
        tested, fold = tested | rows, fold + 1
    covered.append(tested)
    ordered = all(train.max() < test.min() for train, test in pairs)
    if not ordered and any(rows != covered[0] for rows in covered):
        places = [(at, 0) for at in range(len(pairs))]
    return Splits(tuple(
        Split(at, repeat=repeat, fold=fold, n_train=len(train), n_test=len(test))
        for at, ((repeat, fold), (train, test)) in enumerate(zip(places, pairs, strict=True))
    ))  # fmt: skip
