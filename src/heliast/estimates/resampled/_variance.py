"""The one variance model over splits: influence values of rows, times phi.

Each test (a row in a split) adds psi / n to the value of its piece, the rows of a repeat or those
of a split, and the value is the mean over pieces. What a row adds in all its tests is summed first,
so repeats are averaged; rows (or groups, or times) then vary independently, and

    variance = phi * sum over rows of (what the row adds)^2.

phi stands for training sets that overlap and vary: see `phi_of`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from heliast._core.clusters import adjusted, equal_groups
from heliast._core.kinds import Array
from heliast._core.times import long_run
from heliast.estimates.resampled._case import Case, loss_of
from heliast.estimates.resampled._design import Design, Parts
from heliast.measures.forms import Area, Form, Mean, Statistic, Undefined
from heliast.predictions import Rows

# phi over one repeat, of a value and of a difference; with repeats 1 + SLOPE sqrt(u), at most MOST.
# Chosen by benchmarks/studies/fold_variance.py: the true variance over that of the rows is 0.6 to
# 2.1 over one repeat of folds (ridge and LDA to trees and selection of features), that of
# differences 0.9 to 1.85.
ONE_REPEAT, OF_DIFFERENCE, SLOPE, MOST = 2.0, 1.7, 2.2, 2.2


class Tests:
    """Which row, group and split each test of a model belongs to.

    `times` is how often a row is tested, `copies` how many rows it stands for (frequency weights).
    """

    __test__ = False  # pytest takes classes of this name for its own

    def __init__(self, parts: Parts, design: Design) -> None:
        table = parts.whole
        self.design, self.size, self.named = design, len(table), table.row is not None
        names = np.arange(self.size) if table.row is None else np.asarray(table.row)
        first, self.row = np.unique(names, return_index=True, return_inverse=True)[1:]
        self.times = np.bincount(self.row)
        self.split = table.codes("split")
        self.places = table.splits.places
        self.weight = np.ones(self.size) if table.weight is None else np.asarray(table.weight)
        counts = table.meta.weight_kind == "frequency"
        copies = self.weight[first] if counts else np.ones(first.size)
        self.copies = np.where(copies > 0, copies, 1.0)
        self.group = None
        if table.group is not None:
            self.group = np.unique(np.asarray(table.group), return_inverse=True)[1]
        self._y_true = np.asarray(table.y_true)

    def where(self, names: Sequence[int | str]) -> Array:
        """Which tests belong to some splits."""
        return np.isin(self.split, [self.places[name] for name in names])

    def share_of(self, code: int) -> tuple[Array, float]:
        """What each test adds to the share of a class, and that share."""
        share, own = self.weight / self.weight.sum(), self._y_true == code
        rate = float(share @ own)
        return share * (own - rate), rate

    def units(self, added: Array) -> tuple[Array, float]:
        """What varies independently (m, units), from what tests add to m values, and its df.

        The squares of a line add up to the variance of its value, phi apart.
        """
        sums = _sums(self.row if self.group is None else self.group, added)
        if self.design.kind == "in_order":
            return long_run(sums)
        if self.group is not None:
            size = np.bincount(self.group, self.weight)
            units = np.stack([adjusted(line, size) for line in sums])
            df = float(equal_groups(size)) - 1.0
        else:
            units, df = sums / np.sqrt(self.copies), max(1.0, float(self.copies.sum()) - 1.0)
            if not self.named:  # repeats of rows without names tell no more than one of them
                units *= np.sqrt(max(1.0, self.size / self.design.n))
        if self.design.kind != "fresh":
            return units, df
        # Training sets of their own: splits vary independently, too.
        away = _sums(self.split, added)
        count = away.shape[1]
        away = (away - away.mean(axis=1, keepdims=True)) * np.sqrt(count / max(1, count - 1))
        return np.concatenate([units, away], axis=1), min(df, max(1.0, count - 1.0))

    def skewness(self, added: Array) -> tuple[float, float]:
        """The skewness of a value, and the rows (or groups) that vary independently."""
        units = self.units(added[None])[0][0]
        heavy = np.sqrt(self.copies) if units.size == self.copies.size else np.ones(units.size)
        square = float((units**2).sum())
        lean = float((units**3 / heavy).sum()) / square**1.5 if square > 0 else 0.0
        return lean, float((heavy**2).sum())

    def disagreement(self, added: Array) -> float:
        """u: the variance of a row between its tests, as a share of that and the one between rows.

        NaN where no row is tested twice.
        """
        if not self.named or not (self.times > 1).any():
            return float("nan")
        psi = added * (self.times / self.copies)[self.row]  # of one row, each time it is tested
        copies = self.copies[self.row]
        mean = np.bincount(self.row, psi) / self.times
        squares = float(copies @ psi**2 - (self.copies * self.times) @ mean**2)
        within = max(0.0, squares) / float(self.copies @ (self.times - 1))
        between = float(self.copies @ mean**2) - within * float(self.copies @ (1 / self.times))
        total = within + max(0.0, between) / float(self.copies.sum())
        return within / total if total > 1e-14 * float((psi**2).mean()) else 0.0

    def spread(self, added: Array) -> float:
        """The variance if every test were of a row of its own, times the rows tested."""
        per_row = float((added**2 / self.copies[self.row]).sum())
        return per_row * float(self.copies @ self.times)


def _sums(place: Array, added: Array) -> Array:
    return np.stack([np.bincount(place, line) for line in added])


def tests_of(case: Case) -> Tests:
    """The tests of the case's model, found once."""
    return case.parts.once("tests", lambda: Tests(case.parts, case.design))


