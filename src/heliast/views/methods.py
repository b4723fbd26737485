"""The paragraph on methods: how numbers were made, in sentences to paste, with references."""

import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from heliast import __version__
from heliast._core.numbers import count
from heliast._core.records import Shown
from heliast.views.numbers import join_words, measure_name, method_name, plural
from heliast.views.paper import tex
from heliast.views.references import HELIAST, Reference, of_methods

if TYPE_CHECKING:
    from heliast.estimates import Estimate

PACKAGES = {"numpy": "NumPy", "scipy": "SciPy", "scikit-learn": "scikit-learn", "numba": "Numba"}
_CITED = re.compile(r" ?\[(?P<keys>@\w+(?:; @\w+)*)\]")
_DESIGNS = {
    "one test set": "on one test set of {n} rows that no model was trained on",
    "folds": "by cross-validation of {n} rows",
    "repeated folds": "by repeated cross-validation of {n} rows",
    "leave-one-out": "by leave-one-out cross-validation of {n} rows",
    "bootstrap": "on the out-of-sample rows of bootstrap samples of {n} rows",
    "subsampling": "on repeated random splits of {n} rows",
    "in order of time": "on a time series of {n} rows, by models trained on earlier rows",
}


@dataclass(frozen=True)
class Facts:
    """What a paragraph on methods needs to know of a result; what is empty is not mentioned.

    Parameters
    ----------
    models : sequence of str
        The models.
    level : float
        The confidence level.
    estimates : sequence of Estimate
        Their design and the methods of their intervals are named.
    measure : str
        The title of the measure that models were compared by.
    pairs : sequence of Difference
        Their test is named.
    correction : str
        `holm` if p values were adjusted for the number of pairs.
    margin : float, optional
        The equivalence margin.
    omnibus : TestResult, optional
        The test of all models at once.
    nemenyi : bool
        Whether Nemenyi's critical difference is shown.
    selected : str
        The measure by which the best model was selected, where its value is adjusted for that.
    in_train : str
        `all` if every row was trained on.
    data_sets : sequence of str
        The data sets of a benchmark.
    plan : str
        How rows were split.
    seed : int, optional
        The seed of the splits.
    hyperparameters : mapping of str to str
        For each model what was set, such as `max_depth=3`.
    sentences : sequence of str
        Whatever else is to be mentioned.
    """

    models: Sequence[str] = ()
    level: float = 0.95
    estimates: "Sequence[Estimate]" = ()
    measure: str = ""
    pairs: Sequence[Any] = ()
    correction: str = "none"
    margin: float | None = None
    omnibus: Any = None
    nemenyi: bool = False
    selected: str = ""
    in_train: str = "none"
    data_sets: Sequence[str] = ()
    plan: str = ""
    seed: int | None = None
    hyperparameters: Mapping[str, str] = field(default_factory=dict)
    sentences: Sequence[str] = ()


@dataclass(frozen=True)
class Methods(Shown):
    """Sentences that say how numbers were made, and the works they cite.

    Parameters
    ----------
    sentences : tuple of str
        The sentences; a work is cited as `[@wilson1927]`.
    references : tuple of Reference
        The works.

    Examples
    --------
    >>> import heliast as hl
    >>> made = hl.assess(["a", "b", "b", "a"], ["a", "b", "a", "a"], "error").methods()
    >>> made.bibtex.splitlines()[0]
    '@article{wilson1927,'
    """

    sentences: tuple[str, ...]
    references: tuple[Reference, ...] = ()

    @property
    def text(self) -> str:
        """The paragraph in plain words, and the list of references."""
        works = {work.key: work for work in self.references}

        def spoken(match: re.Match[str]) -> str:
            keys = [key.strip(" @") for key in match["keys"].split(";")]
            if not works.keys() >= {*keys}:
                return match[0]
            return f" ({'; '.join(works[key].short for key in keys)})"

        paragraph = _CITED.sub(spoken, " ".join(self.sentences))
        lines = "\n".join(sorted(work.line for work in self.references))
        return f"{paragraph}\n\nReferences\n{lines}\n" if lines else f"{paragraph}\n"

    @property
    def markdown(self) -> str:
        """The paragraph with citations as Pandoc reads them; `bibtex` holds the works."""
        return " ".join(self.sentences) + "\n"

    @property
    def latex(self) -> str:
        r"""The paragraph with `\\cite`; `bibtex` holds the works."""
        paragraph, known = " ".join(self.sentences), {work.key for work in self.references}
        parts, end = [], 0
        for match in _CITED.finditer(paragraph):
            keys = [key.strip(" @") for key in match["keys"].split(";")]
            if known.issuperset(keys):
                parts += [tex(paragraph[end : match.start()]), rf"~\cite{{{','.join(keys)}}}"]
                end = match.end()
        return "".join([*parts, tex(paragraph[end:])]) + "\n"

    @property
    def bibtex(self) -> str:
        """The works as a BibTeX file."""
        return "\n".join(work.bibtex for work in self.references)

    def __str__(self) -> str:
        return self.text


def versions() -> dict[str, str]:
    """The versions of what decides numbers."""
    found = {name: version(name) for name in PACKAGES}
    return {"heliast": __version__, "python": platform.python_version(), **found}


