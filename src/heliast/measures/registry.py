"""The registry of measures: each declares what it needs, which way is better, and its bounds."""

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any, Literal

import numpy as np

from heliast._core.errors import InputError
from heliast._core.labels import Label
from heliast.measures.aliases import ALIASES, NOT_OFFERED, usual_name
from heliast.measures.forms import BEYOND_PREVALENCES, Form, Undefined
from heliast.measures.summaries import Counted
from heliast.predictions import Predictions, Rows
from heliast.tables.about import Task

Need = Literal["label", "score", "probability", "votes"]
Better = Literal["high", "low"]
Average = Literal["macro", "micro", "weighted"]
AVERAGES: tuple[Average, ...] = ("macro", "micro", "weighted")
# What a sentence speaks of, and the best model is chosen by, if it was measured.
HEADLINES = ("error", "accuracy", "mae", "grade")
# What is shown first, in this order, where there is no room for every measure.
KEY_FIGURES = (
    "error", "balanced_accuracy", "kappa_quadratic", "class_mae", "auc", "f1", "expected_cost",
    "log_loss", "brier", "kappa", "mae", "rmse", "r2", "rrse", "mse", "rae", "grade",
)  # fmt: skip
# How names end that tell a number of attempts: `pass@3` is `pass@k` with k = 3.
ENDINGS = ("@k", "^k")
ONLY = {"classification": "classes", "regression": "numbers", "graded": "grades"}
MOST_ORDERED = 1000  # ordered classes that distances between all pairs are kept of


