"""compare: which models differ significantly, by the test that the design of the table allows."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from heliast._core.costs import Costs
from heliast._core.errors import HeliastError, InputError
from heliast._core.labels import Label
from heliast.measures import Measure
from heliast.predictions import Predictions, Role
from heliast.verbs.arguments import Tables, read_tables
from heliast.verbs.comparison import Comparison as Comparison
from heliast.verbs.comparison import Difference
from heliast.verbs.options import Options
from heliast.verbs.pairs import compare_models, compare_sets, with_measure
from heliast.verbs.sliced_by import By, to_keep
from heliast.verbs.slices import Ask, Subject, slice_subjects


def compare(
    source: Any = None,
    *arguments: Any,
    measure: str | Measure | None = None,
    test: str = "auto",
    level: float = 0.95,
    margin: float | None = None,
    correction: str = "holm",
    against: str = "",
    cost: Costs | None = None,
    prevalences: Mapping[Label, float] | None = None,
    threshold: float | None = None,
    role: Role | None = "test",
    seed: int = 0,
    stages: bool = False,
    by: By = (),
    **columns: Any,
) -> Comparison:
    """Return the differences between models, each with its interval, p value and verdict.

    The design of the table decides the test; `reason_for_test` says why. Two models differ
    significantly only if the adjusted p value and the interval agree.

    Parameters
    ----------
    source : Predictions, path, data frame, mapping or array-like
        The prediction table, or what `as_predictions` makes one of; or `y_true`. A mapping of
        tables with several models each holds data sets.
    *arguments : array-like
        Further tables; or after `y_true` {model: y_pred}. Then `measure`, `test`, `level`,
        `margin` and `correction` may follow.
    measure : str, Measure or callable, optional
        What models are compared by: the error, the mean absolute error for regression, the
        expected cost where costs are given.
    test : str
        `auto`, or a name from `heliast.comparisons`, `square_and_add` or `bootstrap`. `bayes` adds
        posterior probabilities (`Difference.bayes`).
    level : float
        The confidence level; 1 minus it is the level of tests.
    margin : float, optional
        The equivalence margin: 0.01 for measures between 0 and 1, where that is not too coarse.
    correction : {"holm", "none"}
        Whether p values and intervals are adjusted for the number of pairs.
    against : str
        `best`, or a model that every other is compared with; all pairs if empty.
    cost : array-like, optional
        Cost matrix, rows = true class, columns = predicted class.
    prevalences : mapping, optional
        Share of each class in the population, where class counts were fixed by design.
    threshold : float, optional
        Of two classes: the score from which on the positive class is predicted.
    role : str or None
        The role of the splits that count: `test`, `validation`, `full`, `inner`; None is all.
    seed : int
        Random seed.
    stages : bool
        Whether further outputs of one fit (`bag/B=10` beside `bag`) count as models.
    by : str or sequence of str
        Kept columns to slice by, as in `assess`.
    **columns : Any
        Columns and options of the table, as in `assess`.

    Returns
    -------
    Comparison
        `comparison[a, b]` is a `Difference`.

    Raises
    ------
    InputError
        If the test is not valid for the table.
    NotEnoughData
        If there are fewer than two models, or too few rows, groups or data sets for a test.

    Examples
    --------
    >>> truth = ["a", "b"] * 50
    >>> models = {"tree": ["a"] * 60 + truth[60:], "knn": ["a"] * 20 + truth[20:]}
    >>> compare(truth, models)["tree", "knn"]
    Difference(tree - knn, error: 0.2 [0.12, 0.2845], p = 9.54e-07, worse)
    """
    names = ("measure", "test", "level", "margin", "correction")
    tables, positional = read_tables("compare", (source, *arguments), columns, names, to_keep(by))
    options = {
        "measure": measure, "test": test, "level": level, "margin": margin,
        "correction": correction, **positional,
    }  # fmt: skip
    options["measures"] = options.pop("measure")
    return compare_tables(
        tables,
        Options(
            **options, cost=cost, prevalences=prevalences, threshold=threshold, role=role,
            seed=seed, stages=stages, by=by,
        ),
        against,
    )  # fmt: skip


def compare_tables(tables: Tables, options: Options, against: str = "") -> Comparison:
    """The comparison of one table, with its slices if asked for, or over several data sets."""
    if isinstance(tables, Mapping):
        if options.by:
            raise InputError("by: slices are of one table, and here are several data sets")
        return compare_sets(tables, options, against)
    comparison = compare_models(tables, options, against)
    if not options.by:
        return comparison
    table = options.rows(tables)
    measure = with_measure(options, table.task).only_measure(table.task)
    subjects = [
        Subject(
            f"{pair.a} - {pair.b}", measure, table.only([pair.a, pair.b]),
            _ask_difference(pair, measure, options), ((pair.a, 1.0), (pair.b, -1.0)),
        )
        for pair in comparison.pairs
    ]  # fmt: skip
    return replace(comparison, slices=slice_subjects(subjects, options))


def _ask_difference(pair: Difference, measure: Measure, options: Options) -> Ask:
    about = options.about(measure).but(by=())

    def ask(rows: Predictions, level: float) -> Difference:
        try:
            return compare_models(rows, about.but(level=level))[pair.a, pair.b]
        except (HeliastError, KeyError) as error:  # such as too few rows
            return Difference(pair.a, pair.b, measure.title, level=level, reason=str(error))

    return ask
