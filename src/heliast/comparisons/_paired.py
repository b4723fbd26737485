"""Paired: the models of one table row by row, as tests of differences read them."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from math import nan
from typing import Literal

import numpy as np

from heliast._core.clusters import few, few_hold, sizes, too_few
from heliast._core.columns import column
from heliast._core.distinct import compact
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.labels import Label
from heliast._core.notes import Note
from heliast.estimates import row_influence
from heliast.estimates.resampled import Case, loss_of, over_splits
from heliast.measures import Measure
from heliast.measures.forms import Form
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Rows

MOST_COUNTED = 20_000_000


class Paired:
    """The models of one table that can be compared: with a value, on the same rows.

    Parameters
    ----------
    table : Predictions
        The rows to compare by.
    measure : Measure
        What is compared.
    cases : mapping of str to Case
        Each model that is complete, with its rows.
    left_out : mapping of str to str
        Models that cannot be compared, and why; those without a value join them.

    Examples
    --------
    >>> from heliast.estimates.resampled import Parts
    >>> from heliast.measures import get
    >>> truth, error = ["x", "y"] * 4, get("error")
    >>> table = Predictions.of(truth, truth, model="a").join(
    ...     Predictions.of(truth, ["x"] * 8, model="b"))
    >>> cases = {m: Case(Parts(table, m), table.only(m), error) for m in table.models}
    >>> Paired(table, error, cases, {}).values
    {'a': 0.0, 'b': 0.5}
    """

    def __init__(
        self,
        table: Predictions,
        measure: Measure,
        cases: Mapping[str, Case],
        left_out: Mapping[str, str],
    ) -> None:
        self.table, self.measure, self.notes = table, measure, table.notes
        self.left_out, self.values = dict(left_out), dict[str, float]()
        self.cases = dict[str, Case]()
        for model, case in cases.items():
            single = case.parts.single
            one = over_splits(case, "none") if single is None else measure.form(single)
            if np.isfinite(one.value):
                self.values[model], self.cases[model] = float(one.value), case
            else:
                self.left_out[model] = getattr(one, "reason", "") or "no finite value"

    @property
    def models(self) -> tuple[str, ...]:
        """The models that are compared; refused if there are fewer than two."""
        if len(self.cases) < 2:
            said = "; ".join(f"{name}: {why}" for name, why in self.left_out.items())
            raise NotEnoughData(f"fewer than two models can be compared ({said})")
        return tuple(self.cases)

    @property
    def first(self) -> Case:
        """The case of the first model: the design is the same for all."""
        return self.cases[self.models[0]]

    @property
    def single(self) -> bool:
        """Whether there is one test set."""
        return self.first.parts.single is not None

    @property
    def in_order(self) -> bool:
        """Whether rows are in order of time."""
        return self.table.meta.design == "time"

    @property
    def better(self) -> Literal["high", "low"]:
        """Which values are better."""
        return self.measure.better

    @property
    def groups(self) -> int | None:
        """How many groups rows come in, if they do."""
        return None if self.table.group is None else int(np.unique(self.table.group).size)

    @property
    def prevalences(self) -> Mapping[Label, float] | None:
        """The class shares of the population, where class counts were fixed by design."""
        return self.first.parts.prevalences

    # --- row by row ----------------------------------------------------------------------------

    @cached_property
    def rows(self) -> dict[str, Rows]:
        """The rows of each model in the same order: by split and row, or as they stand."""
        table, name = self.table, self.table.row
        if name is not None and not compact(name):
            name = column(name, "row").coded()[1]
        model_code, split_code = table.codes("model"), table.codes("split")
        also = {what: values for what in ("weight", "group")
                if (values := getattr(table, what)) is not None}  # fmt: skip
        found, keys, others = dict[str, Rows](), list[list[Array]](), list[dict[str, Array]]()
        for model in self.models:
            mine = np.flatnonzero(model_code == table.models.index(model))
            sort = [split_code[mine]] if name is None else [name[mine], split_code[mine]]
            whole = self.cases[model].parts.whole.rows()
            order = slice(None) if _in_order(sort) else np.lexsort(sort)
            found[model] = whole if isinstance(order, slice) else whole.at(order)
            if self.prevalences is not None:
                found[model] = found[model].by_design()
            keys.append([key[order] for key in (*sort, table.y_true[mine])])
            same = zip(keys[0], keys[-1], strict=True)
            if not all(np.array_equal(one, other) for one, other in same):
                raise InputError(f"the rows of {self.models[0]!r} and {model!r} do not pair")
            others.append({what: values[mine][order] for what, values in also.items()})
            for what, values in others[-1].items():
                if not np.array_equal(values, others[0][what]):
                    raise InputError(
                        f"some rows have another {what} for {model!r} than for "
                        f"{self.models[0]!r}: a row has one {what}, whichever model is judged by it"
                    )
        return found

    def check_pairs(self) -> None:
        """Refuse models whose rows are not the same."""
        _ = self.rows

    @property
    def group(self) -> Array | None:
        """The group of each row, if rows come in groups; in the order of `rows`."""
        return self.rows[self.models[0]].group

    @property
    def fixed(self) -> bool:
        """Whether the number of rows per class was fixed by design."""
        return self.rows[self.models[0]].design == "classes"

    @property
    def strata(self) -> Array | None:
        """The class of each row, where classes were sampled each on its own."""
        return self.rows[self.models[0]].y_true if self.fixed else None

    @cached_property
    def forms(self) -> dict[str, Form]:
        """The measure's form of each model, over all its rows."""
        counted = {m: Counted(rows, self.prevalences) for m, rows in self.rows.items()}
        return {model: self.measure.form(one) for model, one in counted.items()}

    @cached_property
    def losses(self) -> dict[str, Array] | None:
        """The loss of each row, where the measure is a mean of such; in the order of `rows`."""
        how = [loss_of(self.measure.form(case.parts.pooled)) for case in self.cases.values()]
        pairs = zip(self.models, how, strict=True)
        return {m: one(self.rows[m]) for m, one in pairs if one} if all(how) else None

    @cached_property
    def influences(self) -> dict[str, Array] | None:
        """The value plus the influence of each row, where known; in the order of `rows`.

        For a mean of row losses these are the losses. With class counts fixed by design the
        influence of a row is (share of its class in the population) n / n_c times its loss less
        the mean of its class.
        """
        found = dict[str, Array]()
        for model, rows in self.rows.items():
            psi = row_influence(self.forms[model], rows)
            if psi is None or not np.isfinite(psi).all():
                return None
            found[model] = self.values[model] + psi
        return found

    @property
    def bounds(self) -> tuple[float, float]:
        """The least and the largest grade of a graded table."""
        return self.table.meta.bounds or (0.0, 1.0)

    @property
    def right_or_wrong(self) -> bool:
        """Whether each answer of a graded table is right or wrong, and there is one to an item."""
        unit = self.bounds == (0.0, 1.0)
        return unit and self.table.scores is None and bool(np.isin(self.table.y_pred, (0, 1)).all())

    @property
    def rarest(self) -> float:
        """The share outside the largest class; NaN without classes."""
        if self.table.task != "classification":
            return nan
        if self.prevalences is not None:
            return 1 - max(self.prevalences.values())
        shares = np.bincount(self.rows[self.models[0]].y_true)
        return 1 - float(shares.max() / shares.sum())

    def identical(self, a: str, b: str) -> bool:
        """Whether two models make the same predictions, as far as the measure reads them."""
        one, other = self.rows[a], self.rows[b]
        same = np.array_equal(one.y_pred, other.y_pred)
        if self.measure.needs == "label" or not same:
            return same
        return one.scores is not None and np.array_equal(one.scores, np.asarray(other.scores))

    def won(self, a: str, b: str) -> tuple[int, int, int] | None:
        """On how many rows a does better than b, as well, and worse, where rows tell."""
        if self.losses is None:
            return None
        gain = self.losses[a] - self.losses[b]
        up, down = int(np.count_nonzero(gain > 0)), int(np.count_nonzero(gain < 0))
        wins, losses = (up, down) if self.better == "high" else (down, up)
        return wins, gain.size - up - down, losses

    # --- one test set --------------------------------------------------------------------------

    def as_one_set(self) -> tuple[str, ...]:
        """Refuse what no test on one test set is valid for; what is to be said of the rest.

        Rows with a count are written as often as they count.
        """
        self.check_pairs()
        if self.table.weight is not None:
            if self.table.meta.weight_kind == "sampling":
                raise InputError(
                    "rows have sampling weights: no test here is valid for them on a test set"
                )
            self._write_out()
        if self.group is None:
            return ()
        size = sizes(self.group)
        if why := too_few(size, "a test"):
            raise NotEnoughData(why)
        said = Note("rows come in groups: what varies is groups, not rows", "groups")
        rough = "p and interval are rough"
        notes = few(size, rough)
        if not notes and self.losses is None and self.table.task == "classification":
            rows = next(iter(self.rows.values()))
            notes = few_hold(np.asarray(rows.group), np.asarray(rows.y_true), rough)
        return (said, *notes)

    def _write_out(self) -> None:
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