@dataclass(frozen=True)
class Measure:
    """A measure: its name, direction, bounds, needs and the function that computes its form.

    Parameters
    ----------
    name : str
        What `get` and `assess(measures=)` call it.
    meaning : str
        What it says, in one line.
    compute : callable
        Its form from counted rows (and the code of a class, if it is classwise).
    better : {'high', 'low'}
        Whether `low` or `high` values are good.
    bounds : tuple[float, float]
        Least and largest value.
    task : {'classification', 'regression', 'graded', 'any'}
        Whether it is for classes, for a number or for grades.
    needs : {'label', 'score', 'probability', 'votes'}
        What a table must have beside `y_true`.
    over : {'rows', 'splits'}
        Whether folds are pooled, or the measure is averaged over splits.
    classwise : bool
        Whether it has a value for each class; asked for none it means the positive class of two,
        or the macro average of more.
    two_classes, more_classes, ordinal : bool
        Whether it is for two classes only, for more than two, or for classes in an order.
    mixture : {'given', 'beyond', 'beyond of more'}
        Where class counts were fixed by design: whether given prevalences suffice, or nothing does
        (of more than two classes).
    of_grades : bool
        Whether its least and largest value are those of the grades.
    repeated : bool
        Whether it needs several attempts at an item.
    spends : str
        The kept column that it is about: what answers took.
    paired, panel, percent : bool
        Whether models are compared by it, it is shown unasked, and in per cent.
    required : tuple of str
        Parameters that must be given.
    parameters : mapping of str to values
        Parameters that were given.
    average : {'macro', 'micro', 'weighted'}, optional
        How values of classes are put together, if that was asked for.
    within : callable, optional
        Least and largest value from the classes and the parameters, where these tell more than
        `bounds`.

    Examples
    --------
    >>> from heliast import measures
    >>> measures.get("fbeta", beta=2).parameters
    {'beta': 2}
    """

    name: str
    meaning: str
    compute: Callable[..., Form]
    better: Better
    bounds: tuple[float, float]
    task: Task | Literal["any"] = "classification"
    needs: Need = "label"
    over: Literal["rows", "splits"] = "rows"
    classwise: bool = False
    two_classes: bool = False
    more_classes: bool = False
    ordinal: bool = False
    mixture: Literal["given", "beyond", "beyond of more"] = "given"
    of_grades: bool = False
    repeated: bool = False
    spends: str = ""
    paired: bool = True
    panel: bool = False
    percent: bool = False
    required: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    average: Average | None = None
    within: Callable[..., tuple[float, float]] | None = None

    @property
    def title(self) -> str:
        """The name with its parameters, as shown to people: `fbeta(beta=2)`; matrices are not."""
        if self.name.endswith(ENDINGS) and "k" in self.parameters:
            return f"{self.name[:-1]}{self.parameters['k']}"
        pairs = self.parameters.items()
        shown = [f"{key}={value}" for key, value in pairs if isinstance(value, (int, float))]
        return f"{self.name}({', '.join(shown)})" if shown else self.name

    def with_(self, **parameters: Any) -> "Measure":
        """The same measure with some parameters set.

        Parameters
        ----------
        **parameters : keywords
            Parameters and their values.

        Returns
        -------
        Measure
            A new measure.
        """
        listed = [*inspect.signature(self.compute).parameters.values()]
        known = {p.name: p.default for p in listed[2 if self.classwise else 1 :]}
        for name, value in parameters.items():
            if name not in known:
                has = ", ".join(known) or "none"
                raise InputError(f"measure {self.name!r} has no parameter {name!r} (has: {has})")
            if isinstance(known[name], Real) and not isinstance(value, Real):
                raise InputError(f"measure {self.name!r}: {name}={value!r} must be a number")
        return replace(self, parameters={**self.parameters, **parameters})

    def on(self, table: Predictions) -> "Measure":
        """The same measure with what a graded table tells: bounds, and least number of attempts.

        Parameters
        ----------
        table : Predictions
            The table that it is to be taken of.

        Returns
        -------
        Measure
            Itself, for other tables.

        Examples
        --------
        >>> from heliast import Predictions, measures
        >>> table = Predictions.graded([4, 2], item=["a", "b"], bounds=(1, 5))
        >>> measures.get("grade").on(table).bounds
        (1.0, 5.0)
        """
        if table.task == "graded" and self.name == "accuracy" and _right_or_wrong(table):
            return replace(get("grade"), name="accuracy", percent=True, bounds=(0.0, 1.0))
        if table.task != "graded" or self.task != "graded":
            return self
        bound = self
        if self.of_grades and table.meta.bounds is not None:
            bound = replace(self, bounds=table.meta.bounds)
        if "k" in self.required and "k" not in self.parameters:
            bound = bound.with_(k=table.attempts)
        return bound

    def range(self, classes: Sequence[Label]) -> tuple[float, float]:
        """The least and the largest value on a table of these classes.

        Parameters
        ----------
        classes : sequence of Label
            The classes of the table.

        Returns
        -------
        tuple[float, float]
            The two values; `bounds` unless the classes or the parameters tell more.

        Examples
        --------
        >>> from heliast import measures
        >>> measures.get("expected_cost", cost=[[0, 1], [5, 0]]).range(("a", "b"))
        (0.0, 5.0)
        """
        missing = any(self.parameters.get(name) is None for name in self.required)
        if self.within is None or missing:
            return self.bounds
        return self.within(classes, **self.parameters)

    def lacks(self, task: str, classes: int, score_kind: str | None, ordinal: bool = False) -> str:
        """Why this measure cannot be computed on such a table; empty if it can.

        Parameters
        ----------
        task : str
            The task of the table: `classification`, `regression` or `graded`.
        classes : int
            Number of classes.
        score_kind : str or None
            Kind of the scores, or None.
        ordinal : bool
            Whether the classes are in an order.

        Returns
        -------
        str
            The reason, or an empty text.
        """
        if self.task not in (task, "any"):
            return f"for {ONLY[self.task]} only"
        if self.two_classes and classes != 2:
            return f"for two classes only, here are {classes}"
        if self.ordinal and not ordinal:
            return "for classes in an order only: say it with order= (command line: --order)"
        if self.ordinal and classes > MOST_ORDERED:
            return (
                f"for at most {MOST_ORDERED:,} ordered classes; predict numbers (task='regression')"
            )
        if self.needs != "label" and score_kind is None:
            return "needs scores"
        if self.needs == "probability" and score_kind != "probability":
            return f"needs probabilities, the scores are {score_kind} scores"
        if self.more_classes and classes == 2:
            return "for more than two classes only"
        if self.needs == "votes" and score_kind != "votes":
            return f"needs votes, the scores are {score_kind} scores"
        missing = [name for name in self.required if self.parameters.get(name) is None]
        if missing and self.task == "graded" and "k" not in missing:
            return f"needs {missing[0]}=, as in {self.name}({missing[0]}=0.5)"
        return f"needs {missing[0]}=" if missing else ""

    def form(self, counted: Counted, class_: Label | None = None) -> Form:
        """The measure's form on counted rows, for one class or as the measure's own average.

        Parameters
        ----------
        counted : Counted
            Rows of one model, counted once.
        class_ : Label, optional
            The class, for a classwise measure; None is the measure's own average.

        Returns
        -------
        Form
            The form: the value, and what its intervals need.
        """
        from heliast.measures.averages import averaged

        if class_ is not None and (not self.classwise or self.average is not None):
            raise InputError(f"measure {self.name!r} has no value per class")
        if class_ is not None and class_ not in counted.codes:
            listed = ", ".join(map(repr, counted.classes))
            raise InputError(f"no class {class_!r}; the classes are {listed}")
        if counted.empty:
            return Undefined("no rows")
        k = len(counted.classes)
        beyond = self.mixture == "beyond" or (self.mixture == "beyond of more" and k > 2)
        if beyond and counted.rows.design == "classes":
            return Undefined(BEYOND_PREVALENCES)
        if not self.classwise:
            return self.compute(counted, **self.parameters)
        if class_ is not None:
            return self._of_class(counted, counted.codes[class_])
        if self.average is None and k == 2 and counted.positive is not None:
            return self._of_class(counted, counted.positive)
        forms = [self._of_class(counted, code) for code in range(k)]
        return averaged(self, forms, counted)

    def _of_class(self, counted: Counted, code: int) -> Form:
        form = self.compute(counted, code, **self.parameters)
        if isinstance(form, Undefined):
            return replace(form, reason=form.reason.format(class_=repr(counted.classes[code])))
        return form

    def of(self, source: Predictions | Rows, class_: Label | None = None) -> float:
        """The value on one model's rows, without an interval.

        Parameters
        ----------
        source : Predictions or Rows
            A table of one model, or its rows.
        class_ : Label, optional
            The class, for a classwise measure; None is the measure's own average.

        Returns
        -------
        float
            The value, NaN where it is undefined.
        """
        rows = source if isinstance(source, Rows) else source.rows()
        lacking = self.lacks(rows.task, len(rows.classes), rows.score_kind, rows.ordinal)
        if lacking:
            raise InputError(f"measure {self.name!r}: {lacking}")
        return float(self.form(Counted(rows), class_).value)