def methods(facts: Facts) -> Methods:
    """The paragraph that these facts call for."""
    omnibus = "" if facts.omnibus is None else facts.omnibus.test
    keys = [estimate.key for estimate in facts.estimates] + [pair.test for pair in facts.pairs]
    cite = _Citations([*keys, omnibus, "holm", "nemenyi"])
    defined = [estimate for estimate in facts.estimates if estimate.defined]
    sentences = [
        *_subject(facts, defined),
        *_intervals(defined, facts.level, cite),
        *_tests(facts, cite),
        *facts.sentences,
    ]
    if facts.selected:
        sentences.append(
            f"The model with the best {measure_name(facts.selected)} was selected; its value is "
            "adjusted for the selection."
        )
    sentences.append(_software(cite))
    return Methods(tuple(dict.fromkeys(sentences)), cite.works)


class _Citations:
    """Citations of methods, and in the end all works that were cited."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._known = {**of_methods(keys), "heliast": (HELIAST,)}
        self._cited: dict[str, Reference] = {}

    def __call__(self, key: str) -> str:
        works = {work.key: work for work in self._known.get(key, ())}
        self._cited |= works
        return f" [{'; '.join(f'@{name}' for name in works)}]" if works else ""

    @property
    def works(self) -> tuple[Reference, ...]:
        return tuple(self._cited.values())


def _subject(facts: Facts, estimates: "Sequence[Estimate]") -> list[str]:
    """Which models were evaluated or compared, on what, with which settings."""
    models = join_words(facts.models)
    were = "was" if len(facts.models) == 1 else "were"
    if facts.data_sets:
        named = f" ({join_words(facts.data_sets)})" if len(facts.data_sets) <= 30 else ""
        sets = plural(len(facts.data_sets), "data set")
        first = f"{plural(len(facts.models), 'model')} ({models}) {were} fitted on {sets}{named}."
    elif facts.measure:
        first = f"{models} {were} compared by {measure_name(facts.measure)}."
    elif facts.in_train == "all":
        first = f"{models} {were} evaluated in-sample, on the training rows."
    else:
        first = f"{models} {were} evaluated{_where(estimates)}."
    sentences = [first] if facts.models else []
    if facts.plan:
        seed = "" if facts.seed is None else f" (seed {facts.seed})"
        sentences.append(f"Rows were split by {facts.plan}{seed}.")
    if facts.hyperparameters:
        each = "; ".join(f"{name}: {words}" for name, words in facts.hyperparameters.items())
        sentences.append(f"Hyperparameters: {each}.")
    return sentences


def _where(estimates: "Sequence[Estimate]") -> str:
    """On which rows, by which design, and the estimand."""
    first = next((estimate for estimate in estimates if estimate.design), None)
    if first is None:
        return ""
    design = first.design.split(",")[0]
    words = " " + _DESIGNS.get(design, f"on {{n}} rows ({design})").format(n=count(first.n))
    if first.n_train is not None:
        words += f", with {count(first.n_train)} rows in a training sample"
    estimand = "the fitted models"
    if first.target == "algorithm":
        estimand = "the learning algorithms, trained on as many rows"
    return f"{words}; the estimates are of {estimand}"


def _intervals(estimates: "Sequence[Estimate]", level: float, cite: _Citations) -> list[str]:
    """The methods of intervals, each with the measures that it is for."""
    of_measures: dict[str, dict[tuple[str, str], None]] = {}
    for estimate in estimates:
        if estimate.method and estimate.low <= estimate.high:
            used = of_measures.setdefault(measure_name(estimate.measure), {})
            used[method_name(estimate.method), estimate.key] = None
    by_methods: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for name, methods_used in of_measures.items():
        by_methods.setdefault(tuple(methods_used), []).append(name)
    if not by_methods:
        return []
    parts = [
        f"{' or '.join(f'{words}{cite(key)}' for words, key in used)} for {join_words(names)}"
        for used, names in by_methods.items()
    ]
    sentences = [f"Confidence intervals ({100 * level:g}%): {'; '.join(parts)}."]
    if any(len(used) > 1 for used in by_methods):
        sentences.append(
            "Where two methods are named, the data decide, or whether a value is a mean of classes."
        )
    if any(estimate.target == "algorithm" for estimate in estimates):
        sentences.append(
            "Over several splits they use an effective sample size, as the splits share training "
            "rows."
        )
    return sentences


def _tests(facts: Facts, cite: _Citations) -> list[str]:
    """The test of pairs, of all at once, the adjustment, and when two differ significantly."""
    if not facts.pairs:
        return []
    first, many = facts.pairs[0], len(facts.pairs)
    what = "The difference was" if many == 1 else "Pairs were"
    sentences = [f"{what} tested by {method_name(first.method)}{cite(first.test)}."]
    if facts.omnibus is not None:
        method = facts.omnibus.method
        sentences.append(f"All models at once were tested by {method}{cite(facts.omnibus.test)}.")
    if facts.correction == "holm":
        sentences.append(
            f"The p values of {many} pairs are Holm-adjusted{cite('holm')}, and the "
            f"{100 * facts.level:g}% intervals of differences are simultaneous (Bonferroni)."
        )
    elif many > 1:
        sentences.append(f"P values were not adjusted for the number of pairs ({many}).")
    alpha = f"{1 - facts.level:.3g}"
    sentences.append(
        f"Two models differ significantly if p is below {alpha} and the interval excludes 0."
    )
    if facts.margin:
        sentences.append(f"The equivalence margin was {facts.margin:g}.")
    if facts.nemenyi:
        sentences.append(
            f"The diagram of mean ranks shows Nemenyi's critical difference{cite('nemenyi')}."
        )
    return sentences


def _software(cite: _Citations) -> str:
    used = versions()
    more = ", ".join(f"{words} {used[name]}" for name, words in PACKAGES.items())
    used_python = f"Python {used['python']}"
    return (
        f"All numbers were computed with the Python package heliast{cite('heliast')}, version "
        f"{used['heliast']} ({more}, {used_python})."
    )
