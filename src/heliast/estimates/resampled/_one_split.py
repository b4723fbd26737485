"""One split: the holdout, out-of-bag predictions, and the rows trained on themselves."""

from dataclasses import replace

from heliast.estimates._estimate import estimate
from heliast.estimates._record import Estimate
from heliast.estimates.resampled._case import Case, Refused, on_a_table
from heliast.estimates.resampled._design import Parts

OPTIMISTIC = "measured on the rows trained on: optimistic, so no interval would hold"
OUT_OF_BAG = (
    "out-of-bag: every row is judged by the members that did not see it, about 37% of them, and "
    "rows share members; for votes of many members"
)


@on_a_table("holdout")
def holdout(case: Case) -> Estimate:
    """The measure on one test set that the model was not trained on, with the measure's default.

    Rates have Wilson's interval, row losses Student's t, and so on: those of one test set. Speaks
    of this fitted model (`target` model), not of the learning algorithm. Refuses several splits,
    and rows that were trained on.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1])
    >>> holdout(table)
    Estimate(model error: 0.25 [0.01274, 0.7514], holdout, Wilson, exact lower and upper limit)
    """
    count = len(case.parts.splits)
    if count != 1:
        raise Refused(f"holdout needs one split that tests rows not trained on, here are {count}")
    return _titled("holdout", one_test_set(case, case.parts))


def _titled(title: str, made: Estimate) -> Estimate:
    return replace(made, method=f"{title}, {made.method}" if made.method else title)


def one_test_set(case: Case, parts: Parts) -> Estimate:
    """The default of one test set, with the training rows that its split names."""
    in_train = parts.whole.in_train
    if in_train is not None and in_train.any():
        raise Refused(OPTIMISTIC)
    made = estimate(case.measure, parts.pooled, case.class_, case.level, "auto", case.seed)
    n_train = parts.splits[0].n_train
    rows = None if n_train is None else float(n_train)
    return replace(made, model=case.table.models[0], n_train=rows)


@on_a_table("out_of_bag")
def out_of_bag(case: Case) -> Estimate:
    """The measure over out-of-bag predictions of one vote fitted to all rows.

    A bagged vote was trained on every row, but each row was left out by about 37% of its members:
    their vote is a prediction with `in_train` 0. The table has them in a split of role `full` (or
    they are its only split). As with leave-one-out, every prediction comes from nearly all
    other rows, so this speaks of the learning algorithm trained on n rows (`target` `algorithm`),
    with the interval of one test set; a vote of few members errs more out of bag than in use.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], in_train=[0, 0, 0, 0])
    >>> estimate = out_of_bag(table)
    >>> estimate, estimate.target
    (Estimate(model error: 0.25 [0.01274, 0.7514], out-of-bag, Wilson, ...), 'algorithm')

    References
    ----------
    L. Breiman (1996), Out-of-bag estimation, Technical report, Department of Statistics, University
    of California, Berkeley.
    """
    model = case.table.models[0]
    parts = Parts(case.table.only(role="full", in_train=0), model, case.parts.prevalences)
    if not parts.splits:
        parts = case.parts
    if len(parts.splits) != 1 or parts.whole.in_train is None:
        raise Refused(
            "out_of_bag needs one fit whose rows were predicted by members that did not see them: "
            "one split of role full (or the only one) with rows of in_train = 0"
        )
    made = _titled("out-of-bag", one_test_set(case, parts))
    n_train = float(len(parts.whole)) if made.n_train is None else made.n_train
    notes = (*made.notes, OUT_OF_BAG)
    return replace(made, target="algorithm", n_train=n_train, notes=notes)


@on_a_table("resubstitution")
def resubstitution(case: Case) -> Estimate:
    """The measure of the fit on all rows, on those same rows: too good by what was overfitted.

    Needs the split of role `full` that the plan `Bootstrap` adds, or one split whose rows were all
    seen in training. 1-NN has 0 here whatever it is worth. No interval.

    Parameters
    ----------
    predictions : Predictions
        A table of one model.
    measure : str or Measure
        What is measured.
    level : float
        The confidence level.
    class_ : object, optional
        The class, for a measure by class.

    Returns
    -------
    Estimate
        The value and its interval, or the reason why there is none.

    Raises
    ------
    InputError
        If there are several models, or the table lacks what method or measure need.

    Examples
    --------
    >>> from heliast import Predictions
    >>> table = Predictions.of([0, 1, 0, 1], [0, 1, 1, 1], in_train=[1, 1, 1, 1])
    >>> resubstitution(table).value
    0.25
    """
    parts = full_parts("resubstitution", case)
    n, n_train = float(parts.pooled.rows.n), parts.splits[0].n_train
    return case.found(
        case.measure.form(parts.pooled, case.class_).value,
        "resubstitution",
        target="model",
        n=n,
        n_train=n if n_train is None else float(n_train),
        reason=OPTIMISTIC,
    )


def full_parts(name: str, case: Case) -> Parts:
    """The fit on all rows predicting all rows."""
    table, model = case.table, case.table.models[0]
    parts = Parts(table.only(role="full"), model, case.parts.prevalences)
    if len(parts.splits) == 1:
        return parts
    trained = table.in_train is not None and bool((table.in_train > 0).all())
    if not parts.splits and len(table.splits) == 1 and trained:
        return Parts(table, model, case.parts.prevalences)
    raise Refused(
        f"{name} needs the fit on all rows predicting all rows: one split of role full (the plan "
        f"Bootstrap adds it), here are {len(parts.splits)}"
    )