_MEASURES: dict[str, Measure] = {}
_FUNCTIONS: dict[str, Measure] = {}


def measure(
    name: str, *, better: Better, bounds: tuple[float, float] = (0.0, 1.0), **declared: Any
) -> Callable[[Callable[..., Form]], Callable[..., Form]]:
    """Register the decorated function; its docstring's first line is the measure's meaning.

    Parameters
    ----------
    name : str
        What `get` calls it.
    better : {'high', 'low'}
        Whether `low` or `high` values are good.
    bounds : tuple[float, float]
        Least and largest value; those of a share if not given.
    **declared : keywords
        Further fields of `Measure`, such as `task` and `needs`.

    Returns
    -------
    callable
        The decorator.

    Examples
    --------
    >>> from heliast import measures
    >>> measures.get("error").better
    'low'
    """

    def register(compute: Callable[..., Form]) -> Callable[..., Form]:
        meaning = (inspect.getdoc(compute) or "").split("\n")[0]
        _MEASURES[name] = Measure(name, meaning, compute, better, bounds, **declared)
        return compute

    return register


def names() -> tuple[str, ...]:
    """The names of all measures.

    Returns
    -------
    tuple of str
        The names, in the order in which measures are shown.

    Examples
    --------
    >>> "kappa" in names()
    True
    """
    return tuple(_MEASURES)


