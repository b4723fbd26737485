"""Pairs of models tested: from the rows of one table, or from several data sets, to differences."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeAlias

import numpy as np

from heliast import comparisons as tests
from heliast._core.errors import InputError, NotEnoughData
from heliast._core.kinds import Array
from heliast._core.notes import Note, key_of
from heliast.comparisons import (
    IN_ORDER,
    ONE,
    SETS,
    SPLITS,
    Answer,
    BayesResult,
    Finding,
    NemenyiResult,
    Paired,
    Splits,
    TestResult,
    Values,
    finding,
    gives_probabilities,
    holm,
)
from heliast.estimates import design_key, few_times
from heliast.estimates.resampled import Case, Parts
from heliast.measures import Measure
from heliast.predictions import Predictions
from heliast.verbs.comparison import Comparison, Difference
from heliast.verbs.options import Options
from heliast.views.numbers import short_name
from heliast.views.record import IMPORTANT

BEST = "best"
FEWEST_SETS = 6
# Of more models than this the best is compared with each other: pairs grow with the square.
MOST_MODELS = 50
# The usual equivalence margin of measures between 0 and 1; it is dropped where the share of the
# other classes is less than RARE margins, or the best model less than NEAR margins from perfect.
USUAL_MARGIN, RARE, NEAR = 0.01, 10, 2


# Models with a value each, and whether two of them predict the same.
Models: TypeAlias = "Paired | Matrix"


@dataclass(frozen=True)
class Design:
    """The test of a pair, and what its answers estimate."""

    tested: Answer
    target: str
    unit: str
    n_train: float | None = None
    nemenyi: NemenyiResult | None = None
    bayes: Callable[[str, str], BayesResult] | None = None
    kind: str = ""
    won: Callable[[str, str], tuple[int, int, int] | None] | None = None


def compare_models(predictions: Any, options: Options, against: str = "") -> Comparison:
    """The models of one table compared in pairs; with `against`, each with that model alone."""
    if not isinstance(predictions, Predictions):
        raise InputError(f"expected Predictions, got {predictions!r:.60}")
    options = with_measure(options, predictions.task).on(predictions)
    return compare_field(pair_models(predictions, options), options, against)


def with_measure(options: Options, task: str) -> Options:
    """The options with their one measure, and the margin that tests read."""
    measure = options.only_measure(task)
    if not measure.paired:
        raise InputError(
            f"{measure.title} has no test of differences, as grades take few values; compare "
            "grade, or above(bar=...)"
        )
    options.check_used([measure])
    if gives_probabilities(options.test):
        options = options.but(margin=_usual_margin(options, measure))
    return options.but(measures=measure)


def pair_models(predictions: Predictions, options: Options) -> Paired:
    """The complete models of a table, row by row; the others with the reason."""
    if options.in_train != 0:
        raise InputError("in_train: differences are tested on out-of-sample rows; use assess")
    table, measure = options.rows(predictions), options.only_measure(predictions.task)
    if len(table.models) < 2:
        stages = ", or say stages=True (--stages)" if predictions.stages else ""
        raise InputError(
            f"a comparison needs two models, got one ({table.models[0]}): add predictions of "
            f"another model for the same rows, as in compare(p1, p2){stages}"
        )
    lacks = {model: lacking_input(measure, table, model) for model in table.models}
    if all(lacks.values()):
        raise InputError(f"measure {measure.name!r}: {lacks[table.models[0]]}")
    cases, left_out = dict[str, Case](), dict[str, str]()
    missing, decided = table.incomplete(), options.decided(predictions)
    for model, need in lacks.items():
        parts = Parts(table, model, options.prevalences)
        why = parts.failed or parts.unfinished or missing_rows(missing.get(model)) or need
        if not why and parts.missing:
            why = f"incomplete: no rows in {parts.missing} of the splits"
        if why:
            left_out[model] = why
            continue
        if options.prevalences is not None:
            _ = parts.pooled.contingency  # refuses shares of other classes
        cases[model] = Case(parts, decided.only(model), measure, None, options.level)
    return Paired(table, measure, cases, left_out)


def lacking_input(measure: Measure, table: Predictions, model: str) -> str:
    """What a model's predictions lack for a measure; empty if nothing."""
    kind = table.score_kind_of(model)
    return measure.lacks(table.task, len(table.classes), kind, table.meta.ordinal)


