"""The intercept that all splits share: how far a value moves with the class shares of the sample.

All training sets share most rows, so the share of a class in the sample moves every fitted model
alike, by a shift of the logit with standard deviation sqrt(Var(share)) / (share (1 - share)). The
measure is computed again with the logits of all tests moved within the confidence limits of that
shift; how far it then falls and rises adds to the distances of the limits as squares (MOVER). A
derivative would not do: a nearly constant classifier flips as a whole.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit, logit

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.estimates.resampled._case import Case
from heliast.estimates.resampled._variance import tests_of
from heliast.measures.summaries import Counted
from heliast.predictions import Rows

STEPS = 4  # on each side of 0, up to the confidence limit of the shift
# Decision scores are margins or logits, and the intercept of a shrunken model moves by as much
# though its scores hardly spread: at least so many units a logit (support vectors with 5 to 400
# features: 1 covers .83 to .98, 1.5 .95 to 1; benchmarks/studies/fold_variance.py).
MARGIN = 1.5
# Beyond, each class holds too few of the rows to move labels much; forecasts of more than a few
# classes would take long.
MOST_CLASSES, MOST_FORECAST = 50, 5
NO_SCORES = Note(
    "predicted labels do not follow from scores here, so how far a threshold moves with the sample "
    "is unknown: the interval allows for the rows alone",
    "intercept",
)
LEARNED = Note(
    "every split decides by a threshold of its own, learned from its training rows: how much it "
    "varies with these is not known, so measures of labels hold less often than they say; judge "
    "the scores (AUC, Brier score), or fix the threshold",
    "threshold",
)


@dataclass(frozen=True, eq=False)
class Rule:
    """How labels follow from scores.

    `margin` (tests, classes) is the logit of a class less what it must exceed for the label, at
    least 0 where it has it; of two classes there is one column. `runner` is the best other class.
    """

    margin: Array
    codes: tuple[int, ...]
    runner: Array
    learned: bool = False

    def labels(self, y_pred: Array, at: int, shift: float) -> Array:
        """The labels after the logit of the class in this column has moved."""
        code, moved = self.codes[at], self.margin[:, at] + shift
        own = y_pred == code
        labels = np.where(moved > 0, code, np.where(own, self.runner, y_pred))
        return np.where(own & (moved == 0), code, labels).astype(y_pred.dtype)


def rule_of(case: Case) -> Rule | None:
    """How labels follow from scores; None where they do not."""
    return case.parts.once("label rule", lambda: _rule(case))


def learned_threshold(case: Case) -> tuple[str, ...]:
    """What to say of a measure of labels where no one threshold explains those of all splits."""
    if case.measure.needs != "label" or case.table.task != "classification":
        return ()
    rule = rule_of(case)
    return (LEARNED,) if rule is not None and rule.learned else ()


def _rule(case: Case) -> Rule | None:
    rows = case.parts.whole.rows()
    k = len(rows.classes)
    if rows.scores is None or np.isnan(rows.scores).any() or k > MOST_CLASSES:
        return None
    label = np.asarray(rows.y_pred)
    if k == 2:
        code = 1 if rows.positive is None else rows.positive
        score = rows.score_of(code)
        if rows.score_kind == "decision":
            x = score * min(platt_slope(score, rows.is_class(code)), 1 / MARGIN)
        else:
            x = logit(np.clip(score, 1e-9, 1 - 1e-9))
        return _of_two(tests_of(case).split, label == code, x, code)
    scores = np.stack([rows.score_of(code) for code in range(k)], axis=1)
    order = np.argsort(scores, axis=1, kind="stable")
    place = np.arange(rows.n)
    if (scores[place, label] < scores[place, order[:, -1]]).any():
        return None  # decided by costs, or not by scores at all
    runner = np.where(order[:, -1] == label, order[:, -2], order[:, -1])
    x = scores / MARGIN if rows.score_kind == "decision" else np.log(np.clip(scores, 1e-9, None))
    rival = np.where(label[:, None] == np.arange(k), runner[:, None], label[:, None])
    return Rule(x - np.take_along_axis(x, rival, axis=1), tuple(range(k)), runner)


def _of_two(split: Array, positive: Array, x: Array, code: int) -> Rule | None:
    """One threshold for all splits, or else one for each."""
    runner = np.full(positive.size, 1 - code)
    cut = _cut(positive, x)
    if cut is not None:
        return Rule((x - cut)[:, None], (code,), runner)
    cuts = [_cut(positive[split == at], x[split == at]) for at in range(int(split.max()) + 1)]
    if None in cuts:
        return None
    return Rule((x - np.array(cuts, float)[split])[:, None], (code,), runner, learned=True)


def _cut(positive: Array, x: Array) -> float | None:
    """A threshold that explains the labels: 0 if it does, else the middle; None if none does."""
    above, below = x[positive].min(initial=np.inf), x[~positive].max(initial=-np.inf)
    if above < below:
        return None
    if below <= 0 <= above:
        return 0.0
    return float(np.mean([end for end in (below, above) if np.isfinite(end)]))


def platt_slope(score: Array, own: Array) -> float:
    """The slope of the logistic regression of a class on its scores, at least 1 / their spread.

    Where scores tell nothing, the slope itself is lost in noise.
    """
    spread = float(score.std())
    if not spread > 0:
        return 1.0
    x, y = (score - score.mean()) / spread, np.asarray(own, float)
    design, beta = np.stack([np.ones(x.size), x], axis=1), np.zeros(2)
    for _ in range(25):
        p = expit(design @ beta)
        heavy = design * np.maximum(p * (1 - p), 1e-6)[:, None]
        step = np.linalg.solve(design.T @ heavy + 1e-3 * np.eye(2), design.T @ (y - p))
        beta = beta + np.clip(step, -3, 3)
    return max(1.0, float(beta[1])) / spread


# --- the measure with moved logits ----------------------------------------------------------------


def moved_classes(case: Case) -> tuple[int, ...] | None:
    """The classes whose logits are moved, none where nothing moves; None where that is not known.

    Measures of labels need to know how these follow from scores; those of forecasts do not.
    """
    shared = case.design.kind not in ("fresh", "in_order") and case.measure.over == "rows"
    if not shared or case.table.task != "classification" or case.table.meta.design == "classes":
        return ()
    if case.measure.needs == "label":
        rule = rule_of(case)
        return None if rule is None else rule.codes
    rows = case.parts.pooled.rows
    k = len(rows.classes)
    if case.measure.needs != "probability" or k > MOST_FORECAST:
        return ()
    return ((1 if rows.positive is None else rows.positive),) if k == 2 else tuple(range(k))


def _moved_value(case: Case, at: int, code: int, shift: float) -> float:
    values = []
    for names in case.parts.pools:
        if case.measure.needs == "label":
            key = f"moved {names} {code} {shift:.9g}"
            counted = case.parts.once(key, lambda n=names: _moved_labels(case, n, at, shift))  # type: ignore[misc]
        else:
            rows = case.parts.counted(names).rows
            counted = Counted(_moved_forecasts(rows, code, shift), case.parts.prevalences)
        values.append(case.measure.form(counted, case.class_).value)
    return float(np.nanmean(values)) if not np.isnan(values).all() else float("nan")


def _moved_labels(case: Case, names: tuple[int | str, ...], at: int, shift: float) -> Counted:
    rule, rows, tests = rule_of(case), case.parts.counted(names).rows, tests_of(case)
    assert rule is not None
    labels = case.parts.once(
        f"labels {at} {shift:.9g}",
        lambda: rule.labels(np.asarray(case.parts.whole.y_pred), at, shift),
    )
    return Counted(replace(rows, y_pred=labels[tests.where(names)]), case.parts.prevalences)


def _moved_forecasts(rows: Rows, code: int, shift: float) -> Rows:
    scores = np.asarray(rows.scores, float)
    if scores.ndim == 1:
        inside = (scores > 0) & (scores < 1)
        moved = np.where(inside, expit(logit(np.where(inside, scores, 0.5)) + shift), scores)
        return replace(rows, scores=moved)
    odds = scores * np.exp(shift * (np.arange(scores.shape[1]) == code))
    return replace(rows, scores=odds / odds.sum(axis=1, keepdims=True))


def _shift_sd(case: Case, code: int) -> float:
    """The standard deviation of the shared shift of a class's logit."""
    tests = tests_of(case)
    added, rate = tests.share_of(code)
    units, _ = tests.units(added[None])
    return float(np.sqrt((units**2).sum())) / (rate * (1 - rate)) if 0 < rate < 1 else 0.0