def get(name: "str | Measure | Callable[..., float]", **parameters: Any) -> Measure:
    """The measure of that name; `f1.micro`, `f1.macro`, `f1.weighted` choose an average.

    Usual names are understood (`sensitivity`, `roc_auc`, `f1_macro`, the names of scikit-learn's
    scorers without their sign), `pass@3` is `pass@k` with k = 3, and `fbeta(beta=2)` tells a
    parameter. A function f(y_true, y_pred) or f(y_true, y_score) is a measure, too.

    Parameters
    ----------
    name : str, callable or Measure
        A name of `names()`, perhaps with `.micro`, `.macro` or `.weighted`; or a usual one.
    **parameters : keywords
        Parameters of the measure, such as `beta` of `fbeta`.

    Returns
    -------
    Measure
        The measure.

    Examples
    --------
    >>> get("recall").bounds, get("sensitivity").name, get("f1_macro").name
    ((0.0, 1.0), 'recall', 'f1.macro')
    """
    if isinstance(name, Measure):
        return name.with_(**parameters) if parameters else name
    if not isinstance(name, str):
        from heliast.measures.functions import measure_of

        own = measure_of(name, **parameters)
        _FUNCTIONS[own.name] = own  # so that its title leads to it
        return own
    if name in _FUNCTIONS:
        return _FUNCTIONS[name]
    if "(" in name and not parameters:
        return titled(name)
    start, sign, end = name.rpartition("@" if "@" in name else "^")
    if sign and end.isdecimal():
        return get(f"{start}{sign}k", k=int(end))
    ours = usual_name(name, {*_MEASURES})
    base, dot, average = ours.partition(".")
    if base in NOT_OFFERED:
        raise InputError(f"measure {name!r} is not offered: {NOT_OFFERED[base]}")
    if base not in _MEASURES or (dot and average not in AVERAGES):
        import difflib

        close = difflib.get_close_matches(ours, [*_MEASURES, *ALIASES], 1, cutoff=0.7)
        hint = f"; did you mean {close[0]!r}?" if close else f"; there are: {', '.join(_MEASURES)}"
        raise InputError(f"no measure named {name!r}{hint}")
    chosen = _MEASURES[base]
    if dot:
        if not chosen.classwise:
            raise InputError(f"measure {base!r} is not per class, so it has no {average} average")
        chosen = replace(chosen, name=ours, average=average)  # type: ignore[arg-type]
    return chosen.with_(**parameters) if parameters else chosen


def titled(title: str) -> Measure:
    """The measure that bears this title, with the parameters that the title names.

    Parameters
    ----------
    title : str
        What `Measure.title` gave, as estimates and differences carry it in `measure`.

    Returns
    -------
    Measure
        That of `get`; a matrix, which no title shows, is not among its parameters.

    Examples
    --------
    >>> titled("fbeta(beta=2)") == get("fbeta", beta=2), titled("f1.micro").average
    (True, 'micro')
    """
    name, _, inside = title.partition("(")
    get(name)  # which measure it is comes before its parameters
    pairs = [pair.partition("=") for pair in inside.rstrip(")").split(",") if pair.strip()]
    try:
        values = {key.strip(): ast.literal_eval(value.strip()) for key, _, value in pairs}
    except (SyntaxError, ValueError):
        raise InputError(
            f"measure {title!r}: parameters are numbers by name, as in fbeta(beta=2)"
        ) from None
    return get(name, **values)


def headline(titles: Sequence[str]) -> str:
    """Which of these titles a sentence speaks of: a usual one, or else the first.

    Parameters
    ----------
    titles : sequence of str
        Titles of measures, one or more.

    Returns
    -------
    str
        One of them.

    Examples
    --------
    >>> headline(["auc", "error"]), headline(["auc", "kappa"])
    ('error', 'auc')
    """
    return next((name for name in HEADLINES if name in titles), titles[0])


def everything() -> tuple[Measure, ...]:
    """All measures, in the order they were declared.

    Returns
    -------
    tuple of Measure
        The measures.

    Examples
    --------
    >>> len(everything()) == len(names())
    True
    """
    return tuple(_MEASURES.values())


def _right_or_wrong(table: Predictions) -> bool:
    """Whether each grade of a graded table is 0 or 1."""
    grades = table.y_pred if table.scores is None else table.scores[~np.isnan(table.scores)]
    return bool(np.isin(grades, (0.0, 1.0)).all())