def missing_rows(count: int | None) -> str:
    """Why a model with fewer rows than the others has no interval and is not compared."""
    if not count:
        return ""
    return Note(
        f"incomplete: {count} of the rows of other models are missing; common_rows=True "
        "(--common-rows) uses the rows that all models have",
        "incomplete",
    )


def compare_field(field: Paired, options: Options, against: str = "") -> Comparison:
    """The models of one table tested, by the test that the design allows."""
    here = IN_ORDER if field.in_order else ONE if field.single else SPLITS
    tests.check_test(options.test, here)
    make_design = {IN_ORDER: _time_series, ONE: _one_test_set, SPLITS: _over_splits}[here]
    return _test_pairs(field, make_design(field, options), options, field.measure, against)


# --- designs -------------------------------------------------------------------------------


def _one_test_set(field: Paired, options: Options) -> Design:
    notes = field.as_one_set()
    tested = tests.chosen(options.test, ONE, field).make(field, options)
    tested = replace(tested, why=f"one test set, {tested.why}", notes=notes)
    unit = "items" if field.table.task == "graded" else "test rows"
    n_train = field.first.design.n_train
    return Design(tested, "model", unit, n_train, kind=design_key(field.first), won=field.won)


def _time_series(field: Paired, options: Options) -> Design:
    field.check_pairs()
    case, first = field.first, field.rows[field.models[0]]
    if case.design.reason and not field.single:
        raise InputError(f"no test over these splits: {case.design.reason}")
    if why := few_times(first, "a test"):
        raise NotEnoughData(why)
    tested = tests.chosen(options.test, IN_ORDER, field).make(field, options)
    tested = replace(tested, why=f"{IN_ORDER}: {tested.why}")
    target = "model" if field.single else "algorithm"
    return Design(tested, target, "rows", case.design.n_train, kind=design_key(case))


def _over_splits(field: Paired, options: Options) -> Design:
    splits = Splits(field)
    test = tests.chosen(options.test, SPLITS, splits)
    tested = test.make(splits, options)
    why = f"{splits.words} {tested.why}" if tested.why else f"{splits.words}: {test.name}"
    tested = replace(tested, why=why, notes=(*splits.notes, *tested.notes))
    bayes = tests.probabilities(options.test, SPLITS, splits, options)
    kind, n_train = design_key(field.first), splits.design.n_train
    return Design(tested, "algorithm", "rows", n_train, bayes=bayes, kind=kind)


