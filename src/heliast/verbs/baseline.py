"""Baseline: what giving one answer to every row would do, and which models are shown to beat it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from heliast._core.costs import cost_matrix, cost_threshold
from heliast._core.errors import HeliastError
from heliast._core.labels import Label
from heliast._core.records import each, named, plain
from heliast.measures.summaries import Contingency
from heliast.predictions import Predictions
from heliast.predictions.scan import Scanned
from heliast.verbs.compare import compared
from heliast.verbs.comparison import Comparison
from heliast.verbs.question import Question
from heliast.views.sentences import baseline_sentence

NAME = "always the same answer"
"""What the baseline is called beside models."""


@dataclass(frozen=True, eq=False)
class Baseline:
    """Always the same answer: the most frequent class, or where costs are given the cheapest.

    Parameters
    ----------
    answer : label
        The class that is always answered.
    measure : str
        What it is judged by: the error, or the expected cost.
    value : float
        Its value on the rows that the models are judged by.
    models : tuple of str
        The models that stand against it.
    pairs : Comparison or None
        Each model less the baseline, tested as `compare` does and corrected for their number; None
        where no test was asked for, or is to be had.
    reason : str
        Why there is no test.
    positive : label, optional
        Where costs are given and the scores are probabilities of two classes: the positive one.
    threshold : float, optional
        The probability from which on the labels answer it; None if no single threshold decided.
    cheapest : float, optional
        The threshold that costs least if the probabilities can be trusted (are calibrated).

    Examples
    --------
    >>> import heliast as hl
    >>> truth, label = ["no"] * 95 + ["yes"] * 5, ["no"] * 96 + ["yes"] * 4
    >>> found = hl.assess(hl.Predictions.of(truth, label)).baseline
    >>> found.answer, found.value, found.unbeaten
    ('no', 0.05, ('model',))
    >>> found.sentence
    "Always answering 'no' errs on 5.0% of these rows; model is not shown to beat that."
    """

    answer: Label
    measure: str
    value: float
    models: tuple[str, ...]
    pairs: Comparison | None = None
    reason: str = ""
    positive: Label | None = None
    threshold: float | None = None
    cheapest: float | None = None

    @property
    def unbeaten(self) -> tuple[str, ...]:
        """The models that are not shown to beat it."""
        beat = {one.a for one in self.pairs or () if one.better}
        return tuple(model for model in self.models if model not in beat)

    @property
    def worse(self) -> tuple[str, ...]:
        """The models that are shown to be worse than it: some of those that do not beat it."""
        beaten = {one.a for one in self.pairs or () if one.worse}
        return tuple(model for model in self.models if model in beaten)

    @property
    def sentence(self) -> str:
        """What it does, who is not shown to beat it or worse, and at which threshold."""
        return baseline_sentence(self)

    def to_dict(self) -> dict[str, object]:
        """Everything as plain values that JSON can hold.

        Returns
        -------
        dict
            The sentence, the answer, its value, and each model less the baseline.
        """
        pairs = None if self.pairs is None else self.pairs.pairs
        names = "sentence answer measure value unbeaten worse threshold cheapest reason"
        said = named(self, names)
        return {**said, "differences": plain(pairs)}


def baseline_of(
    tables: Mapping[str, Contingency], predictions: Predictions, question: Question
) -> Baseline | None:
    """The baseline of what was counted for a question; None where no class shares are known."""
    if not tables:
        return None
    counted, measure = max(tables.values(), key=lambda one: one.n), question.usual("classification")
    if counted.by_class and counted.prevalence is None:  # its class shares say nothing
        return None
    shares = counted.margins.actual / counted.margins.total
    code = int(shares.argmax())
    value = np.delete(shares, code).sum()
    if question.cost is not None:
        prices = shares @ cost_matrix(question.cost, counted.classes)
        code, value = int(prices.argmin()), prices.min()
    made = Baseline(counted.classes[code], measure.title, float(value), tuple(tables))
    if question.cost is not None and not isinstance(predictions, Scanned):
        made = _at_threshold(made, predictions, question)
    if question.interval in (None, "none") or question.in_train != 0:
        return made
    if isinstance(predictions, Scanned):
        return replace(made, reason="a scanned table is not compared")
    asked = question.about(measure).but(test="auto", correction="holm", margin=0.0, threshold=None)
    try:
        pairs = compared(_beside(question.decided(predictions), code), asked, against=NAME)
    except HeliastError as error:
        return replace(made, reason=str(error))
    return replace(made, pairs=pairs)


def _at_threshold(made: Baseline, table: Predictions, question: Question) -> Baseline:
    """The threshold that decided the labels, and the one that the costs call for.

    Labels that came with the table say which threshold it was only if it is one half.
    """
    kinds = {table.score_kind_of(model) for model in table.models}
    if kinds != {"probability"} or len(table.classes) != 2 or table.positive is None:
        return made
    given = question.threshold
    if given is None and np.array_equal(table.decided(0.5).y_pred, table.y_pred):
        given = 0.5
    positive = table.classes.index(table.positive)
    cheapest = cost_threshold(cost_matrix(question.cost, table.classes), positive)
    if question.prevalences is not None:  # the scores speak of the shares of these rows
        cheapest = None
    return replace(made, positive=table.positive, threshold=given, cheapest=cheapest)


def _beside(table: Predictions, code: int) -> Predictions:
    """The table without scores, and with one more model, which labels every row the same.

    It has the rows of the model that has most.
    """
    model = table.codes("model")
    mine = np.flatnonzero(model == np.bincount(model).argmax())
    names = "y_true split_code row in_train weight group"
    more = each(table, names, lambda column: np.concatenate([column, column[mine]]))
    label = np.concatenate([table.y_pred, np.full(mine.size, code, table.y_pred.dtype)])
    codes = np.concatenate([model, np.full(mine.size, len(table.models), model.dtype)])
    meta = replace(table.meta, score_kind=None, score_kinds={})
    return replace(
        table, models=(*table.models, NAME), model_code=codes, y_pred=label, scores=None,
        meta=meta, columns={}, **more,
    )  # fmt: skip
