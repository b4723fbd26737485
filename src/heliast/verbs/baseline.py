"""The majority-class baseline: one constant prediction, and which models are better than it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.costs import cost_matrix
from heliast._core.errors import HeliastError
from heliast._core.labels import Label
from heliast._core.records import each, named, plain
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.predictions.scan import Scanned
from heliast.verbs.comparison import Comparison
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models
from heliast.views.numbers import join_words, measure_name, short_name, value_text

NAME = "majority-class baseline"


@dataclass(frozen=True, eq=False)
class Baseline:
    """A constant prediction: the most frequent class, or with costs the cheapest.

    Parameters
    ----------
    answer : label
        The class predicted for every row.
    measure : str
        The error, or the expected cost.
    value : float
        Its value on the rows that the models are assessed on.
    models : tuple of str
        The models compared with it.
    pairs : Comparison or None
        Each model minus the baseline; None where there is no test.
    reason : str
        Why there is no test.

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["no"] * 95 + ["yes"] * 5, ["no"] * 96 + ["yes"] * 4
    >>> found = hl.assess(hl.Predictions.of(truth, label)).baseline
    >>> found.answer, found.value, found.unbeaten
    ('no', 0.05, ('model',))
    >>> found.summary
    'Majority-class baseline: 5.0%. model is not significantly better.'
    """

    answer: Label
    measure: str
    value: float
    models: tuple[str, ...]
    pairs: Comparison | None = None
    reason: str = ""

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """The models that are not significantly better."""
        better = {pair.a for pair in self.pairs or () if pair.better}
        return tuple(model for model in self.models if model not in better)

    @property
    def worse(self) -> tuple[str, ...]:
        """The models that are significantly worse."""
        worse = {pair.a for pair in self.pairs or () if pair.worse}
        return tuple(model for model in self.models if model in worse)

    @property
    def summary(self) -> str:
        """Its value, and which models are significantly better."""
        value = value_text(self.value, self.measure)
        head = f"Majority-class baseline: {value}."
        if self.measure != "error":
            title = measure_name(self.measure)
            head = f"Baseline (always {short_name(repr(self.answer))}): {title} {value}."
        return f"{head} {self._verdict}".rstrip()

    @property
    def _verdict(self) -> str:
        if self.pairs is None:
            return f"Not tested: {self.reason}." if self.reason else ""
        same = [model for model in self.unbeaten if model not in self.worse]
        better = [model for model in self.models if model not in self.unbeaten]
        if len(better) == len(self.models) > 1:
            how_many = "Both" if len(better) == 2 else f"All {len(better):,}"
            return f"{how_many} models are significantly better."
        if len(same) == len(self.models) > 1:
            return f"None of the {len(same):,} models is significantly better."
        parts = [
            (better, "significantly better"), (same, "not significantly better"),
            (self.worse, "significantly worse"),
        ]  # fmt: skip
        words = [
            f"{join_words(map(short_name, names), 5)} {'is' if len(names) == 1 else 'are'} {how}"
            for names, how in parts
            if names
        ]
        return f"{'; '.join(words)}."

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The summary, the answer, its value, and each model minus the baseline.
        """
        names = "summary answer measure value unbeaten worse reason"
        pairs = None if self.pairs is None else self.pairs.pairs
        return {**named(self, names), "differences": plain(pairs)}


def baseline_of(
    confusion: Mapping[str, Contingency], predictions: Predictions, options: Options
) -> Baseline | None:
    """The baseline of an assessment; None where no class prevalences are known."""
    if not confusion:
        return None
    counted = max(confusion.values(), key=lambda matrix: matrix.n)
    measure = options.usual("classification")
    if counted.by_class and counted.prevalence is None:  # class counts say nothing here
        return None
    shares = counted.margins.actual / counted.margins.total
    code = int(shares.argmax())
    value = np.delete(shares, code).sum()
    if options.cost is not None:
        prices = shares @ cost_matrix(options.cost, counted.classes)
        code, value = int(prices.argmin()), prices.min()
    baseline = Baseline(counted.classes[code], measure.title, float(value), tuple(confusion))
    if options.interval in (None, "none") or options.in_train != 0:
        return baseline
    if isinstance(predictions, Scanned):
        return replace(baseline, reason="a scanned table is not compared")
    test_options = options.about(measure).but(
        test="auto", correction="holm", margin=0.0, threshold=None
    )
    try:
        pairs = compare_models(
            _beside(options.decided(predictions), code), test_options, against=NAME
        )
    except HeliastError as error:
        return replace(baseline, reason=str(error))
    return replace(baseline, pairs=pairs)


def _beside(table: Predictions, code: int) -> Predictions:
    """The table without scores, and with one more model that predicts one class for every row."""
    model = table.codes("model")
    rows = np.flatnonzero(model == np.bincount(model).argmax())
    names = "y_true split_code row in_train weight group"
    more = each(table, names, lambda column: np.concatenate([column, column[rows]]))
    label = np.concatenate([table.y_pred, np.full(rows.size, code, table.y_pred.dtype)])
    codes = np.concatenate([model, np.full(rows.size, len(table.models), model.dtype)])
    meta = replace(table.meta, score_kind=None, score_kinds={})
    return replace(
        table, models=(*table.models, NAME), model_code=codes, y_pred=label, scores=None,
        meta=meta, columns={}, **more,
    )  # fmt: skip
