"""The studies by name, and how they are run."""

import importlib
import pkgutil
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cache

from heliast._core.errors import InputError
from heliast._core.told import told
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Found, Outcome, Printed, Study, gathered

Maker = Callable[[Setting], Iterable[Found]]
_studies: dict[str, Study] = {}


@told(Study, returns="callable: A decorator that leaves the function as it is.")
def study(
    name: str,
    title: str,
    *,
    design: str,
    tolerance: str,
    repetitions: int = 1,
    quick: int = 1,
    needs: tuple[str, ...] = (),
    printed: Printed | tuple[Printed, ...] = (),
) -> Callable[[Maker], Maker]:
    """Register a function that yields what a study found.

    Parameters
    ----------
    design : str
        Data, sampling, models, plan and seed.
    tolerance : str
        How far apart numbers may be, in words.
    printed : Printed or tuple of these
        The printed numbers, in the order in which the function yields its own.

    Examples
    --------
    >>> @study("example-1", "Two and two", design="A sum.", tolerance="None.",
    ...        printed=Printed("Sum", {"2 + 2": 4.0}, 0.0))
    ... def example(setting):
    ...     yield 2.0 + 2.0
    >>> outcome = next(reproduce(["example-1"]))
    >>> outcome.agrees
    True
    >>> del _studies["example-1"]
    """

    def register(make: Maker) -> Maker:
        _studies[name] = Study(
            name, title, " ".join(design.split()), " ".join(tolerance.split()), make,
            repetitions, quick, needs, printed if isinstance(printed, tuple) else (printed,),
        )  # fmt: skip
        return make

    return register


@cache
def _load() -> None:
    from heliast.reproduce import studies

    for module in sorted(found.name for found in pkgutil.iter_modules(studies.__path__)):
        if not module.startswith("_"):
            importlib.import_module(f"{studies.__name__}.{module}")


@told(returns="dict: From name to `Study`.")
def every() -> dict[str, Study]:
    """All studies by name, in the order of the documents.

    Examples
    --------
    >>> list(every())[:3]
    ['chapter-q2', 'chapter-q4', 'chapter-q5']
    """
    _load()
    return {name: _studies[name] for name in sorted(_studies, key=_place)}


def _place(name: str) -> tuple[str, tuple[int, ...], str]:
    """thesis-2.9 comes before thesis-2.10."""
    document, _, rest = name.partition("-")
    digits = tuple(int(part) for part in rest.replace("-", ".").split(".") if part.isdigit())
    return document, digits, rest


@told(
    returns="list of Study: In the order of the documents.",
    raises="Where a name is no study and begins none.",
)
def chosen(names: Iterable[str]) -> list[Study]:
    """The studies that names or their beginnings ask for.

    Parameters
    ----------
    names : iterable of str
        `thesis-2.12` is one study, `chapter` all of its own, `thesis-2` those of its second
        chapter; none given: all.

    Examples
    --------
    >>> [one.name for one in chosen(["chapter-22.7"])]
    ['chapter-22.7']
    """
    known = every()
    asked = list(names)
    if not asked:
        return list(known.values())
    found: dict[str, Study] = {}
    for name in asked:
        starts = (f"{name}-", f"{name}.")
        match = [name] if name in known else [each for each in known if each.startswith(starts)]
        if not match:
            raise InputError(f"no study {name!r}; `heliast reproduce --list` names them all")
        found.update({each: known[each] for each in match})
    return [known[name] for name in known if name in found]


@told(
    {
        "names": "iterable of str: Studies or their beginnings, as for `chosen`; none given: all.",
        "setting": "Setting, optional: Seed, data, store and workers.",
        "quick": "bool: Few repetitions: enough to see that everything works, too few to judge.",
    },
    yields="Outcome: One a study, in the order of the documents.",
)
def reproduce(
    names: Iterable[str] = (), setting: Setting | None = None, *, quick: bool = False
) -> Iterator[Outcome]:
    """The outcome of each study that the names ask for, as soon as it is there.

    Examples
    --------
    >>> outcome = next(reproduce(["chapter-22.7"]))
    >>> outcome.agrees
    True
    """
    setting = Setting() if setting is None else setting
    for asked in chosen(names):
        repetitions = asked.quick if quick else asked.repetitions
        start = time.perf_counter()
        # The copy shares the memo: what several studies need is made once.
        found = list(asked.make(replace(setting, repetitions=repetitions, quick=quick)))
        yield gathered(asked, found, repetitions, time.perf_counter() - start)
