"""The intercept that all splits share: how far a label measure moves with the sample's prevalence.

All training sets share most rows, so the share of a class in the sample moves every fitted model
alike, by a shift of the logit with standard deviation sqrt(Var(share)) / (share (1 - share)). The
measure is computed again with the logits of all tests moved within the confidence limits of that
shift; how far it then falls and rises adds to the distances of the limits as squares (MOVER). A
derivative would not do: a nearly constant classifier flips as a whole.
"""

from dataclasses import dataclass, replace

import numpy as np

from heliast._core.kinds import Array
from heliast._core.level import quantile
from heliast._core.notes import Note
from heliast.estimates.resampled._case import Case
from heliast.estimates.resampled._variance import tests_of
from heliast.measures.summaries import Counted

STEPS = 4  # on each side of 0, up to the confidence limit of the shift
# Decision scores are margins or logits, and the intercept of a shrunken model moves by as much
# though its scores hardly spread: at least so many units a logit (support vectors with 5 to 400
# features: 1 covers .83 to .98, 1.5 .95 to 1; benchmarks/studies/fold_variance.py).
MARGIN = 1.5
MOST_CLASSES = 50  # beyond, each class holds too few of the rows to move the measure much
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


def moves(case: Case) -> bool:
    """Whether this is a measure of labels of models that share most of their training rows."""
    shared = case.design.kind not in ("fresh", "in_order")
    by_label = case.table.task == "classification" and case.measure.needs == "label"
    return shared and by_label and case.table.meta.design != "classes"


@dataclass(frozen=True, eq=False)
class Rule:
    """The logit of each class less what it must exceed for the label, and the slope of the logit.

    `margin` (tests, classes) is at least 0 where the class is the label; of two classes there is
    one column, for class `code`. `runner` is the best other class.
    """

    margin: Array
    codes: tuple[int, ...]
    runner: Array
    learned: bool

    def labels(self, y_pred: Array, at: int, shift: float) -> Array:
        """The labels after the logit of the class in this column has moved."""
        code = self.codes[at]
        moved = self.margin[:, at] + shift
        own = y_pred == code
        return np.where(
            np.where(own, moved >= 0, moved > 0), code, np.where(own, self.runner, y_pred)
        )


def rule_of(case: Case) -> Rule | None:
    """How labels follow from scores, found once a model; None where they do not."""
    return case.parts.once("label rule", lambda: _rule(case))


def learned_threshold(case: Case) -> tuple[str, ...]:
    """What to say of a measure of labels where no one threshold explains those of all splits."""
    if case.measure.needs != "label" or case.table.task != "classification":
        return ()
    rule = rule_of(case)
    return (LEARNED,) if rule is not None and rule.learned else ()


def _rule(case: Case) -> Rule | None:
    rows = case.parts.whole.rows()
    if rows.scores is None or np.isnan(rows.scores).any() or len(rows.classes) > MOST_CLASSES:
        return None
    if len(rows.classes) == 2:
        code = 1 if rows.positive is None else rows.positive
        logit = _logit(rows.score_of(code), rows.is_class(code), rows.score_kind)
        return _of_two(case, rows.y_pred == code, logit, code)
    codes = range(len(rows.classes))
    columns = [_logit(rows.score_of(code), rows.is_class(code), rows.score_kind) for code in codes]
    scores = np.stack([rows.score_of(code) for code in codes], axis=1)
    order = np.argsort(scores, axis=1, kind="stable")
    label = np.asarray(rows.y_pred)
    every = np.arange(rows.n)
    if (scores[every, label] < scores[every, order[:, -1]]).any():
        return None  # decided by costs, or not by scores at all
    runner = np.where(order[:, -1] == label, order[:, -2], order[:, -1])
    logits = np.stack(columns, axis=1)
    rival = np.where(label[:, None] == np.arange(len(columns)), runner[:, None], label[:, None])
    # As logits, a class against the best other one: log(p / q) for probabilities.
    away = logits - np.take_along_axis(logits, rival, axis=1)
    if rows.score_kind != "decision":
        log = np.log(np.clip(scores, 1e-9, None))
        away = log - np.take_along_axis(log, rival, axis=1)
    return Rule(away, tuple(codes), runner, learned=False)


def _of_two(case: Case, said: Array, logit: Array, code: int) -> Rule | None:
    """One threshold for all splits, or else one for each."""
    tests = tests_of(case)
    cut = _cut(said, logit)
    if cut is not None:
        runner = np.full(said.size, 1 - code)
        return Rule((logit - cut)[:, None], (code,), runner, learned=False)
    cuts = np.zeros(int(tests.split.max()) + 1)
    for at in range(cuts.size):
        here = tests.split == at
        own = _cut(said[here], logit[here]) if here.any() else 0.0
        if own is None:
            return None
        cuts[at] = own
    runner = np.full(said.size, 1 - code)
    return Rule((logit - cuts[tests.split])[:, None], (code,), runner, learned=True)


def _cut(said: Array, logit: Array) -> float | None:
    """A threshold that explains the labels: 0 if it does, else the middle; None if none does."""
    above, below = logit[said].min(initial=np.inf), logit[~said].max(initial=-np.inf)
    if above < below:
        return None
    if below <= 0 <= above:
        return 0.0
    return float(np.mean([end for end in (below, above) if np.isfinite(end)]))