def phi_of(design: Design, disagreement: float, once: float = ONE_REPEAT) -> float:
    """By how much overlapping and varying training sets raise the variance of the rows.

    `once` over one repeat; with repeats it follows how far these disagree about a row, as a learner
    that changes much with its training rows shows. Averaging over repeats shrinks the variance of
    the rows more than the true one for such learners.

    >>> round(phi_of(Design("folds", 30, 3, 200, 200, 20), 0.07), 2)
    1.58
    """
    if design.kind in ("in_order", "fresh"):
        return 1.0
    if np.isnan(disagreement):
        return once
    return min(MOST, 1 + SLOPE * float(np.sqrt(disagreement)))


@dataclass(frozen=True, eq=False)
class Spread:
    """How the value of a case varies: what each test adds, phi, variance and degrees of freedom."""

    added: Array
    phi: float
    variance: float
    df: float


def spread_of(case: Case, added: Array, once: float = ONE_REPEAT) -> Spread:
    """The variance model, from what each test adds to the value."""
    tests = tests_of(case)
    units, df = tests.units(added[None])
    phi = phi_of(case.design, tests.disagreement(added), once)
    return Spread(added, phi, phi * float((units**2).sum()), df)


def covariance_of(case: Case, added: Sequence[Array], phi: float) -> Array:
    """Covariances of several values of one case, from what each test adds to each."""
    units, _ = tests_of(case).units(np.stack(added))
    return phi * (units @ units.T)


def effective_rows(case: Case, added: Array, variance: float) -> float:
    """The independent rows whose value would have this variance; at most those there are."""
    if not variance > 0:
        return float("nan")
    return min(case.design.rows, tests_of(case).spread(added) / variance)


# --- what each test adds --------------------------------------------------------------------------


def pieces_of(case: Case) -> list[tuple[int | str, ...]]:
    """The splits whose rows make one value each: those of a repeat, or each on its own."""
    if case.measure.over == "splits":
        return [(name,) for name in case.parts.alone]
    return case.parts.pools


def forms_of(case: Case) -> list[Form]:
    """The measure's form on each piece, in the order of `pieces_of`."""
    return [case.form(*names) for names in pieces_of(case)]


def added_by_tests(case: Case, forms: Sequence[Form]) -> Array | None:
    """What each test adds to the value, in the order of the rows of `parts.whole`.

    None where the influence of a row is not known. Left-out losses of resamples count each row
    alike, however often it was left out.
    """
    tests = tests_of(case)
    losses = loss_of(forms[0]) if case.design.kind == "bootstrap" and tests.named else None
    if losses is not None:
        share = tests.weight / tests.times[tests.row]
        loss = np.where(share > 0, losses(case.parts.whole.rows()), 0.0)
        share = share / share.sum()
        return np.asarray(share * (loss - share @ loss))
    values = [form.value for form in forms]
    mean = float(np.nanmean(values))
    count = np.count_nonzero(~np.isnan(values))
    added = np.zeros(tests.size)
    for names, form in zip(pieces_of(case), forms, strict=True):
        if isinstance(form, Undefined):
            continue
        rows = case.parts.counted(names).rows
        psi = influence_in(form, rows, mean)
        if psi is None:
            return None
        added[tests.where(names)] = psi / (rows.weight_sum * count)
    return added


