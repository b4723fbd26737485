"""Which column of a file is what: recognised by name, named by an option, or refused."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from heliast._core.columns import Column
from heliast._core.errors import InputError, NotPredictions
from heliast._core.labels import Label
from heliast._core.places import ROWS, Places
from heliast.predictions._records import Options, ScoreKind

RECOGNISED: dict[str, tuple[str, ...]] = {
    "truth": (
        "truth", "y_true", "ytrue", "true", "target", "actual", "actual_class", "actual_label",
        "true_label", "true_class", "y", "gold", "gold_label", "expected", "observed", "y_test",
        "ground_truth", "reference",
    ),
    "label": (
        "label", "y_pred", "ypred", "y_hat", "yhat", "pred", "prediction", "predictions",
        "predicted", "predicted_class", "predicted_label", "pred_class", "pred_label",
        "class_pred", "label_pred", "decided",
    ),
    "model": ("model", "model_name", "classifier"),
    "split": ("split", "fold"),
    "row": ("row", "row_id", "id", "index"),
    "seen": ("seen",),
    "weight": ("weight", "weights", "sample_weight"),
    "group": ("group", "groups"),
}  # fmt: skip
"""The names that are understood without an option, in any case; the first is the house name."""

SCORE_NAMES: dict[str, ScoreKind | None] = {
    "score": None, "scores": None, "y_score": None, "yscore": None, "pred_score": None,
    "prob": "probability", "probs": "probability", "proba": "probability",
    "probability": "probability", "y_prob": "probability", "y_proba": "probability",
    "p": "probability", "pred_proba": "probability", "pred_prob": "probability",
    "decision": "decision", "decision_function": "decision", "logit": "decision",
    "votes": "votes",
}  # fmt: skip
"""One score column, for the positive class, and what its name says it is."""

SCORE_PREFIXES: dict[str, ScoreKind | None] = {
    "score": None, "prob": "probability", "proba": "probability", "probability": "probability",
    "p": "probability", "decision": "decision", "votes": "votes",
}  # fmt: skip
"""One score column a class, `<prefix>_<class>`, and what the prefix says they are."""

ROLES = tuple(RECOGNISED)
_MUST_BE_ONE = ("truth", "label")
_AMBIGUOUS = "label"
ScoreOption = str | Mapping[Label, str] | Sequence[str]


@dataclass(frozen=True)
class Asked:
    """What the caller says: the column of each role, those of the scores, and the options."""

    roles: Mapping[str, str | None] = field(default_factory=dict)
    score: ScoreOption | None = None
    options: Options = field(default_factory=Options)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Asked":
        """From the keywords of `Predictions.read`."""
        rest = {name: value for name, value in given.items() if name not in (*ROLES, "score")}
        roles = {role: given.get(role) for role in ROLES}
        return cls(roles, given.get("score"), Options(**rest))

    def __bool__(self) -> bool:
        """Whether anything is said."""
        named = any(name is not None for name in (*self.roles.values(), self.score))
        return named or self.options != Options()


@dataclass
class Found:
    """The column of each role, how the scores are stored, and what to tell the user."""

    columns: dict[str, str] = field(default_factory=dict)
    score: dict[Label, str] | list[str] | str | None = None
    score_kind: ScoreKind | None = None
    score_prefix: str | None = None
    model_name: str | None = None
    notes: list[str] = field(default_factory=list)

    def used(self) -> list[str]:
        """The names of all columns that are read, each once."""
        return list(dict.fromkeys([*self.columns.values(), *self.score_columns()]))

    def score_columns(self) -> list[str]:
        if isinstance(self.score, str):
            return [self.score]
        return list(self.score.values() if isinstance(self.score, dict) else self.score or ())


@dataclass
class Source:
    """Named columns: `fetch` reads those that are wanted, given the role of each."""

    title: str
    stem: str
    names: list[str]
    fetch: Callable[[Found], Mapping[str, Column]]
    places: Places = ROWS
    notes: list[str] = field(default_factory=list)


def find_columns(names: Sequence[str], asked: Asked, source: str) -> Found:
    """Give every role its column: what the caller names first, then what names are recognised.

    >>> find_columns(["y_true", "y_pred"], Asked(), "a.csv").columns
    {'truth': 'y_true', 'label': 'y_pred'}
    """
    _refuse_twins(names, source)
    found = Found()
    for role, option in asked.roles.items():
        if option is not None:
            _take_option(found, role, option, names, source)
    if asked.score is not None:
        found.score = _score_option(asked.score, names, source)
    free = [name for name in names if name not in found.used()]
    _recognise(found, free, source)
    if found.score is None:
        _recognise_scores(found, [name for name in names if name not in found.used()], source)
    _refuse_incomplete(found, names, source)
    return found


def _refuse_twins(names: Sequence[str], source: str) -> None:
    twins = sorted({name for name in names if name and names.count(name) > 1})
    if twins:
        raise InputError(
            f"{source}: the column name {twins[0]!r} occurs {names.count(twins[0])} times in the "
            "header; columns are chosen by name, so rename one (or, if the first line is data, "
            "add a header line)"
        )


def named(name: str, names: Sequence[str]) -> str | None:
    """The column an option means: exactly, or but for upper and lower case."""
    if name in names:
        return name
    close = [one for one in names if one.lower() == str(name).lower()]
    return close[0] if len(close) == 1 else None


def _must_have(name: str, role: str, names: Sequence[str], source: str) -> str:
    column = named(name, names)
    if column is None:
        close = get_close_matches(str(name), names, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise InputError(
            f"{source}: {role}={name!r} is no column of it{hint}; the columns are {_listed(names)}"
        )
    return column


def _take_option(found: Found, role: str, option: str, names: Sequence[str], source: str) -> None:
    if role == "model" and named(option, names) is None:
        if any(name.lower() in RECOGNISED["model"] for name in names):
            _must_have(option, role, names, source)
        found.model_name = option
        return
    found.columns[role] = _must_have(option, role, names, source)


def _score_option(
    score: ScoreOption, names: Sequence[str], source: str
) -> dict[Label, str] | list[str] | str:
    if isinstance(score, str):
        return _must_have(score, "score", names, source)
    if isinstance(score, Mapping):
        return {label: _must_have(name, "score", names, source) for label, name in score.items()}
    columns = [_must_have(name, "score", names, source) for name in score]
    return columns[0] if len(columns) == 1 else columns


def _recognise(found: Found, free: list[str], source: str) -> None:
    for role, known in RECOGNISED.items():
        if role in found.columns or (role == "model" and found.model_name):
            continue
        hits = [name for name in free if name.strip().lower() in known]
        if role == "label" and "truth" not in found.columns and len(hits) == 2:
            hits = _label_as_truth(found, hits)
        if len(hits) > 1 and role in _MUST_BE_ONE:
            raise InputError(
                f"{source}: {' and '.join(map(repr, hits))} both look like {role}: "
                f"say which with {role}= (command line: --{role} {hits[0]})"
            )
        if not hits:
            continue
        hits.sort(key=lambda name: known.index(name.strip().lower()))
        found.columns[role] = hits[0]
        free.remove(hits[0])
        if hits[0] != role:
            found.notes.append(f"column {hits[0]!r} read as {role}")


def _label_as_truth(found: Found, hits: list[str]) -> list[str]:
    """`label` beside `prediction` and kin can only be the truth."""
    plain = [name for name in hits if name.strip().lower() == _AMBIGUOUS]
    if len(plain) != 1:
        return hits
    found.columns["truth"] = plain[0]
    other = next(name for name in hits if name != plain[0])
    found.notes.append(f"column {plain[0]!r} read as truth, since {other!r} holds what was decided")
    return [other]


def _recognise_scores(found: Found, free: list[str], source: str) -> None:
    single = [name for name in free if name.strip().lower() in SCORE_NAMES]
    families: dict[str, dict[Label, str]] = {}
    for name in free:
        match = re.fullmatch(r"([A-Za-z]+)_(.+)", name.strip(), flags=re.DOTALL)
        if match and match[1].lower() in SCORE_PREFIXES and name not in single:
            families.setdefault(match[1].lower(), {})[match[2]] = name
    if families.get("p") and (single or len(families) > 1 or len(families["p"]) == 1):
        families.pop("p")  # p_value and the like stand beside real scores
    groups = [[name] for name in single] + [list(family.values()) for family in families.values()]
    if single and families and any(len(family) == 1 for family in families.values()):
        groups = [[name] for name in single]  # score_time and the like stand beside a real score
        families = {}
    if len(groups) > 1:
        shown = " and ".join(repr(group[0]) for group in groups[:3])
        raise InputError(
            f"{source}: {shown} all look like scores: say which with score= "
            f"(command line: --score {groups[0][0]})"
        )
    if single:
        found.score, found.score_kind = single[0], SCORE_NAMES[single[0].strip().lower()]
        if single[0] != "score":
            kind = f", a {found.score_kind} score" if found.score_kind else ""
            found.notes.append(f"column {single[0]!r} read as score{kind}")
    elif families:
        prefix, found.score = next(iter(families.items()))
        found.score_kind, found.score_prefix = SCORE_PREFIXES[prefix], prefix


def _refuse_incomplete(found: Found, names: Sequence[str], source: str) -> None:
    columns = found.columns
    if "truth" not in columns:
        if columns.get("label", "").strip().lower() == _AMBIGUOUS:
            name = columns["label"]
            raise InputError(
                f"{source}: the column {name!r} may be the truth or what was decided, and no "
                f"other column is recognised as truth. If it is the truth: --truth {name} "
                f"--label <column> (or --score <column>); if it is what was decided: --label "
                f"{name} --truth <column>. The columns are {_listed(names)}"
            )
        raise NotPredictions(
            f"{source}: no column is recognised as truth; name it with truth= (command line: "
            "--truth <column>). If these are data to fit models on, the command line needs "
            f"--target <column>. The columns are {_listed(names)}"
        )
    if "label" not in columns and found.score is None:
        raise NotPredictions(
            f"{source}: no column is recognised as label or score; name one with label= or score= "
            f"(command line: --label <column>, --score <column>). The columns are {_listed(names)}"
        )


def unused_note(found: Found, names: Sequence[str]) -> list[str]:
    """What was not read, so that a misspelt column does not go unnoticed."""
    used = set(found.used())
    rest = [name or "(unnamed)" for name in names if name not in used]
    if not rest:
        return []
    return [f"{'column' if len(rest) == 1 else 'columns'} not used: {_listed(rest)}"]


def _listed(names: Sequence[str], most: int = 12) -> str:
    return ", ".join(repr(name) for name in names[:most]) + (", ..." if len(names) > most else "")
