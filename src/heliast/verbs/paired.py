"""Paired: models row by row on the same splits, and the tests of rows on one test set."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property
from math import isnan, nan
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast import comparisons as tests
from heliast._core.clusters import FEWEST, equal_groups, few, sizes, too_few
from heliast._core.columns import column
from heliast._core.distinct import compact
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.level import quantile
from heliast.comparisons import TestResult
from heliast.comparisons._delong_paired import of_areas
from heliast.comparisons._mover import Mover
from heliast.comparisons._paired_areas import PairedAreas
from heliast.comparisons._record import IDENTICAL, UNVARYING
from heliast.comparisons._replicated import replicated_at, replicated_z
from heliast.comparisons._table_mover import Own, table_mover
from heliast.estimates import row_influence
from heliast.estimates.resampled import Case, Parts, loss_of, over_splits
from heliast.measures import Measure
from heliast.measures.forms import Area, TableForm
from heliast.measures.summaries import Contingency, Counted
from heliast.predictions import Predictions, Rows
from heliast.verbs.assess import INCOMPLETE
from heliast.verbs.comparison import Chosen, Pair
from heliast.verbs.question import Question

Array = npt.NDArray[Any]
MOST_COUNTED = 20_000_000
FEWEST_GROUPS, REPLICATES = FEWEST, 2000
MOST_CLASSES, FEW_DIFFER = 64, 20
"""Rows on which two models differ: below, limits that are wide by themselves take part."""


class Paired:
    """The models of one table that can be compared: complete, with a value, on the same rows."""

    def __init__(self, predictions: Predictions, measure: Measure, level: float = 0.95) -> None:
        self.measure, self.left_out, self.values = measure, dict[str, str](), dict[str, float]()
        self.table = table = Question().rows(predictions)
        if not len(table):
            raise InputError("no row of role 'test' with seen = 0: nothing to compare")
        if len(table.models) < 2:
            raise InputError(
                f"one model ({table.models[0]}): a comparison needs two; add a file of another "
                "model's predictions for the same rows (in Python: join), or name another model"
            )
        self.cases = dict[str, Case]()
        lacking, size = table.incomplete(), len(table.classes)
        needs = [measure.lacks(table.task, size, table.score_kind_of(one)) for one in table.models]
        if all(needs):
            raise InputError(f"measure {measure.name!r}: {needs[0]}")
        for model, need in zip(table.models, needs, strict=True):
            case = Case(Parts(table, model), predictions.only(model), measure, None, level)
            why = INCOMPLETE.format(count=lacking[model]) if model in lacking else ""
            self._take(model, case, case.parts.unfinished or why or need)
        self.notes = table.notes

    def _take(self, model: str, case: Case, why: str) -> None:
        if not why and case.parts.missing:
            why = f"incomplete: no rows in {case.parts.missing} of the splits"
        if not why:
            single = case.parts.single
            one = over_splits(case, "none") if single is None else self.measure.form(single)
            self.values[model] = float(one.value)
            why = "" if np.isfinite(one.value) else getattr(one, "reason", "") or "no finite value"
        if why:
            self.left_out[model] = why
            self.values.pop(model, None)
        else:
            self.cases[model] = case

    @property
    def models(self) -> tuple[str, ...]:
        if len(self.cases) < 2:
            said = "; ".join(f"{name}: {why}" for name, why in self.left_out.items())
            raise NotEnoughData(f"fewer than two models can be compared ({said})")
        return tuple(self.cases)

    @property
    def first(self) -> Case:
        return self.cases[self.models[0]]

    @property
    def single(self) -> bool:
        return self.first.parts.single is not None

    @property
    def groups(self) -> int | None:
        return None if self.table.group is None else int(np.unique(self.table.group).size)

    @cached_property
    def rows(self) -> dict[str, Rows]:
        """The rows of each model in the same order: by split and row, or as they stand."""
        table = self.table
        name = table.row
        if name is not None and not compact(name):
            name = column(name, "row").coded()[1]
        found, keys = dict[str, Rows](), list[list[Array]]()
        for model in self.models:
            mine = np.flatnonzero(table.codes("model") == table.models.index(model))
            sort = [table.codes("split")[mine]]
            sort = sort if name is None else [name[mine], *sort]
            whole = self.cases[model].parts.whole.rows()
            order = slice(None) if _in_order(sort) else np.lexsort(sort)
            found[model] = whole if isinstance(order, slice) else whole.at(order)
            keys.append([key[order] for key in (*sort, table.truth[mine])])
            same = zip(keys[0], keys[-1], strict=True)
            if not all(np.array_equal(one, other) for one, other in same):
                raise InputError(f"the rows of {self.models[0]!r} and {model!r} do not pair")
        return found

    @cached_property
    def losses(self) -> dict[str, Array] | None:
        """The loss of each row, where the measure is a mean of such; in the order of `rows`."""
        how = [loss_of(self.measure.form(case.parts.pooled)) for case in self.cases.values()]
        pairs = zip(self.models, how, strict=True)
        return {m: one(self.rows[m]) for m, one in pairs if one} if all(how) else None

    @cached_property
    def influences(self) -> dict[str, Array] | None:
        """The value plus the influence of each row, where known; in the order of `rows`.

        For a mean of row losses these are the losses.
        """
        found = dict[str, Array]()
        for model, rows in self.rows.items():
            psi = row_influence(self.measure.form(Counted(rows)), rows)
            if psi is None or not np.isfinite(psi).all():
                return None
            found[model] = self.values[model] + psi
        return found

    @cached_property
    def own_limits(self) -> dict[str, Own] | None:
        """The limits of each model by itself, for measures of a small contingency table."""
        forms = {model: self.measure.form(Counted(rows)) for model, rows in self.rows.items()}
        owns = {m: Own.of(one, self.rows[m], self.measure) for m, one in forms.items()}
        known = {model: own for model, own in owns.items() if own is not None}
        small = len(self.table.classes) <= MOST_CLASSES
        return known if small and len(known) == len(owns) else None

    @property
    def rarest(self) -> float:
        """The share of rows outside the largest class; NaN for numbers."""
        if self.table.task != "classes":
            return nan
        shares = np.bincount(self.rows[self.models[0]].truth)
        return 1 - float(shares.max() / shares.sum())

    def identical(self, a: str, b: str) -> bool:
        one, other = self.rows[a], self.rows[b]
        same = np.array_equal(one.label, other.label)
        if self.measure.needs == "label" or not same:
            return same
        return one.scores is not None and np.array_equal(one.scores, np.asarray(other.scores))

    def write_out(self) -> None:
        """Rows with a count are written as often as they count."""
        if self.table.weight is None:
            return
        for model, rows in self.rows.items():
            times = np.asarray(rows.weight).astype(np.int64)
            if times.sum() > MOST_COUNTED or (times != rows.weight).any():
                raise InputError("weights must be whole and not too many to test rows one by one")
            again = rows.at(np.repeat(np.arange(rows.n), times))
            self.rows[model] = replace(again, weight=None, weight_kind=None)


def _in_order(keys: list[Array]) -> bool:
    """Whether rows stand by split, then by name, already: of one split, with rising names."""
    *names, split = keys
    if (split != split[:1]).any():
        return False
    return all(bool((name[1:] >= name[:-1]).all()) for name in names)


# --- one test set ------------------------------------------------------------------------------


def on_one_set(field: Paired, test: str, seed: int) -> Chosen:
    if field.table.meta.weight_kind == "sampling" and field.table.weight is not None:
        raise InputError("rows have sampling weights: no test here is valid for them on a test set")
    field.write_out()
    group, notes = field.rows[field.models[0]].group, tuple[str, ...]()
    if group is not None:
        size = sizes(group)
        why = too_few(size, "a test")
        if why:
            raise NotEnoughData(why)
        notes = ("rows come in groups: what varies is groups, not rows",)
        notes += few(size, "p and interval are rough")
    name = _auto_on_one(field) if test == "auto" else test
    if group is not None and name == "mcnemar":
        raise InputError(f"test={name!r} takes rows as independent, but these come in groups")
    pair, why, omnibus = _ON_ONE[name](field, seed)
    n_train = field.first.design.n_train
    words = f"one test set, {why}"
    return Chosen(pair, words, "model", n_train, omnibus, notes=notes, unit="test rows")


def _auto_on_one(field: Paired) -> str:
    if field.measure.name in ("error", "accuracy") and field.groups is None:
        return "mcnemar"
    areas = all(isinstance(case.form(*case.parts.alone), Area) for case in field.cases.values())
    if areas:
        return "delong_paired"
    if field.influences is None:
        return "bootstrap"
    return "skewed_t" if field.own_limits is None else "square_and_add"


Made = tuple[Pair, str, TestResult | None]


def _mcnemar(field: Paired, seed: int) -> Made:
    if field.measure.name not in ("error", "accuracy"):
        raise InputError(f"test='mcnemar' compares error or accuracy, not {field.measure.title}")
    wrong = {model: rows.label != rows.truth for model, rows in field.rows.items()}

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        x, y = wrong[a], wrong[b]
        only = int((x & ~y).sum()), int((y & ~x).sum())
        if field.measure.name == "accuracy":
            only = only[::-1]
        return tests.mcnemar(*only, n=x.size, both_wrong=int((x & y).sum()), level=level)

    why = "right or wrong: McNemar's test (mid-p) on the rows where one of two models errs"
    if len(field.models) == 2:
        return pair, why, None
    correct = ~np.stack([wrong[model] for model in field.models], axis=1)
    return pair, f"{why}, Cochran's Q for all models at once", tests.cochran_q(correct)


def _delong(field: Paired, seed: int) -> Made:
    forms = [case.form(*case.parts.alone) for case in field.cases.values()]
    area, first = forms[0], field.rows[field.models[0]]
    if not isinstance(area, Area):
        raise InputError(
            f"test='delong_paired' compares the auc of two classes, not {field.measure.title}"
        )

    own, group = first.is_class(area.code) == 1, first.group

    @cache
    def areas(a: str, b: str) -> PairedAreas:
        one, other = field.rows[a], field.rows[b]
        return PairedAreas.of(own, (one.score_of(area.code), other.score_of(area.code)), group)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        found = of_areas(areas(a, b), level, "score")
        if again or isnan(found.value) or areas(a, b).alike:
            return found
        return replace(found, p=areas(a, b).p)  # of the interval: near AUC 1 above DeLong's

    return pair, "areas under the ROC curve: DeLong's test on the same rows", None


def _square_and_add(field: Paired, seed: int) -> Made:
    values, owns = field.influences, field.own_limits
    if values is None or owns is None:
        raise InputError(
            f"test='square_and_add' is for measures of labels, with up to {MOST_CLASSES} classes; "
            "test='bootstrap' takes any measure"
        )
    group = field.rows[field.models[0]].group

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        differ = int(np.count_nonzero(field.rows[a].label != field.rows[b].label))
        psi = values[a] - field.values[a], values[b] - field.values[b]
        mover = table_mover((owns[a], owns[b]), psi)
        if owns[a].sharp and group is None:
            words, notes = (
                "square-and-add of the models' own limits",
                () if differ else (IDENTICAL,),
            )
            p, n = nan if again else mover.p, float(field.rows[a].n)
            return TestResult(
                p, mover.value, *mover.limits(level), level=level, method=words, n=n,
                n_effective=float(differ), notes=notes,
            )  # fmt: skip
        found = tests.skewed_t(values[a], values[b], level, group=group)
        wide = not owns[a].sharp and differ >= FEW_DIFFER
        return found if wide else _at_least(found, mover, level, again)

    why = "a measure of labels: each model's own limits, with how they vary together"
    return pair, why if group is None else f"{why}, and t of the differences of groups", None


def _skewed_t(field: Paired, seed: int) -> Made:
    values = field.influences
    if values is None:
        raise InputError(
            f"test='skewed_t' needs the influence of each row, which is not known for "
            f"{field.measure.title}; test='bootstrap' takes any measure"
        )
    group = field.rows[field.models[0]].group

    plain = _plain_losses(field)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        found = tests.skewed_t(values[a], values[b], level, group=group)
        if plain is None:
            return found
        alike = tests.skewed_t(plain[a], plain[b], level, group=group)
        if not alike.p > found.p:
            return found
        if alike.p < 1 - level:
            return replace(found, p=alike.p)
        return replace(found, p=alike.p, low=min(found.low, 0.0), high=max(found.high, 0.0))

    what = "row losses" if field.losses is not None else "the influences of rows"
    by = "rows" if group is None else "groups"
    return pair, f"{what}: t of their differences by {by}, corrected for skewness", None


def _plain_losses(field: Paired) -> dict[str, Array] | None:
    """Of numbers: the errors whose means are equal just where the measure is, for RMSE and R2.

    Such a function of a mean is led astray by one large error, which moves its slope too.
    """
    if field.table.task != "number" or field.losses is not None:
        return None
    power = 1 if field.measure.name == "rae" else 2
    return {m: np.abs(rows.label - rows.truth) ** power for m, rows in field.rows.items()}


def _permutation(field: Paired, seed: int) -> Made:
    losses = field.losses
    if losses is None:
        raise InputError(
            f"test='permutation' needs a mean of row losses, which {field.measure.title} is not; "
            "test='bootstrap' takes any measure"
        )
    group = field.rows[field.models[0]].group
    if group is not None:
        place = np.unique(group, return_inverse=True)[1]
        scale = (int(place.max()) + 1) / place.size  # the mean of these sums is that of the rows
        losses = {m: np.bincount(place, weights=one) * scale for m, one in losses.items()}
    n = float(field.rows[field.models[0]].n)

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        flips = 1 if again else 10_000
        one = tests.permutation(losses[a], losses[b], seed, flips, level)
        return replace(one, n=n)

    by = "rows" if group is None else "groups"
    return pair, f"a mean of row losses: sign flips of the differences of {by}", None


def _at_least(found: TestResult, mover: Mover, level: float, again: bool) -> TestResult:
    """The outer ends of both, and the larger p: near the ends of a range t sees too little."""
    low, high = mover.limits(level)
    p = found.p if again else float(np.fmax(found.p, mover.p))
    low, high = float(np.fmin(found.low, low)), float(np.fmax(found.high, high))
    reason = found.reason if isnan(p) else ""
    words = f"{found.method}; at least square-and-add"
    return replace(found, p=p, low=low, high=high, method=words, reason=reason)


def _bootstrap(field: Paired, seed: int) -> Made:
    drawn: dict[str, Array] = {}

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        if not drawn:
            drawn.update(_replicates(field, seed))
        n, value = float(field.rows[a].n), field.values[a] - field.values[b]
        found = drawn[a] - drawn[b]
        defined = found[np.isfinite(found)]
        words = f"bootstrap, {found.size} replicates; percentile interval"
        group = field.rows[a].group
        equal = None if group is None else equal_groups(sizes(group))
        if defined.size < 0.99 * found.size:
            lost = 1 - defined.size / found.size
            why = f"{lost:.1%} of the bootstrap replicates are undefined"
            return TestResult(nan, value, level=level, method=words, n=n, reason=why)
        if not defined.any() and value == 0:
            return TestResult(1.0, 0.0, level=level, method=words, n=n, notes=(IDENTICAL,))
        if not np.ptp(defined):
            return TestResult(nan, value, level=level, method=words, n=n, reason=UNVARYING)
        p, wide = _by_replicates(abs(replicated_z(defined, 0.0)), level, equal)
        low, high = replicated_at(defined, -wide), replicated_at(defined, wide)
        return TestResult(p, value, low, high, level=level, method=words, n=n, n_effective=n)

    return pair, "no mean of row losses: bootstrap, the same rows drawn for all models", None


def _by_replicates(z: float, level: float, equal: float | None) -> tuple[float, float]:
    """p of a point z out, and how far out the limits lie.

    Replicates of G equal groups vary (G-1)/G too little and know nothing of degrees of freedom.
    """
    from scipy.special import ndtr, stdtr

    if equal is None:
        return float(2 * ndtr(-z)), quantile(level)
    factor = (equal / (equal - 1)) ** 0.5
    return float(2 * stdtr(equal - 1, -z / factor)), factor * quantile(level, equal - 1)


def _replicates(field: Paired, seed: int) -> dict[str, Array]:
    """The measure of every model on the same rows drawn with replacement (groups, classes)."""
    rng = np.random.default_rng(seed)
    first = field.rows[field.models[0]]
    by_class = first.design == "classes"
    key = first.truth if by_class else first.group
    parts = [] if key is None else [np.flatnonzero(key == one) for one in np.unique(key)]
    found: dict[str, list[float]] = {model: [] for model in field.models}
    value = {model: _valued(field.measure, field.rows[model]) for model in field.models}
    for _ in range(REPLICATES):
        if by_class:
            at = np.concatenate([rng.choice(part, part.size) for part in parts])
        elif parts:
            at = np.concatenate([parts[g] for g in rng.integers(0, len(parts), len(parts))])
        else:
            at = rng.integers(0, first.n, first.n)
        for model, values in found.items():
            values.append(value[model](field.rows[model].at(at)))
    return {model: np.array(values) for model, values in found.items()}


def _valued(measure: Measure, rows: Rows) -> Callable[[Rows], float]:
    """How to find the measure on rows drawn again: from their table alone, where that will do."""
    form = measure.form(Counted(rows))
    if isinstance(form, TableForm) and rows.weight is None and rows.design == "rows":

        def of_table(drawn: Rows) -> float:
            with np.errstate(divide="ignore", invalid="ignore"):
                return float(form.function(Contingency.of(replace(drawn, group=None)).counts))

        return of_table
    return lambda drawn: float(measure.form(Counted(drawn)).value)


_ON_ONE = {
    "mcnemar": _mcnemar, "delong_paired": _delong, "square_and_add": _square_and_add,
    "skewed_t": _skewed_t, "permutation": _permutation, "bootstrap": _bootstrap,
}  # fmt: skip
