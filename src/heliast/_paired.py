"""Paired: models row by row on the same splits, and the tests of rows on one test set."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Any

import numpy as np
import numpy.typing as npt

from heliast import comparisons as tests
from heliast._assess import INCOMPLETE, _main_condition
from heliast._comparison import Chosen, Pair
from heliast._core.columns import column
from heliast._core.distinct import compact
from heliast._core.errors import InputError, NotEnoughData
from heliast.comparisons import TestResult
from heliast.estimates.resampled import Case, Parts, over_splits
from heliast.estimates.resampled._losses import loss_of
from heliast.measures import Measure
from heliast.measures.forms import Area, TableForm
from heliast.predictions import Predictions, Rows
from heliast.predictions._equal import code
from heliast.summaries import Contingency, Counted

Array = npt.NDArray[Any]
MOST_COUNTED = 20_000_000
FEWEST_GROUPS, FEW_GROUPS, REPLICATES = 5, 20, 2000
IDENTICAL = "identical predictions"


class Paired:
    """The models of one table that can be compared: complete, with a value, on the same rows."""

    def __init__(self, predictions: Predictions, measure: Measure, level: float = 0.95) -> None:
        self.measure, self.left_out, self.values = measure, dict[str, str](), dict[str, float]()
        self.table = table = _main_condition(predictions.only(role="test", seen=0))
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
            mine = np.flatnonzero(code(table, "model_code") == table.models.index(model))
            sort = [code(table, "split_code")[mine]]
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
    groups, notes = field.groups, tuple[str, ...]()
    if groups is not None:
        if groups < FEWEST_GROUPS:
            raise NotEnoughData(f"only {groups} groups: a test needs at least {FEWEST_GROUPS}")
        few = f"only {groups} groups: p and interval are rough"
        notes = ("rows come in groups: flipped and drawn by group",)
        notes += (few,) if groups < FEW_GROUPS else ()
    name = _auto_on_one(field) if test == "auto" else test
    if groups is not None and name in ("mcnemar", "delong_paired"):
        raise InputError(f"test={name!r} takes rows as independent, but these come in groups")
    pair, why, omnibus = _ON_ONE[name](field, seed)
    n_train = field.first.design.n_train
    words = f"one test set, {why}"
    return Chosen(pair, words, "model", n_train, omnibus, notes=notes, unit="test rows")


def _auto_on_one(field: Paired) -> str:
    if field.measure.name in ("error", "accuracy") and field.groups is None:
        return "mcnemar"
    areas = all(isinstance(case.form(*case.parts.alone), Area) for case in field.cases.values())
    if areas and field.groups is None:
        return "delong_paired"
    return "permutation" if field.losses is not None else "bootstrap"


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
    area = forms[0]
    if not isinstance(area, Area):
        raise InputError(
            f"test='delong_paired' compares the auc of two classes, not {field.measure.title}"
        )

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        one, other = field.rows[a], field.rows[b]
        scores = one.score_of(area.code), other.score_of(area.code)
        return tests.delong_paired(one.is_class(area.code) == 1, *scores, level=level)

    return pair, "areas under the ROC curve: DeLong's test on the same rows", None


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


def _bootstrap(field: Paired, seed: int) -> Made:
    drawn: dict[str, Array] = {}

    def pair(a: str, b: str, level: float, again: bool = False) -> TestResult:
        if not drawn:
            drawn.update(_replicates(field, seed))
        n, value = float(field.rows[a].n), field.values[a] - field.values[b]
        found = drawn[a] - drawn[b]
        defined = found[np.isfinite(found)]
        words = f"bootstrap, {found.size} replicates; percentile interval"
        if defined.size < 0.99 * found.size:
            lost = 1 - defined.size / found.size
            why = f"{lost:.1%} of the bootstrap replicates are undefined"
            return TestResult(nan, value, level=level, method=words, n=n, reason=why)
        if not defined.any() and value == 0:
            return TestResult(1.0, 0.0, level=level, method=words, n=n, notes=(IDENTICAL,))
        side = min(np.count_nonzero(defined <= 0), np.count_nonzero(defined >= 0))
        p = min(1.0, 2 * (1 + side) / (1 + defined.size))
        low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return TestResult(p, value, low, high, level=level, method=words, n=n, n_effective=n)

    return pair, "no mean of row losses: bootstrap, the same rows drawn for all models", None


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
    "mcnemar": _mcnemar, "delong_paired": _delong, "permutation": _permutation,
    "bootstrap": _bootstrap,
}  # fmt: skip
