"""compare: which models can be told apart, by the test that the design of the table allows."""

from collections.abc import Mapping
from dataclasses import replace
from math import nan
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from heliast import comparisons as tests
from heliast import measures as registry
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.level import check_level, quantile
from heliast.comparisons import BayesResult, TestResult
from heliast.estimates.resampled import Case, Design, Refused, influences, split_values
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.comparison import Asked, Chosen, Comparison, Models, judged
from heliast.verbs.paired import FEWEST_GROUPS, Paired, on_one_set
from heliast.verbs.question import Question

Array = npt.NDArray[Any]
ONE, SPLITS, SETS = "one test set", "several splits of one data set", "several data sets"
FOR = {
    "mcnemar": (ONE,), "delong_paired": (ONE,), "square_and_add": (ONE,), "skewed_t": (ONE,),
    "permutation": (ONE,), "bootstrap": (ONE,),
    "corrected_t": (SPLITS,), "paired_t": (SPLITS, SETS), "five_by_two_t": (SPLITS,),
    "five_by_two_f": (SPLITS,), "wilcoxon": (SETS,), "sign_test": (SETS,),
    "bayes": (SPLITS, SETS), "bayes_correlated_t": (SPLITS,), "bayes_signed_rank": (SETS,),
}  # fmt: skip
"""The tests of pairs, and what each is for."""
BAYES = ("bayes", "bayes_correlated_t", "bayes_signed_rank")
"""These give their three probabilities beside the test that `auto` takes."""
OMNIBUS = ("cochran_q", "friedman", "iman_davenport", "nemenyi")
FEWEST_SETS = 6
SHARED = {
    "leave_one_out": "leave-one-out tests one row a split, so splits show no spread to judge by",
    "bootstrap": "resamples share rows, so the spread over them is not that of a difference",
}
PLAIN_T = "paired t takes splits as independent and finds too much: 30 to 50% of true nulls at 5%"


def compare(
    predictions: Predictions | Mapping[str, Predictions],
    measure: str | Measure = "error",
    test: str = "auto",
    level: float = 0.95,
    margin: float | None = None,
    correction: str = "holm",
    *,
    seed: int = 0,
) -> Comparison:
    """Every pair of models: the difference, its interval, a p value and a verdict in words.

    Takes one table with several models, or {name of data set: table}. `auto` picks the test by
    the design that the table shows and says why (`reason_for_test`); `test` names another. A
    pair is told apart only if p, corrected for the number of pairs, and the interval agree.
    Differences up to `margin` are taken not to matter (0.01 for measures between 0 and 1).
    `test="bayes"` adds to each pair how probable it is that a is better, that the difference lies
    within the margin, that b is better (`Difference.bayes`): over splits by the correlated t, over
    data sets by the signed rank test.

    >>> truth = ["a", "b"] * 50
    >>> tree = Predictions.of(truth, ["a"] * 60 + truth[60:], model="tree")
    >>> knn = Predictions.of(truth, ["a"] * 20 + truth[20:], model="knn")
    >>> compare(tree.join(knn))["tree", "knn"]
    Difference(tree - knn, error: 0.2 [0.12, 0.2845], p = 9.54e-07, worse)
    """
    asking = asked(measure, test, level, margin, correction)
    if isinstance(predictions, Mapping):
        refuse(test, SETS)
        return over_sets(Sets(predictions, asking.measure, level), test, asking, seed)
    if not hasattr(predictions, "only"):
        raise InputError(f"expected Predictions, or a mapping of them, got {predictions!r:.60}")
    field = Paired(predictions, asking.measure, level)
    refuse(test, ONE if field.single else SPLITS)
    chosen = on_one_set(field, test, seed) if field.single else _over_splits(field, test, asking)
    return judged(field, chosen, asking)


def compared(
    predictions: Predictions | Mapping[str, Predictions], question: Question
) -> Comparison:
    """What `compare` finds, for those who hold a question already."""
    task = "classes"
    if isinstance(predictions, Predictions):
        task = predictions.task
    return compare(
        predictions, question.only_measure(task), question.test, question.level, question.margin,
        question.correction, seed=question.seed,
    )  # fmt: skip