class Matrix:
    """Values of models over data sets: a row a data set, a column a model."""

    def __init__(
        self,
        models: tuple[str, ...],
        table: Array,
        identical: Callable[[str, str], bool],
        left_out: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        self.models, self.table, self.identical = models, table, identical
        self.values = dict(zip(models, table.mean(axis=0).tolist(), strict=True))
        self.left_out = dict(left_out or {})
        self.notes: tuple[str, ...] = ("values of models are means over data sets", *notes)


def compare_matrix(sets: Matrix, options: Options, against: str = "") -> Comparison:
    """Models compared over several data sets, each of which counts once."""
    measure = options.only_measure("classification")
    field = Values(dict(zip(sets.models, sets.table.T, strict=True)), measure.better)
    test = tests.chosen(options.test, SETS, field)
    tested = test.make(field, options)
    words = tested.why if test.name != options.test else test.name
    why, nemenyi = f"{len(sets.table)} data sets: {words} for pairs", None
    bayes = tests.probabilities(options.test, SETS, field, options)
    if len(sets.models) > 2:
        omnibus = tests.of_all(SETS).make(field, options)
        why = f"{why}, {omnibus.method} for all models at once"
        nemenyi = tests.nemenyi(sets.table, measure.better, options.level)
        tested = replace(tested, omnibus=omnibus)
    design = Design(
        replace(tested, why=why), "algorithm", "data sets", nemenyi=nemenyi, bayes=bayes
    )
    return _test_pairs(sets, design, options, measure, against)


def compare_sets(
    tables: Mapping[str, Predictions], options: Options, against: str = ""
) -> Comparison:
    """The models of several tables, one a data set, compared over the data sets."""
    tests.check_test(options.test, SETS)
    for name, table in tables.items():
        if not isinstance(table, Predictions):
            raise InputError(f"data set {name!r}: expected Predictions, got {table!r:.60}")
    if len(tables) < FEWEST_SETS:
        raise NotEnoughData(
            f"{len(tables)} data sets: with fewer than {FEWEST_SETS} no p below 0.05 exists; "
            "add data sets, or compare on each by itself"
        )
    options = with_measure(options, next(iter(tables.values())).task)
    fields: dict[str, Paired] = {}
    for name, table in tables.items():
        try:
            fields[name] = pair_models(table, options)
        except InputError as error:
            raise InputError(f"data set {name!r}: {error}") from None
    return compare_matrix(_matrix_of(fields), options, against)


def _matrix_of(fields: Mapping[str, Paired]) -> Matrix:
    left_out: dict[str, str] = {}
    models = dict.fromkeys(model for field in fields.values() for model in field.table.models)
    for model in models:
        for name, field in fields.items():
            if model not in field.cases:
                why = field.left_out.get(model, "no predictions")
                left_out.setdefault(model, f"data set {name}: {why}")
    kept = tuple(model for model in models if model not in left_out)
    if len(kept) < 2:
        why = "; ".join(f"{model}: {reason}" for model, reason in left_out.items())
        raise NotEnoughData(f"fewer than two models are in all data sets ({why})")
    table = np.array([[field.values[model] for model in kept] for field in fields.values()])
    unfinished = {name: field.table.unfinished for name, field in fields.items()}
    notes = tuple(f"data set {name}: {why}" for name, why in unfinished.items() if why)
    return Matrix(
        kept,
        table,
        lambda a, b: all(pairing.identical(a, b) for pairing in fields.values()),
        left_out,
        notes,
    )


# --- from tests to verdicts ----------------------------------------------------------------


def _test_pairs(
    field: Models, design: Design, options: Options, measure: Measure, against: str
) -> Comparison:
    """Each pair tested, p adjusted, intervals made simultaneous, verdicts."""
    tested, level = design.tested, options.level
    pairs, untested, chosen = _pairs(field, design, measure, against)
    alone = [tested.pair(a, b, level) for a, b in pairs]
    margin, note = _margin(field, options, measure)
    p_values, joint, why = [result.p for result in alone], level, tested.why
    adjusted, notes = p_values, (*field.notes, *tested.notes, *note)
    if len(pairs) + untested > 1 and options.correction == "holm":
        corrected = holm(p_values, level, untested)
        adjusted, joint = list(corrected.p), corrected.joint_level
        why += f"; p adjusted for {len(pairs) + untested} pairs (Holm)"
        notes += (f"intervals are simultaneous: each has level {joint:.4g} (Bonferroni)",)
    elif len(pairs) > 1:
        notes += (Note(f"p and intervals are not adjusted for {len(pairs)} pairs", "unadjusted"),)
    if untested:
        notes += (
            f"the best of {len(field.models)} models is compared with each other and adjusted for "
            "all pairs, as these rows selected it",
        )
    options = options.but(margin=margin)
    differences = tuple(
        _judge(field, design, options, measure, result, pair, p, joint)
        for pair, result, p in zip(pairs, alone, adjusted, strict=True)
    )
    nemenyi = design.nemenyi
    if nemenyi is not None and not chosen:  # all pairs were tested
        place = {model: at for at, model in enumerate(field.models)}
        significant = [pair for pair in differences if pair.significant]
        differing = tuple((place[pair.a], place[pair.b]) for pair in significant)
        nemenyi = replace(nemenyi, differing=differing)
    return Comparison(
        pairs=differences, models=field.models, measure=measure.title, values=dict(field.values),
        better=measure.better, level=level, margin=margin,
        correction=options.correction if len(pairs) > 1 else "none", reason_for_test=why,
        omnibus=tested.omnibus, nemenyi=nemenyi, left_out=dict(field.left_out),
        notes=_all_notes(notes, differences, field.left_out), against=chosen,
    )  # fmt: skip


def _all_notes(
    notes: Sequence[str], pairs: Sequence[Difference], left_out: Mapping[str, str]
) -> tuple[str, ...]:
    """Models left out, notes of all, and notes of pairs, each once with the pairs it is about."""
    whose: dict[str, list[str]] = {}
    for pair in pairs:
        for note in filter(None, dict.fromkeys((*pair.notes, pair.reason))):
            whose.setdefault(note, []).append(f"{short_name(pair.a)} and {short_name(pair.b)}")
    of_pairs = []
    for note, names in whose.items():
        who = "; ".join(names) if len(names) < 4 else f"{len(names)} of {len(pairs)} pairs"
        of_pairs.append(Note(note if len(pairs) == 1 else f"{who}: {note}", key_of(note)))
    gone = [
        Note(f"left out: {short_name(name)} ({why})", IMPORTANT) for name, why in left_out.items()
    ]
    return tuple(dict.fromkeys((*gone, *notes, *of_pairs)))


def _pairs(
    field: Models, design: Design, measure: Measure, against: str
) -> tuple[list[tuple[str, str]], int, str]:
    """The pairs to test, how many more they are adjusted for, and the model all are with."""
    models = field.models
    count = len(models) * (len(models) - 1) // 2
    many = len(models) > MOST_MODELS and design.nemenyi is None
    if not against and not many:
        return list(combinations(models, 2)), 0, ""
    if against and against != BEST:
        if against not in models:
            raise InputError(f"against={against!r}: no such model; there are {', '.join(models)}")
        return [(model, against) for model in models if model != against], 0, against
    sign = 1.0 if measure.better == "low" else -1.0
    best = min(models, key=lambda model: sign * field.values[model])
    at = models.index(best)
    pairs = [(model, best) for model in models[:at]] + [(best, model) for model in models[at + 1 :]]
    return pairs, count - len(pairs), best


def _usual_margin(options: Options, measure: Measure) -> float | None:
    """The margin given, or the usual one of measures between 0 and 1."""
    low, high = measure.bounds
    if options.margin is None:
        if low >= 0 and high <= 1:
            return USUAL_MARGIN
        if gives_probabilities(options.test):
            raise InputError(
                f"test={options.test!r} needs margin=, the equivalence margin of {measure.title} "
                "(0 for none)"
            )
        return None
    if options.margin < high - low:
        return options.margin
    percent = options.margin / 100
    hint = f" (did you mean {percent:g}?)" if percent < high - low else ""
    raise InputError(
        f"margin={options.margin:g}: {measure.title} lies between {low:g} and {high:g}, so that no "
        f"difference would matter; give a smaller one{hint}"
    )


def _margin(
    field: Models, options: Options, measure: Measure
) -> tuple[float | None, tuple[str, ...]]:
    """The equivalence margin; not the usual one where models all but agree within it anyway."""
    margin = _usual_margin(options, measure)
    if options.margin is not None or margin is None or gives_probabilities(options.test):
        return margin, ()
    (low, high), values = measure.bounds, field.values.values()
    distance = high - max(values) if measure.better == "high" else min(values) - low
    rest = getattr(field, "rarest", math.nan)
    if rest < RARE * margin:
        why = f"only {rest:.1%} of the rows are outside the largest class"
    elif distance < NEAR * margin:
        why = f"the best model is only {distance:.2g} away from a perfect {measure.title}"
    else:
        return margin, ()
    return None, (f"no equivalence margin is set: {why}; set one with margin=",)


def _judge(
    field: Models, design: Design, options: Options, measure: Measure, alone: TestResult,
    names: tuple[str, str], p: float, joint: float,
) -> Difference:  # fmt: skip
    test, level = design.tested.pair, options.level
    result = alone if joint == level else test(*names, joint, again=True)
    inner = test(*names, max(0.01, 1 - 2 * (1 - joint)), again=True)
    notes = tuple(dict.fromkeys((*alone.notes, *result.notes)))
    same = alone.identical or result.identical
    if same and not field.identical(*names):
        same, notes = False, ("no difference observed, though the predictions differ",)
    if not math.isnan(result.low) and (p < 1 - level) != (result.low > 0 or result.high < 0):
        notes += (Note("p and the interval disagree: inconclusive", "disagree"),)
    judged = Finding("identical")
    if not same:
        judged = finding(
            result.value, result.low, result.high, inner.low, inner.high, options.margin or 0.0,
            measure.better, p=p, level=level,
        )  # fmt: skip
    span = measure.bounds[1] - measure.bounds[0]
    return Difference(
        *names, measure.title, value=result.value, low=-span if result.low < -span else result.low,
        high=span if result.high > span else result.high, p=p, level=level, method=alone.method,
        target=design.target, n=alone.n, n_train=design.n_train, n_effective=alone.n_effective,
        finding=judged, notes=notes, reason=result.reason, p_alone=alone.p, each_level=joint,
        df=alone.df if isinstance(alone.df, float) else math.nan, unit=design.unit,
        bayes=None if design.bayes is None else design.bayes(*names), margin=options.margin,
        low90=inner.low, high90=inner.high, test=alone.test, design=design.kind,
        won=None if design.won is None else design.won(*names),
    )  # fmt: skip