def curves(
    cases: tuple[Case, ...], signs: tuple[float, ...], level: float, out: int = 1, part: float = 1.0
) -> Array:
    """How a sum of measures moves with the shift of each class: (classes, steps), 0 in the middle.

    Steps are a fourth of the confidence limit of the shift, or of a part of it, up to `out` times
    that limit.
    """
    codes = moved_classes(cases[0]) or ()
    reach = np.arange(-STEPS * out, STEPS * out + 1) / STEPS * quantile(level)
    shifts = [part * reach * _shared_sd(cases[0], code) for code in codes]
    values = np.zeros((len(codes), reach.size))
    for case, sign in zip(cases, signs, strict=True):
        values += sign * _moved_values(case, codes, shifts)
    with np.errstate(invalid="ignore"):
        moved: Array = values - values[:, [reach.size // 2]]
    return np.where(np.isfinite(moved), moved, 0.0)


def _shared_sd(case: Case, code: int) -> float:
    return case.parts.once(f"shift {code}", lambda: _shift_sd(case, code))


def _moved_values(case: Case, codes: tuple[int, ...], shifts: list[Array]) -> Array:
    """The measure at each shift of each class: (classes, steps); once for all pairs of a model."""

    def compute() -> Array:
        lines = [
            [_moved_value(case, at, code, shift) for shift in shifts[at]]
            for at, code in enumerate(codes)
        ]
        return np.array(lines).reshape(len(codes), -1)

    steps = [line.tobytes().hex() for line in shifts]
    return case.parts.once(f"moved {case.measure!r} {case.class_!r} {steps}", compute)


def along_classes(case: Case, added: Array, z: float) -> Array:
    """How far the part of the rows that goes with each class's share reaches, at z deviations."""
    tests, reach = tests_of(case), []
    for code in moved_classes(case) or ():
        units, _ = tests.units(np.stack([added, tests.share_of(code)[0]]))
        spread = float(np.sqrt((units[1] ** 2).sum()))
        reach.append(z * float(units[0] @ units[1]) / spread if spread > 0 else 0.0)
    return np.array(reach)


def widen(
    below: float, above: float, steps: Array, along: Array, classes: int
) -> tuple[float, float]:
    """The distances of the rows and of the shared shift as one (MOVER).

    `below` and `above` are those of the rows, `steps` (classes, steps) how the value moves, and
    `along` how far the part of the rows that goes with the share of each class moves it when that
    share reaches its confidence limit: a sample with more rows of a class shifts the models and
    adds such rows, and the two may cancel (precision) or add up (F1).
    """
    if not steps.size:
        return below, above
    factor = 1.0 if classes == 1 else (classes - 1) / classes
    middle, distances = steps.shape[1] // 2, []
    for distance, sign in ((below, -1.0), (above, 1.0)):
        total = distance**2
        for line, way in zip(sign * steps, sign * along, strict=True):
            at = int(line.argmax())
            reach = max(0.0, float(line[at]))
            total += factor * (reach**2 + 2 * reach * way * np.sign(at - middle))
        distances.append(float(np.sqrt(max(total, 0.0))))
    return distances[0], distances[1]


def widened(
    case: Case, added: Array, below: float, above: float
) -> tuple[float, float, tuple[str, ...]]:
    """The distances of the rows, widened for the shared shift, and what to say of it."""
    codes = moved_classes(case)
    if not codes:
        return below, above, () if codes == () else (NO_SCORES,)
    steps = curves((case,), (1.0,), case.level)
    along = along_classes(case, added, quantile(case.level))
    return (*widen(below, above, steps, along, len(steps)), learned_threshold(case))