def asked(
    measure: str | Measure, test: str, level: float, margin: float | None, correction: str
) -> Asked:
    """What the user asks for, checked, with the margin that is usual for such a measure."""
    check_level(level)
    found = registry.get(measure) if isinstance(measure, str) else measure
    if correction not in ("holm", "none"):
        raise InputError(f"correction={correction!r}: choose 'holm' or 'none'")
    # Three probabilities need a margin and show it; verdicts may do without (`with_margin`).
    usual = margin is None and test not in BAYES
    if margin is None and found.bounds[0] >= 0 and found.bounds[1] <= 1:
        margin = 0.01
    if test in BAYES and margin is None:
        raise InputError(
            f"test={test!r}: give margin=, the largest difference of {found.title} that does not "
            "matter (0 if each does)"
        )
    return Asked(found, level, margin, correction, usual)


def refuse(test: str, here: str) -> None:
    """Say why a test cannot be used here; nothing if it can."""
    valid = ", ".join(["auto", *(name for name, places in FOR.items() if here in places)])
    if test == "auto" or here in FOR.get(test, ()):
        return
    if test in OMNIBUS:
        why = "says whether any model differs, not which: compare gives it as .omnibus"
    elif test in FOR:
        why = f"is for {' or '.join(FOR[test])}, but here is {here}; choose among {valid}"
    else:
        why = f"is not known; for {here} there are {valid}"
    raise InputError(f"test={test!r} {why}")


# --- several splits, several data sets ---------------------------------------------------------


def _over_splits(field: Paired, test: str, asking: Asked) -> Chosen:
    case, name = field.first, "corrected_t" if test in ("auto", *BAYES) else test
    _ = field.rows  # they pair, or this says that they do not
    design = case.design
    if design.kind in SHARED:
        raise InputError(f"{SHARED[design.kind]}; run KFold(10, repeats=10), or Holdout, instead")
    if design.reason and (name == "corrected_t" or design.grouped):
        raise InputError(f"no test over these splits: {design.reason}")
    groups = field.groups
    if groups is not None and groups < FEWEST_GROUPS:
        raise NotEnoughData(f"only {groups} groups: a test needs at least {FEWEST_GROUPS}")
    values, notes = _values_of_splits(field)
    rows = Rows(field)
    df = min(float(values[field.models[0]].size - 1), _freedom(design))
    if design.folds and df == 1:
        notes += ("2 folds leave 1 degree of freedom: 10 folds tell much more",)
    five = name.startswith("five_by_two")
    if five and (design.repeats, values[field.models[0]].size, design.folds) != (5, 10, True):
        raise InputError(f"test={name!r} needs 5 repeats of 2 folds (the plan FiveByTwo)")
    if name == "paired_t":
        notes += (PLAIN_T,)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        x, y = values[a], values[b]
        if five:
            one: TestResult = getattr(tests, name)(x.reshape(5, 2), y.reshape(5, 2))
        elif name == "paired_t":
            one = tests.paired_t(x, y, level)
        else:
            one = tests.corrected_t(
                x - rows.moved(a), y - rows.moved(b), design.n_train, design.n_test, df,
                level, groups, between=rows.between(a, b), least=rows.least(a, b), n=design.n,
            )  # fmt: skip
        return replace(one, n=design.n, n_effective=_worth(field, a, b, one))

    def bayes(a: str, b: str) -> BayesResult:
        return tests.bayes_correlated_t(
            values[a], values[b], design.n_train, design.n_test, asking.margin or 0.0,
            better=asking.measure.better, level=asking.level,
        )  # fmt: skip

    return Chosen(
        pair, _why_splits(case, name, df), "procedure", design.n_train, notes=notes,
        bayes=bayes if test in BAYES else None,
    )  # fmt: skip


def _freedom(design: Design) -> float:
    """K - 1 for folds; fewer than the splits have, because splits are not independent.

    Measured (docs/coverage.md): halves, repeated, correct so much that 9 are safe, and over random
    subsamples 5 are.
    """
    if not design.folds:
        return 5.0
    k = design.splits / design.repeats
    return 9.0 if k == 2 else k - 1


