"""The paragraph on methods: how numbers were made, in sentences to paste, with references."""

import platform
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from heliast import __version__
from heliast._core.numbers import count
from heliast._core.records import Shown
from heliast.views.numbers import joined, unnumbered
from heliast.views.references import Reference, of_methods
from heliast.views.sheets import tex

if TYPE_CHECKING:
    from heliast.estimates import Estimate
    from heliast.verbs.assess import Assessment
    from heliast.verbs.benchmarked import Benchmark
    from heliast.verbs.comparison import Comparison

PACKAGES = ("numpy", "scipy", "numba", "scikit-learn")
_CITED = re.compile(r" ?\[(?P<keys>@\w+(?:; @\w+)*)\]")
Ways = tuple[tuple[str, str], ...]
"""Methods of intervals: words and key of each."""
TWO_CLASSES = 3
"""What a measure of two classes is found for: each of them, and the positive one without a name."""
_DESIGNS = {
    "one test set": "on one test set of {n} rows that no model was trained on",
    "folds": "by cross-validation of {n} rows",
    "repeated folds": "by repeated cross-validation of {n} rows",
    "leave-one-out": "by leaving out each of {n} rows in turn",
    "bootstrap": "on the rows that bootstrap samples of {n} rows left out",
    "subsampling": "on repeated random splits of {n} rows",
    "in order of time": "on {n} rows in order of time, by models trained on earlier ones",
}


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
    >>> said = hl.assess(["a", "b", "b", "a"], ["a", "b", "a", "a"], "error").methods()
    >>> said.bibtex.splitlines()[0]
    '@article{wilson1927,'
    """

    sentences: tuple[str, ...]
    references: tuple[Reference, ...] = ()

    @property
    def text(self) -> str:
        """The paragraph in plain words, and the list of references."""
        works = {one.key: one for one in self.references}

        def spoken(found: re.Match[str]) -> str:
            keys = [key.strip(" @") for key in found["keys"].split(";")]
            if any(key not in works for key in keys):
                return found[0]
            return f" ({'; '.join(works[key].short for key in keys)})"

        said = _CITED.sub(spoken, " ".join(self.sentences))
        listed = "\n".join(one.line for one in sorted(self.references, key=lambda one: one.line))
        return f"{said}\n\nReferences\n{listed}\n" if listed else f"{said}\n"

    @property
    def markdown(self) -> str:
        """The paragraph with citations as Pandoc reads them; `bibtex` holds the works."""
        return " ".join(self.sentences) + "\n"

    @property
    def latex(self) -> str:
        r"""The paragraph with `\\cite`; `bibtex` holds the works."""
        parts, known, end = [], {one.key for one in self.references}, 0
        whole = " ".join(self.sentences)
        for found in _CITED.finditer(whole):
            keys = [key.strip(" @") for key in found["keys"].split(";")]
            if known.issuperset(keys):
                parts += [tex(whole[end : found.start()]), rf"~\cite{{{','.join(keys)}}}"]
                end = found.end()
        return "".join([*parts, tex(whole[end:])]) + "\n"

    @property
    def bibtex(self) -> str:
        """The works as a BibTeX file."""
        return "\n".join(one.bibtex for one in self.references)

    def __str__(self) -> str:
        return self.text


def versions() -> dict[str, str]:
    """The versions of what decides numbers."""
    found = {name: version(name) for name in PACKAGES}
    return {"heliast": __version__, "python": platform.python_version(), **found}


class _Citing:
    """Citations of methods, and in the end all works that were cited."""

    def __init__(self, keys: Iterable[str]) -> None:
        self._known = of_methods(keys)
        self._cited: dict[str, Reference] = {}

    def __call__(self, key: str) -> str:
        works = {one.key: one for one in self._known.get(key, ())}
        self._cited |= works
        return f" [{'; '.join(f'@{name}' for name in works)}]" if works else ""

    @property
    def works(self) -> tuple[Reference, ...]:
        return tuple(self._cited.values())


def assessment_methods(found: "Assessment") -> Methods:
    """What was measured on which rows, and how the intervals were made."""
    cites = _Citing(one.key for one in found.estimates)
    known = [one for one in found.estimates if one.defined]
    said = [f"{joined(found.models)} {_were(found.models)} assessed{_where(known)}."]
    if found.in_train == "all":
        said = [f"{joined(found.models)} {_were(found.models)} assessed on training rows."]
    said += _intervals(known, found.level, cites)
    if found.selected is not None:
        said.append(
            f"The best of {len(found.models)} models was named by {found.selected.measure}, and "
            "its value is corrected for the choice where that is said."
        )
    return Methods((*said, _software()), cites.works)


def comparison_methods(found: "Comparison") -> Methods:
    """How pairs were tested, and corrected for their number."""
    cites = _Citing([*(one.test for one in found.pairs), "holm", *_omnibus(found)])
    said = [f"{joined(found.models)} were compared by {found.measure.replace('_', ' ')}."]
    return Methods((*said, *_tested(found, cites), _software()), cites.works)


def benchmark_methods(found: "Benchmark") -> Methods:
    """What was fitted on which data sets, how values, ranks and tests were made."""
    ones = [est for one in found.sets for est in one.estimates.values() if est.defined]
    tested = [one.comparison for one in found.rankings if one.comparison is not None]
    keys = [est.key for est in ones] + [one.test for one in found.sets]
    keys += [key for one in tested for key in (one.pairs[0].test, "holm", *_omnibus(one))]
    cites = _Citing([*keys, "nemenyi"] if any(one.nemenyi for one in tested) else keys)
    splits = sorted({one.splits for one in found.sets})
    many = f"{splits[0]}" if len(splits) == 1 else f"{splits[0]} to {splits[-1]}"
    named = f" ({joined(one.name for one in found.sets)})" if len(found.sets) <= 30 else ""
    said = [
        f"{len(found.models)} models ({joined(found.models)}) were fitted on {len(found.sets)} "
        f"data sets{named}; rows were split by {found.split_by or found.plan} ({many} splits a "
        f"data set, seed {found.seed}).",
        *_intervals(ones, found.level, cites),
        f"On each data set models were ranked by {found.measure.replace('_', ' ')}; ties share "
        "their mean rank.",
    ]
    for one in found.rankings:
        if one.comparison is not None:
            over = f"Over the {len(one.complete)} data sets on which {joined(one.models)} finished"
            said += [f"{over}, mean ranks were compared.", *_tested(one.comparison, cites)]
    single = {unnumbered(one.method): one.test for one in found.sets if one.unbeaten}
    if single:
        how = joined(f"{words}{cites(key)}" for words, key in single.items())
        said.append(f"On single data sets pairs were tested by {how}.")
    if any(one.nemenyi for one in tested):
        said.append(
            f"The diagram of mean ranks shows Nemenyi's critical difference{cites('nemenyi')}."
        )
    if found.fragile:
        gone = joined(f"{name} on {count} data sets" for name, count in found.fragile.items())
        said.append(f"No value was made up where a model failed: {gone}.")
    return Methods(tuple(dict.fromkeys([*said, _software()])), cites.works)


# --- sentences -----------------------------------------------------------------------------------


def _omnibus(found: "Comparison") -> list[str]:
    return [] if found.omnibus is None else [found.omnibus.test]


def _tested(found: "Comparison", cites: _Citing) -> list[str]:
    """The test of pairs, of all at once, the correction, and when two are called different."""
    first = found.pairs[0]
    alone = len(found.pairs) == 1
    how = first.method.replace(";", ", with") if alone else unnumbered(first.method)
    what = "The difference was" if alone else "Pairs were"
    said = [f"{what} tested by {how}{cites(first.test)}."]
    if found.omnibus is not None:
        method = found.omnibus.method
        said.append(f"All models at once were tested by {method}{cites(found.omnibus.test)}.")
    if found.correction == "holm":
        said.append(
            f"The p values of {len(found.pairs)} pairs were corrected by the method of "
            f"Holm{cites('holm')}, and the {100 * found.level:g}% intervals of differences hold "
            "together (Bonferroni)."
        )
    elif len(found.pairs) > 1:
        said.append(f"P values were not corrected for the number of pairs ({len(found.pairs)}).")
    said.append(
        f"Two models were called different only if p (below {1 - found.level:.3g}) and interval "
        "agree."
    )
    if found.margin:
        said.append(f"Differences up to {found.margin:g} were taken not to matter.")
    return said


def _intervals(ones: "Sequence[Estimate]", level: float, cites: _Citing) -> list[str]:
    """The methods of intervals, each with the measures that it is for."""
    by_methods: dict[Ways, list[str]] = {}
    for name, ways in _ways([one for one in ones if one.method and one.low <= one.high]).items():
        by_methods.setdefault(ways, []).append(name)
    if not by_methods:
        return []
    parts = [
        f"{' or '.join(f'{method}{cites(key)}' for method, key in ways)} for {joined(names)}"
        for ways, names in by_methods.items()
    ]
    said = [f"Confidence intervals at the {100 * level:g}% level are: {'; '.join(parts)}."]
    if any(len(ways) > 1 for ways in by_methods):
        said.append("Where two methods are named, the rows decided which of them was taken.")
    if any(one.target == "algorithm" for one in ones):
        said.append(
            "Over several splits they count fewer rows than there are (an effective number), as "
            "the models of the splits share training rows."
        )
    return said


def _ways(ones: "Sequence[Estimate]") -> dict[str, Ways]:
    """The methods of each measure. Its mean over classes is apart if that has other methods."""
    found: dict[str, tuple[dict[tuple[str, str], None], dict[tuple[str, str], None]]] = {}
    classes: dict[str, set[object]] = {}
    for one in ones:
        name, alone = one.measure.replace("_", " "), one.class_ is not None
        found.setdefault(name, ({}, {}))[alone][unnumbered(one.method), one.key] = None
        classes.setdefault(name, set()).add(one.class_)
    ways: dict[str, Ways] = {}
    for name, (whole, single) in found.items():
        if whole and single and whole.keys() != single.keys() and len(classes[name]) > TWO_CLASSES:
            ways |= {f"{name} of each class": tuple(single), f"mean {name}": tuple(whole)}
        else:
            ways[name] = tuple(whole | single)
    return ways


def _where(ones: "Sequence[Estimate]") -> str:
    """On which rows, by which design, and what the estimates speak of."""
    first = next((one for one in ones if one.design), None)
    if first is None:
        return ""
    design, *_ = first.design.split(",")
    said = " " + _DESIGNS.get(design, f"on {{n}} rows ({design})").format(n=count(first.n))
    if first.n_train is not None:
        said += f", with {count(first.n_train)} rows in a training sample"
    what = "the fitted models" if first.target == "model" else "recipes trained on as many rows"
    return f"{said}; the estimates speak of {what}"


def _software() -> str:
    names = {"scikit-learn": "scikit-learn", "numpy": "NumPy", "scipy": "SciPy", "python": "Python",
             "numba": "Numba"}  # fmt: skip
    used = versions()
    more = ", ".join(f"{names[name]} {used[name]}" for name in names)
    return f"All numbers were computed with heliast {used['heliast']} ({more})."


def _were(names: Sequence[str]) -> str:
    return "was" if len(names) == 1 else "were"
