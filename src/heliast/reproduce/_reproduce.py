"""Run studies one after the other."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import replace

from heliast.reproduce._registry import chosen
from heliast.reproduce._setting import Setting
from heliast.reproduce._study import Outcome, Study, gathered


def reproduce(
    names: Iterable[str] = (), setting: Setting | None = None, *, quick: bool = False
) -> Iterator[Outcome]:
    """The outcome of each study that the names ask for, as soon as it is there.

    A quick run does few repetitions: enough to see that everything works, too few to judge.

    >>> outcome = next(reproduce(["chapter-22.7"]))
    >>> outcome.agrees
    True
    """
    setting = Setting() if setting is None else setting
    for one in chosen(names):
        yield _made(one, setting, quick)


def _made(one: Study, setting: Setting, quick: bool) -> Outcome:
    repetitions = one.quick if quick else one.repetitions
    start = time.perf_counter()
    # The copy shares the memo: what several studies need is made once.
    found = list(one.make(replace(setting, repetitions=repetitions, quick=quick)))
    return gathered(one, found, repetitions, time.perf_counter() - start)