def _why_splits(case: Case, name: str, df: float) -> str:
    design = case.design
    if design.folds:
        k = design.splits // design.repeats
        what = f"{design.repeats} x {k} folds" if design.repeats > 1 else f"{k} folds"
    else:
        what = f"{design.splits} splits"
    if name != "corrected_t":
        return f"{what}: {name} was asked for by name"
    freedom = f"{df:.3g} degree{'' if df == 1 else 's'} of freedom"
    return f"{what} share training rows: corrected t with {freedom}"


def _values_of_splits(field: Paired) -> tuple[dict[str, Array], tuple[str, ...]]:
    """The measure on each split, where all models have one, in the order of the repeats."""
    found = {model: _of_splits(case) for model, case in field.cases.items()}
    keep = np.isfinite(np.stack(list(found.values()))).all(axis=0)
    lost = int((~keep).sum())
    if keep.sum() < 2:
        raise NotEnoughData(f"{field.measure.title} is defined in {keep.sum()} splits only")
    notes = (f"undefined in {lost} of {keep.size} splits, left out for all models",) if lost else ()
    return {model: values[keep] for model, values in found.items()}, notes


def _of_splits(case: Case) -> Array:
    names = [name for names in case.parts.repeats for name in names]
    if case.measure.over == "rows":
        try:
            values = split_values(case)
            if values.size == len(names):
                return values
        except Refused:
            pass
    return np.array([case.form(name).value for name in names])


class Rows:
    """What the rows themselves say of differences over splits, for measures pooled over rows.

    `moved` is what each split's value owes to its own shares of the classes: none where folds are
    dealt by class. Taken off, and the variance of shares drawn anew put on (`between`), the spread
    over splits is the same however they were dealt. `least` is the variance of models that do not
    depend on their training rows. With groups, for measures judged split by split and where
    influences are not known, all of this is zero.
    """

    def __init__(self, field: Paired) -> None:
        self._psi = dict[str, Array]()
        case, table = field.first, field.first.parts.whole
        if field.groups is not None or case.measure.over == "splits":
            return
        found = {model: influences(one) for model, one in field.cases.items()}
        if any(psi is None or not np.isfinite(psi).all() for psi in found.values()):
            return
        for model, one in field.cases.items():
            self._psi[model] = np.asarray(found[model])[_by_split_and_row(one)]
        order, weight = _by_split_and_row(case), _weight(case)
        self._rows = case.design.rows
        self._share = weight[order] / weight.sum()
        row = np.arange(len(table)) if table.row is None else np.asarray(table.row)
        self._row = np.unique(row, return_inverse=True)[1][order]
        self._class = np.zeros(len(table), np.int64)
        if table.task == "classes":
            self._class = np.asarray(table.truth, np.int64)[order]
        place = np.empty(len(table.splits), np.int64)
        names = [name for names in case.parts.repeats for name in names]
        place[[table.splits.places[name] for name in names]] = np.arange(len(names))
        self._split = place[np.asarray(table.split_code)[order]]

    def moved(self, model: str) -> Array | float:
        """What each split's value owes to its shares of the classes."""
        if not self._psi:
            return 0.0
        k, splits = int(self._class.max()) + 1, int(self._split.max()) + 1
        cells = np.bincount(self._split * k + self._class, self._share, minlength=splits * k)
        counts = cells.reshape(splits, k)
        shares = counts / counts.sum(axis=1, keepdims=True)
        moved: Array = (shares - counts.sum(axis=0)) @ self._means(self._psi[model])
        return moved

    def between(self, a: str, b: str) -> float:
        """The variance of a mean difference that the classes' shares make, if drawn anew."""
        if not self._psi:
            return 0.0
        gap = self._means(self._psi[a] - self._psi[b])[self._class]
        return float((self._share * (gap - self._share @ gap) ** 2).sum()) / self._rows

    def least(self, a: str, b: str) -> float:
        """The variance of the mean difference if every row had its own, whatever the training."""
        if not self._psi:
            return 0.0
        gap = self._psi[a] - self._psi[b]
        return float((np.bincount(self._row, self._share * gap) ** 2).sum())

    def _means(self, psi: Array) -> Array:
        size = np.bincount(self._class, self._share)
        return np.bincount(self._class, self._share * psi) / np.where(size > 0, size, 1.0)