def _logit(score: Array, own: Array, kind: str | None) -> Array:
    """The logit of a probability or share of votes; of a decision score by Platt's slope."""
    if kind == "decision":
        return score * min(platt_slope(score, own), 1 / MARGIN)
    p = np.clip(score, 1e-9, 1 - 1e-9)
    return np.asarray(np.log(p) - np.log1p(-p))


def platt_slope(score: Array, own: Array) -> float:
    """The slope of the logistic regression of a class on its scores, at least 1 / their spread.

    Where scores tell nothing, the slope itself is lost in noise.
    """
    from scipy.special import expit

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


# --- the measure with moved labels ----------------------------------------------------------------


def moved_values(case: Case, at: int, shift: float) -> float:
    """The value with the logits of one column of the rule moved by `shift`."""
    values = []
    for names in case.parts.pools:
        counted = case.parts.once(
            f"moved {names} {at} {shift:.9g}", lambda names=names: _moved(case, names, at, shift)
        )
        values.append(case.measure.form(counted, case.class_).value)
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def _moved(case: Case, names: tuple[int | str, ...], at: int, shift: float) -> Counted:
    rule = rule_of(case)
    assert rule is not None
    whole = case.parts.whole
    labels = case.parts.once(
        f"labels {at} {shift:.9g}", lambda: rule.labels(np.asarray(whole.y_pred), at, shift)
    )
    place = {name: code for code, name in enumerate(whole.splits.names)}
    here = np.isin(tests_of(case).split, [place[name] for name in names])
    rows = case.parts.counted(names).rows
    moved = replace(rows, y_pred=labels[here].astype(rows.y_pred.dtype))
    return Counted(moved, case.parts.prevalences)


def shift_sd(case: Case, code: int) -> float:
    """The standard deviation of the shared shift of a class's logit."""
    tests = tests_of(case)
    own = np.asarray(case.parts.whole.y_true) == code
    share = tests.weight / tests.weight.sum()
    rate = float(share @ own)
    if not 0 < rate < 1:
        return 0.0
    units, _ = tests.units((share * (own - rate))[None])
    return float(np.sqrt((units**2).sum())) / (rate * (1 - rate))


def curves(cases: tuple[Case, ...], signs: tuple[float, ...], level: float, out: int = 1) -> Array:
    """How a sum of measures moves with the shift of each class: (classes, steps), 0 in the middle.

    Steps are a fourth of the confidence limit of the shift, up to `out` times that limit.
    """
    rules = [rule_of(case) for case in cases]
    columns = range(len(rules[0].codes)) if rules[0] is not None else ()
    reach = np.arange(-STEPS * out, STEPS * out + 1) / STEPS * quantile(level)
    lines = []
    for at in columns:
        code = rules[0].codes[at]  # type: ignore[union-attr]
        sd = cases[0].parts.once(f"shift {code}", lambda code=code: shift_sd(cases[0], code))
        shifts = reach * sd
        lines.append(
            [
                sum(s * moved_values(c, at, shift) for s, c in zip(signs, cases, strict=True))
                for shift in shifts
            ]
        )
    found = np.array(lines).reshape(len(lines), reach.size)
    middle = found[:, [reach.size // 2]]
    return np.nan_to_num(found - middle)


def widen(below: float, above: float, steps: Array, along: Array) -> tuple[float, float]:
    """The distances of the rows and of the shared shift as one (MOVER).

    `below` and `above` are those of the rows, `steps` (classes, steps) how the value moves, and
    `along` how far the part of the rows that goes with the share of each class moves it when that
    share reaches its confidence limit: a sample with more rows of a class shifts the models and
    adds such rows, and the two may cancel (precision) or add up (F1).
    """
    if not steps.size:
        return below, above
    factor = 1.0 if len(steps) == 1 else (len(steps) - 1) / len(steps)
    middle = steps.shape[1] // 2
    squares = []
    for distance, sign in ((below, -1.0), (above, 1.0)):
        total = distance**2
        for line, way in zip(sign * steps, sign * along, strict=True):
            at = int(line.argmax())
            reach = max(0.0, float(line[at]))
            total += factor * (reach**2 + 2 * reach * way * np.sign(at - middle))
        squares.append(max(total, 0.0))
    return float(np.sqrt(squares[0])), float(np.sqrt(squares[1]))


def along_classes(case: Case, added: Array, z: float) -> Array:
    """How far the part of the rows that goes with each class's share reaches, at z deviations."""
    rule, tests = rule_of(case), tests_of(case)
    assert rule is not None
    share = tests.weight / tests.weight.sum()
    reach = []
    for code in rule.codes:
        own = np.asarray(case.parts.whole.y_true) == code
        units, _ = tests.units(np.stack([added, share * (own - share @ own)]))
        spread = float(np.sqrt((units[1] ** 2).sum()))
        reach.append(z * float(units[0] @ units[1]) / spread if spread > 0 else 0.0)
    return np.array(reach)


def widened(
    case: Case, added: Array, below: float, above: float
) -> tuple[float, float, tuple[str, ...]]:
    """The distances of the rows, widened for the shared shift, and what to say of it."""
    if not moves(case):
        return below, above, ()
    if rule_of(case) is None:
        return below, above, (NO_SCORES,)
    steps = curves((case,), (1.0,), case.level)
    along = along_classes(case, added, quantile(case.level))
    return (*widen(below, above, steps, along), learned_threshold(case))