def influence_in(form: Form, rows: Rows, mean: float = np.nan) -> Array | None:
    """The influence of each row, its weight inside; None where it is not known.

    Within a split the placements of a class of few rows vary less around their own mean than around
    the true one, n/(n - 1) apart; of a single row the mean area over splits takes its place.
    """
    if isinstance(form, Area):
        return _of_area(form, rows, mean)
    if isinstance(form, Statistic) and form.mix:
        areas = [(weight, area) for weight, area in form.mix if isinstance(area, Area)]
        if len(areas) == len(form.mix):
            parts = [weight * _of_area(area, rows, np.nan) for weight, area in areas]
            return np.asarray(np.sum(parts, axis=0))
    unknown = isinstance(form, Statistic) and form.psi is None
    unknown = unknown or (isinstance(form, Mean) and form.losses is None)
    return None if unknown or isinstance(form, Undefined) else form.influence(rows)


def _of_area(form: Area, rows: Rows, mean: float) -> Array:
    psi = form.influence(rows)
    if rows.group is not None:
        return psi
    weight = np.ones(rows.n) if rows.weight is None else rows.weight
    own = rows.is_class(form.code) == 1
    for side in (own, ~own):
        sum_, squares = float(weight[side].sum()), float((weight[side] ** 2).sum())
        size = sum_**2 / squares if rows.weight_kind == "sampling" else sum_
        if size > 1:
            psi = np.where(side, psi * np.sqrt(size / (size - 1)), psi)
        elif np.isfinite(mean):
            psi = np.where(side, weight * (form.value - mean) * rows.weight_sum / sum_, psi)
    return psi


def rows_of_variance(case: Case, variance: float) -> float:
    """The independent rows at which the value would have this variance; NaN if not known."""
    added = added_by_tests(case, forms_of(case))
    return float("nan") if added is None else effective_rows(case, added, variance)


# --- for other packages ---------------------------------------------------------------------------


def influences(case: Case, fixed: bool = False) -> Array | None:
    """The influence of every test on the value of its repeat (or split), without its weight.

    In the order of the rows of `parts.whole`; NaN where the value is undefined. None where the
    influence of a row is not known, or class counts were fixed by design, unless `fixed`.
    """
    tests = tests_of(case)
    values = np.full(tests.size, np.nan)
    for names, form in zip(pieces_of(case), forms_of(case), strict=True):
        if isinstance(form, Undefined):
            continue
        rows = case.parts.counted(names).rows
        if rows.design == "classes" and not fixed:
            return None
        if isinstance(form, Statistic) and form.psi is None:
            return None
        weight = np.ones(rows.n) if rows.weight is None else rows.weight
        psi = form.influence(rows) / np.where(weight > 0, weight, 1.0)
        values[tests.where(names)] = psi
    return values


def split_values(case: Case) -> Array:
    """What each split says of the measure; their mean over a repeat is the repeat's value.

    For a measure pooled over rows: the value of the repeat plus the mean influence of the split's
    rows, which is defined even where a split lacks a class. Where groups make splits differ in
    size, each split counts by its size, as in a ratio estimate.
    """
    values = []
    for names in case.parts.pools:
        form, rows = case.form(*names), case.parts.counted(names).rows
        if isinstance(form, Undefined):
            continue
        psi = influence_in(form, rows)
        if psi is None or rows.design == "classes":
            values += [case.form(name).value for name in names]
            continue
        code = case.parts.table(names).split_code
        place = np.zeros(rows.n, np.int64) if code is None else np.asarray(code)
        size = np.bincount(place, rows.weight, len(names))
        scale = size.mean() if case.design.grouped else size
        values += (form.value + np.bincount(place, psi, len(names)) / scale).tolist()
    return np.array(values)