def _by_split_and_row(case: Case) -> Array:
    table = case.parts.whole
    names = np.arange(len(table)) if table.row is None else np.asarray(table.row)
    order: Array = np.lexsort([names, np.asarray(table.split_code)])
    return order


def _weight(case: Case) -> Array:
    table = case.parts.whole
    return np.ones(len(table)) if table.weight is None else np.asarray(table.weight, np.float64)


def _worth(field: Paired, a: str, b: str, one: TestResult) -> float:
    """The independent rows whose mean difference would vary as much."""
    if field.losses is None or np.isnan(one.low) or not isinstance(one.df, float):
        return nan
    se = (one.high - one.low) / 2 / quantile(one.level, one.df)
    spread = float((field.losses[a] - field.losses[b]).std(ddof=1))
    return min(field.first.design.n, (spread / se) ** 2)


class Sets:
    """Several data sets: each model's value on each, and what was left out anywhere."""

    def __init__(self, tables: Mapping[str, Predictions], measure: Measure, level: float) -> None:
        for name, table in tables.items():
            if not isinstance(table, Predictions):
                raise InputError(f"data set {name!r}: expected Predictions, got {table!r:.60}")
        if len(tables) < FEWEST_SETS:
            raise NotEnoughData(
                f"{len(tables)} data sets: with fewer than {FEWEST_SETS} no p below 0.05 exists; "
                "add data sets, or compare each by itself"
            )
        self.fields: dict[str, Paired] = {}
        for name, table in tables.items():
            try:
                self.fields[name] = Paired(table, measure, level)
            except InputError as error:
                raise InputError(f"data set {name!r}: {error}") from None
        self.left_out: dict[str, str] = {}
        every = dict.fromkeys(m for one in self.fields.values() for m in one.table.models)
        for model in every:
            for name, one in self.fields.items():
                if model not in one.cases:
                    why = one.left_out.get(model, "not there")
                    self.left_out.setdefault(model, f"data set {name}: {why}")
        self.models = tuple(model for model in every if model not in self.left_out)
        if len(self.models) < 2:
            said = "; ".join(f"{model}: {why}" for model, why in self.left_out.items())
            raise NotEnoughData(f"fewer than two models are in all data sets ({said})")
        kept = self.fields.values()
        self.table = np.array([[one.values[m] for m in self.models] for one in kept])
        self.values = dict(zip(self.models, self.table.mean(axis=0).tolist(), strict=True))
        unfinished = {name: one.table.unfinished for name, one in self.fields.items()}
        self.notes: tuple[str, ...] = (
            "values of models are means over data sets",
            *(f"data set {name}: {why}" for name, why in unfinished.items() if why),
        )

    def identical(self, a: str, b: str) -> bool:
        return all(one.identical(a, b) for one in self.fields.values())


class Valued(Models, Protocol):
    """Models with a value on each of several data sets: a row a data set, a column a model."""

    table: Array


def over_sets(sets: Valued, test: str, asking: Asked, seed: int) -> Comparison:
    """Every pair of models over several data sets."""
    name, better = "wilcoxon" if test in ("auto", *BAYES) else test, asking.measure.better
    by_model = dict(zip(sets.models, sets.table.T, strict=True))

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        found: TestResult = getattr(tests, name)(by_model[a], by_model[b], level)
        return found

    def bayes(a: str, b: str) -> BayesResult:
        margin = asking.margin or 0.0
        return tests.bayes_signed_rank(by_model[a], by_model[b], margin, seed, better=better)

    words = "Wilcoxon signed ranks" if name != test else name
    why = f"{len(sets.table)} data sets: {words} for pairs"
    chosen = Chosen(
        pair, why, "procedure", unit="data sets", bayes=bayes if test in BAYES else None
    )
    if len(sets.models) > 2:
        chosen = replace(
            chosen, why=f"{why}, Friedman's test (Iman-Davenport) for all models at once",
            omnibus=tests.iman_davenport(sets.table, better),
            nemenyi=tests.nemenyi(sets.table, better, asking.level),
        )  # fmt: skip
    return judged(sets, chosen, asking)
